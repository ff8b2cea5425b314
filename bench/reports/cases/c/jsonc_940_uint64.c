/* https://github.com/json-c/json-c/pull/940

   The double is compared with UINT64_MAX, which rounds up to 2^64 as a
   double, so exactly 18446744073709551616.0 passes the check and is cast. */
#include <stdint.h>

uint64_t reported(double d)
{
    if (d != d)
        return 0;
    if (d < 0.0)
        return 0;
    if (d > (double)UINT64_MAX)
        return UINT64_MAX;
    return (uint64_t)d; /* fault: cast */
}

uint64_t mended(double d)
{
    if (!(d > 0.0))
        return 0;
    if (d >= 18446744073709551616.0)
        return UINT64_MAX;
    return (uint64_t)d;
}
