"""https://github.com/music-computing/amads/issues/173

A histogram that should ignore values outside its bins compares the position with the number of bins instead of the
number of boundaries, and a value above the last boundary lands behind the end: boundaries=[0.0, 10.0, 20.0, 30.0],
points=[31.0].
"""

import bisect
import math


def reported(boundaries: list[float], points: list[float]) -> list[float]:
    if len(boundaries) < 2 or not math.isfinite(boundaries[0]):
        raise ValueError("at least two boundaries are needed")
    for left, right in zip(boundaries, boundaries[1:]):
        if not left < right:
            raise ValueError("the boundaries must grow")
    bins = [0.0] * (len(boundaries) - 1)
    for point in points:
        if not math.isfinite(point):
            raise ValueError("a point is not finite")
        place = bisect.bisect_right(boundaries, point)
        if place == 0 or place == len(bins):
            continue
        bins[place - 1] += 1.0  # fault: IndexError
    return bins


def mended(boundaries: list[float], points: list[float]) -> list[float]:
    if len(boundaries) < 2 or not math.isfinite(boundaries[0]):
        raise ValueError("at least two boundaries are needed")
    for left, right in zip(boundaries, boundaries[1:]):
        if not left < right:
            raise ValueError("the boundaries must grow")
    bins = [0.0] * (len(boundaries) - 1)
    for point in points:
        if not math.isfinite(point):
            raise ValueError("a point is not finite")
        place = bisect.bisect_right(boundaries, point)
        if place == 0 or place == len(boundaries):
            continue
        bins[place - 1] += 1.0
    return bins
