"""FloPSy's evolution strategy against its equations (Lakhotia et al. 2010, sections 2.4, 3.2 and 4.3)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.errors import OptionError
from zeroin.minimize import MINIMIZERS, Domain, Door, EvolutionStrategy, Minimum, Stop, minimize, random_state
from zeroin.minimize.base import normal, random_below, sample
from zeroin.minimize.es import MUTATIONS, RECOMBINATIONS, mutate_multi, mutate_single, rank, recombine, settle
from zeroin.native.kernel import CELLS, address_of, cells_at
from zeroin.native.words import value_of_word
from zeroin.objective.condition import Condition
from zeroin.term.core.nodes import Op, constant, make, variable
from zeroin.term.core.sorts import bits
from zeroin.words import Kind, decode, encode, word_range

LOG = np.zeros(20_002, dtype=np.int64)  # how the value goes on, how many evaluations; from each of these one number
LOG_ADDRESS = LOG.ctypes.data
CONSTANT, IMPROVING, WORSENING, INFINITE, NOT_A_NUMBER = range(5)


@cfunc(types.float64(CELLS))
def scripted(words: Any) -> float:
    """A value that depends on how many evaluations there were before; the first word is logged."""
    log = cells_at(LOG_ADDRESS)
    log[1] += 1
    log[1 + log[1]] = words[0]
    if log[0] == IMPROVING:
        return 1.0 / log[1]
    if log[0] == WORSENING:
        return float(log[1])
    return 1.0 if log[0] == CONSTANT else np.inf if log[0] == INFINITE else np.nan


@cfunc(types.float64(CELLS))
def where(words: Any) -> float:
    """Logs the address that it is given."""
    log = cells_at(LOG_ADDRESS)
    log[1] += 1
    log[1 + log[1]] = address_of(words)
    return 1.0


@cfunc(types.float64(CELLS))
def sphere(words: Any) -> float:
    return (value_of_word(0, words[0]) - 3.0) ** 2 + (value_of_word(0, words[1]) + 1.0) ** 2


@cfunc(types.float64(CELLS))
def beale(words: Any) -> float:
    return abs(1.5 - value_of_word(0, words[0]) * (1.0 - value_of_word(0, words[1])))


@cfunc(types.float64(CELLS))
def mixed(words: Any) -> float:
    return abs(value_of_word(0, words[0]) - 2.5) + abs(float(words[1]) + 12.0)


def domain_of(*kinds: Kind) -> Domain:
    return Domain(kinds, tuple(map(word_range, kinds)), ((),) * len(kinds))


PLANE = domain_of(Kind.F64, Kind.F64)


def reached(strategy: EvolutionStrategy, objective: Any, domain: Domain, seed: int, evaluations: int) -> Minimum:
    door, rng = Door(objective.address, len(domain.kinds)), random_state([seed])
    door.open(evaluations)
    x = np.zeros(len(domain.kinds), dtype=np.int64)
    sample(domain.native, x, rng)
    strategy(door, domain, x, rng)
    return door.result()


def evaluated(strategy: EvolutionStrategy, script: int, start: float, evaluations: int) -> list[float]:
    """The values of the only variable in the order of the evaluations."""
    LOG[:2] = script, 0
    door, domain = Door(scripted.address, 1), domain_of(Kind.F64)
    door.open(evaluations)
    strategy(door, domain, np.array([encode(Kind.F64, start)]), random_state([1]))
    return [float(decode(Kind.F64, word)) for word in LOG[2 : 2 + int(LOG[1])].tolist()]


# ---- options ----


def test_defaults_are_those_of_the_study() -> None:
    assert MINIMIZERS["es"] == EvolutionStrategy(15, 100, "global-discrete", "single")


@pytest.mark.parametrize(
    "options", [{"mu": 0}, {"lambda_": 0}, {"mu": 10**12}, {"recomb": "sexual"}, {"mut": "triple"}]
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        EvolutionStrategy(**options)


# ---- mutation ----


def test_normal_numbers() -> None:
    rng = random_state([2])
    numbers = np.array([normal(rng) for _ in range(50_000)])
    assert numbers.mean() == pytest.approx(0.0, abs=0.02)
    assert numbers.std() == pytest.approx(1.0, abs=0.02)
    assert (np.abs(numbers) > 1.96).mean() == pytest.approx(0.05, abs=0.005)
    assert np.corrcoef(numbers[1:], numbers[:-1])[0, 1] == pytest.approx(0.0, abs=0.02)


def test_single_mutation() -> None:
    """Equations 1 to 3, with the numbers that the stream gives."""
    v, sigma = np.array([1.0, -2.0, 3.0, 0.0]), np.array([0.5])
    stream = random_state([4])
    mutate_single(v, sigma, random_state([4]))
    sigma_new = 0.5 * math.exp(1 / math.sqrt(4) * normal(stream))
    assert sigma == pytest.approx([sigma_new], rel=1e-14)
    assert v == pytest.approx([old + sigma_new * normal(stream) for old in (1.0, -2.0, 3.0, 0.0)], rel=1e-12)


def test_multi_mutation() -> None:
    """Equations 4 to 7: one N(0, 1) for all, an N_i(0, 1) for each strategy parameter and another for each variable."""
    v, sigma = np.array([1.0, -2.0, 3.0]), np.array([0.5, 1.0, 8.0])
    stream = random_state([4])
    mutate_multi(v, sigma, random_state([4]))
    tau_0, tau = 1 / math.sqrt(2 * 3), 1 / math.sqrt(2 * math.sqrt(3))
    common = normal(stream)
    sigma_new = [s * math.exp(tau_0 * common + tau * normal(stream)) for s in (0.5, 1.0, 8.0)]
    assert sigma == pytest.approx(sigma_new, rel=1e-14)
    expected = [old + s * normal(stream) for old, s in zip((1.0, -2.0, 3.0), sigma_new, strict=True)]
    assert v == pytest.approx(expected, rel=1e-12)


def test_strategy_parameters_are_log_normal() -> None:
    """The exponent's deviation is tau; of multi its variance is tau_0**2 + tau**2, of which tau_0**2 is shared."""
    rng, n = random_state([5]), 4
    single, multi = np.ones((20_000, 1)), np.ones((20_000, n))
    for one, many in zip(single, multi, strict=True):
        mutate_single(np.zeros(n), one, rng)
        mutate_multi(np.zeros(n), many, rng)
    assert np.log(single).mean() == pytest.approx(0.0, abs=0.02)
    assert np.log(single).std() == pytest.approx(0.5, abs=0.02)
    covariance = np.cov(np.log(multi).T)
    assert np.diag(covariance) == pytest.approx([1 / 8 + 1 / 4] * n, abs=0.02)
    assert covariance[0, 1:] == pytest.approx([1 / 8] * (n - 1), abs=0.02)


# ---- recombination ----

PARENTS, VARIABLES = 4, 5


def children(recombination: str, strategy_parameters: int = VARIABLES) -> list[tuple[list[float], list[float]]]:
    """Variables and strategy parameters of 500 children; parent k has 2**k and -(2**k) everywhere, so that a value
    tells whose it is. What is not a parent has NaN."""
    v, sigma = np.full((PARENTS + 3, VARIABLES), np.nan), np.full((PARENTS + 3, strategy_parameters), np.nan)
    w = np.zeros(v.shape, dtype=np.int64)
    rows, rng = np.array([6, 1, 3, 0]), random_state([6])
    for k, row in enumerate(rows):
        v[row], sigma[row] = 2.0**k, -(2.0**k)
    found = []
    for _ in range(500):
        recombine(v, w, sigma, rows, 2, RECOMBINATIONS.index(recombination), rng)
        found.append((v[2].tolist(), sigma[2].tolist()))
    return found


SINGLES = {2.0**k for k in range(PARENTS)}
PAIRS = {(a + b) * 0.5 for a in SINGLES for b in SINGLES}


def test_without_recombination_a_child_is_a_copy() -> None:
    found = children("none")
    assert {(*v, *sigma) for v, sigma in found} == {(a,) * VARIABLES + (-a,) * VARIABLES for a in SINGLES}


def test_discrete_takes_from_either_of_two_parents() -> None:
    found = children("discrete")
    origins = [{*v, *(-s for s in sigma)} for v, sigma in found]
    assert {len(o) for o in origins} == {1, 2}
    assert set().union(*origins) == SINGLES
    assert any(len(set(v)) == 2 and len(set(sigma)) == 2 for v, sigma in found)
    lower = [v.count(min(o)) / VARIABLES for (v, _), o in zip(found, origins, strict=True) if len(o) == 2]
    assert np.mean(lower) == pytest.approx(0.5, abs=0.03), "both parents have the same chance"


def test_global_discrete_picks_parents_anew_for_each_variable_and_strategy_parameter() -> None:
    found = children("global-discrete")
    assert {value for v, sigma in found for value in (*v, *(-s for s in sigma))} == SINGLES
    assert max(len(set(v)) for v, _ in found) == max(len(set(sigma)) for _, sigma in found) == PARENTS
    firsts = [v[0] for v, _ in found]
    assert [firsts.count(a) / 500 for a in sorted(SINGLES)] == pytest.approx([0.25] * PARENTS, abs=0.06)


def test_intermediate_is_the_mean_of_two_parents() -> None:
    found = children("intermediate")
    assert {v[0] for v, _ in found} == PAIRS
    assert all(v == [v[0]] * VARIABLES and sigma == [-v[0]] * VARIABLES for v, sigma in found)


def test_global_intermediate_picks_two_parents_anew_for_each_variable_and_strategy_parameter() -> None:
    found = children("global-intermediate")
    assert {value for v, sigma in found for value in (*v, *(-s for s in sigma))} == PAIRS
    assert max(len(set(v)) for v, _ in found) == max(len(set(sigma)) for _, sigma in found) == VARIABLES


@pytest.mark.parametrize("recombination", RECOMBINATIONS)
def test_a_single_strategy_parameter_is_recombined_too(recombination: str) -> None:
    assert len({sigma[0] for _, sigma in children(recombination, 1)}) >= PARENTS


# ---- selection ----


def test_the_newer_of_equals_is_ranked_first() -> None:
    rows = np.array([2, 0, 1, 3, 4])
    rank(rows, np.array([1.0, 2.0, 0.5, 1.0, np.inf]))
    assert rows.tolist() == [2, 3, 0, 1, 4]


@pytest.mark.parametrize(
    ("script", "last_is_parent"),
    [(IMPROVING, True), (WORSENING, False), (CONSTANT, True), (INFINITE, True), (NOT_A_NUMBER, True)],
)
def test_generations(script: int, last_is_parent: bool) -> None:
    """Strategy parameters start at 1; three children of the parent; then the best of all four is the parent."""
    stream = random_state([1])
    values, parent = [0.25], (0.25, 1.0)
    for _ in range(4):
        for _ in range(3):
            random_below(stream, 1), random_below(stream, 1)  # who the parents are
            sigma = parent[1] * math.exp(normal(stream))
            values.append(parent[0] + sigma * normal(stream))
        if last_is_parent:
            parent = values[-1], sigma
    found = evaluated(EvolutionStrategy(1, 3, "none"), script, 0.25, 13)
    assert found == pytest.approx(values, rel=1e-9)


def test_the_best_is_never_lost() -> None:
    """The parents are worth 1 to 15, all children less: a child is at most one mutation away from a parent."""
    found = evaluated(EvolutionStrategy(), WORSENING, 1.0, 10_015)
    parents = np.array(found[:15])
    nearest = [np.abs(parents - value).min() for value in found[15:] if math.isfinite(value)]
    assert len(nearest) == 10_000
    assert max(nearest) < 2000.0  # sigma 1, tau 1: exp(4 N) * 4 N at most; without the parents sigma would drift


def test_the_first_parents_are_the_start_and_drawn_ones() -> None:
    found = evaluated(EvolutionStrategy(mu=15), CONSTANT, 1.0, 15)
    x, stream, expected = np.zeros(1, dtype=np.int64), random_state([1]), [1.0]
    for _ in range(14):
        sample(domain_of(Kind.F64).native, x, stream)
        expected.append(float(decode(Kind.F64, int(x[0]))))
    assert found == pytest.approx(expected, nan_ok=True)


# ---- values and words ----


def settled(kind: Kind, value: float, low: int | None = None, high: int | None = None) -> tuple[Any, float]:
    ends = word_range(kind)
    domain = Domain((kind,), ((ends[0] if low is None else low, ends[1] if high is None else high),), ((),))
    v, w, words = np.array([value]), np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    settle(domain.native, v, w, np.zeros(1), words)
    return decode(kind, int(words[0])), float(v[0] + w[0])


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (Kind.F64, 0.1, 0.1), (Kind.F64, math.inf, math.inf), (Kind.F32, 0.1, float(np.float32(0.1))),
        (Kind.F32, 1e300, math.inf), (Kind.I32, 2.6, 3), (Kind.I32, -2.6, -3), (Kind.I32, 0.4, 0),
        (Kind.I8, 1e9, 127), (Kind.I8, -math.inf, -128), (Kind.U8, -3.0, 0), (Kind.BOOL, 0.7, 1),
        (Kind.I64, 1e300, 2**63 - 1), (Kind.INT, math.nan, 0), (Kind.CHAR, -1.0, 0),
    ],
)  # fmt: skip
def test_an_individual_is_what_was_evaluated(kind: Kind, value: float, expected: float) -> None:
    assert settled(kind, value) == (expected, float(expected))


@pytest.mark.parametrize("recombination", ["discrete", "intermediate"])
def test_integers_of_64_bits_keep_all_bits(recombination: str) -> None:
    """The sum of two odd ones is halved exactly: it differs from both, and a double could not tell it from them."""
    a, b = (1 << 62) + 1, (1 << 62) + 6
    v, w = np.zeros((3, 1)), np.array([[a], [b], [0]])
    found = set()
    for seed in range(30):
        rng = random_state([seed])
        recombine(v, w, np.ones((3, 1)), np.array([0, 1]), 2, RECOMBINATIONS.index(recombination), rng)
        found.add((int(w[2, 0]), float(v[2, 0])))
    copies, middle = {(a, 0.0), (b, 0.0)}, ((1 << 62) + 3, 0.5)
    assert found == (copies if recombination == "discrete" else {*copies, middle})


@pytest.mark.parametrize(
    ("word", "step", "expected"),
    [
        ((1 << 62) + 1, 1.0, (1 << 62) + 2), ((1 << 62) + 1, -2.4, (1 << 62) - 1), (2**63 - 2, 5.0, 2**63 - 1),
        (-(2**63) + 2, -5.0, -(2**63)), (3, 1e300, 2**63 - 1), (3, -1e300, -(2**63)), (3, math.nan, 0),
    ],
)  # fmt: skip
def test_steps_of_integers_are_exact_and_end_at_the_range(word: int, step: float, expected: int) -> None:
    domain = Domain((Kind.I64,), (word_range(Kind.I64),), ((),))
    v, w, words = np.zeros(1), np.array([word]), np.zeros(1, dtype=np.int64)
    settle(domain.native, v, w, np.array([step]), words)
    assert (int(words[0]), int(w[0]), float(v[0])) == (expected, expected, 0.0)


@pytest.mark.parametrize("recombination", RECOMBINATIONS)
def test_an_equation_of_64_bits_is_solved(recombination: str) -> None:
    """The nearest doubles of the solution are 256 apart, so an individual of doubles never has it."""
    n, wanted = variable("n", bits(64)), (1 << 60) + 77
    condition = Condition([make(Op.EQUAL, n, constant(bits(64), wanted))])
    for seed in range(10):
        door, x = condition.door(), np.array([(1 << 60) - 1000])
        door.open(50_000)
        found = minimize(f"es(recomb={recombination})", door, condition.domain, x, random_state([seed]))
        assert (found.value, found.words) == (0.0, (wanted,))


def test_nan_stays_nan() -> None:
    assert all(math.isnan(value) for value in settled(Kind.F64, math.nan))


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_a_range_of_finite_doubles_is_kept(value: float) -> None:
    low, high = (encode(Kind.F64, end) for end in (-1e10, 1e10))
    assert settled(Kind.F64, value, low, high) == (1e10, 1e10)
    assert settled(Kind.F64, -1e11, low, high) == (-1e10, -1e10)


def test_an_integer_range_without_zero_is_kept() -> None:
    assert settled(Kind.I32, math.nan, 5, 9) == (5, 5.0)


def test_it_evaluates_the_array_that_it_was_given() -> None:
    """A worker's parent reads there which inputs killed it."""
    LOG[1] = 0
    door, x = Door(where.address, 2), np.zeros(2, dtype=np.int64)
    door.open(500)
    minimize("es", door, PLANE, x, random_state([0]))
    assert set(LOG[2:502].tolist()) == {x.ctypes.data}


# ---- minima ----


@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("recombination", RECOMBINATIONS)
def test_sphere(recombination: str, mutation: str) -> None:
    strategy = EvolutionStrategy(recomb=recombination, mut=mutation)
    for seed in range(5):
        assert reached(strategy, sphere, PLANE, seed, 100_000).value < 1e-6, seed


@pytest.mark.parametrize(("objective", "domain"), [(beale, PLANE), (mixed, domain_of(Kind.F64, Kind.I32))])
def test_zeros_are_found(objective: Any, domain: Domain) -> None:
    for seed in range(5):
        assert reached(EvolutionStrategy(), objective, domain, seed, 100_000).reason is Stop.ZERO, seed
