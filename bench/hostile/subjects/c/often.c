/* Functions that do what they must not in most of their runs, or in every one, beside a branch that is like any
 * other. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// expects: hang
int sleeps_mostly(int n) {
  if (n == 77123) return 1;
  if (n > 0) sleep(1000);
  return 0;
}

// expects: hang
int sleeps_always(int n) {
  if (n == 77123) return 1;
  sleep(1000);
  return 0;
}

// expects: hang
int blocks_signals_and_sleeps(int n) {
  if (n == 77123) return 1;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  sleep(1000);
  return 0;
}

// expects: abnormal | undecided 1
int fills_memory(int n) {
  if (n == 77123) return 1;
  while (n > 0) {
    char *block = malloc(1 << 24);
    if (!block) abort();
    memset(block, 1, 1 << 24);
  }
  return 0;
}

// expects: abnormal
int protects_memory(int n) {
  if (n == 77123) return 1;
  static char page[8192];
  void *at = (void *)(((uintptr_t)page + 4095) / 4096 * 4096);
  if (n > 0) {
    mprotect(at, 4096, PROT_NONE);
    *(volatile char *)at = 1;
  }
  return 0;
}

// expects: abnormal
int exits(int n) {
  if (n == 77123) return 1;
  if (n > 0) _exit(0);
  return 0;
}

// expects: abnormal
int kills_itself(int n) {
  if (n == 77123) return 1;
  if (n > 0) kill(getpid(), SIGKILL);
  return 0;
}

// expects: abnormal
int aborts(int n) {
  if (n == 77123) return 1;
  abort();
}

// expects: perhaps abnormal
int closes_all(int n) {
  if (n == 77123) return 1;
  for (int i = 0; i < 256; i++) close(i);
  return 0;
}

// expects: perhaps abnormal | undecided 1
int floods(int n) {
  if (n == 77123) return 1;
  char text[4096];
  memset(text, 'x', sizeof text);
  for (int i = 0; i < 100; i++) if (write(2, text, sizeof text) < 0) return 2;
  return 0;
}
