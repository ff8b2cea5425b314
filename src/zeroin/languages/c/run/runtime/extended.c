/* The difference of two long doubles, for the probe of their comparison. Included by guards.c. */

static __int128 place_of(long double x) {
  uint64_t mantissa;
  uint16_t rest;
  memcpy(&mantissa, &x, 8);
  memcpy(&rest, (const char *)&x + 8, 2);
  __int128 size = ((__int128)(rest & 0x7fff) << 63) | (mantissa & INT64_MAX);
  return rest >> 15 ? -1 - size : size;
}

/* a - b in ULP. Beyond NEARBY it is counted in units of NEARBY ULP, so that it fits 64 bits. `unordered`: for NaN. */
int64_t zeroin_apart(long double a, long double b, int64_t unordered) {
  enum { BITS = 17, NEARBY = 1 << BITS };
  if (a != a || b != b) return unordered;
  if (a == b) return 0;
  __int128 apart = place_of(a) - place_of(b), size = apart < 0 ? -apart : apart;
  if (size > NEARBY) size = NEARBY + ((size - NEARBY) >> BITS);
  return (int64_t)(apart < 0 ? -size : size);
}
