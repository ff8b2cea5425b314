"""https://github.com/SETI/rms-opus/issues/936

A very large duration in days overflows when it is converted to seconds, and the
search form shows "inf": reported(1e307, "days", "seconds").
"""

import math


def _seconds_in(unit: str) -> float:
    if unit == "days":
        return 86400.0
    if unit == "hours":
        return 3600.0
    if unit == "minutes":
        return 60.0
    if unit == "seconds":
        return 1.0
    raise ValueError("unknown unit")


def reported(value: float, source: str, target: str) -> float:
    if not math.isfinite(value):
        raise ValueError("no duration")
    if value < 0.0:
        raise ValueError("a duration is not negative")
    if source == target:
        return value
    seconds = value * _seconds_in(source)  # fault: overflow
    return seconds / _seconds_in(target)


def mended(value: float, source: str, target: str) -> float:
    if not math.isfinite(value):
        raise ValueError("no duration")
    if value < 0.0:
        raise ValueError("a duration is not negative")
    if source == target:
        return value
    result = value * (_seconds_in(source) / _seconds_in(target))
    if math.isinf(result):
        raise ValueError("the duration is too long")
    return result
