"""The numbers in a function's inputs, and their names in preconditions: ``x``, ``p.x``, ``xs[0]``, ``len(xs)``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..words import Kind, Number, decode, encode, value_range
from .base import Signature
from .bounds import Bounds

if TYPE_CHECKING:
    from ..term.core.nodes import Term
    from ..term.expression.typed import Type


MOST = (1 << 63) - 1


class Presence(NamedTuple):
    """A condition under which a number is part of the input: the value of a word is within bounds.

    An example is the length of a list, which decides whether an item exists.

    Attributes:
        word: the index of the word.
        low, high: the bounds, both inclusive and not negative.
        model: the word's value as a term over the variables of path conditions. None if these do not contain it.
        type: the type of the word if it is itself a number of the inputs; else None.
    """

    word: int
    low: int
    high: int
    model: Term | None
    type: Type | None = None


@dataclass(frozen=True)
class Leaf:
    """A number in the inputs.

    Attributes:
        name: its name in preconditions: ``xs[0].v``.
        group: the common name of all numbers that differ only in their indices: ``xs.v``.
        index: the indices.
        word: the index of its word.
        kind: the kind of its word.
        type: its type in preconditions.
        there: the conditions under which it is part of the input, all of them together; empty: it always is.
        model: its value as a term of that type over the variables of path conditions. None if these do not contain it.
    """

    name: str
    group: str
    index: tuple[int, ...]
    word: int
    kind: Kind
    type: Type
    there: tuple[Presence, ...] = ()
    model: Term | None = None

    def number(self, word: int) -> Number:
        """Return the number that an ordered word encodes."""
        return decode(self.kind, word)

    def value(self, word: int) -> Number:
        """Return the number that an ordered word encodes, as the value of a term: bit vectors have no sign."""
        value = self.number(word)
        return int(value) & (1 << self.type.sort.width) - 1 if self.type.sort.is_bits else value

    def word_of(self, value: Any) -> int:
        """Return the ordered word for the value of a term. If the value has no word, return that of a close one."""
        if self.type.sort.is_bits:
            low, high = value_range(self.kind)
            number = value - (1 << 64) if self.type.signed and value >> 63 else value
            return encode(self.kind, min(max(number, low), high))
        return encode(self.kind, value)

    @property
    def variable(self) -> Term:
        """The variable that stands for it in the terms of preconditions."""
        return word_variable(self.word, self.type)


def word_variable(word: int, type_: Type) -> Term:
    """Return the variable that stands for the value of a word in the terms of preconditions."""
    from ..term.core.nodes import variable

    return variable(f"word {word}", type_.sort)


class InputNames(ABC):
    """The numbers in a function's inputs, by their names in preconditions.

    Attributes:
        signature: the function's signature, with the ranges of its words narrowed so far.
    """

    signature: Signature

    @property
    @abstractmethod
    def bounded(self) -> Sequence[str]:
        """The names for which :meth:`bound` has an effect. Some stand for all items of a list or an array."""

    @abstractmethod
    def bound(self, name: str, bounds: Bounds) -> None:
        """Narrow the ranges of the words that a name stands for, in ``signature``. Other names have no effect.

        Raises:
            ValueError: no value is within the bounds. The message names the bounds, and nothing has changed.
        """

    @abstractmethod
    def keep_finite(self) -> None:
        """Exclude NaN and infinities from the ranges of all words in ``signature``.

        Raises:
            ValueError: no value of some number remains.
        """

    @abstractmethod
    def leaves(self) -> Sequence[Leaf]:
        """Return all numbers that are possible within the narrowed ranges."""

    @abstractmethod
    def given(self) -> Sequence[Term]:
        """Return the narrowed ranges as terms over the variables of path conditions.

        It omits ranges that path conditions already contain, in Python all.
        """
