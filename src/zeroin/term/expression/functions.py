"""The functions that expressions can call: those of C's math library, some of Python's, and conversions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..core.build import RNE, RTN, RTP, RTZ, conjunction, disjunction, negation
from ..core.nodes import Op, Opaque, Term, constant, make
from ..core.sorts import FLOAT64, INT, REAL, Sort
from ..core.traversal import postorder
from ..core.typing_rules import MATH
from .arithmetic import binary, float_power, negative
from .cases import Raised, by_cases, choose, no_result, to_float
from .comparison import compare
from .typed import (
    DOUBLE,
    TRUTH,
    TYPES,
    WHOLE,
    ExpressionError,
    Literal,
    Type,
    Typed,
    TypedValue,
    ceiling,
    convert,
    truncated,
    truth,
    type_of,
)


@dataclass(frozen=True)
class Function:
    """A function that expressions can call.

    Attributes:
        least: the least number of arguments.
        most: the greatest number of arguments.
        make: returns the value for a list of arguments. Its second parameter is a list to which it adds the conditions
            under which Python raises an exception.
    """

    least: int
    most: int
    make: Make


Make = Callable[[list[TypedValue], Raised], TypedValue]

# Where Python's math functions raise an exception: those in _TOTAL nowhere, those in _DOMAIN only outside their domain,
# those in _RANGE only if the result is too large, and all others in both cases.
_TOTAL = {"atan", "tanh", "asinh", "erf", "erfc", "cbrt", "fabs", "rint", "atan2", "copysign", "nextafter", "fmin",
          "fmax", "hypot"}  # fmt: skip
_DOMAIN = {"sin", "cos", "tan", "asin", "acos", "acosh", "fmod"}
_RANGE = {"exp", "exp2", "expm1", "sinh", "cosh"}


def _as_floats(values: list[TypedValue], raised: Raised) -> tuple[list[Term], Type]:
    """Return the values as floats of one type, and the type: float32 if no other float type occurs, else double.

    Raises:
        ExpressionError: a value is a bool.
    """
    types = [type_of(value) for value in values]
    if TRUTH in types:
        raise ExpressionError("the function takes numbers, not a bool: write (1 if ... else 0)")
    floats = {t for v, t in zip(values, types, strict=True) if isinstance(v, Typed) and t.sort.is_float}
    t = floats.pop() if len(floats) == 1 else DOUBLE
    return [to_float(value, t, raised) for value in values], t


def _math(name: str) -> Make:
    """Return a function of C's math library. For doubles, it is CPython's own if that has other results (``OWN``)."""

    def apply(values: list[TypedValue], raised: Raised) -> TypedValue:
        terms, t = _as_floats(values, raised)
        own = OWN.get(name) if t == DOUBLE else None
        result = make(Op.MATH, *terms, data=name) if own is None else make(Op.CALL, *terms, data=own)
        if name not in _TOTAL:
            raised.append(no_result(result, terms, nan=name not in _RANGE, infinite=name not in _DOMAIN))
        return Typed(result, t)

    return apply


def _without_exceptions(function: Callable[..., float]) -> Callable[..., float]:
    """Return the function with NaN as its result where it raises a ``ValueError`` or an ``OverflowError``."""

    def call(*args: float) -> float:
        try:
            return function(*args)
        except (ValueError, OverflowError):
            return math.nan

    return call


def _own(name: str, *parameters: Sort) -> Opaque:
    """Return CPython's function of this name as an opaque function."""
    return Opaque(name, parameters, FLOAT64, function=_without_exceptions(getattr(math, name)))


OWN = {"hypot": _own("hypot", FLOAT64, FLOAT64), "lgamma": _own("lgamma", FLOAT64)}
ISQRT = Opaque("isqrt", (INT,), INT, function=lambda n: math.isqrt(max(n, 0)))
_LOGARITHMS = {name: _own(name, INT) for name in ("log", "log2", "log10")}  # CPython's: for ints of any size


def _logarithm(name: str) -> Make:
    """Return a logarithm. Ints of any size are not rounded first; with a base, it is the quotient of two logarithms."""

    def of_one(values: Sequence[TypedValue], raised: Raised) -> TypedValue:
        (value,) = values
        if type_of(value) != WHOLE or (isinstance(value, Typed) and value.rounded is not None):
            return _math(name)([value], raised)
        n = convert(value, WHOLE)
        raised.append(make(Op.LE, n, constant(INT, 0)))
        return Typed(make(Op.CALL, n, data=_LOGARITHMS[name]), DOUBLE)

    def apply(values: list[TypedValue], raised: Raised) -> TypedValue:
        logarithms = [by_cases(of_one, [value], raised) for value in values]
        return logarithms[0] if len(values) == 1 else binary("/", logarithms[0], logarithms[1], raised)

    return apply


def _float_op(op: Op, *first: Term) -> Make:
    """Return a function that is an operation on floats. ``first`` has arguments in front, such as the rounding mode."""

    def apply(values: list[TypedValue], raised: Raised) -> TypedValue:
        terms, t = _as_floats(values, raised)
        result = make(op, *first, *terms)
        if op is Op.FP_SQRT:
            raised.append(make(Op.FP_LT, terms[0], constant(t.sort, 0.0)))
        elif op is not Op.FP_ABS:
            raised.append(no_result(result, terms, infinite=op is not Op.FP_REM))
        return Typed(result, t)

    return apply


def _float_test(test: Callable[[Term], Term]) -> Make:
    """Return a function that tests a float."""
    return lambda values, raised: truth(test(_as_floats(values, raised)[0][0]))


def _is_nan(x: Term) -> Term:
    return make(Op.FP_IS_NAN, x)


def _is_infinite(x: Term) -> Term:
    return make(Op.FP_IS_INF, x)


def _is_finite(x: Term) -> Term:
    return conjunction([negation(_is_nan(x)), negation(_is_infinite(x))])


def _rounded(mode: Term, of_real: Callable[[Term], Term] | None) -> Make:
    """Return a function that rounds a number to an int. For NaN and infinities, Python raises an exception.

    Args:
        mode: the rounding mode.
        of_real: rounds a Real to an Int; None if that is not supported in this mode.
    """

    def of_one(values: Sequence[TypedValue], raised: Raised) -> TypedValue:
        (value,) = values
        t = type_of(value)
        if t == WHOLE or t.sort.is_bits:
            return value
        if t.sort == REAL:
            if of_real is None:
                raise ExpressionError("a real is rounded by floor, ceil and trunc only: write floor(x + 0.5)")
            return Typed(of_real(convert(value, t)), WHOLE)
        (x,), _ = _as_floats([value], raised)
        raised.append(negation(_is_finite(x)))
        whole = make(Op.FP_ROUND, mode, x)
        return Typed(make(Op.FP_TO_INT, whole), WHOLE, whole)

    return lambda values, raised: by_cases(of_one, values, raised)


def _times(factor: float) -> Make:
    """Return a function that multiplies a float by a constant."""

    def apply(values: list[TypedValue], raised: Raised) -> TypedValue:
        (term,), t = _as_floats(values, raised)
        return Typed(make(Op.FP_MUL, RNE, term, constant(t.sort, factor)), t)

    return apply


def _rint(values: list[TypedValue], raised: Raised) -> TypedValue:
    terms, t = _as_floats(values, raised)
    return Typed(make(Op.FP_ROUND, RNE, *terms), t)


def _absolute(values: list[TypedValue], raised: Raised) -> TypedValue:
    return by_cases(_absolute_of_one, values, raised)


def _absolute_of_one(values: Sequence[TypedValue], raised: Raised) -> TypedValue:
    (value,) = values
    t = type_of(value)
    if isinstance(value, Literal):
        return Literal(abs(value.value), None if value.exact is None else abs(value.exact))
    if t.sort.is_bits:
        return choose(compare("<", value, Literal.of(0)), negative(value, raised), value) if t.signed else value
    if t.sort in (INT, REAL):
        return Typed(make(Op.ABS, convert(value, t)), t)
    return _float_op(Op.FP_ABS)([value], raised)


def _extreme(sign: str) -> Make:
    """Return Python's min or max. A later value wins only if it compares as better, so the position of a NaN counts."""

    def apply(values: list[TypedValue], raised: Raised) -> TypedValue:
        best = values[0]
        for value in values[1:]:
            best = choose(compare(sign, value, best), value, best)
        return best

    return apply


def _cast(to: Type) -> Make:
    """Return a function that converts a number to a type."""

    def of_one(values: Sequence[TypedValue], raised: Raised) -> TypedValue:
        (value,) = values
        t = type_of(value)
        if to == TRUTH and t != TRUTH:
            return truth(compare("!=", value, Literal.of(0)))
        if isinstance(value, Literal) and to == DOUBLE and isinstance(value.value, float):
            return value
        if to == WHOLE and t.sort.is_float:
            return _rounded(RTZ, None)([value], raised)
        return Typed(to_float(value, to, raised) if to.sort.is_float else convert(value, to), to)

    return lambda values, raised: by_cases(of_one, values, raised)


def _math_pow(values: list[TypedValue], raised: Raised) -> TypedValue:
    _, t = _as_floats(values, [])
    return float_power(values[0], values[1], t, raised)


def integer_root(n: Term, raised: Raised) -> Term:
    """Return ``math.isqrt(n)``, and add the condition that n is negative to ``raised``."""
    raised.append(make(Op.LT, n, constant(INT, 0)))
    return make(Op.CALL, n, data=ISQRT)


def known_of(condition: Term) -> list[Term]:
    """Return facts about the calls of opaque functions in a condition; they hold for every input.

    For ``r = isqrt(n)`` with ``n >= 0``, the fact is ``r * r <= n < (r + 1) * (r + 1)``.
    """
    found = []
    for root in postorder([condition]):
        if root.op is Op.CALL and root.data is ISQRT:
            (n,), following = root.args, make(Op.ADD, root, constant(INT, 1))
            parts = [make(Op.LE, constant(INT, 0), root), make(Op.LE, make(Op.MUL, root, root), n),
                     make(Op.LT, n, make(Op.MUL, following, following))]  # fmt: skip
            found.append(disjunction([make(Op.LT, n, constant(INT, 0)), conjunction(parts)]))
    return found


FUNCTIONS = {name: Function(count, count, _math(name)) for name, count in MATH.items()}
FUNCTIONS |= {name: Function(1, 1, _cast(t)) for name, t in TYPES.items()}
FUNCTIONS |= {name: Function(1, 1, _logarithm(name)) for name in ("log2", "log10")}
FUNCTIONS |= {
    "abs": Function(1, 1, _absolute), "min": Function(2, 1 << 16, _extreme("<")),
    "max": Function(2, 1 << 16, _extreme(">")), "log": Function(1, 2, _logarithm("log")),
    "pow": Function(2, 2, lambda values, raised: binary("**", values[0], values[1], raised)),
    "fma": Function(3, 3, _float_op(Op.FP_FMA, RNE)),
    "sqrt": Function(1, 1, _float_op(Op.FP_SQRT, RNE)), "fabs": Function(1, 1, _float_op(Op.FP_ABS)),
    "remainder": Function(2, 2, _float_op(Op.FP_REM)),
    "floor": Function(1, 1, _rounded(RTN, lambda x: make(Op.REAL_TO_INT, x))),
    "ceil": Function(1, 1, _rounded(RTP, ceiling)), "trunc": Function(1, 1, _rounded(RTZ, truncated)),
    "round": Function(1, 1, _rounded(RNE, None)), "rint": Function(1, 1, _rint),
    "radians": Function(1, 1, _times(math.pi / 180.0)), "degrees": Function(1, 1, _times(180.0 / math.pi)),
    "isnan": Function(1, 1, _float_test(_is_nan)), "isinf": Function(1, 1, _float_test(_is_infinite)),
    "isfinite": Function(1, 1, _float_test(_is_finite)),
}  # fmt: skip
OF_MATH = FUNCTIONS | {"pow": Function(2, 2, _math_pow)}  # math.pow converts its arguments to floats
