"""Addresses, and what is read and written through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....model.memory import (
    ADDRESS,
    MOST_PLACES,
    NULL,
    MemoryValue,
    Object,
    Pointer,
    Unreadable,
    as_sort,
    copy,
    forget,
    load,
    load_any,
    places,
    store,
    store_any,
)
from ....term.core.build import FALSE, equal, negation
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import simpler
from ....term.core.sorts import BOOL, bits
from .operations import as_bits, binary, compare, of_sort
from .run_record import Record
from .types import Type, zero


class Access:
    """Reads and writes of a run.

    Args:
        record: takes what holds where an address depends on the inputs.
    """

    def __init__(self, record: Record) -> None:
        self._record = record

    def address(self, steps: Sequence[tuple[int, int, object]], values: Sequence[MemoryValue | None]) -> Pointer:
        base = pointer(values[0])
        offset = base.offset
        for (added, scale, _), index in zip(steps, values[1:], strict=True):
            if added:
                offset = binary("add", offset, constant(ADDRESS, added))
            if scale:
                times = number(index)
                if times.sort.width < 64:
                    times = simpler(make(Op.BV_SIGN_EXTEND, times, data=ADDRESS))
                part = times if scale == 1 else binary("mul", times, constant(ADDRESS, scale))
                offset = part if offset is NULL.offset else binary("add", offset, part)
        return Pointer(base.to, simpler(offset) if not offset.is_constant else offset)

    def load(self, address: MemoryValue | None, type_: Type) -> MemoryValue:
        """Read a value of a type."""
        target, offset = self._target(address)
        if not type_.is_scalar:
            return tuple(self.load(beyond(Pointer(target, offset), at), inner) for inner, at in type_.members)
        if not offset.is_constant and type_.name != "ptr":
            found = self._candidates(target, offset, type_.stored)
            if found:
                return of_memory(load_any(target, offset, type_.stored, found, _stored(type_)), type_)
        value = load(target, self._record.pinned(offset), type_.stored)
        return value if type_.name == "ptr" and not isinstance(value, Term) else of_memory(value, type_)

    def store(self, address: MemoryValue | None, type_: Type, value: MemoryValue | None) -> None:
        """Write a value of a type."""
        target, offset = self._target(address)
        if value is None:
            return forget(target, self._record.pinned(offset), type_.stored if type_.is_scalar else type_.size)
        if isinstance(value, tuple):
            for part, (inner, at) in zip(value, type_.members, strict=True):
                self.store(beyond(Pointer(target, offset), at), inner, part)
            return None
        stored = to_memory(value)
        if not offset.is_constant and isinstance(stored, Term):
            found = self._candidates(target, offset, type_.stored)
            if found:
                return store_any(target, offset, type_.stored, found, stored)
        return store(target, self._record.pinned(offset), type_.stored, stored)

    def _target(self, address: MemoryValue | None) -> tuple[Object, Term]:
        there = pointer(address)
        if there.to is None:
            raise Unreadable("a null pointer is dereferenced")
        return there.to, there.offset

    def _candidates(self, target: Object, offset: Term, size: int) -> list[int]:
        """Where an access may go, if these are few enough and all can be read; that it goes there is noted."""
        found = places(target, offset, size, size)
        if not found or len(found) > MOST_PLACES or self._record.value(offset) not in found:
            return []
        try:
            for at in found:
                if not isinstance(load(target, at, size), Term):
                    return []
        except Unreadable:
            return []
        last = constant(ADDRESS, found[-1])
        self._record.note(make(Op.BV_ULE, offset, last), f"an index is within {target.name}")
        if not _is_multiple(offset, size):
            rest = make(Op.BV_UREM, offset, constant(ADDRESS, size))
            self._record.note(equal(rest, constant(ADDRESS, found[0] % size)), f"an index is within {target.name}")
        return found


def beyond(address: Pointer, added: int) -> Pointer:
    """So many bytes after an address."""
    return Pointer(address.to, binary("add", address.offset, constant(ADDRESS, added)))


def fill(target: Object, offset: int, type_: Type, value: MemoryValue) -> None:
    """Put an initial value into memory."""
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            inner, at = type_.member(number)
            fill(target, offset + at, inner, part)
    else:
        store(target, offset, type_.stored, to_memory(value))


def recast(value: MemoryValue, before: Type, after: Type) -> MemoryValue:
    """The same bits as a value of another type.

    Raises:
        Unreadable: there are no such values.
    """
    there = Object("a value", before.size)
    fill(there, 0, before, value)
    return Access(Record({})).load(Pointer(there, NULL.offset), after)


PARTS = ("extractvalue", "insertvalue", "extractelement", "insertelement")  # opcodes


def parts_of(opcode: str, type_: Type | None, values: Sequence[MemoryValue | None], path: Any) -> MemoryValue | None:
    """What an instruction gives that takes a part of a structure or a vector, or puts one into it.

    Args:
        path: to the part; vectors have it in their last operand.

    Raises:
        Unreadable: it is not known which part.
    """
    if opcode.endswith("element"):
        path = (_index(values[-1]),)
    if opcode.startswith("insert"):
        assert type_ is not None
        return inserted(type_, values[0], values[1], path)
    part = values[0]
    for index in path:
        part = part[index] if isinstance(part, tuple) else None
    return part


def _index(value: MemoryValue | None) -> int:
    if not isinstance(value, Term) or not value.is_constant:
        raise Unreadable("an unknown element of a vector is used")
    return int(value.data)


def to_memory(value: MemoryValue) -> MemoryValue:
    """As it lies in memory: a truth value in a byte."""
    if isinstance(value, Term) and value.sort == BOOL:
        return as_bits(value, 8)
    return value


def _is_multiple(offset: Term, size: int) -> bool:
    """Whether an offset, modulo a power of 2, is a known constant."""
    parts = [part for part in (offset.args if offset.op is Op.BV_ADD else (offset,)) if not part.is_constant]
    scales = [next((a.data for a in part.args if a.is_constant), 1) if part.op is Op.BV_MUL else 1 for part in parts]
    return size & (size - 1) == 0 and all(scale % size == 0 for scale in scales)


def number(value: MemoryValue | None) -> Term:
    if isinstance(value, Term):
        return value
    if isinstance(value, tuple):
        raise Unreadable("a vector is used")
    raise Unreadable("an uninitialised value is used" if value is None else "an address is used as a number")


def passed(value: MemoryValue | None, size: int, known: Object | None) -> Object:
    """What a callee gets of a structure that is passed by value.

    Args:
        value: the address of the caller's.
        size: of the structure.
        known: what lies there.

    Raises:
        Unreadable: it is not known where it lies.
    """
    made = Object("a structure that was passed", size)
    if known is None or not isinstance(value, Pointer) or not value.offset.is_constant:
        raise Unreadable("an unknown structure is passed by value")
    copy(made, 0, known, value.offset.data, size)
    return made


def compared(opcode: str, predicate: str, a: MemoryValue | None, b: MemoryValue | None) -> Term | None:
    """A comparison, of addresses as far as they are known."""
    if isinstance(a, Term) and isinstance(b, Term):
        return compare(opcode, predicate, a, b)
    if not isinstance(a, Pointer) or not isinstance(b, Pointer) or predicate not in ("eq", "ne"):
        return None
    if a.to is b.to:
        return compare(opcode, predicate, a.offset, b.offset)
    one, other = (b, a) if a.to is None else (a, b)
    if one.to is None or not one.to.is_live or other != NULL or one.offset is not NULL.offset:
        return None
    null = one.to.null if one.to.null is not None else FALSE
    return null if predicate == "eq" else negation(null)


def pointer(value: MemoryValue | None) -> Pointer:
    if isinstance(value, Pointer):
        return value
    if isinstance(value, Term) and value.is_constant and not value.sort.is_float:
        return Pointer(None, constant(ADDRESS, int(value.data)))
    raise Unreadable("a value that is not an address is used as one")


def _stored(type_: Type) -> Any:
    return bits(8) if type_.sort == BOOL else type_.sort


def of_memory(value: MemoryValue, type_: Type) -> Term:
    """What lies in memory, as a value of a type.

    Raises:
        Unreadable: it is an address.
    """
    stored = as_sort(value, _stored(type_))
    return of_sort(stored, type_.sort) if type_.sort == BOOL else stored


def inserted(type_: Type, whole: MemoryValue | None, part: MemoryValue | None, path: tuple[int, ...]) -> MemoryValue:
    """A struct with one of its parts, or of their parts, replaced."""
    parts = list(whole if isinstance(whole, tuple) else _blank(type_))
    index, *rest = path
    if rest:
        inner = type_.member(index)[0]
        parts[index] = inserted(inner, parts[index], part, tuple(rest))
    elif part is not None:
        parts[index] = part
    return tuple(parts)


def _blank(type_: Type) -> tuple[MemoryValue, ...]:
    value = zero(type_)
    assert isinstance(value, tuple)
    return value
