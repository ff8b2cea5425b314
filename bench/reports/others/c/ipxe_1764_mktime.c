/* https://github.com/ipxe/ipxe/pull/1764

   The month of a broken-down time is an index into a table, though the standard
   admits months outside of 0 to 11: year = 2026, month = 12, day = 1. */
#include <stdint.h>

static const int before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int64_t reported(int year, int month, int day)
{
    if (year < 1970 || year > 9999)
        return -1;
    int64_t past = year - 1;
    int64_t days = 365 * (past - 1969) + (past / 4 - 492) - (past / 100 - 19) + (past / 400 - 4);
    days += before[month]; /* fault: bounds */
    if (month > 1 && is_leap(year))
        days++;
    return (days + day - 1) * 86400;
}

int64_t mended(int year, int month, int day)
{
    if (year < 1970 || year > 9999)
        return -1;
    year += month / 12;
    month %= 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    if (year < 1970 || year > 9999)
        return -1;
    int64_t past = year - 1;
    int64_t days = 365 * (past - 1969) + (past / 4 - 492) - (past / 100 - 19) + (past / 400 - 4);
    days += before[month];
    if (month > 1 && is_leap(year))
        days++;
    return (days + day - 1) * 86400;
}
