"""Two phases (Lakhotia, Tillmann, Harman, de Halleux 2010, section 3.1; row FS1).

First an SMT solver gets the query with floats as reals and hard operations as uninterpreted functions. Its model, which
may not hold for floats, is then corrected by an arithmetic solver: only the variables that float constraints depend on,
directly or through other constraints, are changed; all others keep the first phase's values.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Protocol

import numpy as np

from ..config import Budget
from ..minimize import minimize, minimizer_named, random_state, warm_up
from ..minimize.base import sample
from ..objective.condition import Condition
from ..term.build import conjuncts
from ..term.nodes import Term
from ..term.sorts import REAL
from ..term.to_llvm import Unlowerable
from ..term.traversal import postorder, variables
from .base import Model, Query, SearchSolver, Stopped, restricted
from .decorators import independent
from .starts import domain_of, starts_of

EVALUATIONS = 100_000  # the paper's limit for the second phase


class FirstPhase(Protocol):
    """An SMT solver over the reals."""

    def relaxed(self, query: Query, budget: Budget) -> tuple[str, Model | None]: ...


class TwoPhase(SearchSolver):
    """SMT over the reals, then an arithmetic solver.

    Args:
        seed: of the arithmetic solver.
        arithmetic: the second phase: ``random``, ``avm-paper`` (FS3), ``es`` (FS4), ``ga`` or any other minimizer, also
            with parameters; None leaves it out.
        first: the first phase; by default Z3.
        evaluations: of the second phase, if the budget allows so many.

    Raises:
        OptionError: there is no such minimizer.
    """

    def __init__(self, seed: int = 0, arithmetic: str | None = "avm-paper", first: FirstPhase | None = None,
                 evaluations: int = EVALUATIONS) -> None:  # fmt: skip
        super().__init__(seed)
        if arithmetic is not None:
            minimizer_named(arithmetic)
        self.arithmetic, self.evaluations = arithmetic, evaluations
        self.name = f"two-phase-{arithmetic}" if arithmetic else "smt-reals"
        if first is None:
            from .smt import Z3

            first = Z3(reals=True)
        self.first = first

    def search(self, query: Query, budget: Budget) -> Model | Stopped:
        """See the module."""
        if self.arithmetic is not None:
            _load(self.arithmetic)
        deadline = time.monotonic() + budget.seconds
        status, found = self.first.relaxed(query, budget)
        if status == "unsat":
            return Stopped("there is no solution over the reals; for floats that is no proof")
        model = query.completed(found or {})
        if query.holds(model):
            return model
        if self.arithmetic is None:
            return Stopped("the model over the reals does not hold for floats")
        parts = conjuncts(dependent(query.conjuncts))
        if not parts:
            return Stopped("the first phase found no model, and no float constraint can be corrected")
        left = Budget(min(self.evaluations, budget.evaluations), max(deadline - time.monotonic(), 0.01))
        return self._correct(restricted(query, parts), model, left, drawn=found is None)

    def _correct(self, part: Query, model: Model, budget: Budget, drawn: bool) -> Model | Stopped:
        """The second phase: minimise the sum of distances (FS2) from the model, or, if that is none of the first phase,
        from a drawn point."""
        assert self.arithmetic is not None
        try:
            condition = Condition(part.constraints, "korel", order=part.variables)
        except Unlowerable as error:
            return Stopped(str(error))
        start = np.array(starts_of(Query(part.constraints, (model,)), condition)[0], dtype=np.int64)
        door, domain = condition.door(), domain_of(condition)
        if drawn:
            sample(domain.plain.native, start, random_state([self.seed, 5]))
        deadline, left, turn = time.monotonic() + budget.seconds, budget.evaluations, 0
        while left > 0 and time.monotonic() < deadline:  # a minimizer that gives up starts again
            door.open(left)
            rng = random_state([self.seed, 4, turn])
            result = minimize(self.arithmetic, door, domain, start, rng)
            if result.value == 0.0:
                corrected = {**model, **condition.model(result.words)}
                if part.holds(corrected):
                    return corrected
                sample(domain.plain.native, start, rng)  # reals are computed in doubles: it holds only nearly
            left, turn = left - max(result.evaluations, 1), turn + 1
        return Stopped(f"{self.arithmetic} did not correct the model")


_load = cache(warm_up)  # no budget pays for loading, or compiling, a minimizer


def dependent(parts: list[Term]) -> list[Term]:
    """The constraints that depend on floats: those with a float in them, and those that share variables with these,
    transitively."""
    return [part for group in independent(parts) if any(map(has_floats, group)) for part in group if variables([part])]


def has_floats(part: Term) -> bool:
    """Whether floats occur in a constraint, or reals in what is not linear."""
    return any(term.sort.is_float or term.sort == REAL for term in postorder([part]))
