"""Fitness of predicates, paths and flips, as Xie et al. 2009 define it."""

from __future__ import annotations

import math
from functools import partial

import pytest

from zeroin.distance import EQ, GE, GT, LE, LT, NE, NE_ORDERED, UNORDERED
from zeroin.explore.fitness import WORST, FitnessTarget, Gains, K, both, either, of_condition, of_path, of_predicate
from zeroin.model.path import Step, Truth
from zeroin.term.core.build import conjunction, disjunction, equal, negation
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import bits

X, Y = variable("x", bits(32)), variable("y", bits(32))


def is_(value: Term, number: int) -> Term:
    return equal(value, constant(bits(32), number))


@pytest.mark.parametrize(
    ("op", "a", "b", "fitness"),
    [(EQ, 3, 10, 7), (EQ, 10, 3, 7), (EQ, 3, 3, 0), (GT, 3, 10, 7 + K), (GT, 3, 3, K), (GT, 4, 3, 0), (GE, 3, 10, 7),
     (GE, 3, 3, 0), (LT, 10, 3, 7 + K), (LT, 3, 3, K), (LE, 10, 3, 7), (LE, 3, 3, 0), (NE, 3, 3, K), (NE, 3, 4, 0),
     (EQ, 0.25, 1.0, 0.75), (EQ, math.nan, 1.0, WORST), (NE_ORDERED, math.nan, 1.0, WORST), (NE, math.nan, 1.0, 0),
     (UNORDERED, 1.0, 1.0, K), (EQ, 1e300, -1e300, WORST), (EQ, math.inf, -math.inf, WORST), (EQ, 2**40, 0, WORST)],
)  # fmt: skip
def test_predicates(op: int, a: float, b: float, fitness: float) -> None:
    """Table 1; no value is worse than the worst, a 32-bit integer's largest."""
    assert of_predicate(op, a, b) == fitness


def test_conjunctions_and_disjunctions() -> None:
    """Table 1: F(P1) + F(P2), and F(P1) F(P2) / (F(P1) + F(P2))."""
    assert (both(3, 6), either(3, 6), either(0, 6), either(3, 0)) == (9, 2, 0, 0)
    value = partial(evaluate, model={"x": 4, "y": 7}, memo={})
    one, other = is_(X, 1), is_(Y, 1)  # 3 and 6
    assert of_condition(conjunction([one, other]), True, value) == 9
    assert of_condition(disjunction([one, other]), True, value) == 2
    assert of_condition(negation(conjunction([one, other])), False, value) == 9
    assert of_condition(conjunction([negation(is_(X, 4)), negation(is_(Y, 7))]), False, value) == 0
    assert of_condition(disjunction([is_(X, 4), is_(Y, 7)]), False, value) == 2 * K


def test_operands_are_signed_where_the_comparison_is() -> None:
    minus_two = partial(evaluate, model={"x": 2**32 - 2}, memo={})
    zero = constant(bits(32), 0)
    assert of_condition(make(Op.BV_SLT, zero, X), True, minus_two) == 2 + K
    assert of_condition(make(Op.BV_ULT, X, zero), True, minus_two) == WORST
    assert of_condition(make(Op.BV_SLE, zero, X), False, minus_two) == 0


def test_a_path_is_as_fit_as_its_best_occurrence() -> None:
    seen = [Truth(0, False, EQ, 3, 10), Truth(0, False, EQ, 8, 10), Truth(0, False, EQ, 1, 10),
            Truth(("f", 1, 2), True, LT, 3, 10)]  # fmt: skip
    assert of_path(seen, (), lambda term: None) == {
        (0, True): 2.0, (0, False): 0.0, (("f", 1, 2), True): 0.0, (("f", 1, 2), False): 7.0}  # fmt: skip


def test_a_condition_made_of_several_is_taken_as_such() -> None:
    """Its probe sees a truth value compared with 0."""
    condition = conjunction([is_(X, 1), is_(Y, 1)])
    steps = [Step(0, False, condition, constant(bits(8), 0), constant(bits(8), 0))]
    value = partial(evaluate, model={"x": 4, "y": 7}, memo={})
    found = of_path([Truth(0, False, NE, 0, 0)], steps, value)
    assert found == {(0, True): 9.0, (0, False): 0.0}


def test_gains_are_averages_and_may_be_negative() -> None:
    """The example of section 2: paths 1 to 4, whose fitness for 5T is 20, 19, 19 and 18."""
    gains = Gains()
    target: FitnessTarget = (5, True)
    fitness = {1: {target: 20.0}, 2: {target: 19.0}, 3: {target: 19.0}, 4: {target: 18.0}}
    assert gains.of(target, (3, False)) == 0
    gains.learn((3, False), fitness[1], fitness[2])
    gains.learn((3, False), fitness[3], fitness[4])
    gains.learn((2, False), fitness[2], fitness[4])
    gains.learn((3, True), fitness[4], fitness[3])
    assert [gains.of(target, b) for b in ((3, False), (2, False), (3, True))] == [1, 1, -1]
    gains.learn((3, False), fitness[4], {})  # a path that never comes to the target
    assert gains.of(target, (3, False)) == (1 + 1 + 18 - WORST) / 3
