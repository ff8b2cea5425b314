"""The genetic algorithm after Wegener: its operators one by one, then what it finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.minimize import MINIMIZERS, Domain, Door, GeneticAlgorithm, Stop, minimize, random_state
from zeroin.minimize.base import bounds, uniform
from zeroin.minimize.ga import compared, compete, migrate, mutate, ranking, sampled, step
from zeroin.native.kernel import CELLS, cells_at
from zeroin.native.words import value_of_word
from zeroin.words import Kind, decode, encode, word_range

LOG = np.zeros(40_002, dtype=np.int64)  # how many evaluations, and the words of each
LOG_ADDRESS = LOG.ctypes.data
I32 = word_range(Kind.I32)


@cfunc(types.float64(CELLS))
def by_size(words: Any) -> float:
    """The larger the first word, the better; logged."""
    log = cells_at(LOG_ADDRESS)
    log[1 + log[0]] = words[0]
    log[0] += 1
    return 1e6 - float(words[0])


@cfunc(types.float64(CELLS))
def easy(words: Any) -> float:
    return abs(value_of_word(0, words[0]) - 2.5) + abs(float(words[1]) + 12.0)


@cfunc(types.float64(CELLS))
def by_age(words: Any) -> float:
    """Each evaluation is worth less than the one before; logged."""
    log = cells_at(LOG_ADDRESS)
    log[1 + log[0]] = words[0]
    log[0] += 1
    return float(log[0])


def evaluated(
    objective: Any, algorithm: GeneticAlgorithm, domain: Domain, evaluations: int, seed: int = 1
) -> list[int]:
    LOG[0] = 0
    door = Door(objective.address, 1)
    door.open(evaluations)
    algorithm(door, domain, np.array([1000]), random_state([seed]))
    return [int(w) for w in LOG[1 : 1 + int(LOG[0])]]


def small(low: int, high: int) -> Domain:
    return Domain((Kind.I32,), ((low, high),), ((),))


def test_defaults_are_the_papers() -> None:
    assert MINIMIZERS["ga"] == GeneticAlgorithm(
        populations=6, size=50, pressure=1.7, elite=0.1, competition=4, migration=20
    )


# ---- drawing ----


def test_every_value_has_the_same_chance() -> None:
    """Of ordered words, half would be below 1e-300 or so."""
    ends = (encode(Kind.F64, -10.0), encode(Kind.F64, 30.0))
    domain, rng = Domain((Kind.F64, Kind.I32), (ends, (-3, 3)), ((), ())).native, random_state([1])
    floats = np.array([decode(Kind.F64, int(uniform(domain, 0, rng))) for _ in range(4000)])
    assert floats.mean() == pytest.approx(10.0, abs=1.0)
    assert floats.std() == pytest.approx(40.0 / 12**0.5, rel=0.05)
    assert {int(uniform(domain, 1, rng)) for _ in range(200)} == set(range(-3, 4))


@pytest.mark.parametrize("kind", [Kind.F64, Kind.F32])
def test_values_are_finite(kind: Kind) -> None:
    domain, rng = Domain((kind,), (word_range(kind),), ((),)).native, random_state([1])
    assert np.isfinite(bounds(domain, 0)).all()
    values = np.array([decode(kind, int(uniform(domain, 0, rng))) for _ in range(500)])
    assert np.isfinite(values).all()
    assert (values > 0.0).mean() == pytest.approx(0.5, abs=0.1)


# ---- operators ----


def test_ranking_is_linear() -> None:
    assert ranking(5, 1.7) == pytest.approx([1.7, 1.35, 1.0, 0.65, 0.3])
    assert ranking(50, 1.7).mean() == pytest.approx(1.0)
    assert list(ranking(1, 1.7)) == [1.0]


def test_sampling_is_universal() -> None:
    """Each is drawn as often as it is worth, rounded up or down, and not more by chance; the order is random."""
    rng, firsts = random_state([1]), set()
    for _ in range(200):
        found = sampled(ranking(50, 1.7), 100, rng)
        counts = np.bincount(found, minlength=50)
        assert (np.abs(counts - 2.0 * ranking(50, 1.7)) < 1.0).all()
        firsts.add(int(found[0]))
    assert len(firsts) > 30
    assert sorted(sampled(np.array([2.0, 1.0, 1.0, 0.0]), 4, rng)) == [0, 0, 1, 2]


def test_a_step_is_a_sum_of_powers_of_two() -> None:
    rng = random_state([1])
    steps = np.array([step(rng) for _ in range(20_000)])
    assert (steps * 2.0**15 == np.rint(steps * 2.0**15)).all()
    assert steps.min() == 0.0
    assert steps.mean() == pytest.approx((2.0 - 2.0**-15) / 16.0, rel=0.05)
    assert (steps == 0.0).mean() == pytest.approx((15 / 16) ** 16, abs=0.02)


@pytest.mark.parametrize("population", [1, 2, 3])
def test_mutations_have_the_range_of_their_population(population: int) -> None:
    """Of a domain of 2,000,000, in both directions; one word of two."""
    domain = Domain(
        (Kind.I32, Kind.F64), ((-(10**6), 10**6), (encode(Kind.F64, -1e6), encode(Kind.F64, 1e6))), ((), ())
    )
    rng, found = random_state([1]), []
    for _ in range(8000):
        x = np.array([0, encode(Kind.F64, 0.0)])
        mutate(domain.native, x, 10.0**-population, rng)
        found.append((float(x[0]), decode(Kind.F64, int(x[1]))))
    moves = np.array(found)
    reach = 2e6 * 10.0**-population
    for column in moves.T:
        assert reach < np.abs(column).max() < 2.0 * reach
        assert (column != 0.0).mean() == pytest.approx(0.5 * (1 - (15 / 16) ** 16), abs=0.03)
        assert (column > 0.0).sum() == pytest.approx((column < 0.0).sum(), rel=0.15)
    assert np.abs(moves[:, 1][moves[:, 1] != 0.0]).min() == pytest.approx(reach * 2.0**-15)
    assert np.abs(moves[:, 0][moves[:, 0] != 0.0]).min() >= 1.0


def test_a_small_integer_moves_by_one_at_least() -> None:
    rng, found = random_state([1]), set()
    for _ in range(500):
        x = np.array([5])
        mutate(small(0, 9).native, x, 1e-6, rng)
        found.add(int(x[0]))
    assert found == {4, 5, 6}


# ---- sub-populations ----


def test_progress_is_a_tenth_of_what_a_place_is_worth() -> None:
    home, fitness = np.repeat(np.arange(3), 5), np.repeat([2.0, 3.0, 1.0], 5)
    progress = np.array([1.0, 1.0, 0.0])
    compared(home, fitness, progress, 1.7)
    assert progress == pytest.approx([0.9 + 0.1 * 1.0, 0.9 + 0.1 * 0.3, 0.0 + 0.1 * 1.7])


def test_the_weaker_half_gives_to_the_stronger() -> None:
    home = np.repeat(np.arange(4), 50)
    compete(home, np.array([0.1, 0.4, 0.2, 0.3]), 0.1, random_state([1]))
    assert list(np.bincount(home)) == [45, 55, 45, 55]
    assert (home[:50] == 1).sum() == 5, "the weakest to the strongest"


def test_the_last_five_are_not_lost() -> None:
    home, rng = np.repeat(np.arange(2), 50), random_state([1])
    for _ in range(100):
        compete(home, np.array([0.1, 0.2]), 0.1, rng)
    assert list(np.bincount(home)) == [5, 95]


def test_migrants_change_their_population_and_no_size_changes() -> None:
    home = np.repeat(np.arange(6), 50)
    migrate(home, 6, 0.1, random_state([1]))
    assert list(np.bincount(home)) == [50] * 6
    moved = (home != np.repeat(np.arange(6), 50)).sum()
    assert 15 < moved <= 30


# ---- generations ----


def test_later_generations_are_better() -> None:
    found = evaluated(by_size, GeneticAlgorithm(populations=1), small(0, 999_999), 50 + 45 * 40)
    generations = [found[50 + 45 * n : 95 + 45 * n] for n in range(40)]
    assert all(len(one) == 45 and np.mean(one) > np.mean(generations[0]) for one in generations[5:])


@pytest.mark.parametrize(("elite", "stays"), [(0.1, True), (0.0, False)])
def test_the_best_are_kept(elite: float, stays: bool) -> None:
    """The start is better than what comes after it: while it is there, it has children like it to the end."""
    algorithm = GeneticAlgorithm(populations=1, size=10, pressure=2.0, elite=elite)
    found = evaluated(by_age, algorithm, small(0, 999_999), 10_000)
    assert (found[-1000:].count(1000) > 50) == stays


def test_mutations_of_the_first_population_reach_a_fifth_of_the_domain() -> None:
    found = []
    for seed in range(100):
        *first, child = evaluated(by_size, GeneticAlgorithm(1, 5), small(0, 999_999), 6, seed)
        found.append(min(abs(child - one) for one in first))
    assert 20_000 < max(found) < 200_000


@pytest.mark.parametrize("what", ["competition", "migration"])
def test_populations_are_apart_for_so_many_generations(what: str) -> None:
    """Of 27 evaluations each."""
    apart = {"populations": 3, "size": 10, "competition": 10**6, "migration": 10**6}
    never, third = (
        evaluated(by_size, GeneticAlgorithm(**{**apart, what: n}), small(0, 999_999), 300) for n in (10**6, 3)
    )
    assert never[: 30 + 3 * 27] == third[: 30 + 3 * 27]
    assert never[30 + 3 * 27 : 30 + 4 * 27] != third[30 + 3 * 27 : 30 + 4 * 27]


def test_the_first_generation_is_the_start_and_drawn_ones() -> None:
    domain, rng = small(0, 10**6), random_state([1])
    expected = [1000, *(int(uniform(domain.native, 0, rng)) for _ in range(299))]
    assert evaluated(by_size, GeneticAlgorithm(), domain, 300) == expected


def test_every_seed_finds_an_easy_zero_in_a_bounded_domain() -> None:
    ends = (encode(Kind.F64, -100.0), encode(Kind.F64, 100.0))
    domain = Domain((Kind.F64, Kind.I32), (ends, (-1000, 1000)), ((), ()))
    for seed in range(5):
        door, x = Door(easy.address, 2), np.zeros(2, dtype=np.int64)
        door.open(200_000)
        found = minimize("ga", door, domain, x, random_state([seed]))
        assert found.reason is Stop.ZERO or found.value < 1e-4, (seed, found.value)
