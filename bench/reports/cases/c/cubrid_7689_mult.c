/* https://github.com/CUBRID/cubrid/pull/7689

   A product is verified by a division of the wrapped result; a = INT_MIN and
   b = -1 make the check itself compute INT_MIN / -1, which traps. */
#include <limits.h>
#include <stdint.h>

int reported(int a, int b)
{
    if (a == 0 || b == 0)
        return 0;
    int c = (int)((unsigned int)a * (unsigned int)b);
    if (c / b != a) { /* fault: intoverflow */
        if ((a < 0) == (b < 0))
            return INT_MAX;
        return INT_MIN;
    }
    return c;
}

int mended(int a, int b)
{
    int64_t c = (int64_t)a * b;
    if (c > INT_MAX)
        return INT_MAX;
    if (c < INT_MIN)
        return INT_MIN;
    return (int)c;
}
