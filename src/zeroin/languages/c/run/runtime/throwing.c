/* Uncaught C++ exceptions of the subject. Included by guards.c. */
enum { UNWINDER = 32 }; /* size in bytes of the unwinder's header in front of an exception object */

void *zeroin_raised;        /* the last exception that the C++ library threw; all others come from the subject's code */
const char *zeroin_threw;   /* the mangled type name of the last run's uncaught exception; 0: there was none */
const char *zeroin_what;    /* the message of that exception (what()) */
static char threw[512], what[512];
static const char **thrown_type;
static int is_foreign;

/* Called before each throw: the memory of an exception that was destroyed may belong to this one. */
void zeroin_throws(const void *exception) {
  if (exception == zeroin_raised) zeroin_raised = 0;
}

/* Record an uncaught exception. The adapter calls it while the exception object still exists (call_code.py).
 *
 * type: the std::type_info of the exception; its second word is the address of the name.
 * exception: the object if it is a std::exception, else 0. The third entry of its virtual table is what(). */
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

/* An exception thrown by the C++ library is a finding. One that the subject's own code throws counts as a return. */
void zeroin_uncaught(void) {
  if (!is_foreign) return;
  leave(OUTCOME_RAISED, (void *)thrown_type);
}
