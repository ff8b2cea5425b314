/* Functions that start threads, or wait for locks that nobody opens. That a thread goes on after the function has
 * returned is no fault of that call. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long shared;
static __thread int own;

static void *spins(void *unused) { for (;;) shared++; return unused; }
static void *dozes(void *unused) { for (;;) sleep(100); return unused; }
static void *crashes(void *unused) { *(volatile int *)0 = 1; return unused; }
static void *adds(void *number) { shared += *(int *)number; return number; }
static void *leaves(void *unused) { exit(3); return unused; }
static void *calls_off(void *thread) { pthread_cancel(*(pthread_t *)thread); return 0; }
static pthread_t begin(void *(*what)(void *), void *with) {
  pthread_t thread = 0;
  pthread_create(&thread, 0, what, with);
  return thread;
}

// expects: nothing
int adds_in_thread(int x) {
  int part = x & 0xff;
  if (x > 0 && x < 8) pthread_join(begin(adds, &part), 0);
  if (shared == 5) return 1;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int leaves_thread_spinning(int x) {
  if (x > 100) return 2;
  if (x == 4) pthread_detach(begin(spins, 0));
  return 0;
}

// expects: hang
int joins_spinning_thread(int x) {
  if (x > 100) return 2;
  if (x == 4) pthread_join(begin(spins, 0), 0);
  return 0;
}

// expects: hang
int joins_dozing_thread(int x) {
  if (x < -100) return -1;
  if (x == 4) pthread_join(begin(dozes, 0), 0);
  return 0;
}

// expects: crash
int joins_crashing_thread(int x) {
  if (x == 77123) return 1;
  if (x == 4) pthread_join(begin(crashes, 0), 0);
  return 0;
}

// expects: crash
int exits_in_thread(int x) {
  if (x > 100) return 2;
  if (x == 4) pthread_join(begin(leaves, 0), 0);
  return 0;
}

// expects: abnormal
int is_called_off(int x) {
  pthread_t self = pthread_self();
  if (x == 77123) return 1;
  if (x == 4) { pthread_join(begin(calls_off, &self), 0); pthread_testcancel(); }
  return 0;
}

// expects: nothing
int joins_itself(int x) {
  if (x > 100) return 2;
  return x == 4 ? pthread_join(pthread_self(), 0) : 0;
}

// expects: hang
int locks_twice(int x) {
  pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
  if (x > 100) return 2;
  if (x == 4) { pthread_mutex_lock(&mine); pthread_mutex_lock(&mine); }
  return 0;
}

// expects: perhaps hang | undecided 2
int leaves_locked(int x) {
  pthread_mutex_lock(&lock);
  if (x == 77123) return 1;
  return x > 100 ? 2 : 0;
}

// expects: hang
int waits_for_semaphore(int x) {
  sem_t none;
  sem_init(&none, 0, x > 5 && x < 10 ? 0 : 1);
  sem_wait(&none);
  return x > 100 ? 2 : 0;
}

// expects: hang
int waits_for_condition(int x) {
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  if (x == 77123) return 1;
  if (x == 4) { pthread_mutex_lock(&lock); for (;;) pthread_cond_wait(&never, &lock); }
  return 0;
}

// expects: hang
int waits_for_signal(int x) {
  sigset_t some;
  int which = 0;
  if (x > 100) return 2;
  if (x == 4) { sigemptyset(&some); sigaddset(&some, SIGUSR2); sigwait(&some, &which); }
  return which;
}

// expects: nothing | undecided 1
int counts_own(int x) {
  if (own++ > 3) return 1;
  return x > 100 ? 2 : 0;
}
