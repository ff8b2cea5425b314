"""What Python's operators do to numbers that carry terms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from .....term.core.build import FALSE, TRUE, conjunction, equal, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify_above
from .....term.core.sorts import FLOAT64, INT
from .....term.expression import arithmetic
from .....term.expression.cases import Raised, is_zero
from .....term.expression.comparison import compare as compare_terms
from .....term.expression.typed import TRUTH, WHOLE, Choice, Literal, Type, Typed, TypedValue, convert, type_of
from .bitwise import SIGNS, bitwise
from .numbers import (
    Carried,
    CarriedBool,
    CarriedFloat,
    CarriedInt,
    Scalar,
    beside,
    carry,
    is_carried,
    is_number,
    number_of,
    numeric,
    plain,
    typed_of,
)
from .recording import Recording

OPERATORS: dict[str, Callable[[object, object], object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "<<": operator.lshift, ">>": operator.rshift, "@": operator.matmul,
}  # fmt: skip
COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_NAMES = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "&": "and",
          "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift"}  # fmt: skip
_RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def computed(recording: Recording, place: int, value: Callable[[], object], term: Callable[[Raised], TypedValue],
             operands: Sequence[float], why: str) -> object:  # fmt: skip
    """What Python computes, with its term. Whether it raises an exception is a choice of the run.

    Args:
        place: in the code.
        value: what Python does.
        term: what that is as a term; it is given a list for the conditions under which there is an exception.
        operands: the numbers that it is computed of.
        why: for people, what may raise it.
    """
    raised: Raised = []
    known = [typed_of(operand).term for operand in operands]
    made = term(raised)
    error: Exception | None = None
    result: Any = None
    try:
        result = value()
    except (ArithmeticError, ValueError) as caught:
        error = caught
    causes = [simplify_above(condition, *known) for condition in raised]
    _raises(recording, place, causes, why, error, isinstance(result, complex))
    if error is not None:
        raise error
    if isinstance(result, complex):
        return result
    return carry(recording, result, _chosen(recording, place, made, known))


def _raises(recording: Recording, place: int, raised: Sequence[Term], why: str, error: Exception | None,
            is_complex: bool) -> None:  # fmt: skip
    """Note whether there was an exception, and of several causes which."""
    for condition in raised:
        if recording.fails(condition, why, place):
            if error is None and not is_complex:
                raise recording.stop("it raises no exception, but zeroin's model does, which is a bug of zeroin")
            return
    if (error is not None or is_complex) and recording.live:
        raise recording.stop(f"it raises {type(error).__name__}, but zeroin's model does not")


def _chosen(recording: Recording, place: int, value: TypedValue, known: Sequence[Term]) -> Typed:
    """Of a number that is an int or a float the one that it is in this run."""
    while isinstance(value, Choice):
        holds = recording.holds(value.condition, "whether a number is an int or a float", place)
        value = value.then if holds else value.other
    if isinstance(value, Literal):
        return typed_of(value.value)
    return Typed(simplify_above(value.term, *known), value.type, value.rounded)


# ---- arithmetic ----


def arithmetic_of(recording: Recording, place: int, sign: str, a: float, b: float) -> object:
    """``a sign b`` of numbers, one of which carries a term."""
    x, y = plain(a), plain(b)
    if not recording.live:
        return OPERATORS[sign](x, y)
    if sign in SIGNS:
        return bitwise(recording, place, sign, a, b)

    def term(raised: Raised) -> TypedValue:
        value = arithmetic.binary(sign, beside(a, b), beside(b, a), raised)
        if sign == "**":
            raised[:] = powers_apart(raised, number_of(a).term)
        return value

    return computed(recording, place, lambda: OPERATORS[sign](x, y), term, (a, b),
                    f"{sign} may raise an exception")  # fmt: skip


def powers_apart(raised: Raised, base: Term) -> Raised:
    """What raises an exception, with a power of zero apart from what is too large."""
    if all(term.is_constant for term in raised):
        return raised
    zero = is_zero(base)
    apart: Raised = []
    for term in raised:
        apart += [conjunction([term, zero]), conjunction([term, negation(zero)])]
    return apart


def negative_of(value: Scalar) -> float:
    """``-value``."""
    typed = number_of(value)
    made = arithmetic.negative(typed, [])
    assert isinstance(made, Typed)
    return carry(value.recording, -plain(value), made)


def absolute_of(value: Any) -> float:
    """``abs(value)``."""
    term = number_of(value).term
    op = Op.FP_ABS if term.sort == FLOAT64 else Op.ABS
    return carry(value.recording, abs(plain(value)), Typed(make(op, term), number_of(value).type))


def positive_of(value: Scalar) -> float:
    """``+value``."""
    return carry(value.recording, +plain(value), number_of(value)) if isinstance(value, CarriedBool) else value


def inverted(value: CarriedInt | CarriedBool) -> float:
    """``~value``."""
    term = make(Op.SUB, make(Op.NEG, number_of(value).term), constant(INT, 1))
    return carry(value.recording, ~int(plain(value)), Typed(term, WHOLE))


# ---- comparisons ----


def comparison_of(sign: str, a: float, b: float) -> Term:
    """``a sign b`` of numbers, as a term. An int and a float are compared without rounding."""
    return comparison_of_terms(sign, typed_of(a), typed_of(b))


def comparison_of_terms(sign: str, one: Typed, other: Typed) -> Term:
    """The same, of numbers as terms."""
    if one.type == other.type == TRUTH and sign in ("==", "!="):
        same = equal(one.term, other.term)
        return simplify_above(same if sign == "==" else negation(same), one.term, other.term)
    return simplify_above(compare_terms(sign, numeric(one), numeric(other)), one.term, other.term)


def truth_of(value: float) -> Term:
    """Whether a number is true."""
    typed = typed_of(value)
    return typed.term if typed.type == TRUTH else comparison_of("!=", value, 0)


def converted(value: Typed, to: Type) -> Term:
    """The term of a number in another type."""
    return convert(value, to) if type_of(value) != to else value.term


# ---- the operators of the values themselves, for code that is not rewritten ----


def _forward(sign: str) -> Callable[[Scalar, object], object]:
    def method(self: Scalar, other: object) -> object:
        if not is_number(other):
            return NotImplemented
        return arithmetic_of(self.recording, self.recording.place, sign, self, other)

    return method


def _backward(sign: str) -> Callable[[Scalar, object], object]:
    def method(self: Scalar, other: object) -> object:
        if not is_number(other):
            return NotImplemented
        return arithmetic_of(self.recording, self.recording.place, sign, other, self)

    return method


def _relation(sign: str) -> Callable[[Scalar, object], object]:
    def method(self: Scalar, other: object) -> object:
        if not is_number(other):
            if isinstance(other, Carried):
                return NotImplemented
            return getattr(plain(self), f"__{_RELATIONS[sign]}__")(other)
        holds = COMPARISONS[sign](plain(self), plain(other))
        recording = self.recording
        if recording.live:
            condition = comparison_of(sign, self, other)
            if not recording.note_pattern(condition, holds):
                recording.choose(condition, holds, "a comparison without a probe", recording.place)
        return holds

    return method


def _truth(self: Scalar) -> bool:
    holds = bool(plain(self))
    self.recording.choose(truth_of(self), holds, "a condition without a probe", self.recording.place)
    return holds


for _class in (CarriedFloat, CarriedInt, CarriedBool):
    for _sign, _name in _NAMES.items():
        if hasattr(_class, f"__{_name}__"):
            setattr(_class, f"__{_name}__", _forward(_sign))
            setattr(_class, f"__r{_name}__", _backward(_sign))
    for _sign, _name in _RELATIONS.items():
        setattr(_class, f"__{_name}__", _relation(_sign))
    for _name, _method in (("neg", negative_of), ("pos", positive_of), ("abs", absolute_of), ("bool", _truth)):
        setattr(_class, f"__{_name}__", _method)
for _class in (CarriedInt, CarriedBool):
    setattr(_class, "__invert__", inverted)  # noqa: B010

__all__ = ["COMPARISONS", "FALSE", "OPERATORS", "TRUE", "absolute_of", "arithmetic_of", "comparison_of", "computed",
           "converted", "is_carried", "truth_of"]  # fmt: skip
