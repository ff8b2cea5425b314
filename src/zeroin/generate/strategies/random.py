"""Random testing: every word is uniform over its range, so all bit patterns are equally likely."""

from __future__ import annotations

from ...minimize import Door
from ...minimize.random import random
from ...objective.coverage import CoverageObjective
from ..search import Search
from .base import Strategy

_PURPOSE = 4


class Random(Strategy):
    """A baseline for the other strategies. Its objective does not guide the search; it only detects news."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.objective = CoverageObjective(len(search.subject.sites), search.settings.distance)

    def step(self, evaluations: int) -> None:
        search = self.search
        self.objective.update(-1, search.covered, search.seen)
        rng = search.stream(_PURPOSE)
        domain = search.domain.plain.native

        def body(door: Door) -> None:
            random(door.native, domain, search.x, rng)

        search.run(self.objective.question, evaluations, body)
