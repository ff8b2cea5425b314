"""What an objective is: ``r0`` and ``pen`` (Fu & Su 2016, section 5.1), and the tables that ``pen`` reads."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ..subject.question import HEADER, Question, native_pens


class Objective:
    """A representing function. Subclass it with ``r0`` and ``pen``; that is all a new objective needs.

    ``pen(data, r, site, op, a, b)`` runs before every conditional and returns the new ``r``. It is compiled with Numba,
    once for float64 and once for int64 operands. ``op`` is the comparison as a set of relations
    (:mod:`zeroin.distance`), ``data`` an int64 array of your own from index ``HEADER`` on, the same in every run.

    Attributes:
        r0: what ``r`` is before the first conditional.
        sites: how many sites the subject has.
    """

    r0: ClassVar[float] = 1.0

    @staticmethod
    def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        raise NotImplementedError("an objective defines pen")

    def __init__(self, sites: int, data: Any = ()) -> None:
        table = np.concatenate([np.zeros(HEADER, dtype=np.int64), np.asarray(data, dtype=np.int64)])
        self.sites = sites
        self.question = Question(self.r0, self.pens(), table, np.ones(sites + 1, dtype=np.uint8))

    @classmethod
    def pens(cls) -> tuple[int, int]:
        """Addresses of the compiled pen."""
        return native_pens(cls.pen)
