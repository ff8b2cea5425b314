"""The parts that rebuild objects of the standard library and of NumPy."""

from __future__ import annotations

import datetime
import decimal
import fractions
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .object_uses import Step


class Parts(NamedTuple):
    """The parts of an object: a snapshot (``snapshots.py``) whose ``items`` are still objects or ``Parts``.

    The fields have the meanings of those of :class:`zeroin.languages.python.values.snapshots.Snapshot`.
    """

    form: str
    data: object = None
    items: Sequence[object] = ()
    names: tuple[str, ...] = ()
    identity: bool = False


def numpy_parts(obj: Any, left: int) -> Parts | None:
    """Return the parts of a NumPy scalar or array.

    Args:
        obj: the scalar or array.
        left: the largest number of elements.

    Returns:
        The parts; None for subclasses of ndarray, too many elements, and dtypes that are not portable numbers.

    Raises:
        AttributeError: the object has no dtype.
    """
    dtype, numpy = obj.dtype, sys.modules["numpy"]
    if dtype.kind not in "biufc" or dtype.char in "gG" or not dtype.isnative or obj.size > left:
        return None  # not numbers, a width that depends on the platform, or a foreign byte order
    if isinstance(obj, numpy.generic):
        return Parts("scalar", dtype.name, [obj.item()])
    if type(obj) is not numpy.ndarray:
        return None
    if obj.ndim == 0:
        return Parts("object", "numpy:array", [obj.item(), dtype.name], ("dtype",))
    if obj.size == 0 and obj.ndim > 1:
        return Parts("object", "numpy:empty", [obj.shape, dtype.name], ("dtype",))
    return Parts("array", dtype.name, obj.tolist())


_SPANS = ("days", "seconds", "microseconds")


def _zoned(name: str, items: list[object], zone: datetime.tzinfo | None) -> Parts:
    """Return the parts of a datetime or time; ``zone`` is None if it has no time zone."""
    more = () if zone is None else ("tzinfo",)
    return Parts("object", f"datetime:{name}", [*items, *(zone for _ in more)], more)


def _zone(zone: datetime.timezone) -> Parts | None:
    """Return the parts of a time zone with a fixed offset, with its name if that is not the usual one."""
    if zone is datetime.UTC:
        return Parts("enum", "datetime:timezone.utc")
    offset = zone.utcoffset(None)
    minutes, rest = divmod(offset, datetime.timedelta(minutes=1))
    shown = offset if rest else Parts("object", "datetime:timedelta", [minutes], ("minutes",))
    named = zone.tzname(None) != datetime.timezone(offset).tzname(None)
    return Parts("object", "datetime:timezone", [shown, *([zone.tzname(None)] * named)])


STANDARD: dict[type, Callable[[Any], Parts | None]] = {
    fractions.Fraction: lambda x: Parts("object", "fractions:Fraction", [x.numerator, x.denominator]),
    decimal.Decimal: lambda x: Parts("object", "decimal:Decimal", [str(x)]),
    datetime.date: lambda x: Parts("object", "datetime:date", [x.year, x.month, x.day]),
    datetime.datetime: lambda x: _zoned("datetime", [*x.timetuple()[:6], x.microsecond], x.tzinfo),
    datetime.time: lambda x: _zoned("time", [x.hour, x.minute, x.second, x.microsecond], x.tzinfo),
    datetime.timezone: lambda x: _zone(x),
    datetime.timedelta: lambda x: Parts("object", "datetime:timedelta", [x.days, x.seconds, x.microseconds], _SPANS),
    Step: lambda x: Parts("use", x.use, x.items, x.names),
}
