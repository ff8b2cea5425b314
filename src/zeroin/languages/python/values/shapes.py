"""Shapes: how ordered words become the value of a Python parameter.

An ordered word is a 64-bit integer that encodes one primitive input, in the order of the values (``zeroin.words``). A
shape has a fixed number of words, and builds a value from any words within its ranges.

This module has the base classes and the shapes of float, int and bool. More shapes are in ``scalars.py``,
``containers.py`` and other modules of this package.

A shape refers to user classes only by path (``module:QualName``). So it can be pickled, and used in a process that can
not import the user's modules: there, ``make`` is :class:`Surrogate`.
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache, cached_property, partial
from typing import Any, ClassVar

from ....paths import path_of as path_of
from ....subject.base import Parameter, Words
from ....subject.bounds import Bounds
from ....subject.values import Role, Value, numbers
from ....words import F64_ROTATION, Kind, decode, encode, word_range
from .json import exact, plain
from .snapshots import Snapshot, snapshot

Make = Callable[[str], Any]
Range = tuple[int, int]
Class = type  # the classes below have a property "type"

_pack, _unpack = struct.Struct("<q").pack, struct.Struct("<d").unpack
_LARGEST = (1 << 63) - 1
_EXACT = 1 << 62  # below this magnitude, an integer is its own word


def float_of_word(word: int) -> float:
    """Return the float of a word of kind F64: a fast version of :func:`zeroin.words.decode`."""
    line = word + F64_ROTATION
    if line > _LARGEST:
        line -= 1 << 64
    value: float = _unpack(_pack(line if line >= 0 else line ^ _LARGEST))[0]
    return value


def int_of_word(word: int) -> int:
    """Return the integer of a word of kind INT: a fast version of :func:`zeroin.words.decode`."""
    return word if -_EXACT < word < _EXACT else int(decode(Kind.INT, word))


_READERS: dict[Kind, Callable[[int], float]] = {Kind.F64: float_of_word, Kind.INT: int_of_word, Kind.BOOL: bool}


def reader(kind: Kind) -> Callable[[int], float]:
    """Return the fastest function that decodes a word of this kind."""
    return _READERS.get(kind) or partial(decode, kind)


def counter(highest: int) -> Kind:
    """Return the smallest unsigned kind that can hold ``highest``, which must be below ``2**32``.

    Raises:
        StopIteration: ``highest`` is too large.
    """
    return next(kind for kind in (Kind.U8, Kind.U16, Kind.U32) if highest < 1 << kind.bits)


def no_words(value: object, type_: str) -> ValueError:
    """Return, but do not raise, the error of :meth:`Shape.encode`: the shape can not build this value."""
    return ValueError(f"{value!r} is not a value of type {type_} that zeroin can make")


@dataclass(frozen=True)
class Shape(ABC):
    """How a Python value is built from words. Shapes are immutable, hashable and can be pickled."""

    @property
    @abstractmethod
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each word."""

    @property
    @abstractmethod
    def type(self) -> str:
        """The type in Python's notation, without bounds."""

    @abstractmethod
    def ranges(self) -> list[Range]:
        """Return the lowest and highest word for each word, both inclusive.

        All words in between build a value, except where a predicate (:class:`.constrained.Checked`) rejects it.
        """

    @abstractmethod
    def build(self, words: Sequence[int], make: Make) -> Any:
        """Return the value that the words encode. Exceptions of user classes pass through.

        Args:
            words: exactly ``arity`` Python integers within :meth:`ranges`.
            make: returns the class for a path ``module:QualName``.

        Raises:
            ValueError: a predicate (:class:`.constrained.Checked`) rejects the value.
        """

    @abstractmethod
    def encode(self, value: object) -> tuple[int, ...]:
        """Return words that build a value equal to ``value``.

        Raises:
            ValueError: this shape can not build such a value.
        """

    def hints(self) -> list[tuple[int, ...]]:
        """Return, for each word, further words that a search should try; an empty tuple if there are none."""
        return [()] * self.arity

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        """Yield the values that the words encode, without those that have no influence.

        Args:
            words: the words of this shape.
            at: the index of the first one in the input.
        """
        return numbers(self.kinds, at)

    @property
    def scalar(self) -> Kind | None:
        """F64, INT or BOOL if the shape has one word and the value is exactly its float, int or bool; else None."""
        return None

    @property
    def builds(self) -> Class | None:
        """The class of the values, if it is one of Python's or NumPy's; else None."""
        return None

    @property
    def hashable(self) -> bool:
        """Whether the values can be dict keys and members of sets."""
        return True

    @cached_property
    def arity(self) -> int:
        """The number of words."""
        return len(self.kinds)

    def plain(self) -> tuple[int, ...]:
        """Return words of a simple value: zeros (``a`` for characters), or the nearest words in range."""
        zeros = [ord("a") if kind is Kind.CHAR else encode(kind, 0) for kind in self.kinds]
        return tuple(min(max(zero, low), high) for zero, (low, high) in zip(zeros, self.ranges(), strict=True))

    def refitted(self, words: Sequence[int], before: Shape) -> tuple[int, ...]:
        """Convert words of the shape ``before`` to words of this shape for the same value.

        If this shape does not contain ``before``, the words of a plain value are returned.
        """
        return tuple(words) if before == self else self.plain()

    def __getstate__(self) -> dict[str, object]:
        """Return the fields only: cached properties are not pickled."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True)
class Ordered(Shape):
    """A value of one word, whose order is that of the word. With bounds, the value is never NaN.

    Attributes:
        bounds: the bounds of the value; empty: there are none.
        role: what the value stands for.

    Raises:
        ValueError: no value is within the bounds.
    """

    role: ClassVar[Role] = Role.NUMBER
    bounds: Bounds = field(default=Bounds(), kw_only=True)

    def __post_init__(self) -> None:
        self.ranges()

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """The kind of the word."""

    @abstractmethod
    def value_at(self, word: int) -> object:
        """Return the value of a word."""

    @abstractmethod
    def word_of(self, value: Any) -> int:
        """Return the word of a value. If the value has no word, the result may be the word of another value.

        For a value of another class, it may also raise TypeError, ValueError, ArithmeticError or AttributeError.
        """

    @property
    def line(self) -> Range:
        """The lowest and the highest word of a value that is not NaN, without regard to the bounds."""
        low, high = word_range(self.kind)
        return low, encode(self.kind, float("inf")) if self.kind.is_float else high

    @property
    def landmarks(self) -> tuple[int, ...]:
        """Words that a search should try, such as a leap day; those outside the bounds are ignored."""
        return ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (self.kind,)

    @cached_property
    def _span(self) -> Range:
        """The lowest and the highest word within the bounds; without bounds, also the words of NaN."""
        if self.bounds:
            return self.bounds.span(*self.line, self.value_at)
        return word_range(self.kind) if self.kind.is_float else self.line

    def ranges(self) -> list[Range]:
        return [self._span]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        yield Value(self.role, self.kind, at, at + 1)

    def hints(self) -> list[tuple[int, ...]]:
        low, high = self._span
        ends = (low, high, low + 1, high - 1) if self.bounds else ()
        return [tuple(dict.fromkeys(w for w in (*ends, *self.landmarks) if low <= w <= high))]

    def build(self, words: Sequence[int], make: Make) -> Any:
        return self.value_at(words[0])

    def encode(self, value: object) -> tuple[int, ...]:
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
    """A float; without bounds, infinities and NaN are included."""

    kind = scalar = Kind.F64
    type, builds = "float", float

    def build(self, words: Sequence[int], make: Make) -> float:
        return float_of_word(words[0])

    def value_at(self, word: int) -> float:
        return float_of_word(word)

    def word_of(self, value: float) -> int:
        return encode(Kind.F64, float(value))


@dataclass(frozen=True)
class Int(Ordered):
    """An int; ``also`` holds words that a search should try."""

    also: tuple[int, ...] = field(default=(), kw_only=True, compare=False, repr=False)
    kind = scalar = Kind.INT
    type, builds = "int", int

    @property
    def landmarks(self) -> tuple[int, ...]:
        return self.also

    def value_at(self, word: int) -> int:
        return int_of_word(word)

    def word_of(self, value: int) -> int:
        return encode(Kind.INT, int(value))


@dataclass(frozen=True)
class Bool(Ordered):
    """A bool."""

    kind = scalar = Kind.BOOL
    role, type, builds = Role.CHOICE, "bool", bool

    def value_at(self, word: int) -> bool:
        return word != 0

    def word_of(self, value: bool) -> int:
        return int(value)


class Surrogate:
    """A stand-in for a user class, in a process that can not import it.

    A call returns the snapshot (``snapshots.py``) of an object, an index that of an enumeration member. No name is
    checked.

    Args:
        path: ``module:QualName`` of the class.
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def __call__(self, *items: object, **named: object) -> Snapshot:
        snapshots = tuple(snapshot(item) for item in (*items, *named.values()))
        return Snapshot("object", self._path, snapshots, tuple(named))

    def __getitem__(self, member: str) -> Snapshot:
        return Snapshot("enum", f"{self._path}.{member}")


surrogate: Callable[[str], Surrogate] = cache(Surrogate)


@dataclass(frozen=True)
class PythonParameter(Parameter):
    """One parameter of a Python function.

    Attributes:
        name: as in the source.
        type: in Python's notation.
        shape: how its value is built.
        keyword: whether it is passed by name.
        spread: whether it is the tuple of ``*args``.
        origin: where the type is from: ``annotation``, ``default``, ``--types`` or ``guessed``.
        tries: values that a search should try, each as several words in a row: (index of the first word
            among the parameter's words, alternatives).
        default: the words of the default value; None if there is none or the shape can not build it.
        said: whether an annotation or ``--types`` gives the full type. If not, zeroin guessed at least a part of it.
        nameable: whether a call may pass it by name, too.
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
    nameable: bool = False

    @property
    def arity(self) -> int:
        """The number of words."""
        return self.shape.arity

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kind of each of its words."""
        return self.shape.kinds

    def ranges(self) -> list[Range]:
        """Return the lowest and highest word for each of its words, both inclusive."""
        return self.shape.ranges()

    def hints(self) -> list[tuple[int, ...]]:
        """Return, for each of its words, further words that a search should try."""
        return self.shape.hints()

    def runs(self) -> tuple[tuple[int, tuple[Words, ...]], ...]:
        """Return the values to try that take several words: (index of the first word, alternatives)."""
        return self.tries

    def refitted(self, words: Words, before: Parameter) -> Words:
        """Convert words of the parameter ``before`` to words of this one, for the same value.

        If the shape of this one does not contain that of ``before``, the words of a plain value are returned.
        """
        assert isinstance(before, PythonParameter)
        return self.shape.refitted(words, before.shape)

    @property
    def driven(self) -> str:
        """How many words the parameter has and where its type is from, as text for the user."""
        words = f"{self.arity} word{'s' * (self.arity != 1)}"
        source = {"annotation": "", "guessed": ", guessed"}.get(self.origin, f", by its {self.origin}")
        return f"{words}{source}" if self.origin != "--types" else f"{words}, by --types"

    def snapshot(self, words: Sequence[int]) -> Snapshot:
        """Return the snapshot of the value, without running code of the user."""
        return snapshot(self.shape.build(words, surrogate))

    def values_in(self, words: Words, at: int = 0) -> Iterator[Value]:
        """Yield the values that these words encode; ``at`` is the index of the first one in the input."""
        return self.shape.values_in(words, at)

    def argument(self, words: Sequence[int]) -> Any:
        """Return the value as readable JSON, see :func:`zeroin.languages.python.values.json.plain`."""
        return plain(self.snapshot(words))

    def exact(self, words: Sequence[int]) -> object:
        """Return the value as exact JSON, see :func:`zeroin.languages.python.values.json.exact`."""
        return exact(self.snapshot(words))

    def show(self, words: Sequence[int]) -> str:
        """Return the value as text for the user."""
        return self.snapshot(words).text
