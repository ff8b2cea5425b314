"""The fewest runs that together cover what all of them cover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..subject.base import Run


def reduce(runs: Sequence[Run], wanted: Iterable[int]) -> list[int]:
    """Numbers of the runs that together cover what all of them cover of ``wanted``, as few as greedy choice gives.

    Runs that return are preferred to runs that do not; ties go to the earlier run.
    """
    goals = set(wanted)
    chosen: list[int] = []
    for returned in (True, False):
        alike = [n for n, run in enumerate(runs) if run.returned == returned]
        left = goals & _covered(runs, alike) - _covered(runs, chosen)
        while left:
            best = max(alike, key=lambda n: (len(runs[n].covered & left), -n))
            chosen.append(best)
            left -= runs[best].covered
    for number in sorted(chosen):
        others = [n for n in chosen if n != number]
        if not runs[number].covered & goals - _covered(runs, others):
            chosen = others
    return sorted(chosen)


def _covered(runs: Sequence[Run], numbers: Iterable[int]) -> set[int]:
    return set().union(*(runs[n].covered for n in numbers))
