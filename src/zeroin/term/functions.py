"""The functions that expressions can call: those of the C library's math, Python's own few, and conversions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .arithmetic import binary, choose, compare, negative
from .build import RNE, RTN, RTP, RTZ, conjunction, negation
from .nodes import Op, Term, make
from .rules import MATH
from .sorts import INT, REAL
from .typed import (
    DOUBLE,
    TRUTH,
    TYPES,
    WHOLE,
    ExpressionError,
    Number,
    Type,
    Typed,
    Value,
    ceiling,
    common,
    convert,
    truncated,
    truth,
    type_of,
)


@dataclass(frozen=True)
class Function:
    """A function that expressions can call.

    Attributes:
        least: arguments it takes,
        most: and how many at most.
        make: its value for arguments.
    """

    least: int
    most: int
    make: Callable[[list[Value]], Value]


def _as_floats(values: list[Value]) -> tuple[list[Term], Type]:
    """The values as floats of one type: float32 if that is all there is, else float."""
    types = [type_of(value) for value in values]
    if TRUTH in types:
        raise ExpressionError("the function takes numbers, not a bool: write (1 if ... else 0)")
    floats = {t for v, t in zip(values, types, strict=True) if isinstance(v, Typed) and t.sort.is_float}
    t = floats.pop() if len(floats) == 1 else DOUBLE
    return [convert(value, t) for value in values], t


def _math(name: str) -> Callable[[list[Value]], Value]:
    def apply(values: list[Value]) -> Value:
        terms, t = _as_floats(values)
        return Typed(make(Op.MATH, *terms, data=name), t)

    return apply


def _float_op(op: Op, *first: Term) -> Callable[[list[Value]], Value]:
    def apply(values: list[Value]) -> Value:
        terms, t = _as_floats(values)
        return Typed(make(op, *first, *terms), t)

    return apply


def _float_test(test: Callable[[Term], Term]) -> Callable[[list[Value]], Value]:
    return lambda values: truth(test(_as_floats(values)[0][0]))


def _is_nan(x: Term) -> Term:
    return make(Op.FP_IS_NAN, x)


def _is_infinite(x: Term) -> Term:
    return make(Op.FP_IS_INF, x)


def _is_finite(x: Term) -> Term:
    return conjunction([negation(_is_nan(x)), negation(_is_infinite(x))])


def _rounded(mode: Term, of_real: Callable[[Term], Term] | None) -> Callable[[list[Value]], Value]:
    def apply(values: list[Value]) -> Value:
        t = type_of(values[0])
        if t == WHOLE or t.sort.is_bits:
            return values[0]
        if t.sort == REAL:
            if of_real is None:
                raise ExpressionError("a real is rounded by floor, ceil and trunc only: write floor(x + 0.5)")
            return Typed(of_real(convert(values[0], t)), WHOLE)
        return _float_op(Op.FP_ROUND, mode)(values)

    return apply


def _absolute(values: list[Value]) -> Value:
    value, t = values[0], type_of(values[0])
    if isinstance(value, Number):
        return Number(abs(value.value), None if value.exact is None else abs(value.exact))
    if t.sort.is_bits:
        return choose(compare("<", value, Number.of(0)), negative(value), value) if t.signed else value
    if t.sort in (INT, REAL):
        return Typed(make(Op.ABS, convert(value, t)), t)
    return _float_op(Op.FP_ABS)(values)


def _extreme(sign: str) -> Callable[[list[Value]], Value]:
    """Python's min or max: the first that no later one beats, so NaN counts by its place."""

    def apply(values: list[Value]) -> Value:
        best = values[0]
        for value in values[1:]:
            t = common(best, value)
            a, b = Typed(convert(best, t), t), Typed(convert(value, t), t)
            best = choose(compare(sign, b, a), b, a)
        return best

    return apply


def _logarithm(values: list[Value]) -> Value:
    terms, t = _as_floats(values)
    logarithms: list[Value] = [Typed(make(Op.MATH, term, data="log"), t) for term in terms]
    return logarithms[0] if len(values) == 1 else binary("/", *logarithms)


def _cast(to: Type) -> Callable[[list[Value]], Value]:
    def apply(values: list[Value]) -> Value:
        value = values[0]
        if to == TRUTH and type_of(value) != TRUTH:
            return truth(compare("!=", value, Number.of(0)))
        if isinstance(value, Number) and to == DOUBLE and isinstance(value.value, float):
            return value
        return Typed(convert(value, to), to)

    return apply


FUNCTIONS = {name: Function(count, count, _math(name)) for name, count in MATH.items()}
FUNCTIONS |= {name: Function(1, 1, _cast(t)) for name, t in TYPES.items()}
FUNCTIONS |= {
    "abs": Function(1, 1, _absolute), "min": Function(2, 1 << 16, _extreme("<")),
    "max": Function(2, 1 << 16, _extreme(">")), "log": Function(1, 2, _logarithm),
    "pow": Function(2, 2, lambda values: binary("**", *values)), "fma": Function(3, 3, _float_op(Op.FP_FMA, RNE)),
    "sqrt": Function(1, 1, _float_op(Op.FP_SQRT, RNE)), "fabs": Function(1, 1, _float_op(Op.FP_ABS)),
    "remainder": Function(2, 2, _float_op(Op.FP_REM)),
    "floor": Function(1, 1, _rounded(RTN, lambda x: make(Op.REAL_TO_INT, x))),
    "ceil": Function(1, 1, _rounded(RTP, ceiling)), "trunc": Function(1, 1, _rounded(RTZ, truncated)),
    "round": Function(1, 1, _rounded(RNE, None)), "rint": Function(1, 1, _rounded(RNE, None)),
    "isnan": Function(1, 1, _float_test(_is_nan)), "isinf": Function(1, 1, _float_test(_is_infinite)),
    "isfinite": Function(1, 1, _float_test(_is_finite)),
}  # fmt: skip
