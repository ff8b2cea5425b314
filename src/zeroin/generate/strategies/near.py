"""Evaluate inputs near those that behaved unlike others, at distances of all orders of magnitude.

Such inputs are the runs that the search keeps, as each took a new branch, had a new fault, or ended in a new way, and
the inputs that came closest to a missing branch. Near them are the singular points of a function, its roots and poles,
where a fault may need the right distance.
"""

from __future__ import annotations

import numpy as np

from ...minimize import Door
from ...minimize.base import sample
from ...minimize.seeds import beside
from ...objective.coverage import CoverageObjective
from ..search import Search
from .base import Strategy

_PURPOSE = 7
_COST = 3  # the cost of a drawn point, in evaluations of a minimizer, if runs are fast


class Near(Strategy):
    """A strategy that draws inputs near known ones for as long as a minimizer's slice takes.

    If none is known yet, they are near a drawn one. A run that is news ends the step.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.objective = CoverageObjective(len(search.subject.sites), search.settings.distance)

    def step(self, evaluations: int) -> None:
        search = self.search
        rng = search.stream(_PURPOSE)
        aims = [words for target, several in search.closest.items() if search.missing >> target & 1
                for _, words in several]  # fmt: skip
        rows = [*(run.words for run in search.runs), *aims]
        if not rows:
            sample(search.starts.native, search.x, rng)
            rows.append(tuple(search.x))
        known = np.array(rows, dtype=np.int64)
        self.objective.update(-1, search.covered, search.seen)

        def body(door: Door) -> None:
            beside(door.native, search.domain.native, search.x, rng, known)

        search.run(self.objective.question, evaluations if search.subject.slow else evaluations // _COST, body)
