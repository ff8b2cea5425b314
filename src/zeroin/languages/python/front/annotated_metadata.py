"""Read the constraints in the metadata of ``Annotated``, by the attribute names of annotated-types.

Pydantic's ``Field`` contains the same metadata.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ....subject.bounds import Bounds
from ..values.constrained import Multiple
from ..values.narrowing import FINITE
from ..values.shapes import Float, Int


@dataclass(frozen=True)
class Constraints:
    """The constraints on a value.

    Attributes:
        bounds: the bounds of a number; empty if there are none.
        lengths: the least length, 0 if there is none; and the greatest, None if there is none.
        steps: the value must be a multiple of each.
        predicates: functions that must return true for the value.
    """

    bounds: Bounds
    lengths: tuple[int, int | None]
    steps: tuple[int | float, ...]
    predicates: tuple[Callable[[object], object], ...]


def constraints_in(metadata: Iterable[object]) -> Constraints:
    """Return all constraints in the metadata; other metadata, and classes among it, are ignored."""
    bounds, low, high, steps, predicates = Bounds(), 0, None, list[int | float](), list[Callable[[object], object]]()
    for fact in _facts(metadata):
        bounds = bounds.within(Bounds(*(getattr(fact, name, None) for name in ("ge", "gt", "le", "lt"))))
        low = max(low, getattr(fact, "min_length", None) or 0)
        most = getattr(fact, "max_length", None)
        high = high if most is None else most if high is None else min(high, most)
        step = getattr(fact, "multiple_of", None)
        steps += [step] if isinstance(step, int | float) else []
        if type(fact).__name__ == "Predicate" and callable(fact.func):
            known = _bounds_of(fact.func)
            bounds = bounds.within(known)
            predicates += [] if known else [fact.func]
    return Constraints(bounds, (low, high), tuple(steps), tuple(predicates))


def _facts(metadata: Iterable[object]) -> Iterator[Any]:
    """Yield the metadata, and the metadata inside pydantic's ``Field``."""
    for fact in metadata:
        if not isinstance(fact, type):
            yield fact
            inside = getattr(fact, "metadata", None)
            yield from inside if isinstance(inside, (list, tuple)) else ()


def _bounds_of(predicate: object) -> Bounds:
    """Return the bounds equivalent to a known predicate (``IsFinite``, ``IsNotNan``); empty bounds for others."""
    if predicate is math.isfinite:
        return FINITE
    is_not_nan = type(predicate).__name__ == "Not" and getattr(predicate, "func", None) is math.isnan
    return Bounds(ge=-math.inf) if is_not_nan else Bounds()


def multiple(step: int | float, shape: Int | Float) -> Multiple:
    """Return the shape of the multiples of ``step`` within the bounds of an int or float shape.

    Raises:
        ValueError: ``step`` is not positive and finite, or not a whole number for an int shape; or no multiple is
            within the bounds.
    """
    if not (math.isfinite(step) and step > 0) or (isinstance(shape, Int) and step != int(step)):
        raise ValueError(f"no multiples of {step} can be made")
    return Multiple(int(step) if isinstance(shape, Int) else float(step), bounds=shape.bounds)
