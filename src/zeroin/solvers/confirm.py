"""Confirmation of proofs by a second, different prover."""

from __future__ import annotations

import math
from dataclasses import replace

from ..config import Budget
from .base import Answer, CompleteSolver, Disagreement, Proof, Query, Sat, Solver, Unknown, Unsat, is_settled
from .decorators import Around
from .solver_processes import race
from .work_clock import Deadline

ENOUGH = 0.6  # seconds of work that suffice to confirm most proofs


class Confirming(Around):
    """Have each proof of the inner solver confirmed by another prover.

    After a proof, the other provers get the whole original query; the first answer that decides counts. They have
    the time that is left. If work is limited, they have the work that is left, but at least ``ENOUGH``.

    Args:
        inner: the solver that answers.
        provers: the provers that may confirm. One with the name of the prover that found the proof is not asked.
    """

    def __init__(self, inner: Solver, *provers: CompleteSolver) -> None:
        super().__init__(inner)
        self.provers = provers

    def solve(self, query: Query, budget: Budget) -> Answer:
        """Answer the query; see :class:`.base.Solver`.

        Returns:
            The inner solver's answer. The proof of ``Unsat`` has the confirming proof, or the reason why there is
            none. If another prover has a model instead, or claims that there is one, a ``Disagreement``.
        """
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
    """Return a proof together with the answer of a second solver.

    Returns:
        ``Unsat`` with the second proof as confirmation, or with the reason why there is none; a ``Disagreement`` if
        the second solver has a model, or only claims that there is one.
    """
    if isinstance(second, Unsat):
        return Unsat(replace(proof, prover=proof, confirmed_by=(*proof.confirmed_by, second.proof), unconfirmed=None))
    if isinstance(second, Sat):
        return _disagreement(proof, f"{second.by} has a model that holds")
    if second.claims_model:
        return _disagreement(proof, f"another solver says that there is one ({second.reason})")
    return _alone(proof, second.reason)


def decides(answer: Answer) -> bool:
    """Whether the answer of a second solver decides: a proof, a model, or the claim that there is a model."""
    return is_settled(answer) or (isinstance(answer, Unknown) and answer.claims_model)


def _alone(proof: Proof, why: str) -> Unsat:
    """Return the answer for a proof that no other prover confirmed, with the reason."""
    return Unsat(replace(proof, prover=proof, unconfirmed=why))


def _disagreement(first: Proof, other: str) -> Disagreement:
    return Disagreement(
        f"{first.solver} has a proof that there is no solution, but {other}: one of them is wrong; please report this "
        "query"
    )
