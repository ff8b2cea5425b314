"""The three wheels: answers, models, and what is no proof."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import pytest

from float_terms import less
from zeroin.config import Budget
from zeroin.errors import MissingDependency
from zeroin.solvers.base import Proof, Query, Sat, Unknown, Unsat
from zeroin.solvers.smt import Z3, Bitwuzla, Cvc5, SmtSolver
from zeroin.solvers.solver_processes import Race
from zeroin.term.core.build import FALSE, RNE, RTP, TRUE, equal, negation
from zeroin.term.core.evaluate import Map
from zeroin.term.core.nodes import Op, Rounding, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, array, bits

WHEELS = (Z3, Bitwuzla, Cvc5)
BUDGET = Budget(seconds=20)
X, Y = variable("x", FLOAT64), variable("a value", FLOAT64)
ONE = constant(FLOAT64, 1.0)


def sine(a: Term) -> Term:
    return make(Op.MATH, a, data="sin")


SATISFIABLE = {
    "sum": (make(Op.FP_EQ, make(Op.FP_ADD, RNE, X, Y), constant(FLOAT64, 3.5)), less(X, Y)),
    "nan": (make(Op.FP_IS_NAN, X), equal(Y, constant(FLOAT64, -0.0))),
    "infinite": (make(Op.FP_IS_INF, X), less(X, ONE)),
    "subnormal": (make(Op.FP_IS_SUBNORMAL, X), equal(make(Op.FP_TO_BITS, X), variable("b", bits(64)))),
    "rounding": (equal(variable("r", ROUNDING), RTP), variable("p", BOOL)),
    "single": (less(variable("s", FLOAT32), constant(FLOAT32, -1e30)),),
    "array": (make(Op.FP_IS_NAN, make(Op.SELECT, variable("t", array(bits(8), FLOAT32)), constant(bits(8), 3))),),
    "nothing": (TRUE,),
}
UNSATISFIABLE = {
    "order": (less(X, Y), less(Y, X)),
    "false": (FALSE,),
    "function": (less(sine(X), ONE), negation(less(sine(X), ONE))),
    "bits": (make(Op.BV_ULT, variable("b", bits(8)), constant(bits(8), 0)),),
}
PROOFS = {
    "order": ("QF_FP",), "false": ("QF_UF",), "bits": ("QF_BV",),
    "function": ("QF_UFFP", "sin is a function: equal numbers, equal values"),
}  # fmt: skip


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("name", SATISFIABLE)
def test_models_hold(wheel: type[SmtSolver], name: str) -> None:
    query = Query(SATISFIABLE[name])
    answer = wheel().solve(query, BUDGET)
    assert isinstance(answer, Sat), answer
    assert answer.by == wheel.name
    assert query.holds(answer.model)
    assert set(answer.model) == {v.data for v in query.variables}


@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("name", UNSATISFIABLE)
def test_unsat_is_proved(wheel: type[SmtSolver], name: str) -> None:
    """The proof says in which logic, and what it takes a function for."""
    solver, (logic, *assumed) = wheel(), PROOFS[name]
    answer = solver.solve(Query(UNSATISFIABLE[name]), BUDGET)
    assert answer == Unsat(Proof(solver, f"SMT, {logic}", assumptions=tuple(assumed)))
    assert isinstance(answer, Unsat)
    assert 0.0 < answer.proof.seconds < BUDGET.seconds


@pytest.mark.parametrize("wheel", [Z3, Cvc5])
@pytest.mark.parametrize(("sort", "op", "value"), [
    (REAL, Op.ADD, Fraction(-1, 3)), (INT, Op.ADD, -7), (STRING, Op.STR_CONCAT, 'a\\u{41}"é'), (INT, Op.ADD, 10**30),
])  # fmt: skip
def test_values_of_other_sorts(wheel: type[SmtSolver], sort: Any, op: Op, value: Any) -> None:
    v, known = variable("v", sort), constant(sort, value)
    answer = wheel().solve(Query((equal(make(op, v, v), make(op, known, known)),)), BUDGET)
    assert isinstance(answer, Sat)
    assert answer.model == {"v": value}


@pytest.mark.parametrize("wheel", [Z3, Cvc5])
def test_arrays_are_maps(wheel: type[SmtSolver]) -> None:
    table = variable("t", array(INT, INT))
    parts = [equal(make(Op.SELECT, table, constant(INT, k)), constant(INT, k * k)) for k in (-2, 3)]
    answer = wheel().solve(Query(tuple(parts)), BUDGET)
    assert isinstance(answer, Sat)
    found = answer.model["t"]
    assert isinstance(found, Map)
    assert [found.at(k) for k in (-2, 3)] == [4, 9]


def test_bitwuzla_has_no_numbers() -> None:
    answer = Bitwuzla().solve(Query((make(Op.LT, variable("i", INT), constant(INT, 0)),)), BUDGET)
    assert isinstance(answer, Unknown)
    assert "Int" in answer.reason


@pytest.mark.parametrize("wheel", WHEELS)
def test_a_function_that_is_only_called_needs_no_model_of_it(wheel: type[SmtSolver]) -> None:
    answer = wheel().solve(Query((equal(sine(X), constant(FLOAT64, 5.0)),)), BUDGET)
    assert isinstance(answer, Unknown)
    assert "sin" in answer.reason


ABSORBED = Query((make(Op.FP_EQ, make(Op.FP_ADD, RNE, X, ONE), X), negation(make(Op.FP_IS_INF, X))))


@pytest.mark.parametrize("wheel", [Z3, Cvc5])
def test_no_solution_over_the_reals_is_no_proof(wheel: type[SmtSolver]) -> None:
    solver = wheel(reals=True)
    answer = solver.solve(ABSORBED, BUDGET)
    assert isinstance(answer, Unknown)
    assert "no proof" in answer.reason
    assert solver.relaxed(ABSORBED, BUDGET) == ("unsat", None)
    assert isinstance(wheel().solve(ABSORBED, BUDGET), Sat)


@pytest.mark.parametrize("wheel", [Z3, Cvc5])
def test_the_model_of_the_reals_is_there_even_if_it_does_not_hold(wheel: type[SmtSolver]) -> None:
    tenth = make(Op.FP_DIV, RNE, ONE, constant(FLOAT64, 10.0))
    query = Query((equal(make(Op.FP_MUL, RNE, tenth, constant(FLOAT64, 3.0)), X), equal(X, Y), less(sine(X), Y)))
    status, model = wheel().relaxed(query, BUDGET)
    assert status == "sat"
    assert model is not None
    assert math.isclose(model["x"], 0.3)
    answer = wheel(reals=True).solve(query, BUDGET)
    assert isinstance(answer, Unknown)
    assert "does not hold in floats" in answer.reason


def test_a_real_beyond_the_floats_is_the_largest() -> None:
    big = make(Op.FP_MUL, RNE, constant(FLOAT32, 3e38), constant(FLOAT32, 3e38))
    status, model = Z3().relaxed(Query((equal(variable("s", FLOAT32), big),)), BUDGET)
    assert (status, model) == ("sat", {"s": 3.4028234663852886e38})


@pytest.mark.parametrize("reals", [False, True])
def test_unsat_is_a_proof_where_there_are_no_floats(reals: bool) -> None:
    q = variable("q", REAL)
    solver = Z3(reals=reals)
    assert solver.solve(Query((make(Op.LT, q, q),)), BUDGET) == Unsat(Proof(solver, "SMT, QF_LRA"))


def test_a_root_that_is_no_fraction_is_unknown() -> None:
    q = variable("q", REAL)
    query = Query((equal(make(Op.MUL, q, q), constant(REAL, 2)), make(Op.LT, constant(REAL, 0), q)))
    assert isinstance(Z3().solve(query, BUDGET), Unknown)
    status, model = Z3().relaxed(query, BUDGET)
    assert status == "sat"
    assert model is not None
    assert math.isclose(model["q"], math.sqrt(2))


@pytest.mark.parametrize("wheel", WHEELS)
def test_the_time_is_kept(wheel: type[SmtSolver]) -> None:
    product = make(Op.FP_MUL, RNE, make(Op.FP_MUL, RNE, X, Y), make(Op.FP_DIV, RNE, X, Y))
    hard = equal(make(Op.FP_SQRT, RNE, product), constant(FLOAT64, 1.2345678901234567))
    odd = negation(make(Op.FP_EQ, make(Op.FP_DIV, RNE, Y, X), make(Op.FP_DIV, RNE, ONE, make(Op.FP_DIV, RNE, X, Y))))
    # A wheel's own limit is soft (cvc5 may take minutes): the process around it keeps the time.
    answer = Race(wheel()).solve(Query((hard, odd, less(ONE, X))), Budget(seconds=0.05))
    assert isinstance(answer, Unknown)
    assert answer.reason.startswith(f"{wheel.name}: ")


@pytest.mark.parametrize("wheel", WHEELS)
def test_a_missing_wheel_says_how_to_get_it(wheel: type[SmtSolver], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, wheel.package, None)
    with pytest.raises(MissingDependency, match="pip install"):
        wheel()


def test_rounding_modes_are_values() -> None:
    answer = Z3().solve(Query(SATISFIABLE["rounding"]), BUDGET)
    assert isinstance(answer, Sat)
    assert answer.model == {"r": Rounding.RTP, "p": True}
