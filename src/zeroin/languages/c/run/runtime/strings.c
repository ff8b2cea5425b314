/* The difference of two strings, for probes of conditions on strcmp() and similar functions. Included by guards.c. */
#include <ctype.h>

enum { UP_TO_NUL = 1, FOLDED = 2, LONGEST = 1 << 12 };

/* 0 for equal strings, else a number with the sign of the C function's result. It is closer to 0 the longer the common
 * prefix is, and the less the next bytes differ. It reads no more memory than the C function. */
int64_t zeroin_difference(const unsigned char *one, const unsigned char *other, uint64_t most, int64_t how) {
  for (uint64_t i = 0; i < most; i++) {
    int a = how & FOLDED ? tolower(one[i]) : one[i], b = how & FOLDED ? tolower(other[i]) : other[i];
    if (a != b) {
      int64_t left = i < LONGEST ? LONGEST - (int64_t)i : 0;
      return a < b ? a - b - 256 * left : a - b + 256 * left;
    }
    if (!a && (how & UP_TO_NUL)) break;
  }
  return 0;
}
