"""Shapes of functions as arguments: functions of the standard library, and lambdas with a constant result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from ....subject.values import Role, Value
from ....words import Kind
from .constant_functions import RAISING, is_returning, returning
from .containers import union_of
from .shapes import Make, Range, Shape, counter, no_words

# Chosen for their effects on numbers: none, linear and nonlinear.
_ANY = ("builtins:max", "builtins:min", "math:hypot")
_TAKING = {
    0: ("builtins:float", "builtins:int", "builtins:list"),
    1: ("builtins:float", "operator:neg", "builtins:abs", "math:atan", "builtins:bool"),
    2: ("operator:sub", "operator:add", "operator:mul", "operator:lt", "builtins:max", "math:atan2"),
}


def functions_of(arity: int | None, result: Shape | None = None) -> Shape:
    """Return the shape of functions with a given number of arguments.

    If ``result`` has several words, the only function that uses its argument is ``copy.copy``; there is none for 0, 2
    or more arguments.

    Args:
        arity: the number of arguments; None if it is not known.
        result: the shape of the result; None if it is not known. If known, the shape includes functions that always
            return one such value.
    """
    if result is None or result.arity <= 1:
        known = (*_TAKING[1], *_ANY) if arity is None else _TAKING.get(arity, _ANY)
    else:
        known = ("copy:copy",) if arity in (1, None) else ()
    made: tuple[Shape, ...] = (Functions(known, "Callable"),) if known else ()
    if result is not None:
        made += (Returning(result),)
    return union_of(made)


@dataclass(frozen=True)
class Returning(Shape):
    """A function that ignores its arguments and returns one value; the words are those of the value."""

    result: Shape

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self.result.kinds

    @property
    def type(self) -> str:
        return "Callable"

    def ranges(self) -> list[Range]:
        return self.result.ranges()

    def hints(self) -> list[tuple[int, ...]]:
        return self.result.hints()

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        return self.result.values_in(words, at)

    def build(self, words: Sequence[int], make: Make) -> object:
        return returning(partial(self.result.build, tuple(words), make))

    def encode(self, value: Any) -> tuple[int, ...]:
        if not is_returning(value):
            raise no_words(value, self.type)
        return self.result.encode(value())


@dataclass(frozen=True)
class Functions(Shape):
    """One of a list of functions, or one that raises ValueError; the word is the index, the last for ValueError.

    Args:
        members: the functions, as ``module:name``; they are imported at the first use.
        name: the type in Python's notation.
    """

    members: tuple[str, ...]
    name: str

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(len(self.members)),)

    @property
    def type(self) -> str:
        return self.name

    def ranges(self) -> list[Range]:
        return [(0, len(self.members))]

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.members) + 1))]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        yield Value(Role.CHOICE, self.kinds[0], at, at + 1)

    def build(self, words: Sequence[int], make: Make) -> object:
        return self._functions[words[0]]

    @cached_property
    def _functions(self) -> list[object]:
        """The functions in the order of their indices; the last raises ValueError."""
        parts = (path.partition(":") for path in self.members)
        return [*(getattr(import_module(module), name) for module, _, name in parts), RAISING]

    def encode(self, value: object) -> tuple[int, ...]:
        for index, function in enumerate(self._functions):
            if function is value:
                return (index,)
        raise no_words(value, self.type)
