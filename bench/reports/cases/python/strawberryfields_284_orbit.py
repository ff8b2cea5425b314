"""https://github.com/XanaduAI/strawberryfields/issues/284

The number of photon patterns of an orbit is a quotient of factorials in floats, and from 171 modes on the numerator is
infinite and cannot become an integer: orbit=[2, 1], modes=171.
"""

import math


def float_factorial(n: int) -> float:
    product = 1.0
    for k in range(2, n + 1):
        product *= k
    return product


def reported(orbit: list[int], modes: int) -> int:
    if not orbit or any(photons < 1 for photons in orbit):
        raise ValueError("an orbit holds positive numbers of photons")
    empty = modes - len(orbit)
    if empty < 0:
        return 0
    if empty > 170 or len(orbit) > 170:
        raise ValueError("too many modes for factorials in floats")
    below = float_factorial(empty)
    for photons in set(orbit):
        below *= float_factorial(orbit.count(photons))
        if math.isinf(below):
            raise ValueError("too many modes for factorials in floats")
    return int(float_factorial(modes) / below)  # fault: OverflowError


def mended(orbit: list[int], modes: int) -> int:
    if not orbit or any(photons < 1 for photons in orbit):
        raise ValueError("an orbit holds positive numbers of photons")
    if modes > 2000:
        raise ValueError("too many modes")
    empty = modes - len(orbit)
    if empty < 0:
        return 0
    below = math.factorial(empty)
    for photons in set(orbit):
        below *= math.factorial(orbit.count(photons))
    return math.factorial(modes) // below
