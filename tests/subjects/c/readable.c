/* What the reader of compiled functions has to follow: each function has branches that depend on what it computes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int widths(int8_t a, uint16_t b, int32_t c, uint64_t d) {
  if (a + b > 200) return 1;
  if ((int8_t)(a + c) == -7) return 2;
  if (d >> (b & 63) & 1 && d % 7 == 3) return 3;
  if ((uint32_t)c * 2654435761u > 0xf0000000u) return 4;
  return c / 3 < a ? 5 : 6;
}

int bits_of_doubles(double x) {
  union { double d; struct { uint32_t low, high; } w; } u = {x};
  int32_t high = *(1 + (int32_t *)&x);
  if ((high & 0x7fffffff) < 0x3e400000) return u.w.low == 0;
  if ((high & 0x7fffffff) >= 0x7ff00000) return 2 + (u.w.low | (u.w.high & 0xfffff) ? 1 : 0);
  u.w.low = 0;
  return u.d == x ? 4 : x - u.d > 1e-9 ? 5 : 6;
}

int singles(float x, float y) {
  float s = x * y + 0.5f;
  if (isnan(s)) return 1;
  if (fabsf(s) < 1e-3f) return 2;
  return (int)floorf(s) % 3 == 0 ? 3 : (double)s * 3.0 > 10.0 ? 4 : 5;
}

static const double table[8] = {1.5, -2.0, 3.25, 0.0, 1e10, -1e-10, 7.0, 8.0};
static const struct { const char *name; int value; } names[] = {{"one", 1}, {"two", 2}, {"three", 3}};

int tables(unsigned n, double x) {
  if (table[n & 7] > x) return 1;
  if (names[n % 3].name[1] == 'w') return 2;
  return names[n % 3].value > 2 ? 3 : 4;
}

int arrays(const int a[6], int n) {
  int sum = 0, largest = 0, counts[4] = {0};
  for (int i = 0; i < 6; i++) {
    sum += a[i];
    if (a[i] > a[largest]) largest = i;
    counts[a[i] & 3]++;
  }
  if (counts[2] == 3) return 1;
  if (n >= 0 && n < 6 && a[n] == sum) return 2;
  return largest == 4 ? 3 : 4;
}

struct point { double x; int tag; struct { short a, b; } inner; };

static struct point moved(struct point p, double by) {
  p.x += by;
  p.inner.b = (short)(p.inner.a * 2);
  if (p.tag < 0) p.tag = -p.tag;
  return p;
}

int structs(double x, int tag, short a) {
  struct point p = {x, tag, {a, 0}}, q;
  q = moved(p, 2.5);
  struct point both[2] = {p, q};
  if (both[tag & 1].x > 10.0) return 1;
  return both[1].inner.b == 14 ? 2 : both[1].tag > both[0].tag ? 3 : 4;
}

int jumps(int n, unsigned char c) {
  switch (n) {
  case 0: case 3: return c > 'a';
  case -5: n = c; /* fall through */
  case 7: if (n & 1) return 3; break;
  default: if (n > 1000 && c == '!') return 5;
  }
  return c >= '0' && c <= '9' ? 6 : c == ' ' || c == '\t' ? 7 : 8;
}

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n / 2); }

int recursion(int n) {
  if (depth(n & 1023) == 5) return 1;
  return depth(n & 31) > 3 ? 2 : 3;
}

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }

int by_pointer(int which, int x) {
  int (*functions[2])(int) = {twice, square};
  return functions[which & 1](x & 255) > 100 ? 1 : 2;
}

int outputs(double x, double out[2], int *state) {
  out[0] = floor(x);
  out[1] = x - out[0];
  if (out[1] == 0.5) return 1;
  if (state == NULL) return 2;
  *state += 1;
  return *state == 100 ? 3 : out[0] > 1e6 ? 4 : 5;
}

static int calls = 3;

int statics(int x) {
  static int seen[3];
  calls += x > 0;
  seen[calls % 3] = x;
  if (seen[0] > 10) return 1;
  return seen[1] > 10 ? 2 : 3;
}

int allocated(int n, int x) {
  int size = (n & 7) + 1;
  int *a = malloc(size * sizeof *a), result;
  memset(a, 0, size * sizeof *a);
  for (int i = 0; i < size; i++) a[i] = x * i;
  int *copy = calloc(size, sizeof *copy);
  memcpy(copy, a, size * sizeof *a);
  result = copy[size - 1] == 21 ? 1 : copy[size / 2] < -100 ? 2 : 3;
  free(a);
  free(copy);
  return result;
}

int flags(_Bool a, _Bool b, int n) {
  _Bool c = a && n > 3, d = c || !b;
  int mask = (c << 1) | d;
  if (mask == 3) return n == 17;
  return (n ^ mask) & 4 ? 2 : d != c ? 3 : 4;
}

double mathematics(double x, double y) {
  if (sqrt(x * x + y * y) < 1.0) return 1;
  if (fmod(x, 3.0) > 2.5 || rint(y) == 4.0) return 2;
  if (copysign(1.0, y) < 0 && fmax(x, y) > 7) return 3;
  return sin(x) > 0.99 ? 4 : trunc(y) == y ? 5 : 6;
}

int casts(double x, long long n, unsigned u) {
  if ((int)x == 42) return 1;
  if ((float)x == x && x != 0 && x == x) return 2;
  if ((double)n == 9007199254740993.0) return 3;
  return (long long)(x * 1e3) > n ? 4 : (double)u > x ? 5 : 6;
}

int words(const char text[5]) {
  int n = 0, sign = 1;
  const char *p = text;
  if (*p == '-') sign = -1, p++;
  while (p < text + 5 && *p >= '0' && *p <= '9') n = 10 * n + (*p++ - '0');
  if (sign * n == -42) return 1;
  return p == text ? 2 : n > 500 ? 3 : 4;
}

int classes(double x, float y) {
  if (__builtin_isfpclass(x, 0x03c)) return __builtin_isfpclass(x, 0x010) ? 1 : 2;
  if (__builtin_isfpclass(x, 0x3c0)) return isnormal(x) ? 3 : 4;
  if (signbit(x)) return 5;
  return isinf(y) ? 6 : isfinite(y) && signbit(y) ? 7 : y != y ? 8 : 9;
}

int rarely_long(double x, int n) {
  if (n == 12345) return (long double)x * 3.0L > 1.0L;
  int (*function)(int) = n > 0 ? twice : NULL;
  if (function == NULL) return x > 0 ? 1 : 2;
  return function(n & 7) == 6 ? 3 : 4;
}

int endless(int n) {
  int turns = 0;
  while (n != 1 && turns < 40) n = n & 1 ? 3 * n + 1 : n / 2, turns++;
  return turns >= 40 ? 1 : turns > 20 ? 2 : 3;
}

int borders(double x, int n, unsigned u) {
  if (x < 2.5) return x <= -1.0 ? 1 : 2;
  if (n < 10 && u / 3 <= 7u) return 3;
  return u >> 28 > 8u ? 4 : x > 1e300 ? 5 : 6;
}
