"""A simple genetic algorithm on ordered words, for comparisons.

It is generational, with tournament selection, uniform crossover and elitism. A mutation moves a word by a random power
of two, redraws it, or takes a value from the word's pool. On ordered words, such a move is anything from one ULP to the
whole range.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OptionError
from ..native.kernel import allocating, kernel
from ..subject.base import WordArray
from .base import Domain, Door, NativeDomain, Random, is_open, moved, random_below, random_between, random_unit, sample
from .es import MOST, fitness_of, rank


@dataclass(frozen=True)
class TournamentGeneticAlgorithm:
    """A genetic algorithm with tournament selection, a minimizer.

    Args:
        population: the number of individuals in a generation.
        elite: the number of best individuals that survive into the next generation.
        tournament: the number of drawn individuals whose best one becomes a parent.
        crossover: the chance that an individual has two parents instead of one.
        mutations: the average number of mutated words in an individual.
        redrawn: the share of the mutations that redraw a word.
        pooled: the share of the mutations that take a value from the word's pool. If the pool is empty, the word is
            moved instead. With 0, the first individuals do not use pools either.

    Raises:
        OptionError: a number is out of its range, or the elite is the whole population.
    """

    population: int = 50
    elite: int = 1
    tournament: int = 2
    crossover: float = 0.75
    mutations: float = 1.0
    redrawn: float = 0.1
    pooled: float = 0.2

    def __post_init__(self) -> None:
        if self.population > MOST:
            raise OptionError(f"a population must have at most {MOST:,} individuals, not {self.population}")
        if not 0 <= self.elite < self.population:
            raise OptionError(f"the elite must be at least 0 and less than {self.population}, not {self.elite}")
        if self.tournament < 1:
            raise OptionError(f"a tournament must have at least 1 individual, not {self.tournament}")
        if not (0.0 <= self.crossover <= 1.0 and self.redrawn >= 0.0 and self.pooled >= 0.0):
            raise OptionError("the chance of a crossover and the shares of the mutations must be from 0 to 1")
        if not self.redrawn + self.pooled <= 1.0:
            raise OptionError(f"shares of mutations must not exceed 1 in total: {self.redrawn} and {self.pooled}")
        if not 0.0 < self.mutations < math.inf:
            raise OptionError(f"the number of mutations must be above 0, not {self.mutations}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Evolve ``x`` and ``population - 1`` drawn individuals until the door closes."""
        rate = self.mutations / max(1, len(x))
        drawn_from = domain if self.pooled > 0.0 else domain.plain
        _evolve(door.native, drawn_from.native, x, rng, self.population, self.elite, self.tournament, self.crossover,
                rate, self.redrawn, self.pooled)  # fmt: skip


@allocating
def _evolve(
    door: int,
    domain: NativeDomain,
    x: WordArray,
    rng: Random,
    size: int,
    elite: int,
    tournament: int,
    crossover: float,
    rate: float,
    redrawn: float,
    pooled: float,
) -> None:
    """Evolve ``x`` and ``size - 1`` drawn individuals until the door closes. ``x`` is overwritten.

    Args:
        door, domain, x, rng: as of a minimizer, in native form.
        size: the population.
        rate: the chance that a word of an individual is mutated.
        elite, tournament, crossover, redrawn, pooled: as of :class:`TournamentGeneticAlgorithm`.
    """
    words, born = np.zeros((size, len(x)), dtype=np.int64), np.zeros((size, len(x)), dtype=np.int64)
    fitness, newer, rows = np.full(size, np.inf), np.full(size, np.inf), np.arange(size)
    for row in range(size):
        if row > 0:
            sample(domain, x, rng)
        words[row, :] = x
        fitness[row] = fitness_of(door, x)
    while is_open(door):
        rank(rows, fitness)
        for row in range(size):
            if row < elite:
                born[row, :] = words[rows[row]]
                newer[row] = fitness[rows[row]]
                continue
            a = rows[winner(rng, size, tournament)]
            b = rows[winner(rng, size, tournament)] if random_unit(rng) < crossover else a
            cross(words[a], words[b], x, rng)
            mutate(domain, x, rng, rate, redrawn, pooled)
            born[row, :] = x
            newer[row] = fitness_of(door, x)
        words, born = born, words
        fitness, newer = newer, fitness


@kernel
def winner(rng: Random, size: int, tournament: int) -> Any:
    """Return the rank of the best of ``tournament`` drawn individuals."""
    best = random_below(rng, size)
    for _ in range(tournament - 1):
        best = min(best, random_below(rng, size))
    return best


@kernel
def cross(a: Any, b: Any, child: Any, rng: Random) -> None:
    """Set each word of the child to that of one parent, chosen at random (uniform crossover)."""
    for i in range(len(child)):
        child[i] = a[i] if random_below(rng, 2) == 0 else b[i]


@kernel
def mutate(domain: NativeDomain, x: WordArray, rng: Random, rate: float, redrawn: float, pooled: float) -> None:
    """Mutate each word with the chance ``rate``."""
    for i in range(len(x)):
        if random_unit(rng) >= rate:
            continue
        low, high = domain.low[i], domain.high[i]
        count = domain.start[i + 1] - domain.start[i]
        choice = random_unit(rng)
        if choice < redrawn:
            x[i] = random_between(rng, low, high)
        elif choice < redrawn + pooled and count > 0:
            x[i] = domain.pool[domain.start[i] + random_below(rng, count)]
        else:
            step = np.int64(1) << np.int64(random_below(rng, _exponents(low, high)))
            x[i] = moved(x[i], step if random_below(rng, 2) == 0 else -step, low, high)


@kernel
def _exponents(low: Any, high: Any) -> int:
    """Return how many powers of two fit into the range and an int64, at least 1."""
    span = np.uint64(high) - np.uint64(low)
    count = 1
    while count < 63 and (span >> np.uint64(count)) != 0:
        count += 1
    return count
