"""Quick proofs that no input takes a branch: what intervals refute at once, before more is spent on it."""

from __future__ import annotations

from collections import deque

from ...config import Budget
from ...model.memory import Unreadable
from ...model.reach import Reached
from ...solvers import work
from ...solvers.base import Answer, Query, Sat, Unsat
from ...solvers.intervals import Intervals
from ...solvers.invariants import Facts
from ...solvers.work import Deadline
from ...term.traversal import postorder
from ..search import Search, bits_of
from .base import Strategy
from .prove import proof_of, try_model

_BOXES = 200  # for one question
_SHARE = 0.3  # of the budget, for all of them


class Refute(Strategy):
    """Each branch once, all in one step. Who agrees with such a proof is not asked: there may be hundreds."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._left = deque(bits_of(search.missing))
        self._solver = Intervals()
        with search.ledger.compiling():
            self._solver.ready()

    @property
    def done(self) -> bool:
        return not self._left

    def step(self, evaluations: int) -> None:
        deadline = Deadline(self.search.ledger.thought(_SHARE * self.search.ledger.budget.seconds))
        while self._left and not deadline.is_over:
            outcome = self._left.popleft()
            if self.search.missing >> outcome & 1:
                self._decide(outcome)

    def _decide(self, outcome: int) -> None:
        search = self.search
        with search.ledger.thinking():
            try:
                reached = search.subject.reach(outcome)
            except Unreadable:  # ``prove`` says so
                self._left.clear()
                return
            answer, facts = self._answered(reached)
            proof = None
            if isinstance(answer, Unsat):
                proof = proof_of(answer, reached, search.queries, facts, self._answered)
        if proof is not None:
            search.prove(outcome, proof)
            search.easily += 1
        elif isinstance(answer, Sat):
            try_model(search, reached, answer)

    def _answered(self, reached: Reached, tries: bool = False) -> tuple[Answer, Facts]:
        work.worked(work.READ * len(postorder([reached.condition])))
        budget = Budget(_BOXES, self.search.ledger.thought(1.0).seconds)
        return self._solver.solve(Query((reached.condition,)), budget), Facts()
