"""How long the steps on one target may take, so that the whole of it ends in time: a tenth of the budget, and two
seconds, after what the search has left of the budget. Half a second of that is for trials of the tests."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from ..limits import LONGEST_SILENCE
from ..native.cells import Phase

_SHARE, _SECONDS = 0.1, 1.5  # of the budget, and seconds, for what comes after the search, but for trials of tests
_TO_SIMPLIFY, _LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY = 5.0, 0.2, 0.05  # of what the search has left, and at least
_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN = 3.0, 0.5  # or of what was spent, if that is more; most take half a second
_OF_REST_TO_STRENGTHEN = 0.5  # at most: inputs are to be replayed, and the tests to be tried, in time
_LONGEST_COMPILATION = 60.0  # seconds
GRACE = 0.3  # seconds that a task gets to end by itself
_TO_THINK = 1.0  # seconds for a search that thinks when its time is over
_LONGEST_CHOICE = 5.0  # without a word, of a task after the search
_OF_BUDGET_FOR_A_RUN, _LEAST_FOR_A_RUN = 0.3, 0.5  # of a search, without a sign of life; seconds
_LEAST_FOR_A_REPLAY, _LEAST_ONCE_HUNG = 1.2, 0.25
_LONG_TRACE, _BRIEF_TRACE = 2.0, 0.15  # seconds for a run that ends its process; for one that has not returned
_TO_WAIT = 0.3  # seconds and a tenth of the budget, of a search that waits for runs
_TO_END = 0.1  # seconds, for a search
_ONCE_INTERRUPTED = 0.8  # seconds for all that is left


class TaskClock:
    """Tells the seconds of a task, if it is asked often.

    Args:
        phase: what the task says that it does.

    Attributes:
        spent: seconds, without those in which it compiles.
        compiled: those, at most a minute.
    """

    def __init__(self, phase: Callable[[], int]) -> None:
        self._phase, self._last = phase, time.monotonic()
        self.spent = self.compiled = 0.0

    def tell(self) -> float:
        """The seconds that are spent by now."""
        past = time.monotonic() - self._last
        self._last += past
        if self._phase() in (Phase.COMPILING, Phase.LOADING) and self.compiled < _LONGEST_COMPILATION:
            self.compiled += past
        else:
            self.spent += past
        return self.spent


class TimeLimits:
    """The limits of one target.

    Args:
        budget: seconds of search.

    Attributes:
        is_interrupted: the user wants no more than what was found so far.
        has_hung: whether a run of the search did not come back. Where one has, more will.
    """

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._until = float("inf")
        self.is_interrupted = self.has_hung = False

    def interrupt(self) -> None:
        """From now on there is little time for all that is left."""
        self.is_interrupted = True
        self._until = min(self._until, time.monotonic() + _ONCE_INTERRUPTED)

    def is_over(self, task: str) -> bool:
        """Whether a task is to end as the user wants no more: at once, unless it chooses or replays what was found."""
        kept = {"choose": _ONCE_INTERRUPTED / 2, "replay": 0.0}  # seconds for what comes after it
        return self.is_interrupted and self.left <= kept.get(task, math.inf)

    def patience(self, task: str, spent: float = 0.0) -> float:
        """Seconds after which a run of a task that gives no sign of life is ended; the search has spent so many. What
        is replayed may take longer than in a search."""
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
        """Seconds that a search may wait for runs beside its time."""
        return min(LONGEST_SILENCE, _TO_WAIT + _SHARE * self._budget)

    def to_trace(self, silent: bool) -> float:
        """Seconds for seeing what a run takes that has ended its process, or was ended as it was silent."""
        return _BRIEF_TRACE if silent else min(_LONG_TRACE, self.patience("trace"))

    def search_is_over(self, seconds: float, waited: float) -> None:
        """The search has spent so many seconds of the budget, and so many that do not count: it waited for runs."""
        after = (1 + _SHARE) * self._budget + _SECONDS - seconds - waited
        self._until = min(self._until, time.monotonic() + max(0.0, after))

    def is_late(self, spent: float) -> bool:
        """Whether a search that has spent so many seconds should have ended by itself."""
        return spent > self._budget + _TO_END

    @property
    def left(self) -> float:
        """Seconds for all that comes after the search."""
        return max(0.0, self._until - time.monotonic())

    def longest_thought(self, task: str, spent: float) -> float:
        """Seconds for which a task may say nothing while it does not run the target; the search has spent so many."""
        if task == "search":
            return max(0.0, self._budget - spent) + _SHARE * self._budget + _TO_THINK
        return max(_LONGEST_CHOICE, self.left)

    def to_simplify(self, seconds: float) -> float:
        """Seconds for making inputs simpler, where the search has spent so many."""
        if self.is_interrupted:
            return 0.0
        least = max(_LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY * self._budget)
        return max(least, min(_TO_SIMPLIFY, self._budget - seconds))

    def to_strengthen(self, spent: float) -> float:
        """Seconds for inputs that notice mutants, after so many seconds since the target was asked for; 0: there is no
        time for that."""
        if self.has_hung and self.left < 2 * _LEAST_FOR_A_REPLAY:  # mutants would hang as well
            return 0.0
        wanted = max(_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN * spent)
        return min(wanted, _OF_REST_TO_STRENGTHEN * self.left)
