/* https://github.com/betaflight/betaflight/pull/7447

   The cutoff of the battery filter is one over a period in tenths of a second,
   divided by ten as an integer; period = 5 (with enabled = 1) divides by 0. */
#include <stdint.h>

int reported(uint8_t period, int enabled)
{
    if (!enabled)
        return 0;
    if (period == 0)
        return 0;
    return 1000 / (period / 10); /* fault: divzero */
}

int mended(uint8_t period, int enabled)
{
    if (!enabled)
        return 0;
    if (period == 0)
        return 0;
    return 10000 / period;
}
