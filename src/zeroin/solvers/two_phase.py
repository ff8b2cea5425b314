"""The two-phase solver of FloPSy (Lakhotia, Tillmann, Harman, de Halleux 2010, section 3.1).

The first phase is an SMT solver, which gets the query with floats as reals and hard operations as uninterpreted
functions. Its model may not hold for floats. In the second phase, a minimizer corrects the model. It changes only the
variables that float constraints depend on, directly or through other constraints.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ..config import Budget
from ..minimize import minimize, minimizer_named, random_state
from ..minimize.base import sample
from ..objective.condition import Condition
from ..term.core.build import conjuncts
from ..term.core.nodes import Term
from ..term.core.sorts import REAL
from ..term.core.traversal import postorder, variables
from ..term.llvm.compile import Unlowerable
from .base import Model, Query, Search, SearchSolver
from .decorators import independent
from .starts import domain_of, starts_of
from .work_clock import Deadline

EVALUATIONS = 100_000  # the paper's limit for the second phase


class FirstPhase(Protocol):
    """The first phase: an SMT solver over the reals, such as :class:`.smt.SmtSolver`."""

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]:
        """Answer over the reals; see :meth:`.smt.SmtSolver.relaxed`."""
        ...


class TwoPhase(SearchSolver):
    """An SMT solver over the reals, followed by a minimizer.

    Args:
        seed: the seed of the minimizer.
        arithmetic: the second phase: a minimizer's name, such as ``random``, ``avm-paper`` (the paper's alternating
            variable method), ``es`` (the paper's evolution strategy) or ``ga``; optionally with parameters.
        first: the first phase. If it finds no model, the second phase starts at a random point.

    Raises:
        OptionError: there is no such minimizer.
    """

    native = True
    misses = frozenset(("nan",))

    def __init__(self, seed: int, arithmetic: str, first: FirstPhase) -> None:
        super().__init__(seed)
        minimizer_named(arithmetic)
        self.arithmetic, self.first = arithmetic, first
        self.name = f"two-phase-{arithmetic}"

    def search(self, query: Query, budget: Budget) -> Search:
        """Yield the model of the first phase, then corrected ones; see :class:`.base.SearchSolver`.

        Default values stand for the variables that the first phase leaves open, and for its model if it has none.
        """
        deadline = Deadline(budget)
        status, found = self.first.relaxed(query, budget)
        if status == "unsat":
            return "there is no solution over the reals; for floats that is no proof"
        model = query.completed(found or {})
        yield model
        parts = conjuncts(dependent(query.conjuncts))
        rest = query.restricted([part for part in query.conjuncts if part not in parts])
        if not parts or not rest.holds(model):
            return "the first phase found no model, and no float constraint can be corrected"
        left = (deadline.left or Budget(seconds=0.01)).part(1.0, evaluations=EVALUATIONS)
        return (yield from self._correct(query.restricted(parts), model, left, drawn=found is None))

    def _correct(self, part: Query, model: Model, budget: Budget, drawn: bool) -> Search:
        """Run the second phase: minimise the sum of the conjuncts' distances.

        Args:
            part: the constraints that depend on floats.
            model: the first phase's model, from which the search starts.
            budget: the budget.
            drawn: start at a random point instead, because the first phase has found no model.
        """
        try:
            condition = Condition(part.constraints, "korel", order=part.variables)
        except Unlowerable as error:
            return str(error)
        start = np.array(starts_of(Query(part.constraints, (model,)), condition)[0], dtype=np.int64)
        door, domain = condition.door(), domain_of(condition)
        if drawn:
            sample(domain.plain.native, start, random_state([self.seed, 5]))
        deadline, left, turn = Deadline(budget), budget.evaluations, 0
        while left > 0 and not deadline.is_over:  # restart a minimizer that gives up
            door.open(left)
            rng = random_state([self.seed, 4, turn])
            result = minimize(self.arithmetic, door, domain, start, rng)
            if result.value == 0.0:
                yield {**model, **condition.model(result.words)}
                sample(domain.plain.native, start, rng)  # the model failed the check, as reals are computed in doubles
            left, turn = left - max(result.evaluations, 1), turn + 1
        return f"{self.arithmetic} did not correct the model"


def dependent(parts: list[Term]) -> list[Term]:
    """Return the constraints that depend on floats or reals, those that share variables next to each other.

    These are the constraints with a float or a real in them and, transitively, those that share variables with these.
    """
    return [part for group in independent(parts) if any(map(has_floats, group)) for part in group if variables([part])]


def has_floats(part: Term) -> bool:
    """Whether a constraint contains a float or a real."""
    return any(term.sort.is_float or term.sort == REAL for term in postorder([part]))
