"""Shapes whose constraints exclude values between others: multiples of a number, and values that pass a predicate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ....subject.values import Value
from ....words import Kind, encode
from .shapes import Class, Make, Ordered, Range, Shape, int_of_word, no_words, surrogate

_EXACT = 1 << 53  # up to here, floats represent all integers exactly


@dataclass(frozen=True)
class Multiple(Ordered):
    """A multiple of ``step``; the word is the factor. The value is an int or a float, as ``step`` is."""

    step: int | float

    @property
    def builds(self) -> Class:
        return type(self.step)

    @property
    def type(self) -> str:
        return type(self.step).__name__

    @property
    def kind(self) -> Kind:
        return Kind.INT if isinstance(self.step, int) else Kind.I64

    @property
    def line(self) -> Range:
        return super().line if isinstance(self.step, int) else (-_EXACT, _EXACT)

    def value_at(self, word: int) -> int | float:
        return int_of_word(word) * self.step if isinstance(self.step, int) else word * self.step

    def word_of(self, value: int | float) -> int:
        return encode(self.kind, round(value / self.step) if isinstance(self.step, float) else value // self.step)


@dataclass(frozen=True)
class Checked(Shape):
    """A value of ``shape`` for which a predicate must be true; for other values, :meth:`build` raises ValueError.

    Exceptions of the predicate pass through. :meth:`encode` does not check the value, nor does :meth:`build` if it
    makes snapshots (``make`` is ``surrogate``).

    Args:
        shape: the shape of the value.
        predicate: called with the value. It is not pickled: after unpickling, it is None and nothing is checked.
    """

    shape: Shape
    predicate: Callable[[object], object] | None = field(compare=False)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return self.shape.kinds

    @property
    def type(self) -> str:
        return self.shape.type

    @property
    def builds(self) -> Class | None:
        return self.shape.builds

    @property
    def hashable(self) -> bool:
        return self.shape.hashable

    def ranges(self) -> list[Range]:
        return self.shape.ranges()

    def hints(self) -> list[tuple[int, ...]]:
        return self.shape.hints()

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        return self.shape.values_in(words, at)

    def build(self, words: Sequence[int], make: Make) -> object:
        value = self.shape.build(words, make)
        if make is not surrogate and self.predicate is not None and not self.predicate(value):
            raise no_words(value, self.type)
        return value

    def encode(self, value: object) -> tuple[int, ...]:
        return self.shape.encode(value)

    def __getstate__(self) -> dict[str, object]:
        return {"shape": self.shape, "predicate": None}
