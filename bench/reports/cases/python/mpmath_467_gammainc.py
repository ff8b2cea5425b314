"""https://github.com/mpmath/mpmath/issues/467

The incomplete gamma function swaps its bounds when they are out of order and tests at the same time whether they are
negative, so that a negative bound makes it call itself for ever: order=3, low=0.0, high=-0.1.
"""

import math


def from_zero(order: int, x: float) -> float:
    if abs(x) < 1.0:
        term, total = x**order, 0.0
        for k in range(40):
            total += term / (order + k)
            term *= -x / (k + 1)
        return total
    term, total = 1.0, 0.0
    for k in range(order):
        total += term
        term *= x / (k + 1)
    return math.factorial(order - 1) * (1.0 - math.exp(-x) * total)


def part(order: int, a: float, b: float) -> float:
    return from_zero(order, b) - from_zero(order, a) if 0.0 <= a <= b else -part(order, b, a)  # fault: RecursionError


def reported(order: int, low: float, high: float) -> float:
    if not 1 <= order <= 20:
        raise ValueError("the order must lie in 1 to 20")
    if not (abs(low) <= 50.0 and abs(high) <= 50.0):
        raise ValueError("a bound is too large or no number")
    if low == high:
        return 0.0
    if low == 0.0 and high > 0.0:
        return from_zero(order, high)
    return part(order, low, high)


def mended(order: int, low: float, high: float) -> float:
    if not 1 <= order <= 20:
        raise ValueError("the order must lie in 1 to 20")
    if not (abs(low) <= 50.0 and abs(high) <= 50.0):
        raise ValueError("a bound is too large or no number")
    if low == high:
        return 0.0
    if low == 0.0:
        return from_zero(order, high)
    return from_zero(order, high) - from_zero(order, low)
