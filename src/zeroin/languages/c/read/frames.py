"""The calls of a symbolic execution for any input: what is known of each block, and the ways from block to block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from ....model.memory import MemoryValue
from ....model.merging import Memory, joined, merged
from ....subject.acyclic_regions import Regions
from ....term.core.build import FALSE, conjunction, disjunction
from ....term.core.nodes import Term
from .code import Code, Operand, Slot

Value: TypeAlias = "MemoryValue | None"  # None: unknown


@dataclass(frozen=True)
class Arrival:
    """A way to a block.

    Attributes:
        base: the block from which the condition counts.
        way: a condition that holds if a run goes on this way from ``base``.
        memory: the known contents of memory.
        phis: the values of the block's phis, by their slots.
        values: of a way out of a loop, the values of the loop that are used behind it, by their slots; without those
            that the turn does not compute.
    """

    base: int
    way: Term
    memory: Memory
    phis: Mapping[int, Value]
    values: Mapping[int, Value] = field(default_factory=dict)


@dataclass
class Shape:
    """The order of a function's blocks, and what its loops define."""

    code: Code
    regions: Regions

    @cached_property
    def used_behind(self) -> dict[int, list[int]]:
        """For each loop header, the slots that the loop defines and other blocks use."""
        home = self.home
        found: dict[int, dict[int, None]] = {header: {} for header in self.regions.loops}
        for block in self.regions.order:
            for slot in _used(self.code, block):
                for header, loop in self.regions.loops.items():
                    if block not in loop and home.get(slot) in loop:
                        found[header][slot] = None
        return {header: list(slots) for header, slots in found.items()}

    @cached_property
    def home(self) -> dict[int, int]:
        """For each slot that a block defines, the block."""
        return {slot: block for block in self.regions.order for slot in _defined(self.code, block)}

    @cached_property
    def back(self) -> dict[int, list[int]]:
        """For each loop header, the blocks of the loop from which a run goes back to it."""
        return {header: [block for block in self.regions.order if block in loop and header in self.targets(block)]
                for header, loop in self.regions.loops.items()}  # fmt: skip

    def targets(self, block: int) -> tuple[int, ...]:
        """Return the blocks that may come after a block, each once."""
        return tuple(dict.fromkeys(self.code.blocks[block].targets))

    def defined(self, block: int) -> Iterator[int]:
        """Yield the slots that a block defines."""
        return _defined(self.code, block)


def _defined(code: Code, block: int) -> Iterator[int]:
    yield from (slot for slot, _ in code.blocks[block].phis)
    yield from (instruction.result for instruction in code.blocks[block].body)


def _used(code: Code, block: int) -> Iterator[int]:
    """Yield the slots that a block uses, also those for the phis of the next blocks."""
    for instruction in code.blocks[block].body:
        yield from _slots(instruction.operands)
    for target in dict.fromkeys(code.blocks[block].targets):
        yield from _slots(tuple(incoming[block] for _, incoming in code.blocks[target].phis))


def _slots(operands: tuple[Operand, ...]) -> Iterator[int]:
    for operand in operands:
        if isinstance(operand, Slot):
            yield operand.number
        elif isinstance(operand, tuple):
            yield from _slots(operand)


@dataclass
class Frame:
    """A call during symbolic execution.

    Attributes:
        shape: the code of the function, and the order of its blocks.
        values: the value of each slot; None: not known yet.
        guard: a condition that holds if the call is made.
        callers: the names of the functions on the stack, with this one at the end.
        dominator: for each block, a block through which every run comes to it.
        local: for each block, a condition that holds if a run goes on to it from its dominator.
        edges: for each pair of a block and a target, the condition that the block goes on to the target.
        after: for each block, the known contents of memory at its end.
        exits: for each pair of a block of a loop whose turns were executed one by one and a target outside of the
            loop, the ways between them.
    """

    shape: Shape
    values: list[Value]
    guard: Term
    callers: tuple[str, ...]
    dominator: dict[int, int]
    local: dict[int, Term] = field(default_factory=dict)
    edges: dict[tuple[int, int], Term] = field(default_factory=dict)
    after: dict[int, Memory] = field(default_factory=dict)
    exits: dict[tuple[int, int], list[Arrival]] = field(default_factory=dict)

    @property
    def code(self) -> Code:
        """The code of the function."""
        return self.shape.code

    def between(self, block: int, dominator: int) -> Term:
        """Return a condition that holds if a run goes on to a block from a block that dominates it."""
        parts = []
        while block != dominator:
            parts.append(self.local[block])
            block = self.dominator[block]
        return conjunction(parts[::-1])

    def here(self, block: int) -> Term:
        """Return a condition that holds if a run calls the function and comes to a block."""
        return conjunction([self.guard, self.between(block, 0)])

    def arrivals(self, block: int, before: Iterable[int], base: int,
                 value: Callable[[Operand], Value]) -> list[Arrival]:  # fmt: skip
        """Return the ways to a block from some blocks before it, without those that no run goes.

        Args:
            block: the block.
            before: the blocks from which they come.
            base: the block from which their conditions count.
            value: returns the value of an operand.
        """
        found = []
        for one in before:
            if (one, block) in self.exits:
                several = [(self.between(way.base, base), way) for way in self.exits[one, block]]
            elif self.edges.get((one, block), FALSE) is not FALSE:
                phis = {slot: value(incoming[one]) for slot, incoming in self.code.blocks[block].phis}
                several = [(self.between(one, base), Arrival(one, self.edges[one, block], self.after[one], phis))]
            else:
                continue
            ways = [replace(way, base=base, way=conjunction([before, way.way])) for before, way in several]
            found += [way for way in ways if way.way is not FALSE]
        return found

    def leave(self, header: int, several: Mapping[tuple[int, int], list[Arrival]]) -> None:
        """End a loop whose turns were executed one by one.

        Args:
            header: the header of the loop.
            several: the ways out of all turns, for each pair of a block of the loop and a target outside.
        """
        loop, outside = self.shape.regions.loops[header], self.dominator[header]
        self.exits.update(several)
        for block, dominator in self.dominator.items():
            if dominator in loop and block not in loop:
                self.dominator[block] = outside
        every = [one for some in several.values() for one in some]
        for slot in self.shape.used_behind[header]:
            known = [(one.way, one.values[slot]) for one in every if slot in one.values]
            self.values[slot] = merged(known) if known else None

    def forget(self, header: int) -> None:
        """Forget what is known of the blocks of a loop, so that they can be executed again."""
        loop = self.shape.regions.loops[header]
        for known in (self.edges, self.exits):
            for pair in [pair for pair in known if pair[0] in loop]:
                del known[pair]
        for block in loop:
            self.after.pop(block, None)
            self.local.pop(block, None)
            for slot in self.shape.defined(block):
                self.values[slot] = None


def met(arrivals: list[Arrival]) -> tuple[Term, Memory, dict[int, Value]]:
    """Merge the ways to a block, at least one: return their condition, the contents of memory, and the phis' values."""
    memory = joined([(one.way, one.memory) for one in arrivals])
    phis = {slot: merged([(one.way, one.phis[slot]) for one in arrivals]) for slot in arrivals[0].phis}
    return disjunction(one.way for one in arrivals), memory, phis
