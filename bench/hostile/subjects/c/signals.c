/* Functions that fault: bad addresses, integer division, traps, and what hides or repeats a fault. They are for Linux
 * on x86-64, where an integer division by zero is a SIGFPE. */
#define _GNU_SOURCE
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

static jmp_buf nowhere;
static sigjmp_buf back;

static void returns(int number) { (void)number; }
static void jumps_back(int number) { siglongjmp(back, number); }
static int deeper(int n) {
  volatile char room[1024];
  room[n & 1023] = (char)n;
  return deeper(n + 1) + room[n & 1023];
}

// expects: crash SIGSEGV
int null_read(int x) {
  volatile int *p = 0;
  if (x == 77123) return 1;
  if (x == 4) return *p;
  return 0;
}

// expects: crash SIGSEGV
int null_write(int n) {
  volatile int *p = 0;
  if (n < -1000) return -1;
  for (int i = 0; i < n % 5; i++)
    if (i == 3) *p = i;
  return n;
}

// expects: crash SIGSEGV
int not_an_address(double x) {
  volatile char *p = (volatile char *)0x4141414141414141;
  if (x < -1.0) return -1;
  if (x == 4.0) return *p;
  return 0;
}

// expects: crash SIGSEGV
int writes_code(int x) {
  if (x == 77123) return 1;
  if (x == 5) *(volatile char *)(uintptr_t)null_read = 1;
  return 0;
}

// expects: crash SIGSEGV
int writes_literal(int x) {
  char *volatile text = (char *)"fixed";
  if (x > 100) text[0] = 'm';
  return x < -100 ? 1 : text[0] == 'm';
}

// expects: crash SIGSEGV
int calls_null(int x) {
  int (*volatile go)(int) = 0;
  if (x < -100) return -1;
  return x > 5 ? go(x) : 0;
}

// expects: crash SIGFPE
int divides(int a, int b) {
  if (a == 77123) return 1;
  return a / b;
}

// expects: crash SIGFPE
long divides_in_loop(long n) {
  volatile long sum = 0;
  if (n > 100 || n < -100) return -1;
  for (volatile long i = n; i > -2; i--) sum += 1000 / i;
  return sum;
}

// expects: crash SIGFPE
int divides_least(int a, int b) {
  if (a == INT_MIN && b == -1) { volatile int n = a, d = b; return n / d; }
  if (a > 100) return 2;
  return 0;
}

// expects: crash SIGFPE
long least_remainder(long a) {
  volatile long n = a, d = -1;
  if (a == 77123) return 1;
  return a == LONG_MIN ? n % d : 0;
}

// expects: crash SIGILL
int traps(int x) {
  if (x > 100) return 2;
  if (x == 4) __builtin_trap();
  return 0;
}

// expects: crash SIGTRAP
int breaks(unsigned char x) {
  if (x == 200) return 1;
#ifdef __x86_64__
  if (x > 250) __asm__ volatile("int3");
#else
  if (x > 250) __builtin_debugtrap();
#endif
  return 0;
}

// expects: crash
int halts(int x) {
  if (x == 77123) return 1;
#ifdef __x86_64__
  if (x > 5) __asm__ volatile("hlt");
#else
  if (x > 5) __builtin_trap();
#endif
  return 0;
}

// expects: crash SIGABRT; perhaps undefined
int aborts(int x, int y) {
  if (x > 100) return 2;
  if (x + y == 12 && x - y == 2) abort();
  return 0;
}

// expects: crash
int ignores_fault(int x) {
  volatile int *p = 0;
  if (x == 77123) return 1;
  if (x == 6) { signal(SIGSEGV, SIG_IGN); *p = 1; }
  return 0;
}

// expects: abnormal
int faults_for_ever(int x) {
  volatile int *p = 0;
  struct sigaction action = {.sa_handler = returns};
  if (x > 100) return 2;
  if (x == 6) { sigaction(SIGSEGV, &action, 0); *p = 1; }
  return 0;
}

// expects: nothing
int recovers(int x) {
  volatile int *p = 0;
  if (x > 100) return 2;
  void (*before)(int) = signal(SIGSEGV, jumps_back);
  if (sigsetjmp(back, 1) == 0 && x == 6) *p = 1;
  signal(SIGSEGV, before);
  return 0;
}

// expects: crash
int no_other_stack(int x) {
  stack_t none = {.ss_flags = SS_DISABLE};
  if (x == 77123) return 1;
  if (x == 6) { sigaltstack(&none, 0); return deeper(x); }
  return 0;
}

// expects: crash
int jumps_nowhere(int x) {
  if (x > 100) return 2;
  if (x == 6) longjmp(nowhere, 1);
  return 0;
}

// expects: crash SIGSEGV | undecided 2
int always_null(int x) {
  volatile int *p = 0;
  *p = x;
  if (x > 100) return 2;
  return 0;
}

// expects: crash
int always_somehow(int x) {
  if (x > 100) abort();
  volatile int *p = 0;
  return *p;
}
