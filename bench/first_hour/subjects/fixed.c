/* Fixed point and saturating arithmetic. */
#include <limits.h>
#include <stdint.h>

typedef int16_t q15_t;

#define Q15_ONE 32768
#define Q15_MAX 32767
#define Q15_MIN (-32768)

static q15_t saturate_q15(int32_t x)
{
    if (x > Q15_MAX)
        return Q15_MAX;
    if (x < Q15_MIN)
        return Q15_MIN;
    return (q15_t)x;
}

/* Product, rounded half up and saturated: -1 times -1 is the largest there is. */
q15_t q15_mul(q15_t a, q15_t b)
{
    int32_t product = (int32_t)a * b;
    return saturate_q15((product + (1 << 14)) >> 15);
}

/* Quotient of magnitudes below one; saturates where |a| >= |b|. b must not be 0. */
q15_t q15_div(q15_t a, q15_t b)
{
    int32_t numerator = (int32_t)a * Q15_ONE;
    int32_t quotient = numerator / b;
    return saturate_q15(quotient);
}

int32_t sat_add_i32(int32_t a, int32_t b)
{
    if (b > 0 && a > INT32_MAX - b)
        return INT32_MAX;
    if (b < 0 && a < INT32_MIN - b)
        return INT32_MIN;
    return a + b;
}

/* Leading zeros; 32 for zero. */
int clz32(uint32_t x)
{
    int n = 0;
    if (x == 0)
        return 32;
    if ((x & 0xFFFF0000u) == 0) {
        n += 16;
        x <<= 16;
    }
    if ((x & 0xFF000000u) == 0) {
        n += 8;
        x <<= 8;
    }
    if ((x & 0xF0000000u) == 0) {
        n += 4;
        x <<= 4;
    }
    if ((x & 0xC0000000u) == 0) {
        n += 2;
        x <<= 2;
    }
    if ((x & 0x80000000u) == 0)
        n += 1;
    return n;
}
