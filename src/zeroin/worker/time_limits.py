"""How long the steps on one target may take, so that the whole of it ends in time: a tenth of the budget, and two
seconds, after what the search has left of the budget."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..native.cells import Phase

_SHARE, _SECONDS = 0.1, 2.0  # of the budget, and seconds, for what comes after the search
_TO_SIMPLIFY, _LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY = 5.0, 0.2, 0.05  # of what the search has left, and at least
_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN = 3.0, 0.5  # or of what was spent, if that is more; most take half a second
_OF_REST_TO_STRENGTHEN = 0.5  # at most: inputs are to be replayed, and the tests to be tried, in time
_LONGEST_COMPILATION = 60.0  # seconds
GRACE = 1.0  # seconds that a task gets to end by itself
_LONGEST_CHOICE = 5.0  # without a word, of a task after the search


class TimeLimits:
    """The limits of one target.

    Args:
        budget: seconds of search.
    """

    def __init__(self, budget: float) -> None:
        self._budget = budget
        self._until = float("inf")

    def search_is_over(self, seconds: float, waited: float) -> None:
        """The search has spent so many seconds of the budget, and so many that do not count: it waited for runs."""
        after = max(0.0, self._budget - seconds) + _SHARE * self._budget + _SECONDS
        self._until = time.monotonic() + max(0.0, after - waited)

    @property
    def left(self) -> float:
        """Seconds for all that comes after the search."""
        return max(0.0, self._until - time.monotonic())

    def longest_thought(self, task: str, spent: float) -> float:
        """Seconds for which a task may say nothing while it does not run the target; the search has spent so many."""
        if task == "search":
            return max(0.0, self._budget - spent) + _SHARE * self._budget + _SECONDS
        return max(_LONGEST_CHOICE, self.left)

    @staticmethod
    def clock(phase: Callable[[], int]) -> Callable[[], float]:
        """Tells the seconds of a task so far, when it is asked often, without a minute in which it says that it
        compiles; ``phase`` tells that."""
        last, spent, compiled = time.monotonic(), 0.0, 0.0

        def tell() -> float:
            nonlocal last, spent, compiled
            past = time.monotonic() - last
            last += past
            if phase() in (Phase.COMPILING, Phase.LOADING) and compiled < _LONGEST_COMPILATION:
                compiled += past
            else:
                spent += past
            return spent

        return tell

    def to_simplify(self, seconds: float) -> float:
        """Seconds for making inputs simpler, where the search has spent so many."""
        least = max(_LEAST_TO_SIMPLIFY, _OF_BUDGET_TO_SIMPLIFY * self._budget)
        return max(least, min(_TO_SIMPLIFY, self._budget - seconds))

    def to_strengthen(self, spent: float) -> float:
        """Seconds for inputs that notice mutants, after so many seconds since the target was asked for."""
        wanted = max(_TO_STRENGTHEN, _OF_SPENT_TO_STRENGTHEN * spent)
        return min(wanted, _OF_REST_TO_STRENGTHEN * self.left)
