/* Functions that change what outlives a run, and one that ends every seventh: each comment says what they return. */
#include <errno.h>
#include <fenv.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int made;
__attribute__((constructor)) static void make(void) { for (int i = 0; i < 1000; i++) made += i % 2; }

int constructed(int x) { return x > 5 ? made : 0; }                                             /* 500 above 5 */
double rounds(double x, int n) {                                                                /* up for 7 alone */
  if (n == 7) fesetround(FE_UPWARD);
  volatile double one = 1.0, three = 3.0;
  double third = one / three;
  if (third > 0.33333333333333333) return x > 100 ? 3 : 2;
  return 1;
}
int flags(double x) {                                                                           /* 1 for 0 alone */
  volatile double y = x;
  volatile double z = 1.0 / y;
  (void)z;
  return fetestexcept(FE_DIVBYZERO) ? 1 : 0;
}
double traps(double x, double y) {                                                              /* never a fault */
  volatile double zero = 0;
  if (x == 5) { feenableexcept(FE_DIVBYZERO); return 0; }
  return y > 100 ? 1 / zero : 0;
}
int blocks(int x) {                                                                             /* faults are seen */
  sigset_t all;
  sigfillset(&all);
  if (x == 3) sigprocmask(SIG_BLOCK, &all, 0);
  return x == 77123 ? *(volatile int *)8 : 0;
}
int ignores(int x) {                                                                            /* faults are seen */
  if (x == 3) { signal(SIGSEGV, SIG_IGN); return 1; }
  return x == 77123 ? *(volatile int *)8 : 0;
}
int opens(int x) {                                                                              /* never 2 */
  FILE *file = fopen("made", "w");
  if (file == 0) return 2;
  return x > 5;
}
int closes(int x) {                                                                             /* 1 for 77123 */
  if (x == 4) for (int i = 0; i < 100; i++) close(i);
  return x == 77123;
}
int scribbles(int x) {                                                                          /* 1 for 77123 */
  if (x == 4) for (int i = 3; i < 40; i++) if (write(i, "garbage", 7) == 7) return 2;
  return x == 77123;
}
int moves(int x) {                                                                              /* never 2 */
  if (x == 4) return chdir("/");
  FILE *file = fopen("made", "w");
  if (file == 0) return 2;
  return x == 77123;
}
int limits(int x) {                                                                             /* 2 for 4 alone */
  struct rlimit few = {3, 3};
  if (x == 4) setrlimit(RLIMIT_NOFILE, &few);
  int file = open("/dev/null", O_RDONLY);
  if (file < 0) return 2;
  return x == 77123;
}
int masks(int x) {                                                                              /* 2 for 4 alone */
  if (x == 4) umask(0777);
  mode_t mask = umask(0);
  if (mask == 0777) return 2;
  return x == 77123;
}
int sets(int x) {                                                                               /* 2 for 4 alone */
  if (x == 4) setenv("ZEROIN_DISTURBING", "1", 1);
  return getenv("ZEROIN_DISTURBING") ? 2 : 0;
}
int translates(int x) {                                                                         /* 2 for 4 alone */
  if (x == 4) setlocale(LC_ALL, "C");
  else return 0;
  return strcmp(setlocale(LC_ALL, 0), "C") == 0 ? 2 : 1;
}
int draws(int x) { return rand() % 100 == x; }                                                  /* 1 for 83 alone */
int errs(int x) {                                                                               /* 2 for 4 alone */
  if (x == 4) errno = ENOLCK;
  return errno == ENOLCK ? 2 : 0;
}
static void never(void) { abort(); }
int registers(int x) { if (x == 4) return atexit(never); return 1; }
int waits(int x) { if (x == 4) pause(); return 1; }                                             /* hangs for 4 */
static void *crash(void *nothing) { *(volatile int *)8 = 1; return nothing; }
int starts(int x) {                                                                             /* crashes for 4 */
  pthread_t thread;
  if (x == 4) { pthread_create(&thread, 0, crash, 0); pthread_join(thread, 0); }
  return x == 77123;
}
static void *spin(void *nothing) { for (volatile int i = 0;; i++) ; return nothing; }
int joins(int x) {                                                                              /* hangs for 4 */
  pthread_t thread;
  if (x == 4) { pthread_create(&thread, 0, spin, 0); pthread_join(thread, 0); }
  return x == 77123;
}
int forgets(int x) {                                                                            /* 1 for 77123 */
  pthread_t thread;
  if (x == 4) pthread_create(&thread, 0, spin, 0);
  return x == 77123;
}
int naps(int x) {                                                                               /* hangs above 5 */
  while (x > 5) usleep(10);
  if (x == -77123) return 1;
  return x < -100 ? 2 : 0;
}
int dies(int x) {                                                                               /* crashes often */
  if (x % 7 == 3) kill(getpid(), SIGKILL);
  if (x == 77123) return 1;
  return x == 77124 ? 2 : 0;
}
int leaves(int x) { if (x == 4) pthread_exit(0); return x == 77123; }                           /* crashes for 4 */
