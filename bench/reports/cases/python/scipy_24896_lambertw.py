"""https://github.com/scipy/scipy/pull/24896

Halley's iteration for the Lambert W function starts at exactly -1 at the branch point -1/e and there divides by
2w + 2 = 0 (nan in the report, an exception in plain Python): z=-0.36787944117144233.
"""

import math


def first_guess(z: float) -> float:
    if z < -0.3:
        p = math.sqrt(2.0 * (math.e * z + 1.0))
        return -1.0 + p - p * p / 3.0
    if z < 3.0:
        return z / (1.0 + z)
    return math.log(z) - math.log(math.log(z))


def reported(z: float) -> float:
    if not -1.0 / math.e <= z <= 1e300:
        raise ValueError("z lies outside the real branch")
    w = first_guess(z)
    for _ in range(60):
        power = math.exp(w)
        error = w * power - z
        step = error / (power * (w + 1.0) - (w + 2.0) * error / (2.0 * w + 2.0))  # fault: ZeroDivisionError
        w -= step
        if abs(step) <= 1e-15 * (1.0 + abs(w)):
            break
    return w


def mended(z: float) -> float:
    if not -1.0 / math.e <= z <= 1e300:
        raise ValueError("z lies outside the real branch")
    if z < -0.3:
        p = math.sqrt(2.0 * (math.e * z + 1.0))
        if p < 1e-4:
            return -1.0 + p - p * p / 3.0 + 11.0 / 72.0 * p * p * p
    w = first_guess(z)
    for _ in range(60):
        power = math.exp(w)
        error = w * power - z
        step = error / (power * (w + 1.0) - (w + 2.0) * error / (2.0 * w + 2.0))
        w -= step
        if abs(step) <= 1e-15 * (1.0 + abs(w)):
            break
    return w
