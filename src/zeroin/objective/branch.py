"""The objective of one branch: how close a run came to it (approach level + normalised branch distance).

It is the standard fitness of search-based testing (Baars et al. 2011, section II) with two changes. It takes the best
value of the whole run instead of the last one. Its normalisation keeps all distances apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..distance import ANY, holds, logarithmic
from ..native.cells import HEADER, SITES, ProbeMode
from .base import Objective, chosen_distance
from .coverage import note_news, write_state


def pen(data: Any, r: float, site: int, op: int, a: object, b: object) -> float:
    """Return the smaller of r and the distance to the target at this site, and note whether the run is news.

    The distance of the branch that the run takes is its level. For the other branch, it is that branch's level plus
    the normalised branch distance. A branch with level -1 does not lead to the target and does not count.
    """
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
    """An objective that is zero exactly when the run takes the target branch.

    Runs that take another branch for the first time are reported as news. A run that reaches no site that
    leads to the target has the value ``r0``, as have all runs before the first call of :meth:`aim`.

    Args:
        sites: the number of sites of the subject.
        distance: the table of distances, see :class:`Objective`.
        more: cells that a subclass puts behind the levels.
        normalisation: see :class:`Objective`. This class's own pen is always logarithmic.

    Raises:
        OptionError: there is no distance or normalisation of that name.
    """

    r0 = 1e6
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp", more: Sequence[int] = (),
                 normalisation: str = "logarithmic") -> None:  # fmt: skip
        super().__init__(sites, [0] * (2 * sites) + [-1] * (2 * sites) + [*more], distance, normalisation)
        self.question.data[SITES] = sites

    def aim(self, levels: Mapping[int, int], covered: int, seen: int) -> None:
        """Set the target, in place of an earlier one.

        Args:
            levels: the approach levels by branch (:meth:`zeroin.subject.graph.Graph.levels`). The target has level 0.
                Branches without a level do not lead to the target.
            covered: the branches of runs that returned, as a bit set. If such a run takes another one, that is news.
            seen: the branches of all runs, as a bit set. If a run that does not return takes another one, that is news.
        """
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
    """Return the branches that a search has to take, with their levels.

    If both branches of a site lead to the target, only the nearer one counts; neither does if they are equally near.
    """
    return {outcome: level for outcome, level in levels.items() if level < levels.get(outcome ^ 1, math.inf)}
