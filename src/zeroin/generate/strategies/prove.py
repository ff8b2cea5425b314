"""Proofs that no input takes a branch: what every such input satisfies is put before provers (DESIGN, section 6)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...model.memory import Unreadable
from ...model.reach import Reached
from ...solvers.base import Answer, Proof, Query, Sat, Unsat
from ...solvers.chain import proving, proving_facts
from ...solvers.invariants import Facts, Invariants
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
        answer, facts = self._answered(reached)
        if isinstance(answer, Unsat):
            search.prove(outcome, proof_of(answer, reached, search.queries, facts, self._answered))
        elif isinstance(answer, Sat):
            self._coarse |= 1 << outcome
        elif search.missing >> outcome & 1:
            self._again.append(outcome)

    def _answered(self, reached: Reached, tries: bool = True) -> tuple[Answer, Facts]:
        """Whether something satisfies the condition, and what holds in loops, if that was needed; unless only an answer
        is wanted, what does is tried."""
        answer, facts = self._asked(reached, Facts()), Facts()
        before = self.search.missing
        if isinstance(answer, Sat) and tries:
            try_model(self.search, reached, answer)
        if isinstance(answer, Sat) and self.search.missing == before and reached.loops:
            ledger = self.search.ledger
            with ledger.thinking():
                facts = self._invariants.of(reached, ledger.thought(LOOPS * ledger.first_thought))
            answer = self._asked(reached, facts) if facts.terms else answer
            if isinstance(answer, Sat) and facts.terms and tries:
                try_model(self.search, reached, answer)
        return answer, facts

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


Answered = Callable[[Reached, bool], tuple[Answer, Facts]]


def proof_of(answer: Unsat, reached: Reached, keeps_query: bool, facts: Facts, answered: Answered) -> Proof:
    """That no input takes a branch, if nothing satisfies what each satisfies that does.

    Args:
        answer: of whom was asked.
        reached: what each satisfies.
        keeps_query: whether the proof says what was asked.
        facts: what holds in loops, which was asked with it.
        answered: asks, without trying what is found, about inputs of further types: that there are none is an
            assumption, unless these are refuted, too.
    """
    proof = answer.proof
    taken, asked = [*proof.assumptions, *reached.assumptions], [(reached, facts)]
    if reached.further is not None:
        further = _refuted(reached.further, answered)
        taken += reached.without if further is None else ()
        for also, other, own in further or ():
            taken += (*also.proof.assumptions, *other.assumptions)
            asked.insert(0, (other, own))
    many = len(facts.terms)
    loops = f", with {many} loop invariant{'s' * (many > 1)}" if many else ""
    return replace(proof, prover=proof, method=proof.method + loops, assumptions=tuple(dict.fromkeys(taken)),
                   query=_written(asked) if keeps_query else "")  # fmt: skip


def _refuted(further: Callable[[], Iterable[Reached]],
             answered: Answered) -> list[tuple[Unsat, Reached, Facts]] | None:  # fmt: skip
    """The same of inputs of further types; None if not all are refuted."""
    found = []
    try:
        for reached in further():
            answer, facts = answered(reached, False)
            if not isinstance(answer, Unsat):
                return None
            found.append((answer, reached, facts))
    except Unreadable:
        return None
    return found


def _written(asked: Sequence[tuple[Reached, Facts]]) -> str:
    """Conditions and facts in SMT-LIB's language, each after the queries that the facts rest on; empty if that has no
    words for them."""
    queries = [("", (reached.condition, *facts.terms)) for reached, facts in asked]
    loops = [("; a way to a loop after which one of its invariants would not hold\n", because)
             for _, facts in asked for because in facts.because]  # fmt: skip
    types = [("; the same for inputs of other types\n", terms) for _, terms in queries[:-1]]
    try:
        scripts = [(why, translate(each, abstract=True).body) for why, each in (*loops, *types, queries[-1])]
    except NotExpressible:
        return ""
    return "".join(f"{why}{script}(check-sat)\n(reset)\n" for why, script in scripts[:-1]) + scripts[-1][1]
