"""https://github.com/numpy/numpy/pull/4751

The sampler of the von Mises distribution treats concentrations below 1e-8 as uniform, yet just above that limit an
inner quantity still cancels to zero and is divided by (nan and an endless loop in the report, an exception in plain
Python): kappa=1.2e-8, u=0.25.
"""

import math


def reported(kappa: float, u: float) -> float:
    if not (math.isfinite(kappa) and kappa >= 0.0):
        raise ValueError("kappa must be a number that is not negative")
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    z = math.cos(math.pi * u)
    if kappa < 1e-8:
        return z
    if kappa > 1e6:
        return 1.0
    root = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
    rho = (root - math.sqrt(2.0 * root)) / (2.0 * kappa)
    scale = (1.0 + rho * rho) / (2.0 * rho)  # fault: ZeroDivisionError
    cosine = (1.0 + scale * z) / (scale + z)
    return max(-1.0, min(1.0, cosine))


def mended(kappa: float, u: float) -> float:
    if not (math.isfinite(kappa) and kappa >= 0.0):
        raise ValueError("kappa must be a number that is not negative")
    if not 0.0 <= u < 1.0:
        raise ValueError("u must lie in [0, 1)")
    z = math.cos(math.pi * u)
    if kappa < 1e-8:
        return z
    if kappa > 1e6:
        return 1.0
    if kappa < 1e-5:
        scale = 1.0 / kappa + kappa
    else:
        root = 1.0 + math.sqrt(1.0 + 4.0 * kappa * kappa)
        rho = (root - math.sqrt(2.0 * root)) / (2.0 * kappa)
        scale = (1.0 + rho * rho) / (2.0 * rho)
    cosine = (1.0 + scale * z) / (scale + z)
    return max(-1.0, min(1.0, cosine))
