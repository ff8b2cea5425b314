"""Functions of numbers and texts that are terms only by being called."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .....term.core.build import equal
from .....term.core.nodes import Op, Opaque, Term, constant, make
from .....term.core.sorts import BOOL, INT, Sort
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Type, Typed
from .numbers import carry, plain
from .recording import Recording

_ERRORS = (ValueError, OverflowError, ZeroDivisionError, TypeError, ArithmeticError)
_TYPES: dict[type, Type] = {float: DOUBLE, int: WHOLE, bool: TRUTH}


@dataclass(frozen=True)
class Applied:
    """A call of a function, as terms are evaluated.

    Attributes:
        function: what is called.
        is_text: it is called with the text of these code points, and not with numbers.
        part: which part of the result is meant; -1: all of it.
        result: the type of that.
    """

    function: Callable[..., object]
    is_text: bool
    part: int
    result: type

    def __call__(self, *values: object) -> object:
        try:
            found = self.function(*_arguments(values, self.is_text))
        except _ERRORS:
            found = None
        if self.part >= 0 and isinstance(found, tuple):
            found = found[self.part]
        if type(found) is not self.result:  # it raises an exception there, or is of another type
            return math.nan if self.result is float else self.result(0)
        return found


@dataclass(frozen=True)
class Raises:
    """Whether a call raises an exception: 0, or a number for its class; -1 for any other."""

    function: Callable[..., object]
    is_text: bool

    def __call__(self, *values: object) -> int:
        try:
            self.function(*_arguments(values, self.is_text))
        except Exception as error:
            return number_of_error(error)
        return 0


def number_of_error(error: BaseException) -> int:
    """A number for the class of an exception."""
    return next((n for n, kind in enumerate(_ERRORS, 1) if type(error) is kind), -1)


def _arguments(values: Sequence[Any], is_text: bool) -> Sequence[object]:
    if not is_text:
        return values
    return ("".join(chr(min(max(0, code), 0x10FFFF)) for code in values),)


@lru_cache(maxsize=4096)
def _opaque(name: str, function: Applied | Raises, sorts: tuple[Sort, ...], result: Sort) -> Opaque:
    return Opaque(name, sorts, result, function=function)


def pure(recording: Recording, place: int, function: Callable[..., object], terms: Sequence[Term],
         arguments: Sequence[object], is_text: bool = False) -> object:  # fmt: skip
    """The value of a call that depends on its arguments alone.

    Args:
        terms: of the arguments; of a text, of its characters.
        arguments: what it is called with.
    """
    name, sorts = getattr(function, "__name__", "a function"), tuple(term.sort for term in terms)
    result: Any = None
    error: Exception | None = None
    try:
        result = function(*map(plain, arguments))
    except Exception as caught:
        error = caught
    number = 0 if error is None else number_of_error(error)
    raises = make(Op.CALL, *terms, data=_opaque(f"error of {name}", Raises(function, is_text), sorts, INT))
    none = equal(raises, constant(INT, 0))
    recording.choose(none, error is None, f"{name} may raise an exception", place)
    if error is not None:
        for kind in range(1, number + 1 if number > 0 else len(_ERRORS) + 1):
            which = equal(raises, constant(INT, kind))
            recording.choose(which, kind == number, f"which exception {name} raises", place)
        raise error
    if isinstance(result, tuple) and all(type(part) in _TYPES for part in result):
        parts = enumerate(result)
        return tuple(carry(recording, part, _value(name, function, is_text, n, part, terms)) for n, part in parts)
    if type(result) in _TYPES:
        return carry(recording, result, _value(name, function, is_text, -1, result, terms))
    for term in terms:
        recording.pin(term, f"{name} is given values that are taken from the run")
    return result


def _value(name: str, function: Callable[..., object], is_text: bool, part: int, value: object,
           terms: Sequence[Term]) -> Typed:  # fmt: skip
    type_ = _TYPES[type(value)]
    called = _opaque(name, Applied(function, is_text, part, type(value)), tuple(t.sort for t in terms), type_.sort)
    return Typed(make(Op.CALL, *terms, data=called), type_)


def question(name: str, function: Callable[[str], bool], terms: Sequence[Term]) -> Term:
    """What a method of texts answers, which raises no exception."""
    called = _opaque(name, Applied(function, True, -1, bool), tuple(t.sort for t in terms), BOOL)
    return make(Op.CALL, *terms, data=called)
