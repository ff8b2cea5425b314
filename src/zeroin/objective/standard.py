"""The standard fitness of search-based testing: approach level by control dependence + normalised branch distance
(Baars et al. 2011, section II, row SE1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..distance import ANY, holds
from ..native.cells import HEADER, SITES, ProbeMode
from .base import chosen_distance, normalised, normaliser
from .branch import BranchObjective
from .coverage import note_news


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """What is left to do where the run turned away from the target; levels of -1 do not lead there."""
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
    """Zero exactly when the run takes the target outcome (or another one that nothing has taken is told as news).

    Args:
        sites: how many sites the subject has.
        distance: see :class:`Objective`.
        normalisation: of distances, see :func:`zeroin.objective.base.normaliser`; the paper has the first two.
        latest: the last time that the run turned away from the target counts, as the paper says, and not the time when
            it was nearest. It turns away last where a loop ends, however near it came inside.

    Raises:
        OptionError: there is no distance or normalisation of that name.
    """

    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "korel", normalisation: str = "exponential",
                 latest: bool = False) -> None:  # fmt: skip
        super().__init__(sites, distance, [normaliser(normalisation), int(latest)], normalisation)
        self._latest = latest

    def aim(self, levels: Mapping[int, int], covered: int, seen: int) -> None:
        """Choose the target: ``levels`` as :meth:`zeroin.subject.graph.Graph.levels` gives them."""
        super().aim(levels, covered, seen)
        if self._latest:
            self.question.asked[self.question.asked >= ProbeMode.AT] = ProbeMode.CALL
