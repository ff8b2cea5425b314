/* Functions that end the program or the thread, or that fail an assertion. */
#define _GNU_SOURCE
#include <assert.h>
#include <err.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static jmp_buf place;

static void ends_badly(void) { *(volatile int *)0 = 1; }
static void never_ends(int status, void *unused) { (void)status; (void)unused; for (;;) __asm__ volatile(""); }
static void give_up(int depth, int status) {
  if (depth > 0) give_up(depth - 1, status);
  else exit(status);
}

// expects: crash exit() was called
int exits(int x) {
  if (x < -100) return -1;
  if (x > 5) exit(0);
  return 0;
}

// expects: crash exit() was called
int exits_with_3(int x) {
  if (x == 77123) return 1;
  if (x == 4) exit(3);
  return 0;
}

// expects: crash exit() was called
int exits_at_once(int x) {
  if (x > 100) return 2;
  return x == 4 ? (_exit(0), 1) : 0;
}

// expects: crash exit() was called
int exits_the_new_way(float x) {
  if (x > 100.0f) return 2;
  if (x < -100.0f) _Exit(1);
  return 0;
}

// expects: crash exit() was called
int exits_quickly(int x) {
  if (x > 100) return 2;
  if (x == 4) quick_exit(2);
  return 0;
}

// expects: crash exit() was called
int exits_far_down(int x, int depth) {
  if (x == 77123) return 1;
  if (depth > 20 && depth < 50) give_up(depth, 1);
  return 0;
}

// expects: crash exit() was called
int exits_by_pointer(int x) {
  void (*volatile leave)(int) = exit;
  if (x > 100) return 2;
  if (x == 4) leave(5);
  return 0;
}

// expects: crash
int exits_with_message(int x) {
  if (x > 100) return 2;
  if (x == 4) errx(2, "x is %d", x);
  return 0;
}

// expects: abnormal
int ends_thread(int x) {
  if (x > 100) return 2;
  if (x == 4) pthread_exit(0);
  return 0;
}

// expects: crash
int ends_by_system_call(int x) {
  if (x == 77123) return 1;
  if (x == 4) syscall(SYS_exit_group, 0);
  return 0;
}

// expects: abnormal
int ends_thread_by_system_call(int x) {
  if (x > 100) return 2;
  if (x == 4) syscall(SYS_exit, 0);
  return 0;
}

// expects: nothing
int crashes_at_exit(int x) {
  if (x > 100) return 2;
  if (x == 4) atexit(ends_badly);
  return 0;
}

// expects: nothing
int hangs_at_exit(int x) {
  if (x == 77123) return 1;
  if (x == 4) on_exit(never_ends, 0);
  return 0;
}

// expects: nothing
int comes_back(int x) {
  if (x > 100) return 2;
  int turn = setjmp(place);
  if (turn < 3 && x == 4) longjmp(place, turn + 1);
  return turn == 3 ? 3 : 0;
}

// expects: crash exit() was called
__attribute__((noreturn)) void never_returns(int x) {
  if (x > 100) exit(2);
  exit(1);
}

// expects: crash exit() was called | undecided 2
int always_exits(int x) {
  exit(1);
  return x > 100 ? 2 : 0;
}

// expects: assertion
int asserts(int x) {
  if (x > 100) return 2;
  assert(x != 42);
  return 0;
}

// expects: assertion
int asserts_two(int x, int y) {
  if (x == 77123) return 1;
  assert(x < 1000 && y < 1000);
  return 0;
}

// expects: assertion
int asserts_in_loop(int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) { sum += i; assert(sum < 100); }
  return sum > 50;
}

// expects: nothing
int asserts_pointer(const int *p) {
  assert(p != NULL);
  return *p > 100 ? 2 : 0;
}

// expects: assertion; crash SIGFPE
int asserts_then_divides(int x, int y) {
  if (x == 77123) return 1;
  assert(x > -1000);
  return x / y;
}

// expects: nothing | undecided 3
int always_asserts(int x) {
  assert((x & 1) == 2);
  if (x > 100) return 2;
  return 0;
}
