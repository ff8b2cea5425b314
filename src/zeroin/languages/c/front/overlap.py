"""The ways in which the memory of two pointer parameters may overlap in a valid C program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ....words import Kind
from .layout import BitField, Scalar, Structure, as_array, cells
from .parameters import CParameter

# Offsets to try for a pair of pointers: all if there are at most _MOST, else the _NEAR nearest on either side, and 0.
_MOST, _NEAR = 15, 3
Fits = Callable[[int, int, int], bool]


class AliasTarget(NamedTuple):
    """The target of an aliasing pointer: ``offset`` bytes after the pointer parameter ``other``; it may be negative."""

    other: str
    offset: int


def are_alike(one: CParameter, other: CParameter) -> bool:
    """Whether both pointers lead to elements of the same type, so that overlapping arrays form a longer one."""
    return as_array(one.layout).element == as_array(other.layout).element and type(one.layout) is type(other.layout)


def directions(one: CParameter, other: CParameter) -> tuple[bool, bool]:
    """Whether the first pointer's object may lie inside the second's, and the other way round.

    Characters may lie in every object, and numbers in structures.
    """
    ranks = [2 * isinstance(as_array(p.layout).element, Structure) + (not p.behind.is_any) for p in (one, other)]
    return ranks[0] <= ranks[1], ranks[1] <= ranks[0]


def fitting(one: CParameter, other: CParameter) -> Fits:
    """Return a predicate that says whether one object may begin at an offset from another object.

    Arrays of the same elements may overlap or be adjacent. Other objects must lie one inside the other.

    Args:
        one: the pointer whose object is placed.
        other: the pointer relative to which it is placed.

    Returns:
        A function of the offset, the size of ``one``'s object and the size of ``other``'s object, all in bytes.
    """
    if are_alike(one, other):
        return lambda offset, size, whole: -size <= offset <= whole
    inside, around = directions(one, other)
    return lambda offset, size, whole: ((inside and 0 <= offset <= whole - size)
                                        or (around and offset <= 0 <= offset + size - whole))  # fmt: skip


def ways_of(one: CParameter, other: CParameter, is_related: bool) -> list[int]:
    """Return the offsets to try for the second pointer relative to the first, in bytes, the nearest first.

    There are at most 15; of more, only the seven nearest are returned. The list is empty if no offset is possible.

    Args:
        one: the first pointer.
        other: the second pointer.
        is_related: whether the code compares both for more than equality; adjacent arrays are then tried, too.
    """
    every = list(overlaps(one, other))
    if not every:  # objects of these types never overlap: only equal addresses are possible
        return [0] if fitting(other, one)(0, other.layout.size, one.layout.size) else []
    step = as_array(one.layout).element.size
    if is_related and as_array(other.layout).element == as_array(one.layout).element:
        every += [at for at in (one.layout.size, -other.layout.size) if at not in every and at % step == 0]
    fits = fitting(other, one)
    every = [at for at in every if fits(at, other.most_size, one.most_size)]
    every.sort(key=lambda at: (abs(at), at < 0))
    return every if len(every) <= _MOST else every[: 2 * _NEAR + 1]


def overlaps(one: CParameter, other: CParameter) -> Iterator[int]:
    """Yield the offsets in bytes of ``other`` from ``one`` at which C's type rules let their objects overlap.

    The order is arbitrary. Nothing is yielded if the objects never overlap.
    """
    mine, theirs = as_array(one.layout), as_array(other.layout)
    sizes = theirs.size, mine.size
    if mine.element == theirs.element and mine.element.size:
        yield from range((-sizes[0] // mine.element.size + 1) * mine.element.size, sizes[1], mine.element.size)
        return
    if isinstance(mine.element, Structure) and isinstance(theirs.element, Structure):
        steps = [at for outer, inner, sign in ((mine.element, theirs.element, 1), (theirs.element, mine.element, -1))
                 for at in (sign * offset for offset in _inside(outer, inner))]  # fmt: skip
        yield from dict.fromkeys(steps)
        return
    if not one.behind.meets(other.behind):
        return
    found = {a.offset - b.offset for a in cells(mine) for b in cells(theirs) if _alike(a.number, b.number)}
    if one.behind.is_any or other.behind.is_any:
        found = set(range(1 - sizes[0], sizes[1]))
    steps = [max((cell.number.size for cell in cells(layout)), default=1) for layout in (mine, theirs)]
    yield from (at for at in found if at % steps[at > 0] == 0)  # the later one must be aligned


def _alike(one: Scalar, other: Scalar) -> bool:
    """Whether two numbers have the same size, and both are floats, both are ``bool``, or both are integers.

    Bit-fields have no address, so they are like no number.
    """
    if isinstance(one, BitField) or isinstance(other, BitField):
        return False
    kinds = [
        (one.size, one.kind.is_float, one.kind is Kind.BOOL),
        (other.size, other.kind.is_float, other.kind is Kind.BOOL),
    ]
    return kinds[0] == kinds[1]


def _inside(outer: Structure, inner: Structure, at: int = 0) -> Iterator[int]:
    """Yield the offsets in bytes at which one structure type lies inside another one."""
    for field in outer.fields:
        layout = as_array(field.layout)
        if layout.element == inner:
            yield from range(at + field.offset, at + field.offset + layout.size, inner.size)
        elif isinstance(layout.element, Structure):
            for n in range(layout.count):
                yield from _inside(layout.element, inner, at + field.offset + n * layout.element.size)
