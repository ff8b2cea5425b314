/* Functions of unusual linkage, and code that runs before the first and after the last of them. */
#include <stddef.h>
#include <stdlib.h>

static int ready, rounds;
static volatile int ended;

__attribute__((constructor)) static void set_up(void) { ready = 5; for (int i = 0; i < 100; i++) rounds += i; }
__attribute__((destructor)) static void tear_down(void) { ended++; }

extern int zeroin_hostile_nowhere(int) __attribute__((weak));
extern const int zeroin_hostile_nothing __attribute__((weak));
static int real_one(int x) { return x > 0 ? x - 1 : 0; }
static int other_name(int) __attribute__((alias("real_one")));
static inline __attribute__((always_inline)) int within(int x) { return x > 5 ? 1 : 0; }
static __attribute__((noreturn, cold)) void out(void) { abort(); }
static __attribute__((const)) int claims_const(int x) { return x * x; }
int hidden __attribute__((visibility("hidden"))) = 3;
int elsewhere __attribute__((section(".zeroin_hostile"))) = 4;
_Thread_local int mine = 7;

// expects: nothing | undecided 1
int is_set_up(int x) {
  if (ready != 5) return -1;
  return x > 100 ? rounds : 0;
}

// expects: nothing | undecided 1
int calls_what_is_nowhere(int x) {
  if (zeroin_hostile_nowhere != NULL) return zeroin_hostile_nowhere(x);
  return x > 100 ? 2 : 0;
}

// expects: nothing | undecided 1
__attribute__((weak)) int is_weak(int x) { return x > 100 ? 2 : x == 77123 ? 1 : 0; }

// expects: nothing
int calls_by_other_name(int x) {
  if (other_name(x) == 77122) return 1;
  return within(x) ? 2 : 0;
}

// expects: crash SIGABRT; perhaps undefined
int goes_out(int x) {
  if (x > 100) return 2;
  if (x == 4) out();
  return claims_const(x) == 25 ? 1 : 0;
}

// expects: perhaps undefined | undecided 1
int has_odd_variables(int x) {
  hidden += x; elsewhere += x; mine += x;
  if (hidden == 8 && elsewhere == 9) return 1;
  return mine > 1000 ? 2 : 0;
}

// expects: nothing
__attribute__((hot, flatten, noinline, used, section(".text.zeroin_hostile"))) int has_attributes(int x) {
  return x > 100 ? real_one(x) : 0;
}

// expects: nothing
inline __attribute__((always_inline)) int is_inline(int x) { return x > 100 ? 2 : 0; }
extern int is_inline(int);

// expects: nothing
int a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_name_a_long_namez(int x) {
  if (x > 100) return 2;
  return 0;
}

// expects: crash SIGABRT
int main(int argc) {
  if (argc > 100) return 2;
  if (argc == 4) abort();
  return 0;
}
