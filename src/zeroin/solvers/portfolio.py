"""The default: what is cheap first, then complete solvers and a long search side by side; the first answer wins."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from ..config import Budget
from ..term.traversal import size
from .apart import race
from .base import Answer, CompleteSolver, Query, Solver, Unknown, truth_of
from .decorators import Rewriting, Splitting, Validating
from .mathematical_execution import MathematicalExecution, warm_up

QUICK = 0.25  # seconds of search in this process, at most a quarter of the budget
SEARCH = 0.35  # of the time of the race: what search finds, it mostly finds early
SMALL = 1500  # parts of a query that is compiled in no time; a larger one is searched in a process that can be ended


class Race(CompleteSolver):
    """Some solvers, each in a process of its own.

    Args:
        solvers: in the order in which they are started.
        jobs: how many run at the same time; by default one for each core, and at least two.
    """

    name = "race"

    def __init__(self, solvers: Sequence[Solver], jobs: int | None = None) -> None:
        self.solvers = solvers
        self.jobs = jobs or max(2, os.cpu_count() or 2)

    def solve(self, query: Query, budget: Budget) -> Answer:
        return race(self.solvers, query, budget, self.jobs)[0]


class Portfolio(CompleteSolver):
    """A short search, then a race.

    Args:
        seed: of the searches.
        others: makes the solvers of the race; by default all that are installed.
    """

    name = "portfolio"

    def __init__(self, seed: int = 0, others: Callable[[int], Sequence[Solver]] | None = None) -> None:
        self.quick = MathematicalExecution(seed)
        self.race = Race((others or complete_and_search)(seed))
        self._solver = Validating(Rewriting(Splitting(_Stages(self.quick, self.race))))

    def solve(self, query: Query, budget: Budget) -> Answer:
        return self._solver.solve(query, budget)


class Limited:
    """A solver that gets a share of the time only.

    Args:
        inner: the solver.
        share: of the budget's seconds.
    """

    def __init__(self, inner: Solver, share: float) -> None:
        self.inner, self.name, self.share = inner, inner.name, share

    def solve(self, query: Query, budget: Budget) -> Answer:
        return self.inner.solve(query, Budget(budget.evaluations, budget.seconds * self.share))


class _Stages:
    """Search for a moment, then race."""

    name = "portfolio"

    def __init__(self, quick: Solver, racing: Race) -> None:
        self.quick, self.racing = quick, racing

    def solve(self, query: Query, budget: Budget) -> Answer:
        warm_up()
        deadline = time.monotonic() + budget.seconds
        if truth_of(query) is None and size(query.constraints) <= SMALL:
            first = self.quick.solve(query, Budget(budget.evaluations, min(QUICK, budget.seconds / 4)))
            if not isinstance(first, Unknown):
                return first
        left = deadline - time.monotonic()
        if left <= 0:
            return Unknown("the time budget is used up")
        return self.racing.solve(query, Budget(budget.evaluations, left))


def complete_and_search(seed: int) -> list[Solver]:
    """Every complete solver that is installed, and a search that leaves its place to the next after a while."""
    from .smt import installed

    found = installed()
    return [*found[:1], Limited(MathematicalExecution(seed + 1), SEARCH), *found[1:]]
