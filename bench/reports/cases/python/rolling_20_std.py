"""https://github.com/ajcr/rolling/issues/20

The sum of squares of a sliding window is updated step by step and ends slightly below zero when the window holds equal
values, so that the standard deviation fails: values=[138, 136, 137, 137, 135, 136, 135, 135, 135], window=3.
"""

import math


def reported(values: list[float], window: int) -> list[float]:
    if not 2 <= window <= 1000:
        raise ValueError("the window must hold 2 to 1000 values")
    mean, squares, seen = 0.0, 0.0, 0
    result = []
    for place, new in enumerate(values):
        if not abs(new) <= 1e100:
            raise ValueError("a value is too large or no number")
        if place < window:
            seen += 1
            delta = new - mean
            mean += delta / seen
            squares += delta * (new - mean)
        else:
            old = values[place - window]
            before = mean
            mean += (new - old) / window
            squares += (new - old) * (new + old - mean - before)
        if seen >= 2:
            result.append(math.sqrt(squares / (seen - 1)))  # fault: ValueError
    return result


def mended(values: list[float], window: int) -> list[float]:
    if not 2 <= window <= 1000:
        raise ValueError("the window must hold 2 to 1000 values")
    for value in values:
        if not abs(value) <= 1e100:
            raise ValueError("a value is too large or no number")
    result = []
    for end in range(2, len(values) + 1):
        part = values[max(0, end - window):end]
        mean = math.fsum(part) / len(part)
        squares = math.fsum((x - mean) * (x - mean) for x in part)
        result.append(math.sqrt(squares / (len(part) - 1)))
    return result
