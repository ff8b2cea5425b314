"""The prover, which proves branches infeasible.

It refutes the *reach condition* of a branch, which every input that takes the branch satisfies. It reads the subject
and never runs it. So it can work in a process that the code under test has never touched
(:mod:`zeroin.worker.prover_process`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ..config import Budget
from ..model.memory import Unreadable
from ..model.reach import ReachCondition
from ..solvers import work_clock
from ..solvers.base import Answer, Proof, Query, Sat, Unsat
from ..solvers.chain import invariant_solver, proof_solver, proving_alone
from ..solvers.intervals import Intervals
from ..solvers.invariants import Facts, Invariants
from ..subject.subject import Subject
from ..term.core.traversal import postorder
from ..term.smt.text import NotExpressible
from ..term.smt.writer import translate
from .proof_requests import LEAST, Conclusion, Effort, Finish, Prepare, ProofRequest, Refute, Vouch

_NO_TIME = "no time was left to ask another solver"
_BRIEF = 0.01  # the shortest time of a solver, in seconds
_BOXES = 200  # the number of boxes of interval arithmetic in a quick proof


@dataclass(frozen=True)
class Unconfirmed:
    """A proof that another solver may still confirm.

    Attributes:
        outcome: the branch.
        proof: the proof that was reported.
        query: the query that the proof shows to be unsatisfiable.
        until: the end of the time for a confirmation, by ``time.monotonic``.
    """

    outcome: int
    proof: Proof
    query: Query
    until: float


class BranchProver:
    """Answers the proof requests for one subject.

    Args:
        subject: the subject. It is read and never run.
        tell: a function to call with a branch and its proof, unless the proof depends on guessed types. None: no
            function.
        confirms: whether another solver confirms each proof before it is reported. If not, unconfirmed proofs are
            collected.

    Attributes:
        unconfirmed: the proofs that are not confirmed yet.
    """

    def __init__(self, subject: Subject, tell: Callable[[int, Proof], None] | None = None,
                 confirms: bool = True) -> None:  # fmt: skip
        self._subject, self._tell, self._confirms = subject, tell, confirms
        self.unconfirmed: list[Unconfirmed] = []
        self._careful, self._until = False, 0.0
        self._last: tuple[int, ReachCondition] | None = None  # the branch of the last request, and its condition

    def ask(self, question: ProofRequest) -> Conclusion:
        """Answer a request. :class:`Prepare` and :class:`Finish` get an empty conclusion.

        :class:`Finish` has no effect here. If the code can not be read, nothing is raised: the conclusion contains the
        reason.
        """
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
        """The solver for quick proofs, created at the first use."""
        return Intervals()

    @cached_property
    def _solvers(self) -> tuple[Callable[[Query, Budget], Answer], Invariants]:
        """The function that asks the complete solvers, and the search for invariants, created at the first use."""
        solver = proof_solver() if self._confirms else proving_alone()
        return solver.solve, Invariants(invariant_solver(self._careful))

    def _prepare(self, question: Prepare) -> None:
        """Load the solvers for an effort. Once a request was careful, solvers run in their own processes."""
        if question.careful and not self._careful:
            self._careful = True
            self.__dict__.pop("_solvers", None)
        if question.effort is Effort.INTERVALS:
            self._intervals.ready()
        else:
            _ = self._solvers  # created here

    # ---- requests to refute ----

    def _refute(self, question: Refute) -> Conclusion:
        """Return the conclusion for a branch; an empty one if no time is left."""
        if question.of_path and question.outcome not in self._subject.wanted:
            return Conclusion()  # a proof would not be about the path
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
            return Conclusion(is_possible=True)  # the model is that of the query without invariants
        inputs = {name: answer.model.get(name, value) for name, value in reached.inputs.items()}
        return Conclusion(words=self._subject.words_with(inputs), is_possible=True, has_loops=has_loops)

    def _reached(self, outcome: int) -> ReachCondition:
        """Return the reach condition of a branch. The last one is cached."""
        if self._last is None or self._last[0] != outcome:
            self._last = outcome, self._subject.reach(outcome)
        return self._last[1]

    @property
    def _left(self) -> float:
        """The seconds left for the present request, at least 0."""
        return max(0.0, self._until - time.monotonic())

    def _answered(self, reached: ReachCondition, question: Refute) -> tuple[Answer, Facts]:
        """Return a solver's answer for a reach condition, and the loop invariants in its query."""
        if question.effort is Effort.INTERVALS:
            work_clock.worked(work_clock.READ * len(postorder([reached.condition])))
            budget = replace(self._budget(question, 1.0), evaluations=_BOXES)
            return self._intervals.solve(Query((reached.condition,)), budget), Facts()
        facts = Facts()
        if question.effort is Effort.INVARIANTS:
            facts = self._solvers[1].of(reached, self._budget(question, question.work_for_loops))
            if not facts.terms:  # the query would be the same as without them
                return Sat({}, ""), facts
        budget = self._budget(question, question.budget.work)
        return self._solvers[0](Query((reached.condition, *facts.terms)), budget), facts

    def _settled(self, reached: ReachCondition, question: Refute) -> tuple[Answer, Facts]:
        """Return the same as :meth:`_answered`, with loop invariants if these are needed and allowed."""
        answer, facts = self._answered(reached, replace(question, effort=min(question.effort, Effort.SOLVERS)))
        if isinstance(answer, Sat) and reached.loops and question.effort > Effort.INTERVALS:
            return self._answered(reached, replace(question, effort=Effort.INVARIANTS))
        return answer, facts

    def _budget(self, question: Refute, seconds_of_work: float) -> Budget:
        """Return a solver's budget within the time that is left."""
        return replace(question.budget, seconds=max(_BRIEF, self._left), work=max(_BRIEF, seconds_of_work))

    # ---- requests to vouch ----

    def _vouch(self, question: Vouch) -> Conclusion:
        """Return the conclusion for evidence from runs."""
        proof = question.proof
        if question.depends_on_machine:
            proof = replace(proof, prover=proof, assumptions=(*proof.assumptions, *self._subject.repeats()))
        elif why := self._subject.doubts():
            return Conclusion(why=why)
        return self._proved(question.outcomes, proof)

    def _proved(self, outcomes: Sequence[int], proof: Proof) -> Conclusion:
        """Return the conclusion with a proof, to which the preconditions are added; report it for each branch."""
        if (assumed := self._subject.assumed) is not None:
            proof = replace(proof, prover=proof, assumptions=assumed.and_others(proof.assumptions))
        if self._tell is not None and not self._subject.guesses:
            for outcome in outcomes:
                self._tell(outcome, proof)
        return Conclusion(proof=proof)


Answered = Callable[[ReachCondition], tuple[Answer, Facts]]


def proof_of(answer: Unsat, reached: ReachCondition, keeps_query: bool, facts: Facts, answered: Answered) -> Proof:
    """Return a proof that no input takes a branch, because no input satisfies its reach condition.

    Args:
        answer: the answer of the solver.
        reached: the reach condition.
        keeps_query: whether the proof contains the query.
        facts: the loop invariants in the query.
        answered: answers the reach conditions for inputs of further types. If they are not refuted too, the proof
            assumes that there are no such inputs.
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


def _refuted(further: Callable[[], Iterable[ReachCondition]],
             answered: Answered) -> list[tuple[Unsat, ReachCondition, Facts]] | None:  # fmt: skip
    """Ask the solver to refute the reach conditions for inputs of other types that the parameters also accept.

    Args:
        further: returns these conditions.
        answered: returns the solver's answer to a condition, and the loop invariants in its query.

    Returns:
        The proof, condition and invariants of each; None if one of them is not refuted or can not be read.
    """
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


def _written(asked: Sequence[tuple[ReachCondition, Facts]]) -> str:
    """Return the queries as an SMT-LIB script, after the queries that their invariants depend on.

    Empty if SMT-LIB can not express them.
    """
    queries = [("", (reached.condition, *facts.terms)) for reached, facts in asked]
    loops = [("; a loop iteration after which one of the loop's invariants is false\n", because)
             for _, facts in asked for because in facts.because]  # fmt: skip
    types = [("; the same for inputs of other types\n", terms) for _, terms in queries[:-1]]
    try:
        scripts = [(why, translate(each, abstract=True).body) for why, each in (*loops, *types, queries[-1])]
    except NotExpressible:
        return ""
    return "".join(f"{why}{script}(check-sat)\n(reset)\n" for why, script in scripts[:-1]) + scripts[-1][1]
