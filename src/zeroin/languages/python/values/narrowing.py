"""Shapes restricted to fewer values: by bounds, by lengths, or to finite floats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ....subject.bounds import Bounds
from .arrays import Array1D, ArrayND
from .constrained import Checked, Multiple
from .containers import Homogeneous, Object, Record, Repeated, Union, union_of
from .scalars import DTYPES, DecimalShape, FixedTuple, NumPyScalar
from .shapes import Bool, Float, Int, Ordered, Shape

_LONGEST, _MOST = 32, 1000  # items of a sequence with a bound on its length: usual and absolute limit
FINITE = Bounds(gt=float("-inf"), lt=float("inf"))
_NUMBERS = (Float, Int, Bool, Multiple, NumPyScalar, DecimalShape)


def within(shape: Any, bounds: Bounds) -> Any:
    """Return the shape of a number, or of an array of numbers, with further bounds.

    Raises:
        ValueError: no value is within the bounds. For an array, the error comes only when ``unit`` is used.
    """
    return replace(shape, bounds=shape.bounds.within(bounds))


def named(shape: Shape, name: str) -> dict[str, Shape]:
    """Return the numbers and lengths inside a value, by the names that preconditions use (``p.x``, ``len(p)``).

    The items of a list share the name of the list. If several parts have one name, the result has the shape of one of
    them. An array stands for its elements. A shape without numbers, such as None, gives an empty dict.
    """
    found: dict[str, Shape] = {}
    for part, inner in _inside(shape, name):
        found.update(named(inner, part))
    if isinstance(shape, Repeated):
        found[f"len({name})"] = shape
    if isinstance(shape, (*_NUMBERS, Array1D, ArrayND)):
        found[name] = shape
    return found


def steps(shape: Shape) -> list[tuple[str, Shape]]:
    """Return the parts of an object, record or tuple: (suffix of the name, shape), such as ``.x`` or ``[0]``.

    They are in the order of their words. For other shapes, the list is empty.
    """
    if isinstance(shape, Object):
        return [(f".{name}", part) for name, part in zip(shape.names, shape.arguments, strict=True)]
    if isinstance(shape, Record):
        return [(f"[{key!r}]", part) for key, part in zip(shape.keys, shape.values, strict=True)]
    return [(f"[{n}]", part) for n, part in enumerate(shape.elements)] if isinstance(shape, FixedTuple) else []


def _inside(shape: Shape, name: str) -> list[tuple[str, Shape]]:
    """Return the parts of a value, each with the name that preconditions use for it; empty if it has none."""
    if isinstance(shape, Union):
        return [(name, one) for one in shape.alternatives]
    if isinstance(shape, Homogeneous | Checked):
        return [(name, shape.element if isinstance(shape, Homogeneous) else shape.shape)]
    return [(name + step, part) for step, part in steps(shape)]


def bounded(shape: Shape, name: str, wanted: str, bounds: Bounds) -> Shape:
    """Return the shape with bounds on one number or length inside.

    Alternatives that have no value within the bounds are left out. If nothing inside has the name, an equal shape is
    returned.

    Args:
        shape: the shape to restrict.
        name: the name of the shape's value in preconditions.
        wanted: the name of the number or length to bound; see :func:`named`.
        bounds: the bounds.

    Raises:
        ValueError: no value is within the bounds.
    """
    if wanted == f"len({name})" and isinstance(shape, Repeated):
        return _of_length(shape, bounds)
    if wanted == name and isinstance(shape, (*_NUMBERS, Array1D, ArrayND)):
        made: Shape = within(shape, bounds)
        getattr(made, "unit", made).ranges()  # raises ValueError if no element is within the bounds
        return made
    if isinstance(shape, Union):
        return _one_of(shape, name, wanted, bounds)
    parts = tuple(bounded(part, called, wanted, bounds) for called, part in _inside(shape, name))
    if isinstance(shape, Object):
        return replace(shape, arguments=parts)
    if isinstance(shape, Record):
        return replace(shape, values=parts)
    if isinstance(shape, FixedTuple):
        return replace(shape, elements=parts)
    if isinstance(shape, Checked):
        return replace(shape, shape=parts[0])
    return replace(shape, element=parts[0]) if isinstance(shape, Homogeneous) else shape


def _one_of(shape: Union, name: str, wanted: str, bounds: Bounds) -> Shape:
    """Return the alternatives that have a value within the bounds, or do not contain the number at all.

    Raises:
        ValueError: no alternative that contains the number has a value within the bounds.
    """
    left, wrong, about = list[Shape](), list[ValueError](), 0
    for one in shape.alternatives:
        about += wanted in named(one, name)
        try:
            left.append(bounded(one, name, wanted, bounds))
        except ValueError as error:
            wrong.append(error)
    if wrong and len(wrong) == about:
        raise wrong[0]
    return union_of(left)


def _of_length(shape: Any, bounds: Bounds) -> Shape:
    """Return a sequence shape with bounds on its length; short where the bounds leave a choice."""
    most = _MOST if shape.free else shape.high
    low, high = bounds.span(shape.low, most, int)
    few = max(shape.high, min(low + shape.high, _LONGEST), low)
    if shape.free:
        high = few if high == most else min(high, max(few, _LONGEST))
    made: Shape = replace(shape, low=low, high=high, free=shape.free and high == few)
    return made


def finite(shape: Shape) -> Shape:
    """Return the shape without NaN and infinities in any float.

    Raises:
        ValueError: no finite value is within the bounds.
    """
    made: Shape = _changed(shape, _finite)
    return made


def _finite(shape: Shape) -> Shape:
    """Return the shape of a number or an array without NaN and infinities; the shape itself if it has no floats."""
    kind = getattr(shape, "kind", None) if isinstance(shape, Ordered) else DTYPES.get(getattr(shape, "dtype", ""))
    is_float = kind is not None and kind.is_float
    made: Shape = within(shape, FINITE) if is_float else shape
    return made


def _changed(shape: Any, change: Callable[[Shape], Shape]) -> Any:
    """Return the shape with ``change`` applied to each number and array inside."""
    if isinstance(shape, Ordered | Array1D | ArrayND):
        return change(shape)
    changes: dict[str, object] = {}
    for field in fields(shape):
        value = getattr(shape, field.name)
        if isinstance(value, Shape):
            changes[field.name] = _changed(value, change)
        elif isinstance(value, tuple) and any(isinstance(part, Shape) for part in value):
            changes[field.name] = tuple(_changed(part, change) if isinstance(part, Shape) else part for part in value)
    return replace(shape, **changes) if changes else shape
