"""Represent the operands of any Python condition by two numbers, from which a branch distance is computed.

Most functions return operands ``(x, y)``, both int64 or both float64, for which ``x op y`` is as true as the condition
was. The distance of ``x`` and ``y`` says how far the condition is from its other branch. Methods that a user's class
defines in Python are not called: they may do anything, and the condition has called them already.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import islice
from types import FunctionType
from typing import Any

from .....distance import EQ, GT, LE, LT, NE, UNORDERED
from .....words import Kind, encode

Operands = tuple[float, float] | tuple[int, int]

_LOW, _HIGH = -(1 << 63), (1 << 63) - 1
_MISSING = 256.0  # the distance for a missing character
_OTHER_TYPE = 2.0**40  # the distance for a value of another type, or a missing element
_MOST = 1000  # elements of a container that are examined
_CONTAINERS: tuple[type, ...] = (
    list,
    tuple,
    set,
    frozenset,
    dict,
    str,
    bytes,
    range,
    type({}.keys()),
    type({}.values()),
)


_METHODS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__len__", "__iter__", "__getitem__",
            "__float__", "__int__", "__abs__", "__bool__", "__sub__", "__rsub__", "__and__", "__xor__",
            "__getattribute__")  # fmt: skip
_native: dict[type, bool] = {Fraction: True}


def is_native(type_: type) -> bool:
    """Whether a type defines none of the relevant special methods in Python. The answer is kept for the process."""
    if type_ not in _native:
        _native[type_] = not any(isinstance(getattr(type_, name, None), FunctionType) for name in _METHODS)
    return _native[type_]


def _known(*values: object, depth: int = 4) -> bool:
    """Whether neither the values nor the items in them have types that define such methods.

    Of each container, the first 1000 items count. False if containers nest more than ``depth`` times.
    """
    for value in values:
        if not is_native(type(value)):
            return False
        if isinstance(value, _CONTAINERS) and not isinstance(value, str | bytes | range):
            parts: Any = value.values() if isinstance(value, dict) else value
            if not depth or not all(_known(part, depth=depth - 1) for part in islice(parts, _MOST)):
                return False
    return True


def relation(x: float, y: float) -> int:
    """Return the relation that holds between two numbers: LT, GT, EQ or UNORDERED."""
    return LT if x < y else GT if x > y else EQ if x == y else UNORDERED


def compared(op: int, a: object, b: object, truth: bool) -> Operands:
    """Return operands for the comparison ``a op b``, whose result was ``truth``.

    If the values can not be represented, they are those of :func:`plain`.
    """
    try:
        found = _numbers(op, a, b) if _known(a, b) else None
    except Exception:  # methods of the values may raise anything
        found = None
    if found is None or bool(relation(*found) & op) != truth:
        return plain(op, truth)
    return found


def beside(a: object, b: object, whole: bool) -> tuple[int, ...]:
    """Return how far two numbers are from each boundary of their comparison (:data:`zeroin.subject.base.STEPS`).

    Args:
        a, b: the operands.
        whole: whether a step from a float leads to the next int, as the other operand is an int.

    Returns:
        One difference for each boundary, 0 on the boundary, limited to 64 bits; empty if an operand is no number.
    """
    a, b = _number(a), _number(b)
    if a is None or b is None:
        return ()
    if isinstance(a, int) and isinstance(b, int):
        left, places = a, [b, b + 1, b - 1]
    elif a != a or b != b:
        left, places = 0, [_HIGH, _HIGH, _HIGH]
    elif isinstance(a, float) and isinstance(b, float):
        left, places = _place(a), [_place(b), _place(b) + 1, _place(b) - 1]
    else:
        left, places = _mixed_beside(a, b, whole)
    return tuple(max(_LOW, min(_HIGH, left - place)) for place in places)


def _mixed_beside(a: float, b: float, whole: bool) -> tuple[int, list[int]]:
    """Return a number, and the numbers that it equals on each boundary, for an int and a float in either order."""
    n, x, sign = (a, b, 1) if isinstance(a, int) else (b, a, -1)
    if not whole:
        place, other = _place(_float(n)), _place(x)
        places = [other, other + sign, other - sign]
        return place, places if _float(n) == n else [there + (there == place) for there in places]
    if math.isinf(x):
        return 0, [_HIGH, _HIGH, _HIGH]
    low = math.floor(x)
    nearest = {1: low + 1, -1: low - (low == x)}
    return int(n), [low if low == x else int(n) + 1, nearest[sign], nearest[-sign]]


def _number(value: Any) -> int | float | None:
    """Return the plain int or float of a value; None if it is no number, or its class defines methods in Python."""
    if isinstance(value, int | float):
        if not is_native(type(value)):
            return None
        return int.__add__(value, 0) if isinstance(value, int) else float.__add__(value, 0.0)
    is_scalar = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return int(value) if is_scalar and value.dtype.kind in "iu" and type(value).__name__ != "ndarray" else None


def _place(x: float) -> int:
    """Return the signed rank of a float among all floats, in ULP from 0. Both zeros have the same rank."""
    bits: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits if bits >= 0 else -(bits & _HIGH)


def plain(op: int, truth: bool) -> Operands:
    """Return operands, small numbers, for a comparison of which only the truth is known."""
    pairs: list[Operands] = [(0, 0), (1, 0), (0, 1), (0.0, 0.0), (math.nan, math.nan)]
    return next(pair for pair in pairs if bool(relation(*pair) & op) == truth)


def _numbers(op: int, a: Any, b: Any) -> Operands | None:
    """Return operands for two values; None if there are none. Their relation may differ from that of the values."""
    if isinstance(a, int) and isinstance(b, int):
        if _LOW <= a <= _HIGH and _LOW <= b <= _HIGH:
            return int(a), int(b)
        words = encode(Kind.INT, int(a)), encode(Kind.INT, int(b))
        return words if relation(*words) == relation(a, b) else (encode(Kind.INT, int(a) - int(b)), 0)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return _mixed(a, b)
    if _texts(a, b):
        return _signed(text_distance(a, b), a < b)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return _sequences(op, a, b)
    if isinstance(a, set | frozenset) and isinstance(b, set | frozenset):
        return (len(a ^ b), 0) if op in (EQ, NE) else (len(a - b), 0) if op in (LT, LE) else (0, len(b - a))
    if isinstance(a, date) and isinstance(b, date):
        return (a.timestamp(), b.timestamp()) if isinstance(a, datetime) and isinstance(b, datetime) else _days(a, b)
    if isinstance(a, timedelta) and isinstance(b, timedelta):
        return a.total_seconds(), b.total_seconds()
    if a is None or b is None or isinstance(a, str | bytes) or isinstance(b, str | bytes):
        return None
    return _mixed_objects(a, b)


def _texts(a: object, b: object) -> bool:
    return (isinstance(a, str) and isinstance(b, str)) or (isinstance(a, bytes) and isinstance(b, bytes))


def _mixed(a: float, b: float) -> tuple[float, float]:
    """Return two doubles in the same relation as an int and a float.

    Python compares these exactly, but the double nearest to the int may be on the other side of the float.
    """
    x, y = _float(a), _float(b)
    exact = relation(a, b)
    if relation(x, y) == exact:
        return x, y
    if exact == EQ:
        return y, y
    beside = math.nextafter(y, -math.inf if exact == LT else math.inf)
    return (
        (beside, y) if relation(beside, y) == exact else (y, math.nextafter(y, math.inf if exact == LT else -math.inf))
    )


def _float(value: Any) -> float:
    """Return the nearest double; infinity for an int that is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _mixed_objects(a: Any, b: object) -> tuple[float, float] | None:
    """Return operands for objects that convert to float: fractions, decimals, numbers of NumPy.

    None if they are equal or unordered, but the doubles are not. Other objects raise TypeError.
    """
    x, y = _float(a), _float(b)
    exact = LT if a < b else GT if a > b else EQ if a == b else UNORDERED
    if relation(x, y) == exact:
        return x, y
    if exact in (LT, GT):  # they differ by less than the precision of doubles
        return math.nextafter(y, -math.inf if exact == LT else math.inf), y
    return None


def _days(a: date, b: date) -> tuple[int, int]:
    return a.toordinal(), b.toordinal()


def _signed(distance: float, less: bool) -> tuple[float, float]:
    """Return the operands of two values at a distance: the distance, negative if the first is less, and 0."""
    return (-distance if less else distance), 0.0


def _sequences(op: int, a: Sequence[object], b: Sequence[object]) -> Operands | None:
    """Return operands for two lists or tuples, by their distance or by their first unequal items."""
    if op in (EQ, NE):
        return distance(a, b), 0.0
    for x, y in zip(a, b, strict=False):
        if x != y:
            return _numbers(op, x, y)
    return len(a), len(b)


def text_distance(a: str | bytes, b: str | bytes) -> float:
    """Return the distance of two texts: the differences of their characters in place, and a cost per missing one."""
    if a == b:
        return 0.0
    return _MISSING * abs(len(a) - len(b)) + sum(map(_step, _codes(a), _codes(b)))


def _codes(text: str | bytes) -> Iterable[int]:
    return text if isinstance(text, bytes) else map(ord, text)


def _step(a: int, b: int) -> float:
    """Return the distance of two characters, given by their codes; at most 228."""
    apart = abs(a - b)
    return float(apart) if apart < 128 else 128.0 + min(apart / 8192.0, 100.0)


def distance(a: Any, b: Any) -> float:
    """Return how far two values are from being equal; 0 exactly if they are equal.

    Unequal values are at least 1 apart. The distance is 2**40 for values of different types, and if a method raises.
    """
    try:
        if a == b:
            return 0.0
        if isinstance(a, float) or isinstance(b, float):
            x, y = _float(a), _float(b)
            return max(1.0, float(abs(_word(x) - _word(y))))
        if isinstance(a, int) and isinstance(b, int):
            return abs(_float(a - b))
        if _texts(a, b):
            return max(1.0, text_distance(a, b))
        if isinstance(a, list | tuple) and isinstance(b, list | tuple):
            parts = sum(map(distance, a, b))
            return max(1.0, parts + _OTHER_TYPE * abs(len(a) - len(b)))
    except Exception:  # methods of the values may raise anything
        return _OTHER_TYPE
    return _OTHER_TYPE


def _word(value: float) -> int:
    """Return the ordered word of a float."""
    bits = struct.unpack("<q", struct.pack("<d", value))[0]
    return int(bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFF))


def truth(value: object, holds: bool) -> Operands:
    """Return the operands of ``value != 0`` for the condition ``bool(value)``; a container counts by its length.

    If the value is neither a number nor a container, if it is NaN, or if its number does not agree with ``holds``, it
    counts as 1 or 0.
    """
    try:
        known = _known(value, depth=0) or isinstance(value, _CONTAINERS)
        size = len(value) if known and hasattr(value, "__len__") else _float(value) if known else int(holds)
    except Exception:  # it is neither a container nor a number, or it is too large for a float
        size = int(holds)
    return (size, type(size)(0)) if bool(size) == holds and size == size else (int(holds), 0)


def empty(iterable: object) -> Operands:
    """Return the operands of ``x > y``, which is false, for an iterable without elements.

    For a range they are its ends; (0, 0) for another iterable.
    """
    if isinstance(iterable, range) and iterable.start != iterable.stop:
        start, stop = (iterable.start, iterable.stop) if iterable.step > 0 else (iterable.stop, iterable.start)
        return (int(stop), int(start)) if stop >= _LOW and start <= _HIGH else (0, 1)
    return 0, 0


def member(value: object, container: object, holds: bool) -> Operands:
    """Return the operands of ``value == nearest element`` for the condition ``value in container``.

    If the condition holds, or the values are not of known types, they are those of :func:`plain`.
    """
    known: Any = container
    if holds or not isinstance(container, _CONTAINERS) or not _known(value, container):
        return plain(EQ, holds)
    if isinstance(container, str | bytes):
        return (_window(value, container), 0.0) if isinstance(value, type(container)) else plain(EQ, holds)
    if isinstance(container, range) and isinstance(value, int) and len(container):
        nearest = min(max(value, min(container[0], container[-1])), max(container[0], container[-1]))
        near = [container[0], container[-1], nearest - (nearest - container.start) % abs(container.step), nearest]
        return _float(max(1, min(abs(value - n) for n in near if n in container))), 0.0
    found = min((distance(value, element) for element in islice(known, _MOST)), default=_OTHER_TYPE)
    return max(found, 1.0), 0.0


def mismatch(subject: object, literals: tuple[object, ...]) -> Operands:
    """Return the operands of ``subject == nearest literal`` for a pattern that did not match; at least one literal."""
    if not _known(subject, *literals):
        return plain(EQ, False)
    nearest = min(literals, key=lambda literal: distance(subject, literal))
    return compared(EQ, subject, nearest, False)


def _window(part: str | bytes, whole: str | bytes) -> float:
    """Return the distance of a text from the nearest part, of the same length, of another text; at least 1."""
    size = len(part)
    starts = range(max(1, len(whole) - size + 1))
    return max(1.0, min(text_distance(part, whole[at : at + size]) for at in islice(starts, _MOST)))


# ---- calls of predicates, such as ``isnan`` ----


def answered(name: str, on: object, arguments: tuple[object, ...], holds: bool) -> tuple[int, Operands]:
    """Return a comparison that is equivalent to the call of a predicate, and its operands.

    For an unknown predicate, or arguments that it does not take, it is NE with the operands of :func:`plain`.

    Args:
        name: the name of the predicate, such as ``startswith``.
        on: the object that the method belongs to, or the module of the function.
        arguments: the arguments of the call.
        holds: the result of the call.
    """
    try:
        question = _QUESTIONS.get(name)
        if question is not None and _known(on, *arguments):
            values = (on, *arguments) if isinstance(on, str | bytes | float | int) else arguments
            op, x, y = question(*values)
            return op, compared(op, x, y, holds)
    except Exception:  # another function of the same name, with other arguments
        return NE, plain(NE, holds)
    return NE, plain(NE, holds)


def _close(a: float, b: float, *rest: float) -> tuple[int, float, float]:
    """Return the comparison that ``isclose`` makes without further arguments."""
    return LE, abs(a - b), 1e-9 * max(abs(a), abs(b))


def _starts(text: str | bytes, prefix: object, *rest: object) -> tuple[int, float, float]:
    """Return the comparison for ``startswith``: how far the nearest prefix is, and 0."""
    choices = prefix if isinstance(prefix, tuple) else (prefix,)
    return EQ, min(text_distance(text[: len(p)], p) for p in choices), 0.0


def _ends(text: str | bytes, suffix: object, *rest: object) -> tuple[int, float, float]:
    """Return the comparison for ``endswith``: how far the nearest suffix is, and 0."""
    choices = suffix if isinstance(suffix, tuple) else (suffix,)
    return EQ, min(text_distance(text[max(0, len(text) - len(p)) :], p) for p in choices), 0.0


def _all_between(*ranges: str) -> Callable[[str], tuple[int, float, float]]:
    """Return a function that describes, as a comparison, whether all characters of a text are in one of the ranges.

    Args:
        ranges: each range as its first and last character: ``az``.

    Returns:
        A function of the text. It returns the comparison EQ, how far the text is from the ranges, and 0. For an empty
        text, the comparison is false.
    """

    def question(text: str) -> tuple[int, float, float]:
        if not text:
            return EQ, _MISSING, 0.0
        costs = (min(max(ord(r[0]) - ord(c), ord(c) - ord(r[1]), 0) for r in ranges) for c in text)
        return EQ, float(sum(_step(cost, 0) for cost in costs)), 0.0

    return question


_QUESTIONS: dict[str, Callable[..., tuple[int, object, object]]] = {
    "isnan": lambda x: (UNORDERED, x, x),
    "isinf": lambda x: (EQ, abs(x), math.inf),
    "isfinite": lambda x: (LT, abs(x), math.inf),
    "isclose": _close,
    "is_integer": lambda x: (EQ, x, float(round(x))),
    "startswith": _starts,
    "endswith": _ends,
    "isdigit": _all_between("09"),
    "isdecimal": _all_between("09"),
    "isnumeric": _all_between("09"),
    "isalpha": _all_between("az", "AZ"),
    "isalnum": _all_between("09", "az", "AZ"),
    "isspace": _all_between("  ", "\t\r"),
    "isupper": _all_between("AZ"),
    "islower": _all_between("az"),
}
