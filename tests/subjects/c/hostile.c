/* Functions that do what test subjects must not do. The comment says what zeroin reports. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int raise(int);
extern unsigned sleep(unsigned);

int segv(int x) { int *p = 0; if (x > 3) return *p; return 1; }                 /* crash, SIGSEGV */
int divides(int a, int b) { if (a / b == 3) return 1; return 0; }               /* crash, SIGFPE */
int aborts(int x) { if (x == 1234567) abort(); return 0; }                      /* crash, SIGABRT */
int exits(int x) { if (x > 5) exit(3); return 0; }                              /* crash, exit status */
int asserts(int x) { if (x > 99999) return 2; assert(x != 12345); return x; }   /* assertion */
int loops(int x) { if (x == 99) for (;;) ; return x; }                          /* hang, out of fuel */
int sleeps(int x) { if (x == 3) for (;;) sleep(10); return 0; }                 /* hang, the clock */
int recurses(int x) { volatile char room[4096]; room[0] = (char)x;              /* crash, stack overflow */
    if (x < 1000) return room[0]; return recurses(x ^ 1) + room[0]; }
int hoards(int x) { if (x > 0) for (;;) { char *p = malloc(1 << 20); p[0] = 1; } return 0; }    /* crash, memory limit */
int kills(int x) { if (x == 4) raise(9); return 0; }                            /* crash, the process is gone */
int noisy(int x) { printf("noise %d\n", x); fprintf(stderr, "noise\n"); if (x == 77) return 1; return 0; }
int always_segv(int x) { int *p = 0; if (x > 3) return p[1]; return *p; }
int always_hangs(int x) { if (x > 3) for (;;) ; while (1) x++; }
static int count; int counts(int x) { if (count++ > 3) return 1; return x > 3; }  /* starts from 0 in every run */
int mixes(unsigned long x) { for (int i = 0; i < 64; i++) x = (x ^ x >> 7 ^ x << 13) * 0x9E3779B97F4A7C15u;
    return x == 42 ? 1 : 0; }                                                   /* undecided */
int overruns(int *xs) { if (xs[0] == 5) return xs[xs[0] - 4]; return 0; }       /* it has two elements then */
