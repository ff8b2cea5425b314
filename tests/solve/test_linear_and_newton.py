"""Linear forms, points in polytopes, and Newton's method on words."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from zeroin.config import Budget
from zeroin.minimize import random_state
from zeroin.objective.condition import Condition
from zeroin.solve.base import Query, Sat, Unknown
from zeroin.solve.concretisation import Concretisation, concretised
from zeroin.solve.linear import form_of, inner_point, linear_parts
from zeroin.solve.mathematical_execution import MathematicalExecution
from zeroin.solve.newton import lattice, newton
from zeroin.solve.residuals import NEGATIVE, NOT_POSITIVE, ZERO, comparison, residuals
from zeroin.subject.words import Kind, encode
from zeroin.term.build import RNE, disjunction, negation
from zeroin.term.nodes import Op, Term, constant, make, variable
from zeroin.term.sorts import FLOAT64, INT, REAL

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
N, M = variable("n", INT), variable("m", INT)


def number(value: float) -> Term:
    return constant(FLOAT64, value)


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
    assert form_of(make(Op.NEG, make(Op.MUL, constant(INT, -2), N))) == {N: 2}
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
    lattice(door.native, condition.domain.native, x, random_state([1]), float("inf"), 5_000, 6)
    assert door.result().value == 0.0


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
