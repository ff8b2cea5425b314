"""Objects that may overlap: a store to one of them may change another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import combinations

from ....model.memory import ADDRESS, MemoryValue, Object, Pointer, Unreadable, as_sort, load, places, store
from ....model.merging import Memory
from ....term.core.build import conjunction, disjunction, equal, if_else, negation
from ....term.core.nodes import Op, Term, constant, make, variable
from ....term.core.simplify import simpler
from ....term.core.sorts import Sort
from ....term.core.traversal import variables
from ..front.alias_analysis import PointeeTypes
from .access import beyond, compared, is_multiple, to_memory
from .code import Program
from .operations import binary, compare
from .types import Type

MOST_PLACES = 32  # of an object that changes, where an access may be
_MOST_CELLS = 64  # of an object, each of which may be what is written
_MOST_PAIRS = 256  # of numbers that are the same if they lie at the same address
_SCALARS = {"double": "f8", "float": "f4", "x86_fp80": "f16", "half": "f2", "ptr": "p8", "i8": "i1", "i16": "i2",
            "i32": "i4", "i64": "i8", "i128": "i16"}  # fmt: skip
_NUMBER = re.compile(r"\b(double|float|x86_fp80|half|ptr|i\d+)\b(?! *\()")


class Overlaps:
    """The possible overlaps of the objects behind parameters, with each other and with global variables.

    The address of each object is unknown.

    Args:
        program: the code, with the global variables.
        pointed: the objects behind parameters, each with the types of objects that may lie there.
        written: whether there may be stores to objects behind parameters.
        fresh: returns a new variable of a sort, for an unknown value.

    Attributes:
        variables: the objects of global variables, each with the variable's name. The caller adds them.
        is_wild: whether there was a store to an unknown address.
        is_punned: whether an object behind a parameter was accessed as a number of another type.
    """

    def __init__(self, program: Program, pointed: Mapping[Object, PointeeTypes], written: bool,
                 fresh: Callable[[Sort], Term]) -> None:  # fmt: skip
        self._program, self._pointed, self._written, self._fresh = program, pointed, written, fresh
        self.variables = dict[Object, str]()
        self.is_wild = self.is_punned = False
        self._from_callers = set[Term]()
        self._open = dict[Object, PointeeTypes | None]()  # variables; None: no parameter points there

    def may_change(self, name: str) -> bool:
        """Return whether a store through a parameter may change a global variable that no code changes by its name."""
        return self._written and self._program.may_be_set(name) and self._variable(name) is not None

    def _variable(self, name: str) -> PointeeTypes | None:
        """Return the types of the numbers in a global variable, if a parameter may point to it; None if none may.

        Without types (``numbers`` is empty), the variable may hold anything.
        """
        if not self._program.may_be_pointed_to(name):
            return None
        type_, _ = self._program.initial(name) or ("%", False)
        found = (
            PointeeTypes()
            if re.search(r"[%{]", type_)
            else PointeeTypes(frozenset(_SCALARS.get(n, n) for n in _NUMBER.findall(type_)))
        )
        is_open = not found.numbers or any(found.meets(one) or "b1" in one.numbers for one in self._pointed.values())
        return found if is_open else None

    def address(self, target: Object) -> Term:
        """Return the address of an object, a variable of terms named after it."""
        return variable(f"&{'@' * (target in self.variables)}{target.name}", ADDRESS)

    def compared(self, opcode: str, predicate: str, a: MemoryValue | None, b: MemoryValue | None) -> Term | None:
        """Return the result of a comparison of two numbers or of two addresses; None if it is not known.

        For two objects behind parameters, it depends on the variables for their addresses. The arguments are those of
        :func:`.access.compared`.
        """
        found = compared(opcode, predicate, a, b)
        if found is not None or not isinstance(a, Pointer) or not isinstance(b, Pointer):
            return found
        if a.to is None or b.to is None or not {a.to, b.to} <= self._pointed.keys():
            return None
        return compare(opcode, predicate, self._absolute(a.to, a.offset), self._absolute(b.to, b.offset))

    def _absolute(self, target: Object, offset: Term) -> Term:
        """Return the address of the byte at an offset in an object."""
        return simpler(binary("add", self.address(target), offset))

    def accessed(self, target: Object, type_: Type) -> None:
        """Note that an object is accessed as a number of a type."""
        behind = self._pointed.get(target)
        if behind is not None and type_.is_scalar and not behind.is_any:
            number = _SCALARS.get(type_.name, type_.name)
            kinds = {number, "b1"} if number == "i1" else {number}
            self.is_punned |= behind.numbers.isdisjoint(kinds)

    # ---- what is written ----

    def store(self, memory: Memory, address: MemoryValue | None, type_: Type, value: MemoryValue | None) -> None:
        """Store a value at an address in ``memory``, and update the objects that may overlap.

        Args:
            memory: the known contents of memory, which are changed.
            address: the address. If its object is unknown, nothing is known of memory any more.
            type_: the type of the value.
            value: the value. If it is None, or too many places are possible, nothing is known of the object any more.
        """
        if not isinstance(address, Pointer) or address.to is None:
            return self.lost(memory, address)
        target = memory.of(address.to)
        self.accessed(address.to, type_)
        if isinstance(value, tuple):
            for part, (inner, at) in zip(value, type_.members, strict=True):
                self.store(memory, beyond(address, at), inner, part)
            return None
        stored = None if value is None else to_memory(value)
        if not address.offset.is_constant or stored is None or not type_.is_scalar:
            if not (isinstance(stored, Term) and self._stored_somewhere(target, address.offset, type_.stored, stored)):
                target.cells.clear()
            return self.changed(memory, address)
        try:
            store(target, address.offset.data, type_.stored, stored)
        except Unreadable:
            return memory.objects.clear()
        return self._wrote(memory, address.to, address.offset, type_.stored, stored)

    def from_caller(self) -> Pointer:
        """Return an unknown address that a caller, whose code is known, has passed."""
        address = self._fresh(ADDRESS)
        self._from_callers.add(address)
        return Pointer(None, address)

    def is_own(self, address: MemoryValue | None) -> bool:
        """Whether an address is one of an object that only code of the program sets.

        That holds for local variables of the function and of its callers, and for global variables that code outside
        can not set.
        """
        if not isinstance(address, Pointer):
            return False
        if address.to is not None:
            name = self.variables.get(address.to)
            return (name is None or not self._program.may_be_set(name)) and address.to not in self._pointed
        return not self._from_callers.isdisjoint(variables([address.offset]))

    def lost(self, memory: Memory, address: MemoryValue | None = None) -> None:
        """Forget what an unknown pointer may have changed: all but the variables to which none may point."""
        self.is_wild |= not self.is_own(address)
        own = {one for one, name in self.variables.items() if not self._program.may_be_pointed_to(name)}
        memory.objects = {of: known for of, known in memory.objects.items() if of in own}

    def _stored_somewhere(self, target: Object, offset: Term, size: int, value: Term) -> bool:
        """Store a number at an offset that depends on the inputs; False if the places are too many, or not aligned."""
        found = places(target, offset, size, size, MOST_PLACES)
        if not found or not is_multiple(offset, size):
            return False
        try:
            for at in found:
                before = self.known(target, at, size, value.sort)
                store(target, at, size, if_else(equal(offset, _address(at)), value, before))
        except Unreadable:
            return False
        return True

    def known(self, target: Object, at: int, size: int, sort: Sort) -> Term:
        """Return the number at a place of an object. An unknown one becomes a new variable, which is kept there.

        Raises:
            Unreadable: the object is not live.
        """
        try:
            return as_sort(load(target, at, size), sort)
        except Unreadable:
            anything = self._fresh(sort)
            store(target, at, size, anything)
            return anything

    def changed(self, memory: Memory, address: MemoryValue | None) -> None:
        """Forget the contents of all objects that may overlap with the one at an address, which was changed.

        The contents of that object itself must be right already. The address must be that of a known object.
        """
        assert isinstance(address, Pointer)
        assert address.to is not None
        for other in self._others(memory, address.to):
            memory.objects[other].cells.clear()

    def _others(self, memory: Memory, target: Object) -> list[Object]:
        """Return the other objects with known contents that a change of an object may change."""
        mine = self._pointed.get(target)
        if mine is None:
            if target not in self.variables or (theirs := self._behind(target)) is None:
                return []
            return [one for one, behind in self._pointed.items() if one in memory.objects
                    and (not theirs.numbers or theirs.meets(behind) or "b1" in behind.numbers)]  # fmt: skip
        found = [one for one, behind in self._pointed.items()
                 if one is not target and one in memory.objects and mine.shares(behind)]  # fmt: skip
        return [*found, *(one for one in memory.objects if one in self.variables and self._behind(one) is not None)]

    def _may_meet(self, one: Object, other: Object) -> bool:
        """Return whether two objects behind parameters may overlap, or one of them and that of a variable."""
        if one not in self._pointed and other not in self._pointed:
            return False
        mine, theirs = (self._pointed[of] if of in self._pointed else self._behind(of) for of in (one, other))
        if mine is None or theirs is None:
            return False
        return not mine.numbers or not theirs.numbers or mine.meets(theirs)

    def _behind(self, of: Object) -> PointeeTypes | None:
        """Return the same as :meth:`_variable` for the object of a global variable. The result is cached."""
        if of not in self._open:
            self._open[of] = self._variable(self.variables[of])
        return self._open[of]

    def _wrote(self, memory: Memory, target: Object, offset: Term, size: int, value: MemoryValue) -> None:
        """Update the objects that may overlap after a store of ``size`` bytes at a constant offset."""
        for other in self._others(memory, target):
            known = memory.objects[other].cells
            if len(known) > _MOST_CELLS:
                known.clear()
                continue
            written = self._absolute(target, offset)
            for at, (before, width) in list(known.items()):
                after = self._after(target, other, (written, int(offset.data), size, value), (at, width, before))
                if after is None:
                    del known[at]
                else:
                    known[at] = after, width

    def _after(self, target: Object, other: Object, written: tuple[Term, int, int, MemoryValue],
               cell: tuple[int, int, MemoryValue]) -> Term | None:  # fmt: skip
        """Return the value in a cell of another object after a store that may have changed it.

        Args:
            target: the object of the store.
            other: the object of the cell.
            written: the address, the offset, the size in bytes and the value of the store.
            cell: the offset, the size in bytes and the value of the cell before the store.

        Returns:
            The value; None if it can not be expressed.
        """
        (place, offset, size, value), (at, width, before) = written, cell
        if not isinstance(before, Term):
            return None
        there = self._absolute(other, _address(at))
        if self._are_aligned((target, offset, size), (other, at, width)):
            try:
                now = as_sort(value, before.sort)
            except Unreadable:
                now = self._fresh(before.sort)
            return simpler(if_else(simpler(equal(place, there)), now, before))
        within = [make(Op.BV_ULT, simpler(binary("sub", there, place)), _address(size)),
                  make(Op.BV_ULT, simpler(binary("sub", place, there)), _address(width))]  # fmt: skip
        return simpler(if_else(simpler(disjunction(within)), self._fresh(before.sort), before))

    def _are_aligned(self, *places: tuple[Object, int, int]) -> bool:
        """Return whether two places are either the same or do not overlap.

        Args:
            places: for both places, the object, the offset and the size in bytes.
        """
        (_, _, size), (_, _, width) = places
        types = [self._pointed[of] if of in self._pointed else self._behind(of) for of, _, _ in places]
        plain = all(one is not None and one.numbers and not one.is_any for one in types)
        plain = plain and all(offset % size == 0 for _, offset, _ in places)
        return size == width and (size == 1 or (plain and size & size - 1 == 0))

    # ---- what holds from the beginning ----

    def beginning(self, before: Mapping[Object, Object]) -> Term:
        """Return the condition that equal addresses have equal contents at the beginning.

        The condition may be incomplete, as there is a limit on the number of compared cells.

        Args:
            before: the objects behind parameters, and of variables, each with an object that has its first contents.
        """
        same, left = list[Term](), _MOST_PAIRS
        for one, other in combinations(before, 2):
            left -= len(before[one].cells) * len(before[other].cells)
            if left < 0 or not self._may_meet(one, other):
                continue
            for at, (first, size) in before[one].cells.items():
                for there, (second, width) in before[other].cells.items():
                    if not (isinstance(first, Term) and isinstance(second, Term) and first.sort == second.sort):
                        continue
                    if self._are_aligned((one, at, size), (other, there, width)):
                        is_same = equal(self._absolute(one, _address(at)), self._absolute(other, _address(there)))
                        same.append(disjunction([negation(is_same), equal(first, second)]))
        return conjunction(same)


def _address(number: int) -> Term:
    """Return a number as a constant of the sort of addresses."""
    return constant(ADDRESS, number)
