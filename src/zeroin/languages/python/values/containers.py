"""Shapes that contain other shapes: objects, unions, and sequences with a length (texts, lists, sets, arrays).

A shape builds a Python value from ordered words, see ``shapes.py``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ....subject.values import Role, Value
from ....words import Kind
from .missing import MISSING, SharedArgument
from .scalars import FixedTuple, NoneShape, Part, Primitive, Product, parts_of
from .shapes import Class, Make, Range, Shape, counter, no_words, path_of, reader


class MissingShape(NoneShape):
    """A dict key, or an argument, that is left out; its value is the placeholder ``MISSING``, without words."""

    def encode(self, value: object) -> tuple[int, ...]:
        if value is not MISSING:
            raise no_words(value, "a missing key")
        return ()

    def build(self, words: Sequence[int], make: Make) -> Any:
        return MISSING


@dataclass(frozen=True)
class SharedShape(NoneShape):
    """The same object as an earlier argument of the call; its value is a placeholder, without words.

    Attributes:
        at: the index of that argument, from 0.
        name: the name of its parameter.
    """

    at: int
    name: str

    type = "the same object"

    def encode(self, value: object) -> tuple[int, ...]:
        if value != SharedArgument(self.at, self.name):
            raise no_words(value, self.type)
        return ()

    def build(self, words: Sequence[int], make: Make) -> Any:
        return SharedArgument(self.at, self.name)


@dataclass(frozen=True)
class Record(Product):
    """A dict with fixed keys (a TypedDict). A key that may be absent has a union with :class:`MissingShape`.

    Attributes:
        name: the type in Python's notation.
        keys: the keys.
        values: the shape of each key's value.
    """

    name: str
    keys: tuple[str, ...]
    values: tuple[Shape, ...]

    builds, hashable = dict, False

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.values

    @property
    def type(self) -> str:
        return self.name

    def of(self, items: Sequence[object], make: Make) -> dict[str, object]:
        pairs = zip(self.keys, items, strict=True)
        return {key: item for key, item in pairs if item is not MISSING}

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, dict) or not value.keys() <= set(self.keys):
            raise no_words(value, self.type)
        return self.encode_items(value.get(key, MISSING) for key in self.keys)


@dataclass(frozen=True)
class Object(Product):
    """An object of a user class, made by a call of the class.

    Args:
        path: ``module:QualName`` of the class.
        names: the names of the arguments. :meth:`encode` works only if the object has attributes with these names.
        arguments: the shapes of the arguments, as many as ``names``.
        keywords: the number of arguments, counted from the last, that are passed by name. Missing ones are left out.
        hashable: whether objects of the class can be hashed.
        spread: the index, from 0, of the argument for ``*args``; None if there is none.
    """

    path: str
    names: tuple[str, ...]
    arguments: tuple[Shape, ...]
    keywords: int = 0
    hashable: bool = True
    spread: int | None = None

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.arguments

    @property
    def type(self) -> str:
        return self.path.rpartition(":")[2]

    def of(self, items: Sequence[Any], make: Make) -> object:
        first = len(items) - self.keywords
        given = list(items[:first])
        if self.spread is not None:
            given[self.spread : self.spread + 1] = given[self.spread]
        if not self.keywords:
            return make(self.path)(*given)
        named = zip(self.names[first:], items[first:], strict=True)
        return make(self.path)(*given, **{name: item for name, item in named if item is not MISSING})

    def encode(self, value: object) -> tuple[int, ...]:
        if path_of(type(value)) != self.path or not all(hasattr(value, name) for name in self.names):
            raise no_words(value, self.type)
        return self.encode_items(getattr(value, name) for name in self.names)


@dataclass(frozen=True)
class Union(Shape):
    """One of several shapes: a word that selects the alternative, then the words of all alternatives in a row.

    The first word is the index of the alternative, from 0. Words of other alternatives are ignored.
    """

    alternatives: tuple[Shape, ...]

    @property
    def type(self) -> str:
        there = (shape.type for shape in self.alternatives if not isinstance(shape, MissingShape | SharedShape))
        return " | ".join(dict.fromkeys(there))

    @property
    def hashable(self) -> bool:
        return all(shape.hashable for shape in self.alternatives)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(len(self.alternatives) - 1), *(k for shape in self.alternatives for k in shape.kinds))

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.alternatives, 1)

    def ranges(self) -> list[Range]:
        return [(0, len(self.alternatives) - 1), *(r for shape in self.alternatives for r in shape.ranges())]

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(len(self.alternatives))), *(h for shape in self.alternatives for h in shape.hints())]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        shape, start, stop = self._parts[words[0]]
        yield Value(Role.CHOICE, self.kinds[0], at, at + 1)
        yield from shape.values_in(words[start:stop], at + start)

    def build(self, words: Sequence[int], make: Make) -> object:
        shape, start, stop = self._parts[words[0]]
        return shape.build(words[start:stop], make)

    def encode(self, value: object) -> tuple[int, ...]:
        # 1 == 1.0: so the alternative with the value's own class is tried first
        order = sorted(range(len(self.alternatives)), key=lambda i: self.alternatives[i].builds is not type(value))
        for tag in order:
            words = [shape.plain() for shape in self.alternatives]
            try:
                words[tag] = self.alternatives[tag].encode(value)
            except ValueError:
                continue
            return (tag, *(w for mine in words for w in mine))
        raise no_words(value, self.type)

    def refitted(self, words: Sequence[int], before: Shape) -> tuple[int, ...]:
        if before == self:
            return tuple(words)
        if isinstance(before, Union):
            before, start, stop = before._parts[words[0]]
            words = words[start:stop]
        parts = [one.plain() for one in self.alternatives]
        at = next((n for n, one in enumerate(self.alternatives) if one == before), 0)
        parts[at] = self.alternatives[at].refitted(words, before)
        return (at, *(word for part in parts for word in part))


def union_of(shapes: Iterable[Shape]) -> Shape:
    """Return a union of different shapes; nested unions are flattened, and a single shape is returned itself.

    The alternatives are in the order in which they first occur.

    Raises:
        IndexError: there are no shapes.
    """
    flat = (part for shape in shapes for part in (shape.alternatives if isinstance(shape, Union) else (shape,)))
    different = tuple(dict.fromkeys(flat))
    return Union(different) if len(different) > 1 else different[0]


@dataclass(frozen=True)
class Repeated(Shape):
    """From ``low`` to ``high`` items of one shape: a word for the length, then the words of ``high`` items.

    Words of items beyond the length are ignored.

    Attributes:
        low: the least length.
        high: the greatest length.
        free: whether zeroin alone chose the greatest length, so that it may be changed.

    Raises:
        ValueError: ``low`` is below 0 or above ``high``.
    """

    low: int = field(default=0, kw_only=True)
    high: int = field(default=4, kw_only=True)
    free: bool = field(default=True, kw_only=True, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise ValueError(f"no length is from {self.low} to {self.high}")

    @property
    @abstractmethod
    def unit(self) -> Shape:
        """The shape of an item."""

    @property
    @abstractmethod
    def builds(self) -> Any:
        """The class of the values."""

    def in_order(self, value: Any) -> list[object]:
        """Return the items of a value in the order of their words; those of a dict are pairs."""
        return list(value)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(self.high), *self.unit.kinds * self.high)

    @cached_property
    def _read(self) -> Callable[[int], object] | None:
        """The decoder of an item, if items have one plain word each; else None."""
        kind = self.unit.kind if isinstance(self.unit, Primitive) else self.unit.scalar
        return None if kind is None else reader(kind)

    def ranges(self) -> list[Range]:
        return [(self.low, self.high), *self.unit.ranges() * self.high]

    def hints(self) -> list[tuple[int, ...]]:
        lengths = tuple(n for n in dict.fromkeys((0, 1, 2, self.low, self.high)) if self.low <= n <= self.high)
        return [lengths, *self.unit.hints() * self.high]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        yield Value(Role.SIZE, self.kinds[0], at, at + 1)
        step = self.unit.arity
        for first in range(1, 1 + words[0] * step, step):
            yield from self.unit.values_in(words[first : first + step], at + first)

    def _text(self, words: Sequence[int], at: int) -> Iterator[Value]:
        """Do the same as :meth:`values_in` for characters, which are one value."""
        yield Value(Role.TEXT, self.unit.kinds[0], at + 1, at + 1 + words[0], self.low, self.high, at)

    def items(self, words: Sequence[int], make: Make) -> list[Any]:
        """Build the items, in order: as many as the first word says."""
        count, read = words[0], self._read
        if read is not None:
            return [read(word) for word in words[1 : 1 + count]]
        unit = self.unit
        build, step = unit.build, unit.arity
        return [build(words[1 + n * step : 1 + (n + 1) * step], make) for n in range(count)]

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, self.builds) or not self.low <= len(value) <= self.high:
            raise no_words(value, self.type)
        items = self.in_order(value)
        rest = self.unit.plain() * (self.high - len(items))
        return (len(items), *(word for item in items for word in self.unit.encode(item)), *rest)

    def refitted(self, words: Sequence[int], before: Shape) -> tuple[int, ...]:
        if type(before) is type(self) and before.unit == self.unit and before.high <= self.high:
            return (*words, *self.unit.plain() * (self.high - before.high))
        return super().refitted(words, before)


@dataclass(frozen=True)
class Str(Repeated):
    """A str; the words of its items are code points, also those of lone surrogates."""

    high: int = field(default=8, kw_only=True)
    builds, type, unit = str, "str", Primitive(Kind.CHAR)
    values_in = Repeated._text

    def build(self, words: Sequence[int], make: Make) -> str:
        return "".join(map(chr, words[1 : 1 + words[0]]))

    def in_order(self, value: str) -> list[object]:
        return list(map(ord, value))


@dataclass(frozen=True)
class Bytes(Repeated):
    """Bytes; the words of its items are numbers from 0 to 255."""

    high: int = field(default=8, kw_only=True)
    builds, type, unit = bytes, "bytes", Primitive(Kind.U8)
    values_in = Repeated._text

    def build(self, words: Sequence[int], make: Make) -> bytes:
        return bytes(words[1 : 1 + words[0]])


@dataclass(frozen=True)
class Homogeneous(Repeated):
    """A sequence of items of one shape, ``element``."""

    element: Shape

    @property
    def unit(self) -> Shape:
        return self.element


@dataclass(frozen=True)
class List(Homogeneous):
    """A list of items of one shape."""

    builds, hashable = list, False

    @property
    def type(self) -> str:
        return f"list[{self.element.type}]"

    def build(self, words: Sequence[int], make: Make) -> list[object]:
        return self.items(words, make)


@dataclass(frozen=True)
class VarTuple(Homogeneous):
    """A tuple of any length, with items of one shape."""

    builds = tuple

    @property
    def type(self) -> str:
        return f"tuple[{self.element.type}, ...]"

    @property
    def hashable(self) -> bool:
        return self.element.hashable

    def build(self, words: Sequence[int], make: Make) -> tuple[object, ...]:
        return tuple(self.items(words, make))


@dataclass(frozen=True)
class Set(Homogeneous):
    """A set or frozenset.

    Items may be equal, so a value can have fewer items than its length word says. Below ``low``, further items are
    added.
    """

    frozen: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_distinct(self.element, self.low)

    @property
    def builds(self) -> Class:
        return frozenset if self.frozen else set

    @property
    def type(self) -> str:
        return f"{self.builds.__name__}[{self.element.type}]"

    @property
    def hashable(self) -> bool:
        return self.frozen

    def build(self, words: Sequence[int], make: Make) -> set[object] | frozenset[object]:
        items = set(self.items(words, make))
        if len(items) < self.low:
            for item in values_after(self.element, words[1], self.low, make):
                if len(items) < self.low:
                    items.add(item)
        return frozenset(items) if self.frozen else items

    def in_order(self, value: Iterable[object]) -> list[object]:
        return sorted(value, key=self.element.encode)


@dataclass(frozen=True)
class Dict(Repeated):
    """A dict.

    Keys may be equal, so a value can have fewer items than its length word says. Below ``low``, further keys are added.
    Of equal keys, the last one's value counts.
    """

    key: Shape
    value: Shape

    builds, hashable = dict, False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_distinct(self.key, self.low)

    @cached_property
    def unit(self) -> Shape:
        return FixedTuple((self.key, self.value))

    @property
    def type(self) -> str:
        return f"dict[{self.key.type}, {self.value.type}]"

    def build(self, words: Sequence[int], make: Make) -> dict[object, object]:
        result = dict(self.items(words, make))
        if len(result) < self.low:
            first = next(iter(result.values()))
            for key in values_after(self.key, words[1], self.low, make):
                if len(result) < self.low:
                    result.setdefault(key, first)
        return result

    def in_order(self, value: dict[object, object]) -> list[object]:
        return list(value.items())


def check_distinct(element: Shape, count: int) -> None:
    """Check that :func:`values_after` can yield ``count`` different values. A count of 0 or 1 is always possible.

    Raises:
        ValueError: the shape has too few values, or not exactly one word.
    """
    if count > 1 and (element.arity != 1 or element.ranges()[0][1] - element.ranges()[0][0] < count):
        raise ValueError(f"{count} different values of {element.type} at least")


def values_after(element: Shape, word: int, count: int, make: Make) -> Iterator[object]:
    """Yield values of the words after ``word``, cyclically within the range, of a shape with one word.

    There are ``2 * count + 1`` values: enough for ``count`` different ones, even if some words build equal values.
    """
    low, high = element.ranges()[0]
    for step in range(1, 2 * count + 2):
        yield element.build((low + (word - low + step) % (high - low + 1),), make)
