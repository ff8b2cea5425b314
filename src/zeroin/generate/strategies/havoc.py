"""Havoc: evaluate random inputs, mutations of known inputs, and inputs with compared texts replaced.

It finds branches that need several words to change at once.
"""

from __future__ import annotations

import numpy as np

from ...minimize import Door
from ...minimize.seeds import LETTERS, draws
from ...objective.coverage import CoverageObjective
from ..search import Search
from .base import Strategy
from .input_to_state import InputToState

_PURPOSE = 3
_RUN = 4  # the cost of a recorded run, in evaluations
_COST = 3  # the cost of a drawn point, in evaluations of a minimizer


class Havoc(Strategy):
    """A strategy that draws inputs for as long as a minimizer's slice takes. A run that is news ends the step."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.objective = CoverageObjective(len(search.subject.sites), search.settings.distance)
        self._copying = InputToState(search)

    def step(self, evaluations: int) -> None:
        search = self.search
        if self._copying.step(evaluations // _RUN):
            return
        rows = [run.words for run in search.runs]
        known = np.array(rows, dtype=np.int64).reshape(len(rows), len(search.domain.kinds))
        self.objective.update(-1, search.covered, search.seen)
        rng = search.stream(_PURPOSE)
        drawn, ways = np.zeros((2, len(search.domain.kinds)), dtype=np.int64)
        letters = np.zeros(LETTERS, dtype=np.int64)

        def body(door: Door) -> None:
            draws(door.native, search.domain.native, search.x, rng, known, drawn, ways, letters)

        search.run(self.objective.question, evaluations // _COST, body)
