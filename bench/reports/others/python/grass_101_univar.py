"""https://github.com/OSGeo/grass/pull/101

The variance is the difference of two large sums, which rounding makes negative for equal values, and its root fails:
values=[-0.14357562916991, -0.14357562916991, -0.14357562916991].
"""

import math


def reported(values: list[float]) -> tuple[float, float]:
    if not values:
        raise ValueError("no values")
    count, total, squares = 0, 0.0, 0.0
    for value in values:
        if not abs(value) <= 1e100:
            raise ValueError("a value is too large or no number")
        count += 1
        total += value
        squares += value * value
    variance = (squares - total * total / count) / count
    return total / count, math.sqrt(variance)  # fault: ValueError


def mended(values: list[float]) -> tuple[float, float]:
    if not values:
        raise ValueError("no values")
    count, total = 0, 0.0
    for value in values:
        if not abs(value) <= 1e100:
            raise ValueError("a value is too large or no number")
        count += 1
        total += value
    mean = total / count
    squares = 0.0
    for value in values:
        squares += (value - mean) * (value - mean)
    return mean, math.sqrt(squares / count)
