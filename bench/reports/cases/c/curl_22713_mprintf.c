/* https://github.com/curl/curl/pull/22713

   The width of a printed number is counted by dividing by ten; infinity
   divided by ten stays infinity: value = INFINITY (with precision = 6, say). */
#include <math.h>

int reported(double value, int precision)
{
    unsigned int width = 1;
    if (precision < 0 || precision > 100)
        precision = 6;
    if (value < 0.0) {
        value = -value;
        width++;
    }
    while (value >= 10.0) { /* fault: hang */
        value /= 10.0;
        width++;
    }
    return (int)width + precision;
}

int mended(double value, int precision)
{
    int width = 1;
    if (precision < 0 || precision > 100)
        precision = 6;
    if (value < 0.0) {
        value = -value;
        width++;
    }
    if (isinf(value))
        return width + 2;
    while (value >= 10.0) {
        value /= 10.0;
        width++;
    }
    return width + precision;
}
