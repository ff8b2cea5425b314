"""A second opinion on every proof, from a prover that did not make it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..config import Budget
from .apart import is_known, race
from .base import Answer, CompleteSolver, Disagreement, Query, Sat, Solver, Unknown, Unsat
from .smt import installed


class Confirming(CompleteSolver):
    """Puts the whole query, as it was asked, before the other provers when there is a proof; the first of them that
    decides counts. They get the time that the proof has left.

    Args:
        inner: answers.
        provers: makes those that may be asked; by default all SMT solvers that are installed.
    """

    def __init__(self, inner: Solver, provers: Callable[[], Sequence[CompleteSolver]] = installed) -> None:
        self.inner, self.name, self.provers = inner, inner.name, provers

    def solve(self, query: Query, budget: Budget) -> Answer:
        """``Unsat`` says who agrees, or why nobody does; a ``Disagreement`` that there is a model after all."""
        deadline = time.monotonic() + budget.seconds
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Unsat):
            return answer
        others = [prover for prover in self.provers() if prover.name != answer.by.name]
        left = deadline - time.monotonic()
        if not others or left <= 0:
            why = "no time is left" if others else "no other prover is installed"
            return replace(answer, unconfirmed=why)
        second, _ = race(others, query, Budget(budget.evaluations, left), len(others), _decides)
        if isinstance(second, Unsat):
            return replace(answer, confirmed_by=(*answer.confirmed_by, second.by.name))
        if isinstance(second, Sat):
            return _disagreement(answer, f"{second.by} has a model that holds")
        if second.claims_model:
            return _disagreement(answer, f"another solver says that there is one ({second.reason})")
        return replace(answer, unconfirmed=second.reason)


def _decides(answer: Answer) -> bool:
    return is_known(answer) or (isinstance(answer, Unknown) and answer.claims_model)


def _disagreement(first: Unsat, other: str) -> Disagreement:
    return Disagreement(
        f"{first.by.name} has a proof that there is no solution, but {other}: one of them is wrong; please report this "
        "query"
    )
