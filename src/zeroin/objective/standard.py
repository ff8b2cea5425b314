"""The standard fitness of search-based testing: approach level + normalised branch distance.

The approach level is by control dependence (Baars et al. 2011, section II).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..distance import ANY, holds
from ..native.cells import HEADER, SITES, ProbeMode
from .base import chosen_distance, normalised, normaliser
from .branch import BranchObjective
from .coverage import note_news


def pen(data: Any, r: float, site: int, op: int, a: object, b: object) -> float:
    """Return the distance to the target after one more condition of the run, and note whether the run is news.

    It is 0 once the run has taken the target. If the run turns away, it is approach level + normalised branch distance.
    If the run takes a branch on the way, it is at most that branch's level. The least value of the run counts; with
    ``latest``, that of the last time when the run turned away. A branch of level -1 does not count.

    Args:
        data: the cells of the objective.
        r: the distance so far.
        site: the number of the condition's site.
        op: the comparison, as a set of relations (:mod:`zeroin.distance`).
        a, b: its operands.
    """
    taken = holds(op, a, b)
    this, other = (2 * site, 2 * site + 1) if taken else (2 * site + 1, 2 * site)
    note_news(data, this)
    levels = HEADER + 2 * data[SITES]
    own = levels + 2 * data[SITES]
    if data[levels + this] == 0 or r == 0.0:
        return 0.0
    is_latest = data[own + 1] != 0
    if data[levels + other] >= 0:
        distance = chosen_distance(data, op ^ ANY if taken else op, a, b)
        left = data[levels + other] + normalised(data[own], distance)
        return left if is_latest else min(r, left)
    if data[levels + this] >= 0 and not is_latest:
        r = min(r, float(data[levels + this]))
    return r


class StandardFitness(BranchObjective):
    """An objective that is zero exactly when the run takes the target branch.

    Runs that take another branch for the first time are reported as news.

    Args:
        sites: the number of sites of the subject.
        distance: the table of distances, see :class:`Objective`.
        normalisation: how distances are normalised (:func:`zeroin.objective.base.normaliser`). The paper has the first
            two.
        latest: whether the distance is that of the last time when the run turned away from the target, as in the paper.
            If not, it is the smallest one of the run. A run turns away last at the end of a loop, however near it came
            inside.

    Raises:
        OptionError: there is no distance or normalisation of that name.
    """

    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "korel", normalisation: str = "exponential",
                 latest: bool = False) -> None:  # fmt: skip
        super().__init__(sites, distance, [normaliser(normalisation), int(latest)], normalisation)
        self._latest = latest

    def aim(self, levels: Mapping[int, int], covered: int, seen: int) -> None:
        """Set the target, as in :meth:`zeroin.objective.branch.BranchObjective.aim`."""
        super().aim(levels, covered, seen)
        if self._latest:
            self.question.asked[self.question.asked >= ProbeMode.AT] = ProbeMode.CALL
