"""Backward interval propagation: from the domain of a row to the domains of its arguments (:mod:`.intervals`).

In all kernels, ``d`` are the domains, ``n`` is the row, ``op`` its operation, and ``a`` and ``b`` are the rows of its
arguments.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# isort: off
from .intervals import (
    ABS, ADD, AND, B_ADD, B_AND, B_MUL, B_SUB, BITS, CAST, DIV, EQ, EQUAL, EXTRACT, F64, FROM_BITS, FROM_SIGNED, I_ABS,
    I_ADD, I_DIV, I_MUL, I_NEG, I_SUB, INT, IS_INF, IS_NAN, ITE, KIND, LE, LEAF, LT, MAX, MIN, MODULO, MUL, NEG, NOT,
    OR, QUOTIENT, ROUND, S_SHR, SHR, SIGN, SIGNED, SLT, SQRT, SUB, TO_BITS, TO_INT, WIDEN, WIDTH, A, B, C, Domains, P,
    Q, above, as_signed, below, down, exact, has_infinity, is_no_number, of_pattern, over, pattern, power, product,
    shifts, tighten, tighten_signed, under, up,
)  # fmt: skip

# isort: on
from .kernel import kernel

_INF = math.inf


@kernel
def backward(d: Domains, n: int) -> Any:
    """Shrink the domains of a row's arguments, given its own domain, and update ``d.state`` (:class:`.Domains`).

    C library functions, and other operations without a rule here, leave the domains as they are.
    """
    row = d.code[n]
    op, a, b = row[0], row[A], row[B]
    if op == LEAF:
        return
    if op <= ITE:
        _logic(d, n, op, a, b)
    elif op <= IS_INF:
        if d.low[n] == d.high[n]:
            _compared(d, op, a, b, d.low[n] == 1.0)
    elif op <= FROM_SIGNED:
        _of_floats(d, n, op, a, b)
    elif op <= FROM_BITS:
        _cast(d, n, op, a)
    elif op <= QUOTIENT:
        _of_ints(d, n, op, a, b)
    elif op <= MODULO:
        _of_bits(d, n, op, a, b)


@kernel
def _same(d: Domains, n: int, a: int) -> Any:
    """Intersect the domains of two rows, whose values are the same."""
    tighten(d, a, d.low[n], d.high[n], d.nan[n])
    tighten(d, n, d.low[a], d.high[a], d.nan[a])
    if d.code[n, KIND] == BITS:
        x, y = as_signed(d, n), as_signed(d, a)
        tighten_signed(d, a, x[0], x[1])
        tighten_signed(d, n, y[0], y[1])


@kernel
def _logic(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the arguments' domains of a Boolean operation or an if-then-else."""
    low, high = d.low, d.high
    if op == NOT:
        tighten(d, a, 1.0 - high[n], 1.0 - low[n], 0)
    elif op == AND:
        if low[n] == 1.0:
            tighten(d, a, 1.0, 1.0, 0)
            tighten(d, b, 1.0, 1.0, 0)
        elif high[n] == 0.0 and low[a] == 1.0:
            tighten(d, b, 0.0, 0.0, 0)
        elif high[n] == 0.0 and low[b] == 1.0:
            tighten(d, a, 0.0, 0.0, 0)
    elif op == OR:
        if high[n] == 0.0:
            tighten(d, a, 0.0, 0.0, 0)
            tighten(d, b, 0.0, 0.0, 0)
        elif low[n] == 1.0 and high[a] == 0.0:
            tighten(d, b, 1.0, 1.0, 0)
        elif low[n] == 1.0 and high[b] == 0.0:
            tighten(d, a, 1.0, 1.0, 0)
    elif op == ITE:
        c = d.code[n, C]
        if _apart(d, n, b):
            tighten(d, a, 0.0, 0.0, 0)
        if _apart(d, n, c):
            tighten(d, a, 1.0, 1.0, 0)
        if low[a] == 1.0:
            _same(d, n, b)
        elif high[a] == 0.0:
            _same(d, n, c)


@kernel
def _apart(d: Domains, a: int, b: int) -> Any:
    """Whether two rows can not have the same value."""
    if d.code[a, KIND] == BITS:
        x, y = as_signed(d, a), as_signed(d, b)
        if max(x[0], y[0]) > min(x[1], y[1]):
            return True
    return (max(d.low[a], d.low[b]) > min(d.high[a], d.high[b])) and (d.nan[a] & d.nan[b]) == 0


# ---- conditions ----


@kernel
def _compared(d: Domains, op: int, a: int, b: int, holds: bool) -> Any:
    """Shrink the operands' domains of a comparison or of a test for NaN or infinity, given whether it holds."""
    if op == IS_NAN:
        if holds:
            tighten(d, a, _INF, -_INF, 1)
        else:
            tighten(d, a, -_INF, _INF, 0)
    elif op == IS_INF:
        if holds:
            tighten(d, a, _INF if d.low[a] > -_INF else -_INF, -_INF if d.high[a] < _INF else _INF, 0)
        else:
            largest = below(d.code[a, KIND], _INF)
            tighten(d, a, -largest, largest, 1)
    elif a == b and op in (EQ, LE) and not holds:
        tighten(d, a, _INF, -_INF, d.nan[a])
    elif op in (EQUAL, EQ):
        if holds:
            low, high = max(d.low[a], d.low[b]), min(d.high[a], d.high[b])
            nan = d.nan[a] & d.nan[b] if op == EQUAL else 0
            tighten(d, a, low, high, nan)
            tighten(d, b, low, high, nan)
            if d.code[a, KIND] == BITS:
                _same(d, a, b)
        elif op == EQ or d.code[a, KIND] >= INT or d.code[a, KIND] == 0:
            _differ(d, a, b)
            _differ(d, b, a)
    elif op >= SLT:
        _ordered_signed(d, op, a, b, holds)
    elif holds:
        tighten(d, a, -_INF, _INF, 0)
        tighten(d, b, -_INF, _INF, 0)
        _ordered(d, a, b, op == LT)
    elif d.nan[a] == 0 and d.nan[b] == 0:
        _ordered(d, b, a, op == LE)


@kernel
def _differ(d: Domains, a: int, b: int) -> Any:
    """Shrink the domain of a row whose value differs from that of ``b``, if the value of ``b`` is known.

    Only a value at a bound of the domain can be removed.
    """
    value = d.low[b]
    if value != d.high[b] or d.nan[b] or abs(value) >= 2.0**53:
        return
    kind = d.code[a, KIND]
    whole = kind >= INT or kind == 0
    if d.low[a] == value:
        tighten(d, a, value + 1.0 if whole else above(kind, value), d.high[a], d.nan[a])
    if d.high[a] == value:
        tighten(d, a, d.low[a], value - 1.0 if whole else below(kind, value), d.nan[a])
    if kind == BITS:
        x, signed = as_signed(d, a), as_signed(d, b)[0]
        if x[0] == signed:
            tighten_signed(d, a, signed + 1.0, _INF)
        if x[1] == signed:
            tighten_signed(d, a, -_INF, signed - 1.0)


@kernel
def _ordered(d: Domains, a: int, b: int, strictly: bool) -> Any:
    """Shrink the domains of two rows, given that ``a`` is less than ``b``, or also equal to it if not ``strictly``.

    If one becomes empty, ``d.state`` says so. Whether a value may be NaN stays as it is. Returns nothing.
    """
    kinds = d.code[a, KIND], d.code[b, KIND]
    high, low = d.high[b], d.low[a]
    if strictly and kinds[0] >= INT and kinds[1] >= INT:
        high, low = (high - 1.0 if abs(high) < 2.0**53 else high), (low + 1.0 if abs(low) < 2.0**53 else low)
    elif strictly and kinds[0] < INT and kinds[1] < INT:
        high, low = (-_INF if high == -_INF else down(high)), up(low)
        if d.high[b] == -_INF or d.low[a] == _INF:
            d.state[1] = 1
    tighten(d, a, -_INF, high, d.nan[a])
    tighten(d, b, low, _INF, d.nan[b])


@kernel
def _ordered_signed(d: Domains, op: int, a: int, b: int, holds: bool) -> Any:
    """Shrink the operands' domains of a signed comparison of bit vectors, given whether it holds."""
    if not holds:
        a, b = b, a
    strictly = (op == SLT) == holds
    x, y = as_signed(d, a), as_signed(d, b)
    tighten_signed(d, a, -_INF, y[1] - 1.0 if strictly and abs(y[1]) < 2.0**53 else y[1])
    tighten_signed(d, b, x[0] + 1.0 if strictly and abs(x[0]) < 2.0**53 else x[0], _INF)


# ---- floats ----


@kernel
def _of_floats(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the arguments' domains of a float operation, or of a signed integer that becomes a float."""
    low, high = d.low, d.high
    if op in (MIN, MAX):
        _extreme(d, n, op, a, b)
        return
    if op in (ABS, NEG):
        _sign(d, n, op, a)
        return
    if op in (CAST, FROM_SIGNED) or d.nan[n] == 0:
        if is_no_number(d, n):
            if op == CAST:
                tighten(d, a, _INF, -_INF, 1)
            return
    else:
        return
    kind = d.code[n, KIND]
    # Bounds of the exact value before rounding.
    least, most_ = below(kind, low[n]), above(kind, high[n])
    if op == CAST:
        tighten(d, a, least, most_, d.nan[n])
        return
    if op == FROM_SIGNED:
        tighten_signed(d, a, np.floor(least), np.ceil(most_))
        return
    tighten(d, a, -_INF, _INF, 0)
    if op <= DIV:
        tighten(d, b, -_INF, _INF, 0)
    if d.state[1]:
        return
    if op == ADD:
        tighten(d, a, down(least - high[b]), up(most_ - low[b]), 0)
        tighten(d, b, down(least - high[a]), up(most_ - low[a]), 0)
    elif op == SUB:
        tighten(d, a, down(least + low[b]), up(most_ + high[b]), 0)
        tighten(d, b, down(low[a] - most_), up(high[a] - least), 0)
    elif op == MUL:
        _factor(d, a, b, least, most_)
        _factor(d, b, a, least, most_)
    elif op == DIV:
        if not has_infinity(d, b) and not has_infinity(d, n):
            w, x = product(least, low[b]), product(least, high[b])
            y, z = product(most_, low[b]), product(most_, high[b])
            tighten(d, a, down(min(min(w, x), min(y, z))), up(max(max(w, x), max(y, z))), 0)
    elif op == SQRT:
        tighten(d, a, down(least * least) if least > 0.0 else 0.0, up(most_ * most_), 0)
    elif op == ROUND:
        tighten(d, a, low[n] - 1.0 if abs(low[n]) < 2.0**53 else low[n],
                high[n] + 1.0 if abs(high[n]) < 2.0**53 else high[n], 0)  # fmt: skip


@kernel
def _factor(d: Domains, a: int, b: int, least: float, most_: float) -> Any:
    """Shrink the domain of the factor ``a`` of a product ``a * b`` that lies between these bounds."""
    low, high = d.low[b], d.high[b]
    if low <= 0.0 <= high or (has_infinity(d, b) and (least == -_INF or most_ == _INF)):
        return
    w, x, y, z = least / low, least / high, most_ / low, most_ / high
    tighten(d, a, down(min(min(w, x), min(y, z))), up(max(max(w, x), max(y, z))), 0)


@kernel
def _sign(d: Domains, n: int, op: int, a: int) -> Any:
    """Shrink the argument's domain of a float's negation or absolute value."""
    low, high = d.low, d.high
    if op == NEG:
        tighten(d, a, -high[n], -low[n], d.nan[n])
        return
    if is_no_number(d, n):
        tighten(d, a, _INF, -_INF, d.nan[n])
        return
    start = low[n] if low[a] > -low[n] else -high[n]
    stop = -low[n] if high[a] < low[n] else high[n]
    tighten(d, a, start, stop, d.nan[n])


@kernel
def _extreme(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the arguments' domains of a minimum or maximum of floats. An argument that is a number is on its side."""
    if is_no_number(d, n):
        tighten(d, a, _INF, -_INF, d.nan[n])
        tighten(d, b, _INF, -_INF, d.nan[n])
    elif op == MIN:
        tighten(d, a, d.low[n], _INF, d.nan[a])
        tighten(d, b, d.low[n], _INF, d.nan[b])
    else:
        tighten(d, a, -_INF, d.high[n], d.nan[a])
        tighten(d, b, -_INF, d.high[n], d.nan[b])


# ---- casts ----


@kernel
def _cast(d: Domains, n: int, op: int, a: int) -> Any:
    """Shrink the argument's domain of a cast from a float to an Int, or between a float and its bits."""
    low, high = d.low[n], d.high[n]
    if op == TO_INT:
        if d.nan[a] == 0 and not has_infinity(d, a):
            tighten(d, a, under(low - 1.0), over(high + 1.0), 0)
    elif op == TO_BITS:
        kind = d.code[a, KIND]
        half = power(d.code[n, WIDTH] - 1)
        infinity = 9218868437227405312.0 if kind == F64 else 2139095040.0
        if high < half:
            if low > infinity:
                tighten(d, a, _INF, -_INF, 1)
            else:
                tighten(d, a, of_pattern(kind, low), of_pattern(kind, high), int(high > infinity))
        elif low >= half:
            if low - half > infinity:
                tighten(d, a, _INF, -_INF, 1)
            else:
                least, most_ = max(under(low - half), 0.0), over(high - half)
                tighten(d, a, -of_pattern(kind, most_), -of_pattern(kind, least), int(most_ > infinity))
    elif op == FROM_BITS and d.nan[n] == 0 and low <= high:
        kind = d.code[n, KIND]
        half = power(d.code[a, WIDTH] - 1)
        if low > 0.0:
            tighten(d, a, under(pattern(kind, low)), over(pattern(kind, high)), 0)
        elif high < 0.0:
            tighten(d, a, under(half + pattern(kind, -high)), over(half + pattern(kind, -low)), 0)


# ---- integers ----


@kernel
def _of_ints(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the arguments' domains of an operation on Ints."""
    low, high = d.low, d.high
    if op == I_ADD:
        tighten(d, a, under(low[n] - high[b]), over(high[n] - low[b]), 0)
        tighten(d, b, under(low[n] - high[a]), over(high[n] - low[a]), 0)
    elif op == I_SUB:
        tighten(d, a, under(low[n] + low[b]), over(high[n] + high[b]), 0)
        tighten(d, b, under(low[a] - high[n]), over(high[a] - low[n]), 0)
    elif op == I_MUL:
        _factor(d, a, b, low[n], high[n])
        _factor(d, b, a, low[n], high[n])
        if a == b and high[n] < _INF:
            root = up(math.sqrt(max(high[n], 0.0)))
            tighten(d, a, -root, root, 0)
    elif op == I_NEG:
        tighten(d, a, -high[n], -low[n], 0)
    elif op == I_ABS:
        start = low[n] if low[a] > -low[n] else -high[n]
        stop = -low[n] if high[a] < low[n] else high[n]
        tighten(d, a, start, stop, 0)
    elif op == I_DIV and low[b] > 0.0 and low[b] == high[b]:
        tighten(d, a, down(low[n] * low[b]), up(over(high[n] + 1.0) * low[b]), 0)


# ---- bit vectors ----


@kernel
def _of_bits(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the arguments' domains of an operation on bit vectors."""
    low, high, row = d.low, d.high, d.code[n]
    if op <= B_MUL:
        _wrapping(d, n, op, a, b)
    elif op == MODULO:
        whole, bounds = power(row[WIDTH]), as_signed(d, n)
        turns = np.floor(low[a] / whole)
        if abs(low[a]) < 2.0**53 and abs(high[a]) < 2.0**53 and turns == np.floor(high[a] / whole):
            tighten(d, a, under(low[n] + turns * whole), over(high[n] + turns * whole), 0)
        if low[a] >= -whole / 2.0 and high[a] < whole / 2.0:
            tighten(d, a, bounds[0], bounds[1], 0)
    elif op == SIGNED:
        tighten_signed(d, a, low[n], high[n])
    elif op == WIDEN:
        tighten(d, a, low[n], high[n], 0)
    elif op == SIGN:
        bounds = as_signed(d, n)
        tighten_signed(d, a, bounds[0], bounds[1])
    elif op == EXTRACT:
        unit = power(row[Q])
        if row[P] == d.code[a, WIDTH] - 1:
            tighten(d, a, under(low[n] * unit), over(over(high[n] + 1.0) * unit), 0)
    elif op in (SHR, S_SHR):
        unit, farthest = shifts(d, b)
        bounds = as_signed(d, n)
        if unit == farthest and unit < power(row[WIDTH]):
            if op == SHR:
                tighten(d, a, under(low[n] * unit), over(over(high[n] + 1.0) * unit), 0)
            else:
                tighten_signed(d, a, under(bounds[0] * unit), over(over(bounds[1] + 1.0) * unit - 1.0))
    elif op == B_AND:
        tighten(d, a, low[n], _INF, 0)
        tighten(d, b, low[n], _INF, 0)
        if row[P]:
            unit = power(row[P])
            turns = np.floor(low[a] / unit)
            if high[a] < 2.0**53 and turns == np.floor(high[a] / unit):
                tighten(d, a, low[n] + turns * unit, high[n] + turns * unit, 0)


@kernel
def _wrapping(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the operands' domains of a sum, difference or product of bit vectors that does not wrap around.

    The unsigned and the signed numbers are looked at one after the other.
    """
    whole = power(d.code[n, WIDTH])
    x = d.low[a], d.high[a]
    y = d.low[b], d.high[b]
    result = exact(op, a == b, x[0], x[1], y[0], y[1])
    turns = np.floor(result[0] / whole)
    if abs(result[0]) < 2.0**53 and abs(result[1]) < 2.0**53 and turns == np.floor(result[1] / whole):
        low, high = under(d.low[n] + turns * whole), over(d.high[n] + turns * whole)
        first, second = _operand(op, True, low, high, y), _operand(op, False, low, high, x)
        tighten(d, a, first[0], first[1], 0)
        tighten(d, b, second[0], second[1], 0)
        if op == B_MUL and a == b:
            tighten(d, a, 0.0, up(math.sqrt(max(high, 0.0))), 0)
    x, y = as_signed(d, a), as_signed(d, b)
    result = exact(op, a == b, x[0], x[1], y[0], y[1])
    if result[0] >= -whole / 2.0 and result[1] < whole / 2.0:
        low, high = as_signed(d, n)
        first, second = _operand(op, True, low, high, y), _operand(op, False, low, high, x)
        tighten_signed(d, a, np.ceil(first[0]), np.floor(first[1]))
        tighten_signed(d, b, np.ceil(second[0]), np.floor(second[1]))
        if op == B_MUL and a == b:
            root = np.floor(up(math.sqrt(max(high, 0.0))))
            tighten_signed(d, a, -root, root)


@kernel
def _operand(op: int, is_first: bool, low: float, high: float, other: Any) -> Any:
    """Return bounds of an operand of an exact sum, difference or product of integers.

    Args:
        op: ``B_ADD``, ``B_SUB`` or ``B_MUL``.
        is_first: whether it is the first operand.
        low, high: the bounds of the result.
        other: the bounds of the other operand.
    """
    if op == B_ADD or (op == B_SUB and is_first):
        least, most_ = (other[0], other[1]) if op == B_SUB else (-other[1], -other[0])
        return under(low + least), over(high + most_)
    if op == B_SUB:
        return under(other[0] - high), over(other[1] - low)
    if other[0] <= 0.0 <= other[1]:
        return -_INF, _INF
    w, x, y, z = low / other[0], low / other[1], high / other[0], high / other[1]
    return down(min(min(w, x), min(y, z))), up(max(max(w, x), max(y, z)))
