"""The objective of one branch: how close a run came to it (approach level + normalised branch distance).

The standard fitness of search-based testing (Baars et al. 2011, section II), with two changes: it takes the best over
the whole run rather than the last evaluation, and normalises so that no distance is rounded away.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..distance import ANY, holds, logarithmic
from ..native.cells import HEADER, SITES, ProbeMode
from .base import Objective, chosen_distance
from .coverage import note_news, write_state


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """The smaller of r and what this evaluation leaves to do; levels of -1 do not lead to the target."""
    taken = holds(op, a, b)
    this, other = (2 * site, 2 * site + 1) if taken else (2 * site + 1, 2 * site)
    note_news(data, this)
    levels = HEADER + 2 * data[SITES]
    if data[levels + this] >= 0:
        r = min(r, float(data[levels + this]))
    if data[levels + other] >= 0:
        left = logarithmic(chosen_distance(data, op ^ ANY if taken else op, a, b))
        r = min(r, data[levels + other] + left)
    return r


class BranchObjective(Objective):
    """Zero exactly when the run takes the target outcome (or another one that nothing has taken is told as news)."""

    r0 = 1e6
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp", more: Sequence[int] = (),
                 normalisation: str = "logarithmic") -> None:  # fmt: skip
        super().__init__(sites, [0] * (2 * sites) + [-1] * (2 * sites) + [*more], distance, normalisation)
        self.question.data[SITES] = sites

    def aim(self, levels: Mapping[int, int], covered: int, seen: int) -> None:
        """Choose the target: ``levels`` as :meth:`zeroin.subject.graph.Graph.levels` gives them."""
        write_state(self, -1, covered, seen)
        question, start = self.question, HEADER + 2 * self.sites
        question.data[start : start + 2 * self.sites] = -1
        for outcome, level in wanted(levels).items():
            question.data[start + outcome] = level
            for there, how in ((outcome, ProbeMode.AT), (outcome ^ 1, ProbeMode.NEAR)):
                question.levels[there] = level
                if question.asked[there] == ProbeMode.PASS:
                    question.asked[there] = how


def wanted(levels: Mapping[int, int]) -> dict[int, int]:
    """The levels of the outcomes that a search wants: both of a condition may lead on, in a loop, and it wants the
    nearer one."""
    return {outcome: level for outcome, level in levels.items() if level < levels.get(outcome ^ 1, math.inf)}
