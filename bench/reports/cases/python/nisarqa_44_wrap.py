"""https://github.com/isce-framework/nisarqa/pull/44

Wrapping a number into an interval uses the remainder that keeps the sign of the dividend, and a number below the
interval stays below it: value=-200.0, start=-180.0, stop=180.0.
"""

import math


def reported(value: float, start: float, stop: float) -> float:
    if not (abs(value) <= 1e12 and abs(start) <= 1e12 and abs(stop) <= 1e12):
        raise ValueError("a number is too large or none")
    if not start < stop:
        raise ValueError("the interval is empty")
    if start <= value < stop:
        return value
    width = stop - start
    wrapped = start + math.fmod(value - start, width)
    if wrapped < start:  # fault: branch
        return wrapped
    return min(wrapped, stop)


def mended(value: float, start: float, stop: float) -> float:
    if not (abs(value) <= 1e12 and abs(start) <= 1e12 and abs(stop) <= 1e12):
        raise ValueError("a number is too large or none")
    if not start < stop:
        raise ValueError("the interval is empty")
    if start <= value < stop:
        return value
    width = stop - start
    wrapped = start + (value - start) % width
    if wrapped >= stop:
        wrapped = start
    return wrapped
