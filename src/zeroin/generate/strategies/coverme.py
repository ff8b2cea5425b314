"""CoverMe: minimise one representing function for all unsaturated branches (Fu & Su 2016, Algorithm 1)."""

from __future__ import annotations

import numpy as np

from ...minimize import Stop
from ...minimize.base import sample
from ...objective.coverage import CoverageObjective
from ...subject.base import Termination, Words
from ..search import Search
from .base import Strategy

_PURPOSE = 1


class CoverMe(Strategy):
    """A strategy that minimises from a random start in each step.

    When a minimum brings no news, it gives a branch up (appendix B.3). The minimum may be positive; or it is zero
    because the control flow graph allows more than the program. When all missing branches are given up, it forgets that
    and begins again. So it never decides that a branch is infeasible.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.objective = CoverageObjective(len(search.subject.sites), search.settings.distance)

    def step(self, evaluations: int) -> None:
        """Spend so many evaluations, or fewer if a run is news. A zero without news does not end the step."""
        search, left = self.search, evaluations
        while left > 0 and search.stopped is None:
            if not search.missing & ~search.saturated:
                search.given_up = search.in_vain = 0
            self.objective.update(search.saturated, search.covered, search.seen)
            start = np.zeros(len(search.domain.kinds), dtype=np.int64)
            sample(search.starts.native, start, search.stream(_PURPOSE))
            minimum = search.minimize(self.objective.question, left, start, _PURPOSE)
            left -= minimum.evaluations
            searched = minimum.reason is Stop.BUDGET and 2 * minimum.evaluations >= evaluations
            ended = minimum.reason is Stop.OPEN and minimum.evaluations > 0  # the minimizer ended by itself
            if minimum.reason is Stop.ZERO or searched or ended:
                self._learn(minimum.words)
            if minimum.reason is not Stop.ZERO:
                return

    def _learn(self, words: Words) -> None:
        """Exclude a branch from the objective, because the minimum at these words brought no news.

        It is the unsaturated branch of the last condition that has one, since the value of the objective is the
        distance to it. It is given up if the run did not take it; else it was taken in vain.
        """
        search = self.search
        run, saturated = search.subject.execute(words), search.saturated
        if run.outcome is Termination.REFUSED:  # the input violates a precondition
            return
        for taken in run.latest:
            wanted = taken if not saturated >> taken & 1 else taken ^ 1
            if saturated >> wanted & 1:
                continue
            if wanted in run.covered:
                search.in_vain |= 1 << wanted
            else:
                search.given_up |= 1 << wanted
            break
        else:
            search.given_up = search.in_vain = 0
