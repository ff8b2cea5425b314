"""https://github.com/architecture-building-systems/CityEnergyAnalyst/issues/3121

The saturation pressure of water vapour grows without bound when a stray temperature lies just below the pole of
Magnus' formula, and the exponential overflows: theta=-243.5, humidity=0.5.
"""

import math

PRESSURE = 101325.0


def reported(theta: float, humidity: float) -> float:
    if not abs(theta) <= 1e6:
        raise ValueError("the temperature is too large or no number")
    if not 0.0 < humidity <= 1.0:
        raise ValueError("the relative humidity lies outside (0, 1]")
    gap = 243.12 + theta
    if gap == 0.0:
        raise ValueError("the formula has a pole here")
    growth = math.exp(17.62 * theta / gap)  # fault: OverflowError
    vapour = humidity * 611.2 * growth
    if vapour >= PRESSURE:
        raise ValueError("the air would be all vapour")
    return 0.622 * vapour / (PRESSURE - vapour)


def mended(theta: float, humidity: float) -> float:
    if not abs(theta) <= 1e6:
        raise ValueError("the temperature is too large or no number")
    if not 0.0 < humidity <= 1.0:
        raise ValueError("the relative humidity lies outside (0, 1]")
    gap = 243.12 + theta
    if gap <= 0.0:
        raise ValueError("the formula holds above -243.12 degrees only")
    growth = math.exp(17.62 * theta / gap)
    vapour = humidity * 611.2 * growth
    if vapour >= PRESSURE:
        raise ValueError("the air would be all vapour")
    return 0.622 * vapour / (PRESSURE - vapour)
