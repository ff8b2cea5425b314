/* https://github.com/sysprog21/tlsf-bsd/issues/7

   The class of a memory block is read from the five bits behind its highest
   one; a block of 24 bytes has only four, and the shift is negative. */
#include <stdint.h>

static unsigned int highest_bit(uint64_t x)
{
    unsigned int bit = 0;
    while (x >>= 1)
        bit++;
    return bit;
}

unsigned int reported(uint64_t size)
{
    if (size == 0 || size > ((uint64_t)1 << 38))
        return 0;
    if (size < 16)
        size = 16;
    size = (size + 7) & ~(uint64_t)7;
    unsigned int first = highest_bit(size);
    unsigned int second = (unsigned int)(size >> (first - 5)) ^ 32u; /* fault: shift */
    return first * 32 + second;
}

unsigned int mended(uint64_t size)
{
    if (size == 0 || size > ((uint64_t)1 << 38))
        return 0;
    if (size < 16)
        size = 16;
    size = (size + 7) & ~(uint64_t)7;
    if (size < 256)
        return (unsigned int)(size / 8);
    unsigned int first = highest_bit(size);
    unsigned int second = (unsigned int)(size >> (first - 5)) ^ 32u;
    return first * 32 + second;
}
