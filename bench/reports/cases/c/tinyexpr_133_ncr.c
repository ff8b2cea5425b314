/* https://github.com/codeplea/tinyexpr/issues/133

   The number of combinations is computed with unsigned integers; n = NaN (or
   r = NaN), as from (1/0)-(1/0), is false in every comparison and is cast. */
#include <limits.h>

static unsigned int whole(double v)
{
    return (unsigned int)v; /* fault: cast */
}

double reported(double n, double r)
{
    if (n < 0.0 || r < 0.0 || n < r)
        return 0.0;
    if (n > UINT_MAX)
        return 0.0;
    unsigned int un = whole(n);
    unsigned int ur = whole(r);
    if (ur > un)
        return 0.0;
    if (ur > un / 2)
        ur = un - ur;
    unsigned long long result = 1;
    for (unsigned int i = 1; i <= ur; i++) {
        unsigned long long next = un - ur + i;
        if (result > ULLONG_MAX / next)
            return 0.0;
        result = result * next / i;
    }
    return (double)result;
}

double mended(double n, double r)
{
    if (!(n >= 0.0) || !(r >= 0.0) || n < r)
        return 0.0;
    if (n > UINT_MAX)
        return 0.0;
    unsigned int un = (unsigned int)n;
    unsigned int ur = (unsigned int)r;
    if (ur > un)
        return 0.0;
    if (ur > un / 2)
        ur = un - ur;
    unsigned long long result = 1;
    for (unsigned int i = 1; i <= ur; i++) {
        unsigned long long next = un - ur + i;
        if (result > ULLONG_MAX / next)
            return 0.0;
        result = result * next / i;
    }
    return (double)result;
}
