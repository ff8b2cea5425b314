"""How many of the branches can be taken at all."""

from __future__ import annotations

# Branches that no input takes: shown by hand in netlib's edition, and the same conditions stand in newlib's. Most are
# ``huge + x > one`` and the like, which are there to raise the inexact flag; the others are the default of a switch
# over all values, and tests that an earlier one has decided.
INFEASIBLE = {
    "__ieee754_asin": 1,
    "__ieee754_atan2": 3,
    "__ieee754_atanh": 1,
    "__ieee754_exp": 1,
    "__ieee754_j0": 1,
    "__ieee754_j1": 1,
    "__ieee754_pow": 1,
    "__ieee754_sinh": 1,
    "__ieee754_sqrt": 4,
    "__kernel_cos": 1,
    "asinh": 1,
    "atan": 1,
    "ceil": 3,
    "expm1": 1,
    "floor": 3,
    "log1p": 3,
    "nextafter": 2,
}


def feasible(function: str, branches: int) -> int:
    """How many of the function's branches, as gcov counts them, can be taken."""
    return branches - INFEASIBLE.get(function, 0)
