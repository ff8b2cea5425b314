/* https://github.com/staticlibs/ccronexpr/issues/32

   The search for the last 29 February before a day begins the same month again
   if the year has none, and never ends: from 2021-12-07, wanted 2 and 29. */

static const int longest[13] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static int length(int year, int month)
{
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && !leap ? 28 : longest[month];
}

int reported(int year, int month, int day, int wanted_month, int wanted_day)
{
    if (year < 1970 || year > 9999 || month < 1 || month > 12)
        return -1;
    if (day < 1 || day > length(year, month))
        return -1;
    if (wanted_month < 1 || wanted_month > 12 || wanted_day < 1 || wanted_day > longest[wanted_month])
        return -1;
    for (;;) { /* fault: hang */
        while (month != wanted_month) {
            if (--month == 0) {
                month = 12;
                year--;
            }
            day = length(year, month);
        }
        while (day > 0 && day != wanted_day)
            day--;
        if (day > 0)
            return year * 10000 + month * 100 + day;
        day = length(year, month);
    }
}

int mended(int year, int month, int day, int wanted_month, int wanted_day)
{
    if (year < 1970 || year > 9999 || month < 1 || month > 12)
        return -1;
    if (day < 1 || day > length(year, month))
        return -1;
    if (wanted_month < 1 || wanted_month > 12 || wanted_day < 1 || wanted_day > longest[wanted_month])
        return -1;
    if (month < wanted_month || (month == wanted_month && day < wanted_day))
        year--;
    while (wanted_day > length(year, wanted_month))
        year--;
    return year * 10000 + wanted_month * 100 + wanted_day;
}
