"""The symbolically enhanced fitness: approximation level + path distance of the nearest way that lies ahead (Baars et
al. 2011, section III, rows SE2 and SE3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..distance import holds
from ..native.cells import HEADER, SITES, Asked
from ..native.kernel import caller
from .base import Objective
from .coverage import note_news, write_state

_ahead = caller("float64(int64)")
_TINY = 5e-324  # of a run that has not taken the target


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """The least of r and what lies ahead of this site."""
    this = 2 * site if holds(op, a, b) else 2 * site + 1
    note_news(data, this)
    own = HEADER + 2 * data[SITES]
    if this == data[own + 1]:
        return 0.0
    address = data[own + 2 + site]
    if address != 0 and r != 0.0:
        r = min(r, max(_ahead(address, (data[own],)), _TINY))
    return r


class EnhancedFitness(Objective):
    """Zero exactly when the run takes the target outcome (or another one that nothing has taken is told as news).

    Args:
        sites: how many sites the subject has.
        state: the address of the words in which the subject writes its state down before each site.
    """

    r0 = 1e6
    pen = staticmethod(pen)

    def __init__(self, sites: int, state: int) -> None:
        super().__init__(sites, [0] * (2 * sites) + [state, -1] + [0] * sites)
        self.question.data[SITES] = sites

    def aim(self, target: int, ahead: Mapping[int, int], covered: int, seen: int) -> None:
        """Choose the target.

        Args:
            target: an outcome.
            ahead: for each site that the target depends on the address of what lies ahead of it: a function of the
                state's words, 0 exactly if the target is taken, as far as that is known.
            covered: outcomes that a run which returned has taken, as a bit set.
            seen: outcomes that any has.
        """
        write_state(self, -1, covered, seen)
        question, own = self.question, HEADER + 2 * self.sites
        question.data[own + 1] = target
        question.data[own + 2 : own + 2 + self.sites] = 0
        for site, address in ahead.items():
            question.data[own + 2 + site] = address
        for outcome in {outcome for site in (*ahead, target >> 1) for outcome in (2 * site, 2 * site + 1)}:
            question.asked[outcome] = Asked.CALL
