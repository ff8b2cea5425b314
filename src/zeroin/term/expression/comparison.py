"""What the comparisons of the expression language mean for operands of these types.

Python compares an int with a float exactly, and so is a real compared. Bit vectors are C's: beside a float they become
one.
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
    Number,
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
    """``a sign b``.

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
    """Of values that are an int for sure, or none."""
    if isinstance(a, Number) and isinstance(b, Number):
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
    elif {type_of(a), type_of(b)} == {WHOLE, DOUBLE}:  # the float is written down
        found = exactly(_EXACT[sign], convert(a, type_of(a)), convert(b, type_of(b)))
    return _plainly(sign, a, b) if found is None else found


def _plainly(sign: str, a: TypedValue, b: TypedValue) -> Term:
    """In the type that both have in common."""
    t = common(a, b)
    if t == TRUTH and sign != "==":
        raise ExpressionError("bools have no order: only == and != compare them")
    plain = _PLAIN if not t.sort.is_bits else _SIGNED if t.signed else _UNSIGNED
    return make((_FLOATS if t.sort.is_float else plain)[sign], convert(a, t), convert(b, t))


def _float_of(value: TypedValue) -> Typed | None:
    """The value if it is a float, or the float that an int is."""
    if not isinstance(value, Typed):
        return None
    if value.rounded is not None:
        return Typed(value.rounded, Type(value.rounded.sort))
    return value if value.type.sort.is_float else None


def _beside_float(sign: str, x: Typed, other: TypedValue, is_float: bool, first: bool) -> Term | None:
    """A float, or an int that is one, and what is none."""
    if isinstance(other, Number):
        if isinstance(other.value, int):
            other = Typed(constant(INT, other.value), WHOLE)
            return exactly(_EXACT[sign], *((x.term, other.term) if first else (other.term, x.term)))
        return _plainly(sign, *((x, other) if first else (other, x)))
    if is_float and type_of(other) in (WHOLE, TYPES["real"]):
        term = convert(other, type_of(other))
        return exactly(_EXACT[sign], *((x.term, term) if first else (term, x.term)))
    return None
