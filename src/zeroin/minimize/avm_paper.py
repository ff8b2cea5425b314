"""The alternating variable method as FloPSy has it (Lakhotia et al. 2010, sections 2.3 and 3.2).

Works on values, not on words: moves are ``2**it * dir * 10**-prec``. When no move helps, the precision of every
variable is raised where that still has an effect (up to 15 digits for double, 7 for float, 0 for integers); when it can
not be raised, a local restart (``10**-prec * r`` is added to every variable) and a global one take turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..native import allocating, kernel
from .base import evaluate, is_open, random_unit, sample, value_of_word, word_of_value


@allocating
def avm_paper(door: Any, domain: Any, x: Any, rng: Any) -> None:
    """Minimise from ``x`` until the door closes."""
    n = len(x)
    v = np.empty(n)
    precision = np.zeros(n, dtype=np.int64)
    local_next = True
    _load(domain, x, v)
    while is_open(door):
        best = _evaluate_values(door, domain, v, x)
        _climb(door, domain, v, x, precision, best)
        if local_next:
            for i in range(n):
                added = 10.0 ** -float(precision[i]) * random_unit(rng)
                v[i] += added if domain.kinds[i] <= 1 else np.floor(added)  # in the variable's type
        else:
            sample(domain, x, rng)
            _load(domain, x, v)
            precision[:] = 0
        local_next = not local_next


@kernel
def _load(domain: Any, x: Any, v: Any) -> None:
    for i in range(len(x)):
        v[i] = value_of_word(domain.kinds[i], x[i])


@kernel
def _evaluate_values(door: Any, domain: Any, v: Any, words: Any) -> float:
    for i in range(len(v)):
        words[i] = word_of_value(domain.kinds[i], v[i], domain.low[i], domain.high[i])
    return evaluate(door, words)


@kernel
def _climb(door: Any, domain: Any, v: Any, words: Any, precision: Any, best: float) -> None:
    """Exploratory and pattern moves, and higher precision, until nothing helps."""
    n = len(v)
    i = 0
    while is_open(door):
        improved = False
        for direction in (-1.0, 1.0):
            moved = _try(door, domain, v, words, i, direction * 10.0 ** -float(precision[i]), best)
            if moved < best:
                best = _pattern(door, domain, v, words, i, direction * 10.0 ** -float(precision[i]), moved)
                improved = True
                break
        if improved:
            i = 0
            continue
        i += 1
        if i == n:
            if not _raise_precision(domain, v, precision):
                return
            i = 0


@kernel
def _try(door: Any, domain: Any, v: Any, words: Any, i: int, delta: float, best: float) -> float:
    here = v[i]
    v[i] = here + delta
    value = _evaluate_values(door, domain, v, words)
    if not value < best:
        v[i] = here
        return best
    return value


@kernel
def _pattern(door: Any, domain: Any, v: Any, words: Any, i: int, delta: float, best: float) -> float:
    it = 1
    while is_open(door) and it < 1100:
        value = _try(door, domain, v, words, i, 2.0**it * delta, best)
        if not value < best:
            break
        best = value
        it += 1
    return best


@kernel
def _raise_precision(domain: Any, v: Any, precision: Any) -> bool:
    raised = False
    for i in range(len(v)):
        limit = 15 if domain.kinds[i] == 0 else 7 if domain.kinds[i] == 1 else 0
        finer = 10.0 ** -float(precision[i] + 1)
        moves = np.float32(v[i] + finer) != np.float32(v[i]) if domain.kinds[i] == 1 else v[i] + finer != v[i]
        if precision[i] < limit and moves:
            precision[i] += 1
            raised = True
    return raised
