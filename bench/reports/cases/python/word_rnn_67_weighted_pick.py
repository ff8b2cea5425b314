"""https://github.com/hunkim/word-rnn-tensorflow/pull/67

A weighted choice scales a random number with the exact sum of the weights but searches it in their running sums, whose
last one is smaller through rounding, and picks an entry behind the end: weights=[0.7, 0.7, 0.7, 0.3, 0.3, 0.3],
u=0.9999999999999999.
"""

import bisect
import math


def running_sums(weights: list[float]) -> list[float]:
    sums = []
    total = 0.0
    for weight in weights:
        if not 0.0 <= weight <= 1e100:
            raise ValueError("a weight is negative, too large or no number")
        total += weight
        sums.append(total)
    if total == 0.0:
        raise ValueError("no weight is positive")
    return sums


def reported(weights: list[float], u: float) -> tuple[int, float]:
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    sums = running_sums(weights)
    total = math.fsum(weights)
    place = bisect.bisect_left(sums, u * total)
    if u == 0.0:
        place = bisect.bisect_right(sums, 0.0)
    share = weights[place] / total  # fault: IndexError
    return place, share


def mended(weights: list[float], u: float) -> tuple[int, float]:
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    sums = running_sums(weights)
    total = sums[-1]
    last = len(weights) - 1
    while weights[last] == 0.0:
        last -= 1
    place = min(bisect.bisect_right(sums, u * total), last)
    return place, weights[place] / total
