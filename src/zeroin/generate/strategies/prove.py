"""Proofs that no input takes a branch: what every such input satisfies is put before provers (DESIGN, section 6)."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from ...model.memory import Unreadable
from ...model.reach import Reached
from ...solvers.base import Answer, Proof, Query, Sat, Unsat
from ...solvers.chain import proving, proving_facts
from ...solvers.invariants import Facts, Invariants
from ...term.nodes import Term
from ...term.smt_text import NotExpressible
from ...term.to_smt import translate
from ..search import Search, bits_of
from .base import Strategy

_MORE, _LEAST = 4, 0.05  # times the work for questions that are left; seconds that are worth a try
_AT_FIRST = 5  # questions that are put with the work of one
LOOPS = 4  # times the first thought: to find out what holds in loops


class Prove(Strategy):
    """Each step puts one question, or several short ones with the work of one. A model is an input to try; where it
    does not take the branch, the question was too coarse: it is put once more with what holds in loops, and then not
    again.

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
            self._solver, self._invariants = proving(), Invariants(proving_facts(search.wary))
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
        if search.ledger.seconds_left < _LEAST:
            return
        answer, facts = self._asked(reached, Facts()), Facts()
        if isinstance(answer, Sat):
            try_model(self.search, reached, answer)
            if search.missing >> outcome & 1 and reached.loops:
                with search.ledger.thinking():
                    facts = self._invariants.of(reached, search.ledger.thought(LOOPS * search.ledger.first_thought))
                answer = self._asked(reached, facts) if facts.terms else answer
        if isinstance(answer, Unsat):
            with search.ledger.thinking():
                proof = proof_of(answer, reached, search.queries, facts)
            search.prove(outcome, proof)
        elif isinstance(answer, Sat):
            if facts.terms:
                try_model(self.search, reached, answer)
            self._coarse |= 1 << outcome
        else:
            self._again.append(outcome)

    def _asked(self, reached: Reached, facts: Facts) -> Answer:
        ledger = self.search.ledger
        with ledger.thinking():
            return self._solver.solve(Query((reached.condition, *facts.terms)), ledger.thought(self._seconds))


def try_model(search: Search, reached: Reached, answer: Sat) -> None:
    """Run what a solver says takes a branch."""
    inputs = {name: answer.model.get(name, value) for name, value in reached.inputs.items()}
    words = search.subject.words_with(inputs)
    search.x[:] = words  # what a process that dies was running
    search.offer(words)
    search.ledger.evaluations += 1


def proof_of(answer: Unsat, reached: Reached, keeps_query: bool, facts: Facts | None = None) -> Proof:
    """That no input takes a branch, if nothing satisfies what each satisfies that does.

    Args:
        answer: of whom was asked.
        reached: what each satisfies.
        keeps_query: whether the proof says what was asked.
        facts: what holds in loops, which was asked with it.
    """
    facts = facts or Facts()
    proof = answer.proof
    taken = (*proof.assumptions, *reached.assumptions)
    asked = _written(reached.condition, facts) if keeps_query else ""
    many = len(facts.terms)
    loops = f", with {many} loop invariant{'s' * (many > 1)}" if many else ""
    return replace(proof, prover=proof, method=proof.method + loops, assumptions=taken, query=asked)


def _written(condition: Term, facts: Facts) -> str:
    """A condition and facts in SMT-LIB's language, after the queries that the facts rest on; empty if that has no words
    for them."""
    try:
        scripts = [translate(each, abstract=True).body for each in (*facts.because, (condition, *facts.terms))]
    except NotExpressible:
        return ""
    why = "; a way to a loop after which one of its invariants would not hold\n"
    return "".join(f"{why}{script}(check-sat)\n(reset)\n" for script in scripts[:-1]) + scripts[-1]
