"""https://github.com/matplotlib/matplotlib/issues/4318

On an axis over a range of subnormal numbers the pixels per unit become infinite,
and the lower end of the axis is put at 0 times infinity:
reported(0.0, 0.0, 1e-310, 640).
"""

import math


def reported(value: float, low: float, high: float, pixels: int) -> float:
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)):
        raise ValueError("no such place")
    if abs(low) > 1e300 or abs(high) > 1e300 or abs(value) > 1e300:
        raise ValueError("too far out")
    if pixels < 1 or pixels > 100000 or low > high:
        raise ValueError("no such axis")
    if low == high:
        return pixels / 2.0
    per_unit = pixels / (high - low)
    place = (value - low) * per_unit  # fault: nan
    return min(max(place, 0.0), float(pixels))


def mended(value: float, low: float, high: float, pixels: int) -> float:
    if not (math.isfinite(value) and math.isfinite(low) and math.isfinite(high)):
        raise ValueError("no such place")
    if abs(low) > 1e300 or abs(high) > 1e300 or abs(value) > 1e300:
        raise ValueError("too far out")
    if pixels < 1 or pixels > 100000 or low > high:
        raise ValueError("no such axis")
    if low == high:
        return pixels / 2.0
    inside = min(max(value, low), high)
    share = (inside - low) / (high - low)
    return min(share, 1.0) * pixels
