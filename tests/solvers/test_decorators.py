"""Solvers made of solvers."""

from __future__ import annotations

import pytest

from zeroin.config import Budget
from zeroin.solvers import work_clock
from zeroin.solvers.base import Answer, CompleteSolver, Proof, Query, Sat, Unknown, Unsat, is_settled
from zeroin.solvers.decorators import Limited, Rewriting, Splitting, Stages, Validating, independent
from zeroin.term.core.build import negation
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT64, INT

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
        return answer if answer is not None else Unsat(Proof(self, "by heart"))


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


PROVED = Unsat(Proof(Scripted(), "by heart"))


def test_validating_finds_wrong_models() -> None:
    solver = Validating(Scripted(Sat({"x": 1.0}, "a"), Sat({"x": 3.0}, "a")))
    query = Query((above(X, 2.0),))
    assert solver.solve(query, BUDGET) == Unknown("a: its model does not hold; please report this query")
    assert solver.solve(query, BUDGET) == Sat({"x": 3.0}, "a")


def test_validating_passes_on_what_is_no_model() -> None:
    inner = Scripted(Unknown("why"), None)
    solver = Validating(inner)
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == Unknown("why")
    assert solver.solve(Query((above(X, 2.0),)), BUDGET) == PROVED


def test_rewriting_decides_what_is_plain() -> None:
    inner = Scripted(Sat({"x": 5.0}, "inner"))
    solver = Rewriting(inner)
    assert solver.solve(Query((P, negation(P))), BUDGET) == Unsat(Proof(solver, "rewriting"))
    assert solver.solve(Query((make(Op.FP_LT, constant(FLOAT64, 1.0), constant(FLOAT64, 2.0)),)), BUDGET) == Sat(
        {}, "simplification"
    )
    assert inner.asked == []
    assert solver.solve(Query((above(X, 2.0), P)), BUDGET) == Sat({"x": 5.0, "p": False}, "inner")


def test_rewriting_passes_on_what_is_no_model() -> None:
    inner = Scripted(Unknown("why"), None)
    assert Rewriting(inner).solve(Query((above(X, 2.0),)), BUDGET) == Unknown("why")
    assert Rewriting(inner).solve(Query((above(X, 2.0),)), BUDGET) == PROVED


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
    monkeypatch.setattr(work_clock, "time", inner)
    parts = Query(tuple(above(v, 1.0) for v in (X, Y, Z)))
    assert Splitting(inner).solve(parts, Budget(1000, left[0])) == Unknown("first")
    assert inner.budgets == [Budget(1000, seconds) for seconds in left]


def test_parts_that_no_time_is_left_for_are_the_reason_where_the_others_have_models(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    inner = Slow(Sat({"x": 2.0}, "a"))
    monkeypatch.setattr(work_clock, "time", inner)
    parts = Query((above(X, 1.0), above(Y, 1.0)))
    assert Splitting(inner).solve(parts, Budget(1000, 4.0)) == Unknown("the time budget is used up")


def test_one_impossible_part_decides() -> None:
    inner = Scripted(Unknown("why"), None)
    assert isinstance(Splitting(inner).solve(Query((above(X, 1.0), above(Y, 1.0))), BUDGET), Unsat)
    inner = Scripted(Unknown("why"), Sat({"y": 2.0}, "b"))
    assert Splitting(inner).solve(Query((above(X, 1.0), above(Y, 1.0))), BUDGET) == Unknown("why")


def test_stages_end_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    query = Query((above(X, 2.0),))
    for known in (Sat({"x": 3.0}, "a"), None):
        first, second, third = Slow(Unknown("first")), Scripted(known), Scripted()
        monkeypatch.setattr(work_clock, "time", first)
        assert Stages(first, second, third).solve(query, Budget(1000, 10.0)) == (known or PROVED)
    assert Stages(Scripted(Unknown("a")), Scripted(Unknown("b"))).solve(query, BUDGET) == Unknown("b")
    coarse = Unknown("a", coarse=True)
    assert Stages(Scripted(coarse), Scripted(None)).solve(query, BUDGET) == PROVED
    assert Stages(Scripted(coarse), Scripted(), decides=is_settled).solve(query, BUDGET) == coarse


def test_a_stage_gets_the_time_that_those_before_it_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Slow(Unknown("first"), Unknown("second"))
    monkeypatch.setattr(work_clock, "time", slow)
    answer = Stages(slow, slow, slow).solve(Query((above(X, 2.0),)), Budget(1000, 8.0))
    assert answer == Unknown("the time budget is used up")
    assert slow.budgets == [Budget(1000, 8.0), Budget(1000, 4.0)]


def test_limits() -> None:
    inner = Slow(None, None, None, None, None)
    small, large = Query((above(X, 2.0),)), Query((above(X, 2.0), above(Y, 2.0)))
    assert Limited(inner, share=0.25, seconds=2.0, size=4).solve(small, Budget(7, 4.0)) == PROVED
    assert Limited(inner, share=0.25, seconds=2.0).solve(large, Budget(7, 10.0)) == PROVED
    assert Limited(inner, share=0.5, evaluations=5).solve(small, Budget(7, 4.0)) == PROVED
    assert inner.budgets == [Budget(7, 1.0), Budget(7, 2.0), Budget(5, 2.0)]
    refused = Limited(inner, share=0.25, size=4).solve(large, Budget(7, 4.0))
    assert refused == Unknown("scripted: a query of more than 4 parts is too large")
    assert Limited(inner, share=1.0, without=frozenset((Op.FP_MUL,))).solve(small, Budget(7, 4.0)) == PROVED
    compares = Limited(inner, share=1.0, without=frozenset((Op.FP_MUL, *(part.op for part in small.constraints))))
    assert isinstance(compares.solve(small, Budget(7, 4.0)), Unknown)
    assert isinstance(Limited(inner, share=1.0, needs=frozenset((INT,))).solve(small, Budget(7, 4.0)), Unknown)
    assert len(inner.budgets) == 4
    assert Limited(inner, share=1.0, needs=frozenset((INT, FLOAT64))).solve(small, Budget(7, 4.0)) == PROVED


def test_what_is_made_of_solvers_can_do_what_one_of_them_can() -> None:
    class Searches(Scripted):
        proves = False
        misses = frozenset(("nan", "int"))

        def ready(self) -> None:
            self.asked.append(Query(()))

    class Other(Searches):
        name = "other"
        misses = frozenset(("int", "bool"))

    parts = Searches(), Other(), Searches()
    both = Stages(Splitting(parts[0]), *parts[1:])
    assert (both.name, both.proves, both.misses) == ("scripted, other", False, frozenset({"int"}))
    assert Stages(both, Scripted()).proves
    both.ready()
    assert [len(part.asked) for part in parts] == [1, 1, 1]
