"""The coverage objective: zero when a run saturates a branch that was not (Fu & Su 2016, section 3, Algorithm 1)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, cfunc, njit

from ..distance import ANY, holds, korel, squared, ulp
from ..subject.question import FLOAT_PEN, HEADER, INT_PEN, NEWS, NEWS_OF_ABNORMAL_RUN, Question

# Per outcome one cell: what is still wanted of it.
UNSATURATED = 1  # the objective leads here
UNCOVERED = 2  # no run that returned has taken it: such a run is news
UNSEEN = 4  # no run at all has taken it

_UNBOUNDED = 1 << 40


@njit(cache=True)
def note_news(data: Any, outcome: int) -> None:
    """Tell the door when a run takes an outcome that nothing has taken before."""
    cell = data[HEADER + outcome]
    if cell & UNCOVERED:
        data[NEWS] = 1
        if cell & UNSEEN:
            data[NEWS_OF_ABNORMAL_RUN] = 1


def _make_pen(distance: Any) -> Any:
    @njit
    def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        """Definition 3.7: 0 if neither branch is saturated, the distance to the one that is not, or the old r."""
        yes, no = HEADER + 2 * site, HEADER + 2 * site + 1
        note_news(data, 2 * site if holds(op, a, b) else 2 * site + 1)
        if data[yes] & UNSATURATED:
            if data[no] & UNSATURATED:
                return 0.0
            return distance(op, a, b)
        if data[no] & UNSATURATED:
            return distance(op ^ ANY, a, b)
        return r

    return pen


pen_ulp = _make_pen(ulp)
pen_korel = _make_pen(korel)
pen_squared = _make_pen(squared)


@cfunc(FLOAT_PEN, cache=True)
def _ulp_float(data: Any, r: float, site: int, op: int, a: float, b: float) -> Any:
    return pen_ulp(carray(data, (_UNBOUNDED,)), r, site, op, a, b)
