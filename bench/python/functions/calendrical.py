"""Dates, in the Gregorian calendar."""


def day_of_year(year: int, month: int, day: int) -> int:
    """1 to 366.

    Raises:
        ValueError: there is no such day.
    """
    if not 1 <= year <= 9999:
        raise ValueError("year")
    if month < 1 or month > 12:
        raise ValueError("month")
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if month == 2:
        last = 29 if leap else 28
    elif month in (4, 6, 9, 11):
        last = 30
    else:
        last = 31
    if not 1 <= day <= last:
        raise ValueError("day")
    before = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)[month - 1]
    if leap and month > 2:
        before += 1
    if before + day == 366:
        if year % 100 == 0:
            return -366
        return 366
    return before + day


def easter(year: int) -> str:
    """Month and day of Easter by Gauss, with the two exceptions.

    Raises:
        ValueError: the calendar is not known for the year.
    """
    if year < 1583 or year > 4099:
        raise ValueError("year")
    a, k = year % 19, year // 100
    m = (15 - (13 + 8 * k) // 25 + k - k // 4) % 30
    n = (4 + k - k // 4) % 7
    d = (19 * a + m) % 30
    e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + n) % 7
    if d == 29 and e == 6:
        return "April 19"
    if d == 28 and e == 6 and (11 * m + 11) % 30 < 19:
        return "April 18"
    day = 22 + d + e
    if day > 31:
        if day == 31 + 25:
            return "April 25, the last"
        if day > 31 + 25:
            return "never"
        return f"April {day - 31}"
    if day == 22:
        return "March 22, the first"
    return f"March {day}"


def weekday_name(year: int, month: int, day: int) -> str:
    """Zeller's congruence; takes any day number from 1 to 31."""
    if not (1900 <= year <= 2199 and 1 <= month <= 12 and 1 <= day <= 31):
        return "?"
    if month < 3:
        month += 12
        year -= 1
    century, rest = divmod(year, 100)
    weekday = (day + 13 * (month + 1) // 5 + rest + rest // 4 + century // 4 + 5 * century) % 7
    match weekday:
        case 0 | 1:
            return "weekend"
        case 6 if day == 13:
            if month == 14 and century == 20:
                return "Friday 13th of a February in this millennium"
            return "Friday 13th"
        case 7:
            return "no such remainder"
        case _:
            return "weekday"
