"""https://github.com/pyparsing/pyparsing/pull/647

A time whose fraction of a second is rounded up to a full second is refused,
since it gets 1000000 microseconds: reported(12, 30, 59.9999999, False).
"""

import datetime


def reported(hour: int, minute: int, second: float, cut: bool) -> datetime.time:
    if hour < 0 or hour > 23:
        raise ValueError("hour out of range")
    if minute < 0 or minute > 59:
        raise ValueError("minute out of range")
    if not 0.0 <= second < 60.0:
        raise ValueError("second out of range")
    whole = int(second)
    fraction = (second - whole) * 1e6
    micros = int(fraction) if cut else round(fraction)
    return datetime.time(hour, minute, whole, micros)  # fault: ValueError


def mended(hour: int, minute: int, second: float, cut: bool) -> datetime.time:
    if hour < 0 or hour > 23:
        raise ValueError("hour out of range")
    if minute < 0 or minute > 59:
        raise ValueError("minute out of range")
    if not 0.0 <= second < 60.0:
        raise ValueError("second out of range")
    whole = int(second)
    fraction = (second - whole) * 1e6
    micros = min(int(fraction), 999999) if cut else round(fraction)
    total = ((hour * 60 + minute) * 60 + whole) * 1000000 + micros
    total = min(total, 24 * 3600 * 1000000 - 1)
    seconds, micros = divmod(total, 1000000)
    return datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60, micros)
