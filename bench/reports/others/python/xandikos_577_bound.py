"""https://github.com/jelmer/xandikos/pull/577

The end of a range of days is moved by one day to include it, though it may be the last day of the calendar:
reported(datetime.date(2026, 1, 1), 7, datetime.date(9999, 12, 31)).
"""

import datetime


def reported(first: datetime.date, interval: int, end: datetime.date) -> int:
    if not 1 <= interval <= 366:
        raise ValueError("no such interval")
    if end < first:
        return 0
    behind = end + datetime.timedelta(days=1)  # fault: OverflowError
    count = 0
    here = first.toordinal()
    while here < behind.toordinal() and count < 3000:
        count += 1
        here += interval
    return count


def mended(first: datetime.date, interval: int, end: datetime.date) -> int:
    if not 1 <= interval <= 366:
        raise ValueError("no such interval")
    if end < first:
        return 0
    count = 0
    here = first.toordinal()
    while here <= end.toordinal() and count < 3000:
        count += 1
        here += interval
    return count
