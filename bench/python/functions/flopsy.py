# ruff: noqa: SIM102, SIM103

"""The six functions of FloPSy's evaluation: conditions over floats that must hold exactly."""

import math


def beale(x1: float, x2: float) -> bool:
    """One line in the plane."""
    if 1.5 - x1 * (1 - x2) == 0:
        return True
    return False


def freudenstein_roth(x1: float, x2: float) -> bool:
    """A cubic valley."""
    first = -13 + x1 + ((5 - x2) * x2 - 2) * x2
    second = -29 + x1 + ((x2 + 1) * x2 - 14) * x2
    if first + second == 0:
        return True
    return False


def helical_valley(x1: float, x2: float, x3: float) -> bool:
    """A helix, given piece by piece."""
    if x1 > 0:
        theta = math.atan(x2 / x1) / (2 * math.pi)
    elif x1 < 0:
        theta = math.atan(x2 / x1) / (2 * math.pi) + 0.5
    else:
        theta = 0.0
    if 10 * (x3 - 10 * theta) == 0 and 10 * (math.sqrt(x1 * x1 + x2 * x2) - 1) == 0 and x3 == 0:
        return True
    return False


def powell(x1: float, x2: float) -> bool:
    """Badly scaled: about 1.1e-5 and 9.1.

    Raises:
        OverflowError: exp overflows.
    """
    if 1e4 * x1 * x2 - 1 == 0 and math.exp(-x1) + math.exp(-x2) - 1.0001 == 0:
        return True
    return False


def rosenbrock(x1: float, x2: float) -> bool:
    """A curved valley, flat along its floor."""
    if (1 - x1) * (1 - x1) + 100 * ((x2 - x1 * x1) * (x2 - x1 * x1)) == 0:
        return True
    return False


def wood(x1: float, x2: float, x3: float, x4: float) -> bool:
    """Six equations in four numbers."""
    if 10 * (x2 - x1 * x1) == 0 and 1 - x1 == 0 and math.sqrt(90) * (x4 - x3 * x3) == 0:
        if 1 - x3 == 0 and math.sqrt(10) * (x2 + x4 - 2) == 0 and 10**-0.5 * (x2 - x4) == 0:
            return True
    return False
