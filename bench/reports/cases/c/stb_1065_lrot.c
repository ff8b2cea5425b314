/* https://github.com/nothings/stb/issues/1065

   The JPEG decoder rotates its 32-bit code buffer by the number of wanted bits;
   when none are wanted it shifts by 32 places: n = 0, with any buffer. */
#include <stdint.h>

static uint32_t rotate(uint32_t x, int n)
{
    return (x << n) | (x >> (32 - n)); /* fault: shift */
}

int reported(uint32_t buffer, int n)
{
    if (n < 0 || n > 16)
        return 0;
    uint32_t bits = rotate(buffer, n) & ((1u << n) - 1u);
    int value = (int)bits;
    if (buffer >> 31 == 0)
        value += 1 - (1 << n);
    return value;
}

int mended(uint32_t buffer, int n)
{
    if (n <= 0 || n > 16)
        return 0;
    uint32_t bits = buffer >> (32 - n);
    int value = (int)bits;
    if (buffer >> 31 == 0)
        value += 1 - (1 << n);
    return value;
}
