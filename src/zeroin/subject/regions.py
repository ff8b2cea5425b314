"""Blocks without the steps back of their loops: what comes before what, and what every way passes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.memory import Unreadable
from ..term.build import conjunction
from ..term.nodes import Term
from .dependence import EXIT, FunctionGraph, post_dominators


@dataclass(frozen=True)
class Regions:
    """How blocks lie to each other, without those that no way from the first one leads to.

    Attributes:
        order: the blocks, each after those that lead to it other than by a step back.
        before: the blocks that lead to each so.
        dominator: for each but the first, the last one that every way to it passes.
        always: those to which every way goes on, in the same turn, that has passed their dominator and comes to an end.
        loops: for each block that a step back leads to, those of its loop.
    """

    order: list[int]
    before: dict[int, list[int]]
    dominator: dict[int, int]
    always: frozenset[int]
    loops: dict[int, frozenset[int]]

    def between(self, local: Mapping[int, Term], block: int, dominator: int) -> Term:
        """What holds if a run goes on from a block that dominates another one to that; ``local``: of each block, if it
        goes on to it from its dominator."""
        parts = []
        while block != dominator:
            parts.append(local[block])
            block = self.dominator[block]
        return conjunction(parts[::-1])


def regions(targets: Sequence[Collection[int]], name: str, ending: Collection[int] = ()) -> Regions:
    """Of blocks.

    Args:
        targets: where each may go on; the first one is where it begins.
        name: for people.
        ending: those in which it may also end.

    Raises:
        Unreadable: a loop can be entered at several places.
    """
    order, back = _ordered(targets)
    before: dict[int, list[int]] = {block: [] for block in order}
    every: dict[int, list[int]] = {EXIT: [], **{block: [] for block in order}}
    for block in order:
        for target in targets[block]:
            every[target].append(block)
            if (block, target) not in back:
                before[target].append(block)
    every[0].append(EXIT)
    dominator = post_dominators(every)
    loops: dict[int, frozenset[int]] = {}
    for tail, header in back:
        if header not in _chain(tail, dominator):
            raise Unreadable(f"a loop of {name} can be entered at several places")
        loops[header] = loops.get(header, frozenset()) | _loop(header, tail, every)
    forward = {block: [EXIT if (block, target) in back else target for target in targets[block]] for block in order}
    for block in ending:
        forward.get(block, []).append(EXIT)
    after = post_dominators(FunctionGraph(0, forward).edges())
    always = frozenset(block for block in order if block and block in _chain(dominator[block], after))
    return Regions(order, before, dominator, always, loops)


def _ordered(targets: Sequence[Collection[int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """The blocks in reverse postorder, and the steps back."""
    found, back, seen, under_way = list[int](), list[tuple[int, int]](), {0}, {0}
    waiting = [(0, iter(targets[0]))]
    while waiting:
        block, rest = waiting[-1]
        target = next(rest, None)
        if target is None:
            waiting.pop()
            under_way.discard(block)
            found.append(block)
        elif target in under_way:
            back.append((block, target))
        elif target not in seen:
            seen.add(target)
            under_way.add(target)
            waiting.append((target, iter(targets[target])))
    return found[::-1], back


def _chain(block: int, following: dict[int, int]) -> Iterator[int]:
    """A block and its dominators, up to the end."""
    while block != EXIT:
        yield block
        block = following.get(block, EXIT)


def _loop(header: int, tail: int, before: dict[int, list[int]]) -> frozenset[int]:
    found, waiting = {header, tail}, [tail]
    while waiting:
        block = waiting.pop()
        fresh = [b for b in before[block] if b not in found] if block != header else []
        found.update(fresh)
        waiting += fresh
    return frozenset(found)
