"""Functions as arguments: some of the standard library's, which a test can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from ....words import Kind
from .shapes import Make, Range, Shape, counter, no_words

# What they do to numbers: nothing, something linear, something else. None raises an error, which would be a finding.
_ANY = ("builtins:max", "builtins:min", "math:hypot")
_TAKING = {
    0: ("builtins:float", "builtins:int", "builtins:list"),
    1: ("builtins:float", "operator:neg", "builtins:abs", "math:atan", "builtins:bool"),
    2: ("operator:sub", "operator:add", "operator:mul", "operator:lt", "builtins:max", "math:atan2"),
}


def functions_of(arity: int | None) -> Functions:
    """Functions of so many arguments; None: nobody knows of how many."""
    if arity is None:
        return Functions((*_TAKING[1], *_ANY), "Callable")
    return Functions(_TAKING.get(arity, _ANY), "Callable")


@dataclass(frozen=True)
class Functions(Shape):
    """One of some functions; the word is its index.

    Args:
        members: where they are, as ``module:name``.
        name: how Python writes the type.
    """

    members: tuple[str, ...]
    name: str

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(len(self.members) - 1),)

    @property
    def type(self) -> str:
        return self.name

    def ranges(self) -> list[Range]:
        return [(0, len(self.members) - 1)]

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.members)))]

    def build(self, words: Sequence[int], make: Make) -> Any:
        return self._functions[words[0]]

    @cached_property
    def _functions(self) -> list[Any]:
        parts = (path.partition(":") for path in self.members)
        return [getattr(import_module(module), name) for module, _, name in parts]

    def encode(self, value: Any) -> tuple[int, ...]:
        for index, function in enumerate(self._functions):
            if function is value:
                return (index,)
        raise no_words(value, self.type)
