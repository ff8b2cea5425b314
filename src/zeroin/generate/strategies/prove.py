"""Prove branches infeasible: solvers refute the conditions that all inputs which take a branch satisfy."""

from __future__ import annotations

from collections import deque

from ...subject.base import Words
from ..proof_requests import LEAST, Conclusion, Effort, Prepare, Refute
from ..search import Search, bits_of
from .base import Strategy

_MORE = 4  # the factor on the work for branches that are left
_AT_FIRST = 5  # the number of queries at first that share the work of one
_LOOPS = 4  # the factor on a query's first work, to find loop invariants


class Prove(Strategy):
    """A strategy that sends one query, or several short ones with the same work, in each step.

    A model is an input to try. If its run does not take the branch, the condition was too weak. Then the query is
    repeated once with loop invariants.

    Attributes:
        why: the reason why nothing can be proved. Empty if something can.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._most = max(LEAST, search.ledger.first_thought)
        self._seconds = max(LEAST, self._most / _AT_FIRST)
        self._left = deque(bits_of(search.missing))
        self._again = list[int]()
        self._coarse = 0
        self.why = ""
        search.ask(Prepare(Effort.SOLVERS, search.wary))
        search.remarks.append(self._told)

    @classmethod
    def announce(cls, search: Search) -> None:
        if search.missing:
            search.begin_to_read(Prepare(Effort.SOLVERS, search.wary, bits_of(search.missing)[0]))

    def _told(self) -> str:
        """Return a remark for the report."""
        if self.why:
            return f"no proofs: {self.why}" if self.search.missing else ""
        left = (self._coarse & self.search.missing).bit_count()
        return f"neither covered nor proved: {left} branches; zeroin's model of the code is not exact" if left else ""

    @property
    def done(self) -> bool:
        is_over = self._again and not self.search.ledger.may_think(self._seconds * _MORE)
        return bool(self.why or not (self._left or self._again) or (is_over and not self._left))

    def step(self, evaluations: int) -> None:
        if not self._left:
            self._seconds *= _MORE
            self._left, self._again = deque(self._again), []
        before = self.search.missing
        for _ in range(max(1, int(self._most / self._seconds))):
            if self._left and self.search.missing == before and not self.why:
                self._decide(self._left.popleft())

    def _decide(self, outcome: int) -> None:
        """Ask the prover about one branch, unless it is covered by now. Without an answer, it is asked again later."""
        search = self.search
        before = search.missing
        if not before >> outcome & 1:
            return
        found = self._asked(outcome, Effort.SOLVERS)
        if found.has_loops and search.missing == before:
            found = self._asked(outcome, Effort.INVARIANTS)
        self.why = found.why
        if found.proof is not None:
            search.prove(outcome, found.proof)
        elif found.is_possible:
            self._coarse |= 1 << outcome
        elif not found.why and search.missing >> outcome & 1:
            self._again.append(outcome)

    def _asked(self, outcome: int, effort: Effort) -> Conclusion:
        """Send a request to the prover, run the input that it proposes, and return its conclusion."""
        found = self.search.ask(refute(self.search, outcome, effort, self._seconds))
        if found.words is not None:
            try_input(self.search, found.words)
        return found


def refute(search: Search, outcome: int, effort: Effort, work: float, of_path: bool = False) -> Refute:
    """Return a request to prove that no input takes a branch. It is not sent.

    Args:
        search: the search.
        outcome: the branch.
        effort: the solvers to use.
        work: the work for the query, in nominal seconds.
        of_path: see :class:`Refute`.
    """
    ledger = search.ledger
    return Refute(outcome, effort, ledger.thought(work), ledger.seconds_left, _LOOPS * ledger.first_thought,
                  search.wary, search.settings.queries, of_path)  # fmt: skip


def try_input(search: Search, words: Words) -> None:
    """Run an input that the prover proposes, and count it as an evaluation. A run that is news is kept."""
    search.x[:] = words  # the input, for the parent process, in case that this process dies
    search.offer(words)
    search.ledger.evaluations += 1
