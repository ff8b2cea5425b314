"""Boundary value analysis: minimise the product of the distances to all boundaries (Fu & Su 2016, section 4.4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ...minimize.base import sample
from ...objective.product import ProductObjective
from ..search import Search
from .base import Strategy

_PURPOSE = 7


class BoundaryProduct(Strategy):
    """A strategy that minimises from a random start in each step.

    The paper's product has a factor for each comparison, so it is zero on every boundary. Here, boundaries that were
    reached have no factor, so that the search reaches the others, too.

    Args:
        search: the search.
        factors: ``plain`` for the distances, ``logarithmic`` for distances normalised to the range from 0 to 1.
    """

    choices: ClassVar[Mapping[str, Sequence[str]]] = {"factors": ("plain", "logarithmic")}

    def __init__(self, search: Search, factors: str = "plain") -> None:
        super().__init__(search)
        sites = len(search.subject.sites)
        self.objective = ProductObjective(sites, search.settings.distance, within_one=factors == "logarithmic")

    def step(self, evaluations: int) -> None:
        search = self.search
        self.objective.update(search.missing, search.covered, search.seen)
        start = np.zeros(len(search.domain.kinds), dtype=np.int64)
        sample(search.starts.native, start, search.stream(_PURPOSE))
        search.minimize(self.objective.question, evaluations, start, _PURPOSE)
