"""Functions that go through iterables, whose meaning is known, and the lookup of a key."""

from __future__ import annotations

import functools
import itertools
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .....term.core.build import if_else
from .....term.core.nodes import Term
from .....term.expression.typed import TRUTH, Typed
from . import texts
from .keyed import unordered
from .known_functions import UNKNOWN, Handler, all_numbers, to_bool
from .numbers import Carried, CarriedBool, CarriedInt, carry, is_carried, is_number, parts_of, plain, typed_of
from .opaque import pure
from .operations import COMPARISONS, comparison_of
from .sequences import CarriedRange

if TYPE_CHECKING:
    from .calls import Caller

_MOST_KEYS = 64  # of a dict that a value is looked up in by comparisons


def _range(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if not all_numbers(arguments, named) or any(isinstance(argument, float) for argument in arguments):
        return UNKNOWN
    start, stop, step = (0, arguments[0], 1) if len(arguments) == 1 else (*arguments, 1)[:3]
    if is_carried(step):
        caller.recording.choose(comparison_of("==", step, 0), plain(step) == 0, "a range's step is 0", place)
    return CarriedRange(caller.recording, start, stop, step)


def _sum(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if not 1 <= len(arguments) <= 2 or named.keys() - {"start"}:
        return UNKNOWN
    items = list(caller.items(place, arguments[0]))
    total = arguments[1] if len(arguments) == 2 else named.get("start", 0)
    if sys.version_info >= (3, 12) and any(isinstance(item, float) for item in (*items, total)) and \
            all_numbers((*items, total), {}):  # fmt: skip
        terms = [typed_of(item).term for item in (*items, total)]
        return pure(caller.recording, place, _summed, terms, (*items, total))
    for item in items:
        total = caller.binary(place, "+", total, item)
    return total


def _summed(*values: float) -> float:
    return sum(values[:-1], values[-1])


def _product(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) != 1 or sys.version_info >= (3, 13):
        return UNKNOWN
    total = named.get("start", 1)
    for item in caller.items(place, arguments[0]):
        total = caller.binary(place, "*", total, item)
    return total


def _extreme(sign: str, function: Callable[..., object]) -> Handler:
    def call(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, object]) -> object:
        if named.keys() - {"key", "default"}:
            return UNKNOWN
        items = list(caller.items(place, unordered(arguments[0]))) if len(arguments) == 1 else list(arguments)
        if not any(True for _ in parts_of(items)) or not items:
            return function(items, **named) if len(arguments) == 1 else UNKNOWN
        key = named.get("key")
        keys = [caller.call(place, key, item) if key is not None else item for item in items]
        best, known = items[0], keys[0]
        for item, value in zip(items[1:], keys[1:], strict=True):
            if key is None and _alike(best, item):
                holds = COMPARISONS[sign](plain(item), plain(best))
                terms = typed_of(item).term, typed_of(best).term
                picked = if_else(comparison_of(sign, item, best), *terms)
                best = carry(caller.recording, plain(item if holds else best), Typed(picked, typed_of(item).type))
                known = best
            elif less(caller, place, sign, value, known):
                best, known = item, value
        return best

    return call


def _alike(a: object, b: object) -> bool:
    """Whether both are floats, or both are ints."""
    return is_number(a) and is_number(b) and typed_of(a).type == typed_of(b).type != TRUTH


def less(caller: Caller, place: int, sign: str, a: object, b: object) -> bool:
    """``a sign b``, where that is no decision at a site."""
    if is_number(a) and is_number(b):
        holds = bool(COMPARISONS[sign](plain(a), plain(b)))
        caller.recording.choose(comparison_of(sign, a, b), holds, "a comparison without a probe", place)
        return holds
    return bool(COMPARISONS[sign](*caller.meeting(a, b)))


def _sorted(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> object:
    if len(arguments) != 1 or named.keys() - {"key", "reverse"}:
        return UNKNOWN
    items = list(caller.items(place, unordered(arguments[0])))
    if not any(True for _ in parts_of(items)):
        return sorted(items, **named)
    sort_items(caller, place, items, named)
    return items


def sort_items(caller: Caller, place: int, items: list[object], named: Mapping[str, object]) -> None:
    """``items.sort(key=..., reverse=...)``"""
    key = named.get("key")
    keys = [caller.call(place, key, item) if key is not None else item for item in items]

    def compare(a: tuple[object, object], b: tuple[object, object]) -> int:
        return -1 if less(caller, place, "<", a[0], b[0]) else 0

    order = functools.cmp_to_key(compare)
    reverse = named.get("reverse", False)
    if isinstance(reverse, CarriedInt | CarriedBool):
        reverse = caller.key(place, reverse)
    items[:] = [pair[1] for pair in sorted(zip(keys, items, strict=True), key=order, reverse=bool(reverse))]


def _any(stops_at: bool) -> Handler:
    """``any`` stops at what is true, ``all`` at what is not."""

    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        if len(arguments) != 1:
            return UNKNOWN
        for item in caller.items(place, arguments[0]):
            truth = to_bool(caller, place, (item,), {})
            holds = bool(item if truth is UNKNOWN else plain(truth))
            if isinstance(truth, CarriedBool):
                caller.recording.choose(truth.term, holds, "a condition without a probe", place)
            if holds is stops_at:
                return stops_at
        return not stops_at

    return call


def _enumerate(caller: Caller, place: int, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> object:
    if not arguments or named.keys() - {"start"}:
        return UNKNOWN
    start = arguments[1] if len(arguments) > 1 else named.get("start", 0)
    items = caller.items(place, arguments[0])
    if not is_carried(start):
        return enumerate(items, start)
    return zip(_counted(caller, place, start, 1), items, strict=False)


def _count(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    given: dict[str, object] = {**dict(zip(("start", "step"), arguments, strict=False)), **named}
    if not any(map(is_carried, given.values())):
        return UNKNOWN
    return _counted(caller, place, given.get("start", 0), given.get("step", 1))


def _counted(caller: Caller, place: int, number: object, step: object) -> Iterator[object]:
    while True:
        yield number
        number = caller.binary(place, "+", number, step)


def _sized(function: Callable[..., object], first: int = 1) -> Handler:
    """A function whose arguments from the first one on, and those by name, say how many or where."""

    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        sizes = (caller.key(place, argument) for argument in arguments[first:])
        return function(*arguments[:first], *sizes, **{name: caller.key(place, a) for name, a in named.items()})

    return call


def _zip(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, Any]) -> object:
    iterables = [caller.items(place, argument) for argument in arguments]
    return zip(*iterables, **named)  # noqa: B905 (the code says)


def _reversed(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) == 1 and isinstance(arguments[0], texts.CarriedStr):
        return reversed([*caller.items(place, arguments[0])])
    return UNKNOWN


def _made(function: Callable[..., object]) -> Handler:
    """A container made of what an iterable gives."""

    def call(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
        return function(*(caller.items(place, argument) for argument in arguments), **named)

    return call


def _reduce(caller: Caller, place: int, arguments: tuple[object, ...], named: Mapping[str, object]) -> object:
    if len(arguments) not in (2, 3) or named:
        return UNKNOWN
    function, items = arguments[0], [*arguments[2:], *caller.items(place, arguments[1])]
    if not items:
        return UNKNOWN
    total = items[0]
    for item in items[1:]:
        total = caller.call(place, function, total, item)
    return total


def looked_up(place: int, container: dict[object, object], key: Carried, default: object = UNKNOWN) -> object:
    """``container[key]``, where the key carries a term: it is compared with the keys that there are. With a default,
    ``container.get(key, default)``."""
    if len(container) > _MOST_KEYS or not (is_number(key) or isinstance(key, str)):
        return container[key] if default is UNKNOWN else container.get(key, default)
    bare = key.unsettled()
    found = UNKNOWN
    for known in container:
        if (is_number(known) and is_number(key)) or (isinstance(known, str) and isinstance(key, str)):
            holds = bare == known  # which is noted
            key.recording.choose(_same(key, known), holds, "a key of a dict", place)
            if holds:
                found = container[known]
                break
    if found is UNKNOWN:
        return container[bare] if default is UNKNOWN else default
    return found


def _same(a: Any, b: Any) -> Term:
    return texts.comparison_of("==", a, b) if isinstance(a, str) else comparison_of("==", a, b)


KNOWN: dict[object, Handler] = {
    range: _range, sum: _sum, math.prod: _product, min: _extreme("<", min), max: _extreme(">", max), sorted: _sorted,
    any: _any(True), all: _any(False), enumerate: _enumerate, zip: _zip, reversed: _reversed, list: _made(list),
    tuple: _made(tuple), set: _made(set), frozenset: _made(frozenset), functools.reduce: _reduce,
    itertools.count: _count, deque: _sized(deque), itertools.product: _sized(itertools.product, 1 << 16),
} | {function: _sized(function) for function in (
    itertools.repeat, itertools.islice, itertools.combinations, itertools.permutations,
    itertools.combinations_with_replacement, itertools.tee)}  # fmt: skip
