/* https://github.com/Exiv2/exiv2/issues/1827

   A camera's exposure value is turned into a fraction of a second, whose
   denominator does not fit in a long for value = 17472 (2 to the 546). */
#include <math.h>

static double ev_of(int value)
{
    double sign = value < 0 ? -1.0 : 1.0;
    int whole = value < 0 ? -value : value;
    int rest = whole & 31;
    double part = rest;
    if (rest == 12)
        part = 32.0 / 3.0;
    else if (rest == 20)
        part = 64.0 / 3.0;
    return sign * (whole - rest + part) / 32.0;
}

long reported(int value)
{
    if (value < -32768 || value > 32767)
        return 0;
    double time = exp(ev_of(value) * 0.6931471805599453);
    if (time > 1.0)
        return (long)(time + 0.5); /* fault: cast */
    return 1;
}

long mended(int value)
{
    if (value < -32768 || value > 32767)
        return 0;
    double time = exp(ev_of(value) * 0.6931471805599453);
    if (time >= 2147483647.0)
        return 2147483647;
    if (time > 1.0)
        return (long)(time + 0.5);
    return 1;
}
