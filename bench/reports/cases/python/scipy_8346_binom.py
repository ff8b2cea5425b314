"""https://github.com/scipy/scipy/issues/8346

A binomial coefficient is taken as 1 / beta / (n + 1), and the first quotient overflows although the second would bring
it back into range: n=1020, k=510.
"""

import math


def log_of_beta(n: int, k: int) -> float:
    return math.lgamma(n - k + 1.0) + math.lgamma(k + 1.0) - math.lgamma(n + 2.0)


def reported(n: int, k: int) -> float:
    if not 0 <= n <= 1000000:
        raise ValueError("n must lie in 0 to 1000000")
    if k < 0 or k > n:
        return 0.0
    if k == 0 or k == n:
        return 1.0
    size = log_of_beta(n, k)
    if size < -716.0:
        raise ValueError("the coefficient is too large for a float")
    beta = math.exp(size)
    value = 1.0 / beta / (n + 1)  # fault: overflow
    return value


def mended(n: int, k: int) -> float:
    if not 0 <= n <= 1000000:
        raise ValueError("n must lie in 0 to 1000000")
    if k < 0 or k > n:
        return 0.0
    if k == 0 or k == n:
        return 1.0
    size = -log_of_beta(n, k) - math.log(n + 1.0)
    if size > 709.0:
        raise ValueError("the coefficient is too large for a float")
    return float(math.comb(n, k))
