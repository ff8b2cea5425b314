"""The evolution strategy that FloPSy has (Lakhotia et al. 2010, sections 2.4 and 3.2).

Works on values, not on words, as ``avm_paper`` does. Where the paper says nothing:

* An individual is what was evaluated: an integer's value is rounded, a single's is a single, and a value beyond the
  ends of its word's range is the end.
* NaN and infinities are values like any other. No mutation leads away from them; other parents' values may replace
  them. A NaN of an integer is 0. A fitness that is NaN counts as infinite.
* The two parents of an offspring may be the same one.
* Of equally fit individuals the newer one is ranked first, so that a plateau can be crossed.
* There is no restart: a population that is stuck goes on until the door closes.
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
_NONE, _GLOBAL, _MEAN = (0,), (2, 4), (3, 4)  # places in RECOMBINATIONS
_SINGLE = 0
_LAST_FLOAT = int(Kind.F32)
MOST = 1_000_000  # individuals that fit the memory


@dataclass(frozen=True)
class EvolutionStrategy:
    """A (mu + lambda) evolution strategy; a minimizer. The defaults are those of the paper's study (section 4.3).

    Args:
        mu: parents, ``es_solver_parents``.
        lambda_: offspring of a generation, ``es_solver_offspring``.
        recomb: ``es_solver_recomb``, one of ``RECOMBINATIONS``; with ``none``, an offspring is a mutated copy of one
            parent.
        mut: ``es_solver_mut``, one of ``MUTATIONS``.
        pools: whether first parents are drawn from values worth trying, too; the paper's are random.

    Raises:
        OptionError: a number below 1, or an unknown name.
    """

    mu: int = 15
    lambda_: int = 100
    recomb: str = "global-discrete"
    mut: str = "single"
    pools: bool = False

    def __post_init__(self) -> None:
        for name, number in (("mu", self.mu), ("lambda", self.lambda_)):
            if not 1 <= number <= MOST:
                raise OptionError(f"{name} is from 1 to {MOST:,}, not {number}")
        for name, chosen, known in (("recomb", self.recomb, RECOMBINATIONS), ("mut", self.mut, MUTATIONS)):
            if chosen not in known:
                raise OptionError(f"no {name} {chosen!r}; there are {', '.join(known)}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Evolve from ``x`` and ``mu - 1`` drawn individuals until the door closes."""
        drawn_from = domain if self.pools else domain.plain
        recomb, mut = RECOMBINATIONS.index(self.recomb), MUTATIONS.index(self.mut)
        _evolve(door.native, drawn_from.native, x, rng, self.mu, self.lambda_, recomb, mut)


@allocating
def _evolve(
    door: int, domain: NativeDomain, x: WordArray, rng: Random, mu: int, children: int, how: int, mutation: int
) -> None:
    """The main loop. ``rows`` has the individuals' places, the parents' first; children take those of the others."""
    v = np.empty((mu + children, len(x)))
    sigma = np.ones((mu + children, 1 if mutation == _SINGLE else len(x)))
    fitness = np.full(mu + children, np.inf)
    rows = np.arange(mu + children)
    for row in range(mu):
        if row > 0:
            sample(domain, x, rng)
        for i in range(len(x)):
            v[row, i] = value_of_word(domain.kinds[i], x[i])
        fitness[row] = fitness_of(door, x)
    while is_open(door):
        for child in rows[mu:]:
            recombine(v, sigma, rows[:mu], child, how, rng)
            if mutation == _SINGLE:
                mutate_single(v[child], sigma[child], rng)
            else:
                mutate_multi(v[child], sigma[child], rng)
            settle(domain, v[child], x)
            fitness[child] = fitness_of(door, x)
        rank(rows, fitness)


@kernel
def fitness_of(door: int, x: WordArray) -> float:
    """The objective at the words ``x``; infinite where it is NaN."""
    value = evaluate(door, x)
    return value if value == value else np.inf


@kernel
def rank(rows: Any, fitness: Any) -> None:
    """Sort the rows by fitness, the best first, and of equals the last first."""
    for n in range(1, len(rows)):
        row, at = rows[n], n
        while at > 0 and fitness[rows[at - 1]] >= fitness[row]:
            rows[at] = rows[at - 1]
            at -= 1
        rows[at] = row


@kernel
def recombine(v: Any, sigma: Any, parents: Any, child: int, how: int, rng: Random) -> None:
    """Make the child's variables and strategy parameters from those of its parents (section 3.2, "Recombination")."""
    a, b = parents[random_below(rng, len(parents))], parents[random_below(rng, len(parents))]
    for vectors in (v, sigma):
        for i in range(vectors.shape[1]):
            if how in _GLOBAL:
                a, b = parents[random_below(rng, len(parents))], parents[random_below(rng, len(parents))]
            if how in _MEAN:
                vectors[child, i] = (vectors[a, i] + vectors[b, i]) * 0.5
            else:
                vectors[child, i] = vectors[a if how in _NONE or random_below(rng, 2) == 0 else b, i]


@kernel
def mutate_single(v: Any, sigma: Any, rng: Random) -> None:
    """Equations 1 to 3: one strategy parameter for all variables."""
    tau = 1.0 / math.sqrt(len(v))
    sigma[0] *= math.exp(tau * normal(rng))
    for i in range(len(v)):
        v[i] += sigma[0] * normal(rng)


@kernel
def mutate_multi(v: Any, sigma: Any, rng: Random) -> None:
    """Equations 4 to 7: a strategy parameter for each variable."""
    tau_0 = 1.0 / math.sqrt(2.0 * len(v))
    tau = 1.0 / math.sqrt(2.0 * math.sqrt(len(v)))
    common = tau_0 * normal(rng)
    for i in range(len(v)):
        sigma[i] *= math.exp(common + tau * normal(rng))
    for i in range(len(v)):
        v[i] += sigma[i] * normal(rng)


@kernel
def settle(domain: NativeDomain, v: Any, words: Any) -> None:
    """The words nearest to the values; the values become what these words stand for."""
    for i in range(len(v)):
        kind, low, high = domain.kinds[i], domain.low[i], domain.high[i]
        value = v[i] if kind <= _LAST_FLOAT else np.rint(v[i])
        words[i] = word_of_value(kind, value, low, high)
        v[i] = value_of_word(kind, words[i])
