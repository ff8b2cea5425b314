"""The numbers of a function's inputs, by the names of them in conditions: ``x``, ``p.x``, ``xs[0]``, ``len(xs)``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..words import Kind, decode, encode, value_range
from .base import Signature
from .bounds import Bounds

if TYPE_CHECKING:
    from ..term.core.nodes import Term
    from ..term.expression.typed import Type


MOST = (1 << 63) - 1


class Presence(NamedTuple):
    """A number is there while what this word stands for is within these bounds, neither of them negative; ``model`` is
    that over the variables of path conditions, None if these know nothing of it; ``type`` that of the word as a number
    of its own, None if it is none."""

    word: int
    low: int
    high: int
    model: Term | None
    type: Type | None = None


@dataclass(frozen=True)
class Leaf:
    """A number of the inputs.

    Attributes:
        name: by which conditions name it: ``xs[0].v``.
        group: the name of all that differ from it in the indices of items: ``xs.v``.
        index: these.
        word: the number of its word.
        kind: of its word.
        type: that it has in conditions.
        there: when inputs have it.
        model: it as a term of that type over the variables of path conditions; None if these know nothing of it.
    """

    name: str
    group: str
    index: tuple[int, ...]
    word: int
    kind: Kind
    type: Type
    there: tuple[Presence, ...] = ()
    model: Term | None = None

    def number(self, word: int) -> Any:
        """What it is for a word."""
        return decode(self.kind, word)

    def value(self, word: int) -> Any:
        """What it is for a word, as terms are evaluated."""
        value = self.number(word)
        return int(value) & (1 << self.type.sort.width) - 1 if self.type.sort.is_bits else value

    def word_of(self, value: Any) -> int:
        """The word of what terms are evaluated with; that of a number nearby, where it has none."""
        if self.type.sort.is_bits:
            low, high = value_range(self.kind)
            number = value - (1 << 64) if self.type.signed and value >> 63 else value
            return encode(self.kind, min(max(number, low), high))
        return encode(self.kind, value)

    @property
    def variable(self) -> Term:
        """It as a variable of its own."""
        return word_variable(self.word, self.type)


def word_variable(word: int, type_: Type) -> Term:
    """What a word stands for."""
    from ..term.core.nodes import variable

    return variable(f"word {word}", type_.sort)


class InputNames(ABC):
    """The numbers of a function's inputs, as conditions name them.

    Attributes:
        signature: the function's, with the ranges that its words have by now.
    """

    signature: Signature

    @property
    @abstractmethod
    def bounded(self) -> Sequence[str]:
        """All names of which :meth:`bound` can say something; some may say nothing of single numbers."""

    @abstractmethod
    def bound(self, name: str, bounds: Bounds) -> None:
        """Keep the words of a name within bounds.

        Raises:
            ValueError: no value is; says which bounds they are.
        """

    @abstractmethod
    def keep_finite(self) -> None:
        """Let there be no NaN and no infinities.

        Raises:
            ValueError: then there is no value.
        """

    @abstractmethod
    def leaves(self) -> Sequence[Leaf]:
        """All numbers, within the ranges that they have by now."""

    @abstractmethod
    def given(self) -> Sequence[Term]:
        """What the ranges say that path conditions do not know by themselves, over their variables."""
