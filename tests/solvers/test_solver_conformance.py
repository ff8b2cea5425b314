"""What every member of ``SOLVERS`` has to keep to; what it need not do it says itself."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable, Mapping
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from float_terms import less, number
from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.minimize import Door, Minimum
from zeroin.solvers import (
    SOLVERS,
    Answer,
    Proof,
    Query,
    Sat,
    Unknown,
    Unsat,
    chain,
    decorators,
    smt,
    solve,
    solver_named,
)
from zeroin.solvers.base import CompleteSolver, Search, SearchSolver
from zeroin.solvers.intervals import Intervals
from zeroin.solvers.mathematical_execution import MathematicalExecution
from zeroin.solvers.smt import Z3
from zeroin.solvers.solver_processes import Race
from zeroin.term.core import simplify
from zeroin.term.core.build import FALSE, RNE, TRUE, conjunction, disjunction, equal, negation
from zeroin.term.core.nodes import Op, SortError, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, STRING, bits

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
N, P, R = variable("n", INT), variable("p", BOOL), variable("r", REAL)
B, F, S = variable("b", bits(32)), variable("f", FLOAT32), variable("s", STRING)


MEMBERS = {name: make(0) for name, make in SOLVERS.items()}
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


def small() -> Budget:
    return Budget(evaluations=20_000, seconds=5.0)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_member_says_what_it_is(name: str) -> None:
    member = MEMBERS[name]
    assert member.name
    assert repr(member).startswith(f"{type(member).__name__}(")
    assert member.misses <= set(SATISFIABLE) - {"no variable", "nothing"}
    assert not (member.proves and isinstance(member, SearchSolver))


@pytest.mark.parametrize("what", SATISFIABLE)
@pytest.mark.parametrize("name", SOLVERS)
def test_what_can_be_satisfied_is_never_refuted(name: str, what: str) -> None:
    query = Query(tuple(SATISFIABLE[what]))
    answer = solver_named(name).solve(query, small())
    assert not isinstance(answer, Unsat)
    assert isinstance(answer, Sat) or what in MEMBERS[name].misses
    if isinstance(answer, Sat):
        assert query.holds(answer.model)
        assert set(answer.model) == {v.data for v in query.variables}
        assert answer.by
    else:
        assert answer.reason


@pytest.mark.parametrize("what", IMPOSSIBLE)
@pytest.mark.parametrize("name", SOLVERS)
def test_what_is_impossible_gets_no_model(name: str, what: str) -> None:
    """And a proof only of those that prove, or by simplification."""
    answer = solver_named(name).solve(Query(tuple(IMPOSSIBLE[what])), small())
    assert not isinstance(answer, Sat)
    assert isinstance(answer, Unsat) or not MEMBERS[name].proves
    if isinstance(answer, Unsat):
        assert MEMBERS[name].proves or answer.by == "simplification"
        assert answer.proof.method
        assert 0.0 <= answer.proof.seconds < small().seconds


@pytest.mark.parametrize("evaluations", [1, 10, 1000])
@pytest.mark.parametrize("name", [name for name, member in MEMBERS.items() if member.native])
def test_a_search_spends_its_evaluations_and_no_more(
    name: str, evaluations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its doors count is what it was allowed, for a query that Z3 does not refute over the reals."""
    counted, result_of = [], Door.result

    def result(door: Door) -> Minimum:
        counted.append(result_of(door).evaluations)
        return result_of(door)

    solver, query = solver_named(name), Query((less(number(2.0), make(Op.MATH, X, data="sin")),))
    monkeypatch.setattr(Door, "result", result)
    answer = solver.solve(query, Budget(evaluations, 60.0))
    assert isinstance(answer, Unknown)
    assert sum(counted) == evaluations


@pytest.mark.parametrize("name", [name for name, member in MEMBERS.items() if member.seeded])
def test_same_seed_same_model(name: str) -> None:
    query = Query((less(number(0.5), make(Op.MATH, X, data="sin")), less(X, Y)))

    def model(seed: int) -> Answer:
        return solver_named(name, seed).solve(query, Budget(50_000, 60.0))

    assert model(5) == model(5)


def test_the_portfolio_answers_them_all() -> None:
    for parts in SATISFIABLE.values():
        assert isinstance(solve(parts, Budget(seconds=10.0)), Sat)
    for parts in IMPOSSIBLE.values():
        assert isinstance(solve(parts, Budget(seconds=10.0)), Unsat)


class Proposes(SearchSolver):
    """Proposes values of x, one after the other."""

    name = "proposes"

    def __init__(self, *values: float) -> None:
        super().__init__()
        self.values = list(values)

    def search(self, query: Query, budget: Budget) -> Search:
        while self.values:
            yield {"x": self.values.pop(0)}
        return "no value is left"


class Claims(Proposes, CompleteSolver):
    """Says that it proves."""


@pytest.mark.parametrize("search", [Proposes(), Claims()])
def test_a_search_is_in_no_proof(search: SearchSolver) -> None:
    proof = Proof(Z3(), "SMT, QF_FP")
    with pytest.raises(TypeError, match="only a complete solver, or one that tried everything, proves"):
        Proof(search, "a hunch")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="only a complete solver, or one that tried everything, proves"):
        replace(proof, prover=search)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="only another proof"):
        replace(proof, prover=proof, confirmed_by=(search,))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="only another proof"):
        replace(proof, prover=proof, confirmed_by=(search.name,))  # type: ignore[arg-type]
    for claim in (search, search.name, type(search)):
        with pytest.raises(TypeError, match="needs the proof of a complete solver"):
            Unsat(claim)  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError):
        proof.solver = search.name  # type: ignore[misc]


def test_a_wrong_model_is_no_model() -> None:
    query = Query((less(number(1.0), X),))
    search = Proposes(0.0, math.nan, 2.0, 3.0)
    assert search.solve(query, small()) == Sat({"x": 2.0}, "proposes")
    assert search.values == [3.0]
    assert Proposes(0.0, 1.0).solve(query, small()) == Unknown("proposes: no value is left")


def test_without_variables_there_is_nothing_to_search_for() -> None:
    sine = make(Op.MATH, number(1.0), data="sin")
    true, false = Query((less(sine, number(1.0)),)), Query((less(number(1.0), sine),))
    assert Proposes(2.0).solve(true, small()) == Sat({}, "proposes")
    assert Proposes(2.0).solve(false, small()) == Unknown("proposes: there is nothing to search for")


def test_a_model_is_checked_where_it_is_made_and_where_it_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """And a query is simplified once."""
    checked, simplified = [], []
    holds, simplify_all = Query.holds, simplify.simplify_all

    def counting(query: Query, model: Mapping[str, Any]) -> bool:
        checked.append(holds(query, model))
        return checked[-1]

    def noting(constraints: Iterable[Term]) -> list[Term]:
        simplified.append(simplify_all(constraints))
        return simplified[-1]

    monkeypatch.setattr(Query, "holds", counting)
    monkeypatch.setattr(decorators, "simplify_all", noting)
    for check_proofs in (False, True):
        portfolio = solver_named("portfolio", check_proofs=check_proofs)
        checked.clear()
        simplified.clear()
        answer = portfolio.solve(Query((less(number(3.0), X),)), small())
        assert isinstance(answer, Sat)
        assert checked == [True, True]
        assert len(simplified) == 1


def test_the_composition_prints_as_it_is_written() -> None:
    """Without spaces and line ends, it is what stands in the source; and the printed text makes the same again."""
    search = "Limited(MathematicalExecution(5), share=0.25, seconds=0.25, size=1500)"
    racing = "Race(Bitwuzla(), Limited(MathematicalExecution(6), share=0.35), Cvc5(), Z3())"
    printed = f"Splitting(Stages({search}, Limited(Intervals(), share=0.2, seconds=2.0), {racing}))"
    assert repr(SOLVERS["portfolio"](5)) == printed
    assert repr(solver_named("portfolio", 5)) == f"Validating(Rewriting({printed}))"
    assert repr(solver_named("z3-reals")) == "Validating(Rewriting(Race(Z3(reals=True))))"
    names = (
        vars(decorators)
        | vars(smt)
        | {"Race": Race, "MathematicalExecution": MathematicalExecution, "Intervals": Intervals}
    )
    assert repr(eval(printed, names)) == printed
    written = "".join(inspect.getsource(chain.portfolio).partition("return ")[2].split()).replace(",))", "))")
    assert written.startswith("Splitting(Stages(Limited(MathematicalExecution(seed),share=0.25,seconds=0.25,size=1500)")


def test_what_is_worth_more_time_is_asked_of_the_walk_too() -> None:
    """Beside a minimizer and all provers, unless the query is about the bits of floats."""
    quick, further = repr(chain.exploration_solver(5)), repr(chain.thorough_exploration_solver(5))
    assert further.startswith(quick.removesuffix(")))"))
    racing = further[further.index("Race(") :]
    assert "ConcolicWalk(" not in quick
    for racer in ("Bitwuzla()", "MathematicalExecution(6)", "ConcolicWalk(5)", "Cvc5()", "Z3()"):
        assert racer in racing
    assert "Limited(ConcolicWalk(5), share=0.5, without=frozenset(" in racing


def test_explorations_refute_ints_in_this_process() -> None:
    """By the first prover that knows them; a search alone would look for a model until its budget is used up."""
    none = Query((make(Op.LT, N, constant(INT, 0)), make(Op.LT, constant(INT, 50), N)))
    answer = chain.exploration_solver(1).solve(none, Budget(10_000, 10.0))
    assert isinstance(answer, Unsat)
    assert isinstance(answer.proof, Proof)
    assert "int" not in next(one for one in smt.installed() if one.name == str(answer.proof.solver)).misses


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
