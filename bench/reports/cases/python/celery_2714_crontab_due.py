"""https://github.com/celery/celery/issues/2714

A crontab for a day that its month never has (31 April) looks for the next year
with that day for ever: reported(31, 4, 2015) never returns.
"""


def _month_length(year: int, month: int) -> int:
    if month == 2:
        leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if leap else 28
    if month in (4, 6, 9, 11):
        return 30
    return 31


def reported(day: int, month: int, year: int) -> int:
    if month < 1 or month > 12:
        raise ValueError("month of year out of range")
    if day < 1 or day > 31:
        raise ValueError("day of month out of range")
    if year < 1 or year > 9999:
        raise ValueError("year out of range")
    due = year
    while day > _month_length(due, month):  # fault: hang
        due += 1
    return due


def mended(day: int, month: int, year: int) -> int:
    if month < 1 or month > 12:
        raise ValueError("month of year out of range")
    if day < 1 or day > _month_length(2000, month):
        raise ValueError("this month never has that day")
    if year < 1 or year > 9999:
        raise ValueError("year out of range")
    for due in range(year, year + 9):
        if day <= _month_length(due, month):
            return due
    raise ValueError("no year has that day")
