"""Dynamic symbolic execution (Xie et al. 2009, section 3): choose a decision of a known path, solve what an input has
to satisfy that decides otherwise, run it, and look again."""

from __future__ import annotations

from collections import Counter

from ...config import Budget
from ...explore.exploration import Exploration
from ...explore.named import frontier_named
from ...explore.tree import Node, Unsteady
from ...model.memory import Unreadable
from ...model.path import Truth
from ...solvers.base import Query, Sat, Unsat
from ...solvers.chain import exploring
from ...subject.base import Execution, Outcome, Words
from ..search import Search, bits_in
from .base import Strategy

_SECONDS, _MORE = 0.5, 4  # for one query, and times that where nothing else is left
_NO_MORE, _LEAST = 60.0, 0.01


class Explore(Strategy):
    """Each step flips nodes until one leads to a run.

    Args:
        search: see :class:`Strategy`.
        frontier: who chooses the node, by name.

    Attributes:
        exploration: what is known so far.
        runs: how many have been made.
        why: exploration is over, for another reason than that nothing is left to flip.
    """

    def __init__(self, search: Search, frontier: str = "fitnex") -> None:
        super().__init__(search)
        self.exploration = Exploration(
            len(search.subject.sites), frontier_named(frontier), self._is_missing, search.seed
        )
        self.runs, self.why = 0, ""
        with search.ledger.compiling():
            self._solver = exploring(search.seed)
        self._seconds, self._given_up, self._over = _SECONDS, list[Node](), False
        search.remarks.append(self._told)

    def _told(self) -> str:
        """What exploration came to, in a line."""
        counts = self.exploration.counts
        said = f"explored: {self.runs:,} runs, {counts['flipped']:,} decisions flipped"
        said += f", {counts['exhausted']:,} that no input decides otherwise"
        said += f", {len(self._given_up):,} not solved in time" if self._given_up else ""
        said += f", {counts['strayed']:,} runs that left the path predicted" if counts["strayed"] else ""
        ends = Counter(path.condition.ended for path in self.exploration.tree.paths if path.condition.ended)
        said += f"; paths are known up to where {ends.most_common(1)[0][0]}" if ends else ""
        return said + (f"; ended because {self.why}" if self.why else "")

    def _is_missing(self, site: int, holds: bool) -> bool:
        return bool(self.search.missing >> (2 * site + (not holds)) & 1)

    @property
    def done(self) -> bool:
        return self._over

    def step(self, evaluations: int) -> None:
        try:
            if not self.runs:
                return self._begin()
            before = self.runs
            while self.runs == before and not self.search.stopped and (node := self._next()) is not None:
                self._flip(node)
        except (Unreadable, Unsteady) as error:
            self._over, self.why = True, str(error)

    def _begin(self) -> None:
        """The plainest input, and what other strategies have found."""
        plain = tuple(min(max(0, low), high) for low, high in self.search.domain.ranges)
        for words in dict.fromkeys([plain, *(run.words for run in self.search.runs)]):
            self._follow(words, None)

    def _next(self) -> Node | None:
        node = self.exploration.choose()
        if node is None and self._given_up and self._seconds * _MORE <= _NO_MORE:
            self._seconds *= _MORE
            self.exploration.again(self._given_up)
            self._given_up = []
            node = self.exploration.choose()
        self._over = node is None
        return node

    def _flip(self, node: Node) -> None:
        search, explored = self.search, self.exploration
        with search.ledger.thinking():
            query = Query(explored.constraints(node), (node.path.condition.inputs,))
            seconds = max(_LEAST, min(self._seconds, search.ledger.seconds_left))
            answer = self._solver.solve(query, Budget(search.ledger.budget.evaluations, seconds))
        if isinstance(answer, Sat):
            self._follow(search.subject.words_with(explored.inputs(node, answer.model)), node)
        elif isinstance(answer, Unsat):
            explored.exhaust(node)
        else:
            explored.give_up(node, answer.reason)
            self._given_up.append(node)

    def _follow(self, words: Words, flipped: Node | None) -> None:
        search = self.search
        search.x[:] = words  # what a process that dies was running
        execution = search.subject.execute(words, search.subject.patience)
        search.ledger.evaluations += 1
        self.runs += 1
        if execution.outcome is not Outcome.RETURNED or bits_in(execution.covered) & ~search.covered:
            search.offer(words)
        with search.ledger.thinking():
            condition = search.subject.along(words, execution)
            self.exploration.add(condition, _truths(execution), flipped)


def _truths(execution: Execution) -> list[Truth]:
    return [Truth(d.site, d.holds, d.op, d.left, d.right) for d in execution.decisions]
