"""Memory as terms: objects of bytes, and pointers into them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from ..errors import ZeroinError
from ..term.core.build import equal, if_else
from ..term.core.nodes import Op, Term, constant, make
from ..term.core.simplify import simpler
from ..term.core.sorts import Sort, bits
from ..term.core.undefined import bits_of

ADDRESS = bits(64)
MOST_PLACES = 256  # that one access may mean


class Unreadable(ZeroinError):
    """What a program does here can not be said in terms; the message says what it is."""


class Left(Unreadable):
    """The run took another way than the code says: something of it is not read rightly, or it keeps a state."""


@dataclass(eq=False)
class Object:
    """A variable, an array, or what was allocated.

    Attributes:
        name: for people.
        size: in bytes.
        cells: what lies at an offset, and how many bytes it takes; they do not overlap.
        zeroed: whether the bytes beside the cells are 0; otherwise nothing is known of them.
        is_live: whether it may be used.
        null: the input that says whether there is no such object: pointers to it are NULL then.
    """

    name: str
    size: int
    cells: dict[int, tuple[MemoryValue, int]] = field(default_factory=dict)
    zeroed: bool = False
    is_live: bool = True
    null: Term | None = None


@dataclass(frozen=True)
class Pointer:
    """An address.

    Attributes:
        to: the object; None for NULL and what is counted from it.
        offset: bytes from its beginning.
    """

    to: Object | None
    offset: Term


@dataclass(frozen=True)
class Function:
    """The address of a function."""

    name: str


MemoryValue: TypeAlias = "Term | Pointer | Function | tuple[MemoryValue, ...]"
NULL = Pointer(None, constant(ADDRESS, 0))


def load(target: Object, offset: int, size: int) -> MemoryValue:
    """What lies there: as it was stored if it was stored there as a whole, else its bits.

    Raises:
        Unreadable: it is outside of the object, was never written, or is part of an address.
    """
    _check(target, offset, size)
    found = target.cells.get(offset)
    if found is not None and found[1] == size:
        return found[0]
    parts = [_byte(target, at) for at in range(offset, offset + size)]
    joined = parts[0]
    for part in parts[1:]:  # little-endian
        joined = make(Op.BV_CONCAT, part, joined)
    return simpler(joined)


def store(target: Object, offset: int, size: int, value: MemoryValue) -> None:
    """Put it there.

    Raises:
        Unreadable: it is outside of the object, or overwrites a part of an address.
    """
    _check(target, offset, size)
    for at in _overlapped(target, offset, size):
        value_there, size_there = target.cells.pop(at)
        if offset <= at and at + size_there <= offset + size:
            continue
        for n in range(size_there):
            if not offset <= at + n < offset + size:
                target.cells[at + n] = (_part(value_there, n), 1)
    target.cells[offset] = (value, size)


def copy(to: Object, to_offset: int, source: Object, offset: int, size: int) -> None:
    """As ``memmove``; what was never written stays so.

    Raises:
        Unreadable: a part of it is outside of its object.
    """
    _check(source, offset, size)
    _check(to, to_offset, size)
    moved = []
    at = offset
    while at < offset + size:
        found = source.cells.get(at)
        if found is not None and at + found[1] <= offset + size:
            moved.append((at - offset, found[1], found[0]))
            at += found[1]
            continue
        if found is not None or source.zeroed or _overlapped(source, at, 1):
            moved.append((at - offset, 1, _byte(source, at)))
        at += 1
    for place, length, value in moved:
        store(to, to_offset + place, length, value)


def forget(target: Object, offset: int, size: int) -> None:
    """Nothing is known any more of what lies there.

    Raises:
        Unreadable: it is outside of the object.
    """
    _check(target, offset, size)
    if target.zeroed:
        raise Unreadable(f"a part of {target.name} is not known any more")
    for at in [at for at, (_, length) in target.cells.items() if at < offset + size and offset < at + length]:
        value, length = target.cells.pop(at)
        for n in range(length):
            if not offset <= at + n < offset + size:
                target.cells[at + n] = (_part(value, n), 1)


def places(target: Object, offset: Term, size: int, step: int) -> list[int]:
    """The offsets that an address may have which is a multiple of ``step`` beyond its constant part."""
    start = 0
    if offset.op is Op.BV_ADD:
        start = next((a.data for a in offset.args if a.is_constant), 0)
    return list(range(start % step, target.size - size + 1, step))


def load_any(target: Object, offset: Term, size: int, candidates: list[int], sort: Sort) -> Term:
    """What lies at one of these offsets."""
    found: Term | None = None
    for at in reversed(candidates):
        value = as_sort(load(target, at, size), sort)
        found = value if found is None else if_else(equal(offset, constant(ADDRESS, at)), value, found)
    assert found is not None
    return found


def store_any(target: Object, offset: Term, size: int, candidates: list[int], value: Term) -> None:
    """Put it at one of these offsets."""
    for at in candidates:
        before = as_sort(load(target, at, size), value.sort)
        store(target, at, size, if_else(equal(offset, constant(ADDRESS, at)), value, before))


def as_sort(value: MemoryValue, sort: Sort) -> Term:
    """A value of memory as it is read with a type.

    Raises:
        Unreadable: an address is read as a number.
    """
    if not isinstance(value, Term):
        raise Unreadable("an address is read as a number")
    if value.sort == sort:
        return value
    pattern = bits_of(value) if value.sort.is_float else value
    return simpler(make(Op.FP_FROM_BITS, pattern, data=sort)) if sort.is_float else pattern


def _check(target: Object, offset: int, size: int) -> None:
    if not target.is_live:
        raise Unreadable(f"{target.name} is used, which is not there (any more)")
    if not 0 <= offset <= target.size - size:
        raise Unreadable(f"{size} bytes at {offset} are outside of {target.name}")


def _overlapped(target: Object, offset: int, size: int) -> list[int]:
    return [at for at in range(offset - 15, offset + size) if at in target.cells and at + target.cells[at][1] > offset]


def _byte(target: Object, offset: int) -> Term:
    for at in _overlapped(target, offset, 1):
        return _part(target.cells[at][0], offset - at)
    if target.zeroed:
        return constant(bits(8), 0)
    raise Unreadable(f"{target.name} is read where nothing was written")


def _part(value: MemoryValue, number: int) -> Term:
    """One byte of a value, the lowest first."""
    if not isinstance(value, Term):
        raise Unreadable("a part of an address is used")
    pattern = bits_of(value) if value.sort.is_float else value
    return simpler(make(Op.BV_EXTRACT, pattern, data=(8 * number + 7, 8 * number)))
