"""The concolic walk does what the paper's algorithms 1 to 4 say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import cfunc, types

from float_terms import add, equals, less, number, times
from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.minimize import Domain, Door, random_state
from zeroin.minimize.base import normal
from zeroin.native.kernel import CELLS, cells_at
from zeroin.native.words import value_of_word
from zeroin.objective.condition import Condition
from zeroin.solvers.base import Query, Sat, Unknown
from zeroin.solvers.concolic_walk import PAPER, ConcolicWalk, Walk, memory_for, prepare
from zeroin.solvers.linear import linear_parts
from zeroin.solvers.residuals import NEGATIVE, ZERO
from zeroin.solvers.tabu import Memory, Problem, Settings, _bisection_step, _nearest, _random_step, walk
from zeroin.term.core.build import RNE, conjunction, disjunction
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT64, INT, REAL
from zeroin.words import Kind, decode, encode, word_range

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)


def prepared(*constraints: Term) -> tuple[Any, Any]:
    query = Query(constraints)
    parts = query.conjuncts
    return prepare(query, parts, linear_parts(parts))


def words(*values: float) -> Any:
    return np.array([encode(Kind.F64, v) for v in values], dtype=np.int64)


def values(point: Any) -> list[Any]:
    return [decode(Kind.F64, int(w)) for w in point]


def settings_of(options: Walk, steps: int = 150, variables: int = 2) -> Settings:
    return ConcolicWalk(0, options).settings(steps, variables)


def open_door(condition: Condition, evaluations: int = 100_000) -> Door:
    door = condition.door()
    door.open(evaluations)
    return door


def bisected(condition: Condition, problem: Problem, here: Any, near: Any, i: int, rng: Any,
             options: Walk) -> list[Any]:  # fmt: skip
    """Where a bisection step of conjunct 0 along axis i ends."""
    out = np.zeros(len(here), dtype=np.int64)
    settings = settings_of(options)
    door = open_door(condition)
    assert _bisection_step(door.native, condition.domain.native, here, near, out, rng, problem, 0, i, settings)
    return values(out)


# ---- the paper's parameters ----


def test_the_papers_parameters() -> None:
    """I, R, bisection and T = min(0.5 |vars|, 3) of section 5; s has no value there; nothing of section 5.3."""
    assert (PAPER.steps, PAPER.neighbors, PAPER.bisection) == (150, 10, True)
    assert [PAPER.tenure(n) for n in (1, 2, 3, 4, 6, 100)] == [1, 1, 2, 2, 3, 3]
    assert (PAPER.s, PAPER.overshoot, PAPER.samples) == (None, 0.0, 25)
    assert (PAPER.disjunctions, PAPER.cached, PAPER.starts, PAPER.again) == (False,) * 4


def test_tabu_times_of_the_default_are_those_of_the_authors_solver() -> None:
    assert [Walk().tenure(n) for n in (1, 2, 6, 8, 100)] == [3, 3, 3, 4, 50]


@pytest.mark.parametrize("options", [
    {"steps": 0}, {"neighbors": 0}, {"samples": 0}, {"tabu": -1.0}, {"tabu": float("nan")}, {"tabu": float("inf")},
    {"least_tabu": -1}, {"most_tabu": -1}, {"s": 0.0}, {"s": float("nan")}, {"s": float("inf")},
    {"overshoot": -0.1}, {"overshoot": float("nan")},
])  # fmt: skip
def test_parameters_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        Walk(**options)


# ---- bisection ----


@pytest.mark.parametrize("options", [PAPER, Walk()])
def test_bisection_finds_the_zero_of_what_is_linear(options: Walk) -> None:
    """Between x = 0 (2x - 6 = -6) and x = 1 (-4) the zero is estimated at 3 (section 3.4)."""
    condition, problem = prepared(equals(add(times(number(2.0), X), times(Y, Y)), number(6.0)))
    found = bisected(condition, problem, words(0.0, 0.0), words(1.0, 0.0), 0, random_state([1]), options)
    assert found == [3.0, 0.0]


def test_bisection_overshoots_inequalities_but_not_in_the_paper() -> None:
    condition, problem = prepared(less(number(6.0), add(times(number(2.0), X), times(Y, Y))))
    rng = random_state([1])

    def reached(options: Walk) -> set[float]:
        return {bisected(condition, problem, words(0.0, 0.0), words(1.0, 0.0), 0, rng, options)[0] for _ in range(200)}

    assert reached(PAPER) == {3.0}
    ours = reached(Walk())
    assert 3.0 <= min(ours) < 3.2
    assert 10.0 < max(ours) <= 10.5


def test_a_flat_constraint_gets_a_random_slope() -> None:
    condition, problem = prepared(equals(times(X, X), add(number(5.0), times(Y, number(0.0)))))
    assert condition.variables == [X, Y]
    rng = random_state([1])
    found = {bisected(condition, problem, words(0.0, 0.0), words(0.0, 1.0), 1, rng, PAPER)[1] for _ in range(20)}
    assert len(found) == 20


def test_of_a_disjunction_the_nearest_disjunct_is_estimated() -> None:
    """At x = 0, ``x * y + x == 2`` is violated by 2, the others by 100 and more; a flag is no comparison."""
    flag, product = variable("p", BOOL), times(X, Y)
    either = disjunction([
        equals(add(product, X), number(100.0)),
        flag,
        conjunction([equals(add(product, X), number(2.0)), less(X, number(50.0))]),
        less(number(300.0), add(product, X)),
    ])  # fmt: skip
    condition, problem = prepared(either)
    place = {v: n for n, v in enumerate(condition.variables)}
    here = condition.words({"x": 0.0, "y": 1.0, "p": False})
    near = condition.words({"x": 1.0, "y": 1.0, "p": False})
    rng, out = random_state([1]), np.zeros(3, dtype=np.int64)
    door, settings = open_door(condition), settings_of(Walk(), variables=3)
    for _ in range(20):
        assert _bisection_step(
            door.native, condition.domain.native, np.array(here), np.array(near), out, rng, problem, 0, place[X],
            settings,
        )  # fmt: skip
        assert decode(Kind.F64, int(out[place[X]])) == 1.0, "x + x = 2"


def test_of_the_nearest_disjunct_a_violated_comparison_is_estimated() -> None:
    """At x = 0, ``x * y < 0`` is violated, by no more than 0; what stands before it holds."""
    product = times(X, Y)
    between = conjunction([less(number(-5.0), product), less(product, number(0.0))])
    condition, problem = prepared(disjunction([equals(product, number(1.0)), between]))
    here, door = np.array(condition.words({"x": 0.0, "y": 1.0})), open_door(condition)
    assert problem.comparisons.tolist() == [0, 1, 3]
    assert _nearest(door.native, here, random_state([1]), problem, 0) == 2
    assert door.result().evaluations == 3


def test_a_disjunction_is_solved_by_its_estimates() -> None:
    """Without them, no random step hits the one double that either disjunct needs."""
    either = disjunction([equals(times(X, number(3.0)), number(22.5)), equals(times(X, number(7.0)), number(-1001.0))])
    assert not linear_parts(Query((either,)).conjuncts)

    def answer(disjunctions: bool) -> Any:
        options = Walk(disjunctions=disjunctions, s=1.0)
        return ConcolicWalk(1, options).solve(Query((either,)), Budget(20_000, 60.0))

    assert answer(True) == Sat({"x": 7.5}, "concolic-walk")
    assert isinstance(answer(False), Unknown)


# ---- random steps ----


@pytest.mark.parametrize("s", [1.0, 8.0])
def test_s_is_the_deviation_of_a_random_step(s: float) -> None:
    condition, problem = prepared(less(number(3.0), times(X, Y)))
    rng, out = random_state([2]), np.zeros(2, dtype=np.int64)
    door, settings = open_door(condition), settings_of(replace(PAPER, s=s))
    steps = []
    for _ in range(2000):
        _random_step(door.native, condition.domain.native, words(3.0, 5.0), out, rng, problem, 0, settings)
        steps.append(values(out)[0] - 3.0)
        assert values(out)[1] == 5.0
    assert np.std(steps) == pytest.approx(s, rel=0.08)
    assert np.mean(steps) == pytest.approx(0.0, abs=0.1 * s)


def test_random_steps_stay_in_the_polytope_and_restore_equations() -> None:
    condition, problem = prepared(equals(add(X, Y), number(8.0)), less(number(0.0), X), less(number(3.0), times(X, Y)))
    assert problem.linear.tolist() == [1, 1, 0]
    assert problem.equations.tolist() == [[1.0, 1.0, -8.0]]
    rng, out = random_state([2]), np.zeros(2, dtype=np.int64)
    door, settings = open_door(condition), settings_of(Walk())
    for i in (0, 1, -1):  # -1: all variables
        moved = 0
        for _ in range(200):
            inside = _random_step(door.native, condition.domain.native, words(3.0, 5.0), out, rng, problem, i, settings)
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


# ---- algorithm 1 ----


def walked(constraints: list[Term], start: Any, steps: int, options: Walk) -> tuple[Memory, list[Any]]:
    """Tabu times and errors, and the point, after so many steps."""
    condition, problem = prepared(*constraints)
    memory, x = memory_for(len(start), len(constraints)), start.copy()
    door, settings = open_door(condition), settings_of(options, steps, len(start))
    walk(door.native, condition.domain.native, x, random_state([3]), problem, memory, settings)
    return memory, values(x)


def test_variables_become_tabu_one_after_the_other() -> None:
    """``x*x + y*y == -1`` has its least error at 0: no neighbour is better, whatever is changed."""
    circle = [equals(add(times(X, X), times(Y, Y)), number(-1.0))]

    def after(steps: int) -> tuple[list[int], list[float]]:
        memory, x = walked(circle, words(0.0, 0.0), steps, Walk())
        return memory.tabu.tolist(), x

    assert after(1) == ([3, 0], [0.0, 0.0])
    assert after(2) == ([3, 3], [0.0, 0.0])
    tabu, x = after(3)  # all are tabu: all variables take a random step
    assert tabu == [0, 0]
    assert 0.0 not in x


def test_all_variables_become_tabu_before_all_take_a_step() -> None:
    """Also y, which is in a satisfied constraint only (algorithm 1, line 10); T is 1 of two variables."""
    parts = [equals(times(X, X), number(-1.0)), less(number(-1.0), times(Y, Y))]
    tabu = [walked(parts, words(0.0, 7.0), steps, PAPER)[0].tabu.tolist() for steps in (1, 2, 3)]
    assert tabu == [[1, 0], [1, 1], [0, 0]]
    x, y = walked(parts, words(0.0, 7.0), 3, PAPER)[1]
    assert x != 0.0
    assert y != 7.0


def test_a_step_that_helps_shortens_the_tabu_times() -> None:
    """y's error is the higher one, but it can not be less; then x helps (algorithm 1, lines 23 to 29)."""
    parts = [equals(times(X, X), number(1e6)), equals(times(Y, Y), number(-1e9))]
    first, _ = walked(parts, words(0.0, 0.0), 1, replace(PAPER, most_tabu=None, least_tabu=3))
    assert first.tabu.tolist() == [0, 3]
    second, x = walked(parts, words(0.0, 0.0), 2, replace(PAPER, most_tabu=None, least_tabu=3))
    assert x[0] != 0.0
    assert second.tabu.tolist() == [0, 2]


def test_errors_of_strict_inequalities() -> None:
    """Algorithm 2 has |l - r|; that would be 0 at the border, where ours stays just above it."""
    parts = [less(times(X, X), number(9.0)), less(times(Y, Y), number(0.0)), equals(times(X, Y), number(-2.0))]
    memory, _ = walked(parts, words(3.0, 2.0), 0, Walk())
    assert memory.here.tolist() == [5e-324, 4.0, 8.0]


def test_an_error_that_is_no_number_is_the_largest() -> None:
    memory, _ = walked([less(times(X, X), number(9.0))], words(float("nan")), 0, PAPER)
    assert memory.here[0] > 1e300


# ---- every evaluation is counted ----

LOG = np.zeros(4, dtype=np.int64)  # calls of the objective, of conjunct 0, of conjunct 1 and of differences
LOG_ADDRESS = LOG.ctypes.data


@cfunc(types.float64(CELLS))
def whole(words: Any) -> float:
    cells_at(LOG_ADDRESS)[0] += 1
    return 1.0


@cfunc(types.float64(CELLS))
def of_x(words: Any) -> float:
    cells_at(LOG_ADDRESS)[1] += 1
    return abs(value_of_word(0, words[0]) - 1e3) + 1.0


@cfunc(types.float64(CELLS))
def of_y(words: Any) -> float:
    cells_at(LOG_ADDRESS)[2] += 1
    return abs(value_of_word(0, words[1]) + 1e3) + 1.0


@cfunc(types.float64(CELLS))
def inside(words: Any) -> float:
    cells_at(LOG_ADDRESS)[2] += 1
    return 0.0 if value_of_word(0, words[1]) < 5.0 else 1.0


@cfunc(types.float64(CELLS))
def apart(words: Any) -> float:
    cells_at(LOG_ADDRESS)[3] += 1
    return value_of_word(0, words[0]) - 1e3


def logged_walk(evaluations: int, cached: bool, faces: bool) -> tuple[list[int], int, list[Any]]:
    """How often each was called, what the door counted, and where the walk ended: of a conjunct of two comparisons with
    x, and one with y, which is a face of the polytope if there are some."""
    LOG[:] = 0
    one = np.array([1, 0], dtype=np.int64)
    problem = Problem(
        np.array([of_x.address, inside.address if faces else of_y.address]), 1 - one if faces else 0 * one,
        np.array([[1, 0], [0, 1]]), np.zeros((0, 3)), np.array([0, 1, 1]), np.array([0, 2]),
        np.array([apart.address] * 2), np.array([ZERO, NEGATIVE]),
    )  # fmt: skip
    door = Door(whole.address, 2)
    door.open(evaluations)
    domain = Domain((Kind.F64,) * 2, (word_range(Kind.F64),) * 2, ((), ()))
    x = words(0.0, 0.0)
    settings = settings_of(Walk(cached=cached), 20)
    walk(door.native, domain.native, x, random_state([5]), problem, memory_for(2, 2), settings)
    return LOG.tolist(), door.result().evaluations, values(x)


@pytest.mark.parametrize("evaluations", [0, 1, 2, 3, 10, 100, 10**6])
@pytest.mark.parametrize("faces", [False, True])
def test_every_evaluation_is_counted_and_none_is_made_beyond_the_budget(evaluations: int, faces: bool) -> None:
    """Of points, those of both conjuncts count once; of differences and of the polytope's face alone, each does."""
    (objective, points, others, differences), counted, _ = logged_walk(evaluations, False, faces)
    assert counted == objective + points + differences + (others - points if faces else 0)
    assert counted <= evaluations
    assert (counted == evaluations) is (evaluations < 10**6)


def test_caching_changes_nothing_but_the_work() -> None:
    (_, x_before, y_before, _), counted, end = logged_walk(5_000, False, False)
    (_, x_after, y_after, _), counted_after, end_after = logged_walk(5_000, True, False)
    assert (counted, end) == (counted_after, end_after)
    assert x_before == y_before > 100
    assert max(x_after, y_after) <= x_before
    assert x_after + y_after < 0.6 * (x_before + y_before), "a step changes one of two variables"


def test_errors_that_depend_on_a_restored_variable_are_not_taken_from_the_cache() -> None:
    """x + y == 8 moves y with x, so the conjunct of y changes with a step of x."""
    parts = [equals(add(X, Y), number(8.0)), equals(times(X, X), number(9.0)), equals(times(Y, Y), number(25.0))]
    answers = [ConcolicWalk(2, Walk(cached=cached)).solve(Query(tuple(parts)), Budget(50_000, 60.0))
               for cached in (False, True)]  # fmt: skip
    assert answers[0] == answers[1] == Sat({"x": 3.0, "y": 5.0}, "concolic-walk")


def test_a_zero_that_holds_only_in_doubles_does_not_end_the_search() -> None:
    """fl(3 * fl(1/3)) is 1, but no double is a third."""
    r = variable("r", REAL)
    third = make(Op.EQUAL, make(Op.MUL, constant(REAL, 3), r), constant(REAL, 1))
    square = make(Op.EQUAL, make(Op.MUL, r, r), constant(REAL, Fraction(25, 4)))
    query = Query((disjunction([third, square]),), ({"r": Fraction(1 / 3)}, {"r": Fraction(-9, 4)}))
    answer = ConcolicWalk(1).solve(query, Budget(100_000, 60.0))
    assert isinstance(answer, Sat)
    assert abs(answer.model["r"]) == Fraction(5, 2)


def test_an_empty_polytope_is_noticed() -> None:
    query = Query((less(X, number(1.0)), less(number(2.0), X), equals(times(X, Y), number(3.0))))
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


def test_a_linear_equation_may_be_beyond_the_floats() -> None:
    """Over the reals, its constant is 1e423."""
    far = equals(times(add(X, number(-1e123)), number(1e300)), number(0.0))
    answer = ConcolicWalk().solve(Query((far,)), Budget(1000, 60.0))
    assert isinstance(answer, Sat | Unknown)
