"""https://github.com/bear/parsedatetime/issues/39

A part of an identifier is read as so many days from now, which leave the calendar: reported(8786248508, "d").
"""

import datetime

START = datetime.datetime(2014, 4, 30, 12, 0)


def reported(quantity: int, unit: str) -> datetime.datetime:
    if unit in ("d", "day", "days"):
        return START + datetime.timedelta(days=quantity)  # fault: OverflowError
    if unit in ("w", "week", "weeks"):
        if abs(quantity) > 10000:
            raise ValueError("too many weeks")
        return START + datetime.timedelta(weeks=quantity)
    if unit in ("h", "hour", "hours"):
        if abs(quantity) > 1000000:
            raise ValueError("too many hours")
        return START + datetime.timedelta(hours=quantity)
    raise ValueError("no such unit")


def mended(quantity: int, unit: str) -> datetime.datetime:
    if unit in ("d", "day", "days"):
        if abs(quantity) > 100000:
            raise ValueError("too many days")
        return START + datetime.timedelta(days=quantity)
    if unit in ("w", "week", "weeks"):
        if abs(quantity) > 10000:
            raise ValueError("too many weeks")
        return START + datetime.timedelta(weeks=quantity)
    if unit in ("h", "hour", "hours"):
        if abs(quantity) > 1000000:
            raise ValueError("too many hours")
        return START + datetime.timedelta(hours=quantity)
    raise ValueError("no such unit")
