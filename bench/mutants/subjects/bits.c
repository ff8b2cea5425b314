/* Integers, bit by bit. */
#include <stdint.h>

/* The largest r with r * r <= x. */
uint32_t isqrt32(uint32_t x)
{
    uint32_t root = 0;
    uint32_t bit = 1u << 30;
    while (bit > x)
        bit >>= 2;
    while (bit != 0) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
        bit >>= 2;
    }
    return root;
}

/* Two packed decimal digits, 0x42 for 42; -1 if one is no digit. */
int bcd_decode(uint8_t bcd)
{
    int tens = bcd >> 4;
    int ones = bcd & 0x0F;
    if (tens > 9 || ones > 9)
        return -1;
    return 10 * tens + ones;
}

/* Q16.16 quotient, saturated; the largest value of the sign of a where b is 0. */
int32_t q16_div(int32_t a, int32_t b)
{
    if (b == 0)
        return a < 0 ? INT32_MIN : INT32_MAX;
    int64_t quotient = (int64_t)a * 65536 / b;
    if (quotient > INT32_MAX)
        return INT32_MAX;
    if (quotient < INT32_MIN)
        return INT32_MIN;
    return (int32_t)quotient;
}

/* Mirrors the bits of a byte. */
uint8_t reverse_bits8(uint8_t x)
{
    x = (uint8_t)((x & 0xF0) >> 4 | (x & 0x0F) << 4);
    x = (uint8_t)((x & 0xCC) >> 2 | (x & 0x33) << 2);
    x = (uint8_t)((x & 0xAA) >> 1 | (x & 0x55) << 1);
    return x;
}
