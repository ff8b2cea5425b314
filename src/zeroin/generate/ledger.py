"""What a search has spent, and two switches: whether this time counts, and whether this silence alarms."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..config import Budget
from ..native.cells import PHASE, UNCOUNTED, WAITED, Phase
from ..subject.base import WordArray

_THOUGHT, _SHARE = 0.5, 0.05  # seconds, and of the budget
_LEAST = 0.01  # seconds
_LONGEST_SHARE, _SLOWEST = 0.2, 4.0  # of the budget, for one question; times the work that it may do


class Ledger:
    """Evaluations and seconds of one search.

    Args:
        budget: what may be spent.
        spent: evaluations and seconds that earlier processes used.
        memory: shared with the parent process, which ends a job whose search is silent.

    Attributes:
        evaluations: made so far.
    """

    def __init__(self, budget: Budget, spent: tuple[int, float], memory: WordArray) -> None:
        self.budget, self._memory = budget, memory
        self.evaluations = spent[0]
        self._started = time.perf_counter() - spent[1]
        self._waited, self._uncounted = int(memory[WAITED]), 0.0  # before

    @property
    def seconds(self) -> float:
        """Spent so far; waiting for single runs does not count, see :mod:`zeroin.worker.worker`."""
        return time.perf_counter() - self._started - (int(self._memory[WAITED]) - self._waited) / 1000

    @property
    def seconds_left(self) -> float:
        return max(0.0, self.budget.seconds - self.seconds)

    @property
    def first_thought(self) -> float:
        """Seconds that a solver may take for its first try at a query, on the clock of ``solvers.work_clock``."""
        return min(_THOUGHT, _SHARE * self.budget.seconds, self.budget.work)

    def may_think(self, work: float) -> bool:
        """Whether the budget lets a solver have so many seconds of work for one question."""
        return work <= self.budget.work

    def thought(self, work: float) -> Budget:
        """For a solver: so many seconds of work, in the time that is left. What solvers count may lag far behind the
        clock, so one question gets a part of the budget's seconds, or more if it may do much work."""
        longest = max(_LONGEST_SHARE * self.budget.seconds, _SLOWEST * work)
        return Budget(self.budget.evaluations, max(_LEAST, min(self.seconds_left, longest)), max(_LEAST, work))

    @property
    def evaluations_left(self) -> int:
        return self.budget.evaluations - self.evaluations

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """This time does not count, once where it is said twice."""
        spent = self.seconds
        try:
            yield
        finally:
            past = self.seconds - spent
            self._started += past
            self._uncounted += past
            self._memory[UNCOUNTED] = int(1000 * self._uncounted)

    @contextmanager
    def thinking(self, phase: Phase = Phase.THINKING) -> Iterator[None]:
        """This silence does not alarm: nothing of the subject runs."""
        before = int(self._memory[PHASE])
        self._memory[PHASE] = phase
        try:
            yield
        finally:
            self._memory[PHASE] = before

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Thinking that is no search, so its time does not count either."""
        with self.uncounted(), self.thinking(Phase.COMPILING):
            yield
