"""Proofs that no input takes a branch. The prover reads the subject and never runs it: it can work in a process that
the code under test has never touched (:mod:`zeroin.worker.prover_process`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..config import Budget
from ..model.memory import Unreadable
from ..model.reach import Reached
from ..solvers import work_clock
from ..solvers.base import Answer, Proof, Query, Sat, Unsat
from ..solvers.chain import proving, proving_alone, proving_facts
from ..solvers.intervals import Intervals
from ..solvers.invariants import Facts, Invariants
from ..subject.subject import Subject
from ..term.core.traversal import postorder
from ..term.smt.text import NotExpressible
from ..term.smt.writer import translate
from .proof_requests import LEAST, Conclusion, Effort, Finish, Prepare, ProofRequest, Refute, Vouch

_NO_TIME = "no time was left to ask another solver"
_BRIEF = 0.01  # seconds that a solver gets at least
_BOXES = 200  # of intervals, for a quick proof


@dataclass(frozen=True)
class Unconfirmed:
    """A proof that another solver may still confirm.

    Attributes:
        outcome: that it is about.
        proof: as it was told.
        query: what nothing satisfies.
        until: when there is no more time for that, by ``time.monotonic``.
    """

    outcome: int
    proof: Proof
    query: Query
    until: float


class BranchProver:
    """Answers requests about one subject.

    Args:
        subject: it is read, and never run.
        tell: called with each proof that does not rest on guessed types, and its outcome.
        confirms: whether another solver confirms each proof before it is told; else proofs that are not confirmed are
            collected.

    Attributes:
        unconfirmed: those.
    """

    def __init__(self, subject: Subject, tell: Callable[[int, Proof], None] | None = None,
                 confirms: bool = True) -> None:  # fmt: skip
        self._subject, self._tell, self._confirms = subject, tell, confirms
        self.unconfirmed: list[Unconfirmed] = []
        self._careful, self._until = False, 0.0
        self._last: tuple[int, Reached] | None = None  # what was asked about, and read, last

    def ask(self, question: ProofRequest) -> Conclusion:
        """Answer a request."""
        try:
            match question:
                case Prepare():
                    self._prepare(question)
                    if question.outcome is not None:
                        self._reached(question.outcome)
                case Finish():
                    pass
                case Refute():
                    return self._refute(question)
                case Vouch():
                    return self._vouch(question)
        except Unreadable as error:
            return Conclusion(why=str(error) or "it can not be read")
        return Conclusion()

    @cached_property
    def _intervals(self) -> Intervals:
        return Intervals()

    @cached_property
    def _solvers(self) -> tuple[Callable[[Query, Budget], Answer], Invariants]:
        solver = proving() if self._confirms else proving_alone()
        return solver.solve, Invariants(proving_facts(self._careful))

    def _prepare(self, question: Prepare) -> None:
        if question.careful and not self._careful:
            self._careful = True
            self.__dict__.pop("_solvers", None)
        if question.effort is Effort.INTERVALS:
            self._intervals.ready()
        else:
            _ = self._solvers  # made now

    # ---- reading ----

    def _refute(self, question: Refute) -> Conclusion:
        if question.of_path and question.outcome not in self._subject.wanted:
            return Conclusion()  # that says nothing about the path
        latest = time.monotonic() + question.within
        self._prepare(Prepare(question.effort, question.careful))
        reached = self._reached(question.outcome)
        self._until = min(latest, time.monotonic() + question.budget.seconds)
        if self._left < LEAST:
            return Conclusion()
        answer, facts = self._answered(reached, question)
        if isinstance(answer, Unsat):
            proof = proof_of(answer, reached, question.keeps_query, facts, lambda other: self._settled(other, question))
            outcome = 2 * len(self._subject.sites) if question.of_path else question.outcome
            if self._confirms or question.effort is Effort.INTERVALS:
                return self._proved((outcome,), proof)
            found = self._proved((outcome,), replace(proof, prover=proof, unconfirmed=_NO_TIME))
            assert found.proof is not None
            if not self._subject.guesses:
                query = Query((reached.condition, *facts.terms))
                self.unconfirmed.append(Unconfirmed(outcome, found.proof, query, latest))
            return found
        if not isinstance(answer, Sat):
            return Conclusion()
        has_loops = question.effort is Effort.SOLVERS and bool(reached.loops)
        if question.effort is Effort.INVARIANTS and not facts.terms:
            return Conclusion(is_possible=True)  # the model is that of the question without them
        inputs = {name: answer.model.get(name, value) for name, value in reached.inputs.items()}
        return Conclusion(words=self._subject.words_with(inputs), is_possible=True, has_loops=has_loops)

    def _reached(self, outcome: int) -> Reached:
        if self._last is None or self._last[0] != outcome:
            self._last = outcome, self._subject.reach(outcome)
        return self._last[1]

    @property
    def _left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    def _answered(self, reached: Reached, question: Refute) -> tuple[Answer, Facts]:
        """Whether something satisfies the condition; and the facts about loops that were asked with it."""
        if question.effort is Effort.INTERVALS:
            work_clock.worked(work_clock.READ * len(postorder([reached.condition])))
            budget = replace(self._budget(question, 1.0), evaluations=_BOXES)
            return self._intervals.solve(Query((reached.condition,)), budget), Facts()
        facts = Facts()
        if question.effort is Effort.INVARIANTS:
            facts = self._solvers[1].of(reached, self._budget(question, question.work_for_loops))
            if not facts.terms:  # as without them
                return Sat({}, ""), facts
        budget = self._budget(question, question.budget.work)
        return self._solvers[0](Query((reached.condition, *facts.terms)), budget), facts

    def _settled(self, reached: Reached, question: Refute) -> tuple[Answer, Facts]:
        """The same, with the facts about loops if it needs them."""
        answer, facts = self._answered(reached, replace(question, effort=min(question.effort, Effort.SOLVERS)))
        if isinstance(answer, Sat) and reached.loops and question.effort > Effort.INTERVALS:
            return self._answered(reached, replace(question, effort=Effort.INVARIANTS))
        return answer, facts

    def _budget(self, question: Refute, seconds_of_work: float) -> Budget:
        """For one solver, in the time that is left."""
        return replace(question.budget, seconds=max(_BRIEF, self._left), work=max(_BRIEF, seconds_of_work))

    # ---- runs that prove something ----

    def _vouch(self, question: Vouch) -> Conclusion:
        proof = question.proof
        if question.depends_on_machine:
            proof = replace(proof, prover=proof, assumptions=(*proof.assumptions, *self._subject.repeats()))
        elif why := self._subject.doubts():
            return Conclusion(why=why)
        return self._proved(question.outcomes, proof)

    def _proved(self, outcomes: Sequence[int], proof: Proof) -> Conclusion:
        if (assumed := self._subject.assumed) is not None:
            proof = replace(proof, prover=proof, assumptions=assumed.and_others(proof.assumptions))
        if self._tell is not None and not self._subject.guesses:
            for outcome in outcomes:
                self._tell(outcome, proof)
        return Conclusion(proof=proof)


Answered = Callable[[Reached], tuple[Answer, Facts]]


def proof_of(answer: Unsat, reached: Reached, keeps_query: bool, facts: Facts, answered: Answered) -> Proof:
    """That no input takes a branch, if nothing satisfies what each satisfies that does.

    Args:
        answer: of whom was asked.
        reached: what each satisfies.
        keeps_query: whether the proof says what was asked.
        facts: what holds in loops, which was asked with it.
        answered: asks about inputs of further types: that there are none is an
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
            answer, facts = answered(reached)
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
