"""https://github.com/scipy/scipy/issues/22903

The logarithm of a weighted sum of exponentials is split at its largest term, and log1p fails when a negative weight
stands there and the other terms outweigh it: a=[3.06409428, 0.37251854, 3.87471931], b=[1.88190708, 2.84174795,
-0.85016884] (nan in the report, an exception in plain Python).
"""

import math


def check(a: list[float], b: list[float]) -> None:
    if len(a) != len(b) or not a:
        raise ValueError("two lists of one length are needed")
    for exponent, weight in zip(a, b):
        if not abs(exponent) <= 1e6:
            raise ValueError("an exponent is too large or no number")
        if weight != 0.0 and not 1e-100 <= abs(weight) <= 1e100:
            raise ValueError("a weight is too small, too large or no number")


def reported(a: list[float], b: list[float]) -> float:
    check(a, b)
    top = max(a)
    lead = math.fsum(w for x, w in zip(a, b) if x == top)
    rest = math.fsum(w * math.exp(x - top) for x, w in zip(a, b) if x != top)
    if lead == 0.0 and rest == 0.0:
        raise ValueError("the sum is zero")
    if lead == 0.0:
        return top + math.log(abs(rest))
    share = math.log1p(rest / lead)  # fault: ValueError
    return top + math.log(abs(lead)) + share


def mended(a: list[float], b: list[float]) -> float:
    check(a, b)
    top = max((x for x, w in zip(a, b) if w != 0.0), default=0.0)
    terms = []
    for x, w in zip(a, b):
        if w != 0.0:
            terms.append(w * math.exp(x - top))
    total = math.fsum(terms)
    if total == 0.0:
        raise ValueError("the sum is zero")
    return top + math.log(abs(total))
