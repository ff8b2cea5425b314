"""The fuel of the runs in a search: little at first, more where it pays.

An input that needs a million loop iterations must not stop a search from making a million runs. Each input that the
search finds is run again with all the fuel there is.
"""

from __future__ import annotations

from .base import Words


class Fuel:
    """The fuel policy of one subject. Fuel is counted in loop iterations and calls.

    Args:
        full: the most that a run may use. A run that needs more counts as hung.
        first: the fuel of a run when a search begins.
        least: the least fuel of a run.
    """

    def __init__(self, full: int, first: int, least: int) -> None:
        self.full, self._first, self._least = full, first, least
        self.begin()

    def begin(self) -> None:
        """Forget what earlier searches learnt."""
        self._short = self._first
        self._taken: frozenset[int] = frozenset()
        self._burnt: dict[Words, int] = {}

    def of(self, share: int, start: Words) -> int:
        """Return the fuel for each run of a slice: ``share`` times the usual fuel, and enough for the start input.

        It is at most ``full``.
        """
        return min(self.full, max(self._short * share, self.needed(start)))

    def needed(self, start: Words) -> int:
        """Return twice the fuel that an input used, if :meth:`returned` noted it as covering something new; else 0."""
        return 2 * self._burnt.get(start, 0)

    def less(self) -> None:
        """Halve the usual fuel. Call it when runs use up their fuel without a result."""
        self._short = max(self._least, self._short // 2)

    def returned(self, words: Words, covered: frozenset[int], burnt: int) -> None:
        """Learn from a run that returned: double the usual fuel if the run covered something new and used more.

        Args:
            words: the input.
            covered: the numbers of the branches that it took.
            burnt: the fuel that it used.
        """
        if not covered - self._taken:
            return
        self._taken |= covered
        self._burnt[words] = burnt
        if burnt > self._short:
            self._short = min(2 * self._short, self.full)
