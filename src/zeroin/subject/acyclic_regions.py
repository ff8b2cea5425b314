"""Control flow without the back edges of loops: topological order, dominators and loops."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..model.memory import Unreadable
from .control_dependence import EXIT, FunctionGraph, post_dominators


@dataclass(frozen=True)
class Regions:
    """The order of a function's blocks, without the unreachable ones.

    Attributes:
        order: the numbers of the blocks in topological order, ignoring back edges. The first is 0, the entry.
        before: for each block, its predecessors, ignoring back edges.
        dominator: for each block, its immediate dominator; ``EXIT`` for the entry.
        always: the blocks that post-dominate their dominator within one iteration. The entry is not among them.
        loops: for each loop header, the blocks of all its loops, the header included.
    """

    order: list[int]
    before: dict[int, list[int]]
    dominator: dict[int, int]
    always: frozenset[int]
    loops: dict[int, frozenset[int]]


def regions(targets: Sequence[Collection[int]], name: str, ending: Collection[int] = ()) -> Regions:
    """Return the order of a function's blocks.

    Args:
        targets: for each block, its successors. The first block is the entry.
        name: the function's name for messages.
        ending: the blocks that may also end the run. Unreachable ones are ignored.

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
    """Return an equivalent graph in which every loop has one entry.

    Blocks of a loop that has a second entry are copied, so that the second entry leads through the copies to the
    header.

    Args:
        targets: for each block, its successors. The first block is the entry.
        most: the largest number of blocks, the original ones included. If it does not suffice, some loops keep several
            entries.

    Returns:
        For each block, the block that it is a copy of; and for each block, its successors. The original blocks come
        first.
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
    """Return a back edge ``(tail, header)`` whose loop has another entry than its header; None if there is none."""
    order, back = _ordered(targets)
    before: dict[int, list[int]] = {EXIT: [], **{block: [] for block in order}}
    for block in order:
        for target in targets[block]:
            before[target].append(block)
    before[0].append(EXIT)
    dominator = post_dominators(before)
    return next(((tail, header) for tail, header in back if header not in _chain(tail, dominator)), None)


def _reached(first: Iterable[int], targets: Sequence[Collection[int]], without: int = -1) -> set[int]:
    """Return the blocks that are reachable from ``first``, these included.

    Paths end at the block ``without``, which counts as reachable; -1: there is no such block.
    """
    found, waiting = set[int](), list(first)
    while waiting:
        block = waiting.pop()
        if block not in found:
            found.add(block)
            waiting += targets[block] if block != without else ()
    return found


def _reversed(targets: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the predecessors of each block."""
    found: list[list[int]] = [[] for _ in targets]
    for block, some in enumerate(targets):
        for target in some:
            found[target].append(block)
    return found


def _ordered(targets: Sequence[Collection[int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the reachable blocks in reverse postorder, and the back edges as pairs ``(tail, header)``."""
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
    """Yield a block and its dominators (or post-dominators) up to the root; nothing for ``EXIT``."""
    while block != EXIT:
        yield block
        block = following.get(block, EXIT)


def _loop(header: int, tail: int, before: dict[int, list[int]]) -> frozenset[int]:
    """Return the blocks of the loop with the back edge from ``tail`` to ``header``, both included."""
    found, waiting = {header, tail}, [tail]
    while waiting:
        block = waiting.pop()
        fresh = [b for b in before[block] if b not in found] if block != header else []
        found.update(fresh)
        waiting += fresh
    return frozenset(found)
