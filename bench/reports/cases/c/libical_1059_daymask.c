/* https://github.com/libical/libical/pull/1059

   The mask of the days of a recurrence is shifted by the number of the day,
   also when it is negative and counts from the end: day = -4, length = 31. */
#include <stdint.h>

int reported(uint64_t mask, int day, int length)
{
    if (length < 28 || length > 31)
        return 0;
    if (day == 0 || day > length)
        return 0;
    return (int)((mask >> (day % 64)) & 1u); /* fault: shift */
}

int mended(uint64_t mask, int day, int length)
{
    if (length < 28 || length > 31)
        return 0;
    if (day == 0 || day > length || day < -length)
        return 0;
    if (day < 0)
        day += length + 1;
    return (int)((mask >> day) & 1u);
}
