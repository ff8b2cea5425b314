"""The product of distances: zero when a run takes one of the wanted branches.

In Fu & Su 2016, section 4.4.2, these are the branches on which the two sides of a comparison are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..distance import ANY, holds
from ..native.cells import HEADER, ProbeMode
from .base import Objective, chosen_distance, normalised, normaliser
from .coverage import UNCOVERED, UNSATURATED, UNSEEN, flags, note_news

_WITHIN_ONE = 8  # a further bit of a branch's cell: its distance is normalised
_LEAST, _MOST = 5e-324, 1.7976931348623157e308  # keep a product of nonzero factors nonzero and finite
_LOGARITHMIC = normaliser("logarithmic")


def pen(data: Any, r: float, site: int, op: int, a: object, b: object) -> float:
    """Return r multiplied by the distance to a wanted branch of the site; 0 if the run takes a wanted branch.

    If the site has no wanted branch, r stays as it is. Nonzero factors never give 0 or infinity. Also notes whether the
    run is news.
    """
    taken = 2 * site if holds(op, a, b) else 2 * site + 1
    note_news(data, taken)
    if data[HEADER + taken] & UNSATURATED:
        return 0.0
    cell = data[HEADER + (taken ^ 1)]
    if not cell & UNSATURATED or r == 0.0:
        return r
    factor = chosen_distance(data, op ^ ANY if holds(op, a, b) else op, a, b)
    if cell & _WITHIN_ONE:
        factor = normalised(_LOGARITHMIC, factor)
    return min(max(r * factor, _LEAST), _MOST)


class ProductObjective(Objective):
    """An objective that is zero exactly when the run takes a wanted branch.

    Before the first call of :meth:`update`, no branch is wanted, and every run has the value 1.

    Args:
        sites: the number of sites of the subject.
        distance: the table of distances, see :class:`Objective`.
        within_one: whether distances are normalised to the range from 0 to 1. Those of the paper have any size. Then a
            run that reaches no comparison, whose product is 1, seems better than one that reaches a comparison.

    Raises:
        OptionError: there is no distance of that name.
    """

    r0 = 1.0
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp", within_one: bool = False) -> None:
        super().__init__(sites, [0] * (2 * sites), distance)
        self._more = _WITHIN_ONE * within_one

    def update(self, wanted: int, covered: int, seen: int) -> None:
        """Set for which branches the objective is zero, and which branches are news that ends a search early.

        Args:
            wanted: the branches for which it is zero, as a bit set.
            covered: the branches of runs that returned, as a bit set. If such a run takes another one, that is news.
            seen: the branches of all runs, as a bit set. If a run that does not return takes another one, that is news.
        """
        count = 2 * self.sites
        asked, new, unseen = (flags(bits, count) for bits in (wanted, ~covered, ~seen))
        self.question.data[HEADER : HEADER + count] = (
            asked * (UNSATURATED | self._more) + UNCOVERED * new + UNSEEN * unseen
        )
        other = asked.reshape(-1, 2)[:, ::-1].ravel()
        self.question.asked[:] = np.where(asked | other | new | unseen, ProbeMode.CALL, ProbeMode.PASS)
