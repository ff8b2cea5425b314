"""A second prover: who agrees, who can not, who does not."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from zeroin.config import Budget
from zeroin.solvers import Disagreement, Query, Sat, Solver, Unknown, Unsat, solve, solver_processes
from zeroin.solvers.base import Answer, CompleteSolver, Proof
from zeroin.solvers.chain import proof_solver
from zeroin.solvers.confirm import Confirming
from zeroin.solvers.smt import Z3, Bitwuzla, Cvc5, SmtSolver
from zeroin.solvers.work_clock import worked
from zeroin.term.core.build import FALSE, RNE, conjunction, disjunction, equal, negation
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import FLOAT64, INT, REAL
from zeroin.term.smt.writer import Translation

X, N, R = variable("x", FLOAT64), variable("n", INT), variable("r", REAL)
BUDGET = Budget(seconds=20.0)


def above(value: float) -> Term:
    return make(Op.FP_LT, constant(FLOAT64, value), X)


TRUE_FOR_SOME = Query((above(2.0),))
TRUE_FOR_NONE = Query((above(2.0), negation(above(1.0))))

Decides = Callable[[Answer], bool]


class Says(CompleteSolver):
    """Gives an answer, after a while."""

    def __init__(self, name: str, answer: Answer | None = None, after: float = 0.0) -> None:
        self.name, self.answer, self.after = name, answer, after

    def solve(self, query: Query, budget: Budget) -> Answer:
        time.sleep(self.after)
        return self.answer or Unsat(Proof(self, "by heart"))


def proof(*confirmed_by: str, of: str = "first", why: str | None = None, method: str = "by heart") -> Unsat:
    """A solver's proof, by heart like those of all that agree."""
    others = tuple(Proof(Says(name), "SMT, QF_FP") for name in confirmed_by)
    return Unsat(Proof(Says(of), method, confirmed_by=others, unconfirmed=why))


def confirmed(query: Query, first: Solver, *others: CompleteSolver, seconds: float = 20.0) -> Answer:
    return Confirming(first, *others).solve(query, Budget(seconds=seconds))


def test_another_prover_agrees() -> None:
    first = Bitwuzla()
    by_z3, by_cvc5 = (proof(name, of="bitwuzla", method="SMT, QF_FP") for name in ("z3", "cvc5"))
    assert confirmed(TRUE_FOR_NONE, first, Bitwuzla(), Z3()) == by_z3
    assert confirmed(TRUE_FOR_NONE, first, Says("slow", after=60.0), Cvc5()) == by_cvc5
    assert confirmed(TRUE_FOR_NONE, first, Says("shrugs", Unknown("no idea")), Cvc5()) == by_cvc5


def test_only_proofs_are_checked() -> None:
    for answer in (Sat({"x": 3.0}, "first"), Unknown("no idea")):
        assert confirmed(TRUE_FOR_SOME, Says("first", answer), Says("z3")) == answer


def test_nobody_can_confirm() -> None:
    first = Says("first")
    assert confirmed(TRUE_FOR_NONE, first) == proof(why="no other prover is installed")
    assert confirmed(TRUE_FOR_NONE, first, Says("first")) == proof(why="no other prover is installed")
    assert confirmed(TRUE_FOR_NONE, first, Says("a", Unknown("a: why")), Says("b", Unknown("b: why"))) in (
        proof(why="a: why; b: why"), proof(why="b: why; a: why"))  # fmt: skip
    slow = Says("slow", after=60.0)
    assert confirmed(TRUE_FOR_NONE, first, slow, seconds=0.3) == proof(why="slow: the time budget is used up")
    late = Says("late", after=0.2)
    assert confirmed(TRUE_FOR_NONE, late, Z3(), seconds=0.1) == proof(of="late", why="no time is left")


def test_a_proof_that_took_all_the_work_is_confirmed() -> None:
    """As long as there is time."""

    class Works(Says):
        def solve(self, query: Query, budget: Budget) -> Answer:
            worked(budget.work)
            return super().solve(query, budget)

    answer = Confirming(Works("first"), Z3()).solve(TRUE_FOR_NONE, Budget(9, 20.0, 0.01))
    assert answer == proof("z3")


@pytest.mark.parametrize("wheel", [Z3, Bitwuzla, Cvc5])
def test_a_model_refutes_a_proof(wheel: type[CompleteSolver]) -> None:
    answer = confirmed(TRUE_FOR_SOME, Says("liar"), wheel(), Says("slow", after=60.0))
    assert isinstance(answer, Disagreement)
    assert answer.reason.startswith("liar has a proof that there is no solution, but ")
    assert "has a model that holds: one of them is wrong; please report this query" in answer.reason


class WrongModel(Z3):
    """Says sat, with a model that does not hold."""

    def _ask(self, script: Translation, budget: Budget) -> tuple[str, Mapping[str, Any]]:
        return "sat", dict.fromkeys(script.symbols, 0.0)


def test_a_claim_of_a_model_is_a_disagreement_too() -> None:
    claim = WrongModel().solve(TRUE_FOR_NONE, BUDGET)
    assert claim == Unknown("z3: its model does not hold exactly", claims_model=True)
    answer = confirmed(TRUE_FOR_NONE, Says("liar"), WrongModel(), Says("slow", after=60.0))
    assert isinstance(answer, Disagreement)
    assert "another solver says that there is one (z3: its model does not hold exactly)" in answer.reason


UNINTERPRETED = make(Op.FP_LT, constant(FLOAT64, 2.0), make(Op.MATH, X, data="sin"))
_SINE, _COSINE = (make(Op.MATH, X, data=name) for name in ("sin", "cos"))
SQUARES = make(Op.FP_ADD, RNE, make(Op.FP_MUL, RNE, _SINE, _SINE), make(Op.FP_MUL, RNE, _COSINE, _COSINE))
OPEN = conjunction([equal(X, constant(FLOAT64, float("inf"))), equal(make(Op.FP_TO_REAL, X), constant(REAL, 5))])


@pytest.mark.parametrize("constraint", [UNINTERPRETED, OPEN], ids=["function", "open value"])
def test_a_model_of_less_than_the_terms_refutes_nothing(constraint: Term) -> None:
    """And nobody waits for those that read the same."""
    answer = confirmed(Query((constraint,)), Says("first"), Z3(), Says("slow", after=60.0))
    assert isinstance(answer, Unsat)
    assert answer.proof.unconfirmed
    assert answer.proof.unconfirmed.startswith("z3: its model ")


def test_provers_are_not_asked_for_what_none_can_prove(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bitwuzla has a model, for some functions; of the reals it says nothing."""
    asked: list[str] = []

    def noted(self: SmtSolver, script: Translation, budget: Budget) -> tuple[str, None]:
        asked.append(self.name)
        return "it gave up", None

    def one_by_one(solvers: Sequence[Solver], query: Query, budget: Budget, jobs: int, decides: Decides) -> Answer:
        answers = (solver.solve(query, budget) for solver in solvers)
        return next((answer for answer in answers if decides(answer)), Unknown("no idea"))

    monkeypatch.setattr(solver_processes, "race", one_by_one)
    monkeypatch.setattr(Z3, "_asked", noted)
    monkeypatch.setattr(Cvc5, "_asked", noted)
    too_large = make(Op.FP_LT, constant(FLOAT64, 1.5), SQUARES)
    why = "bitwuzla: its model treats cos, sin as arbitrary functions"
    assert proof_solver().solve(Query((too_large,)), Budget(1000, 20.0, 1.0)) == Unknown(why, coarse=True)
    assert not asked
    above_one = make(Op.LT, constant(REAL, 1), R)
    assert proof_solver().solve(Query((above_one,)), Budget(1000, 20.0, 2.0)) == Unknown("no idea")
    assert asked == ["cvc5", "cvc5", "z3"]
    relaxed = Z3(reals=True).solve(Query((above(1e308), UNINTERPRETED)), BUDGET)
    assert isinstance(relaxed, Unknown)
    assert not relaxed.coarse


CASES: dict[str, Sequence[Term]] = {
    "floats": TRUE_FOR_NONE.constraints,
    "simplified": (FALSE,),
    "integers": (make(Op.LT, N, constant(INT, 0)), make(Op.LT, constant(INT, 0), N)),
    "parts": (above(2.0), disjunction([make(Op.LT, R, R), make(Op.LT, R, make(Op.SUB, R, constant(REAL, 1)))])),
}


@pytest.mark.parametrize("solver", ["portfolio", "z3", "cvc5"])
@pytest.mark.parametrize("name", CASES)
def test_the_option_of_the_library(name: str, solver: str) -> None:
    answer = solve(CASES[name], Budget(seconds=20.0), solver, check_proofs=True)
    assert isinstance(answer, Unsat)
    (second,) = answer.proof.confirmed_by
    assert second.solver != answer.by
    assert answer.proof.unconfirmed is None
    assert solve(CASES[name], Budget(seconds=20.0), solver).proof.confirmed_by == ()  # type: ignore[union-attr]
