"""https://github.com/mpmath/mpmath/issues/493

A binomial coefficient is computed from three gamma functions, and the first of them overflows although the coefficient
itself is small: n=1100, k=1.
"""

import math


def reported(n: int, k: int) -> float:
    if not 0 <= n <= 100000:
        raise ValueError("n must lie in 0 to 100000")
    if k < 0 or k > n:
        return 0.0
    if k > n - k:
        k = n - k
    if k == 0:
        return 1.0
    above = math.gamma(n + 1.0)  # fault: OverflowError
    below = math.gamma(k + 1.0) * math.gamma(n - k + 1.0)
    return above / below


def mended(n: int, k: int) -> float:
    if not 0 <= n <= 100000:
        raise ValueError("n must lie in 0 to 100000")
    if k < 0 or k > n:
        return 0.0
    if k > n - k:
        k = n - k
    size = math.lgamma(n + 1.0) - math.lgamma(k + 1.0) - math.lgamma(n - k + 1.0)
    if size > 709.0:
        raise ValueError("the coefficient is too large for a float")
    return float(math.comb(n, k))
