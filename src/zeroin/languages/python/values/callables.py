"""Functions as arguments: some of the standard library's, which a test can name, and others that a test can write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any

from ....words import Kind
from .constant_functions import RAISING, is_returning, returning
from .containers import union_of
from .shapes import Make, Range, Shape, counter, no_words

# What they do to numbers: nothing, something linear, something else.
_ANY = ("builtins:max", "builtins:min", "math:hypot")
_TAKING = {
    0: ("builtins:float", "builtins:int", "builtins:list"),
    1: ("builtins:float", "operator:neg", "builtins:abs", "math:atan", "builtins:bool"),
    2: ("operator:sub", "operator:add", "operator:mul", "operator:lt", "builtins:max", "math:atan2"),
}


def functions_of(arity: int | None, result: Shape | None = None) -> Shape:
    """Functions of so many arguments; None: nobody knows of how many. If it is known what they return, also one that
    returns such a value whatever it gets."""
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
    """A function that returns a value of a shape, whatever it gets; the words are those of the value."""

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

    def build(self, words: Sequence[int], make: Make) -> Any:
        return returning(partial(self.result.build, tuple(words), make))

    def encode(self, value: Any) -> tuple[int, ...]:
        if not is_returning(value):
            raise no_words(value, self.type)
        return self.result.encode(value())


@dataclass(frozen=True)
class Functions(Shape):
    """One of some functions, or one that raises ValueError; the word is its index.

    Args:
        members: where they are, as ``module:name``.
        name: how Python writes the type.
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

    def build(self, words: Sequence[int], make: Make) -> Any:
        return self._functions[words[0]]

    @cached_property
    def _functions(self) -> list[Any]:
        parts = (path.partition(":") for path in self.members)
        return [*(getattr(import_module(module), name) for module, _, name in parts), RAISING]

    def encode(self, value: Any) -> tuple[int, ...]:
        for index, function in enumerate(self._functions):
            if function is value:
                return (index,)
        raise no_words(value, self.type)
