"""The comparison operators of the expression language, for operands of all types.

An int or a real is compared with a float exactly, as in Python. A bit vector is converted to the float's type first, as
in C.
"""

from __future__ import annotations

import operator

from ..core.build import FALSE, TRUE, negation
from ..core.exact_comparison import exactly
from ..core.nodes import Op, Term, constant, make
from ..core.sorts import INT
from .cases import by_cases
from .typed import (
    DOUBLE,
    TRUTH,
    TYPES,
    WHOLE,
    Choice,
    ExpressionError,
    Literal,
    Type,
    Typed,
    TypedValue,
    common,
    convert,
    truth,
    type_of,
)

_FLIPPED = {">": "<", ">=": "<="}
_PYTHON = {"==": operator.eq, "<": operator.lt, "<=": operator.le}
_EXACT = {"==": Op.EXACT_EQ, "<": Op.EXACT_LT, "<=": Op.EXACT_LE}
_FLOATS = {"==": Op.FP_EQ, "<": Op.FP_LT, "<=": Op.FP_LE}
_PLAIN = {"==": Op.EQUAL, "<": Op.LT, "<=": Op.LE}
_SIGNED = {"==": Op.EQUAL, "<": Op.BV_SLT, "<=": Op.BV_SLE}
_UNSIGNED = {"==": Op.EQUAL, "<": Op.BV_ULT, "<=": Op.BV_ULE}


def compare(sign: str, a: TypedValue, b: TypedValue) -> Term:
    """Return the term ``a sign b``, where the sign is one of Python's comparison operators.

    Raises:
        ExpressionError: the values can not be compared.
    """
    if sign == "!=":
        return negation(compare("==", a, b))
    if sign in _FLIPPED:
        return compare(_FLIPPED[sign], b, a)
    found = by_cases(lambda values, _: truth(_compared(sign, *values)), [a, b], [])
    return convert(found, TRUTH)


def _compared(sign: str, a: TypedValue, b: TypedValue) -> Term:
    """Compare values that are not an int or a float by a condition: ``by_cases`` has split those."""
    if isinstance(a, Literal) and isinstance(b, Literal):
        return TRUE if _PYTHON[sign](a.value, b.value) else FALSE
    for n, value in enumerate((a, b)):
        if isinstance(value, Choice) and type_of(a) != type_of(b):
            then, other = (_compared(sign, *((case, b) if n == 0 else (a, case))) for case in (value.then, value.other))
            return make(Op.ITE, value.condition, then, other)
    x, y = _float_of(a), _float_of(b)
    if x is not None and y is not None:
        return _plainly(sign, x, y)
    found = None
    if x is not None:
        found = _beside_float(sign, x, b, a is x, first=True)
    elif y is not None:
        found = _beside_float(sign, y, a, b is y, first=False)
    elif {type_of(a), type_of(b)} == {WHOLE, DOUBLE}:  # the float is a literal
        found = exactly(_EXACT[sign], convert(a, type_of(a)), convert(b, type_of(b)))
    return _plainly(sign, a, b) if found is None else found


def _plainly(sign: str, a: TypedValue, b: TypedValue) -> Term:
    """Compare two values after converting them to their common type. The sign is ``==``, ``<`` or ``<=``.

    Raises:
        ExpressionError: only one value is a bool, or both are and the sign is not ``==``.
    """
    t = common(a, b)
    if t == TRUTH and sign != "==":
        raise ExpressionError("bools have no order: only == and != compare them")
    plain = _PLAIN if not t.sort.is_bits else _SIGNED if t.signed else _UNSIGNED
    return make((_FLOATS if t.sort.is_float else plain)[sign], convert(a, t), convert(b, t))


def _float_of(value: TypedValue) -> Typed | None:
    """Return the value if it is a float, or the rounded float that an int was made from; otherwise None."""
    if not isinstance(value, Typed):
        return None
    if value.rounded is not None:
        return Typed(value.rounded, Type(value.rounded.sort))
    return value if value.type.sort.is_float else None


def _beside_float(sign: str, x: Typed, other: TypedValue, is_float: bool, first: bool) -> Term | None:
    """Compare a float, or the rounded float of an int, with another value; None if a plain comparison is right.

    Args:
        sign: ``==``, ``<`` or ``<=``.
        x: the float.
        other: the other value: a literal, or a value whose type is no float.
        is_float: whether the operand is a float itself, not an int made by rounding.
        first: whether the float is the left operand.
    """
    if isinstance(other, Literal):
        if isinstance(other.value, int):
            other = Typed(constant(INT, other.value), WHOLE)
            return exactly(_EXACT[sign], *((x.term, other.term) if first else (other.term, x.term)))
        return _plainly(sign, *((x, other) if first else (other, x)))
    if is_float and type_of(other) in (WHOLE, TYPES["real"]):
        term = convert(other, type_of(other))
        return exactly(_EXACT[sign], *((x.term, term) if first else (term, x.term)))
    return None
