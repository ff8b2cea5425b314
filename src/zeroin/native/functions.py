"""Intervals of the values of C library functions, given the intervals of their arguments (:mod:`.intervals`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# isort: off
from .intervals import (
    ACOS, ASIN, ASINH, ATAN, COPYSIGN, ERF, EXP, EXPM1, FALLING, FMOD, HYPOT, KIND, LOG, LOG1P, LOG2, LOG10, LOOSE,
    POW, RISING, SINE, SINH, TANH, WITHIN, Domains, P, above, below, has_infinity, has_zero, is_no_number, least,
    most, nearest, tighten,
)  # fmt: skip

# isort: on
from .kernel import kernel

_INF = math.inf


@kernel
def of_function(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a row that is a C library function, given its arguments' domains.

    The bounds hold if the library's results are right to ``LOOSE`` ULPs, and within the function's range.

    Args:
        d: the domains; ``d.state`` is updated.
        n: the row.
        op: the row's operation.
        a: the row of the first argument.
        b: the row of the second argument; any row if the function has only one.
    """
    low, high, kind, which = d.low, d.high, d.code[n, KIND], d.code[n, P]
    if op == HYPOT:
        shortest = max(_loosened(kind, max(least(d, a), least(d, b)), -1), 0.0)
        tighten(d, n, shortest, _loosened(kind, most(d, a) + most(d, b), 1), d.nan[a] | d.nan[b])
    elif is_no_number(d, a):
        if op != POW:
            tighten(d, n, _INF, -_INF, 1)
    elif op == SINE:
        tighten(d, n, -1.0, 1.0, d.nan[a] | int(has_infinity(d, a)))
    elif op in (RISING, FALLING):
        domain = -_INF
        least_value, most_value = -_INF, _INF
        if which == EXP:
            least_value = 0.0
        elif which in (EXPM1, TANH, ERF):
            least_value, most_value = -1.0, _INF if which == EXPM1 else 1.0
        elif which in (LOG, LOG2, LOG10):
            domain = 0.0
        elif which in (LOG1P, ASIN, ACOS):
            domain = -1.0
        last = 1.0 if which in (ASIN, ACOS) else _INF
        outside = low[a] < domain or high[a] > last
        if high[a] < domain or low[a] > last:
            tighten(d, n, _INF, -_INF, 1)
            return
        x, y = _value(which, max(low[a], domain)), _value(which, min(high[a], last))
        if op == FALLING:
            x, y = y, x
        tighten(d, n, max(_loosened(kind, x, -1), least_value), min(_loosened(kind, y, 1), most_value),
                d.nan[a] | int(outside))  # fmt: skip
    else:
        _of_two(d, n, op, a, b)


@kernel
def _of_two(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a function of two arguments."""
    low, high = d.low, d.high
    if op == WITHIN:
        half_turn = nearest(d.code[n, KIND], math.pi)
        tighten(d, n, -half_turn, half_turn, d.nan[a] | d.nan[b])
    elif op == FMOD:
        nan = d.nan[a] | d.nan[b] | int(has_infinity(d, a) or has_zero(d, b))
        far = min(most(d, a), max(below(d.code[n, KIND], most(d, b)), 0.0)) if not is_no_number(d, b) else 0.0
        tighten(d, n, 0.0 if low[a] >= 0.0 else -far, 0.0 if high[a] <= 0.0 else far, nan)
        if not is_no_number(d, b) and most(d, a) < least(d, b):
            tighten(d, n, low[a], high[a], nan)
        elif low[a] == high[a] and low[b] == high[b] and low[b] != 0.0 and not has_infinity(d, a):
            rest = np.fmod(low[a], low[b])  # exact in every library
            tighten(d, n, rest, rest, nan)
    elif op == COPYSIGN:
        if d.nan[b] == 0 and low[b] > 0.0:
            tighten(d, n, least(d, a), most(d, a), d.nan[a])
        elif d.nan[b] == 0 and high[b] < 0.0:
            tighten(d, n, -most(d, a), -least(d, a), d.nan[a])
        else:
            tighten(d, n, -most(d, a), most(d, a), d.nan[a])
    elif op == POW and low[a] > 0.0:
        tighten(d, n, 0.0, _INF, 1)


@kernel
def _value(which: int, x: float) -> Any:
    """Return a monotone function's value, for a constant such as ``EXP``. A logarithm has -infinity at its pole."""
    if which == EXP:
        return math.exp(x)
    if which == EXPM1:
        return math.expm1(x)
    if which == LOG:
        return math.log(x) if x > 0.0 else -_INF
    if which == LOG2:
        return math.log2(x) if x > 0.0 else -_INF
    if which == LOG10:
        return math.log10(x) if x > 0.0 else -_INF
    if which == LOG1P:
        return math.log1p(x) if x > -1.0 else -_INF
    if which == ATAN:
        return math.atan(x)
    if which == TANH:
        return math.tanh(x)
    if which == SINH:
        return math.sinh(x)
    if which == ASINH:
        return math.asinh(x)
    if which == ERF:
        return math.erf(x)
    return math.asin(x) if which == ASIN else math.acos(x)


@kernel
def _loosened(kind: int, x: float, way: int) -> Any:
    """Return the number that is ``LOOSE`` ULPs above x (``way`` > 0) or below it."""
    x = nearest(kind, x)
    for _ in range(LOOSE):
        x = above(kind, x) if way > 0 else below(kind, x)
    return x
