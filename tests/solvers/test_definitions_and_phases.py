"""Definitions are eliminated; the two phases change what depends on floats, and nothing else."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from float_terms import add, number
from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.solvers import solver_named, two_phase
from zeroin.solvers.base import Model, Query, Sat, Unknown
from zeroin.solvers.definitions import completed, eliminated
from zeroin.solvers.smt import Z3
from zeroin.solvers.two_phase import TwoPhase, dependent
from zeroin.term.core.build import RNE, disjunction
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import FLOAT64, INT, REAL

A, B, C, D = (variable(name, FLOAT64) for name in "abcd")
N, M, K = (variable(name, INT) for name in "nmk")


def test_a_chain_of_definitions_leaves_one_variable() -> None:
    query = Query((
        make(Op.EQUAL, C, add(B, number(1.0))),
        make(Op.EQUAL, add(A, A), B),
        make(Op.FP_LT, number(10.0), C),
    ))  # fmt: skip
    reduced, definitions = eliminated(query)
    assert reduced.variables == (A,)
    assert [v for v, _ in definitions] == [B, C]
    assert len(reduced.constraints) == 1
    model = completed({"a": 6.0}, definitions, query)
    assert model == {"a": 6.0, "b": 12.0, "c": 13.0}
    assert query.holds(model)
    assert reduced.holds({"a": 6.0})
    assert not reduced.holds({"a": 4.0})


def test_circles_stay() -> None:
    query = Query((make(Op.EQUAL, A, add(B, number(1.0))), make(Op.EQUAL, B, add(A, number(-1.0)))))
    reduced, definitions = eliminated(query)
    assert len(definitions) == 1
    assert len(reduced.variables) == 1
    assert query.holds(completed({"a": 3.0, "b": 3.0} | {reduced.variables[0].data: 3.0}, definitions, query))
    own = Query((make(Op.EQUAL, A, add(A, A)),))
    assert eliminated(own) == (own, [])


def test_two_definitions_of_one_variable_have_to_agree() -> None:
    query = Query((make(Op.EQUAL, A, add(B, B)), make(Op.EQUAL, A, add(C, number(1.0)))))
    reduced, definitions = eliminated(query)
    assert [v for v, _ in definitions] == [A]
    assert set(reduced.variables) == {B, C}
    assert reduced.holds({"b": 1.0, "c": 1.0})
    assert not reduced.holds({"b": 1.0, "c": 2.0})


def test_what_was_compared_must_not_be_nan() -> None:
    query = Query((make(Op.FP_EQ, A, add(B, C)),))
    reduced, _ = eliminated(query)
    assert not reduced.holds({"b": math.inf, "c": -math.inf})
    assert reduced.holds({"b": 1.0, "c": 2.0})


class Told:
    """A first phase that says what it is told."""

    def __init__(self, status: str, model: Model | None) -> None:
        self.status, self.model = status, model

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]:
        return self.status, self.model


def less(a: Term, b: Term) -> Term:
    return make(Op.LT, a, b)


def test_dependencies_are_transitive() -> None:
    """n meets a float in one constraint and m in another; k is on its own."""
    floats = make(Op.FP_LT, A, make(Op.INT_TO_FP, RNE, N, data=FLOAT64))
    linked, alone = less(M, N), less(constant(INT, 5), K)
    assert dependent([alone, floats, linked]) == [floats, linked]


@pytest.mark.parametrize("arithmetic", ["random", "avm-paper", "es", "ga"])
def test_only_what_depends_on_floats_is_corrected(arithmetic: str) -> None:
    """Section 3.1's example: the model of the reals has sin(0) = 1."""
    sine = make(Op.FP_LT, number(0.0), make(Op.MATH, A, data="sin"))
    query = Query((sine, less(constant(INT, 5), K)))
    answer = TwoPhase(1, arithmetic, Told("sat", {"a": 0.0, "k": 77})).solve(query, Budget(100_000, 60.0))
    assert isinstance(answer, Sat)
    assert answer.model["k"] == 77
    assert math.sin(answer.model["a"]) > 0.0
    assert answer.by == f"two-phase-{arithmetic}"


@pytest.mark.parametrize("arithmetic", ["avm-paper", "es", "ga-tournament(pooled=0)"])
def test_a_zero_that_holds_only_in_doubles_does_not_end_the_second_phase(arithmetic: str) -> None:
    """fl(3 * fl(1/3)) is 1, but no double is a third; the first phase proposes that one."""
    r = variable("r", REAL)
    third = make(Op.EQUAL, make(Op.MUL, constant(REAL, 3), r), constant(REAL, 1))
    square = make(Op.EQUAL, make(Op.MUL, r, r), constant(REAL, Fraction(25, 4)))
    first = Told("sat", {"r": Fraction(1 / 3)})
    answer = TwoPhase(0, arithmetic, first).solve(Query((disjunction([third, square]),)), Budget(100_000, 60.0))
    assert isinstance(answer, Sat)
    assert abs(answer.model["r"]) == Fraction(5, 2)


@pytest.mark.parametrize(("arithmetic", "seeded"), [
    ("avm-paper", "avm-paper(pools=true)"), ("es(mu=500)", "es(mu=500, pools=true)"),
])  # fmt: skip
def test_constants_of_the_query_are_no_starts_of_the_papers_minimizers(arithmetic: str, seeded: str) -> None:
    """Only the constant itself satisfies it, and no slope leads there."""
    needle = number(1.2345678901234567e123)
    query = Query((make(Op.FP_EQ, make(Op.FP_MUL, RNE, make(Op.FP_SUB, RNE, A, needle), number(1e300)), number(0.0)),))
    told = Told("sat", {"a": math.nan})
    budget = Budget(100_000, 60.0)
    assert isinstance(TwoPhase(0, seeded, told).solve(query, budget), Sat)
    assert isinstance(TwoPhase(0, arithmetic, told).solve(query, budget), Unknown)


def test_an_unknown_minimizer_is_refused() -> None:
    with pytest.raises(OptionError, match="es has no parameter 'x'"):
        TwoPhase(0, "es(x=1)", Told("unknown", None))


def test_a_first_model_that_holds_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    query = Query((make(Op.FP_LT, number(1.0), A),))
    kept = TwoPhase(0, "es", Told("sat", {"a": 9.0}))
    kept.ready()
    monkeypatch.setattr(two_phase, "minimize", None)  # there is no second phase
    assert kept.solve(query, Budget()) == Sat({"a": 9.0}, "two-phase-es")


def test_no_second_phase_mends_what_has_no_floats() -> None:
    query = Query((make(Op.FP_LT, number(1.0), A), less(constant(INT, 5), K)))
    solver = TwoPhase(0, "random", Told("unknown", {"a": 0.0, "k": 5}))
    answer = solver.solve(query, Budget(1 << 40, 600.0))
    assert isinstance(answer, Unknown)
    assert "no float constraint can be corrected" in answer.reason


def test_unsatisfiable_reals_prove_nothing_about_floats() -> None:
    """a + 1 == a has no real solution, and 2**53 in floats."""
    query = Query((make(Op.FP_EQ, add(A, number(1.0)), A),))
    answer = TwoPhase(0, "avm-paper", Z3(reals=True)).solve(query, Budget())
    assert isinstance(answer, Unknown)
    assert "no solution over the reals" in answer.reason


def test_z3_is_the_first_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    query = Query((make(Op.FP_EQ, add(A, B), number(10.0)), make(Op.FP_LT, A, B)))
    solver = solver_named("two-phase-random")
    monkeypatch.setattr(two_phase, "minimize", None)  # there is no second phase
    answer = solver.solve(query, Budget())
    assert isinstance(answer, Sat)
    assert answer.model["a"] + answer.model["b"] == 10.0
