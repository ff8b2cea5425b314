/* A stand-in for CMocka, which needs no network: as much of it as emitted tests use, with the behaviour that CMocka's
 * documentation gives it (a failed assertion ends its test, and so does skip). */
#ifndef CMOCKA_H
#define CMOCKA_H
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test_func)(void **state);
};

static jmp_buf cmocka_frame;
static int cmocka_failed, cmocka_skipped;

static inline void cmocka_end(int skipped, const char *file, int line, const char *what)
{
    printf("%s:%d: %s: %s\n", file, line, skipped ? "skipped" : "error", what);
    *(skipped ? &cmocka_skipped : &cmocka_failed) += 1;
    longjmp(cmocka_frame, 1);
}

static inline int cmocka_run(const struct CMUnitTest *tests, size_t count)
{
    size_t n;
    void *state = NULL;
    for (n = 0; n < count; n++)
        if (!setjmp(cmocka_frame)) {
            printf("[ RUN      ] %s\n", tests[n].name);
            tests[n].test_func(&state);
        }
    printf("%d failed, %d skipped\n", cmocka_failed, cmocka_skipped);
    return cmocka_failed;
}

#define cmocka_unit_test(f) { #f, f }
#define cmocka_run_group_tests(tests, setup, teardown) \
    ((void)(setup), (void)(teardown), cmocka_run(tests, sizeof(tests) / sizeof((tests)[0])))
#define skip() cmocka_end(1, __FILE__, __LINE__, "skip")
#define assert_true(c) ((c) ? (void)0 : cmocka_end(0, __FILE__, __LINE__, #c))
#define assert_int_equal(a, b) assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#endif
