"""Mathematical execution of a condition (Fu & Su 2016, section 4.4.3; XSat): minimisation of a native objective.

The objective is the sum of the conjuncts' distances in ULPs. Variables that an equation defines are eliminated first.
The objective is 0 at models. A zero need not be a model if reals are computed in doubles, or if a definition can not
be evaluated. So each zero is checked on the query, and the search goes on if it fails. This solver proves nothing.

The search works on ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
It runs in rounds of three steps:

1. the alternating variable method on words;
2. Newton's method on the comparisons, which moves all variables at once along an equation;
3. random words within a few steps of the point that Newton's method has reached.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress

import numpy as np

from ..config import Budget
from ..minimize import Door, random_state
from ..minimize.base import Random, sample
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

# The evaluations of a round at first (rounds grow), and of the combinations of special values.
SLICE, COMBINATIONS = 3_000, 3_000
TRIES, REACH = 1_000, 12  # the lattice: its number of points, and the reach of its steps (see ``newton.lattice``)


class MathematicalExecution(SearchSolver):
    """Search for a model by minimising the sum of the conjuncts' distances.

    Args:
        seed: the seed of the random choices.
    """

    name = "mathematical-execution"
    native = True

    def search(self, query: Query, budget: Budget) -> Search:
        """Yield the zeros of the objective until the budget is used up; see :class:`.base.SearchSolver`."""
        try:
            run = _Run(query, budget, self.seed)
        except Unlowerable as error:
            return str(error)
        return (yield from run.models())


Reached = Generator[Model, None, Words]  # yields candidate models, and returns the best words of the step


class _Run:
    """One search, whose evaluations all pass through one door, which counts and stops them."""

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
        """Yield candidate models of the query, and return the reason why the search stopped."""
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
        """Return which budget is used up, as text; None if none is."""
        if self.left <= 0:
            return "the evaluation budget is used up"
        return "the time budget is used up" if self.deadline.is_over else None

    def _round(self, turn: int) -> Iterator[Model]:
        """Run one round. It starts at the best words so far, at one of the starts, or at random words."""
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

    def _avm(self, door: Door, rng: Random) -> None:
        """Run the alternating variable method from the words ``x``."""
        from ..minimize.avm import avm

        avm(door, self.domain, self.x, rng)

    def _newton(self, start: Words, rng: Random) -> Reached:
        """Run Newton's method, then try the lattice around the point that it has reached.

        Args:
            start: the words at which Newton's method starts.
            rng: the random numbers of the lattice.
        """

        def body(door: Door) -> None:
            address, numbers = self.condition.all_values
            newton(door.native, self.domain.native, self.x, address, numbers, self.wanted, self.work, self.kept)

        yield from self._from(start, body, 100_000)
        near = tuple(int(w) for w in self.x)

        def around(door: Door) -> None:
            lattice(door.native, self.domain.native, self.x, rng, float("inf"), TRIES, REACH, self.kept)

        return (yield from self._from(near, around, TRIES))

    def _from(self, start: Words, body: Callable[[Door], object], evaluations: int = 0) -> Reached:
        """Evaluate the start, then run one step of the search, and return its best words.

        If the budget is used up, nothing is evaluated, and the result is the best words of the whole search.

        Args:
            start: the words at which the step starts.
            body: the step, which evaluates through the door.
            evaluations: the most evaluations of the step, without that of the start.
        """
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
            with suppress(NoValue):  # a definition can not be evaluated
                yield completed(self.condition.model(result.words), self.definitions, self.asked)
        elif result.value < self.value:
            self.best, self.value = result.words, result.value
        return result.words
