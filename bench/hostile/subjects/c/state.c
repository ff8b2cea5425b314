/* Functions that change what outlives a run: the floating-point unit, limits, the environment, the state of the C
 * library. Each run starts as the first one does, so that what only a changed state could take is undecided. */
#define _GNU_SOURCE
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int calls;

static double third(void) { volatile double one = 1.0, three = 3.0; return one / three; }
static void flush_subnormals(void) {
#ifdef __x86_64__
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#endif
}
static void shorten_long_doubles(void) {
#ifdef __x86_64__
  unsigned short control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  control = (control & ~0x300) | 0xc00;
  __asm__ volatile("fldcw %0" : : "m"(control));
#endif
}
static void limit(int what, rlim_t most) { struct rlimit both = {most, most}; setrlimit(what, &both); }
static void trips(void) { *(volatile int *)0 = 1; }
static void stalls(void) { for (;;) __asm__ volatile(""); }
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *); /* what pthread_atfork calls */

// expects: nothing
int rounds_up(int x) {
  if (x > 5) fesetround(FE_UPWARD);
  if (third() > 0x1.5555555555555p-2) return 2;
  return x == -77123 ? 1 : 0;
}

// expects: nothing
int rounds_to_zero(int x, double y) {
  if (x > 5) { fesetround(FE_TOWARDZERO); return 3; }
  return y > 1.0 && y + 1e-16 * y == 1.5 ? 1 : 0;
}

// expects: nothing
int flushes_subnormals(int x) {
  volatile double tiny = DBL_MIN;
  if (x > 5) flush_subnormals();
  if (tiny / 4 == 0.0) return 2;
  return x < -100 ? 1 : 0;
}

// expects: nothing
int shortens_long_doubles(int x) {
  volatile long double one = 1.0L, three = 3.0L;
  if (x > 5) shorten_long_doubles();
  return one / three * three == one && x < -100 ? 1 : 0;
}

// expects: crash SIGFPE
int traps_divisions(int x) {
  volatile double zero = 0.0;
  if (x > 100) return 2;
  if (x == 6) { feenableexcept(FE_DIVBYZERO); zero = 1.0 / zero; }
  return 0;
}

// expects: nothing
int lets_all_trap(int x) {
  if (x == 77123) return 1;
  if (x > 5) feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  return 0;
}

// expects: nothing | undecided 1
int counts_calls(int x) {
  if (calls++ > 3) return 1;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int draws_from_seed(unsigned x) {
  srand(x);
  int first = rand();
  if (first % 50 == 7) return 1;
  return rand() % 2 == 1 ? 2 : 0;
}

// expects: nothing | undecided 1
int draws_without_seed(int x) {
  if (rand() % 100000 == 7) return 1;
  return x > 100 ? 2 : 0;
}

// expects: nothing | undecided 1
int splits_own_text(int x) {
  static char text[] = "one,two,three";
  int words = 0;
  for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) words++;
  if (words == 3 && x > 5) return 1;
  return x < -100 ? 2 : 0;
}

// expects: nothing | undecided 1
int marks_environment(int x) {
  if (getenv("ZEROIN_HOSTILE")) return 1;
  if (x > 5) setenv("ZEROIN_HOSTILE", "1", 1);
  return 0;
}

// expects: nothing
int clears_environment(int x) {
  if (x > 100) return 2;
  if (x == 6) { unsetenv("PATH"); setenv("TMPDIR", "/nowhere", 1); clearenv(); }
  return 0;
}

// expects: nothing
int changes_locale(int x) {
  if (x == 77123) return 1;
  if (x > 5) { setlocale(LC_ALL, ""); setlocale(LC_NUMERIC, "de_DE.UTF-8"); }
  return 0;
}

// expects: nothing
int changes_time_zone(int x) {
  time_t then = 86400 * 180L;
  if (x > 5) { setenv("TZ", "XYZ-14", 1); tzset(); }
  if (localtime(&then)->tm_hour == 14 && x > 100) return 1;
  return 0;
}

// expects: nothing
int leaves_folder(int x) {
  if (x > 100) return 2;
  if (x == 6) return chdir("/");
  return 0;
}

// expects: nothing
int limits_time(int x) {
  if (x == 77123) return 1;
  if (x == 6) limit(RLIMIT_CPU, 1);
  return 0;
}

// expects: nothing
int limits_addresses(int x) {
  if (x > 100) return 2;
  if (x == 6) limit(RLIMIT_AS, 1 << 20);
  return 0;
}

// expects: nothing
int limits_descriptors(int x) {
  if (x == 77123) return 1;
  if (x > 5) limit(RLIMIT_NOFILE, 0);
  return 0;
}

// expects: nothing
int limits_files(int x) {
  if (x > 100) return 2;
  if (x == 6) { limit(RLIMIT_FSIZE, 0); limit(RLIMIT_CORE, RLIM_INFINITY); }
  return 0;
}

// expects: nothing
int limits_stack(int x) {
  if (x < -100) return -1;
  if (x > 5) limit(RLIMIT_STACK, 65536);
  return 0;
}

// expects: nothing
int masks_files(int x) {
  if (x == 77123) return 1;
  if (x > 5) umask(0777);
  return 0;
}

// expects: forbidden setsid
int yields_to_all(int x) {
  if (x > 100) return 2;
  if (x == 6) { nice(19); prctl(PR_SET_DUMPABLE, 0); prctl(PR_SET_NAME, "other"); setsid(); }
  return 0;
}

// expects: nothing
int borrows_signal_stack(int x) {
  char room[16384];
  stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
  if (x > 100) return 2;
  return x > 5 ? sigaltstack(&stack, 0) : 0;
}

// expects: nothing
int trips_at_fork(int x) {
  if (x == 77123) return 1;
  if (x == 6) pthread_atfork(trips, trips, trips);
  return 0;
}

// expects: nothing
int stalls_at_fork(int x) {
  if (x > 100) return 2;
  if (x == 6) __register_atfork(0, 0, stalls, 0);
  return 0;
}
