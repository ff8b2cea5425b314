"""What every solver has to keep to, a dummy among them."""

from __future__ import annotations

import math

import pytest

from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.minimize import Door, Minimum
from zeroin.solvers import SOLVERS, Answer, Query, Sat, Solver, Unknown, Unsat, solve, solver_named
from zeroin.solvers.base import CompleteSolver, Model, SearchSolver, Stopped
from zeroin.term.build import FALSE, RNE, TRUE, conjunction, disjunction, equal, negation
from zeroin.term.nodes import Op, SortError, Term, constant, make, variable
from zeroin.term.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, STRING, bits

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
N, P, R = variable("n", INT), variable("p", BOOL), variable("r", REAL)
B, F, S = variable("b", bits(32)), variable("f", FLOAT32), variable("s", STRING)


def number(value: float) -> Term:
    return constant(FLOAT64, value)


def less(a: Term, b: Term) -> Term:
    return make(Op.FP_LT, a, b)


class Guess(SearchSolver):
    """The dummy: all variables are plain values."""

    name = "guess"

    def search(self, query: Query, budget: Budget) -> Model | Stopped:
        model = query.completed({})
        return model if query.holds(model) else Stopped("the guess is wrong")


NAMES = [*SOLVERS, "guess"]
SATISFIABLE = {
    "float": [less(number(3.0), X)],
    "two floats": [less(X, Y), make(Op.FP_EQ, make(Op.FP_ADD, RNE, X, Y), number(10.0))],
    "single": [make(Op.FP_LE, constant(FLOAT32, 1.5), F)],
    "int": [make(Op.LT, constant(INT, 5), N)],
    "real": [make(Op.LT, constant(REAL, 5), R)],
    "bits": [make(Op.BV_ULT, constant(bits(32), 5), B)],
    "bool": [disjunction([P, less(X, number(-1.0))]), negation(less(X, number(0.0)))],
    "nan": [negation(make(Op.FP_EQ, X, X))],
    "no variable": [less(number(1.0), number(2.0))],
    "nothing": [],
    "function": [less(number(0.9), make(Op.MATH, X, data="sin"))],
    "string": [equal(S, constant(STRING, "a"))],
}
IMPOSSIBLE = {
    "interval": [less(X, number(1.0)), less(number(2.0), X)],
    "false": [FALSE],
    "both ways": [conjunction([P, negation(P)])],
    "sum": [less(X, number(1.0)), less(Y, number(1.0)), less(number(2.0), make(Op.FP_ADD, RNE, X, Y))],
}


# What a solver need not find; all else it has to.
MISSED = {
    "z3": {"function"}, "bitwuzla": {"function", "int", "real", "string"}, "cvc5": {"function"}, "z3-reals": {"nan"},
    "two-phase-random": {"nan"}, "two-phase-avm": {"nan"}, "two-phase-es": {"nan"}, "two-phase-ga": {"nan"},
    "concolic-walk": {"nan", "string"}, "concretisation": {"bits", "bool", "nan", "string"},
    "guess": {*SATISFIABLE} - {"no variable", "nothing"},
}  # fmt: skip
PROVING = {"portfolio", "z3", "bitwuzla", "cvc5"}


def made(name: str, seed: int = 0) -> Solver:
    return Guess(seed) if name == "guess" else solver_named(name, seed)


def small() -> Budget:
    return Budget(evaluations=20_000, seconds=5.0)


@pytest.mark.parametrize("what", SATISFIABLE)
@pytest.mark.parametrize("name", NAMES)
def test_what_can_be_satisfied_is_never_refuted(name: str, what: str) -> None:
    query = Query(tuple(SATISFIABLE[what]))
    answer = made(name).solve(query, small())
    assert not isinstance(answer, Unsat)
    assert isinstance(answer, Sat) or what in MISSED.get(name, ())
    if isinstance(answer, Sat):
        assert query.holds(answer.model)
        assert set(answer.model) == {v.data for v in query.variables}
        assert answer.by
    else:
        assert answer.reason


@pytest.mark.parametrize("what", IMPOSSIBLE)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_impossible_gets_no_model(name: str, what: str) -> None:
    answer = made(name).solve(Query(tuple(IMPOSSIBLE[what])), small())
    assert not isinstance(answer, Sat)
    assert isinstance(answer, Unsat) or name not in PROVING
    if isinstance(answer, Unsat):
        assert isinstance(answer.by, CompleteSolver)


@pytest.mark.parametrize("evaluations", [1, 10, 1000])
@pytest.mark.parametrize("name", [
    "two-phase-random", "two-phase-avm", "two-phase-es", "two-phase-ga", "concolic-walk", "mathematical-execution",
])  # fmt: skip
def test_a_search_spends_its_evaluations_and_no_more(
    name: str, evaluations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its doors count is what it was allowed, for a query that Z3 does not refute over the reals."""
    counted, result_of = [], Door.result

    def result(door: Door) -> Minimum:
        counted.append(result_of(door).evaluations)
        return result_of(door)

    solver, query = made(name), Query((less(number(2.0), make(Op.MATH, X, data="sin")),))
    solver.solve(query, Budget(1, 60.0))  # its native code is loaded once, which needs evaluations, too
    monkeypatch.setattr(Door, "result", result)
    answer = solver.solve(query, Budget(evaluations, 60.0))
    assert isinstance(answer, Unknown)
    assert sum(counted) == evaluations


@pytest.mark.parametrize("name", ["mathematical-execution", "concolic-walk", "concretisation", "two-phase-avm"])
def test_same_seed_same_model(name: str) -> None:
    query = Query((less(number(0.5), make(Op.MATH, X, data="sin")), less(X, Y)))

    def model(seed: int) -> Answer:
        return made(name, seed).solve(query, Budget(50_000, 60.0))

    assert model(5) == model(5)


def test_the_portfolio_answers_them_all() -> None:
    for parts in SATISFIABLE.values():
        assert isinstance(solve(parts, Budget(seconds=10.0)), Sat)
    for parts in IMPOSSIBLE.values():
        assert isinstance(solve(parts, Budget(seconds=10.0)), Unsat)


def test_a_search_can_not_say_unsat() -> None:
    with pytest.raises(TypeError, match="complete"):
        Unsat(Guess())  # type: ignore[arg-type]


def test_a_wrong_model_is_no_model() -> None:
    class Liar(SearchSolver):
        name = "liar"

        def search(self, query: Query, budget: Budget) -> Model | Stopped:
            return {"x": 0.0}

    assert Liar().solve(Query((less(number(1.0), X),)), small()) == Unknown("liar: what it found does not hold exactly")


def test_queries_are_checked() -> None:
    with pytest.raises(SortError, match="has to be Bool"):
        Query((X,))
    with pytest.raises(SortError, match="the variable x is"):
        Query((less(X, X), make(Op.LT, variable("x", INT), N)))
    with pytest.raises(OptionError, match="there are portfolio, z3"):
        solver_named("z4")


def test_a_model_has_all_variables() -> None:
    query = Query((disjunction([TRUE, less(X, Y)]), less(X, number(math.inf))))
    assert query.completed({"x": 1.0}) == {"x": 1.0}
