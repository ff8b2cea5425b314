/* What newlib's mathematics needs of newlib's run-time system: a place for errno and signgam. */
#include <reent.h>

static struct _reent state;
struct _reent *_impure_ptr = &state;

int *__errno(void) {
    return &state._errno;
}
