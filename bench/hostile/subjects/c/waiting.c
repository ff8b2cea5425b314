/* Functions that do not return, with and without branches to turn at, or that wait for what never comes; and some that
 * only take long, or look as if they waited. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int flag;

static unsigned long turns(unsigned long n) {
  volatile unsigned long sum = 0;
  for (unsigned long i = 0; i < n; i++) sum += i;
  return sum;
}
static void spin(void) { for (;;) __asm__ volatile(""); }
static void sleep_on(void) {
  struct timespec left = {1000000, 0};
  while (nanosleep(&left, &left) == -1 && errno == EINTR) continue;
}

// expects: hang
int turns_for_ever(int x) {
  if (x > 100) return 2;
  if (x == 4) for (;;) ;
  return 0;
}

// expects: hang
int turns_with_branches(int x) {
  volatile unsigned n = x;
  if (x == 77123) return 1;
  while (x > 5) {
    if (n % 2 == 0) n = n / 2 + 7;
    else n += 3;
  }
  return 0;
}

// expects: hang
int jumps_in_place(int x) {
  if (x == 77123) return 1;
#ifdef __x86_64__
  if (x == 4) __asm__ volatile("1: jmp 1b");
#else
  if (x == 4) spin();
#endif
  return 0;
}

// expects: hang | undecided 1
int waits_for_flag(int x) {
  if (x > 100) return 2;
  while (x == 4 && !flag) continue;
  return 0;
}

// expects: hang
int never_grows(double x) {
  if (!(x > 0.0)) return -1;
  volatile double y = x;
  while (y < 1e300) y += y < 1e6 ? 1e6 : y / 1e17;
  return x > 1e305 ? 2 : 0;
}

// expects: hang
unsigned skips_zero(unsigned x) {
  volatile unsigned n = x;
  if (x > 1000000) return 2;
  while (n != 1) n -= 2;
  return n;
}

// expects: hang
int turns_as_told(unsigned long n) {
  if (n == 77123) return 1;
  return turns(n) > 1000;
}

// expects: hang
int turns_squared(unsigned n) {
  volatile unsigned long sum = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n; j++) sum += j;
  return sum > 1000 ? 1 : 0;
}

// expects: nothing
int turns_300000_times(int x) {
  if (x > 100) return turns(300000) & 1;
  return 0;
}

// expects: hang | undecided 4
int always_turns(int x) {
  spin();
  if (x > 100) return 2;
  return x < -100 ? 1 : 0;
}

// expects: hang
int sleeps_long(int x) {
  if (x > 100) return 2;
  if (x == 4) sleep(100000);
  return 0;
}

// expects: hang
int sleeps_in_a_loop(int x) {
  if (x == 77123) return 1;
  while (x == 4) usleep(1000);
  return 0;
}

// expects: hang
int sleeps_to_the_end(int x) {
  if (x > 100) return 2;
  if (x == 4) sleep_on();
  return 0;
}

// Within a budget of some seconds, there is no time to wait for it.
// expects: perhaps hang
int sleeps_a_second(int x) {
  if (x == 77123) return 1;
  if (x == 4) sleep(1);
  return 0;
}

// expects: nothing
int sleeps_a_moment(int x) {
  if (x > 100) return 2;
  if (x == 4) usleep(20000);
  return 0;
}

// expects: hang
int pauses(int x) {
  if (x > 100) return 2;
  if (x == 4) pause();
  return 0;
}

// expects: hang
int suspends(int x) {
  sigset_t all;
  if (x > 100) return 2;
  if (x == 4) { sigfillset(&all); sigsuspend(&all); }
  return 0;
}

// expects: nothing | undecided 1
int reads_input(int x) {
  char c = 0;
  if (x == 77123) return 1;
  if (x == 4 && read(0, &c, 1) == 1) return 3;
  return 0;
}

// expects: nothing | undecided 1
int gets_characters(int x) {
  int n = 0;
  while (x > 5 && getchar() != EOF) n++;
  return x > 100 ? 2 : n;
}

// expects: nothing | undecided 1
int scans_number(int x) {
  int n = 0;
  if (x > 100) return 2;
  if (x == 4 && scanf("%d", &n) == 1) return n;
  return 0;
}

// expects: hang
int polls_nothing(int x) {
  if (x > 100) return 2;
  if (x == 4) poll(NULL, 0, -1);
  return 0;
}

// expects: hang
int selects_for_ever(int x) {
  if (x == 77123) return 1;
  for (;;) {
    if (x != 4) return 0;
    select(0, 0, 0, 0, 0);
  }
}

// expects: hang
int reads_own_pipe(int x) {
  int ends[2] = {-1, -1};
  char c = 0;
  if (x > 100) return 2;
  if (x == 4) { pipe(ends); read(ends[0], &c, 1); }
  return 0;
}

// expects: hang
int yields_for_ever(int x) {
  if (x == 77123) return 1;
  while (x == 4) sched_yield();
  return 0;
}

// expects: nothing | undecided 1
int waits_for_nobody(int x) {
  int status = 0;
  if (x > 100) return 2;
  return x == 4 && wait(&status) == -1 ? waitpid(getpid(), &status, 0) : 0;
}
