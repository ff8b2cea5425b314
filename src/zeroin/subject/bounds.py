"""Bounds of values whose order is that of their words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Bounds:
    """Bounds of an ordered value: at least ``ge``, above ``gt``, at most ``le``, below ``lt``; None: no such bound.

    The truth value is False if there is no bound at all.
    """

    ge: Any = None
    gt: Any = None
    le: Any = None
    lt: Any = None

    def __bool__(self) -> bool:
        return any(bound is not None for bound in (self.ge, self.gt, self.le, self.lt))

    def __str__(self) -> str:
        signs = {">=": self.ge, ">": self.gt, "<=": self.le, "<": self.lt}
        return " and ".join(f"{sign} {bound}" for sign, bound in signs.items() if bound is not None)

    def within(self, other: Bounds) -> Bounds:
        """Return the bounds of the values that satisfy both.

        Raises:
            TypeError: two bounds can not be compared with each other.
        """
        return Bounds(
            _tighter(self.ge, other.ge, max), _tighter(self.gt, other.gt, max),
            _tighter(self.le, other.le, min), _tighter(self.lt, other.lt, min),
        )  # fmt: skip

    def span(self, low: int, high: int, value_at: Callable[[int], object]) -> tuple[int, int]:
        """Return the lowest and the highest word whose values satisfy the bounds, both inclusive.

        Args:
            low, high: the lowest and the highest word to consider. The values between them are in order.
            value_at: returns the value of a word.

        Raises:
            ValueError: no value satisfies the bounds, or the values can not be compared with them.
        """
        try:
            first = _first(low, high, lambda word: self._reached(value_at(word)))
            last = _first(first, high, lambda word: self._passed(value_at(word))) - 1
        except TypeError as error:
            raise ValueError(f"its values can not be compared with the bound in '{self}': {error}") from None
        if first > last:
            raise ValueError(f"no value is {self}")
        return first, last

    def _reached(self, value: object) -> bool:
        """Return whether a value satisfies the lower bounds."""
        return (self.ge is None or bool(value >= self.ge)) and (self.gt is None or bool(value > self.gt))

    def _passed(self, value: object) -> bool:
        """Return whether a value violates an upper bound."""
        return not ((self.le is None or bool(value <= self.le)) and (self.lt is None or bool(value < self.lt)))


def _tighter(one: object, other: object, choose: Callable[[Any, Any], object]) -> object:
    """Return the tighter of two bounds, by ``max`` or ``min``. None is no bound."""
    return other if one is None else one if other is None else choose(one, other)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first word from ``low`` to ``high`` at which a monotonic predicate holds, else ``high + 1``."""
    high += 1
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
