"""Quick proofs by interval arithmetic that no input takes a branch, before more is spent on it."""

from __future__ import annotations

from collections import deque

from ...solvers.work_clock import Deadline
from ..proof_requests import Effort, Prepare
from ..search import Search, bits_of
from .base import Strategy
from .prove import refute, try_input

_SHARE = 0.3  # the share of the budget for all branches together


class Refute(Strategy):
    """A strategy that tries each branch once, all in one step.

    No second solver confirms its proofs, because there may be hundreds.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._left = deque(bits_of(search.missing))
        search.ask(Prepare(Effort.INTERVALS))

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
        """Ask the prover about one branch. If the code can not be read, all further branches are dropped."""
        search = self.search
        found = search.ask(refute(search, outcome, Effort.INTERVALS, 1.0))
        if found.why:  # the strategy ``prove`` reports the reason
            self._left.clear()
        elif found.proof is not None:
            search.prove(outcome, found.proof)
            search.easily += 1
        elif found.words is not None:
            try_input(search, found.words)
