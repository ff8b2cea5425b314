"""The calls of a symbolic execution for any input: what is known of each block, and the ways from block to block."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Protocol, TypeAlias

from ....model.invariants import Loop, Way
from ....model.memory import MemoryValue
from ....model.merging import Memory, joined, merged
from ....subject import turns
from ....subject.acyclic_regions import regions
from ....term.core.build import FALSE, conjunction
from ....term.core.nodes import Term
from ....term.core.sorts import Sort
from .code import UNREADABLE, Code, Operand, Slot
from .effects import Effects

Value: TypeAlias = "MemoryValue | None"  # None: unknown


@dataclass(frozen=True)
class Arrival(turns.Arrival):
    """A way to a block.

    Attributes:
        memory: the known contents of memory.
        phis: the values of the block's phis, by their slots.
        values: of a way out of a loop, the values of the loop that are used behind it, by their slots; without those
            that the turn does not compute.
    """

    memory: Memory
    phis: Mapping[int, Value]
    values: Mapping[int, Value] = field(default_factory=dict)


class Executor(Protocol):
    """The execution of a program, to which a call belongs."""

    loops: list[Loop]
    effects: Effects

    def operand(self, frame: Frame, operand: Operand) -> Value:
        """Return the value of an operand."""
        ...

    def carry_out(self, frame: Frame, block: int, memory: Memory) -> None:
        """Execute the instructions of a block, in a memory, which is changed."""
        ...

    def number_of(self, sort: Sort, value: Value = None) -> Term:
        """Return the value if it is a number of this sort; otherwise a new variable."""
        ...

    def is_never(self, condition: Term) -> bool:
        """Return whether a condition surely never holds."""
        ...

    def may_try(self, loop: tuple[str, int]) -> bool:
        """Return whether turns of a loop, or calls of a recursive function, should be executed one by one."""
        ...

    def mark(self) -> Mark:
        """Return how far the execution has come."""
        ...

    def is_too_far(self, mark: Mark) -> bool:
        """Return whether the turns of one loop, which began at a mark, take too long."""
        ...

    def return_to(self, mark: Mark, loop: tuple[str, int]) -> None:
        """Undo what was done behind a mark: this loop, or recursion, comes to no end."""
        ...


@dataclass(frozen=True)
class Mark:
    """A point of the execution.

    Attributes:
        hits: the number of evaluations of each site.
        loops: the number of loops.
        blocks: the number of executed blocks.
        opened: the functions that were executed with anything, each with whether it stands for calls by known code.
    """

    hits: Mapping[int, int]
    loops: int
    blocks: int
    opened: frozenset[tuple[str, bool]]


class Shape:
    """The order of a function's blocks, and what its loops define."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.targets = [tuple(dict.fromkeys(block.targets)) for block in code.blocks]
        self.regions = regions(self.targets, code.name)

    @cached_property
    def used_behind(self) -> dict[int, list[int]]:
        """For each loop header, the slots that the loop defines and other blocks use."""
        found: dict[int, dict[int, None]] = {header: {} for header in self.regions.loops}
        for block in self.regions.order:
            for slot in _used(self.code, block):
                for header, loop in self.regions.loops.items():
                    if block not in loop and self.home.get(slot) in loop:
                        found[header][slot] = None
        return {header: list(slots) for header, slots in found.items()}

    @cached_property
    def home(self) -> dict[int, int]:
        """For each slot that a block defines, the block."""
        return {slot: block for block in self.regions.order for slot in _defined(self.code, block)}


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


class Frame(turns.Flow[Arrival]):
    """A call during symbolic execution.

    Args:
        executor: the execution.
        shape: the code of the function, and the order of its blocks.
        values: the values of the slots at the beginning; None: not known yet.
        guard: a condition that holds if the call is made.
        callers: the names of the functions on the stack.
        memory: the contents of memory at the beginning, which are changed.

    Attributes:
        values: the value of each slot.
        guard: see above.
        callers: the names of the functions on the stack, with this one at the end.
        edges: for each pair of a block and a target, the condition that the block goes on to the target.
        ends: the ways out of the function: a condition, the result and the contents of memory.
    """

    def __init__(self, executor: Executor, shape: Shape, values: list[Value], guard: Term, callers: tuple[str, ...],
                 memory: Memory) -> None:  # fmt: skip
        super().__init__(shape.regions, shape.targets)
        self._executor, self._shape, self._memory = executor, shape, memory
        self.values, self.guard, self.callers = values, guard, (*callers, shape.code.name)
        self.edges = dict[tuple[int, int], Term]()
        self.ends = list[tuple[Term, Value, Memory]]()
        self._after = dict[int, Memory]()

    @property
    def code(self) -> Code:
        """The code of the function."""
        return self._shape.code

    def here(self, block: int) -> Term:
        """Return a condition that holds if a run calls the function and comes to a block."""
        return conjunction([self.guard, self.between(block, 0)])

    def ways(self, one: int, block: int) -> list[Arrival]:
        edge = self.edges.get((one, block), FALSE)
        if edge is FALSE:
            return []
        phis = {slot: self._executor.operand(self, incoming[one]) for slot, incoming in self.code.blocks[block].phis}
        return [Arrival(one, edge, self._after[one], phis)]

    def begin(self, block: int, arrivals: Sequence[Arrival], changes: bool) -> None:
        memory, phis = self._memory, dict[int, Value]()
        if arrivals:
            memory = joined([(one.way, one.memory) for one in arrivals])
            phis = {slot: None if changes else merged([(one.way, one.phis[slot]) for one in arrivals])
                    for slot in arrivals[0].phis}  # fmt: skip
        if changes and any(self._executor.effects.may_write(self.code, inside) for inside in self.regions.loops[block]):
            memory.objects.clear()
        for slot, value in phis.items():
            self.values[slot] = value
        self._executor.carry_out(self, block, memory)
        self._after[block] = memory
        last = self.code.blocks[block].body[-1]
        if last.opcode in ("ret", UNREADABLE) and not self.code.blocks[block].targets:
            value = self._executor.operand(self, last.operands[0]) if last.operands else None
            self.ends.append((self.between(block, 0), value, memory))

    def keep_loop(self, header: int) -> None:
        phis = [(slot, sort) for slot, _ in self.code.blocks[header].phis
                if (sort := self.code.sorts[slot]) is not None and sort.is_bits]  # fmt: skip
        variables = [self._executor.number_of(sort, self._executor.operand(self, Slot(slot))) for slot, sort in phis]

        def ways(before: Iterable[int]) -> tuple[Way, ...]:
            return tuple(Way(conjunction([self.guard, one.way]),
                             tuple(self._executor.number_of(sort, one.phis[slot]) for slot, sort in phis))
                         for one in self.arrivals(header, before, 0))  # fmt: skip

        loop = sorted(self.regions.loops[header])
        self._executor.loops.append(Loop(tuple(variables), ways(self.regions.before[header]), ways(loop)))

    def leaving(self, header: int, ways: list[Arrival]) -> list[Arrival]:
        kept = {slot: self.values[slot] for slot in self._shape.used_behind[header]
                if self._shape.home[slot] in self._after}  # fmt: skip
        return [replace(way, values=kept) for way in ways]

    def behind(self, header: int, ways: list[Arrival]) -> None:
        for slot in self._shape.used_behind[header]:
            known = [(one.way, one.values[slot]) for one in ways if slot in one.values]
            self.values[slot] = merged(known) if known else None

    def forget(self, blocks: Collection[int]) -> None:
        super().forget(blocks)
        for pair in [pair for pair in self.edges if pair[0] in blocks]:
            del self.edges[pair]
        for block in blocks:
            self._after.pop(block, None)
            for slot in _defined(self.code, block):
                self.values[slot] = None

    def may_try(self, header: int) -> bool:
        return self._executor.may_try((self.code.name, header))

    def is_never(self, base: int, way: Term) -> bool:
        return self._executor.is_never(conjunction([self.here(base), way]))

    def mark(self) -> Mark:
        return self._executor.mark()

    def is_too_far(self, mark: Mark) -> bool:
        return self._executor.is_too_far(mark)

    def return_to(self, mark: Mark, header: int) -> None:
        self._executor.return_to(mark, (self.code.name, header))
