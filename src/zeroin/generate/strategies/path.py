"""Find an input that follows a given path, or prove that there is none (Fu & Su 2016, section 4.4.1).

The strategy alternates between two methods. One minimises the objective of the path. The other flips decisions that
leave the path, as dynamic symbolic execution does.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from ...minimize.base import sample
from ...model.memory import Diverged, Unreadable
from ...model.path import Choice, PathCondition
from ...objective.path import PathObjective
from ...solvers.base import Proof, Query, Sat, Unsat
from ...solvers.chain import proof_solver, thorough_exploration_solver
from ...subject.base import Execution, Termination, Words
from ...subject.goals import along_path
from ..proof_requests import LEAST, Effort, Prepare, Vouch
from ..search import Search
from .base import Strategy
from .prove import refute

_PURPOSE = 5
_AT_ONCE = 64  # the most decisions to flip in a step
_MORE = 4  # the factor on the work for queries that solvers gave up


DecisionKey = tuple[tuple[int, bool], ...]  # choices of a run: the site (or place) and the decision


class FollowPath(Strategy):
    """A strategy for a path. In one step it flips decisions and proves branches infeasible, in the next it minimises.

    It flips the decision of a run that leaves the path, and choices without a site, which the path leaves open. An
    input that follows the path must differ from the run in one of these first. So if nothing is left to flip, no input
    follows the path.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self.path = search.subject.wanted
        self.goal = 2 * len(search.subject.sites)
        with search.ledger.compiling():
            self._objective = PathObjective(len(search.subject.sites), self.path, search.settings.distance)
            self._flipping, self._proving = thorough_exploration_solver(search.seed, search.wary), proof_solver()
        search.ask(Prepare(Effort.SOLVERS, search.wary))
        self._seconds = max(LEAST, search.ledger.first_thought)
        self._best: Words = ()
        self._along = -1  # the number of decisions on the path that the best run takes
        self._runs = 0  # the number of runs of the search that it has considered
        self._open = list[
            tuple[int, PathCondition, Choice, DecisionKey]
        ]()  # flips to try, each with the number of decisions that its run takes along the path
        self._keys = set[DecisionKey]()  # all flips so far, tried or not
        self._gaps = 0  # flips that were not tried, or whose result is uncertain
        self._proofs = dict[str, Proof](), dict[str, None]()  # proofs of infeasible flips, and their assumptions
        self._outcomes = deque(dict.fromkeys(self.path))
        self._refutes, self._thinks, self.why = True, False, ""
        search.remarks.append(self._told)

    def _told(self) -> str:
        """Return a remark for the report: how far runs came along the path; empty if a run followed it."""
        if not self.search.missing or self._is_seen:
            return ""
        told = f"the best run takes {max(0, self._along)} of the path's {len(self.path)} decisions"
        return f"{told}; no proofs: {self.why}" if self.why else told

    @property
    def _is_seen(self) -> bool:
        """Whether a run that does not return follows the path."""
        return bool(self.search.seen >> self.goal & 1)

    def step(self, evaluations: int) -> None:
        for run in self.search.runs[self._runs :]:  # found by other strategies
            self._consider(run.words)
        self._runs = len(self.search.runs)
        self._thinks = not self._thinks and not self.why and not self._is_seen
        if self._thinks:
            try:
                self._flip()
                self._refute()
            except Unreadable as error:
                self.why = str(error)
        else:
            self._minimize(evaluations)

    def _minimize(self, evaluations: int) -> None:
        """Minimise the objective of the path from the best input; at first, from a drawn one."""
        search = self.search
        if not self._best:
            sample(search.domain.native, search.x, search.stream(_PURPOSE))
            self._best = tuple(int(word) for word in search.x)
        self._consider(search.minimize(self._objective.question, evaluations, self._best, _PURPOSE).words)

    def _consider(self, words: Words) -> None:
        """Run an input. If it comes farther along the path, it becomes the new start, and its flips are noted."""
        self.search.x[:] = words  # the input, for the parent process, in case that this process dies
        execution = self.search.subject.execute(words, self.search.subject.patience)
        self.search.ledger.evaluations += 1
        along = along_path(execution.decisions, self.path)
        if along > self._along and execution.outcome is not Termination.REFUSED:
            self._best, self._along = words, along
            if along == len(self.path):  # even if it does not return
                self.search.offer(words)
            elif not self.why:
                self._expand(words, execution, along)

    # ---- flipping ----

    def _expand(self, words: Words, execution: Execution, along: int) -> DecisionKey:
        """Note the flips of a run; return the key of its choices, as far as they are known.

        Args:
            words: the input.
            execution: its run.
            along: the number of decisions that the run takes along the path.
        """
        with self.search.ledger.thinking():
            try:
                condition = self.search.subject.along(words, execution)
            except Diverged:
                self._gaps += 1
                return ()
        key: DecisionKey = ()
        sites = 0
        for choice in condition.choices:
            flipped = (*key, (choice.site, not choice.holds))
            if (choice.site < 0 or sites == along) and flipped not in self._keys:
                self._keys.add(flipped)
                self._open.append((along, condition, choice, flipped))
                self._gaps += not condition.is_exact_before(choice)
            key = (*key, (choice.site, choice.holds))
            sites += choice.site >= 0
            if sites > along:
                return key
        self._gaps += 1  # symbolic execution did not come so far
        return key

    def _flip(self) -> None:
        """Try flips, those of the farthest runs first. If none are left, prove that no input follows the path."""
        search = self.search
        for _ in range(_AT_ONCE):
            if not self._open or not search.missing or search.stopped:
                break
            self._open.sort(key=lambda one: one[0])
            self._flip_one(*self._open.pop()[1:])
        is_over = self._keys and not self._open and not self._gaps and self._proofs[0]
        if search.missing and is_over and not self._is_seen:
            proof, given = next(iter(self._proofs[0].values())), tuple(self._proofs[1])
            how = f"{', '.join(self._proofs[0])}: all {len(self._keys)} ways to stay on the path"
            proof = replace(proof, prover=proof, method=how, assumptions=given)
            vouched = search.ask(Vouch((self.goal,), proof, depends_on_machine=False))
            self.why = vouched.why
            if vouched.proof is not None:
                search.prove(self.goal, vouched.proof)

    def _flip_one(self, condition: PathCondition, choice: Choice, flipped: DecisionKey) -> None:
        """Solve the path condition with a choice flipped, and run the solution."""
        search = self.search
        query = Query(tuple(condition.otherwise(choice)), (condition.inputs,))
        budget = search.ledger.thought(self._seconds)
        with search.ledger.thinking():
            answer = self._flipping.solve(query, budget)
            if isinstance(answer, Unsat):
                answer = self._proving.solve(query, budget)  # a second solver has to agree
        if isinstance(answer, Sat):
            known = {name: value for name, value in answer.model.items() if name in condition.inputs}
            words = search.subject.words_with({**condition.inputs, **known})
            search.offer(words)
            if search.missing:
                self._follow_on(words, flipped)
        elif isinstance(answer, Unsat):
            asides = (aside for aside in condition.asides if aside.place < 0 and not aside.constraint.is_constant)
            self._proofs[0].setdefault(answer.proof.method, answer.proof)
            self._proofs[1].update(dict.fromkeys((*answer.proof.assumptions, *(aside.why for aside in asides))))
        else:
            self._gaps += 1

    def _follow_on(self, words: Words, predicted: DecisionKey) -> None:
        """Note the flips of a run that resulted from a flip, however far it comes."""
        execution = self.search.subject.execute(words, self.search.subject.patience)
        self.search.ledger.evaluations += 1
        if execution.outcome is Termination.REFUSED:  # it is unknown whether an input exists
            self._gaps += 1
            return
        along = along_path(execution.decisions, self.path)
        if along > self._along:
            self._best, self._along = words, along
        self._gaps += self._expand(words, execution, along)[: len(predicted)] != predicted  # it left the predicted path

    # ---- proofs ----

    def _refute(self) -> None:
        """Try to prove that a branch of the path is infeasible: each branch once, then again with more time."""
        search = self.search
        if not search.missing or search.stopped or self._is_seen or not self._refutes:
            return
        if not self._outcomes:
            self._refutes = search.ledger.may_think(self._seconds * _MORE)
            if not self._refutes:
                return
            self._seconds *= _MORE
            self._outcomes = deque(dict.fromkeys(self.path))
        outcome = self._outcomes.popleft()
        if search.covered >> outcome & 1:
            return
        found = search.ask(refute(search, outcome, Effort.SOLVERS, self._seconds, of_path=True))
        if found.has_loops:
            found = search.ask(refute(search, outcome, Effort.INVARIANTS, self._seconds, of_path=True))
        self._refutes = not found.why  # symbolic execution of runs may still work
        if found.proof is not None:
            search.prove(self.goal, found.proof)
