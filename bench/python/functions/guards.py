"""Branches behind transcendental functions."""

import math


def sine_window(x: float) -> int:
    """Where the sine is close to something."""
    if not -1e6 <= x <= 1e6:
        return -1
    s = math.sin(x)
    if s > 0.99999999:
        if x > 100_000:
            return 3
        return 2
    if s == 0.5:
        return 1
    if s * s + math.cos(x) * math.cos(x) > 1.000001:
        return 9
    if abs(s - x / 10) < 1e-7 and abs(x) > 1:
        return 4
    return 0


def exp_balance(a: float, b: float) -> str:
    """Sums of exponentials.

    Raises:
        ValueError: an argument is above 700, or no number.
    """
    if not (a <= 700 and b <= 700):
        raise ValueError("exp would overflow")
    if math.exp(a) + math.exp(b) == 8.0:
        return "eight"
    if math.exp(a) == b:
        if a > 3:
            return "on the curve, far out"
        return "on the curve"
    if a > b and math.exp(a - b) > 1e200:
        return "far apart"
    return "plain"


def log_ladder(x: float) -> str:
    """Steps on a logarithmic scale.

    Raises:
        ValueError: x is not positive and finite.
    """
    if not 0 < x < math.inf:
        raise ValueError("the logarithm needs a positive number")
    level = math.log(x)
    if level > 709:
        return "huge"
    if level == 1.0:
        return "e"
    if level < -740:
        return "subnormal"
    if math.log10(x) == 3.5:
        return "half step"
    if level < 0 and math.floor(level) == -37:
        return "step 37"
    if level > 709.79:
        return "above the largest float"
    return "between"


def atan2_sector(y: float, x: float) -> str:
    """Compass sector of a vector."""
    angle = math.degrees(math.atan2(y, x))
    if math.isnan(angle):
        return "nowhere"
    if angle == -180.0:
        if y == 0:
            return "west, from below, by the sign of zero"
        return "west, from below"
    if angle == 45.0 and x != y:
        return "rounded to the diagonal"
    if 30 < angle < 30.000001:
        return "one twelfth"
    if angle > 180.0:
        return "beyond"
    return "north" if angle > 0 else "south"
