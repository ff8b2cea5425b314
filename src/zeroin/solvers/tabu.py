"""Native: the concolic walk, adaptive tabu search inside a polytope (Dinges & Agha 2014, algorithms 1 to 4).

The door counts every point at which errors are computed or membership in the polytope is checked, and every difference
that a bisection step computes, as one evaluation each; when it is closed, none of these is computed any more.
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

# What a walk works on. p conjuncts, n variables; addresses are of native functions of the words.
#   distance[p]: a conjunct's error, |l - r| or more.     linear[p]: 1 for a face of the polytope.
#   uses[p, n]: 1 where a variable occurs.                equations[e, n + 1]: coefficients and constant of l - r = 0.
# A conjunct is a disjunction of conjunctions of comparisons, most often of one of one:
#   disjuncts[p + 1]: those of conjunct c are disjuncts[c] to disjuncts[c + 1] - 1; none where it has another form.
#   comparisons[d + 1]: those of disjunct d, likewise.    difference[m]: l - r of a comparison.
#   wanted[m]: how l - r has to be, see residuals.py.
Problem = namedtuple("Problem", "distance linear uses equations disjuncts comparisons difference wanted")
# Memory: error of each conjunct here, at a neighbour and at the best one; per variable error and tabu counter; points.
Memory = namedtuple("Memory", "here there best var_error tabu near far chosen")
# The parameters as concolic_walk.Walk explains them; flags are 0 or 1, and a scale of 0 is drawn for every step.
Settings = namedtuple("Settings", "steps neighbors tabu samples scale bisection overshoot cached")

_RADIUS = 12  # a scale that is drawn is from 2**-12 to 2**11
_LEAST = 5e-324


@inlined
def _copy(source: Any, to: Any) -> None:
    """Without a slice, for which memory would be allocated."""
    for i in range(len(to)):
        to[i] = source[i]


@inlined
def _clear(some: Any) -> None:
    for i in range(len(some)):
        some[i] = 0


@kernel
def walk(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, problem: Problem, memory: Memory, settings: Settings
) -> None:
    """Walk from the point ``x`` until the door closes or the steps are used up; ``x`` is where it ended.

    Algorithm 1. Conjuncts that are linear hold at ``x``, and at every point that is moved to.
    """
    n = len(x)
    _clear(memory.tabu)
    error = _errors(door, x, x, problem, memory.here, memory.here, False)
    for _ in range(settings.steps):
        if error == 0.0:
            evaluate(door, x)  # which closes it
        if not is_open(door):
            return
        worst = _worst(problem, memory, n)
        if worst < 0:  # all are tabu
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
    """The error of every conjunct (algorithm 2); the sum over those that are not linear, or -1 outside of the polytope
    or when the door is closed. If cached, conjuncts whose variables are as at ``x`` have the errors known from there.
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
    same = True
    for i in range(len(x)):
        same &= problem.uses[c, i] == 0 or point[i] == x[i]
    return same


@kernel
def _error(problem: Problem, c: int, point: WordArray) -> Any:
    """A conjunct's error: of a violated comparison |l - r|, as algorithm 2 has it, but never 0: at the border of a
    strict inequality it is the least number above."""
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
    """The variable with the highest error that is not tabu; -1 if all are."""
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
    """Algorithm 3: the best of R random and R bisection neighbours along axis ``i``; its error, it is in ``chosen``."""
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
    """One of the violated conjuncts with the variable that say how far apart their sides are; -1 if none does."""
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
    """Where the conjunct would be satisfied if it were linear between ``x`` and ``near`` (section 3.4); along a random
    slope where it is flat. Of a disjunction, its nearest disjunct is estimated. False if the door closed."""
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
    """Of the conjunct's disjunct with the least sum of violations at ``x``, one of the violated comparisons; -1 if the
    door closed."""
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
            if difference != 0.0:  # NaN, too
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
    """Algorithm 4 for variable ``i``, or for all if it is -1: a normal step, linear equations restored, rejected if
    that is outside of the polytope; False, and the point itself, if no sample is inside."""
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
    """Restore each linear equation that variable ``i`` (-1: any) is in by another of its variables."""
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
    """Whether the point is in the polytope; False if the door is closed."""
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
    """The word of a value; integers are rounded, and nothing leaves its range."""
    if domain.kinds[i] > 1:
        value = np.floor(value + 0.5)
    return word_of_value(domain.kinds[i], value, domain.low[i], domain.high[i])
