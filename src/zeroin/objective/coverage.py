"""The coverage objective: zero when a run saturates a new branch (Fu & Su 2016, section 3, Algorithm 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..distance import ANY, holds
from ..native.cells import HEADER, NEWS, NEWS_OF_ABNORMAL_RUN, ProbeMode
from ..native.kernel import inlined
from .base import Objective, chosen_distance

# The state of a branch, one cell each, is a sum of these.
UNSATURATED = 1  # the objective leads to it
UNCOVERED = 2  # no run that returned has taken it, so such a run is news
UNSEEN = 4  # no run at all has taken it


@inlined
def note_news(data: Any, outcome: int) -> None:
    """Note in the data, for the door, that the run is news if it takes a branch that is new. The door clears the notes.

    A branch that no run that returned has taken is news if this run returns. A branch that no run at all has taken is
    news in any case.

    Args:
        data: the cells of the objective.
        outcome: the number of the branch.
    """
    cell = data[HEADER + outcome]
    if cell & UNCOVERED:
        data[NEWS] = 1
        if cell & UNSEEN:
            data[NEWS_OF_ABNORMAL_RUN] = 1


def pen(data: Any, r: float, site: int, op: int, a: object, b: object) -> float:
    """Return the new r (Definition 3.7), and note whether the run is news.

    It is 0 if both branches are unsaturated, the distance to the unsaturated one if only one is, or else the old r.
    """
    yes, no = data[HEADER + 2 * site] & UNSATURATED, data[HEADER + 2 * site + 1] & UNSATURATED
    note_news(data, 2 * site if holds(op, a, b) else 2 * site + 1)
    if yes and no:
        return 0.0
    if yes or no:
        return chosen_distance(data, op if yes else op ^ ANY, a, b)
    return r


class CoverageObjective(Objective):
    """An objective that is zero exactly when the run saturates a branch that is not saturated yet.

    Before the first call of :meth:`update`, all branches count as saturated, and no run is news.

    Args:
        sites: the number of sites of the subject.
        distance: the table of distances, see :class:`Objective`.

    Raises:
        OptionError: there is no distance of that name.
    """

    r0 = 1.0
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp") -> None:
        super().__init__(sites, [0] * (2 * sites), distance)

    def update(self, saturated: int, covered: int, seen: int) -> None:
        """Set which branches are saturated, covered by a run that returned, and seen in any run.

        A run that takes a branch that is not covered, or one that is not seen and does not return, is news.

        Args:
            saturated, covered, seen: bit sets of branches. Branches that were given up count as saturated.
        """
        write_state(self, saturated, covered, seen)


def write_state(objective: Objective, saturated: int, covered: int, seen: int) -> None:
    """Write the state of all branches into an objective's data, and choose the probe modes.

    Args:
        objective: the objective, whose search problem is changed in place.
        saturated: the branches that the objective does not lead to, as a bit set; -1 for all.
        covered: the branches of runs that returned, as a bit set.
        seen: the branches of all runs, as a bit set.
    """
    count = 2 * objective.sites
    wanted, new, unseen = (flags(~bits, count) for bits in (saturated, covered, seen))
    objective.question.data[HEADER : HEADER + count] = UNSATURATED * wanted + UNCOVERED * new + UNSEEN * unseen
    other = wanted.reshape(-1, 2)[:, ::-1].ravel()
    objective.question.asked[:] = np.where(
        new | unseen, ProbeMode.CALL, np.where(wanted, ProbeMode.ZERO, np.where(other, ProbeMode.LAST, ProbeMode.PASS))
    )


def flags(bits: int, count: int) -> npt.NDArray[np.uint8]:
    """Return the lowest ``count`` bits, the lowest one first, as an array with a byte of 0 or 1 for each.

    ``bits`` may be negative: -1 has every bit.
    """
    low = (bits & ((1 << count) - 1)).to_bytes(-(-count // 8), "little")
    return np.unpackbits(np.frombuffer(low, dtype=np.uint8), count=count, bitorder="little")
