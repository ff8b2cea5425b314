"""The classes of values in proofs, and whether operations on these values run code of the user."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from enum import Enum, EnumType
from functools import cache
from typing import ClassVar

from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Choice, Typed
from .values import (
    UNKNOWN,
    BlockValue,
    Bound,
    Caught,
    Closure,
    Data,
    Instance,
    Items,
    Listed,
    Mapped,
    Method,
    Range,
    Static,
    Suspended,
)

IMMUTABLE = (str, bytes, tuple, frozenset)
OF_TYPED: dict[object, type] = {DOUBLE: float, WHOLE: int, TRUTH: bool}
_LONGEST_ROW = 8
MAYBE = Static(type("_Maybe", (), {})())  # a variable that may have no value


class NEVER:
    """The class of the items of a container without items."""


_OF_TEXTS: dict[type, type] = {str: str, bytes: int}
_PLAIN = {int, float, bool, str, bytes, type(None), NEVER}  # whose operations run no code of the user


class Row(tuple[type | None, ...]):
    """The class of tuples of a length, with the classes of their items; no value is of it."""

    __slots__ = ()
    kinds: ClassVar[tuple[type | None, ...]]


@cache
def row(*kinds: type | None) -> type[Row]:
    """The same class for the same classes of items."""
    return type("Row", (Row,), {"__slots__": (), "kinds": kinds})


def is_plain_kind(kind: type | None) -> bool:
    """Whether operations on all values of a class run no code of the user."""
    if kind is not None and issubclass(kind, Row):
        return all(map(is_plain_kind, kind.kinds))
    return kind in _PLAIN


def kind_of(value: BlockValue) -> type | None:
    """The class of a value, exactly; None if nobody knows."""
    match value:
        case Typed():
            return OF_TYPED[value.type]
        case Data(turns=False):
            return value.kind
        case Items(passed=-1):
            return tuple
        case Listed(passed=-1):
            return list
        case Mapped():
            return value.kind
        case Static() if value is not UNKNOWN and value is not MAYBE:
            return type(value.value)
        case Instance():
            return value.cls
    return None


def joined(one: type | None, other: type | None) -> type | None:
    """The class of items that are of one class or of another; None if nobody knows."""
    if one is NEVER or other is NEVER:
        return other if one is NEVER else one
    return one if one is other else None


def row_or_kind(value: BlockValue) -> type | None:
    """As :func:`kind_of`, with what is known of the items of a tuple."""
    if isinstance(value, Items) and value.passed < 0 and len(value.items) <= _LONGEST_ROW:
        return row(*map(kind_of, value.items))
    return kind_of(value)


def common_kind(values: Iterable[BlockValue]) -> type | None:
    """The class of all values; None if there is none, or nobody knows."""
    return common(map(row_or_kind, values))


def common(kinds: Iterable[type | None]) -> type | None:
    """The class that some classes are; None if they differ, or one is unknown."""
    found: type | None = NEVER
    for kind in kinds:
        found = joined(found, kind)
    return found


def item_kind(value: BlockValue) -> type | None:
    """The class of what a loop over a value gives; None if nobody knows."""
    match value:
        case Items(passed=-1) | Listed(passed=-1):
            return common_kind(value.items)
        case Mapped():
            return common_kind(value.keys)
        case Data():
            return _OF_TEXTS.get(value.kind) or (value.of[0] if value.of else None)
        case Range():
            return int
        case Static(value=str()):
            return str
        case Static(value=bytes()):
            return int
    return None


def chosen_kind(arguments: Sequence[BlockValue]) -> type | None:
    """The class of what a function returns that takes one container, or several values, and chooses from these."""
    return item_kind(arguments[0]) if len(arguments) == 1 else common_kind(arguments)


def is_strange(value: BlockValue) -> bool:
    """Whether operators do not know what to do with a value."""
    if isinstance(value, Items):
        return any(map(is_strange, value.items))
    others = Data | Listed | Mapped | Caught | Instance | Bound | Closure
    return value is UNKNOWN or value is MAYBE or isinstance(value, others) or (
        isinstance(value, Method) and (isinstance(value.of, Data) or value.of.type != DOUBLE))  # fmt: skip


def is_plain(value: BlockValue) -> bool:
    """Whether operations on a value run no code of the user."""
    match value:
        case Typed() | Choice() | Range() | Mapped():
            return True
        case Data():
            return bool(value.of) and all(map(is_plain_kind, value.of))
        case Items() | Listed():
            return all(map(is_plain, value.items))
        case Static():
            return type(value.value) in (str, bytes, type(None), type(Ellipsis))
    return False


def is_calm(value: BlockValue) -> bool:
    """Whether no code of the user runs when a value is compared for equality, or looked through."""
    if isinstance(value, Items | Listed):
        return all(map(is_calm, value.items))
    return is_plain(value) or (
        isinstance(value, Static) and (isinstance(value.value, Enum) or type(value.value) is EnumType)
    )


def is_hashable(value: BlockValue) -> bool:
    """Whether a calm value has a hash."""
    if isinstance(value, Items):
        return all(map(is_hashable, value.items))
    return not isinstance(value, Data | Listed) or (
        isinstance(value, Data) and (value.turns or value.kind in IMMUTABLE)
    )


def has_view(value: BlockValue) -> bool:
    """Whether a value is a view of a dict, or contains one."""
    if isinstance(value, Items):
        return any(map(has_view, value.items))
    return isinstance(value, Data) and value.turns and value.kind is dict


def are_classes(value: BlockValue) -> bool:
    """Whether it is a class, or a tuple of these, that ``isinstance`` asks nothing."""
    parts = value.items if isinstance(value, Items) else (value,)
    return all(isinstance(one, Static) and isinstance(one.value, type)
               and type(one.value).__instancecheck__ is type.__instancecheck__ for one in parts)  # fmt: skip


def leads_to(value: BlockValue, stack: tuple[int, ...]) -> bool:
    """Whether a value is a function that was defined in a call, or contains one."""
    if isinstance(value, Items | Listed):
        return any(leads_to(item, stack) for item in value.items)
    if isinstance(value, Suspended):
        return any(leads_to(one, stack) for one in value.held)
    return isinstance(value, Closure) and (value.outer == stack or any(leads_to(one, stack) for one in value.defaults))


def holds_code(value: BlockValue) -> bool:
    """Whether a value is a function that is defined inside of another one, or contains one."""
    if isinstance(value, Items | Listed):
        return any(map(holds_code, value.items))
    return isinstance(value, Closure | Suspended)


def is_defined_in(value: BlockValue, calls: Collection[tuple[int, ...]]) -> bool:
    """Whether all functions that a value leads to were defined in calls that are under way."""
    if isinstance(value, Items | Listed):
        return all(is_defined_in(item, calls) for item in value.items)
    if isinstance(value, Suspended):
        return all(is_defined_in(one, calls) for one in value.held)
    return not isinstance(value, Closure) or (
        value.outer in calls and all(is_defined_in(one, calls) for one in value.defaults)
    )


def is_constant(value: BlockValue) -> bool:
    """Whether no input changes a value, and :func:`shown` tells it from all others."""
    if isinstance(value, Items):
        return all(map(is_constant, value.items))
    return (isinstance(value, Typed) and value.term.is_constant) or (isinstance(value, Static) and is_plain(value))


def shown(value: BlockValue) -> str:
    """A value in the names of variables; ``?`` where it has none."""
    if isinstance(value, Items):
        return f"({', '.join(map(shown, value.items))})"
    if isinstance(value, Typed):
        return f"{value.term.data!r} {OF_TYPED[value.type].__name__}" if value.term.is_constant else "?"
    return value.origin if isinstance(value, Data) else repr(value.value) if isinstance(value, Static) else "?"


def changed(value: BlockValue, kind: type | None, added: Sequence[type | None]) -> BlockValue:
    """A value after some container was changed, which may be it, or in it.

    Args:
        kind: the class of the container; None if nobody knows.
        added: the classes of the items that it got, or of the key and the value; empty if it got none. Without a
            ``kind``, nobody knows.
    """

    def each(values: tuple[BlockValue, ...]) -> tuple[BlockValue, ...]:
        return tuple(changed(one, kind, added) for one in values)

    match value:
        case Items():
            return replace(value, items=each(value.items))
        case Listed() if kind in (None, list):
            return _changed_data(as_data(value), kind, added)
        case Listed():
            return replace(value, items=each(value.items))
        case Closure():
            return replace(value, defaults=each(value.defaults))
        case Suspended():
            return replace(value, held=each(value.held))
        case Method(of=Data() as data):
            return replace(value, of=_changed_data(data, kind, added))
        case Data():
            return _changed_data(value, kind, added)
    return value


def as_data(value: Listed) -> Data:
    """A list as one of which only the class of the items is known."""
    return Data(list, (common_kind(value.items),), "", value.passed >= 0)


def forgotten(value: BlockValue) -> BlockValue:
    """A value without what is known of the items of lists."""
    if isinstance(value, Items):
        return replace(value, items=tuple(map(forgotten, value.items)))
    if isinstance(value, Mapped):
        of = (common_kind(value.keys), *([common_kind(value.values)] if value.kind is dict else []))
        return Data(value.kind, of)
    return as_data(value) if isinstance(value, Listed) else value


def _changed_data(value: Data, kind: type | None, added: Sequence[type | None]) -> Data:
    if value.kind in IMMUTABLE or kind not in (None, value.kind):
        return value
    gives_rows = value.turns and any(one is not None and issubclass(one, Row) for one in value.of)
    if kind is None or (added and (gives_rows or len(added) != len(value.of))):
        return replace(value, origin="", of=(None,) * len(value.of))
    return replace(value, origin="", of=tuple(map(joined, value.of, added)) if added else value.of)


def of_arithmetic(sign: str, operands: Sequence[BlockValue]) -> tuple[type, ...] | None:
    """The classes of the exceptions that an operator may raise for two numbers; None if nobody knows."""
    if not all(isinstance(one, Typed) for one in operands):
        return None
    floats = [isinstance(one, Typed) and one.type == DOUBLE for one in operands]
    if sign in ("//", "%", "/") and (all(floats) or (sign != "/" and not any(floats))):
        return (ZeroDivisionError,)
    return (ZeroDivisionError, OverflowError, ValueError)


SURE: tuple[Callable[..., object], ...] = (int, float, bool, list, tuple, set, dict, frozenset)  # make their own
