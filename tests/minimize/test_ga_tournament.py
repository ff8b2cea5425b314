"""The genetic algorithm with tournaments: its operators one by one, then what it finds."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.errors import OptionError
from zeroin.minimize import MINIMIZERS, Domain, Door, Minimum, Stop, TournamentGeneticAlgorithm, minimize, random_state
from zeroin.minimize.base import sample
from zeroin.minimize.ga_tournament import cross, mutate, winner
from zeroin.native.kernel import CELLS, address_of, cells_at
from zeroin.native.words import value_of_word
from zeroin.words import Kind, word_range

LOG = np.zeros(20_002, dtype=np.int64)  # whether values get better, how many evaluations; the first word of each
LOG_ADDRESS = LOG.ctypes.data
I32 = word_range(Kind.I32)


@cfunc(types.float64(CELLS))
def scripted(words: Any) -> float:
    """Each evaluation is worth more than the one before, or less; the first word is logged."""
    log = cells_at(LOG_ADDRESS)
    log[1] += 1
    log[1 + log[1]] = words[0]
    return 1.0 / log[1] if log[0] != 0 else float(log[1])


@cfunc(types.float64(CELLS))
def where(words: Any) -> float:
    """Logs the address that it is given."""
    log = cells_at(LOG_ADDRESS)
    log[1] += 1
    log[1 + log[1]] = address_of(words)
    return 1.0


@cfunc(types.float64(CELLS))
def easy(words: Any) -> float:
    return abs(value_of_word(0, words[0]) - 2.5) + abs(float(words[1]) + 12.0)


@cfunc(types.float64(CELLS))
def magic(words: Any) -> float:
    """How many words are wrong: no slope, only values of the pool get there."""
    return (0.0 if words[0] == 123_456_789 else 1.0) + (0.0 if words[1] == -987_654_321 else 1.0)


def evaluated(algorithm: TournamentGeneticAlgorithm, improving: bool, evaluations: int) -> list[int]:
    """The only word, in the order of the evaluations; it starts at 1000."""
    LOG[:2] = improving, 0
    door, domain = Door(scripted.address, 1), Domain((Kind.I32,), (I32,), ((),))
    door.open(evaluations)
    algorithm(door, domain, np.array([1000]), random_state([1]))
    return [int(w) for w in LOG[2 : 2 + int(LOG[1])]]


def reached(objective: Any, domain: Domain, seed: int, evaluations: int) -> Minimum:
    door, x, rng = Door(objective.address, 2), np.zeros(2, dtype=np.int64), random_state([seed])
    door.open(evaluations)
    sample(domain.native, x, rng)
    return minimize("ga-tournament", door, domain, x, rng)


def is_power_of_two(step: int) -> bool:
    return abs(step).bit_count() == 1


# ---- options ----


def test_defaults() -> None:
    assert MINIMIZERS["ga-tournament"] == TournamentGeneticAlgorithm(population=50, elite=1, tournament=2)


@pytest.mark.parametrize("options", [
    {"population": 0}, {"elite": 50}, {"elite": -1}, {"tournament": 0}, {"crossover": 1.5}, {"crossover": float("nan")},
    {"mutations": 0.0}, {"mutations": float("nan")}, {"redrawn": 0.6, "pooled": 0.6}, {"pooled": -0.1},
])  # fmt: skip
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        TournamentGeneticAlgorithm(**options)


# ---- operators ----


def test_a_tournament_favours_the_better_ones() -> None:
    rng = random_state([1])
    places = np.array([[winner(rng, 50, size) for _ in range(20_000)] for size in (1, 2, 5)])
    assert places.min() == 0
    assert places.max() == 49
    # The smallest of k draws from 0..49 is at least m with the chance (1 - m/50)**k.
    expected = [sum((1 - m / 50) ** size for m in range(1, 50)) for size in (1, 2, 5)]
    assert places.mean(axis=1) == pytest.approx(expected, abs=0.4)


def test_crossover_is_uniform() -> None:
    rng, a, b = random_state([1]), np.zeros(6, dtype=np.int64), np.ones(6, dtype=np.int64)
    found = np.zeros((4000, 6), dtype=np.int64)
    for child in found:
        cross(a, b, child, rng)
    assert found.mean(axis=0) == pytest.approx([0.5] * 6, abs=0.04)
    assert len({tuple(child) for child in found.tolist()}) == 2**6


def mutants(kind: Kind, pool: tuple[int, ...], start: int, rate: float, redrawn: float, pooled: float) -> list[int]:
    domain, rng = Domain((kind,) * 2, (word_range(kind),) * 2, (pool, ())).native, random_state([1])
    found = []
    for _ in range(2000):
        x = np.array([start, start])
        mutate(domain, x, rng, rate, redrawn, pooled)
        assert all(word_range(kind)[0] <= word <= word_range(kind)[1] for word in x.tolist())
        found += x.tolist()
    return found


def test_words_are_taken_from_their_own_pool_and_moved_where_it_is_empty() -> None:
    found = mutants(Kind.I32, (7, 70, 700), 0, 1.0, 0.0, 1.0)
    assert set(found[::2]) == {7, 70, 700}
    assert all(is_power_of_two(word) or word == I32[1] for word in found[1::2])


@pytest.mark.parametrize(("kind", "exponents"), [(Kind.I32, 32), (Kind.F64, 63), (Kind.BOOL, 1)])
def test_words_are_moved_by_powers_of_two_up_and_down(kind: Kind, exponents: int) -> None:
    found = mutants(kind, (), 0, 1.0, 0.0, 0.0)
    low, high = word_range(kind)
    assert {step for step in found if step not in (0, low, high)} == {
        sign << k for k in range(exponents) for sign in (1, -1) if low < sign << k < high
    }
    assert {low, high} <= set(found) or kind is Kind.F64, "moves stop at the ends"


def test_words_are_redrawn_from_the_whole_range() -> None:
    found = mutants(Kind.I16, (7,), 0, 1.0, 1.0, 0.0)
    assert len(set(found)) > 3500
    assert np.mean(found) == pytest.approx(0.0, abs=1500)
    assert np.std(found) == pytest.approx(65536 / 12**0.5, rel=0.05)


def test_rate_and_shares_are_kept() -> None:
    found = mutants(Kind.F64, (7,), 1 << 62, 0.25, 0.5, 0.25)
    changed = [word for word in found if word != 1 << 62]
    assert len(changed) / len(found) == pytest.approx(0.25, abs=0.03)
    assert found[::2].count(7) / (len(changed) / 2) == pytest.approx(0.25, abs=0.06)
    moved = [word for word in changed if is_power_of_two(word - (1 << 62)) or word == word_range(Kind.F64)[1]]
    assert len(moved) / len(changed) == pytest.approx(3 / 8, abs=0.06), "a quarter, and where the pool is empty a half"


# ---- generations ----

ONE_CHILD = TournamentGeneticAlgorithm(
    population=2, elite=1, tournament=64, redrawn=0.0, pooled=0.0
)  # of the better one


def test_the_best_is_never_lost() -> None:
    found = evaluated(ONE_CHILD, False, 5000)
    assert found[0] == 1000
    steps = [word - 1000 for word in found[2:]]
    assert len(steps) == 4998
    assert all(is_power_of_two(step) for word, step in zip(found[2:], steps, strict=True) if word not in I32)


def test_a_better_child_is_the_next_parent() -> None:
    found = evaluated(ONE_CHILD, True, 5000)[1:]
    steps = [b - a for a, b in pairwise(found) if b not in I32]
    assert all(is_power_of_two(step) for step in steps)
    assert len(steps) > 2000


def test_without_an_elite_the_best_is_lost() -> None:
    found = evaluated(
        TournamentGeneticAlgorithm(population=2, elite=0, tournament=64, redrawn=0.0, pooled=0.0), False, 100
    )
    assert not all(is_power_of_two(word - 1000) for word in found[2:] if word not in I32)


@pytest.mark.parametrize("elite", [1, 10])
def test_the_elite_is_not_evaluated_again(elite: int) -> None:
    """The start is the best, and mutation always changes it, so it is met once only."""
    found = evaluated(TournamentGeneticAlgorithm(elite=elite, tournament=64, redrawn=1.0, pooled=0.0), False, 2000)
    assert found.count(1000) == 1
    assert len(found) == 2000


def test_the_first_generation_is_the_start_and_drawn_ones() -> None:
    x, stream, expected = np.zeros(1, dtype=np.int64), random_state([1]), [1000]
    for _ in range(49):
        sample(Domain((Kind.I32,), (I32,), ((),)).native, x, stream)
        expected.append(int(x[0]))
    assert evaluated(TournamentGeneticAlgorithm(), False, 50) == expected


def test_it_evaluates_the_array_that_it_was_given() -> None:
    """A worker's parent reads there which inputs killed it."""
    LOG[1] = 0
    door, x = Door(where.address, 2), np.zeros(2, dtype=np.int64)
    door.open(500)
    minimize(
        "ga-tournament", door, Domain((Kind.F64,) * 2, (word_range(Kind.F64),) * 2, ((), ())), x, random_state([0])
    )
    assert set(LOG[2:502].tolist()) == {x.ctypes.data}


# ---- zeros ----


def test_every_seed_finds_an_easy_zero() -> None:
    domain = Domain((Kind.F64, Kind.I32), (word_range(Kind.F64), I32), ((), ()))
    for seed in range(5):
        assert reached(easy, domain, seed, 100_000).reason is Stop.ZERO, seed


def test_values_of_the_pool_are_used() -> None:
    kinds, ranges = (Kind.I32,) * 2, (I32,) * 2
    numbers = tuple(range(0, 50_000, 1000))
    with_values = Domain(kinds, ranges, ((*numbers, 123_456_789), (*numbers, -987_654_321)))
    for seed in range(5):
        assert reached(magic, with_values, seed, 100_000).reason is Stop.ZERO, seed
    assert reached(magic, Domain(kinds, ranges, (numbers, numbers)), 0, 100_000).reason is Stop.BUDGET
