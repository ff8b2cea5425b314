"""Proofs that no input takes a branch: what every such input satisfies is put before provers (DESIGN, section 6)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from ...config import Budget
from ...model.memory import Unreadable
from ...model.reach import Reached
from ...solvers.base import Proof, Query, Sat, Unsat
from ...solvers.chain import proving
from ...term.nodes import Term
from ...term.smt_text import NotExpressible
from ...term.to_smt import translate
from ..search import Search, bits_of
from .base import Strategy

_MORE, _LEAST = 4, 0.05  # times as long for questions that are left; seconds that are worth a try
_AT_FIRST = 5  # questions that are put in the time of one


class Prove(Strategy):
    """Each step puts one question, or several short ones in the time of one. A model is an input to try; where it does
    not take the branch, the question was too coarse, and is not put again.

    Attributes:
        why: nothing can be proved; empty if something can.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._most = max(_LEAST, search.ledger.first_thought)
        self._seconds = max(_LEAST, self._most / _AT_FIRST)
        self._left = deque(bits_of(search.missing))
        self._again = list[int]()
        self._coarse = 0
        self.why = ""
        with search.ledger.compiling():
            self._solver = proving()
        search.remarks.append(self._told)

    def _told(self) -> str:
        """What came of it, in a line."""
        if self.why:
            return f"no proofs: {self.why}" if self.search.missing else ""
        left = (self._coarse & self.search.missing).bit_count()
        return f"neither found nor proved: what is known of the ways to {left} branches is too coarse" if left else ""

    @property
    def done(self) -> bool:
        return bool(self.why) or not (self._left or self._again)

    def step(self, evaluations: int) -> None:
        if not self._left:
            self._seconds *= _MORE
            self._left, self._again = deque(self._again), []
        before = self.search.missing
        for _ in range(max(1, int(self._most / self._seconds))):
            if self._left and self.search.missing == before and not self.why:
                self._decide(self._left.popleft())

    def _decide(self, outcome: int) -> None:
        search = self.search
        if not search.missing >> outcome & 1:
            return
        with search.ledger.thinking():
            try:
                reached = search.subject.reach(outcome)
            except Unreadable as error:
                self.why = str(error)
                return
            seconds = min(self._seconds, search.ledger.seconds_left)
            if seconds < _LEAST:
                return
            answer = self._solver.solve(Query((reached.condition,)), Budget(search.ledger.budget.evaluations, seconds))
        if isinstance(answer, Unsat):
            with search.ledger.thinking():
                proof = proof_of(answer, reached, search.queries)
            search.prove(outcome, proof)
        elif isinstance(answer, Sat):
            self._try(outcome, reached, answer)
        else:
            self._again.append(outcome)

    def _try(self, outcome: int, reached: Reached, answer: Sat) -> None:
        inputs = {name: answer.model.get(name, value) for name, value in reached.inputs.items()}
        words = self.search.subject.words_with(inputs)
        self.search.x[:] = words  # what a process that dies was running
        self.search.offer(words)
        self.search.ledger.evaluations += 1
        self._coarse |= 1 << outcome


def proof_of(answer: Unsat, reached: Reached, keeps_query: bool) -> Proof:
    """That no input takes a branch, if nothing satisfies what each satisfies that does."""
    proof = answer.proof
    taken = (*proof.assumptions, *reached.assumptions)
    asked = _written(reached.condition) if keeps_query else ""
    return replace(proof, prover=proof, assumptions=taken, query=asked)


def _written(condition: Term) -> str:
    """A condition in SMT-LIB's language; empty if that has no words for it."""
    try:
        return translate((condition,), abstract=True).body
    except NotExpressible:
        return ""
