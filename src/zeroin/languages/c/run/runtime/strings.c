/* How two strings differ, for the probe behind strcmp() and its relatives: a part of guards.c, which includes it. */
#include <ctype.h>

enum { UP_TO_NUL = 1, FOLDED = 2, LONGEST = 1 << 12 };

/* 0 for none, else of the sign that the C library's function returns; nearer to 0 the later they differ, and the less.
 * It reads no further than that function has. */
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
