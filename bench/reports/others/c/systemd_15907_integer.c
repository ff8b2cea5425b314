/* https://github.com/systemd/systemd/issues/15907

   Whether a number of a JSON text is an integer is verified by a cast there and
   back, which is undefined for numbers such as 7e73. */
#include <math.h>
#include <stdint.h>

enum { REAL, SIGNED, UNSIGNED };

int reported(double value)
{
    if (isnan(value) || isinf(value))
        return REAL;
    if (value == 0.0)
        return SIGNED;
    if ((double)(int64_t)value == value) /* fault: cast */
        return SIGNED;
    if (value > 0.0 && (double)(uint64_t)value == value)
        return UNSIGNED;
    return REAL;
}

int mended(double value)
{
    if (isnan(value) || isinf(value))
        return REAL;
    if (value != trunc(value))
        return REAL;
    if (value >= -0x1p63 && value < 0x1p63)
        return SIGNED;
    if (value > 0.0 && value < 0x1p64)
        return UNSIGNED;
    return REAL;
}
