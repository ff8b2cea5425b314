"""https://github.com/beancount/fava/issues/911

With a fiscal year that ends on 28 February, the next one starts on 29 February
in a leap year, and moving that day on by a year gives no date:
reported(2016, 2, 28).
"""

import calendar
import datetime


def reported(year: int, month: int, day: int) -> tuple[datetime.date, datetime.date]:
    if year < 1 or year > 9990:
        raise ValueError("year out of range")
    if month < 1 or month > 12:
        raise ValueError("month out of range")
    if day < 1 or day > calendar.monthrange(2001, month)[1]:
        raise ValueError("day out of range")
    if month == 12 and day == 31:
        return datetime.date(year + 1, 1, 1), datetime.date(year + 2, 1, 1)
    start = datetime.date(year, month, day) + datetime.timedelta(days=1)
    end = start.replace(year=start.year + 1)  # fault: ValueError
    return start, end


def _after(year: int, month: int, day: int) -> datetime.date:
    following = datetime.date(year, month, day) + datetime.timedelta(days=1)
    if following.month == 2 and following.day == 29:
        return datetime.date(year, 3, 1)
    return following


def mended(year: int, month: int, day: int) -> tuple[datetime.date, datetime.date]:
    if year < 1 or year > 9990:
        raise ValueError("year out of range")
    if month < 1 or month > 12:
        raise ValueError("month out of range")
    if day < 1 or day > calendar.monthrange(2001, month)[1]:
        raise ValueError("day out of range")
    start = _after(year, month, day)
    end = _after(year + 1, month, day)
    return start, end
