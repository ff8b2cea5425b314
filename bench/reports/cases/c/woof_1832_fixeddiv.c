/* https://github.com/fabiangreffrath/woof/pull/1832

   A fixed-point division looks for an overflow by absolute values, but the
   absolute value of a = INT_MIN (with b = 1, say) does not exist. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

int reported(int a, int b)
{
    if (b == 0)
        return a < 0 ? INT_MIN : INT_MAX;
    if ((abs(a) >> 14) >= abs(b)) /* fault: intoverflow */
        return (a ^ b) < 0 ? INT_MIN : INT_MAX;
    return (int)((int64_t)a * 65536 / b);
}

int mended(int a, int b)
{
    if (b == 0)
        return a < 0 ? INT_MIN : INT_MAX;
    int64_t size_a = a < 0 ? -(int64_t)a : a;
    int64_t size_b = b < 0 ? -(int64_t)b : b;
    if ((size_a >> 14) >= size_b)
        return (a ^ b) < 0 ? INT_MIN : INT_MAX;
    return (int)((int64_t)a * 65536 / b);
}
