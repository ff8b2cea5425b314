"""Native: the concolic walk, adaptive tabu search inside a polytope (Dinges & Agha 2014, algorithms 1 to 4)."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..minimize.base import (
    evaluate,
    is_open,
    normal,
    random_below,
    random_unit,
    spend,
    value_of_word,
    word_of_value,
)
from ..native import allocating, call_objective, data_of, kernel

# What a walk works on. p conjuncts, n variables; addresses are of native functions of the words.
#   distance[p]: a conjunct's error, |l - r| or more.     difference[p]: l - r, or 0 where there is none.
#   linear[p]: 1 for a face of the polytope.              inequality[p]: 1 if a difference need not be 0.
#   uses[p, n]: 1 where a variable occurs.                equations[e, n + 1]: coefficients and constant of l - r = 0.
Problem = namedtuple("Problem", "distance difference linear inequality uses equations")
# Memory: error of each conjunct here, at a neighbour and at the best one; per variable error and tabu counter; points.
Memory = namedtuple("Memory", "here there best var_error tabu near far chosen")
# The parameters as the paper names them; flags are 0 or 1.
Settings = namedtuple("Settings", "steps neighbors tabu samples bisection cached")

_RADIUS = 12  # a random step has a scale of 2**-12 to 2**12


@allocating
def walk(door: Any, domain: Any, x: Any, rng: Any, problem: Any, memory: Any, settings: Any) -> None:
    """Walk from the point ``x`` until the door closes or the steps are used up; ``x`` is where it ended.

    Algorithm 1. Conjuncts that are linear hold at ``x``, and at every point that is moved to.
    """
    n = len(x)
    memory.tabu[:] = 0
    error = _errors(door, x, problem, memory.here, memory.here, -1)
    for _ in range(settings.steps):
        if not is_open(door):
            return
        if error == 0.0 and evaluate(door, x) == 0.0:
            return
        worst = _worst(problem, memory, n)
        if worst < 0:  # all are tabu
            for i in range(n):
                _random_step(domain, x, memory.near, rng, problem, i, settings.samples)
                x[:] = memory.near
            memory.tabu[:] = 0
            error = _errors(door, x, problem, memory.here, memory.here, -1)
            continue
        after = _best_neighbor(door, domain, x, rng, problem, memory, settings, worst, error)
        if after < error:
            error = after
            x[:] = memory.chosen
            memory.here[:] = memory.best
            for i in range(n):
                memory.tabu[i] = max(0, memory.tabu[i] - 1)
        else:
            memory.tabu[worst] = settings.tabu


@kernel
def _errors(door: Any, point: Any, problem: Any, known: Any, out: Any, changed: int) -> float:
    """The error of every conjunct (algorithm 2); the sum over those that are not linear, or -1 outside of the polytope.
    Where only variable ``changed`` differs from where ``known`` was computed, the rest is taken from there."""
    spend(door)
    total, outside = 0.0, False
    for c in range(len(problem.distance)):
        if changed >= 0 and problem.uses[c, changed] == 0:
            out[c] = known[c]
        else:
            out[c] = call_objective(problem.distance[c], data_of(point))
        if problem.linear[c] == 0:
            total += out[c]
        elif out[c] > 0.0:
            outside = True
    return -1.0 if outside else total


@kernel
def _worst(problem: Any, memory: Any, n: int) -> int:
    """The variable with the highest error that is not tabu; -1 if all are."""
    memory.var_error[:] = 0.0
    for c in range(len(problem.distance)):
        if problem.linear[c] == 0:
            for i in range(n):
                if problem.uses[c, i] != 0:
                    memory.var_error[i] += memory.here[c]
    worst = -1
    for i in range(n):
        if (
            memory.tabu[i] == 0
            and memory.var_error[i] > 0.0
            and (worst < 0 or memory.var_error[i] > memory.var_error[worst])
        ):
            worst = i
    return worst


@allocating
def _best_neighbor(door: Any, domain: Any, x: Any, rng: Any, problem: Any, memory: Any, settings: Any, i: int,
                   error: float) -> float:  # fmt: skip
    """Algorithm 3: the best of R random and R bisection neighbours along axis ``i``; its error, it is in ``chosen``."""
    least = np.inf
    only = i if settings.cached != 0 and len(problem.equations) == 0 else -1
    for _ in range(settings.neighbors):
        if not is_open(door):
            break
        if not _random_step(domain, x, memory.near, rng, problem, i, settings.samples):
            break
        found = _errors(door, memory.near, problem, memory.here, memory.there, only)
        if 0.0 <= found < least:
            least = found
            memory.chosen[:] = memory.near
            memory.best[:] = memory.there
        if settings.bisection == 0:
            continue
        c = _violated(problem, memory, rng, i)
        if c < 0:
            continue
        _bisection_step(domain, x, memory.near, memory.far, rng, problem, c, i)
        found = _errors(door, memory.far, problem, memory.here, memory.there, only)
        if 0.0 <= found < least:
            least = found
            memory.chosen[:] = memory.far
            memory.best[:] = memory.there
    return least


@kernel
def _violated(problem: Any, memory: Any, rng: Any, i: int) -> int:
    """One of the violated conjuncts with the variable that say how far apart their sides are; -1 if none does."""
    count, chosen = 0, -1
    for c in range(len(problem.distance)):
        fits = problem.linear[c] == 0 and problem.uses[c, i] != 0 and problem.difference[c] != 0
        if fits and memory.here[c] > 0.0:
            count += 1
            if random_below(rng, count) == 0:
                chosen = c
    return chosen


@kernel
def _bisection_step(domain: Any, x: Any, near: Any, out: Any, rng: Any, problem: Any, c: int, i: int) -> None:
    """Where the conjunct would be satisfied if it were linear between ``x`` and ``near`` (section 3.4); along a random
    slope where it is flat. An inequality is overshot by up to 2.5 times, as the authors' solver does."""
    at_x = call_objective(problem.difference[c], data_of(x))
    at_near = call_objective(problem.difference[c], data_of(near))
    share = -at_x / (at_near - at_x) if at_near != at_x else normal(rng)
    if problem.inequality[c] != 0:
        share *= 1.0 + 2.5 * random_unit(rng)
        if share == 0.0:
            share = normal(rng)
    if share != share:
        share = normal(rng)
    for j in range(len(x)):
        out[j] = x[j]
        if near[j] != x[j] or j == i:
            here, there = value_of_word(domain.kinds[j], x[j]), value_of_word(domain.kinds[j], near[j])
            out[j] = _word(domain, j, here + share * (there - here))


@kernel
def _random_step(domain: Any, x: Any, out: Any, rng: Any, problem: Any, i: int, samples: int) -> bool:
    """Algorithm 4 for one variable: a normal step of a random scale, linear equations restored, rejected outside of the
    polytope; False, and the point itself, if no sample is inside."""
    for _ in range(samples):
        for j in range(len(x)):
            out[j] = x[j]
        scale = 2.0 ** float(random_below(rng, 2 * _RADIUS) - _RADIUS)
        out[i] = _word(domain, i, value_of_word(domain.kinds[i], x[i]) + normal(rng) * scale)
        _adjust(domain, out, problem.equations, i, rng)
        if _inside(out, problem):
            return True
    for j in range(len(x)):
        out[j] = x[j]
    return False


@kernel
def _adjust(domain: Any, point: Any, equations: Any, i: int, rng: Any) -> None:
    """Restore each linear equation by another of its variables."""
    n = len(point)
    for e in range(len(equations)):
        if equations[e, i] == 0.0:
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
def _inside(point: Any, problem: Any) -> bool:
    for c in range(len(problem.distance)):
        if problem.linear[c] != 0 and call_objective(problem.distance[c], data_of(point)) > 0.0:
            return False
    return True


@kernel
def _word(domain: Any, i: int, value: float) -> Any:
    """The word of a value; integers are rounded, and nothing leaves its range."""
    if domain.kinds[i] > 1:
        value = np.floor(value + 0.5)
    return word_of_value(domain.kinds[i], value, domain.low[i], domain.high[i])
