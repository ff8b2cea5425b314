"""https://github.com/LaStrada/pyfreshintellivent/issues/48

The fan reports a humidity of 0, and the logarithm of it fails:
reported(0, 0, True).
"""

import math


def reported(low: int, high: int, logarithmic: bool) -> float:
    if low < 0 or low > 255:
        raise ValueError("the low byte is no byte")
    if high < 0 or high > 255:
        raise ValueError("the high byte is no byte")
    raw = high * 256 + low
    if not logarithmic:
        return raw / 10.0
    humidity = 10.0 * math.log(raw / 10.0)  # fault: ValueError
    if humidity > 100.0:
        return 100.0
    return round(humidity, 1)


def mended(low: int, high: int, logarithmic: bool) -> float:
    if low < 0 or low > 255:
        raise ValueError("the low byte is no byte")
    if high < 0 or high > 255:
        raise ValueError("the high byte is no byte")
    raw = high * 256 + low
    if not logarithmic:
        return raw / 10.0
    if raw <= 10:
        return 0.0
    humidity = 10.0 * math.log(raw / 10.0)
    return min(100.0, round(humidity, 1))
