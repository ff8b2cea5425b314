"""Samples: further runs of a function with one or two numeric inputs, from which reports draw it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MOST_AXES = 2
_MOST_DECADES = 4  # between the sizes of values on a linear scale
_MARGIN = 0.25  # of the scale's length, on both sides
_LARGEST_FLOAT = 1.7976931348623157e308
_LARGEST = math.log10(_LARGEST_FLOAT)
_NUMBER = re.compile(r"-?(0x[0-9a-f.]+p[+-]\d+|\d{1,308})")


@dataclass(frozen=True)
class Scale:
    """Maps numbers to positions from 0 to 1, and back.

    A scale is linear, or symmetric and logarithmic: beyond ``unit``, on both sides of 0, each decade has equal length.

    Attributes:
        low, high: the positions of the ends before they are mapped to 0 and 1: numbers, or signed decades.
        unit: the size at which the decades begin; 0 for a linear scale.
    """

    low: float
    high: float
    unit: float = 0.0

    @classmethod
    def of(cls, values: Iterable[float], low: float = -math.inf, high: float = math.inf) -> Scale:
        """Return a scale that shows all finite values, with a margin.

        It is linear if the sizes of the values, other than 0, differ by at most four decades.

        Args:
            values: the values. Without a finite one, the scale goes from -10 to 10.
            low, high: the scale does not go beyond these.
        """
        known = sorted(filter(math.isfinite, values)) or [-10.0, 10.0]
        sizes = [abs(value) for value in known if value]
        unit = min(sizes, default=1.0)
        if not sizes or (math.log10(max(sizes)) - math.log10(unit) <= _MOST_DECADES and max(sizes) < 1e100):
            room = _MARGIN * (known[-1] - known[0]) or max(1.0, abs(known[0]))
            return cls(max(known[0] - room, low), min(known[-1] + room, high))
        ends = _decades(known[0], unit), _decades(known[-1], unit)
        room = _MARGIN * (ends[1] - ends[0]) or 1.0
        most = _decades(_LARGEST_FLOAT, unit)
        least = max(ends[0] - room, -most, _decades(low, unit) if math.isfinite(low) else -most)
        return cls(least, min(ends[1] + room, most, _decades(high, unit) if math.isfinite(high) else most), unit)

    def at(self, value: float) -> float:
        """Return the position of a number; less than 0 or more than 1 if it is outside of the scale. NaN for NaN."""
        length = self.high - self.low
        where = _decades(value, self.unit) if self.unit else value
        if math.isinf(where):
            return math.copysign(math.inf, where)
        return (where - self.low) / length if length > 0 else 0.5

    def value(self, position: float) -> float:
        """Return the number at a position from 0 to 1."""
        where = self.low + position * (self.high - self.low)
        return _undone(where, self.unit) if self.unit else where

    def ticks(self, most: int = 7) -> list[float]:
        """Return round numbers within the scale, in order, about ``most`` of them."""
        if not self.unit:
            length = self.high - self.low
            step = 10.0 ** math.floor(math.log10(length / most)) if length > 0 else 1.0
            step *= next((factor for factor in (1, 2, 5) if length / (step * factor) <= most), 10)
            first = math.ceil(self.low / step)
            return [float(f"{number * step:.12g}") for number in range(first, math.floor(self.high / step) + 1)]
        first = round(math.log10(self.unit))
        decades = math.ceil(max(abs(self.low), abs(self.high)))
        step = max(1, math.ceil((self.high - self.low) / most))
        sizes = [float(f"1e{power}") for power in range(first + step, first + decades + 1, step) if power <= 308]
        return [tick for tick in (*(-size for size in reversed(sizes)), 0.0, *sizes) if 0 <= self.at(tick) <= 1]


def _decades(value: float, unit: float) -> float:
    """Return ``log10(1 + abs(value) / unit)`` with the sign of the value; no intermediate result overflows."""
    if value == 0 or math.isnan(value):
        return value
    size = math.log10(abs(value)) - math.log10(unit) if math.isfinite(value) else _LARGEST - math.log10(unit)
    return math.copysign(size if size > 16 else math.log10(1.0 + 10.0**size), value)


def _undone(decades: float, unit: float) -> float:
    """Return the number for a result of :func:`_decades`."""
    size = abs(decades)
    power = (size if size > 16 else math.log10(10.0**size - 1.0) if size > 0 else -math.inf) + math.log10(unit)
    return math.copysign(10.0 ** min(power, _LARGEST - 1e-12), decades)


@dataclass(frozen=True)
class Axis:
    """An input of the function, and the values that it was sampled at.

    Attributes:
        name: the parameter's name.
        values: the values, in rising order. Those of kinds without infinities and NaNs are integers.
        scale: where they are drawn.
    """

    name: str
    values: tuple[float, ...]
    scale: Scale


@dataclass(frozen=True)
class Samples:
    """Runs of a function at the points of a line or of a grid.

    The points of a grid are in rows: the first axis runs fastest.

    Attributes:
        axes: one or two; none if there are no samples.
        covered: for each point, the numbers of the branches that the run takes. None: it did not return.
        results: for each point, the result as a number; NaN if it is no number, or if the run did not return.
        objectives: for each missed branch, by number: for each point, its objective
            (:class:`zeroin.objective.branch.BranchObjective`); NaN if the run reaches no condition that leads to it.
        why: why there are no samples, as the end of a sentence; empty if there are some.
    """

    axes: tuple[Axis, ...] = ()
    covered: tuple[frozenset[int] | None, ...] = ()
    results: tuple[float, ...] = ()
    objectives: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    why: str = ""


def number_of(result: object) -> float:
    """Return a result in the notation of :func:`zeroin.words.exact` as a number; NaN if it is none, or too large."""
    if result in ("True", "False"):
        return float(result == "True")
    if result in ("inf", "-inf"):
        return float(str(result))
    if not (isinstance(result, str) and _NUMBER.fullmatch(result)):
        return math.nan
    return float.fromhex(result) if "x" in result else float(result)
