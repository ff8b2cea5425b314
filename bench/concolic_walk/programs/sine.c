/* The sine by the bits of its argument: what is special is told by the exponent, the rest is reduced by multiples of a
   quarter turn, and Taylor's polynomial does the rest. Beyond 2^53 the result is 0. */
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LARGEST = 2047, BIAS = 1023, MANTISSA = 52 };

static const double sixth = 1.0 / 6.0, two_over_pi = 0.6366197723675814, half_pi = 1.5707963267948966;
/* pi / 2 in three parts; a multiple of the first ones is exact. */
static const double part_1 = 0x1.921fb544p+0, part_2 = 0x1.0b4611a6p-34, part_3 = 0x1.3198a2e037073p-69;
static const double two_52 = 4503599627370496.0;

static int64_t bits_of(double x) {
  int64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double polynomial(double x) {
  double s = x * x;
  double sum = -1.0 / 121645100408832000.0;
  sum = sum * s + 1.0 / 355687428096000.0;
  sum = sum * s - 1.0 / 1307674368000.0;
  sum = sum * s + 1.0 / 6227020800.0;
  sum = sum * s - 1.0 / 39916800.0;
  sum = sum * s + 1.0 / 362880.0;
  sum = sum * s - 1.0 / 5040.0;
  sum = sum * s + 1.0 / 120.0;
  sum = sum * s - sixth;
  return x + x * s * sum;
}

double sine(double x) {
  int64_t bits = bits_of(x);
  int negative = bits >> 63 & 1, exponent = bits >> 52 & 0x7FF;
  int low = (int32_t)bits, high = bits >> 31 & 0xFFFFF;
  int quadrant = 0;
  if (exponent == LARGEST) {
    if (high > 0 || low > 0) return x; /* not a number */
    return NAN;
  }
  if (exponent == 0) {
    if (high > 0 || low > 0) return x; /* subnormal */
    return x;
  }
  if (exponent <= BIAS - MANTISSA - 2) return x;
  if (exponent <= BIAS - MANTISSA / 4) return x * (1.0 - x * x * sixth);
  if (negative == 1) x = -x;
  if (exponent < BIAS) {
    quadrant = 0;
  } else if (exponent <= BIAS + MANTISSA) {
    double turns = floor(x * two_over_pi + 0.5);
    quadrant = bits_of(turns + two_52) & 3;
    x = ((x - turns * part_1) - turns * part_2) - turns * part_3;
  } else {
    return 0.0;
  }
  switch (quadrant) { /* never default: two bits */
    case 0: break;
    case 1: x = half_pi - x; break;
    case 2: x = -x; break;
    case 3: x = x - half_pi; break;
  }
  if (x < 0.0) {
    x = -x;
    negative = 1 - negative;
  }
  if (x > 1e-4) x = polynomial(x);
  if (negative == 1) x = -x;
  return x;
}
