"""Selection of a small set of runs that covers the same branches as all runs."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Sequence

from ..subject.base import Run


def reduce(runs: Sequence[Run], wanted: Iterable[int]) -> list[int]:
    """Return the indices of a few runs that together cover all wanted branches that any run covers, ascending.

    The choice is greedy. Runs that return are preferred to runs that do not; ties go to the earlier run.

    Args:
        runs: the candidates.
        wanted: numbers of the branches that matter.
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
    """Repeatedly choose the run that covers most of the branches left; return the indices of the chosen runs.

    These runs have to cover all branches in ``left``, which is emptied.

    The gain of a run never grows. So it is recomputed only when the run is at the top of the heap.
    """
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
