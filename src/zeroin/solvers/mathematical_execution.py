"""Mathematical execution of a condition (Fu & Su 2016, section 4.4.3; XSat): one native objective, minimised.

The objective is the sum of the distances of the conjuncts in ULPs, over the variables that no equation defines. It is 0
at the models; where it is computed in doubles for reals, or something can not be evaluated, a zero may be none. So a
zero is evaluated on the query, and the search goes on if that does not hold; a search that finds none proves nothing.
Rounds of three steps: alternating variables on ordered words; Newton's method on the comparisons, which moves all
variables at once along an equation; words a few steps around.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from ..config import Budget
from ..minimize import Door, random_state
from ..minimize.base import sample
from ..minimize.seeds import combinations
from ..objective.condition import Condition
from ..subject.base import Words
from ..term.core.evaluate import NoValue
from ..term.llvm.compile import Unlowerable
from .base import Model, Query, Search, SearchSolver
from .definitions import completed, eliminated
from .newton import lattice, newton
from .residuals import residuals
from .starts import domain_of, starts_of
from .work_clock import EVALUATION, Deadline, compiled, worked

# Evaluations of a round, at first; rounds grow.
SLICE, COMBINATIONS = 3_000, 3_000
TRIES, REACH = 1_000, 12  # of the lattice: points, and the power of two that the steps stay below


class MathematicalExecution(SearchSolver):
    """Minimise the sum of distances (ME7)."""

    name = "mathematical-execution"
    native = True

    def search(self, query: Query, budget: Budget) -> Search:
        """See the module; ends with the budget."""
        try:
            run = _Run(query, budget, self.seed)
        except Unlowerable as error:
            return str(error)
        return (yield from run.models())


Reached = Generator[Model, None, Words]  # what may be a model; then the words that were reached


class _Run:
    """One search, through one door."""

    def __init__(self, query: Query, budget: Budget, seed: int) -> None:
        self.deadline = Deadline(budget)
        self.asked = query
        query, self.definitions = eliminated(query)
        parts = query.conjuncts
        self.residuals = residuals(parts)
        self.condition = Condition(parts, values=[r.difference for r in self.residuals], order=query.variables)
        self.size = compiled(query)
        self.left, self.seed, self.slices = budget.evaluations, seed, 0
        self.domain = domain_of(self.condition)
        self.starts = starts_of(query, self.condition)
        self.best, self.value = self.starts[0], float("inf")
        self.door = self.condition.door()
        n = len(self.domain.kinds)
        self.x, self.kept = np.zeros((2, n), dtype=np.int64)
        self.work = np.zeros((len(self.residuals) + n, n + 2))
        self.wanted = np.array([r.wanted for r in self.residuals], dtype=np.int64)

    def models(self) -> Search:
        """What may be models of the query, and which budget is used up."""
        for start in self.starts:
            yield from self._from(start, lambda door: None)
        domain, drawn = self.domain.native, random_state([0])
        yield from self._from(
            self.starts[0],
            lambda door: combinations(door.native, domain, self.x, drawn, 0, COMBINATIONS),
            COMBINATIONS,
        )
        turn = 0
        while not (over := self._over()):
            yield from self._round(turn)
            turn += 1
        return over

    def _over(self) -> str | None:
        """Which budget is used up."""
        if self.left <= 0:
            return "the evaluation budget is used up"
        return "the time budget is used up" if self.deadline.is_over else None

    def _round(self, turn: int) -> Iterator[Model]:
        """From the best words so far, from a start, or from drawn ones in turn."""
        evaluations = SLICE << min(turn // 4, 6)
        start = self.starts[turn % len(self.starts)] if turn < 2 * len(self.starts) else None
        if turn % 3 == 1:
            start = self.best
        rng = random_state([self.seed, 1, turn])
        if start is None:
            sample(self.domain.native, self.x, rng)
            start = tuple(int(w) for w in self.x)
        if turn % 2 and len(self.residuals):
            start = yield from self._newton(start, rng)
        reached = yield from self._from(start, lambda door: self._avm(door, rng), evaluations)
        if len(self.residuals):
            yield from self._newton(reached, rng)

    def _avm(self, door: Door, rng: Any) -> None:
        from ..minimize.avm import avm

        avm(door, self.domain, self.x, rng)

    def _newton(self, start: Words, rng: Any) -> Reached:
        """Newton's method, then the lattice around what it reached."""

        def body(door: Door) -> None:
            address, numbers = self.condition.all_values
            newton(door.native, self.domain.native, self.x, address, numbers, self.wanted, self.work, self.kept)

        yield from self._from(start, body, 100_000)
        near = tuple(int(w) for w in self.x)

        def around(door: Door) -> None:
            lattice(door.native, self.domain.native, self.x, rng, float("inf"), TRIES, REACH, self.kept)

        return (yield from self._from(near, around, TRIES))

    def _from(self, start: Words, body: Callable[[Door], object], evaluations: int = 0) -> Reached:
        """Evaluate the start, then let the body spend evaluations; the best words of that."""
        if self._over():
            return self.best
        self.x[:] = start
        self.door.open(min(evaluations + 1, self.left))
        self.door.evaluate(start)
        body(self.door)
        result = self.door.result()
        self.left -= result.evaluations
        worked(EVALUATION * self.size * result.evaluations)
        if result.value == 0.0:
            with suppress(NoValue):  # of a definition
                yield completed(self.condition.model(result.words), self.definitions, self.asked)
        elif result.value < self.value:
            self.best, self.value = result.words, result.value
        return result.words
