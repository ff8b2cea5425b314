"""Forward interval propagation: from the domains of arguments to the domain of a row (:mod:`.intervals`).

In all kernels, ``d`` are the domains, ``n`` is the row, ``op`` its operation, and ``a`` and ``b`` are the rows of its
arguments.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# isort: off
from .intervals import (
    ABS, ADD, AND, B_AND, B_DIV, B_MOD, B_MUL, B_NEG, B_NOT, B_OR, B_XOR, BITS, CAST, CONCAT, DIV, EQ,
    EQUAL, EXTRACT, F64, FROM_BITS, FROM_SIGNED, I_ABS, I_ADD, I_MOD, I_MUL, I_NEG, I_SUB, INT, IS_INF, IS_NAN, ITE,
    KIND, LE, LEAF, LT, MAX, MIN, MODULO, MUL, NEG, NOT, OR, QUOTIENT, ROUND, S_DIV, S_REM, S_SHR, SHL, SHR, SIGN,
    SIGNED, SLE, SLT, SQRT, SUB, TO_BITS, TO_INT, TO_SIGNED, TO_UNSIGNED, WIDEN, WIDTH, A, B, C, Domains, P, Q, above,
    as_signed, below, down, exact, has_infinity, has_zero, is_no_number, least, most, nearest, of_pattern, over,
    pattern, power, product, shifts, tighten, tighten_signed, under, up, wrapped, wrapped_signed,
)  # fmt: skip

# isort: on
from .functions import of_function
from .kernel import kernel

_INF = math.inf


@kernel
def forward(d: Domains, n: int) -> Any:
    """Shrink the domain of a row, given those of its arguments, and update ``d.state`` (:class:`.Domains`)."""
    row = d.code[n]
    op, a, b = row[0], row[A], row[B]
    if op == LEAF:
        return
    if op <= IS_INF:
        _condition(d, n, op, a, b)
    elif op <= FROM_SIGNED:
        _of_floats(d, n, op, a, b)
    elif op <= FROM_BITS:
        _cast(d, n, op, a)
    elif op <= QUOTIENT:
        _of_ints(d, n, op, a, b)
    elif op <= MODULO:
        _of_bits(d, n, op, a, b)
    else:
        of_function(d, n, op, a, b)


# ---- conditions ----


@kernel
def _condition(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a condition or of an if-then-else, given those of its arguments."""
    low, high = d.low, d.high
    if op == NOT:
        tighten(d, n, 1.0 - high[a], 1.0 - low[a], 0)
    elif op == AND:
        tighten(d, n, min(low[a], low[b]), min(high[a], high[b]), 0)
    elif op == OR:
        tighten(d, n, max(low[a], low[b]), max(high[a], high[b]), 0)
    elif op == ITE:
        c = d.code[n, C]
        if low[a] == 1.0:
            c = b
        elif high[a] == 0.0:
            b = c
        tighten(d, n, min(low[b], low[c]), max(high[b], high[c]), d.nan[b] | d.nan[c])
        if d.code[n, KIND] == BITS:
            x, y = as_signed(d, b), as_signed(d, c)
            tighten_signed(d, n, min(x[0], y[0]), max(x[1], y[1]))
    elif op == IS_NAN:
        tighten(d, n, 1.0 if is_no_number(d, a) else 0.0, d.nan[a], 0)
    elif op == IS_INF:
        surely = d.nan[a] == 0 and (low[a] == _INF or high[a] == -_INF)
        tighten(d, n, 1.0 if surely else 0.0, 1.0 if has_infinity(d, a) and not is_no_number(d, a) else 0.0, 0)
    elif op >= SLT:
        x, y = as_signed(d, a), as_signed(d, b)
        never = x[0] > y[1] or (op == SLT and x[0] == y[1])
        surely = x[1] < y[0] or (op == SLE and x[1] == y[0])
        tighten(d, n, 1.0 if surely else 0.0, 0.0 if never else 1.0, 0)
    else:
        _compared(d, n, op, a, b)


@kernel
def _compared(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a comparison, other than a signed one of bit vectors."""
    low, high = d.low, d.high
    numbers = not is_no_number(d, a) and not is_no_number(d, b)
    neither = d.nan[a] == 0 and d.nan[b] == 0
    if a == b and op != EQUAL:  # the values of one row differ at most in the sign of a zero
        never, surely = not numbers or op == LT, neither and op != LT
    elif op in (EQUAL, EQ):
        never = not numbers or low[a] > high[b] or high[a] < low[b]
        if d.code[a, KIND] == BITS:
            x, y = as_signed(d, a), as_signed(d, b)
            never = never or x[0] > y[1] or x[1] < y[0]
        surely = numbers and neither and low[a] == high[a] and low[b] == high[b] and low[a] == low[b]
        if op == EQUAL:
            never = never and not (d.nan[a] == 1 and d.nan[b] == 1)
            surely = surely and (low[a] != 0.0 or d.code[a, KIND] >= INT or d.code[a, KIND] == 0)
    else:
        never = not numbers or low[a] > high[b] or (op == LT and low[a] == high[b])
        surely = numbers and neither and (high[a] < low[b] or (op == LE and high[a] == low[b]))
    tighten(d, n, 1.0 if surely else 0.0, 0.0 if never else 1.0, 0)


# ---- floats ----


@kernel
def _rounded(d: Domains, n: int, low: float, high: float, nan: int) -> Any:
    """Shrink the domain of a float that is the rounding of a number between two bounds.

    The bounds themselves are rounded to nearest.
    """
    kind = d.code[n, KIND]
    low, high = nearest(kind, low), nearest(kind, high)
    if d.code[n, P]:  # another rounding mode
        low, high = below(kind, low), above(kind, high)
    tighten(d, n, low, high, nan)


@kernel
def _of_floats(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a float operation, or of a signed integer that becomes a float."""
    low, high, nan = d.low, d.high, d.nan
    two = op <= DIV or op in (MIN, MAX)
    either = nan[a] | (nan[b] if two else 0)
    if op in (MIN, MAX):
        _extreme(d, n, op, a, b)
    elif is_no_number(d, a) or (two and is_no_number(d, b)):
        tighten(d, n, _INF, -_INF, 1)
    elif op == ADD:
        mixed = (high[a] == _INF and low[b] == -_INF) or (low[a] == -_INF and high[b] == _INF)
        _rounded(d, n, low[a] + low[b], high[a] + high[b], either | int(mixed))
    elif op == SUB and a == b:
        tighten(d, n, 0.0, 0.0, either | int(has_infinity(d, a)))
    elif op == SUB:
        mixed = (high[a] == _INF and high[b] == _INF) or (low[a] == -_INF and low[b] == -_INF)
        _rounded(d, n, low[a] - high[b], high[a] - low[b], either | int(mixed))
    elif op == MUL:
        w, x = product(low[a], low[b]), product(low[a], high[b])
        y, z = product(high[a], low[b]), product(high[a], high[b])
        mixed = (has_zero(d, a) and has_infinity(d, b)) or (has_infinity(d, a) and has_zero(d, b))
        if a == b:  # a square: products of different bounds do not occur
            w, x, mixed = product(least(d, a), least(d, a)), product(most(d, a), most(d, a)), False
            y, z = w, x
        _rounded(d, n, min(min(w, x), min(y, z)), max(max(w, x), max(y, z)), either | int(mixed))
    elif op == DIV:
        if has_zero(d, b):
            mixed = has_zero(d, a) or (has_infinity(d, a) and has_infinity(d, b))
            tighten(d, n, -_INF, _INF, either | int(mixed))
        elif has_infinity(d, a) and has_infinity(d, b):
            tighten(d, n, -_INF, _INF, 1)
        else:
            w, x, y, z = low[a] / low[b], low[a] / high[b], high[a] / low[b], high[a] / high[b]
            _rounded(d, n, min(min(w, x), min(y, z)), max(max(w, x), max(y, z)), either)
    elif op == SQRT:
        if high[a] < 0.0:
            tighten(d, n, _INF, -_INF, 1)
        else:
            _rounded(d, n, math.sqrt(max(low[a], 0.0)), math.sqrt(high[a]), either | int(low[a] < 0.0))
    elif op == ABS:
        tighten(d, n, least(d, a), most(d, a), either)
    elif op == NEG:
        tighten(d, n, -high[a], -low[a], either)
    elif op == ROUND:
        tighten(d, n, np.floor(low[a]), np.ceil(high[a]), either)
    elif op == CAST:
        _rounded(d, n, low[a], high[a], either)
    elif op == FROM_SIGNED:
        bounds = as_signed(d, a)
        _rounded(d, n, bounds[0], bounds[1], 0)


@kernel
def _extreme(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a minimum or maximum of floats."""
    low, high, nan = d.low, d.high, d.nan
    both = nan[a] & nan[b]
    least_, most_ = min(low[a], low[b]), max(high[a], high[b])
    # The result is at most (least) the argument that is a number for sure, whatever the other one is.
    if op == MIN:
        tighten(d, n, least_, min(most_, high[b] if nan[b] == 0 else _INF, high[a] if nan[a] == 0 else _INF), both)
    else:
        tighten(d, n, max(least_, low[b] if nan[b] == 0 else -_INF, low[a] if nan[a] == 0 else -_INF), most_, both)


# ---- casts ----


@kernel
def _cast(d: Domains, n: int, op: int, a: int) -> Any:
    """Shrink the domain of a cast from a float to an integer, or between a float and its bits."""
    low, high = d.low[a], d.high[a]
    if op == FROM_BITS:
        _from_bits(d, n, low, high)
    elif d.nan[a] or low > high:
        return
    elif op == TO_INT:
        if not has_infinity(d, a):
            tighten(d, n, np.trunc(low), np.trunc(high), 0)
    elif op == TO_BITS:
        whole = power(d.code[n, WIDTH] - 1)
        kind = d.code[a, KIND]
        if low > 0.0:
            tighten(d, n, under(pattern(kind, low)), over(pattern(kind, high)), 0)
        elif high < 0.0:
            tighten(d, n, under(whole + pattern(kind, -high)), over(whole + pattern(kind, -low)), 0)
    else:
        whole = power(d.code[n, WIDTH])
        if op == TO_UNSIGNED and np.floor(low) >= 0.0 and np.ceil(high) < whole:
            tighten(d, n, np.floor(low), np.ceil(high), 0)
        elif op == TO_SIGNED and np.floor(low) >= -whole / 2.0 and np.ceil(high) < whole / 2.0:
            tighten_signed(d, n, np.floor(low), np.ceil(high))


@kernel
def _from_bits(d: Domains, n: int, low: float, high: float) -> Any:
    """Shrink the domain of a float that is made of bits between two bounds, both inclusive."""
    kind = d.code[n, KIND]
    half = 2.0**63 if kind == F64 else 2.0**31
    infinity = 9218868437227405312.0 if kind == F64 else 2139095040.0
    if high < half:
        if low > infinity:
            tighten(d, n, _INF, -_INF, 1)
        else:
            tighten(d, n, of_pattern(kind, low), of_pattern(kind, high), int(high > infinity))
    elif low >= half:
        if low - half > infinity:
            tighten(d, n, _INF, -_INF, 1)
        else:
            least_, most_ = under(low - half), over(high - half)
            tighten(d, n, -of_pattern(kind, most_), -of_pattern(kind, max(least_, 0.0)), int(most_ > infinity))


# ---- integers ----


@kernel
def _of_ints(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of an operation on Ints."""
    low, high = d.low, d.high
    if op == I_ADD:
        tighten(d, n, under(low[a] + low[b]), over(high[a] + high[b]), 0)
    elif op == I_SUB:
        tighten(d, n, under(low[a] - high[b]), over(high[a] - low[b]), 0)
    elif op == I_MUL:
        if a == b:
            tighten(d, n, under(product(least(d, a), least(d, a))), over(most(d, a) * most(d, a)), 0)
        w, x = product(low[a], low[b]), product(low[a], high[b])
        y, z = product(high[a], low[b]), product(high[a], high[b])
        tighten(d, n, under(min(min(w, x), min(y, z))), over(max(max(w, x), max(y, z))), 0)
    elif op == I_NEG:
        tighten(d, n, -high[a], -low[a], 0)
    elif op == I_ABS:
        tighten(d, n, least(d, a), most(d, a), 0)
    elif op == I_MOD:
        if low[b] > 0.0:
            if low[a] >= 0.0 and high[a] < low[b]:
                tighten(d, n, low[a], high[a], 0)
            tighten(d, n, 0.0, high[b] - 1.0 if high[b] < 2.0**53 else high[b], 0)
    elif not has_zero(d, b) and not (has_infinity(d, a) and has_infinity(d, b)):
        w, x, y, z = low[a] / low[b], low[a] / high[b], high[a] / low[b], high[a] / high[b]
        least_, most_ = down(min(min(w, x), min(y, z))), up(max(max(w, x), max(y, z)))
        if op == QUOTIENT:
            tighten(d, n, least_, most_, 0)
        else:
            tighten(d, n, np.floor(least_), np.floor(most_), 0)


# ---- bit vectors ----


@kernel
def _of_bits(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of an operation on bit vectors."""
    low, high, row = d.low, d.high, d.code[n]
    if op <= B_MUL:
        _wrapping(d, n, op, a, b)
    elif op in (SHR, S_SHR, SHL):
        _shifted(d, n, op, a, b)
    elif op in (S_DIV, S_REM):
        _divided(d, n, op, a, b)
    elif op == MODULO:  # an Int as a bit vector
        wrapped(d, n, low[a], high[a])
        wrapped_signed(d, n, low[a], high[a])
    elif op == SIGNED:
        bounds = as_signed(d, a)
        tighten(d, n, bounds[0], bounds[1], 0)
    elif op == WIDEN:
        tighten(d, n, low[a], high[a], 0)
    elif op == SIGN:
        bounds = as_signed(d, a)
        tighten_signed(d, n, bounds[0], bounds[1])
    elif op == EXTRACT:
        unit, bounds = power(row[Q]), as_signed(d, a)
        wrapped(d, n, np.floor(low[a] / unit), np.floor(high[a] / unit))
        wrapped_signed(d, n, np.floor(bounds[0] / unit), np.floor(bounds[1] / unit))
    elif op == CONCAT:
        unit = power(d.code[b, WIDTH])
        tighten(d, n, under(low[a] * unit + low[b]), over(high[a] * unit + high[b]), 0)
    elif op in (B_AND, B_OR, B_XOR):
        _bitwise(d, n, op, a, b)
    elif op == B_NOT:
        whole, bounds = power(row[WIDTH]), as_signed(d, a)
        tighten(d, n, under(under(whole - high[a]) - 1.0), over(over(whole - low[a]) - 1.0), 0)
        tighten_signed(d, n, under(-1.0 - bounds[1]), over(-1.0 - bounds[0]))
    elif op == B_NEG:
        whole, bounds = power(row[WIDTH]), as_signed(d, a)
        if low[a] > 0.0:
            tighten(d, n, under(whole - high[a]), over(whole - low[a]), 0)
        wrapped_signed(d, n, -bounds[1], -bounds[0])
    elif op == B_DIV:
        if low[b] > 0.0:
            tighten(d, n, np.floor(_ratio(low[a], high[b], -1)), np.floor(_ratio(high[a], low[b], 1)), 0)
    elif op == B_MOD and low[b] > 0.0:
        tighten(d, n, 0.0, min(high[a], high[b] - 1.0 if high[b] < 2.0**53 else high[b]), 0)
        if high[a] < low[b]:
            tighten(d, n, low[a], high[a], 0)


@kernel
def _wrapping(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a sum, difference or product of bit vectors, which may wrap around."""
    x, y = as_signed(d, a), as_signed(d, b)
    bounds = exact(op, a == b, d.low[a], d.high[a], d.low[b], d.high[b])
    wrapped(d, n, bounds[0], bounds[1])
    bounds = exact(op, a == b, x[0], x[1], y[0], y[1])
    wrapped_signed(d, n, bounds[0], bounds[1])


@kernel
def _shifted(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a shift. One by the width or more shifts out all bits, as a division by 2**width does."""
    signed, (fewest, farthest) = as_signed(d, a), shifts(d, b)
    if op == SHR:
        tighten(d, n, np.floor(d.low[a] / farthest), np.floor(d.high[a] / fewest), 0)
    elif op == S_SHR:
        tighten_signed(d, n, np.floor(signed[0] / (farthest if signed[0] >= 0.0 else fewest)),
                       np.floor(signed[1] / (fewest if signed[1] >= 0.0 else farthest)))  # fmt: skip
    else:
        wrapped(d, n, d.low[a] * fewest, d.high[a] * farthest)
        wrapped_signed(d, n, signed[0] * (fewest if signed[0] >= 0.0 else farthest),
                       signed[1] * (farthest if signed[1] >= 0.0 else fewest))  # fmt: skip


@kernel
def _divided(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a signed quotient, rounded towards zero, or of its remainder.

    A quotient by zero is 1 or -1, and such a remainder is the dividend.
    """
    x, y = as_signed(d, a), as_signed(d, b)
    size, zero = max(abs(x[0]), abs(x[1])), y[0] <= 0.0 <= y[1]
    if op == S_DIV and zero:
        wrapped_signed(d, n, -max(size, 1.0), max(size, 1.0))
    elif op == S_DIV:
        low = min(min(_ratio(x[0], y[0], -1), _ratio(x[0], y[1], -1)),
                  min(_ratio(x[1], y[0], -1), _ratio(x[1], y[1], -1)))  # fmt: skip
        high = max(max(_ratio(x[0], y[0], 1), _ratio(x[0], y[1], 1)),
                   max(_ratio(x[1], y[0], 1), _ratio(x[1], y[1], 1)))  # fmt: skip
        wrapped_signed(d, n, max(np.trunc(low), -size), min(np.trunc(high), size))
    else:
        divisor = max(abs(y[0]), abs(y[1]))
        if not zero:
            size = min(size, divisor - 1.0 if divisor < 2.0**53 else divisor)
        tighten_signed(d, n, -size if x[0] < 0.0 else 0.0, size if x[1] > 0.0 else 0.0)
        if not zero and max(abs(x[0]), abs(x[1])) < min(abs(y[0]), abs(y[1])):
            tighten_signed(d, n, x[0], x[1])


@kernel
def _ratio(x: float, y: float, way: int) -> Any:
    """Return a bound of the quotient of two integers other than x / 0: from above if ``way`` > 0, else from below.

    Both floor and truncation of the double nearest to the quotient are exact if the integers are below 2**53.
    """
    found = x / y
    if abs(x) < 2.0**53 and abs(y) < 2.0**53:
        return found
    return up(found) if way > 0 else down(found)


@kernel
def _bitwise(d: Domains, n: int, op: int, a: int, b: int) -> Any:
    """Shrink the domain of a bitwise and, or, exclusive or."""
    low, high, x, y = d.low, d.high, as_signed(d, a), as_signed(d, b)
    if op == B_AND:
        tighten(d, n, 0.0, min(high[a], high[b]), 0)
        if d.code[n, P]:  # a mask of the lowest bits
            wrapped_into(d, n, a, power(d.code[n, P]))
    else:
        tighten(d, n, max(low[a], low[b]) if op == B_OR else 0.0, _ones(max(high[a], high[b])), 0)
    ones = _ones(max(max(x[1], y[1]), max(-1.0 - x[0], -1.0 - y[0])))  # the bits above these are equal to the sign
    tighten_signed(d, n, -ones - 1.0, ones)


@kernel
def wrapped_into(d: Domains, n: int, a: int, unit: float) -> Any:
    """Shrink the domain of a row that is the remainder of row ``a`` by ``unit``.

    Nothing changes if row ``a`` crosses a multiple of ``unit``, or may reach 2**53.
    """
    turns = np.floor(d.low[a] / unit)
    if d.high[a] < 2.0**53 and turns == np.floor(d.high[a] / unit):
        tighten(d, n, d.low[a] - turns * unit, d.high[a] - turns * unit, 0)


@kernel
def _ones(x: float) -> Any:
    """Return the least number 2**k - 1 that is at least x, rounded up if it is no double."""
    found = 1.0
    while found <= x:
        found *= 2.0
    return found - 1.0 if found < 2.0**53 else found
