"""Quick proofs that no input takes a branch: what intervals refute at once, before more is spent on it."""

from __future__ import annotations

from collections import deque

from ...config import Budget
from ...model.memory import Unreadable
from ...solvers.base import Query, Sat, Unsat
from ...solvers.intervals import Intervals
from ..search import Search, bits_of
from .base import Strategy
from .prove import proof_of, try_model

_BOXES = 200  # for one question
_SHARE = 0.3  # of the time that is left, for all of them


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
        ledger = self.search.ledger
        until = ledger.seconds_left * (1 - _SHARE)
        while self._left and ledger.seconds_left > until:
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
            answer = self._solver.solve(
                Query((reached.condition,)), Budget(_BOXES, max(0.01, search.ledger.seconds_left))
            )
            proof = proof_of(answer, reached, search.queries) if isinstance(answer, Unsat) else None
        if proof is not None:
            search.prove(outcome, proof)
            search.easily += 1
        elif isinstance(answer, Sat):
            try_model(search, reached, answer)
