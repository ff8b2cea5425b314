"""Solvers made of solvers."""

from __future__ import annotations

import pytest

from zeroin.config import Budget
from zeroin.solvers import decorators
from zeroin.solvers.base import Answer, CompleteSolver, Query, Sat, Unknown, Unsat
from zeroin.solvers.decorators import Caching, Rewriting, Splitting, Validating, independent
from zeroin.term.build import FALSE, negation
from zeroin.term.nodes import Op, Term, constant, make, variable
from zeroin.term.sorts import BOOL, FLOAT64

X, Y, Z = (variable(name, FLOAT64) for name in "xyz")
P = variable("p", BOOL)
BUDGET = Budget(1000, 10.0)


def above(v: Term, value: float) -> Term:
    return make(Op.FP_LT, constant(FLOAT64, value), v)


class Scripted(CompleteSolver):
    """Answers as it is told, and notes what it was asked."""

    name = "scripted"

    def __init__(self, *answers: Answer | None) -> None:
        self.answers, self.asked = list(answers), list[Query]()

    def solve(self, query: Query, budget: Budget) -> Answer:
        self.asked.append(query)
        answer = self.answers.pop(0)
        return answer if answer is not None else Unsat(self)


class Slow(Scripted):
    """Takes 4 seconds of its own clock for each answer."""

    def __init__(self, *answers: Answer | None) -> None:
        super().__init__(*answers)
        self.now, self.budgets = 100.0, list[Budget]()

    def monotonic(self) -> float:
        return self.now

    def solve(self, query: Query, budget: Budget) -> Answer:
        self.now += 4.0
        self.budgets.append(budget)
        return super().solve(query, budget)


def test_validating_counts_wrong_models() -> None:
    solver = Validating(Scripted(Sat({"x": 1.0}, "a"), Sat({"x": 3.0}, "a")))
    query = Query((above(X, 2.0),))
    assert solver.solve(query, BUDGET) == Unknown("a: its model does not hold; please report this query")
    assert solver.solve(query, BUDGET) == Sat({"x": 3.0}, "a")
    assert solver.disagreements == 1


def test_validating_passes_on_what_is_no_model() -> None:
    inner = Scripted(Unknown("why"), None)
    solver = Validating(inner)
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Unknown("why")
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Unsat(inner)
    assert solver.disagreements == 0


def test_rewriting_decides_what_is_plain() -> None:
    inner = Scripted(Sat({"x": 5.0}, "inner"))
    solver = Rewriting(inner)
    assert isinstance(solver.solve(Query((P, negation(P))), BUDGET), Unsat)
    assert solver.solve(Query((make(Op.FP_LT, constant(FLOAT64, 1.0), constant(FLOAT64, 2.0)),)), BUDGET) == Sat(
        {}, "simplification"
    )
    assert inner.asked == []
    assert solver.solve(Query((above(X, 2.0), P)), BUDGET) == Sat({"x": 5.0, "p": False}, "inner")


def test_rewriting_passes_on_what_is_no_model() -> None:
    inner = Scripted(Unknown("why"), None)
    assert Rewriting(inner).solve(Query((above(X, 2.0),)), BUDGET) == Unknown("why")
    assert Rewriting(inner).solve(Query((above(X, 2.0),)), BUDGET) == Unsat(inner)


def test_splitting_asks_for_each_part() -> None:
    shared = make(Op.FP_LT, X, Y)
    parts = [above(X, 1.0), above(Z, 2.0), shared]
    assert independent(parts) == [[above(Z, 2.0)], [above(X, 1.0), shared]]
    inner = Scripted(Sat({"z": 9.0}, "a"), Sat({"x": 2.0, "y": 3.0}, "b"))
    assert Splitting(inner).solve(Query(tuple(parts)), BUDGET) == Sat({"x": 2.0, "z": 9.0, "y": 3.0}, "a, b")
    assert [len(query.constraints) for query in inner.asked] == [1, 2]


def test_a_constraint_joins_the_parts_that_it_shares_variables_with() -> None:
    chain = [above(X, 1.0), make(Op.FP_LT, X, Y), above(Y, 2.0), above(Z, 3.0)]
    assert independent(chain) == [chain[:3], chain[3:]]
    assert independent(reversed(chain)) == [chain[3:], chain[2::-1]]


def test_no_part_is_left_to_ask_for() -> None:
    assert Splitting(Scripted()).solve(Query(()), BUDGET) == Sat({}, "simplification")


@pytest.mark.parametrize("left", [[4.0], [8.0, 4.0], [9.0, 5.0, 1.0]])
def test_a_part_gets_the_time_that_those_before_it_leave(monkeypatch: pytest.MonkeyPatch, left: list[float]) -> None:
    inner = Slow(Unknown("first"), Unknown("second"), Unknown("third"))
    monkeypatch.setattr(decorators, "time", inner)
    parts = Query(tuple(above(v, 1.0) for v in (X, Y, Z)))
    assert Splitting(inner).solve(parts, Budget(1000, left[0])) == Unknown("first")
    assert inner.budgets == [Budget(1000, seconds) for seconds in left]


def test_parts_that_no_time_is_left_for_are_the_reason_where_the_others_have_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = Slow(Sat({"x": 2.0}, "a"))
    monkeypatch.setattr(decorators, "time", inner)
    parts = Query((above(X, 1.0), above(Y, 1.0)))
    assert Splitting(inner).solve(parts, Budget(1000, 4.0)) == Unknown("the time budget is used up")


def test_one_impossible_part_decides() -> None:
    inner = Scripted(Unknown("why"), None)
    assert isinstance(Splitting(inner).solve(Query((above(X, 1.0), above(Y, 1.0))), BUDGET), Unsat)
    inner = Scripted(Unknown("why"), Sat({"y": 2.0}, "b"))
    assert Splitting(inner).solve(Query((above(X, 1.0), above(Y, 1.0))), BUDGET) == Unknown("why")


def test_caching_tries_the_last_models_only() -> None:
    inner = Scripted(Sat({"x": 5.0}, "a"), Sat({"x": -5.0}, "b"), Sat({"x": 6.0}, "c"))
    solver = Caching(inner, models=1)
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Sat({"x": 5.0}, "a")
    assert solver.solve(Query((negation(above(X, 2.0)),)), BUDGET) == Sat({"x": -5.0}, "b")
    assert solver.solve(Query((above(X, 3.0),)), BUDGET) == Sat({"x": 6.0}, "c")


def test_caching_asks_once_and_tries_old_models() -> None:
    inner = Scripted(Sat({"x": 5.0}, "a"), Unknown("later"), Unknown("again"), None)
    solver = Caching(inner)
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Sat({"x": 5.0}, "a")
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Sat({"x": 5.0}, "a")
    assert solver.solve(Query((above(X, 4.0),)), BUDGET) == Sat({"x": 5.0}, "an earlier model")
    assert len(inner.asked) == 1
    assert solver.hits == 2
    assert solver.solve(Query((above(X, 7.0),)), BUDGET) == Unknown("later")
    assert solver.solve(Query((above(X, 7.0),)), BUDGET) == Unknown("again")
    assert isinstance(solver.solve(Query((FALSE,)), BUDGET), Unsat)
    assert isinstance(solver.solve(Query((FALSE,)), BUDGET), Unsat)
    assert len(inner.asked) == 4
