"""https://github.com/scipy/scipy/issues/7778

A spherical harmonic of high degree is the product of a normalising factor that vanishes and a Legendre function that
overflows: degree=151, polar=1.5707963267948966 (the equator).
"""

import math


def reported(degree: int, polar: float) -> float:
    if not 0 <= degree <= 400:
        raise ValueError("the degree must lie in 0 to 400")
    if not 0.0 <= polar <= math.pi:
        raise ValueError("the polar angle lies outside 0 to pi")
    if degree == 0:
        return math.sqrt(0.25 / math.pi)
    sine = math.sin(polar)
    legendre = 1.0
    for k in range(1, degree + 1):
        legendre *= -(2 * k - 1) * sine
    factorial = 1.0
    for k in range(2, 2 * degree + 1):
        factorial *= k
    factor = math.sqrt((2 * degree + 1) / (4.0 * math.pi) / factorial)
    value = factor * legendre  # fault: nan
    return value


def mended(degree: int, polar: float) -> float:
    if not 0 <= degree <= 400:
        raise ValueError("the degree must lie in 0 to 400")
    if not 0.0 <= polar <= math.pi:
        raise ValueError("the polar angle lies outside 0 to pi")
    sine = math.sin(polar)
    value = math.sqrt(0.25 / math.pi)
    for k in range(1, degree + 1):
        value *= -math.sqrt((2 * k + 1) / (2 * k)) * sine
    return value
