"""Shapes of enumeration members, and of combinations of flags."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, Flag
from functools import cached_property

from ....subject.values import Role, Value
from ....words import Kind
from .scalars import Choice
from .shapes import Make, Range, Shape, counter, no_words, path_of
from .snapshots import Snapshot

_MOST_FLAGS = 16  # a Flag class with more gets its named members only


def enumeration(cls: type[Enum]) -> Shape:
    """Return the shape of an enumeration's members; of a Flag, also combinations of members and the empty one.

    Aliases are left out. A Flag with more than 16 flags gets its named members only.

    Raises:
        ValueError: the enumeration has no members.
    """
    named = [(name, member) for name, member in cls.__members__.items() if member.name == name]
    if issubclass(cls, Flag):
        flags = [member.value for _, member in named if member.value.bit_count() == 1]
        if 0 < len(flags) <= _MOST_FLAGS:
            return Flags(path_of(cls), tuple(flags), tuple((member.value, name) for name, member in named))
    return Choice(tuple(Snapshot("enum", f"{path_of(cls)}.{name}") for name, _ in named), cls.__qualname__)


@dataclass(frozen=True)
class Flags(Shape):
    """A combination of flags, or none; bit ``n`` of the word stands for flag ``n``.

    Args:
        path: ``module:QualName`` of the class.
        flags: the value of each flag, a power of two.
        named: (value, name) of each flag and each combination with a name.
    """

    path: str
    flags: tuple[int, ...]
    named: tuple[tuple[int, str], ...]

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(self._last),)

    @property
    def _last(self) -> int:
        """The largest word: all flags."""
        return (1 << len(self.flags)) - 1

    @property
    def type(self) -> str:
        return self.path.partition(":")[2]

    @cached_property
    def _names(self) -> dict[int, str]:
        """The names of flags and combinations, by value."""
        return dict(self.named)

    def ranges(self) -> list[Range]:
        return [(0, self._last)]

    def hints(self) -> list[tuple[int, ...]]:
        return [(0, *(1 << n for n in range(len(self.flags))), self._last)]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        yield Value(Role.CHOICE, self.kinds[0], at, at + 1)

    def build(self, words: Sequence[int], make: Make) -> object:
        value = sum(flag for n, flag in enumerate(self.flags) if words[0] >> n & 1)
        name = self._names.get(value)
        return make(self.path)(value) if name is None else make(self.path)[name]

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, Flag) or path_of(type(value)) != self.path or value.value & ~sum(self.flags):
            raise no_words(value, self.type)
        return (sum(1 << n for n, flag in enumerate(self.flags) if value.value & flag),)
