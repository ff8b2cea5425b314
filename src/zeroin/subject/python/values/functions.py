"""Functions as arguments: some of the standard library's, which a test can name."""

from __future__ import annotations

import math  # noqa: F401  # named below, as is
import operator  # noqa: F401
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ....words import Kind
from .pictures import named
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
        return named(self.members[words[0]])

    def encode(self, value: Any) -> tuple[int, ...]:
        for index, path in enumerate(self.members):
            if named(path) is value:
                return (index,)
        raise no_words(value, self.type)
