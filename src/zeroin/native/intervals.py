"""Interval arithmetic on tapes: domains that contain all values of a query's terms, for a box of inputs.

A tape is an array with one row for each term, behind the rows of its arguments. A row has the operation, the arguments,
the kind of the value, its width in bits, and two parameters of the operation.

The domain of a row is an interval of numbers, and whether the value may be NaN. A Bool is 0 or 1, and 0.0 stands for
both zeros. A bit vector has two intervals: of its unsigned number, and of its signed number. Bounds are doubles.
A bound that is no double is rounded outwards, so that a domain never loses a possible value.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .kernel import inlined, kernel

BOOL, F64, F32, INT, BITS = 0, 1, 2, 3, 4  # the kinds of values
# The columns of a row: the operation, the rows of the arguments, kind, width, and the parameters; and their number.
OP, A, B, C, KIND, WIDTH, P, Q, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7, 8

(LEAF, NOT, AND, OR, ITE, EQUAL, EQ, LT, LE, SLT, SLE, IS_NAN, IS_INF, ADD, SUB, MUL, DIV, SQRT, ABS, NEG, ROUND, MIN,
 MAX, CAST, FROM_SIGNED, TO_INT, TO_SIGNED, TO_UNSIGNED, TO_BITS, FROM_BITS, I_ADD, I_SUB, I_MUL, I_NEG, I_ABS, I_DIV,
 I_MOD, QUOTIENT, B_ADD, B_SUB, B_MUL, B_AND, B_OR, B_XOR, B_NOT, B_NEG, EXTRACT, WIDEN, SIGN, SHR, S_SHR, SHL, CONCAT,
 B_DIV, B_MOD, S_DIV, S_REM, SIGNED, MODULO, WITHIN, SINE, RISING, FALLING, HYPOT, FMOD, COPYSIGN,
 POW) = range(67)  # fmt: skip

# The monotone functions, as parameter P of RISING and FALLING.
EXP, EXPM1, LOG, LOG2, LOG10, LOG1P, ATAN, TANH, SINH, ASINH, ERF, ASIN, ACOS = range(13)
_INF, _TINY, _EXACT = math.inf, 5e-324, 2.0**53
LOOSE = 8  # the assumed largest error of C library functions, in ULPs


class Domains(NamedTuple):
    """A tape and the domains of its rows.

    Attributes:
        code: the tape, which stays unchanged.
        low, high: the bounds of each row, both inclusive; infinity and minus infinity if the value can only be NaN.
            Behind them, in the same order, are the bounds of the rows as signed numbers (:func:`as_signed`). Only those
            of bit vectors are used. (Kernels are faster with few arrays.)
        nan: 1 for each row whose value may be NaN, else 0.
        state: two flags: whether a domain has become notably smaller, and whether one is empty. Propagation sets them
            to 1; callers set them back to 0.
    """

    code: Any
    low: Any
    high: Any
    nan: Any
    state: Any


# ---- bounds ----


@inlined
def up(x: float) -> Any:
    """Return the next larger double; infinity and NaN stay as they are."""
    if x == 0.0:
        return _TINY
    if x == _INF or x != x:
        return x
    bits = np.float64(x).view(np.int64)
    return np.int64(bits + 1 if x > 0.0 else bits - 1).view(np.float64)


@inlined
def down(x: float) -> Any:
    """Return the next smaller double; minus infinity and NaN stay as they are."""
    return -up(-x)


@kernel
def above(kind: int, x: float) -> Any:
    """Return the next larger float of the kind; infinity stays as it is."""
    if kind != F32:
        return up(x)
    small = np.float32(x)
    if small > x or small == np.float32(_INF):
        return np.float64(small)
    if small == np.float32(0.0):
        return np.float64(np.int32(1).view(np.float32))
    bits = small.view(np.int32)
    return np.float64(np.int32(bits + 1 if small > np.float32(0.0) else bits - 1).view(np.float32))


@inlined
def below(kind: int, x: float) -> Any:
    """Return the next smaller float of the kind; minus infinity stays as it is."""
    return -above(kind, -x)


@inlined
def over(x: float) -> Any:
    """Return an upper bound of an integer whose nearest double is x: x itself if its magnitude is below 2**53."""
    return x if abs(x) < _EXACT else up(x)


@inlined
def under(x: float) -> Any:
    """Return a lower bound of an integer whose nearest double is x: x itself if its magnitude is below 2**53."""
    return x if abs(x) < _EXACT else down(x)


@inlined
def nearest(kind: int, x: float) -> Any:
    """Return a number rounded to the nearest float of the kind."""
    return np.float64(np.float32(x)) if kind == F32 else x


@inlined
def power(exponent: int) -> Any:
    """Return the power of two with this exponent, which must be in the range of normal doubles."""
    return np.int64((exponent + 1023) << 52).view(np.float64)


@inlined
def product(x: float, y: float) -> Any:
    """Return the product of two bounds. Zero times infinity is 0, as infinity means "unbounded"."""
    return 0.0 if x == 0.0 or y == 0.0 else x * y


@kernel
def tighten(d: Domains, n: int, low: float, high: float, nan: int) -> Any:
    """Intersect the domain of a row with an interval, and update ``d.state``.

    Bounds that are no values of the row's kind are rounded inwards. If no number is left, the bounds become infinity
    and minus infinity.

    Args:
        d: the domains.
        n: the row.
        low: the lower bound, inclusive; NaN for no bound.
        high: the upper bound, inclusive; NaN for no bound. An interval with ``low > high`` has no number.
        nan: 1 if the value may be NaN, else 0; ignored if the row is not a float.
    """
    if low != low:
        low = -_INF
    if high != high:
        high = _INF
    kind = d.code[n, KIND]
    if kind == BOOL or kind >= INT:
        low, high, nan = np.ceil(low), np.floor(high), 0
    elif kind == F32:
        small = np.float64(np.float32(low))
        low = small if small >= low else above(F32, small)
        small = np.float64(np.float32(high))
        high = small if small <= high else below(F32, small)
    before_low, before_high = d.low[n], d.high[n]
    low, high, nan = max(low, before_low), min(high, before_high), nan & d.nan[n]
    if low > high:
        low, high = _INF, -_INF
        if nan == 0:
            d.state[1] = 1
    if low == before_low and high == before_high and nan == d.nan[n]:
        return
    bounded = (before_low == -_INF and low > -_INF) or (before_high == _INF and high < _INF)
    if nan != d.nan[n] or low > high or bounded or high - low < 0.9 * (before_high - before_low):
        d.state[0] = 1
    d.low[n], d.high[n], d.nan[n] = low, high, nan
    if kind == BITS and low <= high:
        _agree(d, n)


@inlined
def is_no_number(d: Domains, n: int) -> Any:
    """Whether the domain of a row has no number: the value can only be NaN, or the domain is empty."""
    return d.low[n] > d.high[n]


@inlined
def has_zero(d: Domains, n: int) -> Any:
    """Whether the value of a row may be zero."""
    return d.low[n] <= 0.0 and d.high[n] >= 0.0


@inlined
def has_infinity(d: Domains, n: int) -> Any:
    """Whether the value of a row may be infinite (an integer: is not bounded)."""
    return d.low[n] == -_INF or d.high[n] == _INF


@inlined
def most(d: Domains, n: int) -> Any:
    """Return the largest magnitude that the value of a row may have; infinity if it can only be NaN."""
    return max(abs(d.low[n]), abs(d.high[n]))


@inlined
def least(d: Domains, n: int) -> Any:
    """Return the smallest magnitude that the value of a row may have; infinity if it can only be NaN."""
    if d.low[n] <= 0.0 and d.high[n] >= 0.0:
        return 0.0
    return min(abs(d.low[n]), abs(d.high[n]))


@inlined
def as_signed(d: Domains, n: int) -> Any:
    """Return the bounds of a bit vector as a signed number, both inclusive."""
    at = n + len(d.nan)
    return d.low[at], d.high[at]


@kernel
def tighten_signed(d: Domains, n: int, low: float, high: float) -> Any:
    """Intersect the domain of a bit vector with an interval of signed numbers, and update ``d.state``.

    Both bounds are inclusive integers, or infinite. If the result is empty, only ``d.state`` says so.
    """
    at = n + len(d.nan)
    before_low, before_high = d.low[at], d.high[at]
    low, high = max(low, before_low), min(high, before_high)
    if low > high:
        d.state[1] = 1
    elif low != before_low or high != before_high:
        if high - low < 0.9 * (before_high - before_low):
            d.state[0] = 1
        d.low[at], d.high[at] = low, high
        _agree(d, n)


@kernel
def _agree(d: Domains, n: int) -> Any:
    """Shrink the two intervals of a bit vector, given that they describe one value. If none fits, ``d.state`` says so.

    The values without the sign bit have the same number in both intervals. Those with it are 2**width apart.
    """
    whole = power(d.code[n, WIDTH])
    at = n + len(d.nan)
    low, high, signed_low, signed_high = d.low[n], d.high[n], d.low[at], d.high[at]
    least_, most_ = max(low, signed_low), min(high, signed_high)  # of the values without the sign bit
    first, last = max(under(low - whole), signed_low), min(min(over(high - whole), signed_high), -1.0)  # with it
    if least_ > most_ and first > last:
        d.state[1] = 1
        return
    if least_ > most_:
        low, high, signed_low, signed_high = under(first + whole), over(last + whole), first, last
    elif first > last:
        low, high, signed_low, signed_high = least_, most_, least_, most_
    else:
        low, high, signed_low, signed_high = least_, over(last + whole), first, most_
    low, high = max(low, d.low[n]), min(high, d.high[n])
    signed_low, signed_high = max(signed_low, d.low[at]), min(signed_high, d.high[at])
    size, signed_size = d.high[n] - d.low[n], d.high[at] - d.low[at]
    if high - low < 0.9 * size or signed_high - signed_low < 0.9 * signed_size:
        d.state[0] = 1
    d.low[n], d.high[n], d.low[at], d.high[at] = low, high, signed_low, signed_high


@kernel
def wrapped(d: Domains, n: int, low: float, high: float) -> Any:
    """Intersect the unsigned domain of a bit vector with an interval that is taken modulo the bit vector's range.

    Nothing changes if the interval wraps around, or if its bounds are too large to tell.
    """
    whole = power(d.code[n, WIDTH])
    turns = np.floor(low / whole)
    if abs(low) < _EXACT and abs(high) < _EXACT and turns == np.floor(high / whole):
        tighten(d, n, under(low - turns * whole), over(high - turns * whole), 0)
    elif low >= 0.0 and high < whole:
        tighten(d, n, low, high, 0)


@kernel
def wrapped_signed(d: Domains, n: int, low: float, high: float) -> Any:
    """Intersect the signed domain of a bit vector with an interval, as :func:`wrapped` does with the unsigned one."""
    whole = power(d.code[n, WIDTH])
    half = whole / 2.0
    if low >= -half and high < half:
        tighten_signed(d, n, low, high)
    elif whole < _EXACT / 2.0 and abs(low) < _EXACT / 2.0 and abs(high) < _EXACT / 2.0:  # all sums here are exact
        turns = np.floor((low + half) / whole)
        if turns == np.floor((high + half) / whole):
            tighten_signed(d, n, low - turns * whole, high - turns * whole)


@kernel
def exact(op: int, same: bool, low: float, high: float, other_low: float, other_high: float) -> Any:
    """Return bounds of a sum, difference or product of integers, given the bounds of both operands.

    Args:
        op: ``B_ADD``, ``B_SUB`` or ``B_MUL``.
        same: whether both operands are the same value.
        low, high: the bounds of the first operand, inclusive.
        other_low, other_high: the bounds of the second operand, inclusive.
    """
    if op == B_ADD:
        return under(low + other_low), over(high + other_high)
    if op == B_SUB:
        return (0.0, 0.0) if same else (under(low - other_high), over(high - other_low))
    if same:
        size = max(abs(low), abs(high))
        nearest_ = 0.0 if low <= 0.0 <= high else min(abs(low), abs(high))
        return under(nearest_ * nearest_), over(size * size)
    w, x, y, z = low * other_low, low * other_high, high * other_low, high * other_high
    return under(min(min(w, x), min(y, z))), over(max(max(w, x), max(y, z)))


@kernel
def shifts(d: Domains, n: int) -> Any:
    """Return the powers of two by which a shift by row ``n`` multiplies or divides: the least and the greatest.

    A shift by more than the width counts as one by the width.
    """
    width = d.code[n, WIDTH]
    return power(int(min(d.low[n], float(width)))), power(int(min(d.high[n], float(width))))


@kernel
def pattern(kind: int, x: float) -> Any:
    """Return the bit pattern of a positive float of a kind, ``F32`` or ``F64``, as a double, rounded to nearest."""
    if kind == F32:
        return np.float64(np.float32(x).view(np.int32))
    return np.float64(np.float64(x).view(np.int64))


@kernel
def of_pattern(kind: int, bits: float) -> Any:
    """Return the positive float of a bit pattern; infinity for a NaN's pattern."""
    if kind == F32:
        return np.float64(np.int32(min(bits, 2139095040.0)).view(np.float32))
    return np.int64(min(bits, 9218868437227405312.0)).view(np.float64)
