"""What an objective is: ``r0`` and ``pen`` (Fu & Su 2016, section 5.1), and the tables that ``pen`` reads."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..distance import korel, squared, ulp
from ..errors import OptionError
from ..native import inlined
from ..subject.question import HEADER, Question, native_pens

DISTANCE = 2  # the header cell that says which distance is used
NAMES = ("ulp", "korel", "squared")


@inlined
def chosen_distance(data: Any, op: int, a: Any, b: Any) -> float:
    """The branch distance of the table that the objective was made with."""
    which = data[DISTANCE]
    if which == 0:
        return ulp(op, a, b)
    if which == 1:
        return korel(op, a, b)
    return squared(op, a, b)


class Objective:
    """A representing function. Subclass it with ``r0`` and ``pen``; that is all a new objective needs.

    ``pen(data, r, site, op, a, b)`` runs before every conditional and returns the new ``r``. It is compiled with Numba,
    once for float64 and once for int64 operands. ``op`` is the comparison as a set of relations
    (:mod:`zeroin.distance`), ``data`` int64 cells, yours from index ``HEADER`` on, the same in every run.

    Args:
        sites: how many sites the subject has.
        data: what ``pen`` finds in ``data`` from index ``HEADER`` on.
        distance: which table :func:`chosen_distance` uses: ``ulp``, ``korel`` or ``squared``.

    Raises:
        OptionError: there is no distance of that name.
    """

    r0: ClassVar[float] = 1.0

    @staticmethod
    def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        raise TypeError("an objective defines pen")

    def __init__(self, sites: int, data: Any = (), distance: str = "ulp") -> None:
        if distance not in NAMES:
            raise OptionError(f"no distance {distance!r}; there are {', '.join(NAMES)}")
        table = np.concatenate([np.zeros(HEADER, dtype=np.int64), np.asarray(data, dtype=np.int64)])
        table[DISTANCE] = NAMES.index(distance)
        self.sites = sites
        self.question = Question(self.r0, native_pens(type(self).pen), table, np.ones(sites + 1, dtype=np.uint8))
