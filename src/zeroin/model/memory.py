"""Symbolic memory: objects of bytes with terms as contents, and pointers into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..errors import ZeroinError
from ..term.core.build import equal, if_else
from ..term.core.nodes import Op, Term, constant, make
from ..term.core.simplify import simpler
from ..term.core.sorts import Sort, bits
from ..term.core.undefined import bits_of

ADDRESS = bits(64)
# The most offsets that one access with a symbolic address may have, and that a load from a table may have if the table
# has at most as many groups of equal neighbours as the first number says.
MOST_PLACES, MOST_IN_TABLE = 256, 512


class Unreadable(ZeroinError):
    """An operation of the program can not be expressed in terms. The message says which one."""


class Diverged(Unreadable):
    """The run and the symbolic execution disagree: the code was misread, or the program keeps a state between runs."""


@dataclass(eq=False)
class Object:
    """An object in memory: a variable, an array, or an allocated block.

    Attributes:
        name: its name, for people.
        size: its size in bytes.
        cells: the known values by offset, each with its size in bytes; they do not overlap.
        zeroed: whether bytes outside the cells are 0; otherwise they are unknown.
        is_live: whether it may be accessed; False after its end of life, or for a NULL pointer.
        null: a Bool over the inputs: if it holds, there is no such object and pointers to it are NULL. None: the
            object always exists.
    """

    name: str
    size: int
    cells: dict[int, tuple[MemoryValue, int]] = field(default_factory=dict)
    zeroed: bool = False
    is_live: bool = True
    null: Term | None = None


@dataclass(frozen=True)
class Pointer:
    """A symbolic address.

    Attributes:
        to: the object; None for NULL, and for addresses relative to NULL.
        offset: the number of bytes from the object's beginning, a 64-bit term.
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
    """Return the value in an object at an offset.

    Args:
        target: the object.
        offset: the offset in bytes.
        size: the number of bytes.

    Returns:
        The value as it was stored, if one store wrote exactly these bytes; otherwise a bit vector, little-endian.

    Raises:
        Unreadable: the object is not live, or the bytes are out of bounds, unknown, or a part of an address.
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
    """Store a value of ``size`` bytes, at most 16, in an object at an offset in bytes.

    Raises:
        Unreadable: the object is not live, or the bytes are out of bounds, or overwrite a part of an address.
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
    """Copy bytes like ``memmove``. Where the source is unknown, the destination keeps its values.

    Args:
        to: the destination object.
        to_offset: the offset in the destination, in bytes.
        source: the source object.
        offset: the offset in the source, in bytes.
        size: the number of bytes.

    Raises:
        Unreadable: an object is not live, some bytes are out of bounds, or a part of an address is copied.
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
    """Make bytes of an object unknown.

    Args:
        target: the object.
        offset: the offset in bytes.
        size: the number of bytes.

    Raises:
        Unreadable: the object is not live; the bytes are out of bounds; a part of an address remains; or the object is
            ``zeroed``, so that its bytes can not become unknown.
    """
    _check(target, offset, size)
    if target.zeroed:
        raise Unreadable(f"a part of {target.name} is no longer known")
    for at in [at for at, (_, length) in target.cells.items() if at < offset + size and offset < at + length]:
        value, length = target.cells.pop(at)
        for n in range(length):
            if not offset <= at + n < offset + size:
                target.cells[at + n] = (_part(value, n), 1)


def places(target: Object, offset: Term, size: int, step: int, most: int = MOST_PLACES) -> list[int]:
    """Return the possible offsets of a symbolic address within an object, in ascending order; empty if none fits, or
    if they are more than ``most``.

    They are the constant part of the offset plus multiples of ``step``. Whether the rest of the offset is such a
    multiple is not checked.

    Args:
        target: the object.
        offset: the symbolic offset.
        size: the number of bytes to access.
        step: the step in bytes.
    """
    start = 0
    if offset.op is Op.BV_ADD:
        start = next((a.data for a in offset.args if a.is_constant), 0)
    count = (target.size - size - start % step) // step + 1
    return [start % step + step * n for n in range(count)] if count <= most else []


def load_any(target: Object, offset: Term, size: int, candidates: list[int], sort: Sort) -> Term:
    """Return the value at a symbolic offset that is one of the candidates.

    Args:
        target: the object.
        offset: the symbolic offset.
        size: the number of bytes.
        candidates: the possible offsets, at least one. For any other offset, the result is the value at the last one.
        sort: the sort of the value.

    Raises:
        Unreadable: see :func:`load` and :func:`as_sort`.
    """
    values = [as_sort(load(target, at, size), sort) for at in candidates]
    return chosen(offset, candidates, values, values[-1])


def runs(values: Sequence[MemoryValue]) -> list[int]:
    """Return the indices at which values differ from those before them, and 0."""
    return [n for n, value in enumerate(values) if n == 0 or value is not values[n - 1]]


def chosen(offset: Term, candidates: Sequence[int], values: Sequence[Term], otherwise: Term) -> Term:
    """Return the value for a symbolic offset, an if-then-else term.

    Args:
        offset: the offset.
        candidates: the possible offsets, in ascending order and none of them negative.
        values: the value for each; equal neighbours share a condition if these are many.
        otherwise: the value for any other offset.
    """
    begins = runs(values)
    found = otherwise
    if 2 * len(begins) > len(values) or otherwise is not values[-1]:
        for at, value in zip(reversed(candidates), reversed(values), strict=True):
            found = value if value is found else if_else(equal(offset, constant(ADDRESS, at)), value, found)
        return found
    for begin, end in zip(reversed(begins), reversed([*begins[1:], len(values)]), strict=True):
        within = make(Op.BV_ULE, offset, constant(ADDRESS, candidates[end - 1]))
        found = values[begin] if values[begin] is found else if_else(within, values[begin], found)
    return found


def store_any(target: Object, offset: Term, size: int, candidates: list[int], value: Term) -> None:
    """Store a value at a symbolic offset that is one of the candidates; arguments as of :func:`load_any`.

    All candidates get an if-then-else term.

    Raises:
        Unreadable: the bytes at a candidate can not be read or written, see :func:`load` and :func:`store`.
    """
    for at in candidates:
        before = as_sort(load(target, at, size), value.sort)
        store(target, at, size, if_else(equal(offset, constant(ADDRESS, at)), value, before))


def as_sort(value: MemoryValue, sort: Sort) -> Term:
    """Return a value of memory, reinterpreted as a value of a sort with the same width.

    Raises:
        Unreadable: the value is an address, or a struct or vector.
    """
    if not isinstance(value, Term):
        raise Unreadable("an address is read as a number")
    if value.sort == sort:
        return value
    pattern = bits_of(value) if value.sort.is_float else value
    return simpler(make(Op.FP_FROM_BITS, pattern, data=sort)) if sort.is_float else pattern


def _check(target: Object, offset: int, size: int) -> None:
    if not target.is_live:
        raise Unreadable(f"{target.name} is used, but does not exist (any more)")
    if not 0 <= offset <= target.size - size:
        raise Unreadable(f"{size} bytes at offset {offset} are outside of {target.name}")


def _overlapped(target: Object, offset: int, size: int) -> list[int]:
    return [at for at in range(offset - 15, offset + size) if at in target.cells and at + target.cells[at][1] > offset]


def _byte(target: Object, offset: int) -> Term:
    for at in _overlapped(target, offset, 1):
        return _part(target.cells[at][0], offset - at)
    if target.zeroed:
        return constant(bits(8), 0)
    raise Unreadable(f"{target.name} is read before it is initialised")


def _part(value: MemoryValue, number: int) -> Term:
    """Return one byte of a value; number 0 is the lowest byte.

    Raises:
        Unreadable: the value is a part of an address.
    """
    if not isinstance(value, Term):
        raise Unreadable("a part of an address is used")
    pattern = bits_of(value) if value.sort.is_float else value
    return simpler(make(Op.BV_EXTRACT, pattern, data=(8 * number + 7, 8 * number)))
