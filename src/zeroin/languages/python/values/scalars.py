"""Shapes of single values, and of a fixed number of values.

Single values are None, one of finitely many values, NumPy scalars, dates and times. Complex numbers, fractions and
tuples consist of several values. A shape builds a Python value from ordered words, see ``shapes.py``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from ....subject.bounds import Bounds
from ....subject.values import Role, Value
from ....words import Kind, Number, decode, encode
from .shapes import (
    Class,
    Float,
    Int,
    Make,
    Ordered,
    Range,
    Shape,
    counter,
    float_of_word,
    no_words,
    path_of,
    reader,
)
from .snapshots import Snapshot

if TYPE_CHECKING:
    import numpy

DTYPES = {
    "float64": Kind.F64, "float32": Kind.F32, "bool": Kind.BOOL,
    "int8": Kind.I8, "int16": Kind.I16, "int32": Kind.I32, "int64": Kind.I64,
    "uint8": Kind.U8, "uint16": Kind.U16, "uint32": Kind.U32, "uint64": Kind.U64,
}  # fmt: skip

# The date of word 0: a day that is easy to read in a test.
_DAY = date(2000, 1, 1)
_MOMENT = datetime(2000, 1, 1)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class DecimalShape(Ordered):
    """A Decimal: the shortest decimal text of a float."""

    role, kind, builds, type = Role.DECIMAL, Kind.F64, Decimal, "Decimal"

    def value_at(self, word: int) -> Decimal:
        return Decimal(repr(float_of_word(word)))

    def word_of(self, value: Decimal) -> int:
        return encode(Kind.F64, float(value))


@dataclass(frozen=True)
class NoneShape(Shape):
    """None; it has no words."""

    kinds, type = (), "None"

    def ranges(self) -> list[Range]:
        return []

    def build(self, words: Sequence[int], make: Make) -> None:
        return None

    def encode(self, value: object) -> tuple[int, ...]:
        if value is not None:
            raise no_words(value, "None")
        return ()


@dataclass(frozen=True)
class Choice(Shape):
    """One of a fixed list of values; the word is its index, from 0.

    Args:
        members: snapshots of None, booleans, numbers, texts, bytes or enumeration members.
        name: the type in Python's notation, if it is not ``Literal[...]``; empty if it is.

    Raises:
        ValueError: ``members`` is empty or contains another kind of value.
    """

    members: tuple[Snapshot, ...]
    name: str = ""

    def __post_init__(self) -> None:
        strange = [m.form for m in self.members if m.items or m.form in ("list", "tuple", "set", "dict", "opaque")]
        if strange or not self.members:
            raise ValueError(f"a choice of {strange[0] if strange else 'nothing'}")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return (counter(len(self.members) - 1),)

    @property
    def type(self) -> str:
        return self.name or f"Literal[{', '.join(_literal(member) for member in self.members)}]"

    def ranges(self) -> list[Range]:
        return [(0, len(self.members) - 1)]

    def hints(self) -> list[tuple[int, ...]]:
        return [tuple(range(min(len(self.members), 64)))]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        yield Value(Role.CHOICE, self.kinds[0], at, at + 1)

    def build(self, words: Sequence[int], make: Make) -> object:
        member = self.members[words[0]]
        if member.form != "enum":
            return member.data
        path, _, name = member.data.rpartition(".")
        return make(path)[name]

    def encode(self, value: object) -> tuple[int, ...]:
        mine = f"{path_of(type(value))}.{value.name}" if isinstance(value, Enum) else value
        for index, member in enumerate(self.members):
            same_class = (member.form == "enum") is isinstance(value, Enum) and type(member.data) is type(mine)
            if same_class and member.data == mine:
                return (index,)
        raise no_words(value, self.type)


def _literal(member: Snapshot) -> str:
    """Return a member as it is written inside ``Literal[...]``."""
    return str(member.data.rpartition(":")[2]) if member.form == "enum" else repr(member.data)


@dataclass(frozen=True)
class NumPyScalar(Ordered):
    """A NumPy scalar; ``dtype`` is a key of :data:`DTYPES`."""

    dtype: str

    @property
    def kind(self) -> Kind:
        return DTYPES[self.dtype]

    @property
    def type(self) -> str:
        return numpy_name(self.dtype)

    @property
    def builds(self) -> Class:
        return numpy_class(self.dtype)

    @cached_property
    def _read(self) -> Callable[[int], object]:
        return reader(self.kind)

    def build(self, words: Sequence[int], make: Make) -> object:
        return numpy_class(self.dtype)(self._read(words[0]))

    def value_at(self, word: int) -> object:
        return self._read(word)

    def word_of(self, value: numpy.generic) -> int:
        return encode(self.kind, value.item())


def numpy_name(dtype: str) -> str:
    """Return the name of a dtype's class in source code, such as ``np.float32``."""
    return "np.bool_" if dtype == "bool" else f"np.{dtype}"


@cache
def numpy_class(dtype: str) -> Class:
    """Return NumPy's class for a dtype name."""
    import numpy

    return numpy.dtype(dtype).type


@dataclass(frozen=True)
class Date(Ordered):
    """A date; the word counts days from 2000-01-01."""

    role, kind, builds, type = Role.DATE, Kind.I32, date, "date"
    line = (date.min - _DAY).days, (date.max - _DAY).days
    landmarks = tuple(
        (d - _DAY).days for d in (date(1970, 1, 1), date(1900, 3, 1), date(2024, 2, 29), date(1999, 12, 31))
    )

    def value_at(self, word: int) -> date:
        return date.fromordinal(_DAY.toordinal() + word)

    def word_of(self, value: date) -> int:
        return int((value - _DAY).days)


@dataclass(frozen=True)
class Datetime(Ordered):
    """A datetime without a time zone; the word counts microseconds from 2000-01-01."""

    role, kind, builds, type = Role.MOMENT, Kind.I64, datetime, "datetime"
    line = (datetime.min - _MOMENT) // _MICROSECOND, (datetime.max - _MOMENT) // _MICROSECOND
    landmarks = tuple(d * 86_400_000_000 for d in Date.landmarks)

    def value_at(self, word: int) -> datetime:
        return _MOMENT + timedelta(microseconds=word)

    def word_of(self, value: datetime) -> int:
        return int((value - _MOMENT) // _MICROSECOND)


@dataclass(frozen=True)
class Timedelta(Ordered):
    """A timedelta of at most 292 000 years; the word counts microseconds."""

    role, kind, builds, type = Role.DURATION, Kind.I64, timedelta, "timedelta"
    landmarks = tuple(sign * seconds * 1_000_000 for seconds in (1, 60, 3600, 86_400, 604_800) for sign in (1, -1))

    def value_at(self, word: int) -> timedelta:
        return timedelta(microseconds=word)

    def word_of(self, value: timedelta) -> int:
        return int(value // _MICROSECOND)


@dataclass(frozen=True)
class Primitive(Ordered):
    """A plain value of one word: a character of a text, or an element of an array. It is never a parameter itself."""

    of: Kind

    @property
    def kind(self) -> Kind:
        return self.of

    @property
    def type(self) -> str:
        return self.of.name

    @property
    def landmarks(self) -> tuple[int, ...]:
        return tuple(map(ord, "a0A1 .-+e,_")) if self.of is Kind.CHAR else ()

    def value_at(self, word: int) -> Number:
        return decode(self.of, word)

    def word_of(self, value: Number) -> int:
        return encode(self.of, value)


Part = tuple[Shape, int, int]  # a shape, and where its words start and stop


def parts_of(shapes: Iterable[Shape], start: int = 0) -> tuple[Part, ...]:
    """Return each shape with the indices where its words start and stop (exclusive), in a row from ``start``."""
    parts = []
    for shape in shapes:
        parts.append((shape, start, start + shape.arity))
        start += shape.arity
    return tuple(parts)


@dataclass(frozen=True)
class Product(Shape):
    """A value that is made of several parts, whose words lie in a row."""

    @property
    @abstractmethod
    def shapes(self) -> tuple[Shape, ...]:
        """The shapes of the parts."""

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        return tuple(kind for shape in self.shapes for kind in shape.kinds)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.shapes)

    def ranges(self) -> list[Range]:
        return [r for shape in self.shapes for r in shape.ranges()]

    def hints(self) -> list[tuple[int, ...]]:
        return [hints for shape in self.shapes for hints in shape.hints()]

    def values_in(self, words: Sequence[int], at: int) -> Iterator[Value]:
        for shape, start, stop in self._parts:
            yield from shape.values_in(words[start:stop], at + start)

    @abstractmethod
    def of(self, items: Sequence[object], make: Make) -> object:
        """Make the value from its parts, in the order of the shapes; ``make`` is that of :meth:`Shape.build`."""

    def build(self, words: Sequence[int], make: Make) -> object:
        return self.of([shape.build(words[start:stop], make) for shape, start, stop in self._parts], make)

    def encode_items(self, items: Iterable[object]) -> tuple[int, ...]:
        """Return the words of the parts, which are in the order of the shapes.

        Raises:
            ValueError: a part has no words, or the number of parts is not that of the shapes.
        """
        return tuple(w for shape, item in zip(self.shapes, items, strict=True) for w in shape.encode(item))


@dataclass(frozen=True)
class FixedTuple(Product):
    """A tuple with a fixed length and a shape for each item."""

    elements: tuple[Shape, ...]

    builds = tuple

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.elements

    @property
    def type(self) -> str:
        return f"tuple[{', '.join(shape.type for shape in self.elements) or '()'}]"

    @property
    def hashable(self) -> bool:
        return all(shape.hashable for shape in self.elements)

    def of(self, items: Sequence[object], make: Make) -> tuple[object, ...]:
        return tuple(items)

    def encode(self, value: object) -> tuple[int, ...]:
        if not isinstance(value, tuple) or len(value) != len(self.elements):
            raise no_words(value, self.type)
        return self.encode_items(value)


@dataclass(frozen=True)
class Complex(Product):
    """A complex number: real and imaginary part."""

    part: Float = field(default=Float())

    builds, type = complex, "complex"

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return self.part, self.part

    def of(self, items: Sequence[Any], make: Make) -> complex:
        return complex(*items)

    def encode(self, value: Any) -> tuple[int, ...]:
        try:
            number = complex(value)
        except (TypeError, ValueError, OverflowError):
            raise no_words(value, self.type) from None
        if number != value and value == value:
            raise no_words(value, self.type)
        return self.encode_items((number.real, number.imag))


@dataclass(frozen=True)
class FractionShape(Product):
    """A Fraction: numerator and positive denominator."""

    builds, type = Fraction, "Fraction"
    shapes = Int(), Int(bounds=Bounds(ge=1))

    def of(self, items: Sequence[Any], make: Make) -> Fraction:
        return Fraction(*items)

    def encode(self, value: Any) -> tuple[int, ...]:
        try:
            number = Fraction(value)
        except (TypeError, ValueError, OverflowError):
            raise no_words(value, self.type) from None
        if number != value:
            raise no_words(value, self.type)
        return self.encode_items(number.as_integer_ratio())
