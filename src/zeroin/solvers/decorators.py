"""Solvers that wrap other solvers, each for one purpose. :mod:`.chain` composes them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable

from ..config import Budget
from ..term.core.build import FALSE
from ..term.core.nodes import Op, Term
from ..term.core.simplify import simplify_all
from ..term.core.sorts import Sort
from ..term.core.traversal import postorder, variables
from .base import Answer, CompleteSolver, Model, Proof, Query, Sat, Solver, Unknown, Unsat, is_known
from .work_clock import SIMPLIFIED, Deadline, worked


class Composite(Solver):
    """A solver that is made of other solvers, and can do what at least one of them can do.

    Args:
        parts: the solvers, at least one.
    """

    def __init__(self, *parts: Solver) -> None:
        self.parts = parts
        self.name = ", ".join(dict.fromkeys(part.name for part in parts))
        self.proves = any(part.proves for part in parts)
        self.misses = frozenset.intersection(*(part.misses for part in parts))


class Around(Composite):
    """A solver that wraps one other solver.

    Args:
        inner: the wrapped solver.
    """

    def __init__(self, inner: Solver) -> None:
        super().__init__(inner)
        self.inner = inner


class Rewriting(Around, CompleteSolver):
    """Simplify the query for the inner solver. If this alone decides the query, the inner solver does not run.

    Models have a value for every variable of the query as it was given.

    Args:
        inner: the solver that answers the simplified query.
    """

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
    """Check each model on the query as it was given, and add the open values that the model depends on.

    A model that does not hold is a bug in zeroin; the answer is then ``Unknown``.
    """

    def solve(self, query: Query, budget: Budget) -> Answer:
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Sat):
            return answer
        model = query.completed(answer.model)
        if not query.holds(model):
            return Unknown(f"{answer.by}: its model does not hold; please report this query")
        return Sat(model, answer.by, query.resting_on(model))


class Splitting(Around):
    """Split the query into parts that share no variable, and solve one part after the other.

    A proof for one part is the answer. If a part is ``Unknown``, the others are still tried, as one may have no model;
    the answer is then the first ``Unknown``. ``Sat`` names the solvers of all parts.

    Args:
        inner: the solver that answers each part.
    """

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
                continue  # another part may have no model
            model |= answer.model
            solvers[answer.by] = None
        return unknown or Sat(model, ", ".join(solvers) or "simplification")


class Stages(Composite):
    """Run one solver after the other, each with the rest of the budget, until an answer decides.

    If none decides, the answer is that of the last solver. If the budget is used up before a solver's turn, it is
    ``Unknown`` for that reason.

    Args:
        parts: the solvers.
        decides: whether an answer ends the sequence; by default a model or a proof does.
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
    """Limit the budget and the queries of the inner solver. The answer to a query beyond the limits is ``Unknown``.

    Args:
        inner: the solver.
        share: the share of the budget, see :meth:`zeroin.Budget.part`.
        seconds: the most work or time, in seconds, see :meth:`zeroin.Budget.part`; no limit by default.
        size: the largest number of different terms in a query; no limit by default.
        evaluations: the largest number of evaluations; no limit by default.
        without: operations that a query must not contain.
        needs: sorts of which a query must contain one; any query will do if this is empty.
    """

    def __init__(self, inner: Solver, share: float, seconds: float = float("inf"), size: float = float("inf"),
                 evaluations: int = sys.maxsize, without: frozenset[Op] = frozenset(),
                 needs: frozenset[Sort] = frozenset()) -> None:  # fmt: skip
        super().__init__(inner)
        self.without, self.needs = without, needs
        self.share, self.seconds, self.size, self.evaluations = share, seconds, size, evaluations

    def solve(self, query: Query, budget: Budget) -> Answer:
        parts = postorder(query.constraints)
        if len(parts) > self.size:
            return Unknown(f"{self.name}: a query of more than {self.size} parts is too large")
        if any(part.op in self.without for part in parts):
            return Unknown(f"{self.name}: a query with these operations takes too long")
        if self.needs and not any(part.sort in self.needs for part in parts):
            return Unknown(f"{self.name}: other solvers are for a query of these sorts")
        return self.inner.solve(query, budget.part(self.share, self.seconds, self.evaluations))


def independent(constraints: Iterable[Term]) -> list[list[Term]]:
    """Return the constraints in groups that share no variable.

    The constraints of a group keep their order, because the answers of solvers depend on it. Groups are sorted by their
    last constraints. A constraint without variables is a group of its own.
    """
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
