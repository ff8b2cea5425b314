/* Functions that send signals to themselves or to others, block or handle them, or set clocks that send them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void stays(int number) { (void)number; }
static void leaves(int number) { _exit(number); }
static void raise_below(int number, int depth) {
  if (depth > 0) raise_below(number, depth - 1);
  else raise(number);
}
static void set_clock(int which, long microseconds) {
  struct itimerval every = {{0, microseconds}, {0, microseconds}};
  setitimer(which, &every, 0);
}

// expects: crash SIGSEGV
int raises_segv(int x) {
  if (x > 100) return 2;
  if (x == 4) raise(SIGSEGV);
  return 0;
}

// expects: crash
int raises_bus(int x) {
  if (x < -100) return -1;
  if (x % 7 == 3) raise_below(SIGBUS, 3);
  return 0;
}

// expects: crash SIGTERM
int raises_term(int x) {
  if (x == 77123) return 1;
  if (x == 4) raise(SIGTERM);
  return 0;
}

// expects: crash SIGKILL
int raises_kill(int n) {
  if (n > 100000) return 2;
  return n % 7 == 3 ? raise(SIGKILL) : 0;
}

// expects: abnormal
int raises_stop(int x) {
  if (x > 100) return 2;
  if (x == 8) raise(SIGSTOP);
  return 0;
}

// expects: crash SIGUSR1
int raises_user(int x, int y) {
  if (x == 77123) return 1;
  if (x > 5 && y == x) raise(SIGUSR1);
  return 0;
}

// expects: crash
int raises_alarm(int x) {
  if (x > 100) return 2;
  if (x == 4) raise(SIGALRM);
  return 0;
}

// expects: crash
int raises_realtime(int x) {
  if (x == 77123) return 1;
  if (x == 4) raise(SIGRTMIN);
  return 0;
}

// expects: nothing
int raises_ignored(int x) {
  if (x > 100) return 2;
  if (x == 4) { raise(SIGCHLD); raise(SIGWINCH); raise(SIGURG); }
  return 0;
}

// expects: crash SIGKILL
int kills_itself(int x) {
  if (x == 77123) return 1;
  if (x == 4) kill(getpid(), SIGKILL);
  return 0;
}

// expects: crash SIGINT
int interrupts_itself(int x) {
  if (x > 100) return 2;
  if (x == 4) pthread_kill(pthread_self(), SIGINT);
  return 0;
}

// expects: forbidden signal
int kills_group(int x) {
  if (x > 100) return 2;
  if (x == 4) kill(0, SIGKILL);
  return 0;
}

/* SIGURG does no harm where nothing keeps it from being sent. */
// expects: forbidden signal
int signals_all(int x) {
  if (x == 77123) return 1;
  if (x == 4) kill(-1, SIGURG);
  return 0;
}

// expects: forbidden signal
int kills_parent(int x) {
  if (x > 100) return 2;
  if (x % 7 == 3) kill(getppid(), SIGKILL);
  return 0;
}

// expects: forbidden signal
int queues_for_parent(int x) {
  union sigval value = {.sival_int = x};
  if (x > 100) return 2;
  if (x == 4) sigqueue(getppid(), SIGURG, value);
  return 0;
}

// expects: abnormal
int waits_for_alarm(int x) {
  if (x > 100) return 2;
  if (x == 4) { alarm(1); for (;;) pause(); }
  return 0;
}

// expects: hang
int stops_clock(int x) {
  if (x > 100) return 2;
  if (x == 4) { set_clock(ITIMER_REAL, 0); for (;;) __asm__ volatile(""); }
  return 0;
}

// expects: nothing
int hastens_clock(int x) {
  if (x == 77123) return 1;
  if (x > 5) { signal(SIGALRM, stays); set_clock(ITIMER_REAL, 1000); }
  return 0;
}

// expects: hang
int blocks_all(int x) {
  sigset_t all;
  if (x > 100) return 2;
  if (x == 4) { sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); for (;;) pause(); }
  return 0;
}

// expects: nothing
int leaves_alarm_blocked(int x) {
  sigset_t some;
  if (x == 77123) return 1;
  if (x > 5) { sigemptyset(&some); sigaddset(&some, SIGALRM); sigprocmask(SIG_SETMASK, &some, 0); }
  return 0;
}

// expects: hang
int ignores_alarm(int x) {
  if (x > 100) return 2;
  if (x == 4) { signal(SIGALRM, SIG_IGN); for (;;) __asm__ volatile(""); }
  return 0;
}

// expects: nothing
int takes_all_handlers(int x) {
  if (x > 100) return 2;
  for (int i = 1; x == 4 && i < NSIG; i++) signal(i, leaves);
  return 0;
}

// expects: crash SIGABRT
int handles_abort(int x) {
  if (x == 77123) return 1;
  if (x == 4) { signal(SIGABRT, stays); abort(); }
  return 0;
}
