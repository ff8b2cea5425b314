"""What C code does with values so that they do not hear of it: a plain float or truth value asks nobody when it meets
an int or a truth value on its right, and what is in an iterator can not be seen before it comes."""

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
SEARCHED = ("index", "count", "remove", "__contains__")


def is_lazy(value: object) -> TypeGuard[Iterator[object]]:
    """Whether it is an iterator of Python's own that makes its items when they are asked for."""
    return type(value).__module__ in ("builtins", "itertools") and hasattr(value, "__next__")


def takes_functions(function: object) -> bool:
    """Whether it may call, in C, what it is given."""
    return function in (map, filter, functools.partial) or getattr(function, "__module__", "") == "itertools"


def heard(caller: Caller, place: int, function: object) -> object:
    """A function of C, so that its calls are followed; anything else as it is."""
    is_function = isinstance(function, _OF_C) or any(function is known for known in _TYPES)
    return functools.partial(caller.call, place, function) if is_function else function


def bound(function: object, arguments: tuple[object, ...]) -> Callable[..., object] | None:
    """Of ``str.strip`` that is called with a text, its own ``strip``."""
    if not isinstance(function, MethodDescriptorType) or not arguments:
        return None
    if not isinstance(arguments[0], function.__objclass__) or not is_carried(arguments[0]):
        return None
    return getattr(arguments[0], function.__name__, None)


def mix(*values: object) -> bool:
    """Whether, where these are compared with each other item by item, a value may not hear of it."""
    return any(kinds >= {True, False} for kinds in _kinds(values).values())


def _kinds(values: tuple[object, ...]) -> dict[_Keys, set[bool]]:
    """At each place in the values: whether a number is there that carries a term, and one that does not ask."""
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
    """``a is b or a == b``, where that is no decision at a site."""
    if a is b:
        return True
    if is_number(a) and is_number(b):
        holds = bool(plain(a) == plain(b))
        caller.recording.choose(comparison_of("==", a, b), holds, "a comparison without a probe", place)
        return holds
    return bool(COMPARISONS["=="](*caller.meeting(a, b)))


def searched(caller: Caller, place: int, own: Any, name: str, arguments: tuple[object, ...]) -> Any:
    """What a search of a list, a tuple or a deque for a value gives back; see :data:`SEARCHED`."""
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
    """Whether it is a search in which something carries terms."""
    return (
        isinstance(own, list | tuple | deque)
        and name in SEARCHED
        and bool(arguments)
        and not named
        and any(True for _ in parts_of([arguments, list(own)]))
    )


def accumulated(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    """``itertools.accumulate(items, function, initial=...)``; what is written in another way is not followed."""
    if len(arguments) not in (1, 2) or named.keys() - {"func", "initial"} or (len(arguments) == 2 and "func" in named):
        return UNKNOWN
    function = named.get("func", arguments[1] if len(arguments) > 1 else None)
    return _accumulating(caller, place, caller.items(place, arguments[0]), function, named.get("initial"))


def _accumulating(
    caller: Caller, place: int, items: Iterable[object], function: object, start: object
) -> Iterator[object]:
    """Yield the first item, then what the function, or ``+``, makes of the last result and of the next item."""
    total: object = None
    for number, item in enumerate(itertools.chain([start] if start is not None else [], items)):
        if not number:
            total = item
        else:
            total = caller.binary(place, "+", total, item) if function is None else \
                caller.call(place, function, total, item)  # fmt: skip
        yield total
