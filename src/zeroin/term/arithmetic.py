"""What the operators of the expression language mean for operands of these types.

Floats are IEEE's: dividing by zero gives an infinity or NaN. Bit vectors wrap around, and their ``/``, ``//`` and ``%``
are C's division and remainder. ``/`` of two Ints is a division of floats.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from .build import RNE, RTN, if_else, negation
from .nodes import Op, Term, constant, make
from .sorts import INT, REAL
from .typed import (
    DOUBLE,
    TRUTH,
    WHOLE,
    Choice,
    ExpressionError,
    Number,
    Type,
    Typed,
    Value,
    common,
    convert,
    named,
    type_of,
)
from .undefined import c_operation

_MOST_BITS = 1 << 12  # of a constant power or shift

_FLOAT = {"+": Op.FP_ADD, "-": Op.FP_SUB, "*": Op.FP_MUL, "/": Op.FP_DIV}
_PLAIN = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIVIDE, "//": Op.FLOOR_DIV, "%": Op.FLOOR_MOD}
_BITS = {"+": Op.BV_ADD, "-": Op.BV_SUB, "*": Op.BV_MUL, "&": Op.BV_AND, "|": Op.BV_OR, "^": Op.BV_XOR,
         "<<": Op.BV_SHL}  # fmt: skip
_SIGNED = _BITS | {"/": Op.BV_SDIV, "//": Op.BV_SDIV, "%": Op.BV_SREM, ">>": Op.BV_ASHR}
_UNSIGNED = _BITS | {"/": Op.BV_UDIV, "//": Op.BV_UDIV, "%": Op.BV_UREM, ">>": Op.BV_LSHR}
_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


def binary(sign: str, a: Value, b: Value) -> Value:
    """``a sign b``.

    Raises:
        ExpressionError: the operator does not take these types.
    """
    if isinstance(a, Number) and isinstance(b, Number):
        number = _folded(sign, a, b)
        if number is not None:
            return number
    if sign == "**":
        return _power(a, b)
    t = common(a, b)
    if sign in ("<<", ">>") and t.sort.is_bits and isinstance(a, Typed):
        t = a.type
    if t == TRUTH:
        raise ExpressionError(f"{sign} does not take a bool: write (1 if ... else 0)")
    if t == WHOLE and sign == "/":
        t = DOUBLE
    return Typed(_applied(sign, convert(a, t), convert(b, t), t), t)


def _applied(sign: str, a: Term, b: Term, t: Type) -> Term:
    if t.sort.is_bits:
        return c_operation((_SIGNED if t.signed else _UNSIGNED)[sign], a, b)
    if sign not in _PLAIN:
        raise ExpressionError(f"{sign} takes bit vectors, not {named(t)}: give the variables a type such as i32 or u8")
    if t.sort.is_float:
        if sign in _FLOAT:
            return make(_FLOAT[sign], RNE, a, b)
        return _float_floor_division(a, b) if sign == "//" else _float_modulo(a, b)
    if t.sort == REAL and sign in ("//", "%"):
        whole = make(Op.INT_TO_REAL, make(Op.REAL_TO_INT, make(Op.DIVIDE, a, b)))
        return whole if sign == "//" else make(Op.SUB, a, make(Op.MUL, b, whole))
    return make(_PLAIN[sign], a, b)


def _float_modulo(a: Term, b: Term) -> Term:
    """a % b with the sign of b, as Python; by zero NaN, as NumPy."""
    zero = constant(a.sort, 0.0)
    rest = make(Op.MATH, a, b, data="fmod")
    moved = if_else(_signs_differ(rest, b), make(Op.FP_ADD, RNE, rest, b), rest)
    return if_else(make(Op.FP_EQ, rest, zero), make(Op.MATH, zero, b, data="copysign"), moved)


def _signs_differ(rest: Term, b: Term) -> Term:
    zero = constant(b.sort, 0.0)
    return negation(make(Op.EQUAL, make(Op.FP_LT, b, zero), make(Op.FP_LT, rest, zero)))


def _float_floor_division(a: Term, b: Term) -> Term:
    """a // b as CPython computes it, which is not floor(a / b); by zero a / b, as NumPy."""
    zero, one, half = (constant(a.sort, x) for x in (0.0, 1.0, 0.5))
    rest, divided = make(Op.MATH, a, b, data="fmod"), make(Op.FP_DIV, RNE, a, b)
    quotient = make(Op.FP_DIV, RNE, make(Op.FP_SUB, RNE, a, rest), b)
    lower = make(Op.AND, negation(make(Op.FP_EQ, rest, zero)), _signs_differ(rest, b))
    quotient = if_else(lower, make(Op.FP_SUB, RNE, quotient, one), quotient)
    below = make(Op.FP_ROUND, RTN, quotient)
    up = make(Op.FP_LT, half, make(Op.FP_SUB, RNE, quotient, below))
    whole = if_else(up, make(Op.FP_ADD, RNE, below, one), below)
    whole = if_else(make(Op.FP_EQ, quotient, zero), make(Op.MATH, zero, divided, data="copysign"), whole)
    return if_else(make(Op.FP_EQ, b, zero), divided, whole)


def _folded(sign: str, a: Number, b: Number) -> Number | None:
    """What Python computes; None where it raises and IEEE has a value."""
    x, y = a.value, b.value
    whole = isinstance(x, int) and isinstance(y, int)
    if sign in ("&", "|", "^", "<<", ">>") and not whole:
        raise ExpressionError(f"{sign} takes integers")
    if whole and y == 0 and sign in ("//", "%"):
        raise ExpressionError("division by zero")
    if whole and (y if sign == "<<" else y * int(x).bit_length() if sign == "**" else 0) > _MOST_BITS:
        raise ExpressionError(f"{sign} makes a number of more than {_MOST_BITS} bits")
    if sign in ("<<", ">>") and y < 0:
        raise ExpressionError(f"{sign} takes no negative number of bits")
    try:
        value = _PYTHON[sign](x, y)
    except ArithmeticError:
        return None
    if isinstance(value, complex):
        return None
    number = Number.of(value)
    if a.exact is None or b.exact is None or number.exact is None:
        return number
    size = a.exact.numerator.bit_length() + a.exact.denominator.bit_length()
    if sign in ("+", "-", "*", "/") or (sign == "**" and isinstance(y, int) and abs(y) * size <= _MOST_BITS):
        return Number(value, _PYTHON[sign](a.exact, b.exact))
    return number


def _power(a: Value, b: Value) -> Value:
    t = common(a, b)
    if t == TRUTH:
        raise ExpressionError("** does not take a bool: write (1 if ... else 0)")
    base = type_of(a)
    exponent = b.value if isinstance(b, Number) and isinstance(b.value, int) else None
    if isinstance(a, Typed) and not base.sort.is_float and exponent is not None:
        if base == WHOLE and 0 <= exponent <= _MOST_BITS:
            return Typed(make(Op.POWER, a.term, constant(INT, exponent)), base)
        if base != WHOLE and 0 <= exponent <= _MOST_BITS:
            return Typed(_repeated(a.term, exponent, base), base)
    if t.sort == REAL or t.sort.is_bits:
        raise ExpressionError(
            f"{named(t)} can be raised to a constant from 0 to {_MOST_BITS} only: or write float(...)"
        )
    t = t if t.sort.is_float else DOUBLE
    return Typed(make(Op.MATH, convert(a, t), convert(b, t), data="pow"), t)


def _repeated(base: Term, exponent: int, t: Type) -> Term:
    result: Term | None = None
    while exponent:
        if exponent & 1:
            result = base if result is None else _applied("*", result, base, t)
        base, exponent = _applied("*", base, base, t), exponent >> 1
    return convert(Number.of(1), t) if result is None else result


_FLIPPED = {">": "<", ">=": "<="}


def compare(sign: str, a: Value, b: Value) -> Term:
    """``a sign b``, as IEEE compares floats.

    Raises:
        ExpressionError: the values can not be compared.
    """
    if sign == "!=":
        return negation(compare("==", a, b))
    if sign in _FLIPPED:
        return compare(_FLIPPED[sign], b, a)
    t = common(a, b)
    x, y = convert(a, t), convert(b, t)
    if sign == "==":
        return make(Op.FP_EQ if t.sort.is_float else Op.EQUAL, x, y)
    if t == TRUTH:
        raise ExpressionError("bools have no order: only == and != compare them")
    strict = sign == "<"
    if t.sort.is_float:
        return make(Op.FP_LT if strict else Op.FP_LE, x, y)
    if t.sort.is_bits:
        return make((Op.BV_SLT if strict else Op.BV_SLE) if t.signed else (Op.BV_ULT if strict else Op.BV_ULE), x, y)
    return make(Op.LT if strict else Op.LE, x, y)


def negative(value: Value) -> Value:
    """``-value``.

    Raises:
        ExpressionError: it is a bool.
    """
    if isinstance(value, Number):
        return Number(-value.value, None if value.exact is None else -value.exact)
    t = type_of(value)
    if t == TRUTH:
        raise ExpressionError("- does not take a bool: write not")
    op = Op.FP_NEG if t.sort.is_float else Op.BV_NEG if t.sort.is_bits else Op.NEG
    return Typed(make(op, convert(value, t)), t)


def choose(condition: Term, then: Value, other: Value) -> Value:
    """``then if condition else other``; without a type if both have none.

    Raises:
        ExpressionError: only one of them is a bool.
    """
    if not isinstance(then, Typed) and not isinstance(other, Typed):
        return Choice(condition, then, other)
    t = common(then, other)
    return Typed(if_else(condition, convert(then, t), convert(other, t)), t)
