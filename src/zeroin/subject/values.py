"""The values that an input consists of, and what each of them stands for.

An input is a tuple of ordered words (:mod:`zeroin.words`). A number is one word; a text is several. Some words are no
value at all in a given input, such as those beyond the length of a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from ..words import Kind


class Role(Enum):
    """What a value stands for."""

    NUMBER = auto()
    DECIMAL = auto()  # a number with a decimal fraction: the shortest text of a float
    DATE = auto()  # days since 2000-01-01
    MOMENT = auto()  # microseconds since 2000-01-01
    DURATION = auto()  # microseconds
    TIME = auto()  # microseconds since midnight
    ZONE = auto()  # minutes from UTC
    MEMBER = auto()  # a number of which some values have a name: a member of an enumeration
    TEXT = auto()
    CHOICE = auto()  # one of a list, such as a bool or a function
    SIZE = auto()  # not shown itself: the length of a sequence, or the lower bits of a number


class Value(NamedTuple):
    """One value of an input.

    Attributes:
        role: what it stands for.
        kind: the kind of its words.
        start, stop: the indices of its words. ``stop`` is exclusive.
        least, most: for a text: the least and the greatest number of characters.
        size: for a text: the index of the word with its length. None: a character 0 ends it.
        members: for :attr:`Role.MEMBER`: the words that have a name.
    """

    role: Role
    kind: Kind
    start: int
    stop: int
    least: int = 0
    most: int = 0
    size: int | None = None
    members: tuple[int, ...] = ()

    def text(self, words: Sequence[int]) -> str:
        """Return a text: the characters of its words."""
        return "".join(map(chr, words[self.start : self.stop]))

    def with_text(self, words: Sequence[int], text: str) -> tuple[int, ...]:
        """Return the words of the input with another text in place of this one.

        The text must have from ``least`` to ``most`` characters. One that a 0 ends must not contain a 0.
        """
        found = list(words)
        found[self.start : self.start + len(text)] = map(ord, text)
        if self.size is not None:
            found[self.size] = len(text)
        else:
            rest = self.start + len(text)
            found[rest : self.start + self.most + 1] = [0] * (self.most + 1 - len(text))
        return tuple(found)


def number(kind: Kind, at: int) -> Value:
    """Return the value of a single number, or of a bool."""
    return Value(Role.CHOICE if kind is Kind.BOOL else Role.NUMBER, kind, at, at + 1)


def numbers(kinds: Sequence[Kind], at: int) -> Iterator[Value]:
    """Yield a value for each word, from the index ``at`` on."""
    return (number(kind, at + n) for n, kind in enumerate(kinds))
