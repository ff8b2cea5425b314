"""Dynamic symbolic execution (Xie et al. 2009, section 3).

Choose a decision of a known path, solve the path condition with this decision flipped, run the solution, and repeat.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from ...explore.exploration import Exploration
from ...explore.guidance import Guided
from ...explore.registry import frontier_named
from ...explore.tree import Node, Status
from ...model.memory import Diverged, Unreadable
from ...model.path import Truth
from ...solvers.base import Answer, Proof, Prover, Query, Sat, Solver, Unknown, Unsat
from ...solvers.chain import exploration_solver, solver_named, thorough_exploration_solver
from ...subject.base import Execution, Termination, Words
from ...subject.growth import Outgrown
from ...term.core.build import negation
from ...term.core.nodes import Term
from ..proof_requests import Vouch
from ..search import Search, bits_in, bits_of
from ..trace import Trace
from .base import Strategy

_FLIPS = 8  # the most flips in a step
_MORE = 4  # the factor on a query's work when nothing else is left
_NO_MORE = 60.0
_REST = 48  # runs after a thorough query in vain, before the next one


class Explore(Strategy, Prover):
    """A strategy that flips decisions of known paths until there is a new run.

    When all paths are known, the branches that none of them takes are infeasible.

    Args:
        search: the search.
        frontier: the frontier, which chooses the decisions, see :func:`.frontier_named`.
        solver: creates the solver from the seed, or names it, see :func:`.solver_named`. None:
            :func:`.exploration_solver`, and the thorough one.

    Attributes:
        exploration: the known paths.
        runs: the number of runs so far.
        why: the reason why the code can not be explored; empty if it can.
    """

    name = "exploration"
    checks: ClassVar[Mapping[str, Callable[[str], object]]] = {"frontier": frontier_named, "solver": solver_named}

    def __init__(self, search: Search, frontier: str = "fitnex",
                 solver: Callable[[int], Solver] | str | None = None) -> None:  # fmt: skip
        super().__init__(search)
        chosen = frontier_named(frontier)
        if search.settings.priorities:
            chosen = Guided(chosen, search.settings.priorities)
        self.exploration = Exploration(len(search.subject.sites), chosen, self._is_missing, search.seed)
        self.runs, self.why = 0, ""
        self._seen = 0  # the number of runs of the search that it has explored
        self._left = list[str]()  # why symbolic execution could not follow some runs
        with search.ledger.compiling():
            if solver is not None:
                made = solver_named(solver, search.seed) if isinstance(solver, str) else solver(search.seed)
                self._quick = self._further = made
            else:
                self._quick = exploration_solver(search.seed, search.wary)
                self._further = thorough_exploration_solver(search.seed, search.wary)
        self._seconds, self._given_up, self._over = search.ledger.first_thought, list[Node](), False
        self._alone = set[tuple[int, bool]]()  # branches whose flips were solved without the decisions before
        self._postponed = list[Node]()  # decisions that wait for the thorough solver
        self._rested = 0  # the number of runs from which on that solver may work again
        search.remarks.append(self._told)

    def _told(self) -> str:
        """Return a remark about the exploration for the report."""
        explored, counts = self.exploration, self.exploration.counts
        said = f"explored: {self.runs:,} runs, {counts['flipped']:,} decisions flipped"
        said += f", {explored.count(Status.EXHAUSTED):,} that can not be flipped"
        said += f", {given_up:,} given up" if (given_up := explored.count(Status.GIVEN_UP)) else ""
        said += f", {counts['strayed']:,} runs that left their predicted path" if counts["strayed"] else ""
        unsteady = explored.tree.unsteady
        said += f"; stopped {self._where(unsteady[0])}" if unsteady else ""
        said += f", and {len(unsteady) - 1:,} other places" if len(unsteady) > 1 else ""
        if self._left:
            said += f"; {len(self._left):,} runs differ from zeroin's model of the code: {self._left[0]}"
        ends = Counter(path.condition.ended for path in self.exploration.tree.paths if path.condition.ended)
        said += f"; path conditions end where {ends.most_common(1)[0][0]}" if ends else ""
        said += "; solvers ran in processes of their own, after one had crashed" if self.search.wary else ""
        return said + (f"; ended because {self.why}" if self.why else "")

    def _where(self, node: Node) -> str:
        """Return a description of the place where equal decisions led to different places."""
        before, sites = node.before, self.search.subject.sites
        if before is None:
            place = "at the start"
        elif before.site < 0:
            place = "after a condition without a probe"
        else:
            place = f"after line {sites[before.site].line}: {sites[before.site].condition}"
        return f"{place}, where runs with the same decisions differ"

    def _is_missing(self, site: int, holds: bool) -> bool:
        """Return whether a side of a site is still to cover."""
        return bool(self.search.missing >> (2 * site + (not holds)) & 1)

    @property
    def done(self) -> bool:
        return self._over

    def step(self, evaluations: int) -> None:
        try:
            if not self.runs:
                return self._begin()
            for run in self.search.runs[self._seen :]:  # found by other strategies
                self._follow(run.words, None)
            before = self.runs
            for _ in range(_FLIPS):
                if self.runs != before or self.search.stopped or (node := self._next()) is None:
                    break
                self._flip(node)
            if self._over:
                self._ask_for_room()
                self._conclude()
        except Unreadable as error:
            self._over, self.why = True, str(error)
        finally:
            self._seen = len(self.search.runs)

    def _begin(self) -> None:
        """Explore the plainest input, and the runs of other strategies."""
        assumed = self.search.subject.assumed
        plain = tuple(min(max(0, low), high) for low, high in self.search.domain.ranges)
        plain = assumed.start or plain if assumed is not None else plain
        for words in dict.fromkeys([plain, *(run.words for run in self.search.runs)]):
            self._follow(words, None)

    def _next(self) -> Node | None:
        """Return the next decision to flip; None if none is left. Those that were given up get another try."""
        node = self._again() if self.runs >= self._rested else None
        node = node or self.exploration.choose() or self._again()
        longer = self._seconds * _MORE
        if node is None and self._given_up and longer <= _NO_MORE and self.search.ledger.may_think(longer):
            self._seconds = longer
            self.exploration.again(self._given_up)
            self._given_up = []
            node = self.exploration.choose()
        self._over = node is None
        return node

    def _again(self) -> Node | None:
        """Return a decision for the thorough solver, which the quick one could not flip; None if there is none."""
        while self._postponed:
            node = self._postponed.pop(0)
            if self._is_wanted(node) and node.status is Status.GIVEN_UP:
                node.status = Status.OPEN
                self._rested = self.runs
                return node
        return None

    def _is_wanted(self, node: Node) -> bool:
        """Whether a decision would take a missing branch if it were flipped."""
        site, holds = node.branch
        return site >= 0 and self._is_missing(site, not holds)

    def _flip(self, node: Node) -> None:
        """Solve the path condition with a decision flipped; run the solution."""
        search, explored = self.search, self.exploration
        solver, started = self.solver_for(node), time.monotonic()
        constraints = explored.constraints(node)
        answer = self._solve(solver, constraints, node.path.condition.inputs)
        if search.trace is not None:
            self._note(search.trace, node, len(constraints), answer, time.monotonic() - started)
        if isinstance(answer, Sat):
            return self._follow(search.subject.words_with(explored.inputs(node, answer.model)), node)
        if isinstance(answer, Unsat):
            explored.exhaust(node, answer.proof)
        else:
            explored.give_up(node, answer.reason)
            if solver is self._further:
                self._rested = self.runs + _REST
            later = self._postponed if solver is not self._further and self._is_wanted(node) else self._given_up
            later.append(node)
        if self._is_wanted(node) and len(constraints) > 1 and node.branch not in self._alone:
            self._flip_alone(node)

    def _solve(self, solver: Solver, constraints: Sequence[Term], inputs: Mapping[str, object]) -> Answer:
        """Return a solver's answer; ``inputs`` are the values to start from."""
        with self.search.ledger.thinking():
            return solver.solve(Query(tuple(constraints), (inputs,)), self.search.ledger.thought(self._seconds))

    def _flip_alone(self, node: Node) -> None:
        """Solve a flipped decision without those before it; run the solution. Do that once for a branch.

        This is optimistic solving (Yun et al. 2018). The run may take the missing branch on another path.
        """
        search, condition = self.search, node.path.condition
        flipped = negation(node.choice.constraint)
        self._alone.add(node.branch)
        always = (a.constraint for a in condition.asides if not a.before and a.place < 0 and not a.pins)
        answer = self._solve(self._quick, (*always, flipped), condition.inputs)
        if isinstance(answer, Sat):
            self._follow(search.subject.words_with({**condition.inputs, **answer.model}), None)

    def _note(self, trace: Trace, node: Node, size: int, answer: Answer, took: float) -> None:
        """Record what a solver answered about a decision of a path."""
        site, holds = node.branch
        said, by = "unknown", None
        match answer:
            case Sat():
                said, by = "model", answer.by
            case Unsat():
                said, by = "no model", answer.proof.solver
            case Unknown():
                said = f"unknown: {answer.reason}"
        wanted = self.search.name(2 * site + holds) if site >= 0 else None
        trace.note("query", strategy=self.search.strategy, branch=wanted, conditions=size, took=took, answer=said,
                   by=by)  # fmt: skip

    def _ask_for_room(self) -> None:
        """Have the subject loaded with longer strings or lists if a missing branch is possible with these.

        Raises:
            Outgrown: it is possible; only if the subject :attr:`~zeroin.subject.subject.Subject.grows`.
        """
        search, explored = self.search, self.exploration
        failed = [node for node in explored.tree.nodes if node.status in (Status.EXHAUSTED, Status.GIVEN_UP)]
        for node in failed if search.subject.grows else ():
            if not self._is_wanted(node):
                continue
            constraints, rooms = search.subject.with_more_room(explored.constraints(node))
            inputs = node.path.condition.inputs
            may_think = rooms and search.ledger.may_think(self._seconds)
            if may_think and isinstance(self._solve(self._quick, constraints, inputs), Sat):
                raise Outgrown(search.subject.words_with(inputs), rooms)

    def _conclude(self) -> None:
        """Prove the remaining branches infeasible if all paths are known to their ends."""
        search, explored = self.search, self.exploration
        if not search.missing or self._left or not explored.is_complete:
            return
        proofs = [proof for several in explored.proofs.values() for proof in several]
        asides = (aside for path in explored.tree.paths for aside in path.condition.asides)
        given = dict.fromkeys(given for proof in proofs for given in proof.assumptions)
        given |= dict.fromkeys(a.why for a in asides if a.place < 0 and not a.constraint.is_constant)
        who = f", as {', '.join(explored.proofs)} proved" if proofs else ""
        count = len(explored.tree.paths)
        method = f"there are no other paths than the {count:,} known{who}"
        proof = Proof(self, method, sum(proof.seconds for proof in proofs), tuple(given))
        open_ = tuple(bits_of(search.missing & ~search.seen))  # a run that does not return may take more
        vouched = search.ask(Vouch(open_, proof, depends_on_machine=False)).proof
        if vouched is not None:
            for outcome in open_:
                search.prove(outcome, vouched)

    def solver_for(self, node: Node) -> Solver:
        """Return the solver for a node: the thorough one for a missing branch, and when nothing else is left.

        After it has worked in vain, other decisions come first.
        """
        is_wanted = self._is_wanted(node) and self.runs >= self._rested
        return self._further if is_wanted or self._seconds > self.search.ledger.first_thought else self._quick

    def _follow(self, words: Words, flipped: Node | None) -> None:
        """Run an input, and add its path. A run that is news is kept.

        Args:
            words: the input.
            flipped: the decision whose flip led to this input; None: none.
        """
        search = self.search
        search.x[:] = words  # the input, for the parent process, in case that this process dies
        execution = search.subject.execute(words, search.subject.patience)
        search.ledger.evaluations += 1
        self.runs += 1
        if execution.outcome is Termination.REFUSED:  # it violates a precondition
            if flipped is not None:
                self.exploration.give_up(flipped, "the solver's model violates a precondition")
            return
        if execution.outcome is not Termination.RETURNED or bits_in(execution.covered) & ~search.covered:
            search.offer(words)
        with search.ledger.thinking():
            try:
                condition = search.subject.along(words, execution)
            except Diverged as error:
                self._left.append(str(error))
                if flipped is not None:
                    self.exploration.give_up(flipped, str(error))
                return
            self.exploration.add(condition, _truths(execution), flipped)
        if execution.outcome is Termination.UNDEFINED and flipped is not None:
            self._follow_defined(words, execution)

    def _follow_defined(self, words: Words, execution: Execution) -> None:
        """Run an input that takes the last missing branch of a run on the same path, without undefined behaviour."""
        search = self.search
        with search.ledger.thinking():
            try:
                path = search.subject.along(words, execution, checked=True)
            except Diverged:  # the subject behaves differently each time
                return
        missing = [c for c in path.choices if c.site >= 0 and self._is_missing(c.site, c.holds)]
        if missing:
            answer = self._solve(self._quick, path.constraints()[: missing[-1].before + 1], path.inputs)
            if isinstance(answer, Sat):
                self._follow(search.subject.words_with({**path.inputs, **answer.model}), None)


def _truths(execution: Execution) -> list[Truth]:
    """Return the decisions of a run as truth values of conditions."""
    return [Truth(d.site, d.holds, d.op, d.left, d.right) for d in execution.decisions]
