"""Shapes: how the value of a Python parameter is made from its words. Here is what they share, and the shapes of float,
int and bool; more are in ``scalars`` and ``containers``.

A shape knows user classes only by their paths (``module:QualName``), so it can be pickled and used in a process that
can not import the user's modules: there ``make`` is :class:`Surrogate`.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, partial
from typing import Any

from ....paths import path_of as path_of
from ....subject.base import Parameter, Words
from ....subject.bounds import Bounds
from ....words import F64_ROTATION, Kind, decode, encode, word_range
from .json import exact, plain
from .pictures import Picture, picture

Make = Callable[[str], Any]
Range = tuple[int, int]
Class = type  # the name is taken in the classes below

_pack, _unpack = struct.Struct("<q").pack, struct.Struct("<d").unpack
_LARGEST = (1 << 63) - 1
_EXACT = 1 << 62  # up to here the words of Python's integers are the integers


def float_of_word(word: int) -> float:
    """The float of a word of kind F64: :func:`zeroin.words.decode`, but fast."""
    line = word + F64_ROTATION
    if line > _LARGEST:
        line -= 1 << 64
    value: float = _unpack(_pack(line if line >= 0 else line ^ _LARGEST))[0]
    return value


def int_of_word(word: int) -> int:
    """The integer of a word of kind INT: :func:`zeroin.words.decode`, but fast."""
    return word if -_EXACT < word < _EXACT else int(decode(Kind.INT, word))


_READERS: dict[Kind, Callable[[int], Any]] = {Kind.F64: float_of_word, Kind.INT: int_of_word, Kind.BOOL: bool}


def reader(kind: Kind) -> Callable[[int], Any]:
    """The fastest function from a word of the kind to its value."""
    return _READERS.get(kind) or partial(decode, kind)


def counter(highest: int) -> Kind:
    """The smallest unsigned kind that counts so far."""
    return next(kind for kind in (Kind.U8, Kind.U16, Kind.U32) if highest < 1 << kind.bits)


def no_words(value: Any, type_: str) -> ValueError:
    """The error of :meth:`Shape.encode`."""
    return ValueError(f"{value!r} is not a value that the words of {type_} can build")


@dataclass(frozen=True)
class Shape(ABC):
    """How a value is made from words. Shapes are immutable, hashable and can be pickled."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each word."""

    @property
    @abstractmethod
    def type(self) -> str:
        """The type as Python writes it, without its bounds."""

    @abstractmethod
    def ranges(self) -> list[Range]:
        """Lowest and highest value of each word, both inclusive. Whatever lies within builds a value."""

    @abstractmethod
    def build(self, words: Sequence[int], make: Make) -> Any:
        """The value of exactly ``arity`` words, which must be Python integers within :meth:`ranges`.

        Args:
            words: those of this shape and no others.
            make: gives the class of ``module:QualName``. What the class raises passes through.
        """

    @abstractmethod
    def encode(self, value: Any) -> tuple[int, ...]:
        """Words that build a value equal to this one.

        Raises:
            ValueError: there are none.
        """

    def hints(self) -> list[tuple[int, ...]]:
        """For each word further words worth trying."""
        return [()] * self.arity

    @property
    def scalar(self) -> Kind | None:
        """F64, INT or BOOL if the value is exactly the float, int or bool of the only word; else None."""
        return None

    @property
    def builds(self) -> Class | None:
        """The class of what it builds, if that is one of Python's own."""
        return None

    @property
    def hashable(self) -> bool:
        """Whether its values can be keys and members of sets."""
        return True

    @cached_property
    def arity(self) -> int:
        """How many words."""
        return len(self.kinds)

    def plain(self) -> tuple[int, ...]:
        """Words of a simple value."""
        zeros = [ord("a") if kind is Kind.CHAR else encode(kind, 0) for kind in self.kinds]
        return tuple(min(max(zero, low), high) for zero, (low, high) in zip(zeros, self.ranges(), strict=True))

    def refitted(self, words: Sequence[int], before: Shape) -> tuple[int, ...]:
        """The words of the value that these are of in another shape; of a plain value, where it has none of that."""
        return tuple(words) if before == self else self.plain()

    def __getstate__(self) -> dict[str, Any]:
        """Only the fields: what was cached stays here."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class Ordered(Shape):
    """A value of one word, greater for a greater word. With bounds it is never a NaN.

    Raises:
        ValueError: no value keeps the bounds.
    """

    bounds: Bounds = field(default=Bounds(), kw_only=True)

    def __post_init__(self) -> None:
        self.ranges()

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """The kind of the word."""

    @abstractmethod
    def value_at(self, word: int) -> Any:
        """The value of a word."""

    @abstractmethod
    def word_of(self, value: Any) -> int:
        """The word of a value; it may be that of another value when this one has none."""

    @property
    def line(self) -> Range:
        """The lowest and highest word that builds a value, NaN aside."""
        low, high = word_range(self.kind)
        return low, encode(self.kind, float("inf")) if self.kind.is_float else high

    @property
    def landmarks(self) -> tuple[int, ...]:
        """Words worth trying whatever the bounds are."""
        return ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (self.kind,)

    @cached_property
    def _span(self) -> Range:
        if self.bounds:
            return self.bounds.span(*self.line, self.value_at)
        return word_range(self.kind) if self.kind.is_float else self.line

    def ranges(self) -> list[Range]:
        return [self._span]

    def hints(self) -> list[tuple[int, ...]]:
        low, high = self._span
        ends = (low, high, low + 1, high - 1) if self.bounds else ()
        return [tuple(dict.fromkeys(w for w in (*ends, *self.landmarks) if low <= w <= high))]

    def build(self, words: Sequence[int], make: Make) -> Any:
        return self.value_at(words[0])

    def encode(self, value: Any) -> tuple[int, ...]:
        try:
            word = self.word_of(value)
            low, high = self._span
            if low <= word <= high and (self.value_at(word) == value or value != value):
                return (word,)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            pass
        raise no_words(value, self.type)


@dataclass(frozen=True)
class Float(Ordered):
    """A float; without bounds also inf and NaN."""

    kind = scalar = Kind.F64
    type, builds = "float", float

    def build(self, words: Sequence[int], make: Make) -> float:
        return float_of_word(words[0])

    def value_at(self, word: int) -> float:
        return float_of_word(word)

    def word_of(self, value: Any) -> int:
        return encode(Kind.F64, float(value))


@dataclass(frozen=True)
class Int(Ordered):
    """An int; ``also`` are words worth trying."""

    also: tuple[int, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    kind = scalar = Kind.INT
    type, builds = "int", int

    @property
    def landmarks(self) -> tuple[int, ...]:
        return self.also

    def value_at(self, word: int) -> int:
        return int_of_word(word)

    def word_of(self, value: Any) -> int:
        return encode(Kind.INT, int(value))


@dataclass(frozen=True)
class Bool(Ordered):
    """A bool."""

    kind = scalar = Kind.BOOL
    type, builds = "bool", bool

    def value_at(self, word: int) -> bool:
        return word != 0

    def word_of(self, value: Any) -> int:
        return int(value)


class Surrogate:
    """Stands for a class of the user where it can not be imported: calling it gives the picture of an object,
    indexing it that of a member (an enumeration)."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, *items: Any, **named: Any) -> Picture:
        pictures = tuple(picture(item) for item in (*items, *named.values()))
        return Picture("object", self._path, pictures, tuple(named))

    def __getitem__(self, member: str) -> Picture:
        return Picture("enum", f"{self._path}.{member}")


surrogate: Callable[[str], Surrogate] = cache(Surrogate)


@dataclass(frozen=True)
class PythonParameter(Parameter):
    """One parameter of a Python function.

    Attributes:
        name: as in the source.
        type: how Python writes the type.
        shape: how its value is made.
        keyword: it is passed by name.
        spread: it is the tuple of ``*args``.
        origin: where the type is from: ``annotation``, ``default``, ``documentation``, ``--types`` or ``guessed``.
        tries: some of its words, by the place of the first, and what is worth trying for those together.
        said: somebody says its type in full; else it is a guess of ours.
    """

    name: str
    type: str
    shape: Shape
    keyword: bool = False
    origin: str = "annotation"
    spread: bool = False
    tries: tuple[tuple[int, tuple[Words, ...]], ...] = field(default=(), repr=False, compare=False)
    default: Words | None = None
    said: bool = True

    @property
    def arity(self) -> int:
        """How many words it takes."""
        return self.shape.arity

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each of its words."""
        return self.shape.kinds

    def ranges(self) -> list[Range]:
        """Lowest and highest of each of its words."""
        return self.shape.ranges()

    def hints(self) -> list[tuple[int, ...]]:
        """For each of its words further words worth trying."""
        return self.shape.hints()

    def runs(self) -> tuple[tuple[int, tuple[Words, ...]], ...]:
        """What is worth trying for several words together."""
        return self.tries

    def refitted(self, words: Words, before: Parameter) -> Words:
        """The words of the same value where a shape has further alternatives."""
        assert isinstance(before, PythonParameter)
        return self.shape.refitted(words, before.shape)

    @property
    def driven(self) -> str:
        """What values it is given, in words."""
        words = f"{self.arity} word{'s' * (self.arity != 1)}"
        source = {"annotation": "", "guessed": ", guessed"}.get(self.origin, f", by its {self.origin}")
        return f"{words}{source}" if self.origin != "--types" else f"{words}, by --types"

    def picture(self, words: Sequence[int]) -> Picture:
        """The picture of its value; no code of the user runs."""
        return picture(self.shape.build(words, surrogate))

    def argument(self, words: Sequence[int]) -> Any:
        """The value as JSON can hold it, see :func:`zeroin.languages.python.values.pictures.plain`."""
        return plain(self.picture(words))

    def exact(self, words: Sequence[int]) -> Any:
        """The value in the notation of :func:`zeroin.languages.python.values.pictures.exact`."""
        return exact(self.picture(words))

    def show(self, words: Sequence[int]) -> str:
        """The value for a person."""
        return self.picture(words).text
