/* https://github.com/DataDog/ddprof/pull/54

   The numbers of a Collatz sequence climb far above the first one, and three
   times an int is computed in an int: start = 827370449. */
#include <stdint.h>

int reported(int start, int most)
{
    int steps = 0;
    int n = start;
    if (start < 1)
        return -1;
    if (most > 2000)
        most = 2000;
    while (n != 1 && steps < most) {
        if (n % 2 == 0)
            n /= 2;
        else
            n = 3 * n + 1; /* fault: intoverflow */
        steps++;
    }
    return steps;
}

int mended(int start, int most)
{
    int steps = 0;
    int64_t n = start;
    if (start < 1)
        return -1;
    if (most > 2000)
        most = 2000;
    while (n != 1 && steps < most) {
        if (n % 2 == 0)
            n /= 2;
        else if (n > (INT64_MAX - 1) / 3)
            return -1;
        else
            n = 3 * n + 1;
        steps++;
    }
    return steps;
}
