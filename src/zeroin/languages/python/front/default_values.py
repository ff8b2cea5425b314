"""Derive the shape of a parameter from its default value."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from ....errors import UnsupportedParameter
from ..values.arrays import Array1D, ArrayND
from ..values.containers import Bytes, Dict, List, Object, Str
from ..values.scalars import DTYPES, FixedTuple
from ..values.shapes import Float, Int, Shape, path_of
from .annotations import LONGEST, SIDES, shape_of


def shape_of_default(value: Any) -> Shape | None:
    """Return the shape that a default value suggests; None if it suggests none, as None does.

    None also for a list, tuple or dict with an item that suggests none, for a list or dict with items of different
    shapes, and for an object that is a mere sentinel.
    """
    kind = type(value)
    if value is None or kind is object:
        return None
    if not isinstance(value, Enum) and kind.__module__ != "numpy":  # an instance of a subclass of str counts as str
        kind = next((plain for plain in (str, float, bool, int) if isinstance(value, plain)), kind)
    if kind is str or kind is bytes:
        return Str(high=max(8, len(value))) if kind is str else Bytes(high=max(8, len(value)))
    if kind is tuple:
        shapes = tuple(shape for item in value if (shape := shape_of_default(item)) is not None)
        return FixedTuple(shapes) if len(shapes) == len(value) else None
    if kind is list and value:
        element = _common(value)
        return element and List(element, high=max(4, len(value)))
    if kind is dict and value:
        key, item = _common(value.keys()), _common(value.values())
        return Dict(key, item, high=max(4, len(value))) if key and item else None
    if path_of(kind) == "numpy:ndarray":
        return _array_like(value) if value.dtype.name in DTYPES else None
    try:
        shape = shape_of(kind, "a default value")
    except UnsupportedParameter:
        return None
    # an object without parameters is a sentinel, which only the default itself can be
    return None if isinstance(shape, Object) and not shape.arity else shape


def _array_like(value: Any) -> Shape | None:
    """Return the shape of arrays with the same number of dimensions, at least as large; None if they are too large."""
    if value.ndim == 1:
        return Array1D(value.dtype.name, high=max(4, value.size))
    if value.ndim not in SIDES or value.size > LONGEST:
        return None
    return ArrayND(value.dtype.name, tuple(max(SIDES[value.ndim], size) for size in value.shape))


def _common(values: Iterable[object]) -> Shape | None:
    """Return the shape that all of the values suggest; None if they differ. Ints and floats together are floats."""
    shapes = {shape_of_default(value) for value in values}
    if shapes == {Float(), Int()}:
        return Float()
    return shapes.pop() if len(shapes) == 1 else None
