"""The objective of a path: how far the decisions of a run are from beginning with given ones (Fu & Su 2016, section
4.4.1).

The paper starts with ``r = 0`` and adds the distance to the wanted outcome at each conditional of the path. Here a
conditional of the path that the run does not come to counts 1, and so does a decision that is not on it, so that ``r``
is zero only for runs that follow the path; and distances are normalised, so that none is worth more than coming nearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..distance import ANY, holds
from ..native.cells import HEADER
from .base import Objective, chosen_distance, normalised, normaliser

LENGTH, PLACE, ASTRAY, PATH = range(HEADER, HEADER + 4)  # the path's outcomes stand from ``PATH`` on
_BEGINS = 1e300  # what r is before the first decision
_LOGARITHMIC = normaliser("logarithmic")


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """Distances so far, and the decisions of the path that are still to come."""
    length = data[LENGTH]
    if r >= _BEGINS:
        r = float(length)
        data[PLACE] = data[ASTRAY] = 0
    place = data[PLACE]
    if place >= length:
        return r
    here = place
    while here < length and data[PATH + here] >> 1 != site:
        here += 1
    if here > place and data[ASTRAY] == 0:
        data[ASTRAY] = 1
        r += 1.0
    if here == length:  # a condition that the path does not come to any more
        return r
    taken = holds(op, a, b)
    if (data[PATH + here] & 1 == 0) != taken:
        r += normalised(_LOGARITHMIC, chosen_distance(data, op ^ ANY if taken else op, a, b))
    data[PLACE] = here + 1
    return r - 1.0


class PathObjective(Objective):
    """Zero exactly when the first decisions of a run that returns are those of the path.

    Args:
        sites: how many sites the subject has.
        path: its outcomes, in order.
        distance: see :class:`Objective`.
    """

    r0 = _BEGINS
    pen = staticmethod(pen)

    def __init__(self, sites: int, path: Sequence[int], distance: str = "ulp") -> None:
        super().__init__(sites, [len(path), 0, 0, *path], distance)
