"""The evolution strategy of FloPSy (Lakhotia et al. 2010, sections 2.4 and 3.2).

It works on values, not on ordered words, like ``avm_paper``. Where the paper leaves a choice:

* An individual is the value that was evaluated: rounded if it is an integer, of single precision if it is a float, and
  within the range of its word. Integers of 64 bits keep all bits.
* NaN and infinities are ordinary values. Mutations keep them; recombination may replace them by other parents' values.
  A NaN becomes 0 in an integer. A fitness of NaN counts as infinite.
* The two parents of a child may be the same individual.
* Among equally fit individuals, the newer one ranks first, so that the population can cross plateaus.
* There are no restarts: a population that is stuck goes on until the door closes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OptionError
from ..native.kernel import allocating, kernel
from ..native.words import value_of_word, word_of_value
from ..subject.base import WordArray
from ..words import Kind
from .base import Domain, Door, NativeDomain, Random, evaluate, is_open, normal, random_below, sample

RECOMBINATIONS = ("none", "discrete", "global-discrete", "intermediate", "global-intermediate")
MUTATIONS = ("single", "multi")
_NONE, _GLOBAL, _MEAN = (0,), (2, 4), (3, 4)  # indices in RECOMBINATIONS
_SINGLE = 0
_LAST_FLOAT, _INT = int(Kind.F32), int(Kind.INT)
_LARGEST = (1 << 63) - 1
_EXACT = 1 << 62  # the first word of an Int that is no number of ones
MOST = 1_000_000  # the most individuals that fit into memory


@dataclass(frozen=True)
class EvolutionStrategy:
    """A (mu + lambda) evolution strategy, a minimizer. The defaults are those of the paper's study (section 4.3).

    Args:
        mu: the number of parents (``es_solver_parents``).
        lambda_: the number of children in a generation (``es_solver_offspring``).
        recomb: the recombination (``es_solver_recomb``), one of ``RECOMBINATIONS``. With ``none``, a child is a mutated
            copy of one parent.
        mut: the mutation (``es_solver_mut``), one of ``MUTATIONS``.
        pools: whether the first parents also use values worth trying. Those of the paper are random.

    Raises:
        OptionError: a number is below 1 or too large, or a name is unknown.
    """

    mu: int = 15
    lambda_: int = 100
    recomb: str = "global-discrete"
    mut: str = "single"
    pools: bool = False

    def __post_init__(self) -> None:
        for name, number in (("mu", self.mu), ("lambda", self.lambda_)):
            if not 1 <= number <= MOST:
                raise OptionError(f"{name} must be from 1 to {MOST:,}, not {number}")
        for name, chosen, known in (("recomb", self.recomb, RECOMBINATIONS), ("mut", self.mut, MUTATIONS)):
            if chosen not in known:
                raise OptionError(f"no {name} {chosen!r}; there are {', '.join(known)}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Evolve ``x`` and ``mu - 1`` drawn individuals until the door closes."""
        drawn_from = domain if self.pools else domain.plain
        recomb, mut = RECOMBINATIONS.index(self.recomb), MUTATIONS.index(self.mut)
        _evolve(door.native, drawn_from.native, x, rng, self.mu, self.lambda_, recomb, mut)


@allocating
def _evolve(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, mu: int, children: int, how: int, mutation: int
) -> None:
    """Run the main loop. ``rows`` has the indices of the individuals, parents first; children overwrite the others."""
    v, w = np.empty((mu + children, len(x))), np.empty((mu + children, len(x)), dtype=np.int64)
    sigma = np.ones((mu + children, 1 if mutation == _SINGLE else len(x)))
    fitness = np.full(mu + children, np.inf)
    rows = np.arange(mu + children)
    step = np.zeros(len(x))
    for row in range(mu):
        if row > 0:
            sample(domain, x, rng)
        for i in range(len(x)):
            v[row, i], w[row, i] = _split(domain.kinds[i], x[i])
        fitness[row] = fitness_of(door, x)
    while is_open(door):
        for child in rows[mu:]:
            recombine(v, w, sigma, rows[:mu], child, how, rng)
            step[:] = 0.0
            if mutation == _SINGLE:
                mutate_single(step, sigma[child], rng)
            else:
                mutate_multi(step, sigma[child], rng)
            settle(domain, v[child], w[child], step, x)
            fitness[child] = fitness_of(door, x)
        rank(rows, fitness)


@kernel
def _split(kind: int, word: int) -> tuple[float, int]:
    """Return the value of a word as a double, and 0; for an integer, 0.0 and the word, because a double rounds.

    An Int of 62 bits or more has a double: its word is no number of ones.
    """
    if kind <= _LAST_FLOAT or (kind == _INT and abs(word) >= _EXACT):
        return value_of_word(kind, word), 0
    return 0.0, word


@kernel
def fitness_of(door: int, x: WordArray) -> float:
    """Return the objective at the words ``x``; infinity if it is NaN, or if the door is closed."""
    value = evaluate(door, x)
    return value if value == value else np.inf


@kernel
def rank(rows: Any, fitness: Any) -> None:
    """Sort the rows by fitness, best first; among equals, the last one comes first."""
    for n in range(1, len(rows)):
        row, at = rows[n], n
        while at > 0 and fitness[rows[at - 1]] >= fitness[row]:
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


@kernel
def recombine(v: Any, w: Any, sigma: Any, parents: Any, child: int, how: int, rng: Random) -> None:
    """Set the child's variables and strategy parameters from its parents (section 3.2, "Recombination").

    A variable is ``v + w``: a double, and the part of an integer that is exact. Half of an odd sum goes to ``v``.
    """
    a, b = parents[random_below(rng, len(parents))], parents[random_below(rng, len(parents))]
    for i in range(v.shape[1]):
        if how in _GLOBAL:
            a, b = parents[random_below(rng, len(parents))], parents[random_below(rng, len(parents))]
        if how in _MEAN:
            one, other = w[a, i], w[b, i]
            v[child, i] = (v[a, i] + v[b, i]) * 0.5 + 0.5 * ((one ^ other) & 1)
            w[child, i] = (one >> 1) + (other >> 1) + (one & other & 1)  # without an overflow
        else:
            row = a if how in _NONE or random_below(rng, 2) == 0 else b
            v[child, i], w[child, i] = v[row, i], w[row, i]
    for i in range(sigma.shape[1]):
        if how in _GLOBAL:
            a, b = parents[random_below(rng, len(parents))], parents[random_below(rng, len(parents))]
        if how in _MEAN:
            sigma[child, i] = (sigma[a, i] + sigma[b, i]) * 0.5
        else:
            sigma[child, i] = sigma[a if how in _NONE or random_below(rng, 2) == 0 else b, i]


@kernel
def mutate_single(v: Any, sigma: Any, rng: Random) -> None:
    """Mutate with one strategy parameter for all variables (equations 1 to 3)."""
    tau = 1.0 / math.sqrt(len(v))
    sigma[0] *= math.exp(tau * normal(rng))
    for i in range(len(v)):
        v[i] += sigma[0] * normal(rng)


@kernel
def mutate_multi(v: Any, sigma: Any, rng: Random) -> None:
    """Mutate with a strategy parameter for each variable (equations 4 to 7)."""
    tau_0 = 1.0 / math.sqrt(2.0 * len(v))
    tau = 1.0 / math.sqrt(2.0 * math.sqrt(len(v)))
    common = tau_0 * normal(rng)
    for i in range(len(v)):
        sigma[i] *= math.exp(common + tau * normal(rng))
    for i in range(len(v)):
        v[i] += sigma[i] * normal(rng)


@kernel
def settle(domain: NativeDomain, v: Any, w: Any, step: Any, words: Any) -> None:
    """Add the step to the values, set the words to the nearest ones, and the values to those of the words."""
    for i in range(len(v)):
        kind, low, high = domain.kinds[i], domain.low[i], domain.high[i]
        value = v[i] + step[i]
        if kind <= _LAST_FLOAT:
            words[i] = word_of_value(kind, value, low, high)
        elif kind == _INT and abs(v[i]) >= 1.0:
            words[i] = word_of_value(kind, np.rint(value + w[i]), low, high)
        else:
            words[i] = _moved(w[i], np.rint(value), low, high)
        v[i], w[i] = _split(kind, words[i])


@kernel
def _moved(word: Any, step: Any, low: Any, high: Any) -> Any:
    """Return the word after a step of whole ones, clipped to the words from low to high. A NaN steps to 0."""
    if step != step:
        return min(max(0, low), high)
    if step >= 2.0**63:
        return high
    if step < -(2.0**63):
        return low
    whole = np.int64(step)
    if whole > 0 and word > _LARGEST - whole:
        return high
    if whole < 0 and word < -_LARGEST - 1 - whole:
        return low
    return min(max(word + whole, low), high)
