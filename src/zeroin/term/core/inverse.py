"""Inverse values: what one argument of a term must be for the term to have a given value, with the others fixed.

For bit vectors these are the inverse values of Niemetz, Preiner and Biere (Propagation based local search for
bit-precise reasoning, FMSD 2017). For floats, the inverse over the reals is used. If that misses the given value, its
neighbours up to 2 ULP away are tried.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ...words import Kind, bits_from_word, word_from_bits
from .evaluate import MEANING, same, signed
from .nodes import Op, Term, float_of_bits, own_bits
from .rounding import narrow
from .sorts import BOOL, FLOAT32, Sort

_ULPS = (0, 1, -1, 2, -2)
_FEW = 32  # the most steps beyond the nearest value: in a loop's condition, these are a few more iterations
Inverse = Callable[[Term, int, Any, Sequence[Any], random.Random], object]  # returns None if it knows no value


def inverse(term: Term, place: int, wanted: object, values: Sequence[object], rng: random.Random) -> object:
    """Return a value for one argument with which the term has a wanted value.

    Of several such values, this is mostly the nearest one to the present value, and sometimes a random one. A float may
    miss the wanted value by rounding.

    Args:
        term: the term whose value should change.
        place: the index of the argument, from 0. It must not be that of a rounding mode.
        wanted: the wanted value of the term.
        values: the present values of all its arguments.
        rng: chooses between several possible values.

    Returns:
        The value for the argument; None if there is none or none is known.
    """
    known = _INVERSES.get(term.op)
    if known is None:
        return None
    with suppress(ValueError, OverflowError, ZeroDivisionError):  # an inverse over the reals is not defined everywhere
        return known(term, place, wanted, values, rng)
    return None


# ---- conditions ----


def _and_or(term: Term, place: int, wanted: object, values: Sequence[object], rng: random.Random) -> object:
    """The inverse of ``AND`` and ``OR``: the wanted value; None if the argument has it already."""
    return wanted if values[place] is not wanted else None


def _ite(term: Term, place: int, wanted: object, values: Sequence[object], rng: random.Random) -> object:
    """The inverse of ``ITE``: the wanted value for the chosen case; the opposite condition, if that may help."""
    chosen = 1 if values[0] else 2
    if place:
        return wanted if place == chosen else None
    return not values[0] if same(values[3 - chosen], wanted) or rng.random() < 0.25 else None


def _equal(term: Term, place: int, wanted: object, values: Sequence[Any], rng: random.Random) -> object:
    """The inverse of ``EQUAL`` and of IEEE's ``FP_EQ``."""
    sort, other = term.args[place].sort, values[1 - place]
    if sort == BOOL:
        return bool(other) is bool(wanted)
    if other != other:
        return None if term.op is Op.FP_EQ else other if wanted else 0.0
    if wanted:
        return other
    if not _is_ordered(sort):
        return None
    bit = 1 << int(rng.random() ** 2 * sort.width)  # low bits are more likely
    pattern = (own_bits(sort, other) if sort.is_float else other) ^ bit
    found = float_of_bits(sort, pattern) if sort.is_float else pattern
    return 1.0 if sort.is_float and found == other else found  # 0.0 and -0.0 are equal


def _ordered(is_signed: bool, is_strict: bool) -> Inverse:
    """Return the inverse of ``a < b`` (strict) or ``a <= b`` on floats or bit vectors."""

    def found(term: Term, place: int, wanted: object, values: Sequence[float], rng: random.Random) -> float | None:
        sort, other = term.args[place].sort, values[1 - place]
        if other != other:
            return None if wanted else values[place]
        if sort.is_float and not wanted and rng.random() < 0.05:
            return math.nan
        low, high = _range(sort) if is_signed else (0, (1 << sort.width) - 1)
        is_below, apart = (place == 0) is wanted, is_strict is wanted
        if sort.is_float and other == 0:  # the two zeros are equal
            other = -0.0 if is_below is apart else 0.0
        limit = _number(sort, other, is_signed)
        if is_below:
            high = min(high, limit - apart)
        else:
            low = max(low, limit + apart)
        return _value(sort, _drawn(low, high, sort, values[place], is_signed, rng)) if low <= high else None

    return found


def _drawn(low: int, high: int, sort: Sort, now: object, is_signed: bool, rng: random.Random) -> int:
    """Return a number of the range: the nearest one to a value, one a few steps further, or sometimes any."""
    nearest = min(max(_number(sort, now, is_signed), low), high) if now == now else low
    if rng.random() < 0.2:
        return rng.randint(low, high)
    further = rng.choice((0, 0, rng.randrange(_FEW)))
    return min(nearest + further, high) if nearest == low else max(nearest - further, low)


def _is_ordered(sort: Sort) -> bool:
    return sort.is_float or sort.is_bits


def _kind(sort: Sort) -> Kind:
    return Kind.F32 if sort == FLOAT32 else Kind.F64


def _range(sort: Sort) -> tuple[int, int]:
    """Return the least and greatest integer that stand for values of the sort in their order, without NaN."""
    if sort.is_float:
        return _number(sort, -math.inf, True), _number(sort, math.inf, True)
    return -(1 << (sort.width - 1)), (1 << (sort.width - 1)) - 1


def _number(sort: Sort, value: Any, is_signed: bool) -> int:
    """Return the integer that stands for a value in the order of the values."""
    if sort.is_float:
        return word_from_bits(_kind(sort), own_bits(sort, value))
    return signed(value, sort.width) if is_signed else int(value)


def _value(sort: Sort, number: int) -> float:
    """Return the value for which an integer stands (:func:`_number`)."""
    if sort.is_float:
        return float_of_bits(sort, bits_from_word(_kind(sort), number))
    return number & ((1 << sort.width) - 1)


def _of_class(member: float, other: float) -> Inverse:
    """Return the inverse of a classification, such as "is NaN", given one float inside the class and one outside."""

    def found(term: Term, place: int, wanted: object, values: Sequence[float], rng: random.Random) -> float:
        chosen = member if wanted else other
        return chosen if rng.random() < 0.5 or values[place] != values[place] else math.copysign(chosen, values[place])

    return found


# ---- bit vectors ----


def _bits(function: Callable[[Term, int, int, Sequence[int]], int | None]) -> Inverse:
    """Return an inverse without random choice. Its result is None unless the term then has the wanted value."""

    def found(term: Term, place: int, wanted: int, values: Sequence[int], rng: random.Random) -> int | None:
        guess = function(term, place, wanted, values)
        if guess is None:
            return None
        guess &= (1 << term.args[place].sort.width) - 1
        after: int = MEANING[term.op](term, *(guess if n == place else v for n, v in enumerate(values)))
        return guess if after == wanted else None

    return found


def _masked(term: Term, place: int, wanted: int, values: Sequence[int], rng: random.Random) -> int | None:
    """The inverse of bitwise and, or. Bits that the other argument decides are free; None if only those are wrong."""
    now, mask = values[place], (1 << term.sort.width) - 1
    decided = values[1 - place] if term.op is Op.BV_OR else ~values[1 - place] & mask
    fill = rng.choice((now, now, ~now & mask, rng.getrandbits(term.sort.width)))
    found = wanted & ~decided | fill & decided
    return found if (found ^ now) & ~decided or not (wanted ^ MEANING[term.op](term, *values)) else None


def _multiplied(term: Term, place: int, wanted: int, values: Sequence[int]) -> int | None:
    """The inverse of ``BV_MUL``; a guess, which :func:`_bits` checks. None if the other factor is 0."""
    factor = values[1 - place]
    if not factor:
        return None
    low = (factor & -factor).bit_length() - 1
    return (wanted >> low) * pow(factor >> low, -1, 1 << term.sort.width)


def _divided(term: Term, place: int, wanted: int, values: Sequence[int]) -> int | None:
    """The inverse of divisions of bit vectors; a guess, which :func:`_bits` checks."""
    a, b = values
    if term.op is Op.BV_SDIV:
        a, b, wanted = (signed(v, term.sort.width) for v in (a, b, wanted))
    if place == 0:
        return wanted * b + (a % b if b and term.op is Op.BV_UDIV else 0)
    return a // wanted if wanted else None


def _rest(term: Term, place: int, wanted: int, values: Sequence[int]) -> int | None:
    """The inverse of remainders of bit vectors; a guess, which :func:`_bits` checks. None for the divisor."""
    if place:
        return None
    return values[0] + signed(wanted, term.sort.width) - signed(MEANING[term.op](term, *values), term.sort.width)


def _shifted(term: Term, place: int, wanted: int, values: Sequence[int]) -> int | None:
    """The inverse of shifts; a guess, which :func:`_bits` checks. Bits that are shifted out keep their value."""
    value, by = values
    width = term.sort.width
    if place:
        return next((s for s in range(width) if MEANING[term.op](term, value, s) == wanted), None)
    if by >= width:
        return None
    if term.op is Op.BV_SHL:
        return wanted >> by | value & ~((1 << (width - by)) - 1)
    return wanted << by | value & ((1 << by) - 1)


def _extracted(term: Term, place: int, wanted: int, values: Sequence[int]) -> int:
    """The inverse of ``BV_EXTRACT``. The other bits keep their value."""
    high, low = int(term.data[0]), int(term.data[1])
    return values[0] & ~(((1 << (high - low + 1)) - 1) << low) | wanted << low


def _part(term: Term, place: int, wanted: int, values: Sequence[int], rng: random.Random) -> int | None:
    """The inverse of ``BV_CONCAT``: the argument's share of the wanted bits; None if it has them already."""
    width = term.args[1].sort.width
    found = wanted & ((1 << width) - 1) if place else wanted >> width
    return found if found != values[place] else None


_BITS: dict[Op, Callable[[Term, int, int, Sequence[int]], int | None]] = {
    Op.BV_ADD: lambda t, n, w, v: w - v[1 - n],
    Op.BV_SUB: lambda t, n, w, v: v[0] - w if n else w + v[1],
    Op.BV_XOR: lambda t, n, w, v: w ^ v[1 - n],
    Op.BV_NOT: lambda t, n, w, v: ~w,
    Op.BV_NEG: lambda t, n, w, v: -w,
    Op.BV_MUL: _multiplied, Op.BV_UDIV: _divided, Op.BV_SDIV: _divided, Op.BV_UREM: _rest, Op.BV_SREM: _rest,
    Op.BV_SHL: _shifted, Op.BV_LSHR: _shifted, Op.BV_ASHR: _shifted, Op.BV_EXTRACT: _extracted,
    Op.BV_ZERO_EXTEND: lambda t, n, w, v: w, Op.BV_SIGN_EXTEND: lambda t, n, w, v: w,
}  # fmt: skip


# ---- floats ----


def _real(function: Callable[[int, float, Sequence[float]], float | None], skipped: int = 1) -> Inverse:
    """Return an inverse that computes over the reals and then tries neighbouring floats.

    Args:
        function: takes the argument's index, the wanted value and the values of all arguments.
        skipped: the number of arguments before the first number: 1 if there is a rounding mode.
    """

    def found(term: Term, place: int, wanted: float, values: Sequence[Any], rng: random.Random) -> float | None:
        guess = function(place - skipped, wanted, values[skipped:])
        return None if guess is None else _hit(term, place, wanted, values, narrow(term.args[place].sort, guess))

    return found


def _hit(term: Term, place: int, wanted: float, values: Sequence[object], guess: float) -> float:
    """Return the float nearest to a guess with which the term has the wanted value, or the guess if none is near."""
    sort = term.args[place].sort
    if not math.isfinite(guess):
        return guess
    low, high = _range(sort)
    at = _number(sort, guess, True)
    for step in _ULPS:
        near: float = _value(sort, min(max(at + step, low), high))
        if MEANING[term.op](term, *(near if n == place else v for n, v in enumerate(values))) == wanted:
            return near
    return guess


def _nearest_turn(place: int, wanted: float, values: Sequence[float]) -> float:
    """Return the multiple of 2 pi that brings a wanted angle nearest to the present one."""
    turn = 2 * math.pi
    return turn * round((values[0] - wanted) / turn)


_OF_FUNCTIONS: dict[str, Callable[[int, float, Sequence[float]], float | None]] = {
    "exp": lambda n, w, v: math.log(w), "log": lambda n, w, v: math.exp(w), "exp2": lambda n, w, v: math.log2(w),
    "log2": lambda n, w, v: 2.0**w, "log10": lambda n, w, v: 10.0**w, "expm1": lambda n, w, v: math.log1p(w),
    "log1p": lambda n, w, v: math.expm1(w), "sqrt": lambda n, w, v: w * w,
    "cbrt": lambda n, w, v: w**3, "sinh": lambda n, w, v: math.asinh(w), "tanh": lambda n, w, v: math.atanh(w),
    "cosh": lambda n, w, v: math.copysign(math.acosh(w), v[0]), "asinh": lambda n, w, v: math.sinh(w),
    "atanh": lambda n, w, v: math.tanh(w), "acosh": lambda n, w, v: math.cosh(w), "asin": lambda n, w, v: math.sin(w),
    "acos": lambda n, w, v: math.cos(w), "atan": lambda n, w, v: math.tan(w),
    "sin": lambda n, w, v: math.asin(w) + _nearest_turn(n, math.asin(w), v),
    "cos": lambda n, w, v: math.acos(w) + _nearest_turn(n, math.acos(w), v),
    "tan": lambda n, w, v: math.atan(w) + _nearest_turn(n, math.atan(w), v),
    "fabs": lambda n, w, v: math.copysign(w, v[0]), "floor": lambda n, w, v: w, "ceil": lambda n, w, v: w,
    "trunc": lambda n, w, v: w, "round": lambda n, w, v: w, "rint": lambda n, w, v: w,
    "pow": lambda n, w, v: math.log(w) / math.log(v[0]) if n else math.pow(w, 1 / v[1]),
    "fmod": lambda n, w, v: None if n else v[0] - math.fmod(v[0], v[1]) + w,
    "copysign": lambda n, w, v: math.copysign(1.0, w) if n else math.copysign(w, v[0]),
}  # fmt: skip


def _of_function(term: Term, place: int, wanted: object, values: Sequence[object], rng: random.Random) -> object:
    """The inverse of a function of C's math library; None if none is known."""
    function = _OF_FUNCTIONS.get(term.data)
    return _real(function, 0)(term, place, wanted, values, rng) if function is not None else None


def _of_integer(term: Term, place: int, wanted: float, values: Sequence[object], rng: random.Random) -> int | None:
    """The inverse of a conversion from an integer to a float."""
    number, width = round(wanted), term.args[place].sort.width
    low, high = (0, (1 << width) - 1) if term.op is Op.UNSIGNED_TO_FP else _range(term.args[place].sort)
    return number & ((1 << width) - 1) if low <= number <= high else None


def _to_integer(term: Term, place: int, wanted: int, values: Sequence[object], rng: random.Random) -> float:
    """The inverse of a cast from a float to an integer."""
    number = wanted if term.op is Op.FP_TO_UNSIGNED else signed(wanted, term.sort.width)
    return narrow(term.args[place].sort, float(number))


def _plain(function: Callable[[Term, Any], object]) -> Inverse:
    """Return an inverse that depends only on the wanted value."""
    return lambda term, place, wanted, values, rng: function(term, wanted)


_INVERSES: dict[Op, Inverse] = {
    Op.NOT: _plain(lambda t, w: not w),
    Op.OPEN: _plain(lambda t, w: w),
    Op.AND: _and_or, Op.OR: _and_or, Op.ITE: _ite, Op.EQUAL: _equal, Op.FP_EQ: _equal,
    Op.FP_LT: _ordered(True, True), Op.FP_LE: _ordered(True, False),
    Op.BV_SLT: _ordered(True, True), Op.BV_SLE: _ordered(True, False),
    Op.BV_ULT: _ordered(False, True), Op.BV_ULE: _ordered(False, False),
    Op.FP_IS_NAN: _of_class(math.nan, 1.0), Op.FP_IS_INF: _of_class(math.inf, 1.0), Op.FP_IS_ZERO: _of_class(0.0, 1.0),
    Op.FP_IS_NORMAL: _of_class(1.0, 0.0), Op.FP_IS_SUBNORMAL: _of_class(2.0**-149, 1.0),
    Op.FP_IS_NEGATIVE: _plain(lambda t, w: -1.0 if w else 1.0),
    Op.FP_IS_POSITIVE: _plain(lambda t, w: 1.0 if w else -1.0),
    Op.FP_ADD: _real(lambda n, w, v: w - v[1 - n]), Op.FP_SUB: _real(lambda n, w, v: v[0] - w if n else w + v[1]),
    Op.FP_MUL: _real(lambda n, w, v: w / v[1 - n]), Op.FP_DIV: _real(lambda n, w, v: v[0] / w if n else w * v[1]),
    Op.FP_FMA: _real(lambda n, w, v: w - v[0] * v[1] if n == 2 else (w - v[2]) / v[1 - n]),
    Op.FP_SQRT: _real(lambda n, w, v: w * w if w >= 0 else None), Op.FP_ROUND: _plain(lambda t, w: w),
    Op.FP_ABS: lambda t, n, w, v, rng: (-w if rng.random() < 0.5 else w) if w >= 0 else None,
    Op.FP_NEG: _plain(lambda t, w: -w), Op.FP_TO_FP: _plain(lambda t, w: narrow(t.args[1].sort, w)),
    Op.SIGNED_TO_FP: _of_integer, Op.UNSIGNED_TO_FP: _of_integer, Op.FP_TO_SIGNED: _to_integer,
    Op.FP_TO_UNSIGNED: _to_integer, Op.FP_FROM_BITS: _plain(lambda t, w: own_bits(t.sort, w)),
    Op.FP_TO_BITS: _plain(lambda t, w: float_of_bits(t.args[0].sort, w)), Op.MATH: _of_function,
    Op.BV_CONCAT: _part, Op.BV_AND: _masked, Op.BV_OR: _masked,
    **{op: _bits(function) for op, function in _BITS.items()},
}  # fmt: skip
