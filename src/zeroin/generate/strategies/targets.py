"""One search a branch: minimise approach level + branch distance of one missing branch after the other."""

from __future__ import annotations

import numpy as np

from ...minimize.base import sample
from ...objective.branch import BranchObjective
from ..search import Search, bits_of
from .base import Strategy

_PURPOSE = 2


class Targets(Strategy):
    """Each step aims at one missing branch: those whose condition some run has evaluated come first, and each in turn.
    It starts at an input that evaluates the condition, if there is one."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.objective = BranchObjective(len(search.subject.sites), search.distance)
        self._tries: dict[int, int] = {}

    def step(self, evaluations: int) -> None:
        search = self.search
        missing = bits_of(search.missing)
        if not missing:
            return
        target = min(missing, key=lambda o: (self._tries.get(o, 0), not search.seen >> (o ^ 1) & 1, o))
        tries = self._tries[target] = self._tries.get(target, 0) + 1
        self.objective.aim(search.graph.levels(target), search.covered, search.seen)
        search.minimize(self.objective.question, evaluations, self._start(target, tries), _PURPOSE)

    def _start(self, target: int, tries: int) -> np.ndarray:
        """A run that took the other way at the target's site; a different one at every try, then a drawn point."""
        near = [run.words for run in self.search.runs if target ^ 1 in run.covered]
        if near and tries % 2:
            return np.array(near[tries // 2 % len(near)], dtype=np.int64)
        start = np.zeros(len(self.search.domain.kinds), dtype=np.int64)
        sample(self.search.starts.native, start, self.search.stream(_PURPOSE))
        return start
