"""Branch distances: how far two operands are from satisfying a comparison.

A comparison is a set of relations, as in LLVM's ``fcmp``: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered
(an operand is NaN). ``LE`` is ``EQ | LT``, its negation is ``LE ^ 15``. The distance is 0 exactly if the relation
between the operands is in the set. Otherwise it is the cost of the nearest relation in the set.

There are three distances, each for float64 and for int64 operands (Numba compiles the same source for both):

* ``ulp``: steps on the ULP line (XSat; Fu & Su 2016, section 6). It never underflows. The default.
* ``korel``: ``|a - b|``, plus ``K = 1`` if equal operands do not satisfy the comparison (Korel, Tracey). FloPSy's
  table 1 omits K for ``<`` and ``>``, so equal operands would have distance 0. Here, 0 must mean that the comparison
  holds.
* ``squared``: ``(a - b)**2``, plus epsilon if equal operands do not satisfy the comparison (CoverMe, Def. 3.6).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .native import words
from .native.kernel import inlined, overloaded

EQ, GT, GE, LT, LE, NE_ORDERED, ORDERED = 1, 2, 3, 4, 5, 6, 7
UNORDERED, NE = 8, 14
ANY = 15

_INF_WORD, _NAN_WORD = np.int64(words.INFINITY), np.int64(words.NAN)
_HUGE = 1.7976931348623157e308
_TINY = 5e-324
EPSILON = 1.0  # CoverMe, Def. 3.6: any positive number
_LOG = -math.log(1.001)
K = 1.0  # FloPSy table 1's failure constant


@inlined
def relation(a: Any, b: Any) -> int:
    """Return the one relation that holds between a and b: EQ, GT, LT or UNORDERED, a single bit."""
    if a < b:
        return LT
    if a > b:
        return GT
    if a == b:
        return EQ
    return UNORDERED


@inlined
def holds(op: int, a: Any, b: Any) -> bool:
    """Whether ``a op b`` holds. ``op`` is a bit set of relations: bit 0 equal, 1 greater, 2 less, 3 unordered."""
    return (op & relation(a, b)) != 0


@overloaded()
def _word(a: Any) -> Any:
    from numba import types

    if isinstance(a, types.Float):
        return lambda a: words.word_of_float(a)
    return lambda a: a


@inlined
def _steps(low: Any, high: Any) -> float:
    """Return ``high - low`` for ``low <= high``. The difference is exact as an unsigned integer, and rounded once."""
    return float(np.uint64(high) - np.uint64(low))


@inlined
def ulp(op: int, a: Any, b: Any) -> Any:
    """Return the distance in steps on the ULP line; for integers, in steps of 1. It is 0.0 exactly if ``a op b`` holds.

    One step is added if equal operands do not satisfy the comparison. If an operand is a NaN, the steps between
    infinity and the NaN count.
    """
    return 0.0 if holds(op, a, b) else unmet_ulp(op, a, b)


@inlined
def unmet_ulp(op: int, a: Any, b: Any) -> float:
    """Return the ``ulp`` distance, which is positive, of operands for which ``a op b`` does not hold.

    Whether it holds is not checked.
    """
    left, right = _word(a), _word(b)
    if a != a or b != b:  # the distance of NaN operands, whose words are the largest, from infinity
        cost = 1.0
        if left > _INF_WORD:
            cost += _steps(_INF_WORD, left)
        if right > _INF_WORD:
            cost += _steps(_INF_WORD, right)
        return cost
    low, high = min(left, right), max(left, right)
    if (op & ORDERED) == 0:  # only a NaN satisfies it: the steps from the larger operand to the first quiet NaN
        return _steps(high, _NAN_WORD) + 1.0 if high < _NAN_WORD else 1.0
    return _steps(low, high) if op & EQ else _steps(low, high) + 1.0


@overloaded()
def _gap(a: Any, b: Any) -> Any:
    from numba import types

    if isinstance(a, types.Float):
        return lambda a, b: _float_gap(a, b)
    return lambda a, b: _steps(min(a, b), max(a, b))


@inlined
def _float_gap(a: float, b: float) -> float:
    gap = abs(a - b)
    if gap != gap or gap > _HUGE:
        return _HUGE
    return gap


@inlined
def korel(op: int, a: Any, b: Any) -> Any:
    """Return ``|a - b|``, plus K if equal operands do not satisfy the comparison; 0.0 exactly if ``a op b`` holds.

    If an operand is a NaN, only a NaN satisfies the comparison, or ``a - b`` overflows, it is the largest finite float.
    """
    return 0.0 if holds(op, a, b) else unmet_korel(op, a, b)


@inlined
def unmet_korel(op: int, a: Any, b: Any) -> float:
    """Return the ``korel`` distance, which is positive, of operands for which ``a op b`` does not hold.

    Whether it holds is not checked.
    """
    if (op & ORDERED) == 0:  # only a NaN satisfies it; the gap between a NaN and a number is as large
        return _HUGE
    if op & EQ:
        return max(_gap(a, b), _TINY)
    return _gap(a, b) + K


@inlined
def squared(op: int, a: Any, b: Any) -> Any:
    """Return ``(a - b)**2``, plus epsilon if equal operands do not satisfy the comparison (CoverMe, Def. 3.6).

    It is 0.0 exactly if ``a op b`` holds. If an operand is a NaN, only a NaN satisfies the comparison, or the square
    overflows, it is the largest finite float.
    """
    return 0.0 if holds(op, a, b) else unmet_squared(op, a, b)


@inlined
def unmet_squared(op: int, a: Any, b: Any) -> float:
    """Return the ``squared`` distance, which is positive, of operands for which ``a op b`` does not hold.

    Whether it holds is not checked.
    """
    if (op & ORDERED) == 0:
        return _HUGE
    gap = _gap(a, b)
    square = min(gap * gap, _HUGE)
    if op & EQ:
        return max(square, _TINY)
    return square + EPSILON


@inlined
def logarithmic(distance: float) -> float:
    """Map a distance monotonically from [0, inf) into [0, 1), by scaling the bit pattern of the float.

    Unlike ``d / (d + 1)``, it keeps 11 + 42 significant bits for ULP distances of any size.
    """
    return float(np.float64(distance).view(np.int64)) * 2.0**-63


@inlined
def ratio(distance: float) -> float:
    """Map a distance monotonically from [0, inf) into [0, 1]: ``d / (d + 1)``; 1.0 for a distance above 1e300."""
    if distance > 1e300:
        return 1.0
    return distance / (distance + 1.0)


@inlined
def exponential(distance: float) -> float:
    """Map a distance monotonically from [0, inf) into [0, 1]: ``1 - 1.001**-d`` (Baars et al. 2011, section II).

    It is positive even for a tiny distance, and 1.0 for a large one.
    """
    return -math.expm1(_LOG * distance)


DISTANCES: dict[str, Any] = {"ulp": ulp, "korel": korel, "squared": squared}
UNMET: dict[str, Any] = {"ulp": unmet_ulp, "korel": unmet_korel, "squared": unmet_squared}
