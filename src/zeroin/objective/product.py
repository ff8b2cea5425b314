"""The product of distances: zero when a run comes to one of the outcomes that are wanted (Fu & Su 2016, section 4.4.2,
where these are that the two sides of a comparison are equal)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..distance import ANY, holds
from ..native.cells import HEADER, ProbeMode
from .base import Objective, chosen_distance, normalised, normaliser
from .coverage import UNCOVERED, UNSATURATED, UNSEEN, flags, note_news

_WITHIN_ONE = 8  # beside the others in an outcome's cell: a distance counts as a number from 0 to 1
_LEAST, _MOST = 5e-324, 1.7976931348623157e308  # a product of what is not 0 is not 0, and not infinite either
_LOGARITHMIC = normaliser("logarithmic")


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """``r *= d`` for each outcome of the site that is wanted."""
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
    """Zero exactly when the run takes an outcome that :meth:`update` was told is wanted.

    Args:
        sites: how many sites the subject has.
        distance: see :class:`Objective`.
        within_one: distances are made numbers from 0 to 1, larger ones of larger distances. Those of the paper may be
            of any size: a run that comes to no comparison, whose product is 1, is better than one that comes to one.
    """

    r0 = 1.0
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp", within_one: bool = False) -> None:
        super().__init__(sites, [0] * (2 * sites), distance)
        self._more = _WITHIN_ONE * within_one

    def update(self, wanted: int, covered: int, seen: int) -> None:
        """Say which outcomes are wanted, covered by a run that returned, seen in any (bit sets)."""
        count = 2 * self.sites
        asked, new, unseen = (flags(bits, count) for bits in (wanted, ~covered, ~seen))
        self.question.data[HEADER : HEADER + count] = (
            asked * (UNSATURATED | self._more) + UNCOVERED * new + UNSEEN * unseen
        )
        other = asked.reshape(-1, 2)[:, ::-1].ravel()
        self.question.asked[:] = np.where(asked | other | new | unseen, ProbeMode.CALL, ProbeMode.PASS)
