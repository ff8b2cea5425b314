"""https://github.com/fonttools/fonttools/issues/3502

The length of a cubic curve is found by halving it until chord and control polygon agree, which they never do where a
straight curve turns back on itself: p0=(377.0, 469.0), p1=(377.0, 468.0), p2=(377.0, 472.0), p3=(377.0, 472.0).
"""

import math


def measure(p0: complex, p1: complex, p2: complex, p3: complex) -> float:
    a, b, c = p1 - p0, p2 - p1, p3 - p2
    d = p3 - p0
    mid = (p0 + 3.0 * p1 + 3.0 * p2 + p3) / 8.0
    slope = (d + b) / 8.0
    chord = (d.real * d.real + d.imag * d.imag) ** 0.5
    hull = (a.real**2 + a.imag**2) ** 0.5 + (b.real**2 + b.imag**2) ** 0.5 + (c.real**2 + c.imag**2) ** 0.5
    one = (p0, (p0 + p1) * 0.5, mid - slope, mid)
    two = (mid, mid + slope, (p2 + p3) * 0.5, p3)
    return (chord + hull) * 0.5 if chord * 1.0075 >= hull else measure(*one) + measure(*two)  # fault: RecursionError


def bounded(p0: complex, p1: complex, p2: complex, p3: complex, depth: int) -> float:
    chord = abs(p3 - p0)
    hull = abs(p1 - p0) + abs(p2 - p1) + abs(p3 - p2)
    if depth == 0 or chord * 1.0075 >= hull:
        return (chord + hull) * 0.5
    q0, q1, q2 = (p0 + p1) * 0.5, (p1 + p2) * 0.5, (p2 + p3) * 0.5
    r0, r1 = (q0 + q1) * 0.5, (q1 + q2) * 0.5
    mid = (r0 + r1) * 0.5
    return bounded(p0, q0, r0, mid, depth - 1) + bounded(mid, r1, q2, p3, depth - 1)


def reported(
    p0: tuple[float, float], p1: tuple[float, float], p2: tuple[float, float], p3: tuple[float, float]
) -> float:
    for x, y in (p0, p1, p2, p3):
        if not (abs(x) <= 1e6 and abs(y) <= 1e6):
            raise ValueError("a coordinate is too large or no number")
    if p0 == p1 == p2 == p3:
        return 0.0
    if p0 == p1 and p2 == p3:
        return math.dist(p0, p3)
    return measure(complex(*p0), complex(*p1), complex(*p2), complex(*p3))


def mended(
    p0: tuple[float, float], p1: tuple[float, float], p2: tuple[float, float], p3: tuple[float, float]
) -> float:
    for x, y in (p0, p1, p2, p3):
        if not (abs(x) <= 1e6 and abs(y) <= 1e6):
            raise ValueError("a coordinate is too large or no number")
    if p0 == p1 == p2 == p3:
        return 0.0
    if p0 == p1 and p2 == p3:
        return math.dist(p0, p3)
    return bounded(complex(*p0), complex(*p1), complex(*p2), complex(*p3), 14)
