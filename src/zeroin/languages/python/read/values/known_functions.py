"""The functions whose meaning is known: Python's own, and those of math."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeGuard

from .....term.core.build import RTZ
from .....term.core.nodes import Op, make
from .....term.expression.cases import Raised
from .....term.expression.functions import FUNCTIONS, OF_MATH
from .....term.expression.typed import TRUTH, WHOLE, Typed, TypedValue
from . import text_methods
from .numbers import (
    Carried,
    CarriedBool,
    CarriedFloat,
    CarriedInt,
    carry,
    is_carried,
    is_number,
    number_of,
    parts_of,
    plain,
    typed_of,
)
from .opaque import pure
from .operations import COMPARISONS, absolute_of, arithmetic_of, comparison_of, computed, truth_of
from .raw_bytes import CarriedRaw
from .sequences import CarriedList, CarriedRange, length_of
from .texts import CarriedStr, DerivedStr, origin_of, plain_text

if TYPE_CHECKING:
    from .calls import Caller

UNKNOWN = object()
Handler = Callable[["Caller", int, tuple[object, ...], Mapping[str, object]], object]


def carries(arguments: Iterable[object]) -> bool:
    return any(is_carried(argument) for argument in arguments)


def all_numbers(arguments: Sequence[object], named: Mapping[str, object]) -> TypeGuard[tuple[float, ...]]:
    """Whether all there is are numbers, one of which carries a term."""
    return not named and carries(arguments) and all(map(is_number, arguments))


def _as_term(function: Callable[..., object], meaning: Callable[[list[TypedValue], Raised], TypedValue]) -> Handler:
    """A function that the language of conditions has, too."""

    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        if not all_numbers(arguments, named):
            return UNKNOWN
        values: list[TypedValue] = [number_of(argument) for argument in arguments]
        return computed(caller.recording, place, lambda: function(*map(plain, arguments)),
                        lambda raised: meaning(values, raised), arguments,
                        f"{function.__name__} may raise an exception")  # fmt: skip

    return call


def _as_call(function: Callable[..., object]) -> Handler:
    """A function of numbers that is a term only by being called."""

    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        if not all_numbers(arguments, named):
            return UNKNOWN
        terms = [typed_of(argument).term for argument in arguments]
        return pure(caller.recording, place, function, terms, arguments)

    return call


# ---- conversions ----


def _float(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 1 and isinstance(arguments[0], str) and is_carried(arguments[0]):
        return text_methods.to_float(arguments[0], place)
    if len(arguments) == 1 and isinstance(arguments[0], CarriedFloat):
        return arguments[0]
    return _as_term(float, FUNCTIONS["float"].make)(caller, place, arguments, named)


def _int(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 1 and not named and isinstance(arguments[0], str) and is_carried(arguments[0]):
        return text_methods.to_int(arguments[0], place)
    return _as_term(int, FUNCTIONS["int"].make)(caller, place, arguments, named) if len(arguments) == 1 else UNKNOWN


def to_bool(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    """``bool(value)``."""
    if len(arguments) != 1:
        return UNKNOWN
    (value,) = arguments
    if isinstance(value, CarriedBool):
        return value
    if is_number(value) and is_carried(value):
        return carry(caller.recording, bool(plain(value)), Typed(truth_of(value), TRUTH))
    if isinstance(value, CarriedList | CarriedStr | CarriedRange | CarriedRaw):
        return to_bool(caller, place, (length(caller, value),), named)
    return UNKNOWN


def _str(function: Callable[[object], str]) -> Handler:
    def call(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> object:
        if not arguments or named:
            return UNKNOWN
        value, *spec = arguments
        if function is str and isinstance(value, str):
            return value
        parts = [*parts_of(value), *(part for text in spec if isinstance(text, str) for part in origin_of(text))]
        if not parts or caller.is_own(value):
            return UNKNOWN
        bare = value.unsettled() if isinstance(value, Carried) else value
        shown = function(bare, *map(plain_text, spec)) if spec else function(bare)
        return DerivedStr.of(caller.recording, shown, parts)

    return call


# ---- about values ----


def length(caller: Caller, value: Any) -> float:
    """``len(value)``."""
    if isinstance(value, CarriedList):
        return carry(caller.recording, list.__len__(value), Typed(length_of(value), WHOLE))
    if isinstance(value, CarriedStr):
        return carry(caller.recording, str.__len__(value), Typed(value.length, WHOLE))
    if isinstance(value, CarriedRaw):
        return carry(caller.recording, bytes.__len__(value), Typed(value.text.length, WHOLE))
    if isinstance(value, CarriedRange) and value.counts_by_one:
        return carry(caller.recording, len(value.plain), Typed(value.length(), WHOLE))
    own = getattr(type(value), "__len__", None)
    return own(value) if isinstance(own, FunctionType) else len(value)


def _len(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    return length(caller, *arguments) if len(arguments) == 1 and not named else UNKNOWN


def _type(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 1 and isinstance(arguments[0], Carried):
        return arguments[0].plain_type
    return range if len(arguments) == 1 and isinstance(arguments[0], CarriedRange) else UNKNOWN


def _isinstance(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 2 and isinstance(arguments[0], Carried | CarriedRange):
        kind = range if isinstance(arguments[0], CarriedRange) else arguments[0].plain_type
        value = kind(0) if kind is range else kind()
        return isinstance(value, arguments[1])
    return isinstance(*arguments) if not named and len(arguments) == 2 else UNKNOWN


def _print(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> object:
    """Nothing that is decided depends on what is printed."""
    return print(*arguments, **named)


def _divmod(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if not all_numbers(arguments, named) or len(arguments) != 2:
        return UNKNOWN
    return tuple(arithmetic_of(caller.recording, place, sign, *arguments) for sign in ("//", "%"))


def _pow(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if all_numbers(arguments, named) and len(arguments) == 2:
        return arithmetic_of(caller.recording, place, "**", *arguments)
    return _as_call(pow)(caller, place, arguments, named)


def _round(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 2 and arguments[1] is None:
        arguments = arguments[:1]
    handler = _as_term(round, FUNCTIONS["round"].make) if len(arguments) == 1 else _as_call(round)
    return handler(caller, place, arguments, named)


def _abs(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    return absolute_of(arguments[0]) if all_numbers(arguments, named) and len(arguments) == 1 else UNKNOWN


def _ord(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 1 and isinstance(arguments[0], CarriedStr) and str.__len__(arguments[0]) == 1:
        return text_methods.to_code(arguments[0], place)
    return UNKNOWN


def _chr(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    return text_methods.of_code(arguments[0], place) if all_numbers(arguments, named) and \
        isinstance(arguments[0], CarriedInt) else UNKNOWN  # fmt: skip


def _relation(sign: str) -> Handler:
    def call(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, object]) -> object:
        if len(arguments) != 2:
            return UNKNOWN
        a, b = arguments
        if not all_numbers(arguments, named):
            return COMPARISONS[sign](*caller.meeting(a, b))
        return carry(caller.recording, COMPARISONS[sign](plain(a), plain(b)), Typed(comparison_of(sign, a, b), TRUTH))

    return call


def _operator(sign: str) -> Handler:
    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        return caller.binary(place, sign, *arguments) if len(arguments) == 2 else UNKNOWN

    return call


# ---- methods of numbers, and dicts ----


def method_of_number(place: int, number: Any, name: str, arguments: tuple[object, ...]) -> object:
    """What a method of a number gives back."""
    function = getattr(type(plain(number)), name, None)
    if name in ("conjugate", "__int__", "__trunc__") and isinstance(number, CarriedInt):
        return number
    if function is None or not all(map(is_number, arguments)):
        return UNKNOWN
    if name == "is_integer":
        term = number.term
        whole = make(Op.FP_EQ, term, make(Op.FP_ROUND, RTZ, term))
        finite = comparison_of("<", carry(number.recording, abs(plain(number)),
                                          Typed(make(Op.FP_ABS, term), number.typed.type)), math.inf)  # fmt: skip
        both = make(Op.AND, whole, finite)
        return carry(number.recording, plain(number).is_integer(), Typed(both, TRUTH))
    values = (number, *arguments)
    return pure(number.recording, place, function, [typed_of(value).term for value in values], values)


_PURE = ("gamma", "ldexp", "frexp", "modf", "gcd", "lcm", "factorial", "isqrt", "comb", "perm",
         "isclose", "dist", "ulp", "log1p", "remainder", "nextafter", "hypot", "lgamma")  # fmt: skip
_BY_NAME = (*(name for name in OF_MATH if name not in ("abs", "min", "max", "round")), *_PURE)
KNOWN: dict[object, Handler] = {}
for _name in _BY_NAME:
    _function = getattr(math, _name, None)
    if _function is not None:
        _is_term = _name in OF_MATH and _name not in ("hypot", "lgamma")
        KNOWN[_function] = _as_term(_function, OF_MATH[_name].make) if _is_term else _as_call(_function)
KNOWN |= {getattr(operator, name): _operator(sign) for name, sign in (
    ("add", "+"), ("sub", "-"), ("mul", "*"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"),
    ("pow", "**"))}  # fmt: skip
KNOWN |= {getattr(operator, name): _relation(sign) for name, sign in (
    ("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">="))}  # fmt: skip
KNOWN |= {
    float: _float, int: _int, bool: to_bool, str: _str(str), repr: _str(repr), format: _str(format), len: _len,
    type: _type, isinstance: _isinstance, print: _print, divmod: _divmod, pow: _pow, round: _round,
    abs: _abs, ord: _ord, chr: _chr,
}  # fmt: skip
