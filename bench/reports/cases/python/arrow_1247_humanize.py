"""https://github.com/arrow-py/arrow/pull/1247

Almost 31 days within one month are too long for the weeks and no full month, so
that they are called a year:
reported(datetime.datetime(2023, 1, 1), datetime.datetime(2023, 1, 31, 14)).
"""

import datetime

_DAY = 86400.0


def _full_months(start: datetime.datetime, end: datetime.datetime) -> int:
    months = (end.year - start.year) * 12 + end.month - start.month
    if (end.day, end.time()) < (start.day, start.time()):
        months -= 1
    return months


def reported(start: datetime.datetime, end: datetime.datetime) -> str:
    start, end = start.replace(tzinfo=None), end.replace(tzinfo=None)
    if end < start:
        start, end = end, start
    seconds = (end - start).total_seconds()
    months = _full_months(start, end)
    if seconds < 7 * _DAY:
        return f"{int(seconds // _DAY)} days"
    if months < 1 and seconds < 30.5 * _DAY:
        return f"{int(seconds // (7 * _DAY))} weeks"
    if months >= 1 and seconds < 365 * _DAY:
        return f"{months} months"
    if months < 1:  # fault: branch
        return "1 years"
    return f"{max(1, months // 12)} years"


def mended(start: datetime.datetime, end: datetime.datetime) -> str:
    start, end = start.replace(tzinfo=None), end.replace(tzinfo=None)
    if end < start:
        start, end = end, start
    seconds = (end - start).total_seconds()
    months = _full_months(start, end)
    if seconds < 7 * _DAY:
        return f"{int(seconds // _DAY)} days"
    if months < 1 and seconds < 30.5 * _DAY:
        return f"{int(seconds // (7 * _DAY))} weeks"
    if seconds < 365 * _DAY:
        return f"{max(1, months)} months"
    return f"{max(1, months // 12)} years"
