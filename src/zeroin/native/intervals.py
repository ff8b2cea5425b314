"""Interval arithmetic on terms as tapes: what values the parts of a term may have, for boxes of inputs.

A tape has a row for each part of a term, after those of its arguments: operation, arguments, kind, width, two numbers.
The domain of a part is an interval of numbers, and whether it may be NaN. A bit vector is the unsigned number, Bool is
0 and 1; 0.0 stands for both zeros. Bounds are doubles, rounded outwards where they have no room.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from .kernel import inlined, kernel

BOOL, F64, F32, INT, BITS = 0, 1, 2, 3, 4  # kinds
# Columns of a row.
OP, A, B, C, KIND, WIDTH, P, Q, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7, 8

(LEAF, NOT, AND, OR, ITE, EQUAL, EQ, LT, LE, SLT, SLE, IS_NAN, IS_INF, ADD, SUB, MUL, DIV, SQRT, ABS, NEG, ROUND, MIN,
 MAX, CAST, FROM_SIGNED, TO_INT, TO_SIGNED, TO_UNSIGNED, TO_BITS, FROM_BITS, I_ADD, I_SUB, I_MUL, I_NEG, I_ABS, I_DIV,
 I_MOD, QUOTIENT, B_AND, B_OR, B_NOT, B_NEG, EXTRACT, WIDEN, SIGN, SHR, SHL, CONCAT, B_DIV, B_MOD, SIGNED, MODULO,
 WITHIN, SINE, RISING, FALLING, HYPOT, FMOD, COPYSIGN, POW) = range(60)  # fmt: skip

EXP, EXPM1, LOG, LOG2, LOG10, LOG1P, ATAN, TANH, SINH, ASINH, ERF, ASIN, ACOS = range(13)  # by P of RISING and FALLING
_INF, _TINY, _EXACT = math.inf, 5e-324, 2.0**53
LOOSE = 8  # ULPs by which a value of the C library may be wrong


class Domains(NamedTuple):
    """What the parts of a tape may be.

    Attributes:
        code: the tape.
        low, high: the bounds; infinity and minus infinity if it is no number.
        nan: 1 if it may be NaN.
        state: whether a domain has become smaller, and whether one is empty.
    """

    code: Any
    low: Any
    high: Any
    nan: Any
    state: Any


# ---- bounds ----


@inlined
def up(x: float) -> Any:
    """The next double."""
    if x == 0.0:
        return _TINY
    if x == _INF or x != x:
        return x
    bits = np.float64(x).view(np.int64)
    return np.int64(bits + 1 if x > 0.0 else bits - 1).view(np.float64)


@inlined
def down(x: float) -> Any:
    return -up(-x)


@kernel
def above(kind: int, x: float) -> Any:
    """A float of the kind that is greater; infinity has none."""
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
    return -above(kind, -x)


@inlined
def over(x: float) -> Any:
    """An upper bound of a number that has been rounded to this one."""
    return x if abs(x) < _EXACT else up(x)


@inlined
def under(x: float) -> Any:
    return x if abs(x) < _EXACT else down(x)


@inlined
def nearest(kind: int, x: float) -> Any:
    """Rounded to the kind."""
    return np.float64(np.float32(x)) if kind == F32 else x


@inlined
def power(exponent: int) -> Any:
    """Of two, where doubles have it."""
    return np.int64((exponent + 1023) << 52).view(np.float64)


@inlined
def product(x: float, y: float) -> Any:
    """Of bounds: infinity stands for numbers without bound."""
    return 0.0 if x == 0.0 or y == 0.0 else x * y


@kernel
def tighten(d: Domains, n: int, low: float, high: float, nan: int) -> Any:
    """A part is between these; a bound that is NaN is none."""
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


@inlined
def is_no_number(d: Domains, n: int) -> Any:
    return d.low[n] > d.high[n]


@inlined
def has_zero(d: Domains, n: int) -> Any:
    return d.low[n] <= 0.0 and d.high[n] >= 0.0


@inlined
def has_infinity(d: Domains, n: int) -> Any:
    return d.low[n] == -_INF or d.high[n] == _INF


@inlined
def most(d: Domains, n: int) -> Any:
    """The largest magnitude."""
    return max(abs(d.low[n]), abs(d.high[n]))


@inlined
def least(d: Domains, n: int) -> Any:
    """The smallest magnitude."""
    if d.low[n] <= 0.0 and d.high[n] >= 0.0:
        return 0.0
    return min(abs(d.low[n]), abs(d.high[n]))


@kernel
def as_signed(d: Domains, n: int) -> Any:
    """The bounds of a bit vector as a signed number."""
    half = power(d.code[n, WIDTH] - 1)
    if d.high[n] < half:
        return d.low[n], d.high[n]
    if d.low[n] >= half:
        return under(d.low[n] - 2.0 * half), min(over(d.high[n] - 2.0 * half), -1.0)
    return -half, half - 1.0


@kernel
def tighten_signed(d: Domains, n: int, low: float, high: float) -> Any:
    """A bit vector is between these, as a signed number."""
    mine, whole = as_signed(d, n), power(d.code[n, WIDTH])
    low, high = max(low, mine[0]), min(high, mine[1])
    if low > high:
        d.state[1] = 1
    elif low >= 0.0:
        tighten(d, n, low, high, 0)
    elif high < 0.0:
        tighten(d, n, under(low + whole), over(high + whole), 0)


@kernel
def wrapped(d: Domains, n: int, low: float, high: float) -> Any:
    """A bit vector is between these, modulo its range."""
    whole = power(d.code[n, WIDTH])
    turns = np.floor(low / whole)
    if abs(low) < _EXACT and abs(high) < _EXACT and turns == np.floor(high / whole):
        tighten(d, n, under(low - turns * whole), over(high - turns * whole), 0)
    elif low >= 0.0 and high < whole:
        tighten(d, n, low, high, 0)


@kernel
def pattern(kind: int, x: float) -> Any:
    """The bits of a positive float, as a number."""
    if kind == F32:
        return np.float64(np.float32(x).view(np.int32))
    return np.float64(np.float64(x).view(np.int64))


@kernel
def of_pattern(kind: int, bits: float) -> Any:
    """The positive float of a pattern; infinity for those of NaN, too."""
    if kind == F32:
        return np.float64(np.int32(min(bits, 2139095040.0)).view(np.float32))
    return np.int64(min(bits, 9218868437227405312.0)).view(np.float64)
