"""Solvers made of solvers: each adds one thing. They are composed in :mod:`.chain`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable

from ..config import Budget
from ..term.core.build import FALSE
from ..term.core.nodes import Op, Term
from ..term.core.simplify import simplify_all
from ..term.core.traversal import postorder, variables
from .base import Answer, CompleteSolver, Model, Proof, Query, Sat, Solver, Unknown, Unsat, is_known
from .work_clock import SIMPLIFIED, Deadline, worked


class Composite(Solver):
    """Made of solvers: what one of them can do, it can.

    Args:
        parts: at least one.
    """

    def __init__(self, *parts: Solver) -> None:
        self.parts = parts
        self.name = ", ".join(dict.fromkeys(part.name for part in parts))
        self.proves = any(part.proves for part in parts)
        self.misses = frozenset.intersection(*(part.misses for part in parts))


class Around(Composite):
    """Made of one solver.

    Args:
        inner: the solver.
    """

    def __init__(self, inner: Solver) -> None:
        super().__init__(inner)
        self.inner = inner


class Rewriting(Around, CompleteSolver):
    """The inner solver gets the simplified query; what simplification decides is proved by it."""

    def __init__(self, inner: Solver) -> None:
        super().__init__(inner)
        self.name = "simplification"

    def solve(self, query: Query, budget: Budget) -> Answer:
        started = time.monotonic()
        worked(SIMPLIFIED * len(postorder(query.constraints)))
        parts = simplify_all(query.constraints)
        if parts == [FALSE]:
            return Unsat(Proof(self, "rewriting", time.monotonic() - started))
        answer = self.inner.solve(query.restricted(parts), budget) if parts else Sat({}, self.name)
        return Sat(query.completed(answer.model), answer.by) if isinstance(answer, Sat) else answer


class Validating(Around):
    """A model is believed when the query that was asked holds for it, and says which open values it makes use of; one
    that does not hold is an error of ours."""

    def solve(self, query: Query, budget: Budget) -> Answer:
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Sat):
            return answer
        model = query.completed(answer.model)
        if not query.holds(model):
            return Unknown(f"{answer.by}: its model does not hold; please report this query")
        return Sat(model, answer.by, query.resting_on(model))


class Splitting(Around):
    """Parts of the query that share no variable are solved one by one."""

    def solve(self, query: Query, budget: Budget) -> Answer:
        groups = independent(query.conjuncts)
        deadline = Deadline(budget)
        model: Model = {}
        solvers: dict[str, None] = {}
        unknown: Unknown | None = None
        for group in groups:
            left = deadline.left
            if left is None:
                return unknown or Unknown("the time budget is used up")
            answer = self.inner.solve(query.restricted(group), left)
            if isinstance(answer, Unsat):
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
                continue  # another part may be impossible
            model |= answer.model
            solvers[answer.by] = None
        return unknown or Sat(model, ", ".join(solvers) or "simplification")


class Stages(Composite):
    """One solver after the other, each with the time that is left, until one knows.

    Args:
        parts: the solvers.
        decides: which answer is the last.
    """

    def __init__(self, *parts: Solver, decides: Callable[[Answer], bool] = is_known) -> None:
        super().__init__(*parts)
        self._decides = decides

    def solve(self, query: Query, budget: Budget) -> Answer:
        deadline = Deadline(budget)
        for part in self.parts:
            left = deadline.left
            if left is None:
                return Unknown("the time budget is used up")
            answer = part.solve(query, left)
            if self._decides(answer):
                break
        return answer


class Limited(Around):
    """The inner solver gets a part of the budget, and no large queries.

    Args:
        inner: the solver.
        share: of the budget, see :meth:`zeroin.Budget.part`.
        seconds: at most so many.
        size: parts of a query, at most.
        evaluations: at most so many.
        without: operations that no query may have.
    """

    def __init__(self, inner: Solver, share: float, seconds: float = float("inf"), size: float = float("inf"),
                 evaluations: int = sys.maxsize, without: frozenset[Op] = frozenset()) -> None:  # fmt: skip
        super().__init__(inner)
        self.without = without
        self.share, self.seconds, self.size, self.evaluations = share, seconds, size, evaluations

    def solve(self, query: Query, budget: Budget) -> Answer:
        parts = postorder(query.constraints)
        if len(parts) > self.size:
            return Unknown(f"{self.name}: a query of more than {self.size} parts is too large")
        if any(part.op in self.without for part in parts):
            return Unknown(f"{self.name}: a query with these operations takes too long")
        return self.inner.solve(query, budget.part(self.share, self.seconds, self.evaluations))


def independent(constraints: Iterable[Term]) -> list[list[Term]]:
    """The constraints in groups that share no variable; those of a group in their order, which solvers depend on."""
    parts = list(constraints)
    groups: list[tuple[set[Term], list[int]]] = []
    for number, constraint in enumerate(parts):
        mine, numbers = set(variables([constraint])), [number]
        rest = []
        for theirs, others in groups:
            if theirs & mine:
                mine, numbers = mine | theirs, [*others, *numbers]
            else:
                rest.append((theirs, others))
        groups = [*rest, (mine, numbers)]
    return [[parts[n] for n in sorted(numbers)] for _, numbers in groups]
