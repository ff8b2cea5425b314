/* Dates and day counts of the bond desk. */
#include <stdbool.h>

struct date {
    int year;  /* 1900 to 2199 */
    int month; /* 1 to 12 */
    int day;   /* 1 to the last of the month */
};

enum convention { ACT_365, THIRTY_360_US, THIRTY_E_360 };

static bool is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int days_in_month(int year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static bool is_valid(struct date d)
{
    return d.year >= 1900 && d.year <= 2199 && d.month >= 1 && d.month <= 12 && d.day >= 1
        && d.day <= days_in_month(d.year, d.month);
}

static long day_number(struct date d)
{
    int y = d.month > 2 ? d.year : d.year - 1;
    int m = d.month > 2 ? d.month - 3 : d.month + 9;
    return 365L * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + d.day - 1;
}

/* Days from `from` to `to` by the convention; -1 if a date is no date, or `to` is before `from`. */
long day_count(struct date from, struct date to, enum convention convention)
{
    if (!is_valid(from) || !is_valid(to))
        return -1;
    if (day_number(to) < day_number(from))
        return -1;

    int d1 = from.day, d2 = to.day;
    switch (convention) {
    case ACT_365:
        return day_number(to) - day_number(from);
    case THIRTY_360_US:
        if (d1 == 31)
            d1 = 30;
        if (d2 == 31 && d1 == 30)
            d2 = 30;
        break;
    case THIRTY_E_360:
        if (d1 == 31)
            d1 = 30;
        if (d2 == 31)
            d2 = 30;
        break;
    }
    return 360L * (to.year - from.year) + 30L * (to.month - from.month) + (d2 - d1);
}
