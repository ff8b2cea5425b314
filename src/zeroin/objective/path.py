"""The objective of a path: how far a run is from starting with given decisions (Fu & Su 2016, section 4.4.1).

The paper starts with ``r = 0`` and adds the distance to the wanted branch at each condition of the path. Here, each
condition of the path that the run does not reach adds 1, and so does leaving the path. So ``r`` is zero only if the run
follows the path. Distances are normalised, so that reaching one more condition always counts more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..distance import ANY, holds
from ..native.cells import HEADER
from .base import Objective, chosen_distance, normalised, normaliser

LENGTH, PLACE, ASTRAY, PATH = range(HEADER, HEADER + 4)  # the path's branches begin at ``PATH``
_BEGINS = 1e300  # the value of r before the first decision
_LOGARITHMIC = normaliser("logarithmic")


def pen(data: Any, r: float, site: int, op: int, a: object, b: object) -> float:
    """Return the sum of the distances so far and the number of conditions of the path that are not reached yet.

    Leaving the path adds 1 once. The position of the run in the path is kept in ``data``.
    """
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
    if here == length:  # the rest of the path does not contain this condition
        return r
    taken = holds(op, a, b)
    if (data[PATH + here] & 1 == 0) != taken:
        r += normalised(_LOGARITHMIC, chosen_distance(data, op ^ ANY if taken else op, a, b))
    data[PLACE] = here + 1
    return r - 1.0


class PathObjective(Objective):
    """An objective that is zero exactly when the decisions of a run begin with the path.

    A run without any decision has the value 1e300. No run is reported as news.

    Args:
        sites: the number of sites of the subject.
        path: the numbers of the path's branches, in order.
        distance: the table of distances, see :class:`Objective`.

    Raises:
        OptionError: there is no distance of that name.
    """

    r0 = _BEGINS
    pen = staticmethod(pen)

    def __init__(self, sites: int, path: Sequence[int], distance: str = "ulp") -> None:
        super().__init__(sites, [len(path), 0, 0, *path], distance)
