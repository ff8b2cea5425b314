"""Linear forms, points in polytopes, and Newton's method on words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from float_terms import number
from zeroin.config import Budget
from zeroin.minimize import Domain, Door, Minimum, random_state
from zeroin.native.kernel import CELLS, cells_at
from zeroin.native.words import value_of_word
from zeroin.objective.condition import Condition
from zeroin.solvers.base import Query, Sat, Unknown
from zeroin.solvers.concretisation import Concretisation, concretised
from zeroin.solvers.linear import form_of, inner_point, linear_parts
from zeroin.solvers.mathematical_execution import MathematicalExecution
from zeroin.solvers.newton import lattice, newton
from zeroin.solvers.residuals import NEGATIVE, NOT_POSITIVE, ZERO, comparison, residuals
from zeroin.term.core.build import RNE, disjunction, negation
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import FLOAT64, INT, REAL
from zeroin.words import Kind, decode, encode, word_range

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
N, M = variable("n", INT), variable("m", INT)


def op(name: str, a: Term, b: Term) -> Term:
    return make(Op[name], RNE, a, b)


def test_comparisons_have_a_side_to_be_on() -> None:
    less, at_most = make(Op.FP_LT, X, Y), make(Op.FP_LE, X, Y)
    assert comparison(less) == (X, Y, NEGATIVE)
    assert comparison(at_most) == (X, Y, NOT_POSITIVE)
    assert comparison(negation(less)) == (Y, X, NOT_POSITIVE)
    assert comparison(negation(at_most)) == (Y, X, NEGATIVE)
    assert comparison(make(Op.FP_EQ, X, Y)) == (X, Y, ZERO)
    assert comparison(negation(make(Op.FP_EQ, X, Y))) is None
    assert comparison(disjunction([less, at_most])) is None
    assert [r.conjunct for r in residuals([disjunction([less, at_most]), less])] == [1]


def test_linear_forms() -> None:
    term = op("FP_SUB", op("FP_MUL", number(3.0), op("FP_ADD", X, number(0.5))), op("FP_DIV", Y, number(4.0)))
    assert form_of(term) == {X: 3, Y: Fraction(-1, 4), None: Fraction(3, 2)}
    assert form_of(op("FP_MUL", X, Y)) is None
    assert form_of(op("FP_DIV", number(1.0), X)) is None
    assert form_of(make(Op.MATH, X, data="sin")) is None
    assert form_of(make(Op.NEG, make(Op.MUL, constant(INT, -2), N))) == {N: Fraction(2)}
    assert form_of(number(float("inf"))) is None


def test_points_are_inside_where_there_is_room() -> None:
    parts = linear_parts([make(Op.FP_LT, number(3.0), X), make(Op.FP_LT, X, Y), make(Op.FP_LE, Y, number(5.0))])
    x, y = inner_point(parts, [X, Y]) or (0.0, 0.0)
    assert 3.1 < x < y - 0.1
    assert y < 5.0
    whole = linear_parts([make(Op.LT, N, M), make(Op.LT, M, constant(INT, 7)), make(Op.LT, constant(INT, 4), N)])
    assert inner_point(whole, [N, M]) == [5.0, 6.0]
    assert inner_point(linear_parts([make(Op.FP_LT, X, X)]), [X]) == [0.0], "no variable is left: nothing linear"
    assert inner_point(linear_parts([make(Op.FP_LT, X, Y), make(Op.FP_LE, Y, X)]), [X, Y]) is None
    assert inner_point([], [X, Y]) == [0.0, 0.0]
    far = linear_parts([make(Op.LT, constant(REAL, 10**9), variable("r", REAL))])
    assert (inner_point(far, [variable("r", REAL)]) or [0.0])[0] > 1e9


@pytest.mark.parametrize("start", [(1.0, 0.5), (-3.0, 8.0), (100.0, -2.0)])
def test_newton_follows_an_equation_with_all_variables(start: tuple[float, float]) -> None:
    """A circle and a hyperbola: no axis leads along either."""
    circle = make(Op.FP_EQ, op("FP_ADD", op("FP_MUL", X, X), op("FP_MUL", Y, Y)), number(13.0))
    hyperbola = make(Op.FP_EQ, op("FP_MUL", X, Y), number(6.0))
    found = residuals([circle, hyperbola])
    condition = Condition([circle, hyperbola], values=[r.difference for r in found])
    x = np.array([encode(Kind.F64, v) for v in start], dtype=np.int64)
    door = condition.door()
    door.open(10_000)
    address, numbers = condition.all_values
    wanted = np.array([r.wanted for r in found], dtype=np.int64)
    newton(door.native, condition.domain.native, x, address, numbers, wanted, np.zeros((4, 4)), np.zeros(2, np.int64))
    model = condition.model(tuple(int(w) for w in x))
    assert sorted(abs(v) for v in model.values()) == pytest.approx([2.0, 3.0], rel=1e-12)
    lattice(door.native, condition.domain.native, x, random_state([1]), float("inf"), 5_000, 6, np.zeros(2, np.int64))
    assert door.result().value == 0.0


LOG = np.zeros(3, dtype=np.int64)  # calls of the objective and of the residuals; x**2 - 2 as bits
LOG_ADDRESS = LOG.ctypes.data


@cfunc(types.float64(CELLS))
def objective(words: Any) -> float:
    cells_at(LOG_ADDRESS)[0] += 1
    return 1.0


@cfunc(types.float64(CELLS))
def residual(words: Any) -> float:
    log = cells_at(LOG_ADDRESS)
    log[1] += 1
    log[2] = np.float64(value_of_word(0, words[0]) ** 2 - 2.0).view(np.int64)
    return 0.0


@pytest.mark.parametrize("evaluations", [0, 1, 2, 3, 5, 8, 10**6])
def test_newton_counts_every_evaluation_and_makes_none_beyond_the_budget(evaluations: int) -> None:
    LOG[:] = 0
    door = Door(objective.address, 1)
    door.open(evaluations)
    domain = Domain((Kind.F64,), (word_range(Kind.F64),), ((),))
    x, numbers = np.array([encode(Kind.F64, 10.0)]), LOG[2:].view(np.float64)
    wanted, work = np.array([ZERO]), np.zeros((2, 3))
    newton(door.native, domain.native, x, residual.address, numbers, wanted, work, np.zeros(1, np.int64))
    assert door.result().evaluations == LOG[:2].sum() <= evaluations
    assert (LOG[:2].sum() == evaluations) == (evaluations < 10**6)
    if evaluations == 10**6:
        assert decode(Kind.F64, int(x[0])) == pytest.approx(2.0**0.5, rel=1e-15)


@pytest.mark.parametrize("evaluations", [1, 2, 10, 500, 4_000])
def test_mathematical_execution_spends_its_budget_and_no_more(
    evaluations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of it passes the one door: what that counts, slice by slice, is the budget."""
    circle = make(Op.FP_EQ, op("FP_ADD", op("FP_MUL", X, X), op("FP_MUL", Y, Y)), number(-1.0))
    counted = []
    result_of = Door.result

    def result(door: Door) -> Minimum:
        counted.append(result_of(door))
        return counted[-1]

    MathematicalExecution().ready()
    monkeypatch.setattr(Door, "result", result)
    answer = MathematicalExecution(1).solve(Query((circle,)), Budget(evaluations, 60.0))
    assert answer == Unknown("mathematical-execution: the evaluation budget is used up")
    assert sum(each.evaluations for each in counted) == evaluations


def test_a_zero_that_holds_only_in_doubles_does_not_end_the_search() -> None:
    """fl(3 * fl(1/3)) is 1, but no double is a third."""
    r = variable("r", REAL)
    third = make(Op.EQUAL, make(Op.MUL, constant(REAL, 3), r), constant(REAL, 1))
    square = make(Op.EQUAL, make(Op.MUL, r, r), constant(REAL, Fraction(25, 4)))
    query = Query((disjunction([third, square]),), ({"r": Fraction(1 / 3)},))
    for seed in range(3):
        answer = MathematicalExecution(seed).solve(query, Budget(100_000, 60.0))
        assert isinstance(answer, Sat), seed
        assert abs(answer.model["r"]) == Fraction(5, 2)


def test_a_definition_that_has_no_value_does_not_end_the_search() -> None:
    """What defines y is too large a power for all but small x; the native search does not see that y is left over."""
    power = make(Op.EQUAL, M, make(Op.POWER, N, N))
    query = Query((power, make(Op.LT, constant(INT, 2), N)), ({"n": 10**9},))
    answer = MathematicalExecution(1).solve(query, Budget(100_000, 60.0))
    assert isinstance(answer, Sat)
    assert answer.model["m"] == answer.model["n"] ** answer.model["n"]


def test_powell_has_a_solution_in_doubles() -> None:
    """Powell's badly scaled function, which no configuration of FloPSy solved (Lakhotia et al. 2010, figure 2)."""
    power = {v: make(Op.MATH, number(2.718281828459045), make(Op.FP_NEG, v), data="pow") for v in (X, Y)}
    first = op("FP_SUB", op("FP_MUL", op("FP_MUL", number(1e4), X), Y), number(1.0))
    second = op("FP_SUB", op("FP_ADD", power[X], power[Y]), number(1.0001))
    query = Query((make(Op.FP_EQ, first, number(0.0)), make(Op.FP_EQ, second, number(0.0))))
    for seed in range(10):
        assert isinstance(MathematicalExecution(seed).solve(query, Budget(5_000_000, 60.0)), Sat), seed


def test_concretisation_commits_too_early() -> None:
    """Figure 1 of the Concolic Walk paper in small: at most points the approximation is unsatisfiable."""
    product = make(Op.EQUAL, make(Op.MUL, N, N), make(Op.MUL, N, M))
    model = {"n": 3, "m": 4}
    first, tie = concretised([product], model)
    assert first.coefficients == {N: 3, M: -3}
    assert tie.coefficients == {N: 1}
    assert tie.constant == -3
    hard = Query((make(Op.EQUAL, make(Op.MUL, N, N), constant(INT, 1369)),))
    assert isinstance(Concretisation(1).solve(hard, Budget(1000, 5.0)), Unknown)
    easy = Query((make(Op.FP_LT, number(2.0), op("FP_ADD", X, Y)), make(Op.FP_LT, X, number(0.0))))
    assert isinstance(Concretisation(1).solve(easy, Budget(1000, 5.0)), Sat)
