"""What every minimizer owes its callers; a dummy that only evaluates is held to the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from zeroin.distance import EQ, ulp
from zeroin.errors import OptionError
from zeroin.minimize import (
    MINIMIZERS,
    AlternatingVariables,
    BasinHopping,
    Domain,
    Door,
    EvolutionStrategy,
    GeneticAlgorithm,
    Stop,
    TournamentGeneticAlgorithm,
    minimize,
    minimizer_named,
    random_state,
)
from zeroin.minimize.base import evaluate, is_open
from zeroin.native.kernel import CELLS, cells_at
from zeroin.words import Kind, encode, word_range

KINDS = (Kind.F64, Kind.I16)
RANGES = tuple(word_range(kind) for kind in KINDS)
TARGET = (encode(Kind.F64, 1.5), 77)
LOG = np.zeros(1 + 2 * 200_000, dtype=np.int64)
LOG_ADDRESS = LOG.ctypes.data


def dummy(door: Any, domain: Any, x: Any, rng: Any) -> None:
    """The least a minimizer can do: evaluate its start until the door closes."""
    while is_open(door.native):
        door.evaluate(tuple(int(w) for w in x))


WITH_PARAMETERS = [
    "avm-paper(fixed=2, restart=random)", "avm-paper(prec_double=3, prec_float=2, restart=local)",
    "avm-paper(restart=global, pools=true)", "basinhopping(n_start=500, n_iter=5, local=powell)",
    "basinhopping(n_iter=0, local=bfgs, pools=true)", "es(mu=3, lambda=9, recomb=none, mut=multi)",
    "es(recomb=global-intermediate, pools=true)", "ga(populations=2, size=7)",
    "ga(populations=4, size=10, pressure=2.0, elite=0.0, competition=1, migration=1, exchange=0.5)",
    "ga-tournament(population=5, elite=1, tournament=3, crossover=0.5, mutations=2.0, redrawn=0.5, pooled=0.0)",
]  # fmt: skip
ALL = [*MINIMIZERS, *WITH_PARAMETERS, "dummy"]


@cfunc(types.float64(CELLS))
def bowl(words: Any) -> float:
    """Distance to TARGET in both words, logged."""
    log = cells_at(LOG_ADDRESS)
    count = log[0]
    log[1 + 2 * count] = words[0]
    log[2 + 2 * count] = words[1]
    log[0] = count + 1
    return ulp(EQ, words[0], TARGET[0]) + ulp(EQ, words[1], TARGET[1])


@cfunc(types.float64(CELLS))
def flat(words: Any) -> float:
    """No zero anywhere."""
    log = cells_at(LOG_ADDRESS)
    count = log[0]
    log[1 + 2 * count] = words[0]
    log[2 + 2 * count] = words[1]
    log[0] = count + 1
    return 1.0


@cfunc(types.float64(CELLS))
def hopeless(words: Any) -> float:
    return np.inf


@pytest.fixture(params=ALL)
def name(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setitem(MINIMIZERS, "dummy", dummy)
    LOG[0] = 0
    return str(request.param)


def run(name: str, objective: Any, evaluations: int, seed: int = 0) -> Any:
    door = Door(objective.address, 2)
    door.open(evaluations)
    domain = Domain(KINDS, RANGES, ((0,), (0, 1)))
    return minimize(name, door, domain, np.array([0, 5], dtype=np.int64), random_state([seed]))


def logged() -> list[tuple[int, int]]:
    count = int(LOG[0])
    return [(int(a), int(b)) for a, b in LOG[1 : 1 + 2 * count].reshape(-1, 2)]


def test_uses_the_budget_and_not_one_more(name: str) -> None:
    result = run(name, flat, 777)
    assert result.reason is Stop.BUDGET
    assert result.evaluations == len(logged()) == 777
    assert result.value == 1.0


def test_an_objective_may_be_infinite_everywhere(name: str) -> None:
    result = run(name, hopeless, 500)
    assert (result.reason, result.evaluations, result.value) == (Stop.BUDGET, 500, np.inf)


def test_starts_at_the_start(name: str) -> None:
    run(name, flat, 10)
    assert (logged()[0] == (0, 5)) == (name != "random")


def test_stays_in_the_ranges(name: str) -> None:
    run(name, flat, 2000)
    for words in logged():
        assert all(low <= word <= high for word, (low, high) in zip(words, RANGES, strict=True))


def test_same_stream_same_evaluations(name: str) -> None:
    run(name, flat, 500, seed=3)
    first = logged()
    LOG[0] = 0
    run(name, flat, 500, seed=3)
    assert logged() == first


def test_reports_the_best_words(name: str) -> None:
    result = run(name, bowl, 300)
    values = [ulp(EQ, a, TARGET[0]) + ulp(EQ, b, TARGET[1]) for a, b in logged()]
    assert result.value == min(values)
    assert result.words == logged()[values.index(min(values))]


@pytest.mark.parametrize("searcher", ["avm", "avm-paper"])
def test_searchers_find_the_bottom_of_a_bowl(searcher: str) -> None:
    LOG[0] = 0
    result = run(searcher, bowl, 5000)
    assert result.reason is Stop.ZERO
    assert result.words == TARGET
    assert logged()[-1] == TARGET


def test_a_closed_door_lets_nothing_through() -> None:
    LOG[0] = 0
    door = Door(bowl.address, 2)
    assert door.evaluate((0, 0)) == np.inf
    door.open(1)
    assert door.evaluate((0, 0)) > 0
    assert door.evaluate(TARGET) == np.inf
    assert len(logged()) == 1
    assert evaluate(door.native, np.array(TARGET)) == np.inf


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match="there are avm"):
        run("magic", flat, 1)


def test_no_evaluations_is_no_evaluations(name: str) -> None:
    assert run(name, flat, 0).evaluations == 0
    assert logged() == []


# ---- paper modes ----


@pytest.mark.parametrize(("paper", "seeded"), [
    ("avm-paper", "avm-paper(pools=true)"), ("es(mu=500)", "es(mu=500, pools=true)"),
    ("ga-tournament(pooled=0)", "ga-tournament"), ("basinhopping(n_iter=0)", "basinhopping(n_iter=0, pools=true)"),
])  # fmt: skip
def test_papers_start_without_constants_of_the_subject(paper: str, seeded: str) -> None:
    """Nothing but the pool leads to this word."""
    constant = encode(Kind.F64, 1.2345678901234567e123)
    domain = Domain(KINDS, RANGES, ((constant,), ()))

    def met(name: str) -> bool:
        LOG[0] = 0
        door = Door(flat.address, 2)
        door.open(20_000)
        minimize(name, door, domain, np.array([0, 5], dtype=np.int64), random_state([1]))
        return constant in [first for first, _ in logged()]

    assert met(seeded)
    assert not met(paper)


# ---- names with parameters ----


def test_parameters_are_read() -> None:
    assert minimizer_named("es( mu=3,lambda = 9 , recomb=none, mut=multi)") == EvolutionStrategy(3, 9, "none", "multi")
    assert minimizer_named("avm-paper()") == AlternatingVariables()
    assert minimizer_named("ga(populations=2, size=7)") == GeneticAlgorithm(2, 7)
    assert minimizer_named("ga-tournament(crossover=0.5)") == TournamentGeneticAlgorithm(crossover=0.5)
    assert minimizer_named("basinhopping(n_start=1,n_iter=0,local=bfgs,pools=true)") == BasinHopping(1, 0, "bfgs", True)


@pytest.mark.parametrize(("text", "message"), [
    ("magic(mu=3)", "no minimizer 'magic'; there are avm, avm-paper"),
    ("es(mu=3", "no minimizer 'es(mu=3'"),
    ("es(parents=3)", "es has no parameter 'parents'; there are mu, lambda, recomb, mut, pools"),
    ("avm(k=1)", "avm has no parameter 'k'; it has none"),
    ("random(seed=1)", "random has no parameter 'seed'; it has none"),
    ("es(mu)", "give parameters as name=value"),
    ("es(mu=)", "give parameters as name=value"),
    ("es(mu=3,)", "give parameters as name=value"),
    ("es(mu=3,mu=4)", "mu is given twice"),
    ("es(mu=nan)", "es: mu=nan: give a whole number"),
    ("es(mu=1.5)", "es: mu=1.5: give a whole number"),
    ("es(mu=0)", "es: mu must be from 1 to"),
    ("es(lambda=-1)", "es: lambda must be from 1 to"),
    ("es(pools=yes)", "es: pools=yes: give true or false"),
    ("es(mut=triple)", "es: no mut 'triple'; there are single, multi"),
    ("ga-tournament(crossover=nan)", "ga-tournament: the chance of a crossover"),
    ("ga-tournament(mutations=inf)", "ga-tournament: the number of mutations"),
    ("ga-tournament(mutations=many)", "ga-tournament: mutations=many: give a number"),
    ("ga(populations=0)", "ga: give at least 1 population of 5 individuals"),
    ("ga(size=4)", "ga: give at least 1 population of 5 individuals"),
    ("ga(populations=1000,size=1001)", "and at most 1,000,000 in total"),
    ("ga(pressure=nan)", "ga: the selection pressure must be from 1 to 2"),
    ("ga(elite=1)", "ga: the elite must be at least 0 and less than 1"),
    ("ga(migration=0)", "ga: competition and migration must come after at least 1 generation"),
    ("ga(exchange=0.6)", "ga: exchange must be from 0 to 0.5"),
    ("ga(pooled=0)", "ga has no parameter 'pooled'"),
    ("avm-paper(fixed=16)", "avm-paper: fixed must be from 0 to 15, or -1, not 16"),
    ("basinhopping(local=magic)", "basinhopping: no local 'magic'; there are powell"),
    ("basinhopping(n_start=inf)", "basinhopping: n_start=inf: give a whole number"),
    ("avm-paper(prec_double=16)", "avm-paper: prec_double must be from 0 to 15, not 16"),
    ("avm-paper(restart=never)", "avm-paper: no restart 'never'"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(OptionError) as told:
        minimizer_named(text)
    assert message in str(told.value)
    assert "\n" not in str(told.value)
