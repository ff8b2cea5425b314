"""Blocks without the steps back of their loops: what comes before what, and what every way passes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model.memory import Unreadable
from ..term.core.build import conjunction
from ..term.core.nodes import Term
from .control_dependence import EXIT, FunctionGraph, post_dominators


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


def reducible(targets: Sequence[Sequence[int]], most: int) -> tuple[list[int], list[list[int]]]:
    """The same program, in which every loop is entered at one place: what comes in elsewhere goes through copies of its
    blocks up to there.

    Args:
        targets: as for :func:`regions`.
        most: how many blocks there may be in the end; if they were more, some loops are left as they are.

    Returns:
        For each block which one it is a copy of, and where it goes on. Those that there were come first.
    """
    origin, found = list(range(len(targets))), [list(some) for some in targets]
    while (step := _entered_elsewhere(found)) is not None:
        tail, header = step
        loop = _reached([header], found) & _reached([tail], _reversed(found), header)
        entries = {to for block, some in enumerate(found) if block not in loop for to in some if to in loop} - {header}
        for entry in sorted(entries):
            first = sorted((_reached([entry], found, header) & loop) - {header})
            if len(found) + len(first) > most:
                return origin, found
            copies = {block: len(found) + number for number, block in enumerate(first)}
            for block in range(len(found)):
                if block not in loop:
                    found[block] = [copies[entry] if to == entry else to for to in found[block]]
            found += [[copies.get(to, to) for to in found[block]] for block in first]
            origin += [origin[block] for block in first]
    return origin, found


def _entered_elsewhere(targets: Sequence[Collection[int]]) -> tuple[int, int] | None:
    """A step back whose loop is entered not only where that leads to."""
    order, back = _ordered(targets)
    before: dict[int, list[int]] = {EXIT: [], **{block: [] for block in order}}
    for block in order:
        for target in targets[block]:
            before[target].append(block)
    before[0].append(EXIT)
    dominator = post_dominators(before)
    return next(((tail, header) for tail, header in back if header not in _chain(tail, dominator)), None)


def _reached(first: Iterable[int], targets: Sequence[Collection[int]], without: int = -1) -> set[int]:
    """What can be come to from some blocks, on ways that end at another one."""
    found, waiting = set[int](), list(first)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting += targets[block] if block != without else ()
    return found


def _reversed(targets: Sequence[Collection[int]]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in targets]
    for block, some in enumerate(targets):
        for target in some:
            found[target].append(block)
    return found


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
