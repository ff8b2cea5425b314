"""Calls of functions written in C, in which a value that carries a term would be used without a record.

A float compares itself with an int in C, without a call of the int's methods. So a comparison of a plain float with a
``CarriedInt`` inside ``list.index`` records no condition. The functions here do such work in Python instead.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import (
    BuiltinFunctionType,
    BuiltinMethodType,
    ClassMethodDescriptorType,
    MethodDescriptorType,
    MethodWrapperType,
    WrapperDescriptorType,
)
from typing import TYPE_CHECKING, Any, TypeGuard

from .known_functions import UNKNOWN
from .numbers import CarriedBool, CarriedInt, is_carried, is_number, parts_of, plain
from .operations import COMPARISONS, comparison_of
from .sequences import CarriedList

if TYPE_CHECKING:
    from .calls import Caller

_OF_C = (BuiltinFunctionType, BuiltinMethodType, MethodWrapperType, MethodDescriptorType, WrapperDescriptorType,
         ClassMethodDescriptorType)  # fmt: skip
_TYPES = (int, float, bool, str)
_DEPTH = 4
_Keys = tuple[object, ...]  # the keys and indices that lead to a part of a value
SEARCHED = ("index", "count", "remove", "__contains__")  # methods that compare all items with a value


def is_lazy(value: object) -> TypeGuard[Iterator[object]]:
    """Return whether a value is a built-in iterator, which computes each item when it is taken."""
    return type(value).__module__ in ("builtins", "itertools") and hasattr(value, "__next__")


def takes_functions(function: object) -> bool:
    """Return whether a C function calls functions that are its arguments, as ``map`` does."""
    return function in (map, filter, functools.partial) or getattr(function, "__module__", "") == "itertools"


def recorded(caller: Caller, place: int, function: object) -> object:
    """Return a function that records the calls of a C function. Other values are returned as they are."""
    is_function = isinstance(function, _OF_C) or any(function is known for known in _TYPES)
    return functools.partial(caller.call, place, function) if is_function else function


def bound(function: object, arguments: tuple[object, ...]) -> Callable[..., object] | None:
    """Return the bound method of ``str.strip(text)``, which is ``text.strip``. None if no argument carries a term."""
    if not isinstance(function, MethodDescriptorType) or not arguments:
        return None
    if not isinstance(arguments[0], function.__objclass__) or not is_carried(arguments[0]):
        return None
    return getattr(arguments[0], function.__name__, None)


def may_escape(*values: object) -> bool:
    """Return whether a comparison of the values, item by item, may compare a plain number with one that has a term."""
    return any(kinds >= {True, False} for kinds in _kinds(values).values())


def _kinds(values: tuple[object, ...]) -> dict[_Keys, set[bool]]:
    """Return, for each place in the values, whether numbers there carry a term (True), or do not (False)."""
    found: dict[_Keys, set[bool]] = {}
    waiting: list[tuple[_Keys, object]] = [((), value) for value in values]
    for path, value in waiting:
        if type(value) in (CarriedInt, CarriedBool, float, bool):
            found.setdefault(path, set()).add(is_carried(value))
        elif len(path) < _DEPTH:
            waiting += [((*path, key), part) for key, part in _items(value)]
    return found


def _items(value: object) -> Iterator[tuple[object, object]]:
    if isinstance(value, list):
        yield from enumerate(list.__iter__(value))
    elif isinstance(value, tuple | deque):
        yield from enumerate(value)
    elif isinstance(value, dict):
        yield from value.items()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from vars(value).items() if hasattr(value, "__dict__") else ()


# ---- searches ----


def _equal(caller: Caller, place: int, a: object, b: object) -> bool:
    """Return ``a is b or a == b``. A condition is recorded, but no decision at a site."""
    if a is b:
        return True
    if is_number(a) and is_number(b):
        holds = bool(plain(a) == plain(b))
        caller.recording.choose(comparison_of("==", a, b), holds, "a comparison without a probe", place)
        return holds
    return bool(COMPARISONS["=="](*caller.meeting(a, b)))


def searched(caller: Caller, place: int, own: Any, name: str, arguments: tuple[object, ...]) -> Any:
    """Return the result of a method of :data:`SEARCHED` on a list, a tuple or a deque, and record each comparison."""
    if isinstance(own, CarriedList):
        own.settle()
    value, *ends = arguments
    items = list(own)
    start = caller.key(place, ends[0]) if ends else 0
    stop = caller.key(place, ends[1]) if len(ends) > 1 else len(items)
    same = (n for n in range(*slice(start, stop).indices(len(items))) if _equal(caller, place, items[n], value))
    if name == "count":
        return sum(1 for _ in same)
    at = next(same, None)
    if name == "__contains__":
        return at is not None
    if at is None:
        raise ValueError(f"{value!r} is not in the {type(own).__name__}")
    if name == "index":
        return at
    del own[at]
    return None


def is_searched(own: object, name: str, arguments: tuple[object, ...], named: Mapping[str, object]) -> bool:
    """Return whether a call is a search (:data:`SEARCHED`) in which the value or an item carries a term."""
    return (
        isinstance(own, list | tuple | deque)
        and name in SEARCHED
        and bool(arguments)
        and not named
        and any(True for _ in parts_of([arguments, list(own)]))
    )


def accumulated(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    """Return ``itertools.accumulate(items, function, initial=...)``, or UNKNOWN for other forms of arguments."""
    if len(arguments) not in (1, 2) or named.keys() - {"func", "initial"} or (len(arguments) == 2 and "func" in named):
        return UNKNOWN
    function = named.get("func", arguments[1] if len(arguments) > 1 else None)
    return _accumulating(caller, place, caller.items(place, arguments[0]), function, named.get("initial"))


def _accumulating(
    caller: Caller, place: int, items: Iterable[object], function: object, start: object
) -> Iterator[object]:
    """Yield the first item, then the function's result for the last result and the next item. None: it is ``+``."""
    total: object = None
    for number, item in enumerate(itertools.chain([start] if start is not None else [], items)):
        if not number:
            total = item
        else:
            total = caller.binary(place, "+", total, item) if function is None else \
                caller.call(place, function, total, item)  # fmt: skip
        yield total
