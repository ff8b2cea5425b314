"""Newton's method and a search of the lattice around a point (native code).

If an equation ties several variables together, the objective has a valley that a search with one variable at a time
can not follow. Levenberg's damped Gauss-Newton method moves all variables at once, in values. Then the lattice search
tries ordered words (:mod:`zeroin.words`) within a few steps of the result. Rounding makes some of them exact solutions
(StageSAT's lattice of n ULPs).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..minimize.base import NativeDomain, Random, evaluate, is_open, moved, random_below, random_word, spend
from ..native.kernel import call_objective, data_of, kernel
from ..native.words import value_of_word, word_of_value
from ..subject.base import WordArray

ROUNDS = 40
_HUGE = 1e150


@kernel
def newton(
    door: int, domain: NativeDomain, x: WordArray, address: int, numbers: Any, wanted: Any, work: Any, kept: Any
) -> None:
    """Minimise the squares of the residuals by Levenberg's method, until it makes no progress.

    It makes at most ``ROUNDS`` rounds. Each better point is also evaluated through the door, which keeps the best one.

    Args:
        door: the door that counts each evaluation of all residuals as one; the method ends when it is closed.
        domain: the kinds and ranges of the variables.
        x: the words of the starting point; afterwards those of the result.
        address: the address of the native function that writes the residuals to ``numbers``.
        numbers: the residuals' memory.
        wanted: the required sign of each residual, see :mod:`.residuals`.
        work: float64 working memory: one row for each residual and each variable, with two more columns than variables.
        kept: int64 working memory, a cell for each variable.
    """
    n, m = len(x), len(wanted)
    jacobian, normal = work[:m], work[m:]
    damping = 1e-3
    cost = _residuals(door, x, address, numbers, wanted, jacobian, n)
    for _ in range(ROUNDS):
        if not 0.0 < cost < _HUGE or not _derive(door, domain, x, address, numbers, wanted, jacobian):
            break
        improved = False
        while not improved and damping < 1e12 and is_open(door):
            _normal_equations(jacobian, normal, n, m, damping)
            for i in range(n):
                kept[i] = x[i]
            if _solve(normal, n):
                for i in range(n):
                    kind, low, high = domain.kinds[i], domain.low[i], domain.high[i]
                    value = value_of_word(kind, x[i]) + normal[i, n]
                    x[i] = word_of_value(kind, value, low, high)
                after = _residuals(door, x, address, numbers, wanted, jacobian, n + 1)
                improved = after < cost
            if improved:
                cost = after
                damping = max(damping * 0.1, 1e-15)
                for k in range(m):
                    jacobian[k, n] = jacobian[k, n + 1]
                evaluate(door, x)
            else:
                damping *= 10.0
                for i in range(n):
                    x[i] = kept[i]
        if not improved:
            break


@kernel
def _residuals(door: int, x: WordArray, address: int, numbers: Any, wanted: Any, rows: Any, column: int) -> float:
    """Write all residuals to a column and return the sum of their squares; infinity if the door is closed."""
    if not spend(door):
        return np.inf
    total = 0.0
    call_objective(address, data_of(x))
    for k in range(len(wanted)):
        value = _violation(numbers[k], wanted[k])
        rows[k, column] = value
        total += value * value
    return total if total == total else np.inf


@kernel
def _violation(value: float, wanted: int) -> float:
    """Return the residual, or 0 if it has the required sign already. A 0 that must be negative becomes 1e-300."""
    if wanted != 0 and (value < 0.0 or (value == 0.0 and wanted == 1)):
        return 0.0
    if wanted == 2 and value == 0.0:
        return 1e-300
    return value


@kernel
def _derive(
    door: int, domain: NativeDomain, x: WordArray, address: int, numbers: Any, wanted: Any, jacobian: Any
) -> bool:
    """Compute the Jacobian by forward differences; False if the door is closed.

    The column of a variable that a small step can not move is zero.
    """
    n = len(x)
    for i in range(n):
        kind, here = domain.kinds[i], x[i]
        value = value_of_word(kind, here)
        size = max(abs(value), 1e-8)
        step = 1.0 if kind > 1 else size * (2.0**-26 if kind == 0 else 2.0**-11)
        x[i] = word_of_value(kind, value + step, domain.low[i], domain.high[i])
        moved_by = value_of_word(kind, x[i]) - value
        if not spend(door):
            x[i] = here
            return False
        call_objective(address, data_of(x))
        for k in range(len(wanted)):
            slope = 0.0
            if moved_by != 0.0 and jacobian[k, n] != 0.0:
                slope = (_violation(numbers[k], wanted[k]) - jacobian[k, n]) / moved_by
            jacobian[k, i] = slope if abs(slope) < _HUGE else 0.0
        x[i] = here
    return True


@kernel
def _normal_equations(jacobian: Any, normal: Any, n: int, m: int, damping: float) -> None:
    """Write the equations ``(J'J + damping * diagonal) d = -J'r`` to ``normal``, as n rows of n + 1 numbers.

    Column n of the Jacobian has the residuals r.
    """
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(m):
                total += jacobian[k, i] * jacobian[k, j]
            normal[i, j] = total
        normal[i, i] += damping * normal[i, i] + 1e-300
        total = 0.0
        for k in range(m):
            total -= jacobian[k, i] * jacobian[k, n]
        normal[i, n] = total


@kernel
def _solve(rows: Any, n: int) -> bool:
    """Solve n linear equations in place by Gaussian elimination with partial pivoting. Column n gets the solution.

    Returns:
        False if the equations are singular or the solution is too large.
    """
    for i in range(n):
        best = i
        for k in range(i + 1, n):
            if abs(rows[k, i]) > abs(rows[best, i]):
                best = k
        if not abs(rows[best, i]) > 0.0:
            return False
        for j in range(n + 1):
            rows[i, j], rows[best, j] = rows[best, j], rows[i, j]
        for k in range(n):
            if k != i:
                factor = rows[k, i] / rows[i, i]
                for j in range(i, n + 1):
                    rows[k, j] -= factor * rows[i, j]
    for i in range(n):
        rows[i, n] /= rows[i, i]
        if not abs(rows[i, n]) < _HUGE:
            return False
    return True


@kernel
def lattice(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, best: float, tries: int, reach: int, here: WordArray
) -> float:
    """Try random words near ``x``, with all variables changed at once, and go on from each better point.

    Args:
        door: the door that counts evaluations.
        domain: the kinds and ranges of the variables.
        x: the words of the starting point; afterwards those of the best point.
        rng: the random numbers.
        best: the objective's value at ``x``; infinity to go on from the first point in any case.
        tries: the number of points to try; fewer are tried if the door closes.
        reach: the largest change of a word is ``2**(reach - 1)`` steps.
        here: working memory, a word for each variable.

    Returns:
        The best value.
    """
    n = len(x)
    for i in range(n):
        here[i] = x[i]
    for _ in range(tries):
        if not is_open(door):
            break
        radius = np.int64(1) << np.int64(random_below(rng, reach))
        for i in range(n):
            step = (random_word(rng) >> np.int64(1)) % (radius + 1)
            if random_below(rng, 2) == 0:
                step = -step
            x[i] = moved(here[i], step, domain.low[i], domain.high[i])
        value = evaluate(door, x)
        if value < best:
            best = value
            for i in range(n):
                here[i] = x[i]
    for i in range(n):
        x[i] = here[i]
    return best
