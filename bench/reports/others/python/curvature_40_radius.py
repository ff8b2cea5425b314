"""https://github.com/adamfranco/curvature/issues/40

The radius of a curve through three points divides by the area of their triangle, which is zero if they lie on a line:
a=1.0, b=1.0, c=2.0.
"""

import math


def reported(a: float, b: float, c: float) -> float:
    for length in (a, b, c):
        if not 0.0 <= length <= 1000.0:
            raise ValueError("no such length")
    if a == 0.0 or b == 0.0 or c == 0.0:
        return 10000.0
    product = abs((a + b + c) * (b + c - a) * (c + a - b) * (a + b - c))
    radius = a * b * c / math.sqrt(product)  # fault: ZeroDivisionError
    return min(radius, 10000.0)


def mended(a: float, b: float, c: float) -> float:
    for length in (a, b, c):
        if not 0.0 <= length <= 1000.0:
            raise ValueError("no such length")
    if a == 0.0 or b == 0.0 or c == 0.0:
        return 10000.0
    product = abs((a + b + c) * (b + c - a) * (c + a - b) * (a + b - c))
    if product < 1e-20:
        return 10000.0
    radius = a * b * c / math.sqrt(product)
    return min(radius, 10000.0)
