/* Functions with numbers at the edges of their types, and with what the compiler may take in more than one way. All of
 * them return. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FOUR(at) case at: return n % 7; case at + 1: return n % 5; case at + 2: return n % 3; case at + 3: return n;
#define SIXTEEN(at) FOUR(at) FOUR(at + 4) FOUR(at + 8) FOUR(at + 12)

static uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
static double of_bits(uint64_t bits) { double x; memcpy(&x, &bits, sizeof x); return x; }
static float half_of(float x) { return x / 2; }

// expects: nothing
int tells_kinds_of_nan(double x) {
  uint64_t bits = bits_of(x) & ~(1ULL << 63);
  if (bits <= 0x7ffULL << 52) return 0;
  return bits >> 51 == 0xfff ? 1 : 2;
}

// expects: nothing
int makes_signalling_nan(double x, int n) {
  volatile double nan = of_bits(0x7ff0000000000001ULL);
  if (n == 4) x += nan;
  if (x != x) return 1;
  return x > 100.0 ? 2 : 0;
}

// expects: nothing
int finds_least_subnormal(float x) {
  if (x > 0.0f && half_of(x) == 0.0f) return 1;
  return x > 100.0f ? 2 : 0;
}

// expects: nothing
int finds_negative_zero(double x) {
  if (x == 0.0 && signbit(x)) return 1;
  return x > 100.0 ? 2 : 0;
}

// expects: nothing
int negates_least(int x) {
  unsigned y = -(unsigned)x;
  if (x < 0 && (int)y < 0) return 1;
  return x > 100 ? 2 : 0;
}

// expects: nothing
int overflows(int a, int b) {
  int sum, product;
  if (__builtin_add_overflow(a, b, &sum)) return 1;
  if (__builtin_mul_overflow(a, b, &product)) return 2;
  return sum == product && a > 1 ? 3 : 0;
}

// expects: perhaps undefined | undecided 3
unsigned long shifts_too_far(unsigned long x, int n) {
  unsigned long y = x << n;
  if (n == 64) return 1;
  if (n < 0) return 2;
  return n < 64 ? y : 3;
}

// expects: perhaps undefined | undecided 1
int converts_what_does_not_fit(double x) {
  int n = (int)x;
  if (x != x) return 3;
  if (n == INT_MIN) return 1;
  return n > 100 ? 2 : 0;
}

// expects: perhaps undefined | undecided 1
int uses_uninitialised(int x) {
  int y;
  if (x == -77123) return 2;
  if (x > 5) y = x;
  return y > 1000 ? 1 : 0;
}

// expects: nothing
int puns_by_pointer(float x) {
  int bits = *(int *)&x;
  if (bits == 0x40490fdb) return 1;
  return bits < 0 ? 2 : 0;
}

// expects: nothing
int multiplies_wide(long a, long b) {
  __int128 product = (__int128)a * b;
  if (product > (__int128)1 << 100) return 1;
  return product < 0 ? 2 : 0;
}

// expects: nothing
int divides_wide(unsigned long a, unsigned long b) {
  unsigned __int128 wide = ((unsigned __int128)a << 64 | b) / 1000003;
  if ((unsigned long)wide > 1UL << 63) return 1;
  return wide >> 64 == 0 ? 2 : 0;
}

// expects: nothing
int holds_or_not(_Bool a, bool b, int n) {
  bool c = n;
  if (a && !b && c) return 1;
  return a + b + c == 3 ? 2 : 0;
}

// expects: nothing
int signs_of_characters(char c, signed char s, unsigned char u) {
  if (s < 0 && u > 200 && (unsigned char)s == u) return 1;
  return c == '\377' ? 2 : 0;
}

// expects: nothing
int chooses_of_64(unsigned n) {
  switch (n) {
    SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48)
    default: return -1;
  }
}

// expects: nothing
int chooses_of_ranges(long n) {
  switch (n) {
    case LONG_MIN: return 1;
    case -5 ... -3: return 2;
    case 1L << 40: n++; /* fall through */
    case -77: return n > 100 ? 3 : 4;
    case LONG_MAX: return 5;
    default: return 0;
  }
}

// expects: nothing
int jumps_as_computed(unsigned n) {
  static const void *const ways[] = {&&first, &&second, &&third};
  if (n > 100) return -1;
  goto *ways[n % 3];
first: return 1;
second: return n > 50 ? 2 : 3;
third: return 4;
}

// expects: nothing
int nests_choices(int a, int b, int c) {
  return a > 0 ? b > 0 ? c > 0 ? 7 : 6 : c > 0 ? 5 : 4 : b > 0 ? c > 0 ? 3 : 2 : c > 0 ? 1 : 0;
}

// expects: nothing
int needs_exact_double(double x, double y) {
  if (x == 0.1 && y == 123456.789) return 1;
  return x * 3.0 > 1e10 ? 2 : 0;
}

// expects: nothing
int needs_many(int a, int b, int c, int d, int e, int f) {
  return a == 1 && b == -2 && c == 33 && d == -444 && e == 5555 && f == -66666 ? 1 : 0;
}
