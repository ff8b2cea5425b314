/* Functions that use memory beside their arrays, or too much of the stack. What a pointer parameter points to lies
 * between pages that may not be touched: one element before it or behind it is a fault. */
#define _GNU_SOURCE
#include <alloca.h>
#include <string.h>

static int table[10];
static int *kept;
struct pair { int first, second; };

static int deep(int n) {
  volatile char room[256];
  room[n & 255] = (char)n;
  return deep(n + 1) + room[n & 255];
}
static int odd_turn(int n);
static int even_turn(int n) { volatile int here = n; return odd_turn(n + 1) + here; }
static int odd_turn(int n) { volatile int here = n; return even_turn(n + 1) - here; }
static int count_down(int n) { volatile int here = n; return n > 0 ? count_down(n - 1) + (here > 0) : 0; }
static int wide(int n) {
  volatile char room[1 << 20];
  room[0] = (char)n;
  return wide(n + 1) + room[0];
}

// expects: perhaps crash SIGSEGV
int reads_past(const int *xs) {
  if (xs[0] > 100) return 2;
  if (xs[0] == 5) return xs[1];
  return 0;
}

// expects: perhaps crash SIGSEGV
int writes_past(int *xs, int x) {
  if (x == 77123) return 1;
  if (x > 5) xs[1] = x;
  return 0;
}

// expects: crash SIGSEGV | options --array xs=4
int sums_one_too_many(const int *xs) {
  int last = xs[0] == 9 ? 4 : 3, sum = 0;
  for (int i = 0; i <= last; i++) sum += xs[i] & 0xff;
  return sum > 100 ? 2 : 0;
}

// expects: crash SIGSEGV | options --array xs=4
int picks(int *xs, int k) {
  if (k == 77123) return 1;
  xs[k & 7] = k;
  return 0;
}

// expects: perhaps crash SIGSEGV | options --array b=4,n
int counts_one_too_many(const unsigned char *b, size_t n) {
  int found = 0;
  for (size_t i = 0; i <= n; i++)
    if (b[i] == 200) found++;
  return found;
}

// expects: nothing | options --array b=4,n
int counts(const unsigned char *b, size_t n) {
  int found = 0;
  for (size_t i = 0; i < n; i++)
    if (b[i] == 200) found++;
  return found > 0 && n == 4 ? 1 : 0;
}

// expects: crash SIGSEGV
int reads_before(const int *xs) {
  if (xs[0] > 100) return 2;
  if (xs[0] == 5) return xs[-1];
  return 0;
}

// expects: crash SIGSEGV
int writes_before(double *x, int k) {
  if (k == 77123) return 1;
  if (k > 5) x[-1] = k;
  return 0;
}

// expects: perhaps crash SIGSEGV | options --array xs=4
int picks_around(int *xs, int k) {
  if (k < -100) return 1;
  if (k > 4 && k < 9) xs[k - 6] = k;
  return 0;
}

// expects: perhaps crash SIGSEGV | options --array s=4
int trims(char *s, int n) {
  int last = n & 3;
  while (s[last] == ' ') s[last--] = 0;
  return last == 2 ? 1 : 0;
}

// expects: crash SIGSEGV | options --array to=4 --array from=3
int copies_unended(char *to, const char *from) {
  if (from[0] == 'q') return 1;
  strcpy(to, from);
  return to[1] == 'r' ? 2 : 0;
}

// expects: perhaps crash SIGSEGV
int takes_one_for_two(short *out, int k) {
  if (k == 77123) return 1;
  if (k > 5) *(int *)out = k;
  return 0;
}

// expects: perhaps crash
int reads_pair(const struct pair *p) { return p[-1].first + p->second; }

// expects: nothing | options --array xs=3
int stays_inside(char *xs, int k) {
  if (k >= 0 && k < 3) xs[k] = 1;
  return xs[0] + xs[2] == 77 ? 1 : 0;
}

// n is taken for the number of elements, of which there are not so many.
// expects: crash SIGSEGV | undecided 1
int far_below(const int *xs, long n) {
  if (n == 77123) return 1;
  if (n > 5) return xs[-(1L << 40)];
  return 0;
}

// expects: perhaps crash SIGSEGV | options --array s=4
int walks_off(const char *s) {
  int length = 0;
  while (*s++) length++;
  return length == 2 ? 1 : 0;
}

// expects: crash SIGSEGV | options --array s=4
int measures_off(const char *s) {
  if (s[0] == 'q') return 1;
  return strlen(s) > 2 ? 2 : 0;
}

// expects: crash
int smashes_frame(int x) {
  volatile char room[8];
  volatile size_t size = 4096;
  if (x == 77123) return 1;
  if (x == 6) memset((char *)room, x, size);
  return room[0] = 0;
}

// expects: perhaps crash; perhaps undefined | undecided 1
int wild_index(int x) {
  if (x < -1000) return -1;
  if (x > 1000000) table[x] = 7;
  return 0;
}

// expects: nothing
int points_into_stack(int x) {
  int here = x;
  kept = &here;
  if (*kept > 100) return 2;
  return here;
}

// expects: crash
int takes_stack(int x) {
  volatile size_t size = 100 << 20;
  if (x == 77123) return 1;
  if (x > 5) { volatile char *room = alloca(size); room[0] = 1; return room[0]; }
  return 0;
}

// expects: perhaps crash
int takes_so_much_stack(int n) {
  if (n < 1 || n > 100000000) return -1;
  char room[n];
  memset(room, n & 1, n);
  return room[n - 1];
}

// expects: nothing
int takes_some_stack(int n) {
  int room[(n & 15) + 1], sum = 0;
  for (int i = 0; i <= (n & 15); i++) room[i] = i;
  for (int i = 0; i <= (n & 15); i++) sum += room[i];
  return sum == 120 ? 1 : 0;
}

// expects: crash stack overflow
int never_stops(int x) {
  if (x > 100) return 2;
  return x == 6 ? deep(x) : 0;
}

// expects: crash stack overflow; perhaps undefined
int never_stops_by_turns(int x) {
  if (x == 77123) return 1;
  return x > 5 ? even_turn(x) : 0;
}

// expects: crash
int never_stops_in_strides(int x) {
  if (x > 100) return 2;
  return x == 6 ? wide(x) : 0;
}

// expects: nothing
int stops_at_1000(int x) {
  if (x > 100) return count_down(1000);
  return 0;
}
