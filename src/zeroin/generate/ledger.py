"""The evaluations and seconds that a search has spent, and whether time counts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..config import Budget
from ..native.cells import PHASE, UNCOUNTED, WAITED, Phase
from ..native.kernel import loading_inside
from ..subject.base import WordArray

_THOUGHT, _SHARE = 0.5, 0.05  # the first limit of a query: seconds, and a share of the budget
_LEAST = 0.01  # seconds
_LONGEST_SHARE, _SLOWEST = 0.2, 4.0  # a query's limit: a share of the budget, and seconds per second of work


class Ledger:
    """The evaluations and seconds of one search.

    Args:
        budget: the evaluations and seconds that the search may use.
        spent: the evaluations and seconds that earlier processes used.
        memory: memory that is shared with the parent process, which kills a search that gives no sign of life.

    Attributes:
        budget: the budget.
        evaluations: the number of evaluations so far.
    """

    def __init__(self, budget: Budget, spent: tuple[int, float], memory: WordArray) -> None:
        self.budget, self._memory = budget, memory
        self.evaluations = spent[0]
        self._started = time.perf_counter() - spent[1]
        self._waited, self._uncounted = int(memory[WAITED]), 0.0  # the milliseconds that earlier processes waited

    @property
    def seconds(self) -> float:
        """The seconds spent so far, without the time that the parent process waited for single runs."""
        return time.perf_counter() - self._started - (int(self._memory[WAITED]) - self._waited) / 1000

    @property
    def seconds_left(self) -> float:
        """The seconds left in the budget, at least 0."""
        return max(0.0, self.budget.seconds - self.seconds)

    @property
    def first_thought(self) -> float:
        """The work of a solver's first try at a query, in nominal seconds (:mod:`zeroin.solvers.work_clock`)."""
        return min(_THOUGHT, _SHARE * self.budget.seconds, self.budget.work)

    def may_think(self, work: float) -> bool:
        """Return whether a solver may spend this work on one query, in nominal seconds."""
        return work <= self.budget.work

    def thought(self, work: float) -> Budget:
        """Return a solver's budget for one query: ``work`` nominal seconds, within the time that is left.

        A solver may take much longer than its nominal seconds. So a query also has a limit in real seconds: a share of
        the budget, or more if the query may cost much work. Each limit is at least 0.01 seconds, even if no time is
        left.
        """
        longest = max(_LONGEST_SHARE * self.budget.seconds, _SLOWEST * work)
        return Budget(self.budget.evaluations, max(_LEAST, min(self.seconds_left, longest)), max(_LEAST, work))

    @property
    def evaluations_left(self) -> int:
        """The evaluations left in the budget. It can be negative, as single runs are counted without a check."""
        return self.budget.evaluations - self.evaluations

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """Do not count the time of the ``with`` block, and tell the parent process. Blocks may be nested."""
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
        """Allow silence during the ``with`` block: the subject does not run, so the parent process reports no hang.

        The time in which kernels are loaded or compiled does not count: on a machine's first run it is long.

        Args:
            phase: the phase of the search that the parent process sees.
        """
        before = int(self._memory[PHASE])
        self._memory[PHASE] = phase
        try:
            with loading_inside(self.compiling):
                yield
        finally:
            self._memory[PHASE] = before

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Allow silence during the ``with`` block, and do not count its time, because it is no search."""
        with self.uncounted(), self.thinking(Phase.COMPILING):
            yield
