"""Minimise a user's own objective (Fu & Su 2016, section 5.1): find inputs for which it is 0."""

from __future__ import annotations

import math

import numpy as np

from ...errors import OptionError
from ...minimize.base import sample
from ..search import Search
from .base import Strategy

_PURPOSE = 7


class OwnObjective(Strategy):
    """A strategy that minimises the subject's ``aim`` from a random start in each step, until an input makes it 0."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._best = math.inf
        search.remarks.append(self._told)

    def _told(self) -> str:
        """Return a remark for the report: the smallest value; empty if an input was found."""
        if not self.search.missing:
            return ""
        if self._best == math.inf:
            return "the objective had no finite value for any input"
        return f"the smallest value of the objective was {self._best:g}"

    def step(self, evaluations: int) -> None:
        """Spend so many evaluations, or fewer if the objective is 0.

        Raises:
            OptionError: the objective is negative, or its ``pen`` raises an exception.
        """
        search, aim = self.search, self.search.subject.aim
        assert aim is not None
        start = np.zeros(len(search.domain.kinds), dtype=np.int64)
        sample(search.starts.native, start, search.stream(_PURPOSE))
        minimum = search.minimize(aim, evaluations, start, _PURPOSE)
        if minimum.value < 0.0:
            shown = search.subject.signature.show(minimum.words)
            if minimum.value == -math.inf:
                raise OptionError(f"--objective: for {shown}, its pen raises an exception or returns -inf; its value "
                                  "must be a number that is not negative")  # fmt: skip
            raise OptionError(f"--objective: its value for {shown} is {minimum.value:g}, but it must not be negative")
        self._best = min(self._best, minimum.value)
