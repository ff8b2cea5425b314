"""How a value of C lies in memory: a number, an array or a structure, which make a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import groupby, islice
from math import prod
from typing import Any, NamedTuple, TypeAlias

from .... import extended
from ....words import Kind, bits_from_word, decode, encode, exact, readable, value_range, word_from_bits
from .string_constants import literal

_OF_EXTENDED: dict[Any, Callable[[int], Any]] = {
    decode: extended.nearest, exact: extended.exact, readable: extended.readable,
}  # fmt: skip
_LONG, _MANY = 64, 8  # elements of an array that is written in full, and of a run in a longer one that is not
_TOO_LARGE = 1 << 1023  # an int for a double


@dataclass(frozen=True)
class Scalar:
    """A number.

    Attributes:
        kind: of the number.
        values: constants worth trying (an enumeration's members).
        enumeration: whether it is of an enumeration, to which C++ converts no integer.
        names: of the members, as the source calls them outside of functions; empty where it can not.
    """

    kind: Kind
    values: tuple[int, ...] = ()
    enumeration: bool = False
    names: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """In bytes."""
        return max(1, self.kind.bits // 8)


class Callee(NamedTuple):
    """A function of the subject's file: as the source calls it, and its name for the linker."""

    name: str
    symbol: str


@dataclass(frozen=True)
class Callback(Scalar):
    """One of some functions, or NULL: a number that says which; behind the last one is NULL, where it may be."""

    kind: Kind = Kind.U8
    callees: tuple[Callee, ...] = ()

    @classmethod
    def of(cls, callees: tuple[Callee, ...]) -> Callback:
        return cls(callees=callees)

    def name(self, number: int) -> str | None:
        """Which one that is; None for NULL."""
        return self.callees[number].name if number < len(self.callees) else None


@dataclass(frozen=True)
class Array:
    """Elements one behind the other; those of an array of arrays are its own."""

    element: Scalar | Structure
    count: int

    @property
    def size(self) -> int:
        """In bytes."""
        return self.element.size * self.count


@dataclass(frozen=True)
class Text(Array):
    """A string: bytes up to one that is 0, which the last one always is; all behind it are 0, too."""

    @classmethod
    def of(cls, characters: int) -> Text:
        """One with room for so many."""
        return cls(Scalar(Kind.BYTE), characters + 1)


@dataclass(frozen=True)
class Extent:
    """How many elements an array has in a call: what some integer parameters say.

    Attributes:
        counts: names of the integers whose product counts; one below 0 is as 0.
        most: the most elements there may be; the array's layout has those that are given, all behind them are 0.
        step: elements for each that is counted.
        further: elements behind those.
    """

    counts: tuple[str, ...]
    most: int
    step: int = 1
    further: int = 0

    @property
    def text(self) -> str:
        """``3 * n``."""
        product = " * ".join([*([str(self.step)] if self.step > 1 else []), *self.counts])
        return product + f" + {self.further}" * (self.further > 0)

    def elements(self, numbers: Mapping[str, int]) -> int:
        """How many there are, where these are the integers."""
        counted = prod(max(0, numbers[name]) for name in self.counts)
        return min(self.most, self.step * counted + self.further)


class Field(NamedTuple):
    """A member of a structure; ``offset`` in bytes. Members of one without a name are those of what it is in."""

    name: str
    offset: int
    layout: Layout


@dataclass(frozen=True)
class Structure:
    """A structure, or a union, of which one member is given.

    Attributes:
        type: as the source's language writes it, without qualifiers.
        size: in bytes.
        fields: by offset; what lies between them is padding.
        is_plain: whether a list of values in the order of the fields is enough to say which is which.
        has_more: whether it has values that its fields can not say: those of a union that other members have.
    """

    type: str
    size: int
    fields: tuple[Field, ...]
    is_plain: bool = True
    has_more: bool = False


@dataclass(frozen=True)
class OddFloat(Structure):
    """A float that Python has no type for. See :mod:`zeroin.extended`."""


@dataclass(frozen=True)
class Half(OddFloat):
    """One of 16 bits."""

    type: str = "_Float16"
    size: int = 2
    fields: tuple[Field, ...] = field(default_factory=lambda: (Field("bits", 0, Scalar(Kind.F16)),))


@dataclass(frozen=True)
class LongDouble(OddFloat):
    """One of 80 bits: its upper ones, which are given first, and the lower ones."""

    type: str = "long double"
    size: int = 16
    fields: tuple[Field, ...] = field(
        default_factory=lambda: (Field("high", 2, Scalar(Kind.F80)), Field("low", 0, Scalar(Kind.U16)))
    )


Layout: TypeAlias = Scalar | Array | Structure


class Cell(NamedTuple):
    """A number in a layout.

    Attributes:
        path: which, as C says it: ``.v[0]``; empty for a number alone.
        offset: bytes from the beginning.
        number: what lies there.
    """

    path: str
    offset: int
    number: Scalar

    @property
    def kind(self) -> Kind:
        return self.number.kind


@cache
def cells(layout: Layout) -> tuple[Cell, ...]:
    """All numbers, in the order in which words stand for them: that of memory."""
    return tuple(_cells(layout))


def _cells(layout: Layout) -> Iterator[Cell]:
    if isinstance(layout, Scalar):
        yield Cell("", 0, layout)
        return
    if isinstance(layout, Array):
        size = layout.element.size
        parts = [(f"[{n}]", n * size, cells(layout.element)) for n in range(layout.count)]
    else:
        parts = [(f".{name}", offset, cells(inner)) for name, offset, inner in layout.fields]
    for step, offset, inside in parts:
        for cell in inside:
            yield Cell(step + cell.path, offset + cell.offset, cell.number)


def runs(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """The numbers and the arrays of numbers in a layout, and the path to each."""
    parts: Iterable[tuple[str, Layout]]
    if isinstance(layout.element if isinstance(layout, Array) else layout, Scalar | OddFloat):
        yield "", layout
        return
    if isinstance(layout, Array):
        parts = ((f"[{n}]", layout.element) for n in range(layout.count))
    else:
        parts = ((f".{name}", inner) for name, _, inner in layout.fields) if isinstance(layout, Structure) else ()
    for step, part in parts:
        for path, run in runs(part):
            yield step + path, run


def as_array(layout: Layout) -> Array:
    """What a pointer's target is to one that may count on from it."""
    return layout if isinstance(layout, Array) else Array(layout, 1)


def resized(layout: Layout, count: int) -> Array:
    """An array of so many of the same elements."""
    return Array(as_array(layout).element, count)


def has_padding(layout: Layout) -> bool:
    """Whether there are bytes that belong to no number, and that somebody could look at."""
    return not isinstance(layout, OddFloat) and sum(cell.number.size for cell in cells(layout)) < layout.size


def has_more(layout: Layout) -> bool:
    """Whether there are values of the type that its numbers can not say."""
    inner = layout.element if isinstance(layout, Array) else layout
    return isinstance(inner, Structure) and inner.has_more


def says_all_of(layout: Layout, other: Layout) -> bool:
    """Whether the numbers of one member of a union can say whatever another one holds: a ``bool`` is 0 or 1, and what
    lies between its numbers is nothing."""
    own, others = _said(layout), _said(other)
    return all(own.get(at) in (kind, False) for at, kind in others.items())


def _said(layout: Layout) -> dict[int, bool]:
    """The bytes that belong to numbers, and whether these are truth values."""
    return {cell.offset + n: cell.kind is Kind.BOOL for cell in cells(layout) for n in range(cell.number.size)}


def bits_in(content: bytes, layout: Layout) -> tuple[int, ...]:
    """The bits of each number in memory with such a layout."""
    return tuple(int.from_bytes(content[c.offset : c.offset + c.number.size], "little") for c in cells(layout))


def value_of(layout: Layout, numbers: Sequence[int], one: Callable[[Kind, int], Any],
             string: Callable[[bytes], Any] = literal) -> Any:  # fmt: skip
    """The value of words of such a layout: what ``one`` makes of a number, a list for an array, a dict for a structure.

    Args:
        numbers: one for each cell.
        one: of :mod:`zeroin.words`: ``decode``, ``exact`` or ``readable``.
        string: takes the bytes of a string, without what is 0 at their end.
    """
    left = iter(numbers)

    def made(layout: Layout) -> Any:
        if isinstance(layout, LongDouble):
            return _OF_EXTENDED[one](bits_from_word(Kind.F80, next(left)) << 16 | next(left))
        if isinstance(layout, Half):
            value = extended.half(bits_from_word(Kind.F16, next(left)))
            return one(Kind.F64, encode(Kind.F64, value))
        if isinstance(layout, Callback):
            return layout.name(next(left))
        if isinstance(layout, Scalar):
            return one(layout.kind, next(left))
        if isinstance(layout, Text):
            return string(bytes(islice(left, layout.count)).rstrip(b"\0"))
        if isinstance(layout, Array):
            return [made(layout.element) for _ in range(layout.count)]
        return {field.name: made(field.layout) for field in layout.fields}

    return made(layout)


def words_of(layout: Layout, value: Any) -> list[int] | None:
    """The words of a Python value, as :func:`value_of` makes them; None if it is none of the layout."""
    if isinstance(layout, Callback):
        return [number for number, callee in enumerate(layout.callees) if callee.name == value][:1] or None
    if isinstance(layout, Scalar):
        return [encode(layout.kind, value)] if _fits(layout.kind, value) else None
    if isinstance(layout, Text):
        return _words_of_text(layout, value)
    if isinstance(layout, LongDouble):
        bits = extended.bits_of(Fraction(value) if isinstance(value, int) else value) if _is_number(value) else None
        return None if bits is None else [extended.upper_word(bits >> 16), bits & 0xFFFF]
    if isinstance(layout, Half):
        return [word_from_bits(Kind.F16, extended.half_bits(value))] if _is_number(value) else None
    if isinstance(layout, Array):
        fits = isinstance(value, list) and len(value) == layout.count
        parts = [words_of(layout.element, item) for item in value] if fits else [None]
    else:
        fits = isinstance(value, dict) and value.keys() == {field.name for field in layout.fields}
        parts = [words_of(field.layout, value[field.name]) for field in layout.fields] if fits else [None]
    return [word for part in parts if part is not None for word in part] if None not in parts else None


def _words_of_text(layout: Text, value: Any) -> list[int] | None:
    """Of bytes, or of a text that has a character for each."""
    try:
        given = value.encode("latin-1") if isinstance(value, str) else value
    except UnicodeEncodeError:
        return None
    if not isinstance(given, bytes) or len(given) >= layout.count or 0 in given:
        return None
    return [*given, *[0] * (layout.count - len(given))]


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < _TOO_LARGE)


def _fits(kind: Kind, value: Any) -> bool:
    if kind.is_float:
        return _is_number(value)
    low, high = value_range(kind)
    return isinstance(value, int) and low <= value <= high


def written(value: Any) -> str:
    """A value of texts as C writes it: ``{.x = 1.0, .v = {0.0, 2.0}}``, ``NULL``."""
    if value is None:
        return "NULL"
    if isinstance(value, dict):
        return "{" + ", ".join(f".{name} = {written(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        parts = [written(item) for item in value]
        return "{" + ", ".join(parts if len(parts) <= _LONG else _repeated(parts)) + "}"
    return str(value)


def _repeated(parts: list[str]) -> Iterator[str]:
    """With how often a part stands there in place of many that are the same."""
    for part, same in groupby(parts):
        times = len(list(same))
        yield from [part] * times if times < _MANY else [f"{part} ({times} times)"]


def told(layout: Layout) -> str:
    """What values it is given, for a person."""
    if isinstance(layout, Callback):
        return "a function: " + (", ".join(callee.name for callee in layout.callees) or "none")
    if isinstance(layout, Scalar):
        return {Kind.F64: "any double", Kind.F32: "any float", Kind.BOOL: "0 or 1"}.get(
            layout.kind, f"any {'signed' if layout.kind.signed else 'unsigned'} {layout.kind.bits}-bit integer"
        )
    if isinstance(layout, Text):
        return f"any string of at most {layout.count - 1} characters"
    if isinstance(layout, Array):
        return f"{layout.count} of: {told(layout.element)}"
    if isinstance(layout, OddFloat):
        return f"any {layout.type}"
    return "{" + ", ".join(f"{field.name}: {told(field.layout)}" for field in layout.fields) + "}"
