"""Comparisons of a float with an Int or a Real, without rounding."""

from __future__ import annotations

import math
from fractions import Fraction

from .build import FALSE, TRUE
from .nodes import Op, Rounding, Term, constant, make
from .rounding import round_float
from .sorts import INT

_FLOATS = {Op.EXACT_EQ: Op.FP_EQ, Op.EXACT_LT: Op.FP_LT, Op.EXACT_LE: Op.FP_LE}
_NUMBERS = {Op.EXACT_EQ: Op.EQUAL, Op.EXACT_LT: Op.LT, Op.EXACT_LE: Op.LE}


def exactly(op: Op, a: Term, b: Term) -> Term:
    """Return ``a op b``. If one side is a constant, the term compares two floats or two Ints instead, where possible.

    It is ``TRUE`` or ``FALSE`` if the constant decides the comparison.

    Args:
        op: ``EXACT_EQ``, ``EXACT_LT`` or ``EXACT_LE``.
        a: a float, an Int or a Real.
        b: an Int or a Real if ``a`` is a float, otherwise a float.
    """
    x, number, first = (a, b, True) if a.sort.is_float else (b, a, False)
    if number.is_constant:
        return _beside_number(op, x, Fraction(number.value), first)
    if x.is_constant and number.sort == INT:
        return _beside_float(op, number, x.value, not first)
    return make(op, a, b)


def _beside_number(op: Op, x: Term, number: Fraction, first: bool) -> Term:
    """Compare a float with a constant Int or Real: a float constant can replace the number."""
    below, above = (constant(x.sort, round_float(x.sort, number, mode)) for mode in (Rounding.RTN, Rounding.RTP))
    if below is above:
        return make(_FLOATS[op], *((x, below) if first else (below, x)))
    if op is Op.EXACT_EQ:
        return FALSE
    return make(Op.FP_LE, x, below) if first else make(Op.FP_LE, above, x)


def _beside_float(op: Op, n: Term, x: float, first: bool) -> Term:
    """Compare an Int with a constant float: an Int constant can replace the float."""
    if not math.isfinite(x):
        infinite = x > 0 if first else x < 0
        return TRUE if infinite and op is not Op.EXACT_EQ else FALSE
    if op is Op.EXACT_EQ and x != int(x):
        return FALSE
    bound = constant(INT, math.ceil(x) if (op is Op.EXACT_LT) == first else math.floor(x))
    return make(_NUMBERS[op], *((n, bound) if first else (bound, n)))
