"""Time limits of the steps on one target.

All steps after the search together get the rest of the budget, a tenth of the budget, and two seconds. Half a second of
that is reserved for trials of the tests.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ..config import Budget
from ..limits import LONGEST_SILENCE
from ..native.cells import Phase

_SHARE, _SECONDS = 0.1, 1.5  # share of the budget, and seconds, for the steps after the search
# Seconds for simplification, its least seconds, and its least share of the budget.
_TO_SIMPLIFY, _LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY = 5.0, 0.4, 0.1
_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN = 3.0, 0.5  # seconds, or share of the time spent so far if that is more
_OF_REST_TO_STRENGTHEN = 0.5  # most: replays and trials of tests follow
_LONGEST_COMPILATION = 60.0  # seconds
GRACE = 0.3  # seconds for a task to end by itself after its time limit
TO_SAMPLE = 0.15  # seconds for the samples from which a report draws the function
_TO_THINK = 1.0  # seconds for a search that solves or chooses when its time is over
_LONGEST_CHOICE = 5.0  # seconds of silence of a task after the search
_OF_BUDGET_FOR_A_RUN, _LEAST_FOR_A_RUN = 0.3, 0.5  # of silence in one run: share of the budget, least seconds
_LEAST_FOR_A_REPLAY, _LEAST_ONCE_HUNG = 1.2, 0.25  # seconds
_LONG_TRACE, _BRIEF_TRACE = 2.0, 0.15  # seconds to repeat a run that ended its process, and one that hung
_TO_WAIT = 0.3  # seconds, beside a tenth of the budget, that a search may wait for long runs
_TO_END = 0.1  # seconds for a search to end by itself
_ONCE_INTERRUPTED = 0.8  # seconds for all remaining steps
_OF_FAULTS, _MOST_OF_FAULTS = 0.25, 2.0  # share of the budget for the usual faults, and its most seconds


class TaskClock:
    """A clock for one task. Call :meth:`tell` often, as the phase is sampled at each call.

    Args:
        phase: returns the task's current phase.

    Attributes:
        spent: seconds so far, without compilation.
        compiled: seconds of loading and compilation. After a minute, further ones count as spent.
    """

    def __init__(self, phase: Callable[[], int]) -> None:
        self._phase, self._last = phase, time.monotonic()
        self.spent = self.compiled = 0.0

    def tell(self) -> float:
        """Update the clock; return the seconds spent without compilation."""
        past = time.monotonic() - self._last
        self._last += past
        if self._phase() in (Phase.COMPILING, Phase.LOADING) and self.compiled < _LONGEST_COMPILATION:
            self.compiled += past
        else:
            self.spent += past
        return self.spent


def faults_share(budget: Budget) -> Budget:
    """Return the part of a budget for the usual faults: a quarter, and at most 2 seconds."""
    return budget.part(_OF_FAULTS, _MOST_OF_FAULTS, max(1, int(_OF_FAULTS * budget.evaluations)))


def before_faults(budget: Budget) -> Budget:
    """Return the part of a budget that is left for the branches."""
    share = faults_share(budget)
    left = budget.evaluations - share.evaluations if budget.evaluations > 1 else 1
    if math.isinf(budget.work):
        return Budget(left, budget.seconds - share.seconds)
    return Budget(left, budget.seconds, budget.work - share.work)


class TimeLimits:
    """The time limits of one target.

    Args:
        budget: the budget of the search, in seconds.

    Attributes:
        is_interrupted: whether the user wants no more than the results so far.
        has_hung: whether a run of the search hung. If so, more hangs are likely.
    """

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._until = float("inf")
        self.is_interrupted = self.has_hung = False

    def interrupt(self) -> None:
        """Shorten the time for all remaining steps to 0.8 seconds, or what is left: the user has interrupted."""
        self.is_interrupted = True
        self._until = min(self._until, time.monotonic() + _ONCE_INTERRUPTED)

    def is_over(self, task: str) -> bool:
        """Return whether a task has to end because of an interruption.

        Tasks that choose or replay results may use the remaining time. All others end at once.
        """
        kept = {"choose": _ONCE_INTERRUPTED / 2, "replay": 0.0}  # seconds for what comes after it
        return self.is_interrupted and self.left <= kept.get(task, math.inf)

    def patience(self, task: str, spent: float = 0.0) -> float:
        """Return the seconds of silence after which a run counts as hung. Replays may take longer than a search's runs.

        The result is 0 for a search that should have ended by itself.

        Args:
            task: the name of the task.
            spent: seconds of the search so far.
        """
        if self.is_interrupted:
            return self.left
        if task in ("replay", "explain"):
            return min(LONGEST_SILENCE, max(_LEAST_FOR_A_REPLAY, self.left / 2))
        if task == "search" and self.is_late(spent):
            return 0.0
        whole = min(LONGEST_SILENCE, max(_LEAST_FOR_A_RUN, _OF_BUDGET_FOR_A_RUN * self._budget))
        return max(_LEAST_ONCE_HUNG, whole / 4) if self.has_hung else whole

    @property
    def most_waited(self) -> float:
        """The seconds that a search may wait for long runs, beyond its budget."""
        return min(LONGEST_SILENCE, _TO_WAIT + _SHARE * self._budget)

    def to_trace(self, silent: bool) -> float:
        """Return the seconds for repeating a run that ended its process.

        Args:
            silent: whether the process was killed for its silence.
        """
        return _BRIEF_TRACE if silent else min(_LONG_TRACE, self.patience("trace"))

    def search_is_over(self, seconds: float, waited: float) -> None:
        """Set the end of all steps after the search. An earlier end, such as that of an interruption, stays.

        Args:
            seconds: seconds of the budget spent by the search.
            waited: seconds that the search waited for long runs, which do not count.
        """
        after = (1 + _SHARE) * self._budget + _SECONDS - seconds - waited
        self._until = min(self._until, time.monotonic() + max(0.0, after))

    def is_late(self, spent: float) -> bool:
        """Return whether a search that has spent so many seconds should have ended by itself."""
        return spent > self._budget + _TO_END

    @property
    def left(self) -> float:
        """The seconds left for all steps after the search; infinite before the search is over or interrupted."""
        return max(0.0, self._until - time.monotonic())

    def longest_thought(self, task: str, spent: float) -> float:
        """Return the seconds that a task may be silent while it does not run the subject.

        Args:
            task: the name of the task.
            spent: seconds of the search so far.
        """
        if task == "search":
            return max(0.0, self._budget - spent) + _SHARE * self._budget + _TO_THINK
        return max(_LONGEST_CHOICE, self.left)

    def to_simplify(self, seconds: float) -> float:
        """Return the seconds for simplification after a search of so many seconds."""
        if self.is_interrupted:
            return 0.0
        least = max(_LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY * self._budget)
        if self.has_hung and math.isfinite(self.left):  # then there is no time for mutants
            least = max(least, _OF_REST_TO_STRENGTHEN * self.left)
        return max(least, min(_TO_SIMPLIFY, self._budget - seconds))

    def to_strengthen(self, spent: float) -> float:
        """Return the seconds for killing mutants; 0 if there is no time.

        Args:
            spent: seconds since the work on the target began.
        """
        if self.has_hung and self.left < 2 * _LEAST_FOR_A_REPLAY:  # mutants would hang, too
            return 0.0
        wanted = max(_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN * spent)
        return min(wanted, _OF_REST_TO_STRENGTHEN * self.left)
