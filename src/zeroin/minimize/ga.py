"""Wegener's genetic algorithm, as in studies of search-based testing (Baars et al. 2011, section V-B).

Sub-populations evolve separately, with linear ranking, stochastic universal sampling, discrete recombination, the
mutation of the breeder genetic algorithm, and elitist reinsertion. They compete for individuals and exchange some.

It works on values, not on ordered words: a mutation adds to a value. Where the paper leaves a choice:

* Parents are paired at random. Each pair has two children. There are as many children as free places.
* A mutation of an integer by less than 1 is one by 1.
* Each of the weaker half of the sub-populations gives ``exchange`` of its individuals, drawn at random, to one of the
  stronger half; the weakest gives to the strongest.
* The first individual is the start that the minimizer gets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OptionError
from ..native.kernel import allocating, inlined, kernel
from ..subject.base import WordArray
from ..words import Kind
from .avm_paper import added
from .base import Domain, Door, NativeDomain, Random, bounds, is_open, random_below, random_unit, uniform
from .es import MOST, fitness_of
from .ga_tournament import cross

LEAST = 5  # the individuals that a sub-population always keeps
BITS = 16  # the precision of a mutation in bits
_LAST_FLOAT = int(Kind.F32)


@dataclass(frozen=True)
class GeneticAlgorithm:
    """Wegener's genetic algorithm, a minimizer. The defaults are those of the paper.

    Args:
        populations: the number of sub-populations. Number ``n``, counted from 1, mutates by up to ``10**-n`` of the
            domain.
        size: the number of individuals in each at the beginning.
        pressure: the selection pressure of linear ranking, from 1 to 2.
        elite: the share of a sub-population that survives into the next generation.
        competition: the number of generations after which weaker sub-populations lose individuals to stronger ones.
        migration: the number of generations after which sub-populations exchange individuals.
        exchange: the share of the individuals that are lost or exchanged.

    Raises:
        OptionError: a number is out of its range.
    """

    populations: int = 6
    size: int = 50
    pressure: float = 1.7
    elite: float = 0.1
    competition: int = 4
    migration: int = 20
    exchange: float = 0.1

    def __post_init__(self) -> None:
        if self.populations < 1 or self.size < LEAST or self.populations * self.size > MOST:
            raise OptionError(f"give at least 1 population of {LEAST} individuals, and at most {MOST:,} in total")
        if not 1.0 <= self.pressure <= 2.0:
            raise OptionError(f"the selection pressure must be from 1 to 2, not {self.pressure}")
        if not 0.0 <= self.elite < 1.0:
            raise OptionError(f"the elite must be at least 0 and less than 1, not {self.elite}")
        if min(self.competition, self.migration) < 1:
            raise OptionError("competition and migration must come after at least 1 generation")
        if not 0.0 <= self.exchange <= 0.5:
            raise OptionError(f"exchange must be from 0 to 0.5, not {self.exchange}")

    def __call__(self, door: Door, domain: Domain, x: WordArray, rng: Random) -> None:
        """Evolve ``x`` and drawn individuals until the door closes."""
        _evolve(door.native, domain.plain.native, x, rng, self.populations, self.size, self.pressure, self.elite,
                self.competition, self.migration, self.exchange)  # fmt: skip


@allocating
def _evolve(
    door: int,
    domain: NativeDomain,
    x: WordArray,
    rng: Random,
    populations: int,
    size: int,
    pressure: float,
    elite: float,
    competition: int,
    migration: int,
    share: float,
) -> None:
    """Run the main loop."""
    total = populations * size
    words, born = np.zeros((total, len(x)), dtype=np.int64), np.zeros((total, len(x)), dtype=np.int64)
    fitness, newer = np.full(total, np.inf), np.full(total, np.inf)
    home = np.arange(total) // size
    progress, generation = np.zeros(populations), 0
    for row in range(total):
        if row > 0:
            for i in range(len(x)):
                x[i] = uniform(domain, i, rng)
        words[row, :] = x
        fitness[row] = fitness_of(door, x)
    while is_open(door):
        generation += 1
        for population in range(populations):
            rows = np.flatnonzero(home == population)
            rows = rows[np.argsort(fitness[rows], kind="mergesort")]
            kept = min(int(np.ceil(elite * len(rows))), len(rows) - 1)
            parents = rows[sampled(ranking(len(rows), pressure), len(rows) - kept, rng)]
            breed(door, domain, words, parents, born, newer, 10.0 ** -(population + 1.0), x, rng)
            replace(words, fitness, rows[kept:], born, newer)
        compared(home, fitness, progress, pressure)
        if generation % competition == 0:
            compete(home, progress, share, rng)
        if generation % migration == 0:
            migrate(home, populations, share, rng)


@kernel
def breed(
    door: int, domain: NativeDomain, words: Any, parents: Any, born: Any, newer: Any, size: float, x: WordArray,
    rng: Random
) -> None:  # fmt: skip
    """Make as many children as there are parents, and evaluate them. Neighbours in ``parents`` pair."""
    for place in range(len(parents)):
        other = place ^ 1 if place ^ 1 < len(parents) else 0
        cross(words[parents[place]], words[parents[other]], x, rng)
        mutate(domain, x, size, rng)
        for i in range(len(x)):
            born[place, i] = x[i]
        newer[place] = fitness_of(door, x)


@kernel
def replace(words: Any, fitness: Any, rows: Any, born: Any, newer: Any) -> None:
    """Overwrite the individuals in ``rows`` by the children."""
    for place in range(len(rows)):
        for i in range(words.shape[1]):
            words[rows[place], i] = born[place, i]
        fitness[rows[place]] = newer[place]


@allocating
def ranking(count: int, pressure: float) -> Any:
    """Return the weight of each rank, best first (linear ranking). The average weight is 1."""
    worth = np.ones(count)
    for place in range(count):
        if count > 1:
            worth[place] = pressure - 2.0 * (pressure - 1.0) * place / (count - 1.0)
    return worth


@allocating
def sampled(worth: Any, count: int, rng: Random) -> Any:
    """Return ``count`` ranks in random order, chosen by stochastic universal sampling: one draw decides about all."""
    found, distance = np.zeros(count, dtype=np.int64), worth.sum() / count
    pointer, reached, place = random_unit(rng) * distance, worth[0], 0
    for n in range(count):
        while reached <= pointer and place < len(worth) - 1:
            place += 1
            reached += worth[place]
        found[n] = place
        pointer += distance
    shuffle(found, rng)
    return found


@kernel
def shuffle(items: Any, rng: Random) -> None:
    """Shuffle the items in place."""
    for n in range(len(items) - 1, 0, -1):
        other = random_below(rng, n + 1)
        items[n], items[other] = items[other], items[n]


@inlined
def mutate(domain: NativeDomain, x: WordArray, size: float, rng: Random) -> None:
    """Mutate a word, on average one of them, by up to twice ``size`` of its domain (breeder genetic algorithm)."""
    for i in range(len(x)):
        if random_below(rng, len(x)) != 0:
            continue
        kind = domain.kinds[i]
        least, most = bounds(domain, i)
        delta = step(rng) * (size * most - size * least)
        if kind > _LAST_FLOAT and 0.0 < delta < 1.0:
            delta = 1.0
        x[i] = added(domain, i, x[i], delta if random_below(rng, 2) == 0 else -delta)


@inlined
def step(rng: Random) -> float:
    """Return a random sum of powers of two from 1 to ``2**-15``, each with a chance of 1 in 16."""
    found = 0
    for _ in range(BITS):
        found = 2 * found + (1 if random_below(rng, BITS) == 0 else 0)
    return found * 2.0 ** (1 - BITS)


@allocating
def compared(home: Any, fitness: Any, progress: Any, pressure: float) -> None:
    """Update the progress of the sub-populations: nine tenths of the old value, one tenth of the current weight.

    The weight is that of the sub-population's rank by average fitness.
    """
    count = len(progress)
    average = np.zeros(count)
    for population in range(count):
        average[population] = fitness[home == population].mean()
    worth = ranking(count, pressure)
    places = np.argsort(average, kind="mergesort")
    for place in range(count):
        progress[places[place]] = 0.9 * progress[places[place]] + 0.1 * worth[place]


@allocating
def compete(home: Any, progress: Any, share: float, rng: Random) -> None:
    """Move individuals from weaker to stronger sub-populations."""
    places = np.argsort(-progress, kind="mergesort")
    for n in range(len(places) // 2):
        strong, weak = places[n], places[len(places) - 1 - n]
        losing = np.flatnonzero(home == weak)
        shuffle(losing, rng)
        for row in losing[: max(0, min(int(np.ceil(share * len(losing))), len(losing) - LEAST))]:
            home[row] = strong


@allocating
def migrate(home: Any, populations: int, share: float, rng: Random) -> None:
    """Exchange individuals between sub-populations at random. Sizes stay the same."""
    moving = np.zeros(len(home), dtype=np.int64)
    count = 0
    for population in range(populations):
        rows = np.flatnonzero(home == population)
        shuffle(rows, rng)
        for row in rows[: int(np.ceil(share * len(rows)))]:
            moving[count] = row
            count += 1
    homes = home[moving[:count]]
    shuffle(homes, rng)
    for n in range(count):
        home[moving[n]] = homes[n]
