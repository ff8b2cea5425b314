/* Collisions of a class's hash code, made of an int, a long and an int as the Java manuals say: 31 times what is there,
   plus the next field's; a long's is the exclusive or of its halves. */
#include <stdint.h>

static int32_t hash(int32_t x, int64_t y, int32_t z) {
  return (x * 31 + (int32_t)(y ^ (int64_t)((uint64_t)y >> 32))) * 31 + z;
}

static const int64_t pi_e123 = 0x599302703BDE2182; /* the bits of 3.14159e123 */

int hash_1(int32_t x1, int64_t y1, int32_t z1, int32_t x2, int64_t y2, int32_t z2) {
  if (hash(x1, y1, z1) == hash(x2, y2, z2)) return 1; /* target */
  return 0;
}

int hash_2(int64_t y1, int32_t z1, int64_t y2, int32_t z2) {
  if (hash(1, y1, z1) == hash(2, y2, z2)) return 1; /* target */
  return 0;
}

int hash_3(int64_t y1, int64_t y2) {
  if (hash(1234, y1, 3141) == hash(5678, y2, 3141)) return 1; /* target */
  return 0;
}

int hash_4(int32_t x1, int64_t y1, int32_t z1) {
  if (hash(1234, pi_e123, 3141) == hash(x1, y1, z1)) return 1; /* target */
  return 0;
}

int hash_5(int64_t y1, int32_t z1) {
  if (hash(1234, pi_e123, 3141) == hash(5678, y1, z1)) return 1; /* target */
  return 0;
}
