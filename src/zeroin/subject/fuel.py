"""How much fuel the runs of a search get: little at first, more where it pays. What needs a million turns to return
must not keep a search from making a million runs; what it finds is run again with all the fuel there is."""

from __future__ import annotations

from .base import Words


class Fuel:
    """The policy of one subject; fuel is counted in turns of loops and calls.

    Args:
        full: for one run; who needs more hangs.
        first: what a run of a search gets in the beginning.
        least: what it gets in any case.
    """

    def __init__(self, full: int, first: int, least: int) -> None:
        self.full, self._first, self._least = full, first, least
        self.begin()

    def begin(self) -> None:
        """Forget what earlier searches taught."""
        self._short = self._first
        self._taken: frozenset[int] = frozenset()
        self._burnt: dict[Words, int] = {}

    def of(self, share: int, start: Words) -> int:
        """For each run of a slice: so many times the little there is, and enough for the words that it starts at."""
        return min(self.full, max(self._short * share, self.needed(start)))

    def needed(self, start: Words) -> int:
        """Twice what these words burnt, if they were found to take something new; else 0."""
        return 2 * self._burnt.get(start, 0)

    def less(self) -> None:
        """Runs use up what they get and nothing comes of it."""
        self._short = max(self._least, self._short // 2)

    def returned(self, words: Words, covered: frozenset[int], burnt: int) -> None:
        """Learn from a run that had all it needed."""
        if not covered - self._taken:
            return
        self._taken |= covered
        self._burnt[words] = burnt
        if burnt > self._short:
            self._short = min(2 * self._short, self.full)
