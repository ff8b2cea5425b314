"""The memory layout of C values, as a tree of numbers, arrays and structures.

Each number in a layout has one word: a 64-bit integer in the order of the values that it encodes (``words.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import groupby, islice
from math import prod
from typing import Any, NamedTuple, TypeAlias

from .... import extended
from ....words import Kind, bits_from_word, decode, encode, exact, readable, word_from_bits, word_range
from .string_constants import literal

_OF_EXTENDED: dict[Any, Callable[[int], Any]] = {
    decode: extended.nearest, exact: extended.exact, readable: extended.readable,
}  # fmt: skip
# Arrays of up to _LONG elements are printed in full. In longer ones, _MANY or more equal elements in a row are
# abbreviated.
_LONG, _MANY = 64, 8
_TOO_LARGE = 1 << 1023  # the first int that a double parameter does not accept


@dataclass(frozen=True)
class Scalar:
    """The layout of a number.

    Attributes:
        kind: kind of the number.
        values: constants worth trying (an enumeration's members).
        enumeration: whether the type is an enumeration, which needs a cast from int in C++.
        names: the qualified names of the enumeration's members; empty if code at file scope can not name them.
    """

    kind: Kind
    values: tuple[int, ...] = ()
    enumeration: bool = False
    names: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The size in bytes; 1 for a ``bool``."""
        return max(1, self.kind.bits // 8)

    @property
    def range(self) -> tuple[int, int]:
        """Its smallest and its largest word, both inclusive."""
        return word_range(self.kind)


@dataclass(frozen=True)
class BitField(Scalar):
    """The layout of a bit-field: a number in some of the bits of its bytes, which it may share with others.

    Attributes:
        bit: its lowest bit, counted from the lowest bit of its first byte.
        width: the number of its bits.
    """

    bit: int = 0
    width: int = 1

    @property
    def size(self) -> int:
        """The number of bytes that have a bit of it."""
        return -(-(self.bit + self.width) // 8)

    @property
    def range(self) -> tuple[int, int]:
        if self.kind is Kind.BOOL:
            return super().range
        high = (1 << self.width - self.kind.signed) - 1
        return encode(self.kind, -high - 1 if self.kind.signed else 0), encode(self.kind, high)

    def taken(self, content: int) -> int:
        """Return the bits of the number, as wide as its kind, from the bits of its bytes."""
        own = content >> self.bit & (1 << self.width) - 1
        negative = self.kind.signed and own >> self.width - 1
        return own | ((1 << self.kind.bits) - (1 << self.width) if negative else 0)

    def placed(self, number: int) -> int:
        """Return the bits of its bytes in which only this number is not 0, from the bits of the number."""
        return (number & (1 << self.width) - 1) << self.bit


STUB = "set.up.stub."  # the beginning of the linker names of stubs


class Callee(NamedTuple):
    """A function that a function pointer may be set to: one of the subject's file, or a stub (:mod:`.set_up`).

    Attributes:
        name: name in the source, or in the test that defines the stub.
        symbol: name for the linker.
    """

    name: str
    symbol: str

    @property
    def is_stub(self) -> bool:
        """Whether it is a stub."""
        return self.symbol.startswith(STUB)


class FunctionType(NamedTuple):
    """The type of a function that a pointer points to.

    Attributes:
        result: layout of the result; None for ``void``.
        result_type: type of the result as the source writes it.
        types: types of the parameters as the source writes them.
        ir_types: types of the parameters in IR.
    """

    result: Scalar | None
    result_type: str
    types: tuple[str, ...]
    ir_types: tuple[str, ...]


@dataclass(frozen=True)
class Callback(Scalar):
    """The layout of a function pointer: the index of a function in ``callees``; one past the last is NULL.

    Its size is that of the index, one byte, and not that of the pointer.

    Attributes:
        callees: the functions. A stub is the last one.
        type: the type of the functions; None if zeroin can write no stub of it.
    """

    kind: Kind = Kind.U8
    callees: tuple[Callee, ...] = ()
    type: FunctionType | None = None

    @property
    def stub(self) -> Callee | None:
        """The stub among the functions; None if there is none."""
        return self.callees[-1] if self.callees and self.callees[-1].is_stub else None

    def name(self, number: int) -> str | None:
        """Return the name of the function with this index; None for NULL."""
        return self.callees[number].name if number < len(self.callees) else None


@dataclass(frozen=True)
class Array:
    """The layout of an array; an array of arrays is flattened into one.

    Attributes:
        element: layout of each element.
        count: number of elements.
        sizes: sizes of the dimensions, if there are several; their product is ``count``.
    """

    element: Scalar | Structure
    count: int
    sizes: tuple[int, ...] = field(default=(), kw_only=True)

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.element.size * self.count


@dataclass(frozen=True)
class Text(Array):
    """The layout of a string buffer: an array of bytes with a terminating 0.

    The last byte is always 0, and so are all bytes after the first 0.

    Attributes:
        is_guess: whether nothing says that the buffer is not larger.
    """

    is_guess: bool = False

    @classmethod
    def of(cls, characters: int, is_guess: bool = False) -> Text:
        """Return a string buffer with room for so many characters and the terminating 0."""
        return cls(Scalar(Kind.BYTE), characters + 1, is_guess)


@dataclass(frozen=True)
class Extent:
    """The number of elements that an array has in a call, given by integer parameters of the same call.

    The number is ``step * product of counts + further + spare``, but at most ``most``.

    Attributes:
        counts: names of the integer parameters; a negative value counts as 0.
        most: the maximal number of elements. The array's layout may have fewer; the elements beyond it are 0.
        step: elements per counted item.
        further: additional elements at the end.
        spare: name of the parameter that gives the number of elements that nothing counts; empty for none.
    """

    counts: tuple[str, ...]
    most: int
    step: int = 1
    further: int = 0
    spare: str = ""

    @property
    def text(self) -> str:
        """The number of elements as an expression: ``3 * n + 1``."""
        product = " * ".join([*([str(self.step)] if self.step > 1 else []), *self.counts])
        return product + f" + {self.further}" * (self.further > 0)

    def elements(self, numbers: Mapping[str, int]) -> int:
        """Return the number of elements in a call where the integer parameters have these values."""
        counted = prod(max(0, numbers[name]) for name in self.counts)
        return min(self.most, self.step * counted + self.further + numbers.get(self.spare, 0))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parameters that give the number."""
        return *self.counts, *([self.spare] if self.spare else [])


class Field(NamedTuple):
    """A member of a structure, at an offset in bytes. Members of an unnamed inner structure belong to the outer one."""

    name: str
    offset: int
    layout: Layout


class PointerField(NamedTuple):
    """A pointer in a structure, which has no word (see :mod:`.pointees`).

    Attributes:
        path: the C path to it, without a dot at the beginning.
        offset: its offset in bytes.
        target: the debug info of its type; None if unknown.
        type: its type as the source writes it.
    """

    path: str
    offset: int
    target: str | None
    type: str

    @property
    def steps(self) -> list[str]:
        """The names on its path."""
        return self.path.split(".")


@dataclass(frozen=True)
class Structure:
    """The layout of a structure, or of a union, which is represented by one of its members.

    Attributes:
        type: name of the type in the source, without qualifiers.
        size: size in bytes.
        fields: the members in the order of their words; the bytes between them are padding.
        is_plain: whether an initialiser list without member names, in the order of the fields, initialises it.
        has_more: whether the type has values that the fields can not express: those of a union's other members.
        pointers: the pointers in it, which are no fields.
    """

    type: str
    size: int
    fields: tuple[Field, ...]
    is_plain: bool = True
    has_more: bool = False
    pointers: tuple[PointerField, ...] = ()


@dataclass(frozen=True)
class OddFloat(Structure):
    """The layout of a float that Python has no type for; see :mod:`zeroin.extended`."""


@dataclass(frozen=True)
class Half(OddFloat):
    """The layout of a 16-bit float."""

    type: str = "_Float16"
    size: int = 2
    fields: tuple[Field, ...] = field(default_factory=lambda: (Field("bits", 0, Scalar(Kind.F16)),))


@dataclass(frozen=True)
class LongDouble(OddFloat):
    """The layout of an 80-bit float: its upper 64 bits come first, then its lower 16 bits."""

    type: str = "long double"
    size: int = 16
    fields: tuple[Field, ...] = field(
        default_factory=lambda: (Field("high", 2, Scalar(Kind.F80)), Field("low", 0, Scalar(Kind.U16)))
    )


Layout: TypeAlias = Scalar | Array | Structure


class Cell(NamedTuple):
    """A number at a position in a layout.

    Attributes:
        path: the C expression that leads to it, ``.v[0]``; empty if the layout is a single number.
        offset: bytes from the beginning of the layout.
        number: layout of the number.
    """

    path: str
    offset: int
    number: Scalar

    @property
    def kind(self) -> Kind:
        """The primitive type of the number."""
        return self.number.kind


@cache
def cells(layout: Layout) -> tuple[Cell, ...]:
    """Return all numbers in a layout, in the order of their words."""
    return tuple(_cells(layout))


def _cells(layout: Layout) -> Iterator[Cell]:
    if isinstance(layout, Scalar):
        yield Cell("", 0, layout)
        return
    if isinstance(layout, Array):
        size = layout.element.size
        parts = [(subscripts(layout, str(n)), n * size, cells(layout.element)) for n in range(layout.count)]
    else:
        parts = [(f".{name}", offset, cells(inner)) for name, offset, inner in layout.fields]
    for step, offset, inside in parts:
        for cell in inside:
            yield Cell(step + cell.path, offset + cell.offset, cell.number)


def runs(layout: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield the single numbers and the arrays of numbers in a layout, each with the C path to it.

    The path is empty if the layout itself is a number or an array of numbers. A ``long double`` counts as one number.
    """
    parts: Iterable[tuple[str, Layout]]
    if isinstance(layout.element if isinstance(layout, Array) else layout, Scalar | OddFloat):
        yield "", layout
        return
    if isinstance(layout, Array):
        parts = ((subscripts(layout, str(n)), layout.element) for n in range(layout.count))
    else:
        parts = ((f".{name}", inner) for name, _, inner in layout.fields) if isinstance(layout, Structure) else ()
    for step, part in parts:
        for path, run in runs(part):
            yield step + path, run


def subscripts(array: Array, index: str) -> str:
    """Return the C subscripts of an element of an array, such as ``[1][2]`` or ``[i / 3][i % 3]``.

    Args:
        array: the array, of any number of dimensions.
        index: the number of the element among all elements: an integer or a variable's name.
    """
    found, step = list[str](), array.count
    for number, size in enumerate(array.sizes or (array.count,)):
        step //= size
        if index.isdigit():
            found.append(f"[{int(index) // step % size}]")
        else:
            found.append(f"[{index}{f' / {step}' * (step > 1)}{f' % {size}' * (number > 0)}]")
    return "".join(found)


def flat(layout: Layout) -> Layout:
    """Return the layout of the same memory as an array of one dimension; a layout that is no array as it is."""
    return replace(layout, sizes=()) if isinstance(layout, Array) and layout.sizes else layout


def as_array(layout: Layout) -> Array:
    """Return the layout as an array; a layout that is no array becomes an array of one element."""
    return layout if isinstance(layout, Array) else Array(layout, 1)


def resized(layout: Layout, count: int) -> Array:
    """Return an array of ``count`` elements like those of the layout."""
    return Array(as_array(layout).element, count)


def has_padding(layout: Layout) -> bool:
    """Whether a layout has padding; that inside of a ``long double`` does not count."""
    numbers = [cell.number for cell in cells(layout)]
    used = sum(one.width if isinstance(one, BitField) else 8 * one.size for one in numbers)
    return not isinstance(layout, OddFloat) and used + 8 * len(pointer_bytes(layout)) < 8 * layout.size


def pointer_bytes(layout: Layout) -> set[int]:
    """Return the offsets of the bytes of all pointers in a layout."""
    element, count = as_array(layout).element, as_array(layout).count
    first = [one.offset for one in element.pointers] if isinstance(element, Structure) else []
    return {number * element.size + at + byte for number in range(count) for at in first for byte in range(8)}


def has_more(layout: Layout) -> bool:
    """Whether the type has values that the numbers of its layout can not express (see :class:`Structure`)."""
    inner = layout.element if isinstance(layout, Array) else layout
    return isinstance(inner, Structure) and inner.has_more


def says_all_of(layout: Layout, other: Layout) -> bool:
    """Whether the numbers in one union member (``layout``) can express every value of another member (``other``).

    A ``bool`` expresses 0 and 1 only, and padding expresses nothing.
    """
    own, others = _bytes_of_numbers(layout), _bytes_of_numbers(other)
    return all(own.get(at) in (kinds, {""}) for at, kinds in others.items())


def _bytes_of_numbers(layout: Layout) -> dict[int, set[str]]:
    """Return, for the offset of each byte that has a number, the kinds of numbers in it: "" for a whole one."""
    found = dict[int, set[str]]()
    for cell in cells(layout):
        number = cell.number
        kind = f"{cell.offset}.{number.bit}:{number.width}" if isinstance(number, BitField) else ""
        for at in range(cell.offset, cell.offset + number.size):
            found.setdefault(at, set()).add("bool" if number.kind is Kind.BOOL and not kind else kind)
    return found


def bits_in(content: bytes, layout: Layout) -> tuple[int, ...]:
    """Return the bits of each number in the bytes of a value with this layout, in the order of its words."""
    found = list[int]()
    for cell in cells(layout):
        bits = int.from_bytes(content[cell.offset : cell.offset + cell.number.size], "little")
        found.append(cell.number.taken(bits) if isinstance(cell.number, BitField) else bits)
    return tuple(found)


def bytes_of(layout: Layout, numbers: Sequence[int]) -> bytes:
    """Return the bytes of a value whose numbers have these bits; the opposite of :func:`bits_in`. Padding is 0."""
    made = bytearray(layout.size)
    for cell, bits in zip(cells(layout), numbers, strict=True):
        there = slice(cell.offset, cell.offset + cell.number.size)
        if isinstance(cell.number, BitField):
            bits = int.from_bytes(made[there], "little") | cell.number.placed(bits)
        made[there] = bits.to_bytes(cell.number.size, "little")
    return bytes(made)


def path_at(layout: Layout, offset: int) -> str:
    """Return the C path to the number at an offset in bytes; empty if there is none with an address."""
    found = (cell.path for cell in cells(layout) if cell.offset == offset and not isinstance(cell.number, BitField))
    return next(found, "")


def value_of(layout: Layout, numbers: Sequence[int], one: Callable[[Kind, int], object],
             string: Callable[[bytes], object] = literal, pointers: bool = True) -> Any:  # fmt: skip
    """Convert words to a Python value: a list for an array, a dict for a structure, else the result of ``one``.

    An array of several dimensions is one list; as text (``readable``), it is a list of lists.

    Args:
        layout: layout of the value.
        numbers: the words, one for each cell.
        one: converts a number; ``decode``, ``exact`` or ``readable`` of :mod:`zeroin.words`. A layout without a
            ``long double`` allows any other function, too. A function pointer becomes the function's name, or None.
        string: converts the bytes of a string, without its zeros at the end.
        pointers: whether structures have their pointers, which are None.
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
            return in_rows([made(layout.element) for _ in range(layout.count)], layout.sizes if one is readable else ())
        parts = [(field.offset, field.name, made(field.layout)) for field in layout.fields]
        if pointers:
            parts += [(one.offset, one.path, None) for one in layout.pointers if len(one.steps) == 1]
            parts.sort(key=lambda part: part[0])
        return {name: value for _, name, value in parts}

    return made(layout)


def in_rows(values: list[Any], sizes: Sequence[int]) -> list[Any]:
    """Return the elements of an array as a list of lists, if its dimensions (``sizes``) are several."""
    for size in reversed(sizes[1:]):
        values = [values[at : at + size] for at in range(0, len(values), size)]
    return values


def words_of(layout: Layout, value: Any) -> list[int] | None:
    """Return the words of a Python value (the inverse of :func:`value_of`); None if it does not fit the layout.

    A pointer in a structure may be left out.

    A value None for a function pointer does not fit.
    """
    if isinstance(layout, Callback):
        return [number for number, callee in enumerate(layout.callees) if callee.name == value][:1] or None
    if isinstance(layout, Scalar):
        return [encode(layout.kind, value)] if _fits(layout, value) else None
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
        leading = {one.path for one in layout.pointers}
        fits = isinstance(value, dict) and value.keys() - leading == {field.name for field in layout.fields}
        fits = fits and all(value.get(name) is None for name in leading)
        parts = [words_of(field.layout, value[field.name]) for field in layout.fields] if fits else [None]
    return [word for part in parts if part is not None for word in part] if None not in parts else None


def _words_of_text(layout: Text, value: object) -> list[int] | None:
    """Return the words of a string given as bytes or as a Latin-1 text; None if it does not fit."""
    try:
        given = value.encode("latin-1") if isinstance(value, str) else value
    except UnicodeEncodeError:
        return None
    if not isinstance(given, bytes) or len(given) >= layout.count or 0 in given:
        return None
    return [*given, *[0] * (layout.count - len(given))]


def _is_number(value: object) -> bool:
    """Whether a value is a float, or an integer that a double can hold."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < _TOO_LARGE)


def _fits(layout: Scalar, value: object) -> bool:
    """Whether a number can have a value; an integer fits a float, but no float fits an integer."""
    if layout.kind.is_float:
        return _is_number(value)
    low, high = (decode(layout.kind, word) for word in layout.range)
    return isinstance(value, int) and low <= value <= high


def written(value: object) -> str:
    """Return a value of texts as a C initialiser: ``{.x = 1.0, .v = {0.0, 2.0}}``, ``NULL``.

    It is text for people: in a list of more than 64 items, 8 or more equal ones in a row are abbreviated.
    """
    if value is None:
        return "NULL"
    if isinstance(value, dict):
        return "{" + ", ".join(f".{name} = {written(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        parts = [written(item) for item in value]
        return "{" + ", ".join(parts if len(parts) <= _LONG else _repeated(parts)) + "}"
    return str(value)


def _repeated(parts: list[str]) -> Iterator[str]:
    """Replace many equal parts in a row by one part with their number."""
    for part, same in groupby(parts):
        times = len(list(same))
        yield from [part] * times if times < _MANY else [f"{part} ({times} times)"]


def told(layout: Layout) -> str:
    """Describe for a person which values the layout is given: ``any double``."""
    if isinstance(layout, Callback):
        return "a function: " + (", ".join(callee.name for callee in layout.callees) or "none")
    if isinstance(layout, Scalar):
        width = layout.width if isinstance(layout, BitField) else layout.kind.bits
        return {Kind.F64: "any double", Kind.F32: "any float", Kind.BOOL: "0 or 1"}.get(
            layout.kind, f"any {'signed' if layout.kind.signed else 'unsigned'} {width}-bit integer"
        )
    if isinstance(layout, Text):
        return f"any string of at most {layout.count - 1} characters"
    if isinstance(layout, Array):
        return f"{layout.count} of: {told(layout.element)}"
    if isinstance(layout, OddFloat):
        return f"any {layout.type}"
    return "{" + ", ".join(f"{field.name}: {told(field.layout)}" for field in layout.fields) + "}"
