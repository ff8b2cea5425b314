"""The coverage objective: zero when a run saturates a branch that was not (Fu & Su 2016, section 3, Algorithm 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..distance import ANY, holds
from ..native.cells import HEADER, NEWS, NEWS_OF_ABNORMAL_RUN, ProbeMode
from ..native.kernel import inlined
from .base import Objective, chosen_distance

# Per outcome one cell: what is still wanted of it.
UNSATURATED = 1  # the objective leads here
UNCOVERED = 2  # no run that returned has taken it: such a run is news
UNSEEN = 4  # no run at all has taken it


@inlined
def note_news(data: Any, outcome: int) -> None:
    """Tell the door when a run takes an outcome that nothing has taken before."""
    cell = data[HEADER + outcome]
    if cell & UNCOVERED:
        data[NEWS] = 1
        if cell & UNSEEN:
            data[NEWS_OF_ABNORMAL_RUN] = 1


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """Definition 3.7: 0 if neither branch is saturated, the distance to the one that is not, or the old r."""
    yes, no = data[HEADER + 2 * site] & UNSATURATED, data[HEADER + 2 * site + 1] & UNSATURATED
    note_news(data, 2 * site if holds(op, a, b) else 2 * site + 1)
    if yes and no:
        return 0.0
    if yes or no:
        return chosen_distance(data, op if yes else op ^ ANY, a, b)
    return r


class CoverageObjective(Objective):
    """Zero exactly when the run saturates an outcome that :meth:`update` was told is not saturated."""

    r0 = 1.0
    pen = staticmethod(pen)

    def __init__(self, sites: int, distance: str = "ulp") -> None:
        super().__init__(sites, [0] * (2 * sites), distance)

    def update(self, saturated: int, covered: int, seen: int) -> None:
        """Say which outcomes are saturated (or given up), covered by a run that returned, seen in any (bit sets)."""
        write_state(self, saturated, covered, seen)


def write_state(objective: Objective, saturated: int, covered: int, seen: int) -> None:
    """Fill the outcomes' cells, and say where pen need not be called."""
    count = 2 * objective.sites
    wanted, new, unseen = (flags(~bits, count) for bits in (saturated, covered, seen))
    objective.question.data[HEADER : HEADER + count] = UNSATURATED * wanted + UNCOVERED * new + UNSEEN * unseen
    other = wanted.reshape(-1, 2)[:, ::-1].ravel()
    objective.question.asked[:] = np.where(
        new | unseen, ProbeMode.CALL, np.where(wanted, ProbeMode.ZERO, np.where(other, ProbeMode.LAST, ProbeMode.PASS))
    )


def flags(bits: int, count: int) -> npt.NDArray[np.uint8]:
    """The lowest ``count`` bits, one a byte."""
    low = (bits & ((1 << count) - 1)).to_bytes(-(-count // 8), "little")
    return np.unpackbits(np.frombuffer(low, dtype=np.uint8), count=count, bitorder="little")
