"""Solvers made of solvers: each adds one thing, and they read as they are composed."""

from __future__ import annotations

import time
from collections.abc import Iterable

from ..config import Budget
from ..term.build import FALSE
from ..term.nodes import Term
from ..term.smaller import simplify_all
from ..term.traversal import variables
from .base import Answer, CompleteSolver, Model, Query, Sat, Solver, Unknown, Unsat, restricted


class Rewriting(CompleteSolver):
    """What simplification decides is proved by it.

    Args:
        inner: gets the simplified query.
    """

    def __init__(self, inner: Solver) -> None:
        self.inner, self.name = inner, inner.name

    def solve(self, query: Query, budget: Budget) -> Answer:
        parts = simplify_all(query.constraints)
        if parts == [FALSE]:
            return Unsat(self)
        answer: Answer = Sat({}, "simplification")
        if parts:
            answer = self.inner.solve(restricted(query, parts), budget)
        return Sat(query.completed(answer.model), answer.by) if isinstance(answer, Sat) else answer


class Validating:
    """Every model is evaluated on the query that was asked, and says which open values it makes use of; one that does
    not hold is an error of ours.

    Args:
        inner: answers.

    Attributes:
        disagreements: how many models did not hold.
    """

    def __init__(self, inner: Solver) -> None:
        self.inner, self.name, self.disagreements = inner, inner.name, 0

    def solve(self, query: Query, budget: Budget) -> Answer:
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Sat):
            return answer
        model = query.completed(answer.model)
        if query.holds(model):
            return Sat(model, answer.by, query.resting_on(model))
        self.disagreements += 1
        return Unknown(f"{answer.by}: its model does not hold; please report this query")


class Splitting:
    """Parts of the query that share no variable are solved one by one.

    Args:
        inner: solves each.
    """

    def __init__(self, inner: Solver) -> None:
        self.inner, self.name = inner, inner.name

    def solve(self, query: Query, budget: Budget) -> Answer:
        groups = independent(query.conjuncts)
        deadline = time.monotonic() + budget.seconds
        model: Model = {}
        solvers: dict[str, None] = {}
        unknown: Unknown | None = None
        for group in groups:
            left = deadline - time.monotonic()
            if left <= 0:
                return unknown or Unknown("the time budget is used up")
            answer = self.inner.solve(restricted(query, group), Budget(budget.evaluations, left))
            if isinstance(answer, Unsat):
                return answer
            if isinstance(answer, Unknown):
                unknown = unknown or answer
                continue  # another part may be impossible
            model |= answer.model
            solvers[answer.by] = None
        return unknown or Sat(query.completed(model), ", ".join(solvers) or "simplification")


class Caching:
    """The same query again gets the same answer, and a model of an earlier query is tried first.

    Args:
        inner: is asked otherwise; what it does not know is asked again.
        models: how many of the last models are tried.
    """

    def __init__(self, inner: Solver, models: int = 8) -> None:
        self.inner, self.name, self._most = inner, inner.name, models
        self._answers: dict[frozenset[Term], Answer] = {}
        self._models: list[Model] = []
        self.hits = 0

    def solve(self, query: Query, budget: Budget) -> Answer:
        key = frozenset(query.conjuncts)
        if key in self._answers:
            self.hits += 1
            return self._answers[key]
        for model in reversed(self._models):
            whole = query.completed(model)
            if query.holds(whole):
                self.hits += 1
                return Sat(whole, "an earlier model")
        answer = self.inner.solve(query, budget)
        if not isinstance(answer, Unknown):
            self._answers[key] = answer
        if isinstance(answer, Sat):
            self._models = [*self._models, answer.model][-self._most :]
        return answer


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
