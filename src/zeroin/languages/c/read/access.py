"""Addresses in memory, and the loads and stores of instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....model.memory import (
    ADDRESS,
    MOST_IN_TABLE,
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
    runs,
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
    """Loads and stores of one symbolic execution.

    Args:
        record: receives the constraints on addresses that depend on the inputs.
    """

    def __init__(self, record: Record) -> None:
        self._record = record

    def address(self, steps: Sequence[tuple[int, int, object]], values: Sequence[MemoryValue | None]) -> Pointer:
        """Return the address that a ``getelementptr`` computes.

        Args:
            steps: for each index, the bytes to add, the bytes to multiply the index by, and the index, which is ignored
                here.
            values: the base address, then the value of each index.

        Raises:
            Unreadable: the base is no address, or an index is no number.
        """
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
        """Return the value of a type at an address: a tuple for a structure, an array or a vector.

        If the offset depends on the inputs, the value is an if-then-else over all possible offsets, and a constraint
        says that the offset is one of them. If these are too many or can not all be read, the offset is fixed to its
        value in the run.

        Raises:
            Unreadable: the address is NULL or no address, or the bytes can not be read as this type.
        """
        target, offset = self._target(address)
        if not type_.is_scalar:
            return tuple(self.load(beyond(Pointer(target, offset), at), inner) for inner, at in type_.members)
        if not offset.is_constant and type_.name != "ptr":
            found = self._candidates(target, offset, type_.stored, MOST_IN_TABLE)
            if found:
                return of_memory(load_any(target, offset, type_.stored, found, _stored(type_)), type_)
        value = load(target, self._record.pinned(offset), type_.stored)
        return value if type_.name == "ptr" and not isinstance(value, Term) else of_memory(value, type_)

    def store(self, address: MemoryValue | None, type_: Type, value: MemoryValue | None) -> None:
        """Store a value of a type at an address.

        Args:
            address: the address. An offset that depends on the inputs is treated as in :meth:`load`.
            type_: the type of the value.
            value: the value; a tuple for a structure, an array or a vector. None: the bytes become unknown.

        Raises:
            Unreadable: the address is NULL or no address, or the bytes can not be written.
        """
        target, offset = self._target(address)
        if value is None:
            return forget(target, self._record.pinned(offset), type_.stored if type_.is_scalar else type_.size)
        if isinstance(value, tuple):
            for part, (inner, at) in zip(value, type_.members, strict=True):
                self.store(beyond(Pointer(target, offset), at), inner, part)
            return None
        stored = to_memory(value)
        if not offset.is_constant and isinstance(stored, Term):
            found = self._candidates(target, offset, type_.stored, MOST_PLACES)
            if found:
                return store_any(target, offset, type_.stored, found, stored)
        return store(target, self._record.pinned(offset), type_.stored, stored)

    def _target(self, address: MemoryValue | None) -> tuple[Object, Term]:
        """Return the object and the offset of an address.

        Raises:
            Unreadable: the address is NULL or no address.
        """
        there = pointer(address)
        if there.to is None:
            raise Unreadable("a null pointer is dereferenced")
        return there.to, there.offset

    def _candidates(self, target: Object, offset: Term, size: int, most: int) -> list[int]:
        """Return the offsets that an access may have; note the constraint that its offset is one of them.

        Empty if there are too many, if one of them can not be read as a number, or if the run's offset is none of them.
        """
        found = places(target, offset, size, size, most)
        if not found or self._record.value(offset) not in found:
            return []
        try:
            values = [load(target, at, size) for at in found]
        except Unreadable:
            return []
        if not all(isinstance(value, Term) for value in values) or len(runs(values)) > MOST_PLACES:
            return []
        last = constant(ADDRESS, found[-1])
        self._record.note(make(Op.BV_ULE, offset, last), f"an index is within {target.name}")
        if not is_multiple(offset, size):
            rest = make(Op.BV_UREM, offset, constant(ADDRESS, size))
            self._record.note(equal(rest, constant(ADDRESS, found[0] % size)), f"an index is within {target.name}")
        return found


def beyond(address: Pointer, added: int) -> Pointer:
    """Return the address that is ``added`` bytes after an address."""
    return Pointer(address.to, binary("add", address.offset, constant(ADDRESS, added)))


def fill(target: Object, offset: int, type_: Type, value: MemoryValue) -> None:
    """Store an initial value in an object.

    Args:
        target: the object, which is changed.
        offset: the offset in bytes.
        type_: the type of the value.
        value: the value; a tuple for a structure, an array or a vector.

    Raises:
        Unreadable: the bytes are out of bounds.
    """
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            inner, at = type_.member(number)
            fill(target, offset + at, inner, part)
    else:
        store(target, offset, type_.stored, to_memory(value))


def recast(value: MemoryValue, before: Type, after: Type) -> MemoryValue:
    """Return the value of another type that has the same bits.

    Raises:
        Unreadable: the bits are no such value, for example because they contain an address.
    """
    there = Object("a value", before.size)
    fill(there, 0, before, value)
    return Access(Record({})).load(Pointer(there, NULL.offset), after)


PARTS = ("extractvalue", "insertvalue", "extractelement", "insertelement")  # opcodes


def parts_of(opcode: str, type_: Type | None, values: Sequence[MemoryValue | None], path: Any) -> MemoryValue | None:
    """Return the result of one of the instructions in :data:`PARTS`, which take or replace a part of a value.

    Args:
        opcode: the name of the instruction.
        type_: the type of the result; only insertions need it.
        values: the values of the operands.
        path: the indices that lead to the part, the outermost first. Ignored for the instructions on vectors, whose
            last operand is the index.

    Returns:
        The part, or the new whole; None if the part is unknown.

    Raises:
        Unreadable: the index of a vector's element is not a constant.
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
    """Return the index of a vector's element.

    Raises:
        Unreadable: it is not a constant.
    """
    if not isinstance(value, Term) or not value.is_constant:
        raise Unreadable("an unknown element of a vector is used")
    return int(value.data)


def to_memory(value: MemoryValue) -> MemoryValue:
    """Return a value in the form in which memory holds it: a Bool as a byte."""
    if isinstance(value, Term) and value.sort == BOOL:
        return as_bits(value, 8)
    return value


def is_multiple(offset: Term, size: int) -> bool:
    """Return whether an offset modulo ``size`` is known to be constant. False unless ``size`` is a power of 2."""
    parts = [part for part in (offset.args if offset.op is Op.BV_ADD else (offset,)) if not part.is_constant]
    scales = [next((a.data for a in part.args if a.is_constant), 1) if part.op is Op.BV_MUL else 1 for part in parts]
    return size & (size - 1) == 0 and all(scale % size == 0 for scale in scales)


def number(value: MemoryValue | None) -> Term:
    """Return a value as a term.

    Raises:
        Unreadable: the value is unknown (None), an address, or a tuple.
    """
    if isinstance(value, Term):
        return value
    if isinstance(value, tuple):
        raise Unreadable("a vector is used")
    raise Unreadable("an uninitialised value is used" if value is None else "an address is used as a number")


def passed(value: MemoryValue | None, size: int, known: Object | None) -> Object:
    """Return a new object with the contents of a structure that is passed by value.

    Args:
        value: the address of the caller's structure.
        size: its size in bytes.
        known: the object with the known contents at that address; None if there is none.

    Raises:
        Unreadable: the address is unknown, or depends on the inputs.
    """
    made = Object("a structure that was passed", size)
    if known is None or not isinstance(value, Pointer) or not value.offset.is_constant:
        raise Unreadable("an unknown structure is passed by value")
    copy(made, 0, known, value.offset.data, size)
    return made


def compared(opcode: str, predicate: str, a: MemoryValue | None, b: MemoryValue | None) -> Term | None:
    """Return the result of a comparison of two numbers or of two addresses; None if it is not known.

    It is known for addresses in the same object, and for the beginning of an object that may be accessed and NULL.

    Args:
        opcode: ``icmp`` or ``fcmp``.
        predicate: LLVM's name of the relation, such as ``slt``.
        a: the left operand.
        b: the right operand.
    """
    if isinstance(a, Term) and isinstance(b, Term):
        return compare(opcode, predicate, a, b)
    if not isinstance(a, Pointer) or not isinstance(b, Pointer):
        return None
    if a.to is b.to:
        return in_order(opcode, predicate, a, b)
    if predicate not in ("eq", "ne"):
        return None
    one, other = (b, a) if a.to is None else (a, b)
    if one.to is None or not one.to.is_live or other != NULL or one.offset is not NULL.offset:
        return None
    null = one.to.null if one.to.null is not None else FALSE
    return null if predicate == "eq" else negation(null)


def in_order(opcode: str, predicate: str, a: Pointer, b: Pointer) -> Term:
    """Return the result of a comparison of two addresses in one object.

    An offset may be negative, although addresses are compared as unsigned numbers.
    """
    return compare(opcode, predicate.replace("u", "s", 1) if predicate[0] == "u" else predicate, a.offset, b.offset)


def difference(a: Pointer, b: Pointer) -> Term:
    """Return the number of bytes between two addresses in one object.

    Raises:
        Unreadable: they lie in different objects.
    """
    if a.to is not b.to:
        raise Unreadable("addresses of different objects are subtracted")
    return binary("sub", a.offset, b.offset)


def pointer(value: MemoryValue | None) -> Pointer:
    """Return a value as an address. A constant integer becomes an address relative to NULL.

    Raises:
        Unreadable: the value is unknown (None), the address of a function, or another number.
    """
    if isinstance(value, Pointer):
        return value
    if isinstance(value, Term) and value.is_constant and not value.sort.is_float:
        return Pointer(None, constant(ADDRESS, int(value.data)))
    raise Unreadable("a value that is not an address is used as one")


def _stored(type_: Type) -> Any:
    """Return the sort in which memory holds a scalar: a byte for a Bool."""
    return bits(8) if type_.sort == BOOL else type_.sort


def of_memory(value: MemoryValue, type_: Type) -> Term:
    """Return a value that was loaded from memory as a number of a type. A Bool is the lowest bit of its byte.

    Raises:
        Unreadable: the value is an address, or the type is no number.
    """
    stored = as_sort(value, _stored(type_))
    return of_sort(stored, type_.sort) if type_.sort == BOOL else stored


def inserted(type_: Type, whole: MemoryValue | None, part: MemoryValue | None, path: tuple[int, ...]) -> MemoryValue:
    """Return a structure, an array or a vector with one part replaced.

    Args:
        type_: the type of the whole.
        whole: the old value. If it is unknown, its other parts become 0.
        part: the new part. None: the part keeps its value.
        path: the indices that lead to the part, the outermost first.
    """
    parts = list(whole if isinstance(whole, tuple) else _blank(type_))
    index, *rest = path
    if rest:
        inner = type_.member(index)[0]
        parts[index] = inserted(inner, parts[index], part, tuple(rest))
    elif part is not None:
        parts[index] = part
    return tuple(parts)


def _blank(type_: Type) -> tuple[MemoryValue, ...]:
    """Return the value of a structure, an array or a vector whose bits are all 0."""
    value = zero(type_)
    assert isinstance(value, tuple)
    return value
