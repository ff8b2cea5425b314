"""The fewest runs that together cover what all of them cover."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence

from ..subject.base import Run


def reduce(runs: Sequence[Run], wanted: Iterable[int]) -> list[int]:
    """Numbers of the runs that together cover what all of them cover of ``wanted``, as few as greedy choice gives.

    Runs that return are preferred to runs that do not; ties go to the earlier run.
    """
    goals = frozenset(wanted)
    covers = [run.covered & goals for run in runs]
    chosen: list[int] = []
    for returned in (True, False):
        alike = [n for n, run in enumerate(runs) if run.returned == returned]
        left = set[int]().union(*(covers[n] for n in alike)).difference(*(covers[n] for n in chosen))
        chosen += _greedily(covers, alike, left)
    times = Counter(outcome for n in chosen for outcome in covers[n])
    kept = []
    for number in sorted(chosen):
        if any(times[outcome] == 1 for outcome in covers[number]):
            kept.append(number)
        else:
            times.subtract(covers[number])
    return kept


def _greedily(covers: Sequence[frozenset[int]], numbers: Iterable[int], left: set[int]) -> list[int]:
    """One after the other, the number that covers most of what is left. What one adds never grows, so it is counted
    again only when it seems to be the most."""
    heap = [(-len(covers[n]), n) for n in numbers]
    heapq.heapify(heap)
    chosen = []
    while left:
        promised, number = heapq.heappop(heap)
        gain = len(covers[number] & left)
        if gain < -promised:
            heapq.heappush(heap, (-gain, number))
        else:
            chosen.append(number)
            left -= covers[number]
    return chosen
