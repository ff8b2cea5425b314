"""Typed values of the expression language, the common type of two operands, and conversions.

An operator converts its operands to a common type. As in C, but without C's promotion of small integers to int, this
is the first one that fits:

* double, or float32 if that is the only float type,
* Real,
* Int,
* the wider one of two bit vectors; of the same width, the unsigned one.

A comparison of an Int and a float converts neither operand (:mod:`.comparison`); the same is true of ``if`` and ``max``
(:mod:`.cases`). A literal has no type of its own; it takes the type of the other operand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from ...errors import ZeroinError
from ..core.build import RNE, RTZ, if_else
from ..core.nodes import Op, Term, constant, make
from ..core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits


class ExpressionError(ZeroinError):
    """An expression can not be read, or its types do not fit. The message gives the place."""


@dataclass(frozen=True)
class Type:
    """The type of a value: a sort and, for a bit vector, its signedness.

    Attributes:
        sort: the sort of the value's term.
        signed: False for a bit vector that holds an unsigned number; True for all other types.
    """

    sort: Sort
    signed: bool = True

    def __str__(self) -> str:
        return next((name for name, known in TYPES.items() if known == self), str(self.sort))


TYPES = {"float": Type(FLOAT64), "double": Type(FLOAT64), "float32": Type(FLOAT32), "int": Type(INT)}
TYPES |= {f"i{width}": Type(bits(width)) for width in (8, 16, 32, 64)}
TYPES |= {f"u{width}": Type(bits(width), signed=False) for width in (8, 16, 32, 64)}
TYPES |= {"bool": Type(BOOL), "real": Type(REAL)}
DOUBLE, WHOLE, TRUTH = TYPES["float"], TYPES["int"], TYPES["bool"]


@dataclass(frozen=True)
class Typed:
    """A term and its type.

    Attributes:
        term: the term of the value.
        type: its type.
        rounded: for an int made by rounding a float (``floor(x)``, ``int(x)``), the rounded float; otherwise None. It
            can be -0.0, and NaN or infinite where Python has no such int.
    """

    term: Term
    type: Type
    rounded: Term | None = None


@dataclass(frozen=True)
class Literal:
    """A literal, or a number computed from literals only. It has no type of its own.

    Attributes:
        value: the value in Python.
        exact: the value as a Real: for 0.1, exactly one tenth; None for NaN and infinities.
    """

    value: int | float
    exact: Fraction | None

    @classmethod
    def of(cls, value: int | float) -> Literal:
        """Return the literal of a Python number."""
        return cls(value, Fraction(repr(value) if isinstance(value, float) else value) if _finite(value) else None)


@dataclass(frozen=True)
class Choice:
    """``then if condition else other`` of two literals, or of an int (``then``) and a float (``other``)."""

    condition: Term
    then: TypedValue
    other: TypedValue


TypedValue = Typed | Literal | Choice


def truth(term: Term) -> Typed:
    """Return a term of sort Bool as a typed value."""
    return Typed(term, TRUTH)


def _finite(value: int | float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def is_mixed(value: TypedValue) -> bool:
    """Return whether a value is an int or a float depending on a condition."""
    return isinstance(value, Choice) and type_of(value.then) != type_of(value.other)


def is_loose(value: TypedValue) -> bool:
    """Return whether a value has no type of its own, so that it takes the type of the other operand."""
    return isinstance(value, Literal) or (isinstance(value, Choice) and is_loose(value.then) and is_loose(value.other))


def type_of(value: TypedValue) -> Type:
    """Return the type of a value. A literal is an int or a float; a value that can be either one counts as a float."""
    if isinstance(value, Typed):
        return value.type
    if isinstance(value, Literal):
        return WHOLE if isinstance(value.value, int) else DOUBLE
    return WHOLE if type_of(value.then) == type_of(value.other) == WHOLE else DOUBLE


def common(a: TypedValue, b: TypedValue) -> Type:
    """Return the common type of two operands.

    Raises:
        ExpressionError: only one of them is a bool.
    """
    if not isinstance(a, Typed) and isinstance(b, Typed):
        a, b = b, a
    first, second = type_of(a), type_of(b)
    if first == second:
        return first
    if TRUTH in (first, second):
        raise ExpressionError(
            f"{named(first)} and {named(second)} do not go together: write (1 if ... else 0), or compare with 0"
        )
    if isinstance(a, Typed) and not isinstance(b, Typed):
        return first if second == WHOLE or first.sort.is_float or first.sort == REAL else DOUBLE
    floats = [t for t in (first, second) if t.sort.is_float]
    if floats:
        return DOUBLE if DOUBLE in floats else floats[0]
    for t in (TYPES["real"], WHOLE):
        if t in (first, second):
            return t
    if first.sort.width != second.sort.width:
        return max(first, second, key=lambda t: t.sort.width)
    return Type(first.sort, signed=False)


def named(t: Type) -> str:
    """Return the name of a type with its article, such as "an int"."""
    return f"an {t}" if str(t)[0] == "i" else f"a {t}"


# ---- conversions ----


def convert(value: TypedValue, to: Type) -> Term:
    """Return the value converted to another type as in C: floats to integers towards zero, bit vectors modulo 2**width.

    Only a bool can be converted to bool.

    Raises:
        ExpressionError: a literal does not fit the type.
    """
    if isinstance(value, Choice):
        return if_else(value.condition, convert(value.then, to), convert(value.other, to))
    if isinstance(value, Literal):
        return _constant(value, to)
    term, source = value.term, value.type
    if source.sort == to.sort:
        return term
    if value.rounded is not None and to.sort.is_float:
        zero = constant(value.rounded.sort, 0.0)
        return convert(Typed(make(Op.FP_ADD, RNE, value.rounded, zero), Type(zero.sort)), to)
    if source.sort == BOOL:
        return if_else(term, _constant(Literal.of(1), to), _constant(Literal.of(0), to))
    if to.sort.is_float:
        return _to_float(term, source, to.sort)
    if to.sort.is_bits:
        return _to_bits(term, source, to)
    return _to_number(term, source, to.sort)


def _constant(number: Literal, to: Type) -> Term:
    """Return a literal as a constant of a type.

    Raises:
        ExpressionError: it does not fit the type.
    """
    value = number.value
    if to.sort.is_float:
        try:
            return constant(to.sort, float(value))
        except OverflowError:
            raise ExpressionError("the number is too large for a float: write inf, or give the variable the type int") \
                from None  # fmt: skip
    if number.exact is None:
        raise ExpressionError(f"{value} is not a value of type {to}")
    if to.sort == REAL:
        return constant(REAL, number.exact)
    whole = int(value)
    if to.sort.is_bits:
        low, high = _range(to)
        if not low <= whole <= high:
            raise ExpressionError(f"{_short(whole)} does not fit {to}, which is from {low} to {high}")
    return constant(to.sort, whole)


def _short(value: int) -> str:
    return str(value) if value.bit_length() < 128 else "the number"


def _range(t: Type) -> tuple[int, int]:
    """Return the least and the greatest number of a bit vector type."""
    half = 1 << (t.sort.width - 1)
    return (-half, half - 1) if t.signed else (0, 2 * half - 1)


def _to_float(term: Term, source: Type, to: Sort) -> Term:
    if source.sort.is_float:
        return make(Op.FP_TO_FP, RNE, term, data=to)
    if source.sort.is_bits:
        return make(Op.SIGNED_TO_FP if source.signed else Op.UNSIGNED_TO_FP, RNE, term, data=to)
    return make(Op.INT_TO_FP if source.sort == INT else Op.REAL_TO_FP, RNE, term, data=to)


def _to_bits(term: Term, source: Type, to: Type) -> Term:
    if source.sort.is_float:
        return make(Op.FP_TO_SIGNED if to.signed else Op.FP_TO_UNSIGNED, RTZ, term, data=to.sort)
    if not source.sort.is_bits:
        return make(Op.INT_TO_BITS, _to_number(term, source, INT), data=to.sort)
    if to.sort.width < source.sort.width:
        return make(Op.BV_EXTRACT, term, data=(to.sort.width - 1, 0))
    return make(Op.BV_SIGN_EXTEND if source.signed else Op.BV_ZERO_EXTEND, term, data=to.sort)


def _to_number(term: Term, source: Type, to: Sort) -> Term:
    if source.sort == to:
        return term
    if source.sort.is_float:
        return make(Op.FP_TO_INT if to == INT else Op.FP_TO_REAL, term)
    if source.sort.is_bits:
        term = make(Op.SIGNED_TO_INT if source.signed else Op.BITS_TO_INT, term)
        return term if to == INT else make(Op.INT_TO_REAL, term)
    return make(Op.INT_TO_REAL, term) if to == REAL else truncated(term)


def truncated(real: Term) -> Term:
    """Return a Real rounded towards zero, as an Int."""
    positive = make(Op.LE, constant(REAL, 0), real)
    return if_else(positive, make(Op.REAL_TO_INT, real), ceiling(real))


def ceiling(real: Term) -> Term:
    """Return a Real rounded up, as an Int."""
    return make(Op.NEG, make(Op.REAL_TO_INT, make(Op.NEG, real)))
