"""Budgets of work: what is decided by steps is decided alike again, however long it takes."""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from zeroin.config import Budget
from zeroin.errors import OptionError
from zeroin.solvers import work_clock
from zeroin.solvers.base import Answer, CompleteSolver, Proof, Query, Sat, Solver, Unknown, Unsat
from zeroin.solvers.chain import SOLVERS, invariant_solver, proof_solver, query_of, thorough_exploration_solver
from zeroin.solvers.decorators import Limited, Splitting, Stages
from zeroin.solvers.solver_processes import Race, race
from zeroin.solvers.work_clock import Deadline

EASY = query_of(["x * x == 2.25", "x > 0.0"])
REFUTED = query_of(["x + y == 1000.0", "x - y == 17.0", "x * y < 3.0"])
HARD = query_of(
    ["1.0 < x", "x < 2.0", "1.0 < y", "y < 2.0", "abs((x * x - y * y) - (x - y) * (x + y)) > 1e-9"]
)  # has no model
QUERIES = pytest.mark.parametrize("query", [EASY, REFUTED, HARD], ids=["easy", "refuted", "hard"])
COUNTING = ("bitwuzla", "cvc5", "z3", "intervals", "propagation", "mathematical-execution", "concolic-walk")
LONG = 600.0  # seconds: none of these tests comes near


def counted(solver: Solver, query: Query, limit: float) -> tuple[Answer, float]:
    """The answer, and the work that it took."""
    before = work_clock.done()
    answer = solver.solve(query, Budget(10**9, LONG, limit))
    return answer, round(work_clock.done() - before, 9)


@contextmanager
def busy() -> Iterator[None]:
    """Meanwhile as many processes as there are processors want to run."""
    children = []
    for _ in range(os.cpu_count() or 2):
        if (child := os.fork()) == 0:
            while True:
                pass
        children.append(child)
    try:
        yield
    finally:
        for child in children:
            os.kill(child, 9)
            os.waitpid(child, 0)


@pytest.mark.parametrize("name", COUNTING)
@QUERIES
def test_the_same_work_has_the_same_answer(name: str, query: Query) -> None:
    solver = SOLVERS[name](3)
    solver.ready()
    first = counted(solver, query, 0.03)
    assert counted(solver, query, 0.03) == first
    assert first[1] > 0


@pytest.mark.parametrize("name", COUNTING)
def test_more_work_is_done_where_more_is_allowed(name: str) -> None:
    """How much more is up to the solver: cvc5 looks at its limit about once in 100,000 units."""
    solver = SOLVERS[name](3)
    (little, spent), (_, more) = counted(solver, HARD, 0.01), counted(solver, HARD, 0.3)
    assert isinstance(little, Unknown)
    assert spent < more


@pytest.mark.parametrize(
    "make", [lambda: thorough_exploration_solver(1), proof_solver, invariant_solver], ids=["explore", "prove", "facts"]
)
@QUERIES
def test_chains_of_strategies_decide_alike_under_load(make: Callable[[], Solver], query: Query) -> None:
    first = counted(make(), query, 0.2)
    with busy():
        assert counted(make(), query, 0.2) == first


# ---- clocks ----


def test_a_deadline_ends_with_work_and_with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        now = 7.0

        def monotonic(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(work_clock, "time", clock)
    monkeypatch.setattr(work_clock, "_done", 64.0)
    deadline, timed = Deadline(Budget(5, 4.0, 2.0)), Deadline(Budget(5, 4.0))
    clock.now += 1.0
    work_clock.worked(0.5)
    assert (deadline.left, timed.left) == (Budget(5, 3.0, 1.5), Budget(5, 3.0))
    work_clock.worked(1.5)
    assert (deadline.is_over, timed.is_over) == (True, False)
    assert (deadline.left, timed.left) == (None, Budget(5, 3.0))
    clock.now += 3.0
    assert timed.is_over
    assert timed.left is None


def test_parts_of_a_budget_are_parts_of_its_work_where_that_is_limited() -> None:
    assert Budget(9, 8.0).part(0.25) == Budget(9, 2.0)
    assert Budget(9, 8.0).part(0.5, seconds=1.0, evaluations=3) == Budget(3, 1.0)
    assert Budget(9, 8.0, 4.0).part(0.25) == Budget(9, 8.0, 1.0)
    assert Budget(9, 8.0, 4.0).part(0.5, seconds=0.5, evaluations=3) == Budget(3, 8.0, 0.5)


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan])
def test_work_is_positive(limit: float) -> None:
    with pytest.raises(OptionError, match="a budget's work is"):
        Budget(9, 8.0, limit)


class Takes(CompleteSolver):
    """Answers after so much work, and so many seconds."""

    def __init__(self, name: str, spent: float, seconds: float = 0.0, known: bool = True) -> None:
        self.name, self._spent, self._seconds, self._known = name, spent, seconds, known

    def solve(self, query: Query, budget: Budget) -> Answer:
        time.sleep(self._seconds)
        work_clock.worked(min(self._spent, budget.work))
        if budget.work < self._spent or not self._known:
            return Unknown(f"{self.name}: given up")
        return Unsat(Proof(self, "by heart"))


def test_stages_and_parts_share_work() -> None:
    asked = query_of(["x > 1.0", "y > 2.0"])
    gives_up = Takes("first", 0.25, known=False)
    assert counted(Stages(gives_up, Takes("second", 0.25)), EASY, 0.5)[1] == 0.5
    assert counted(Stages(gives_up, gives_up, Takes("third", 1.0)), EASY, 0.5)[0] == Unknown(
        "the time budget is used up"
    )
    assert counted(Splitting(gives_up), asked, 0.75) == (Unknown("first: given up"), 0.5)
    assert counted(Limited(Takes("long", 1.0), share=0.5), EASY, 0.5) == (Unknown("long: given up"), 0.25)


# ---- races ----


def test_of_those_that_know_with_the_same_work_the_first_counts() -> None:
    slow, quick = Takes("slow", 0.01, seconds=0.3), Takes("quick", 0.01)
    assert isinstance(by := race([slow, quick], EASY, Budget(9, LONG, 1.0), 2), Unsat)
    assert by.by == "slow"
    assert isinstance(by := race([slow, quick], EASY, Budget(9, LONG), 2), Unsat)
    assert by.by == "quick"


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_who_needs_much_work_loses_against_who_needs_little(jobs: int) -> None:
    """0.03 is more than a sixteenth of 0.32, and 0.01 is less."""
    before = work_clock.done()
    answer = race([Takes("much", 0.03), Takes("little", 0.01), Takes("none", 0.0, 0.2, known=False)],
                  EASY, Budget(9, LONG, 0.32), jobs)  # fmt: skip
    assert isinstance(answer, Unsat)
    assert answer.by == "little"
    assert work_clock.done() - before == pytest.approx(0.02), "the first worked as long as it was allowed to"


def test_all_are_asked_again_with_more_work() -> None:
    solvers = [Takes("much", 0.9), Takes("some", 0.2), Takes("never", 0.0, known=False)]
    assert isinstance(found := race(solvers, EASY, Budget(9, LONG, 1.0), 3), Unsat)
    assert found.by == "some"
    nobody = race([Takes("much", 2.0), Takes("never", 0.0, known=False)], EASY, Budget(9, LONG, 1.0), 2)
    assert nobody == Unknown("much: given up; never: given up")
    assert race([Takes("alone", 0.9)], EASY, Budget(9, LONG, 1.0), 2) != Unknown("alone: given up")


def test_work_that_is_left_is_what_an_earlier_heat_leaves() -> None:
    assert counted(Race(Takes("a", 9.0), Takes("b", 9.0)), EASY, 1.0)[1] == pytest.approx(1.0)


def test_time_ends_a_race_for_work() -> None:
    started = time.monotonic()
    answer = race([Takes("sleeps", 0.1, seconds=60.0), Takes("knows", 0.01)], EASY, Budget(9, 0.2, 1.0), 2)
    assert time.monotonic() - started < 30.0
    assert isinstance(answer, Unsat)
    assert answer.by == "knows", "what is known by then counts"


def test_nothing_waits_without_a_limit() -> None:
    """The other thread's work is none of a budget that is limited by time alone."""
    thread = threading.Thread(target=work_clock.worked, args=(1e6,))
    deadline = Deadline(Budget(9, LONG))
    thread.start()
    thread.join()
    assert not deadline.is_over
    assert deadline.left is not None
    assert math.isinf(deadline.left.work)


def test_a_model_found_with_work_holds() -> None:
    answer, _ = counted(thorough_exploration_solver(0), EASY, 1.0)
    assert isinstance(answer, Sat)
    assert EASY.holds(answer.model)
