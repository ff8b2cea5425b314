"""CoverMe: minimise the one representing function of all unsaturated branches (Fu & Su 2016, Algorithm 1)."""

from __future__ import annotations

import numpy as np

from ..minimize import Stop
from ..minimize.base import sample
from ..objective.coverage import CoverageObjective
from .search import Search

SLICE = 20_000
_PURPOSE = 1


class Minimization:
    """Each step minimises from one random start. A minimum that is not zero makes the branch that its run left out at
    its last conditional be given up, for now (appendix B.3); when all that is missing is given up, all of it is tried
    again, so this never decides that a branch is infeasible."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.objective = CoverageObjective(len(search.subject.sites), search.distance)

    def step(self, evaluations: int) -> None:
        search = self.search
        if search.missing & ~search.given_up == 0:
            search.given_up = 0
        self.objective.update(search.saturated, search.covered, search.seen)
        start = np.zeros(len(search.domain.kinds), dtype=np.int64)
        sample(search.domain.native, start, search.stream(_PURPOSE))
        minimum = search.minimize(self.objective.question, evaluations, start, _PURPOSE)
        if minimum.reason is Stop.BUDGET and minimum.value > 0.0:
            self._give_up(minimum.words)

    def _give_up(self, words: tuple[int, ...]) -> None:
        execution = self.search.subject.execute(words)
        for decision in reversed(execution.decisions):
            other = 2 * decision.site + (1 if decision.holds else 0)
            if self.search.missing & ~self.search.given_up & (1 << other):
                self.search.given_up |= 1 << other
                return
