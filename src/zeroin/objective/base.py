"""The base class of objectives, and the tables that they use.

An objective has ``r0``, the initial value, and ``pen``, the penalty at a condition (Fu & Su 2016, section 5.1).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, ClassVar

import numpy as np

from ..distance import UNMET, exponential, holds, logarithmic, ratio
from ..errors import OptionError
from ..native.cells import HEADER, NORMALISED, OF_FLOATS, OF_INTEGERS
from ..native.kernel import Callback, callback, caller, inlined, overloaded
from ..subject.search_problem import SearchProblem, native_pens
from ..user_objects import user_object

_distances = {
    name: tuple(Callback(f"float64(int64, {kind}, {kind})", table.py_func) for kind in ("float64", "int64"))
    for name, table in UNMET.items()
}
NORMALISATIONS = ("exponential", "ratio", "logarithmic")
_TINY = 5e-324  # the least distance of anything that is not 0
_of_floats = caller("float64(int64, float64, float64)")
_of_integers = caller("float64(int64, int64, int64)")


@overloaded(jit_options={"no_cpython_wrapper": True})
def chosen_distance(data: Any, op: int, a: Any, b: Any) -> Any:
    """Return the branch distance of ``a op b`` by the table of the objective: 0.0 exactly if it holds.

    It is for use in a pen. Python can not call it.

    Args:
        data: the cells of the objective, which name the table.
        op: the comparison, as a set of relations (:mod:`zeroin.distance`).
        a: the left operand.
        b: the right operand; both are float64, or both are int64.
    """
    from numba import types

    if isinstance(a, types.Float):
        return lambda data, op, a, b: 0.0 if holds(op, a, b) else _of_floats(data[OF_FLOATS], (op, a, b))
    return lambda data, op, a, b: 0.0 if holds(op, a, b) else _of_integers(data[OF_INTEGERS], (op, a, b))


def normaliser(name: str) -> int:
    """Return the number of a normalisation, for :func:`normalised`.

    The names are ``exponential`` (``1 - 1.001**-d``), ``ratio`` (``d / (d + 1)``), and ``logarithmic``, which keeps
    large distances apart, such as those in ULPs.

    Raises:
        OptionError: there is no normalisation of that name.
    """
    if name not in NORMALISATIONS:
        raise OptionError(f"no normalisation {name!r}; there are {', '.join(NORMALISATIONS)}")
    return NORMALISATIONS.index(name)


@inlined
def normalised(how: int, distance: float) -> float:
    """Return a distance scaled to the range from 0 to 1, both inclusive. It is for use in a pen.

    The result is 0.0 exactly if the distance is not positive: a tiny distance gives at least the least positive double.

    Args:
        how: the number of the normalisation (:func:`normaliser`).
        distance: the distance.
    """
    if distance <= 0.0:
        return 0.0
    if how == 2:
        return max(logarithmic(distance), _TINY)
    return max(exponential(distance) if how == 0 else ratio(distance), _TINY)


@callback("float64(float64)")
def _exponential(distance: float) -> float:
    return normalised(0, distance)


@callback("float64(float64)")
def _ratio(distance: float) -> float:
    return normalised(1, distance)


_SHARES = {"exponential": _exponential, "ratio": _ratio}  # without one, runtime.c takes the logarithm


class Objective:
    """A representing function. A new objective is a subclass with its own ``r0`` and ``pen``.

    ``pen(data, r, site, op, a, b)`` runs before every condition and returns the new ``r``. Numba compiles it for
    float64 and for int64 operands. ``op`` is the comparison as a set of relations (:mod:`zeroin.distance`). ``data``
    are int64 cells that are the same in every run; those from index ``HEADER`` on belong to the subclass.

    If a user's pen returns NaN, ``r`` becomes infinity. If it raises an exception, such as ZeroDivisionError, the
    objective of the run is minus infinity, which ends the search.

    Args:
        sites: the number of sites of the subject.
        data: the initial cells from index ``HEADER`` on.
        distance: the table that :func:`chosen_distance` uses: ``ulp``, ``korel`` or ``squared``.
        normalisation: how distances at branches with the probe mode ``NEAR`` are normalised (see :func:`normaliser`).

    Attributes:
        r0: the value of ``r`` before the first condition, and so of a run that reaches no condition.
        sites: the number of sites of the subject.
        question: the search problem, which the methods of subclasses change in place. At first, all branches have the
            probe mode ``CALL``.

    Raises:
        OptionError: there is no distance or normalisation of that name.
    """

    r0: ClassVar[float] = 1.0

    @staticmethod
    def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        """Return the new ``r`` at a site. Subclasses define it.

        Raises:
            TypeError: the subclass has not defined it.
        """
        raise TypeError("an objective defines pen")

    def __init__(self, sites: int, data: Any = (), distance: str = "ulp", normalisation: str = "logarithmic") -> None:
        if distance not in _distances:
            raise OptionError(f"no distance {distance!r}; there are {', '.join(_distances)}")
        table = np.concatenate([np.zeros(HEADER, dtype=np.int64), np.asarray(data, dtype=np.int64)])
        table[OF_FLOATS], table[OF_INTEGERS] = (made.address for made in _distances[distance])
        normaliser(normalisation)
        if normalisation in _SHARES:
            table[NORMALISED] = _SHARES[normalisation].address
        self.sites = sites
        pens = native_pens(_checked(type(self).pen))
        self.question = SearchProblem(self.r0, pens, table, np.ones(2 * sites, dtype=np.uint8))


@cache
def _checked(pen: Callable[..., float]) -> Callable[..., float]:
    """Return a user's pen whose result is never NaN, and minus infinity after an exception; a pen of zeroin as it is.

    Without this, machine code returns 0 after an exception, as if an input had been found.
    """
    if pen.__module__.startswith("zeroin."):
        return pen
    from numba import njit

    own = njit(pen)

    @wraps(pen)
    def checked(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
        if r == -np.inf:
            return r
        try:
            value = np.float64(own(data, r, site, op, a, b))
        except Exception:
            return -np.inf
        return value if value == value else np.inf

    return checked


def own_objective(place: str, sites: int) -> SearchProblem:
    """Return the search problem of a user's objective.

    Args:
        place: ``FILE.py:CLASS`` or ``MODULE:CLASS``; the class is a subclass of :class:`Objective`.
        sites: the number of sites of the subject.

    Raises:
        OptionError: there is no such class, or its ``pen`` can not be compiled.
    """
    kind = user_object(place)
    if not (isinstance(kind, type) and issubclass(kind, Objective)):
        raise OptionError(f"--objective {place}: give a subclass of zeroin.Objective, not {kind!r}")
    if kind.pen is Objective.pen:
        raise OptionError(f"--objective {place}: {kind.__name__} does not define pen(data, r, site, op, a, b)")
    try:
        return kind(sites).question
    except Exception as error:  # Numba's errors have no common base class
        text = re.sub(r"\x1b\[\d*m", "", str(error))  # Numba colours its messages
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        lines = [line for line in lines if not line.startswith("Failed in nopython mode pipeline")]
        why = " ".join(lines[:3])
        raise OptionError(f"--objective {place}: it can not be compiled: {why or type(error).__name__}") from error
