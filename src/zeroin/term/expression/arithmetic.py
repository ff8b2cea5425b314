"""The arithmetic operators of the expression language, for operands of all types.

Ints and floats behave as in Python. Where Python raises an exception, the value is arbitrary; the functions add that
condition to the list ``raised``. Bit vectors wrap around, and their ``/``, ``//`` and ``%`` are C's division and
remainder.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ..core.build import RNE, conjunction, if_else, negation
from ..core.nodes import Op, Term, constant, make
from ..core.sorts import INT, REAL, Sort
from ..core.undefined import c_operation
from .cases import Raised, by_cases, choose, is_zero, no_result, to_float
from .typed import (
    DOUBLE,
    TRUTH,
    WHOLE,
    ExpressionError,
    Literal,
    Type,
    Typed,
    TypedValue,
    common,
    convert,
    named,
    type_of,
)

_MOST_BITS = 1 << 12  # the most bits of a constant power or shift, and the greatest exponent of a bit vector or a real

_FLOAT = {"+": Op.FP_ADD, "-": Op.FP_SUB, "*": Op.FP_MUL, "/": Op.FP_DIV}
_PLAIN = {"+": Op.ADD, "-": Op.SUB, "*": Op.MUL, "/": Op.DIVIDE, "//": Op.FLOOR_DIV, "%": Op.FLOOR_MOD}
_BITS = {"+": Op.BV_ADD, "-": Op.BV_SUB, "*": Op.BV_MUL, "&": Op.BV_AND, "|": Op.BV_OR, "^": Op.BV_XOR,
         "<<": Op.BV_SHL}  # fmt: skip
_SIGNED = _BITS | {"/": Op.BV_SDIV, "//": Op.BV_SDIV, "%": Op.BV_SREM, ">>": Op.BV_ASHR}
_UNSIGNED = _BITS | {"/": Op.BV_UDIV, "//": Op.BV_UDIV, "%": Op.BV_UREM, ">>": Op.BV_LSHR}
_PYTHON: dict[str, Callable[[object, object], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip


def binary(sign: str, a: TypedValue, b: TypedValue, raised: Raised) -> TypedValue:
    """Return the value ``a sign b``.

    Args:
        sign: one of Python's binary arithmetic operators.
        a: the left operand.
        b: the right operand.
        raised: a list to which the conditions are added under which Python raises an exception.

    Raises:
        ExpressionError: the operator does not take these types.
    """
    return by_cases(lambda values, inside: _binary(sign, values[0], values[1], inside), [a, b], raised)


def _binary(sign: str, a: TypedValue, b: TypedValue, raised: Raised) -> TypedValue:
    """Do the same as :func:`binary` for values that are not mixed."""
    if isinstance(a, Literal) and isinstance(b, Literal):
        number = _folded(sign, a, b)
        if number is not None:
            return number
    if sign == "**":
        return power(a, b, raised)
    t = common(a, b)
    if sign in ("<<", ">>") and t.sort.is_bits and isinstance(a, Typed):
        t = a.type
    if t == TRUTH:
        raise ExpressionError(f"{sign} does not take a bool: write (1 if ... else 0)")
    x, y = (to_float(value, t, raised) if t.sort.is_float else convert(value, t) for value in (a, b))
    result = make(Op.QUOTIENT, x, y) if t == WHOLE and sign == "/" else _applied(sign, x, y, t)
    if sign in ("/", "//", "%"):
        raised.append(is_zero(y))
    if result.op is Op.QUOTIENT:
        raised.append(make(Op.FP_IS_INF, result))
        t = DOUBLE
    return Typed(result, t)


def _applied(sign: str, a: Term, b: Term, t: Type) -> Term:
    """Return ``a sign b`` for operands of type ``t``.

    Raises:
        ExpressionError: the operator does not take this type.
    """
    if t.sort.is_bits:
        return c_operation((_SIGNED if t.signed else _UNSIGNED)[sign], a, b)
    if sign not in _PLAIN:
        raise ExpressionError(f"{sign} takes bit vectors, not {named(t)}: give the variables a type such as i32 or u8")
    if t.sort.is_float:
        if sign in _FLOAT:
            return make(_FLOAT[sign], RNE, a, b)
        return make(Op.FP_FLOOR_DIV, a, b) if sign == "//" else _float_modulo(a, b)
    if t.sort == REAL and sign in ("//", "%"):
        whole = make(Op.INT_TO_REAL, make(Op.REAL_TO_INT, make(Op.DIVIDE, a, b)))
        return whole if sign == "//" else make(Op.SUB, a, make(Op.MUL, b, whole))
    return make(_PLAIN[sign], a, b)


def _float_modulo(a: Term, b: Term) -> Term:
    """Return ``a % b`` with the sign of b, as in Python."""
    zero = constant(a.sort, 0.0)
    rest = make(Op.MATH, a, b, data="fmod")
    moved = if_else(_signs_differ(rest, b), make(Op.FP_ADD, RNE, rest, b), rest)
    return if_else(make(Op.FP_EQ, rest, zero), _zero(a.sort, make(Op.FP_LT, b, zero)), moved)


def _zero(sort: Sort, negative: Term) -> Term:
    """Return -0.0 if the condition holds, otherwise 0.0."""
    return if_else(negative, constant(sort, -0.0), constant(sort, 0.0))


def _signs_differ(rest: Term, b: Term) -> Term:
    """Return the condition that exactly one of two floats is negative. Zeros are not."""
    zero = constant(b.sort, 0.0)
    return negation(make(Op.EQUAL, make(Op.FP_LT, b, zero), make(Op.FP_LT, rest, zero)))


def _folded(sign: str, a: Literal, b: Literal) -> Literal | None:
    """Return the literal that Python computes; None if it raises an exception or the result is complex.

    Raises:
        ExpressionError: the operator takes integers only, or the result is too large.
    """
    x, y = a.value, b.value
    whole = isinstance(x, int) and isinstance(y, int)
    if sign in ("&", "|", "^", "<<", ">>") and not whole:
        raise ExpressionError(f"{sign} takes integers")
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
    number = Literal.of(value)
    if a.exact is None or b.exact is None or number.exact is None:
        return number
    size = a.exact.numerator.bit_length() + a.exact.denominator.bit_length()
    if sign in ("+", "-", "*", "/") or (sign == "**" and isinstance(y, int) and abs(y) * size <= _MOST_BITS):
        return Literal(value, _PYTHON[sign](a.exact, b.exact))
    return number


def power(a: TypedValue, b: TypedValue, raised: Raised) -> TypedValue:
    """Return ``a ** b``. Neither value may be an int or a float by a condition (see :mod:`.cases`).

    As in Python, an int to the power of a negative int is a float. ``raised`` is that of :func:`binary`.

    Raises:
        ExpressionError: there is no power of these types.
    """
    t, base, number = common(a, b), type_of(a), b.value if isinstance(b, Literal) else None
    if t == TRUTH:
        raise ExpressionError("** does not take a bool: write (1 if ... else 0)")
    if base == type_of(b) == WHOLE:
        return _power_of_ints(a, b, raised)
    if isinstance(a, Typed) and (base.sort.is_bits or base.sort == REAL) and number in range(_MOST_BITS + 1):
        return Typed(_repeated(a.term, int(number or 0), base), base)
    if t.sort == REAL or t.sort.is_bits:
        raise ExpressionError(
            f"{named(t)} can be raised to a constant from 0 to {_MOST_BITS} only: or write float(...)"
        )
    return float_power(a, b, t if t.sort.is_float else DOUBLE, raised)


def _power_of_ints(a: TypedValue, b: TypedValue, raised: Raised) -> TypedValue:
    """Return the power of two ints: an int, a float (negative exponent), or mixed if the exponent is no constant."""
    exponent = convert(b, WHOLE)
    result = Typed(make(Op.POWER, convert(a, WHOLE), exponent), WHOLE)
    whole = make(Op.LE, constant(INT, 0), exponent)
    if exponent.is_constant and exponent.data >= 0:
        return result
    inside: Raised = []
    below = float_power(a, b, DOUBLE, inside)
    if exponent.is_constant:
        raised += inside
        return below
    raised += [conjunction([negation(whole), each]) for each in inside]
    return choose(whole, result, below)


def float_power(a: TypedValue, b: TypedValue, t: Type, raised: Raised) -> TypedValue:
    """Return ``a ** b`` of floats of type ``t``. Where Python's result is complex, it counts as an exception."""
    x, y = to_float(a, t, raised), to_float(b, t, raised)
    result = make(Op.MATH, x, y, data="pow")
    whole = y.is_constant and (not math.isfinite(y.value) or y.value == int(y.value))
    raised.append(no_result(result, [x, y], nan=not whole))
    return Typed(result, t)


def _repeated(base: Term, exponent: int, t: Type) -> Term:
    """Return a power by repeated squaring. The exponent must not be negative."""
    result: Term | None = None
    while exponent:
        if exponent & 1:
            result = base if result is None else _applied("*", result, base, t)
        base, exponent = _applied("*", base, base, t), exponent >> 1
    return convert(Literal.of(1), t) if result is None else result


def negative(value: TypedValue, raised: Raised) -> TypedValue:
    """Return ``-value``. ``raised`` is that of :func:`binary`.

    Raises:
        ExpressionError: the value is a bool.
    """
    return by_cases(lambda values, _: _negative(*values), [value], raised)


def _negative(value: TypedValue) -> TypedValue:
    if isinstance(value, Literal):
        return Literal(-value.value, None if value.exact is None else -value.exact)
    t = type_of(value)
    if t == TRUTH:
        raise ExpressionError("- does not take a bool: write not")
    op = Op.FP_NEG if t.sort.is_float else Op.BV_NEG if t.sort.is_bits else Op.NEG
    return Typed(make(op, convert(value, t)), t)
