"""Two phases (Lakhotia, Tillmann, Harman, de Halleux 2010, section 3.1; row FS1).

First an SMT solver gets the query with floats as reals and hard operations as uninterpreted functions. Its model, which
may not hold for floats, is then corrected by an arithmetic solver: only the variables that float constraints depend on,
directly or through other constraints, are changed; all others keep the first phase's values.
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
    """An SMT solver over the reals."""

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]: ...


class TwoPhase(SearchSolver):
    """SMT over the reals, then an arithmetic solver.

    Args:
        seed: of the arithmetic solver.
        arithmetic: the second phase: ``random``, ``avm-paper`` (FS3), ``es`` (FS4), ``ga`` or any other minimizer, also
            with parameters.
        first: the first phase.

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
        """See the module."""
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
        """The second phase: minimise the sum of distances (FS2) from the model, or, if that is none of the first phase,
        from a drawn point."""
        try:
            condition = Condition(part.constraints, "korel", order=part.variables)
        except Unlowerable as error:
            return str(error)
        start = np.array(starts_of(Query(part.constraints, (model,)), condition)[0], dtype=np.int64)
        door, domain = condition.door(), domain_of(condition)
        if drawn:
            sample(domain.plain.native, start, random_state([self.seed, 5]))
        deadline, left, turn = Deadline(budget), budget.evaluations, 0
        while left > 0 and not deadline.is_over:  # a minimizer that gives up starts again
            door.open(left)
            rng = random_state([self.seed, 4, turn])
            result = minimize(self.arithmetic, door, domain, start, rng)
            if result.value == 0.0:
                yield {**model, **condition.model(result.words)}
                sample(domain.plain.native, start, rng)  # reals are computed in doubles: it holds only nearly
            left, turn = left - max(result.evaluations, 1), turn + 1
        return f"{self.arithmetic} did not correct the model"


def dependent(parts: list[Term]) -> list[Term]:
    """The constraints that depend on floats: those with a float in them, and those that share variables with these,
    transitively."""
    return [part for group in independent(parts) if any(map(has_floats, group)) for part in group if variables([part])]


def has_floats(part: Term) -> bool:
    """Whether floats occur in a constraint, or reals in what is not linear."""
    return any(term.sort.is_float or term.sort == REAL for term in postorder([part]))
