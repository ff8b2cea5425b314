"""What the metadata of ``Annotated`` says of values, read by the names that annotated-types has for it; pydantic's
``Field`` has the same inside."""

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
    """What holds of a value.

    Attributes:
        bounds: of a number.
        lengths: the least and, if there is one, the greatest.
        steps: it is a multiple of each.
        predicates: are true of it.
    """

    bounds: Bounds
    lengths: tuple[int, int | None]
    steps: tuple[int | float, ...]
    predicates: tuple[Callable[[Any], Any], ...]


def constraints_in(metadata: Iterable[Any]) -> Constraints:
    """All that is said."""
    bounds, low, high, steps, predicates = Bounds(), 0, None, list[int | float](), list[Callable[[Any], Any]]()
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


def _facts(metadata: Iterable[Any]) -> Iterator[Any]:
    """The metadata, and what pydantic's has inside."""
    for fact in metadata:
        if not isinstance(fact, type):
            yield fact
            inside = getattr(fact, "metadata", None)
            yield from inside if isinstance(inside, (list, tuple)) else ()


def _bounds_of(predicate: Any) -> Bounds:
    """What is known of a predicate on floats without calling it: those of ``IsFinite`` and ``IsNotNan``."""
    if predicate is math.isfinite:
        return FINITE
    is_not_nan = type(predicate).__name__ == "Not" and getattr(predicate, "func", None) is math.isnan
    return Bounds(ge=-math.inf) if is_not_nan else Bounds()


def multiple(step: int | float, shape: Int | Float) -> Multiple:
    """The multiples of a number among the ints, or the floats, of a shape.

    Raises:
        ValueError: there are none.
    """
    if not (math.isfinite(step) and step > 0) or (isinstance(shape, Int) and step != int(step)):
        raise ValueError(f"no multiples of {step} can be made")
    return Multiple(int(step) if isinstance(shape, Int) else float(step), bounds=shape.bounds)
