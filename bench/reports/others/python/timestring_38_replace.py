"""https://github.com/codecov/timestring/issues/38

Only the year of today's date is exchanged, and 29 February is no day of most years:
reported(datetime.date(2016, 2, 29), 2018).
"""

import calendar
import datetime


def reported(today: datetime.date, year: int) -> datetime.date:
    if year < 0 or year > 9999:
        raise ValueError("no such year")
    if year < 100:
        year += 2000 if year <= 40 else 1900
    if year == today.year:
        return today
    return today.replace(year=year)  # fault: ValueError


def mended(today: datetime.date, year: int) -> datetime.date:
    if year < 0 or year > 9999:
        raise ValueError("no such year")
    if year < 100:
        year += 2000 if year <= 40 else 1900
    if year == today.year:
        return today
    if today.month == 2 and today.day == 29 and not calendar.isleap(year):
        return today.replace(year=year, day=28)
    return today.replace(year=year)
