"""Symbolic execution of all ways through a control flow graph at once, with the turns of loops one by one.

Where ways meet, they are merged. A loop whose turns come to no end within a limit is executed once, for all its turns.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from ..term.core.build import FALSE, TRUE, conjunction, disjunction
from ..term.core.nodes import Term
from .acyclic_regions import Regions

_MOST_TURNS = 16  # of a loop that are executed one by one


@dataclass(frozen=True)
class Arrival:
    """A way to a block. Subclasses add what is known on it.

    Attributes:
        base: the block from which the condition counts.
        way: a condition that holds if a run goes on this way from ``base``.
    """

    base: int
    way: Term


Way = TypeVar("Way", bound=Arrival)


class Flow(ABC, Generic[Way]):
    """An execution of the blocks of a graph.

    Args:
        regions: the order of the blocks. Block 0 is the entry.
        targets: for each block, the blocks that may come next.

    Attributes:
        regions: the order of the blocks.
        dominator: for each block, a block through which every run comes to it.
        local: for each block, a condition that holds if a run goes on to it from its dominator.
        exits: for each pair of a block of a loop whose turns were executed one by one and a target outside of the
            loop, the ways between them.
    """

    def __init__(self, regions: Regions, targets: Sequence[Collection[int]]) -> None:
        self.regions, self.dominator, self._targets = regions, {**regions.dominator}, targets
        self.local = dict[int, Term]()
        self.exits = dict[tuple[int, int], list[Way]]()

    # ---- what a subclass knows ----

    @abstractmethod
    def ways(self, one: int, block: int) -> list[Way]:
        """Return the ways from a block that was executed directly to another one, with conditions from that block."""

    @abstractmethod
    def begin(self, block: int, arrivals: Sequence[Way], changes: bool) -> None:
        """Execute a block.

        Args:
            block: the block.
            arrivals: the ways to it, at least one, except for the entry.
            changes: whether what a loop changes that begins here may be anything.
        """

    @abstractmethod
    def keep_loop(self, header: int) -> None:
        """Note a loop that was executed once for all its turns."""

    @abstractmethod
    def leaving(self, header: int, ways: list[Way]) -> list[Way]:
        """Return ways out of a loop at the end of a turn, with all that is needed behind the loop."""

    @abstractmethod
    def behind(self, header: int, ways: list[Way]) -> None:
        """End a loop whose turns were executed one by one; ``ways`` are all ways out of it."""

    @abstractmethod
    def forget(self, blocks: Collection[int]) -> None:
        """Forget the ways from blocks, so that they can be executed again. A subclass forgets what it knows of them."""
        for pair in [pair for pair in self.exits if pair[0] in blocks]:
            del self.exits[pair]
        for block in blocks:
            self.local.pop(block, None)

    @abstractmethod
    def may_try(self, header: int) -> bool:
        """Return whether the turns of a loop should be executed one by one."""

    @abstractmethod
    def is_never(self, base: int, way: Term) -> bool:
        """Return whether surely no run goes on this way from a block. The answer should be quick."""

    @abstractmethod
    def mark(self) -> Any:
        """Return how far the execution has come."""

    @abstractmethod
    def is_too_far(self, mark: Any) -> bool:
        """Return whether the turns of one loop, which began at a mark, take too long."""

    @abstractmethod
    def return_to(self, mark: Any, header: int) -> None:
        """Undo what was done behind a mark: the turns of this loop come to no end."""

    # ---- the execution ----

    def between(self, block: int, dominator: int) -> Term:
        """Return a condition that holds if a run goes on to a block from a block that dominates it."""
        parts = []
        while block != dominator:
            parts.append(self.local[block])
            block = self.dominator[block]
        return conjunction(parts[::-1])

    def arrivals(self, block: int, before: Iterable[int], base: int) -> list[Way]:
        """Return the ways to a block from some blocks before it, without those that no run goes.

        Args:
            block: the block.
            before: the blocks from which they come.
            base: the block from which their conditions count.
        """
        found = []
        for one in before:
            several = self.exits[one, block] if (one, block) in self.exits else self.ways(one, block)
            for arrival in several:
                way = conjunction([self.between(arrival.base, base), arrival.way])
                found += [replace(arrival, base=base, way=way)] if way is not FALSE else []
        return found

    def execute(self, blocks: Sequence[int], inside: int = -1) -> None:
        """Execute blocks.

        Args:
            blocks: the blocks in topological order.
            inside: the header of the loop that they are; -1: they are no loop.
        """
        loops, done = self.regions.loops, set[int]()
        for block in blocks:
            if block in done:
                continue
            if block not in loops or block == inside:
                self._enter(block)
                continue
            done |= loops[block]
            loop = [one for one in blocks if one in loops[block]]
            if not self._turn_by_turn(loop):
                self.execute(loop, block)
                if self.local[block] is not FALSE:
                    self.keep_loop(block)

    def _enter(self, block: int) -> None:
        """Execute a block, unless no run comes to it."""
        if block == 0:
            self.local[0] = TRUE
            return self.begin(block, (), False)
        dominator = self.dominator[block]
        arrivals = self.arrivals(block, self.regions.before[block], dominator)
        is_always = block in self.regions.always and dominator == self.regions.dominator[block]
        self.local[block] = TRUE if is_always and arrivals else disjunction(one.way for one in arrivals)
        if arrivals:
            self.begin(block, arrivals, block in self.regions.loops)
        return None

    def _turn_by_turn(self, loop: Sequence[int]) -> bool:
        """Execute the turns of a loop one by one, until no run goes on to another one.

        If that takes too many turns, nothing is changed.

        Args:
            loop: the blocks of the loop in topological order, its header first.

        Returns:
            Whether the loop was executed.
        """
        header, inside = loop[0], set(loop)
        if not self.may_try(header):
            return False
        outside, mark = self.dominator[header], self.mark()
        ways: dict[tuple[int, int], list[Way]] = {
            (one, target): [] for one in loop for target in self._targets[one] if target not in inside
        }
        arrivals = self.arrivals(header, self.regions.before[header], outside)
        for _ in range(_MOST_TURNS + 1):
            arrivals = [one for one in arrivals if not self.is_never(outside, one.way)]
            if not arrivals:
                self._leave(header, ways)
                return True
            if self.is_too_far(mark):
                break
            self.forget(inside)
            self.local[header] = disjunction(one.way for one in arrivals)
            self.begin(header, arrivals, False)
            self.execute(loop[1:])
            for (one, target), several in ways.items():
                several += self.leaving(header, self.arrivals(target, [one], outside))
            arrivals = self.arrivals(header, loop, outside)
        self.forget(inside)
        self.return_to(mark, header)
        return False

    def _leave(self, header: int, ways: dict[tuple[int, int], list[Way]]) -> None:
        """End a loop whose turns were executed one by one, with these ways out of it."""
        loop, outside = self.regions.loops[header], self.dominator[header]
        self.exits.update(ways)
        for block, dominator in self.dominator.items():
            if dominator in loop and block not in loop:
                self.dominator[block] = outside
        self.behind(header, [one for some in ways.values() for one in some])
