"""The concolic walk does what the paper's algorithms 1 to 4 say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.minimize import random_state
from zeroin.solve.base import Query, Sat, Unknown
from zeroin.solve.concolic_walk import PAPER, SAMPLES, ConcolicWalk, Walk, prepare
from zeroin.solve.linear import linear_parts
from zeroin.solve.walk import Memory, Settings, _bisection_step, _random_step, normal, walk
from zeroin.subject.words import Kind, decode, encode
from zeroin.term.build import RNE
from zeroin.term.nodes import Op, Term, constant, make, variable
from zeroin.term.sorts import FLOAT64, INT

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)


def number(value: float) -> Term:
    return constant(FLOAT64, value)


def add(a: Term, b: Term) -> Term:
    return make(Op.FP_ADD, RNE, a, b)


def times(a: Term, b: Term) -> Term:
    return make(Op.FP_MUL, RNE, a, b)


def equals(a: Term, b: Term) -> Term:
    return make(Op.FP_EQ, a, b)


def below(a: Term, b: Term) -> Term:
    return make(Op.FP_LT, a, b)


def prepared(*constraints: Term) -> tuple[Any, Any]:
    query = Query(constraints)
    parts = query.conjuncts
    return prepare(query, parts, linear_parts(parts))


def words(*values: float) -> Any:
    return np.array([encode(Kind.F64, v) for v in values], dtype=np.int64)


def values(point: Any) -> list[Any]:
    return [decode(Kind.F64, int(w)) for w in point]


def memory_for(n: int, p: int) -> Memory:
    here, there, best = np.zeros((3, p))
    near, far, chosen = np.zeros((3, n), dtype=np.int64)
    return Memory(here, there, best, np.zeros(n), np.zeros(n, dtype=np.int64), near, far, chosen)


def test_the_papers_parameters() -> None:
    assert (PAPER.steps, PAPER.neighbors, PAPER.tabu, PAPER.least_tabu, PAPER.bisection) == (150, 10, 0.5, 3, True)
    assert SAMPLES == 25
    assert (PAPER.cached, PAPER.starts, PAPER.again) == (False, False, False)
    with pytest.raises(OptionError, match="at least one step"):
        Walk(steps=0)


def test_bisection_finds_the_zero_of_what_is_linear() -> None:
    """Between x = 0 (2x - 6 = -6) and x = 1 (-4) the zero is estimated at 3 (section 3.4)."""
    condition, problem = prepared(equals(add(times(number(2.0), X), times(Y, Y)), number(6.0)))
    out = np.zeros(2, dtype=np.int64)
    _bisection_step(condition.domain.native, words(0.0, 0.0), words(1.0, 0.0), out, random_state([1]), problem, 0, 0)
    assert values(out) == [3.0, 0.0]


def test_bisection_overshoots_inequalities() -> None:
    condition, problem = prepared(below(number(6.0), add(times(number(2.0), X), times(Y, Y))))
    out = np.zeros(2, dtype=np.int64)
    rng = random_state([1])
    reached = set()
    for _ in range(200):
        _bisection_step(condition.domain.native, words(0.0, 0.0), words(1.0, 0.0), out, rng, problem, 0, 0)
        reached.add(values(out)[0])
    assert 3.0 <= min(reached) < 3.2
    assert 10.0 < max(reached) <= 10.5


def test_a_flat_constraint_gets_a_random_slope() -> None:
    condition, problem = prepared(equals(times(X, X), add(number(5.0), times(Y, number(0.0)))))
    assert condition.variables == [X, Y]
    out = np.zeros(2, dtype=np.int64)
    rng = random_state([1])
    reached = set()
    for _ in range(20):
        _bisection_step(condition.domain.native, words(0.0, 0.0), words(0.0, 1.0), out, rng, problem, 0, 1)
        reached.add(values(out)[1])
    assert len(reached) == 20


def test_random_steps_stay_in_the_polytope_and_restore_equations() -> None:
    condition, problem = prepared(
        equals(add(X, Y), number(8.0)), below(number(0.0), X), below(number(3.0), times(X, Y))
    )
    assert problem.linear.tolist() == [1, 1, 0]
    assert problem.equations.tolist() == [[1.0, 1.0, -8.0]]
    rng, out = random_state([2]), np.zeros(2, dtype=np.int64)
    moved = 0
    for _ in range(200):
        inside = _random_step(condition.domain.native, words(3.0, 5.0), out, rng, problem, 0, SAMPLES)
        x, y = values(out)
        assert x + y == 8.0
        assert x > 0
        moved += inside
        assert inside or [x, y] == [3.0, 5.0]
    assert moved > 150


def test_normal_numbers() -> None:
    rng = random_state([7])
    drawn = np.array([normal(rng) for _ in range(20_000)])
    assert abs(drawn.mean()) < 0.03
    assert abs(drawn.std() - 1.0) < 0.03


def test_variables_become_tabu_one_after_the_other() -> None:
    """``x*x + y*y == -1`` has its least error at 0: no neighbour is better, whatever is changed."""
    condition, problem = prepared(equals(add(times(X, X), times(Y, Y)), number(-1.0)))
    memory, x = memory_for(2, 1), words(0.0, 0.0)

    def steps(count: int) -> None:
        door = condition.door()
        door.open(100_000)
        x[:] = words(0.0, 0.0)
        settings = Settings(count, 10, 3, SAMPLES, 1, 1)
        walk(door.native, condition.domain.native, x, random_state([3]), problem, memory, settings)

    steps(1)
    assert memory.tabu.tolist() == [3, 0]
    steps(2)
    assert memory.tabu.tolist() == [3, 3]
    assert values(x) == [0.0, 0.0]
    steps(3)  # all are tabu: all variables take a random step
    assert memory.tabu.tolist() == [0, 0]
    assert 0.0 not in values(x)


def test_caching_changes_nothing_but_the_work() -> None:
    parts = (equals(times(X, X), number(7.5625)), below(number(1.0), times(Y, Y)), below(times(X, Y), number(50.0)))

    def model(cached: bool) -> Any:
        options = Walk(cached=cached)
        return ConcolicWalk(5, options).solve(Query(parts), Budget(50_000, 60.0))

    assert isinstance(model(True), Sat)
    assert model(True) == model(False)


def test_an_empty_polytope_is_noticed() -> None:
    query = Query((below(X, number(1.0)), below(number(2.0), X), equals(times(X, Y), number(3.0))))
    answer = ConcolicWalk().solve(query, Budget(1000, 5.0))
    assert answer == Unknown("concolic-walk: the linear part has no solution over the reals")


@pytest.mark.parametrize("seed", range(10))
def test_quality(seed: int) -> None:
    """The paper's introductory kind of condition: linear and not, integers too; found by every seed."""
    n = variable("n", INT)
    linear = make(Op.LT, constant(INT, 2), n)
    product = make(Op.EQUAL, make(Op.MUL, n, n), constant(INT, 625))
    mixed = equals(times(X, make(Op.INT_TO_FP, RNE, n, data=FLOAT64)), number(50.0))
    answer = ConcolicWalk(seed).solve(Query((linear, product, mixed)), Budget(200_000, 60.0))
    assert isinstance(answer, Sat)
    assert answer.model == {"n": 25, "x": 2.0}
