/* Exceptions of C++ that leave the subject. Part of guards.c. */
enum { UNWINDER = 32 }; /* bytes that belong to the unwinder, in front of what was thrown */

void *zeroin_raised;        /* what the C++ library threw last; whatever else is thrown, the code throws itself */
const char *zeroin_threw;   /* the type of what left the last run, as linkers write it; 0: nothing did */
const char *zeroin_what;    /* what it says */
static char threw[512], what[512];
static const char **thrown_type;
static int is_foreign;

/* Called by who has caught it, which still has it.
 *
 * type: begins with two addresses, the second of which is the name's.
 * exception: an object of std::exception, if it is one: of what begins its table of functions, the third one says it. */
void zeroin_caught(const char *thrown, const char **type, void *exception) {
  typedef const char *(*says)(void *);
  const char *name = type ? type[1] + (*type[1] == '*') : "";
  snprintf(threw, sizeof threw, "%s", name);
  snprintf(what, sizeof what, "%s", exception ? (*(says **)exception)[2](exception) : "");
  thrown_type = type;
  zeroin_threw = threw;
  zeroin_what = what;
  is_foreign = thrown && thrown + UNWINDER == zeroin_raised;
}

/* What the library threw is no way for a run to return. */
void zeroin_uncaught(void) {
  if (!is_foreign) return;
  leave(OUTCOME_RAISED, (void *)thrown_type);
}
