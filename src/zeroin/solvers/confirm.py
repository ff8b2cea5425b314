"""A second opinion on every proof, from a prover that did not make it."""

from __future__ import annotations

import math
from dataclasses import replace

from ..config import Budget
from .base import Answer, CompleteSolver, Disagreement, Proof, Query, Sat, Solver, Unknown, Unsat, is_settled
from .decorators import Around
from .solver_processes import race
from .work_clock import Deadline

ENOUGH = 0.6  # seconds of work


class Confirming(Around):
    """Puts the whole query, as it was asked, before the other provers when there is a proof; the first of them that
    decides counts. They get the time that the proof has left; where work is limited, what it has left of that or enough
    to agree with most proofs, whichever is more.

    Args:
        inner: answers.
        provers: those that may be asked.
    """

    def __init__(self, inner: Solver, *provers: CompleteSolver) -> None:
        super().__init__(inner)
        self.provers = provers

    def solve(self, query: Query, budget: Budget) -> Answer:
        """The proof of ``Unsat`` says who agrees, or why nobody does; a ``Disagreement`` that there is a model after
        all."""
        worked, deadline = Deadline(budget), Deadline(replace(budget, work=math.inf))
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Unsat):
            return answer
        proof = answer.proof
        others = [prover for prover in self.provers if prover.name != proof.solver]
        left = deadline.left
        if not others or left is None:
            return _alone(proof, "no time is left" if others else "no other prover is installed")
        if math.isfinite(budget.work):
            left = replace(left, work=max(ENOUGH, worked.left.work if worked.left else 0.0))
        return judged(proof, race(others, query, left, len(others), decides))


def judged(proof: Proof, second: Answer) -> Answer:
    """A proof in the light of what another solver says: with its proof, or why it has none; a ``Disagreement`` if it
    has a model."""
    if isinstance(second, Unsat):
        return Unsat(replace(proof, prover=proof, confirmed_by=(*proof.confirmed_by, second.proof), unconfirmed=None))
    if isinstance(second, Sat):
        return _disagreement(proof, f"{second.by} has a model that holds")
    if second.claims_model:
        return _disagreement(proof, f"another solver says that there is one ({second.reason})")
    return _alone(proof, second.reason)


def decides(answer: Answer) -> bool:
    """Whether the answer of a second solver is a proof, or a model, or says that there is one."""
    return is_settled(answer) or (isinstance(answer, Unknown) and answer.claims_model)


def _alone(proof: Proof, why: str) -> Unsat:
    return Unsat(replace(proof, prover=proof, unconfirmed=why))


def _disagreement(first: Proof, other: str) -> Disagreement:
    return Disagreement(
        f"{first.solver} has a proof that there is no solution, but {other}: one of them is wrong; please report this "
        "query"
    )
