"""From a default value to the shape of its values."""

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
    """The shape that a default value suggests; None when it suggests nothing, as None does."""
    kind = type(value)
    if value is None or kind is object:
        return None
    if not isinstance(value, Enum) and kind.__module__ != "numpy":  # a text of a class of its own is a text
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
    # an object with nothing to vary is a sentinel: another one would not do
    return None if isinstance(shape, Object) and not shape.arity else shape


def _array_like(value: Any) -> Shape | None:
    """The shape of arrays with as many dimensions, and at least as large."""
    if value.ndim == 1:
        return Array1D(value.dtype.name, high=max(4, value.size))
    if value.ndim not in SIDES or value.size > LONGEST:
        return None
    return ArrayND(value.dtype.name, tuple(max(SIDES[value.ndim], size) for size in value.shape))


def _common(values: Iterable[Any]) -> Shape | None:
    """The shape that all of the values suggest, if there is one."""
    shapes = {shape_of_default(value) for value in values}
    if shapes == {Float(), Int()}:
        return Float()
    return shapes.pop() if len(shapes) == 1 else None
