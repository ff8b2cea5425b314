"""The tabu search of the concolic walk: native code (Dinges & Agha 2014, algorithms 1 to 4).

The search moves inside a polytope, the points at which all linear conjuncts hold. A point is an array of ordered words
(:mod:`zeroin.words`). Every evaluation passes through the door, which counts and stops. One evaluation is each point
whose errors are computed or whose membership in the polytope is checked, and each difference that a bisection step
computes.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..minimize.base import Floats, NativeDomain, Random, evaluate, is_open, normal, random_below, random_unit, spend
from ..native.kernel import call_objective, data_of, inlined, kernel
from ..native.words import value_of_word, word_of_value
from ..subject.base import WordArray
from .residuals import NEGATIVE, ZERO

# The constraints of a walk, with p conjuncts and n variables. Functions are given by addresses of native code.
#   distance[p]: the function for a conjunct's error, |l - r| or more.
#   linear[p]: 1 for a linear conjunct, a face of the polytope.
#   uses[p, n]: 1 if the conjunct contains the variable.
#   equations[e, n + 1]: the coefficients and the constant of the linear equations l - r = 0.
# A conjunct is a disjunction of conjunctions of comparisons; most often it is a single comparison.
#   disjuncts[p + 1]: conjunct c has the disjuncts from disjuncts[c] to disjuncts[c + 1] - 1; none if its form differs.
#   comparisons[d + 1]: the same for the comparisons of disjunct d.
#   difference[m]: the function for l - r of a comparison.
#   wanted[m]: the required sign of l - r, see residuals.py.
Problem = namedtuple("Problem", "distance linear uses equations disjuncts comparisons difference wanted")
# The working memory of a walk. Errors of each conjunct: at the current point (here), at a neighbour (there), and at the
# best neighbour (best). For each variable: its error and its tabu counter. Points: near, far and chosen.
Memory = namedtuple("Memory", "here there best var_error tabu near far chosen")
# The parameters of concolic_walk.Walk. Flags are 0 or 1; with a scale of 0, every step draws its scale.
Settings = namedtuple("Settings", "steps neighbors tabu samples scale bisection overshoot cached")

_RADIUS = 12  # a drawn scale is from 2**-12 to 2**11
_LEAST = 5e-324


@inlined
def _copy(source: Any, to: Any) -> None:
    """Copy an array. Assignment to a slice would allocate memory."""
    for i in range(len(to)):
        to[i] = source[i]


@inlined
def _clear(some: Any) -> None:
    """Set all elements of an array to 0."""
    for i in range(len(some)):
        some[i] = 0


@kernel
def walk(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, problem: Problem, memory: Memory, settings: Settings
) -> None:
    """Walk from a point until the door closes or the steps are used up (algorithm 1).

    A point at which all errors are 0 is evaluated through the door, which keeps it and closes. The door only counts the
    evaluations at all other points.

    Args:
        door: the door that counts evaluations.
        domain: the kinds and ranges of the variables.
        x: the words of the starting point, at which the linear conjuncts hold; afterwards those of the last point.
        rng: the random numbers.
        problem: the constraints.
        memory: the working memory. Its content before does not matter.
        settings: the parameters.
    """
    n = len(x)
    _clear(memory.tabu)
    error = _errors(door, x, x, problem, memory.here, memory.here, False)
    for _ in range(settings.steps):
        if error == 0.0:
            evaluate(door, x)  # closes the door
        if not is_open(door):
            return
        worst = _worst(problem, memory, n)
        if worst < 0:  # all variables are tabu
            _random_step(door, domain, x, memory.near, rng, problem, -1, settings)
            _copy(memory.near, x)
            _clear(memory.tabu)
            error = _errors(door, x, x, problem, memory.here, memory.here, False)
            continue
        after = _best_neighbor(door, domain, x, rng, problem, memory, settings, worst)
        if after < error:
            error = after
            _copy(memory.chosen, x)
            _copy(memory.best, memory.here)
            for i in range(n):
                memory.tabu[i] = max(0, memory.tabu[i] - 1)
        else:
            memory.tabu[worst] = settings.tabu


@kernel
def _errors(
    door: int, point: WordArray, x: WordArray, problem: Problem, known: Floats, out: Floats, cached: bool
) -> float:
    """Compute the error of every conjunct at a point (algorithm 2).

    Args:
        door: the door that counts evaluations.
        point: the point.
        x: the current point of the walk.
        problem: the constraints.
        known: the errors at ``x``.
        out: receives the errors at ``point``.
        cached: whether to take a conjunct's error from ``known`` if none of its variables has changed.

    Returns:
        The sum of the errors of conjuncts that are not linear; -1 outside the polytope, or if the door is closed.
    """
    if not spend(door):
        return -1.0
    total, outside = 0.0, False
    for c in range(len(problem.distance)):
        if cached and _unchanged(problem, c, point, x):
            out[c] = known[c]
        else:
            out[c] = _error(problem, c, point)
        if problem.linear[c] == 0:
            total += out[c]
        elif out[c] > 0.0:
            outside = True
    return -1.0 if outside else total


@inlined
def _unchanged(problem: Problem, c: int, point: WordArray, x: WordArray) -> bool:
    """Whether all variables of conjunct ``c`` have the same words at both points."""
    same = True
    for i in range(len(x)):
        same &= problem.uses[c, i] == 0 or point[i] == x[i]
    return same


@kernel
def _error(problem: Problem, c: int, point: WordArray) -> Any:
    """Return a conjunct's error; for a violated comparison, |l - r| as in algorithm 2.

    The error of a violated conjunct is never 0. At the border of a strict inequality it is the least positive number.
    """
    error = call_objective(problem.distance[c], data_of(point))
    if error > 0.0 and problem.linear[c] == 0:
        d = problem.disjuncts[c]
        if problem.disjuncts[c + 1] == d + 1 and problem.comparisons[d + 1] == problem.comparisons[d] + 1:
            plain = abs(call_objective(problem.difference[problem.comparisons[d]], data_of(point)))
            if plain < np.inf:
                error = max(plain, _LEAST)
    return error


@kernel
def _worst(problem: Problem, memory: Memory, n: int) -> int:
    """Return the index of the variable with the highest error among those that are not tabu; -1 if all are tabu.

    The errors of the variables are written to ``memory.var_error``.
    """
    _clear(memory.var_error)
    for c in range(len(problem.distance)):
        if problem.linear[c] == 0:
            for i in range(n):
                if problem.uses[c, i] != 0:
                    memory.var_error[i] += memory.here[c]
    worst = -1
    for i in range(n):
        if memory.tabu[i] == 0 and (worst < 0 or memory.var_error[i] > memory.var_error[worst]):
            worst = i
    return worst


@kernel
def _best_neighbor(
    door: int,
    domain: NativeDomain,
    x: WordArray,
    rng: Random,
    problem: Problem,
    memory: Memory,
    settings: Settings,
    i: int,
) -> float:
    """Find the best of R random neighbours and R bisection neighbours along axis ``i`` (algorithm 3).

    Returns:
        Its error; ``memory.chosen`` has the point itself, and ``memory.best`` its errors by conjunct. Infinity if no
        neighbour in the polytope is found, for example because the door is closed.
    """
    least = np.inf
    cached = settings.cached != 0
    for _ in range(settings.neighbors):
        if not is_open(door):
            break
        if not _random_step(door, domain, x, memory.near, rng, problem, i, settings):
            continue
        found = _errors(door, memory.near, x, problem, memory.here, memory.there, cached)
        if 0.0 <= found < least:
            least = found
            _copy(memory.near, memory.chosen)
            _copy(memory.there, memory.best)
        if settings.bisection == 0:
            continue
        c = _violated(problem, memory, rng, i)
        if c < 0 or not _bisection_step(door, domain, x, memory.near, memory.far, rng, problem, c, i, settings):
            continue
        found = _errors(door, memory.far, x, problem, memory.here, memory.there, cached)
        if 0.0 <= found < least:
            least = found
            _copy(memory.far, memory.chosen)
            _copy(memory.there, memory.best)
    return least


@kernel
def _violated(problem: Problem, memory: Memory, rng: Random, i: int) -> int:
    """Draw a violated conjunct that is not linear, contains variable ``i`` and has a disjunct of comparisons.

    Returns:
        The conjunct's index; -1 if there is none.
    """
    count, chosen = 0, -1
    for c in range(len(problem.distance)):
        fits = problem.linear[c] == 0 and problem.uses[c, i] != 0 and problem.disjuncts[c + 1] > problem.disjuncts[c]
        if fits and memory.here[c] > 0.0:
            count += 1
            if random_below(rng, count) == 0:
                chosen = c
    return chosen


@kernel
def _bisection_step(
    door: int,
    domain: NativeDomain,
    x: WordArray,
    near: WordArray,
    out: WordArray,
    rng: Random,
    problem: Problem,
    c: int,
    i: int,
    settings: Settings,
) -> bool:
    """Estimate a point at which conjunct ``c`` is satisfied (section 3.4), and write it to ``out``.

    The estimate takes the conjunct for linear between ``x`` and ``near``. If it is flat there, the step is random. Of a
    disjunction, the nearest disjunct is estimated. The point may lie outside the polytope.

    Returns:
        False if the door is closed.
    """
    m = _nearest(door, x, rng, problem, c)
    if m < 0 or not spend(door):
        return False
    at_x = call_objective(problem.difference[m], data_of(x))
    if not spend(door):
        return False
    at_near = call_objective(problem.difference[m], data_of(near))
    share = -at_x / (at_near - at_x) if at_near != at_x else normal(rng)
    if problem.wanted[m] != ZERO and settings.overshoot > 0.0:
        share *= 1.0 + settings.overshoot * random_unit(rng)
        if share == 0.0:
            share = normal(rng)
    if share != share:
        share = normal(rng)
    for j in range(len(x)):
        out[j] = x[j]
        if near[j] != x[j] or j == i:
            here, there = value_of_word(domain.kinds[j], x[j]), value_of_word(domain.kinds[j], near[j])
            out[j] = _word(domain, j, here + share * (there - here))
    return True


@kernel
def _nearest(door: int, x: WordArray, rng: Random, problem: Problem, c: int) -> Any:
    """Draw a violated comparison from the nearest disjunct, that with the least sum of violations at ``x``.

    Returns:
        The index of the comparison; -1 if the door is closed.
    """
    first, last = problem.disjuncts[c], problem.disjuncts[c + 1]
    if last == first + 1 and problem.comparisons[last] == problem.comparisons[first] + 1:
        return problem.comparisons[first]
    least, chosen = np.inf, -1
    for d in range(first, last):
        total, count, one = 0.0, 0, problem.comparisons[d]
        for m in range(problem.comparisons[d], problem.comparisons[d + 1]):
            if not spend(door):
                return -1
            difference = call_objective(problem.difference[m], data_of(x))
            wanted = problem.wanted[m]
            if difference == 0.0 and wanted == NEGATIVE:
                difference = _LEAST
            if difference < 0.0 and wanted != ZERO:
                difference = 0.0
            if difference != 0.0:  # also true for NaN
                count += 1
                total += abs(difference)
                if random_below(rng, count) == 0:
                    one = m
        if chosen < 0 or total < least:
            least, chosen = total, one
    return chosen


@kernel
def _random_step(
    door: int,
    domain: NativeDomain,
    x: WordArray,
    out: WordArray,
    rng: Random,
    problem: Problem,
    i: int,
    settings: Settings,
) -> bool:
    """Draw a random point in the polytope by a step of variable ``i``, or of all variables if it is -1 (algorithm 4).

    The step is normally distributed. Linear equations are restored after it, and points outside the polytope are
    rejected.

    Returns:
        True if ``out`` has such a point; False if no sample lies in the polytope, or if the door is closed. Then
        ``out`` is a copy of ``x``.
    """
    for _ in range(settings.samples):
        for j in range(len(x)):
            out[j] = x[j]
            if i < 0 or j == i:
                scale = settings.scale
                if scale == 0.0:
                    scale = 2.0 ** float(random_below(rng, 2 * _RADIUS) - _RADIUS)
                out[j] = _word(domain, j, value_of_word(domain.kinds[j], x[j]) + normal(rng) * scale)
        _adjust(domain, out, problem.equations, i, rng)
        if _inside(door, out, problem):
            return True
        if not is_open(door):
            break
    for j in range(len(x)):
        out[j] = x[j]
    return False


@kernel
def _adjust(domain: NativeDomain, point: WordArray, equations: Floats, i: int, rng: Random) -> None:
    """Restore each linear equation that contains variable ``i`` (-1: any variable), by changing another variable."""
    n = len(point)
    for e in range(len(equations)):
        if i >= 0 and equations[e, i] == 0.0:
            continue
        count, chosen = 0, -1
        for j in range(n):
            if j != i and equations[e, j] != 0.0:
                count += 1
                if random_below(rng, count) == 0:
                    chosen = j
        if chosen < 0:
            continue
        rest = equations[e, n]
        for j in range(n):
            if j != chosen:
                rest += equations[e, j] * value_of_word(domain.kinds[j], point[j])
        point[chosen] = _word(domain, chosen, -rest / equations[e, chosen])


@kernel
def _inside(door: int, point: WordArray, problem: Problem) -> bool:
    """Whether the point lies in the polytope; False if the door is closed. It counts as one evaluation.

    Without linear conjuncts, every point lies in it, and nothing is counted.
    """
    counted = False
    for c in range(len(problem.distance)):
        if problem.linear[c] != 0:
            if not counted and not spend(door):
                return False
            counted = True
            if call_objective(problem.distance[c], data_of(point)) > 0.0:
                return False
    return True


@kernel
def _word(domain: NativeDomain, i: int, value: float) -> Any:
    """Return the word of a value for variable ``i``. Integers are rounded, and values are clipped to the range."""
    if domain.kinds[i] > 1:
        value = np.floor(value + 0.5)
    return word_of_value(domain.kinds[i], value, domain.low[i], domain.high[i])
