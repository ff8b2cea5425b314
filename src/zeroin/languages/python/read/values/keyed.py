"""Dicts and sets of an input whose keys and items carry terms: they are looked up by comparisons, not by hash.

How many there are was decided before, and which are equal. What is not known here takes the keys from the run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from .....term.core.build import FALSE, conjunction, disjunction, negation
from .....term.core.nodes import Term
from . import texts
from .numbers import Carried, is_number, plain
from .operations import comparison_of
from .recording import Recording

_MOST = 16  # items of a set that is compared with another


class Keyed(Carried):
    """What both share.

    Attributes:
        keys_: the keys or items, which may carry terms; empty as soon as they are taken from the run.
    """

    keys_: tuple[object, ...]

    def settle(self) -> None:
        """From here on the keys have to be what they were in the run."""
        keys, self.keys_ = self.keys_, ()
        for key in keys:
            if isinstance(key, Carried):
                key.settled("the keys of a dict or the items of a set are taken from the run")

    def settled(self, why: str) -> Self:
        self.settle()
        return self

    def unsettled(self) -> Self:
        return self


class CarriedDict(Keyed, dict[object, object]):
    """A dict of an input."""

    plain_type = dict

    @classmethod
    def of(cls, recording: Recording, pairs: Sequence[tuple[object, object]]) -> dict[object, object]:
        """One with these keys and values; a plain one, if no key carries terms."""
        made = cls({_bare(key): value for key, value in pairs})
        first = distinct(recording, [key for key, _ in pairs])
        made.recording, made.keys_ = recording, tuple(pairs[number][0] for number in dict.fromkeys(first))
        return made if any(isinstance(key, Carried) for key in made.keys_) else dict(made)

    def __iter__(self) -> Iterator[object]:
        return iter(self.keys_) if self.keys_ else dict.__iter__(self)

    def items(self) -> Any:
        """The pairs; a list as long as keys carry terms."""
        if not self.keys_:
            return dict.items(self)
        return [(key, dict.__getitem__(self, _bare(key))) for key in self.keys_]


class CarriedSet(Keyed, set[object]):
    """A set of an input."""

    plain_type = set

    @classmethod
    def of(cls, recording: Recording, items: Sequence[object]) -> set[object]:
        """One of these items; a plain one, if none carries terms."""
        made = cls(map(_bare, items))
        made.recording = recording
        made.keys_ = tuple(items[number] for number in dict.fromkeys(distinct(recording, items)))
        return made if any(isinstance(key, Carried) for key in made.keys_) else set(made)


def _bare(key: object) -> object:
    return key.unsettled() if isinstance(key, Carried) else key


def is_key(value: object) -> bool:
    """Whether a value is compared with keys by terms."""
    return is_number(value) or isinstance(value, str)


def same(a: object, b: object) -> Term:
    """Whether two keys are equal."""
    if isinstance(a, str) and isinstance(b, str):
        return texts.comparison_of("==", a, b)
    return comparison_of("==", a, b) if is_number(a) and is_number(b) else FALSE


def distinct(recording: Recording, keys: Sequence[object]) -> list[int]:
    """For each key the number of the first one that equals it; which are equal is decided here."""
    found = list[int]()
    for number, key in enumerate(keys):
        first = number
        for earlier in dict.fromkeys(found):
            holds = bool(_bare(key) == _bare(keys[earlier]))
            recording.choose(same(key, keys[earlier]), holds, "two keys are equal", recording.place)
            if holds:
                first = earlier
                break
        found.append(first)
    return found


def compared(sign: str, a: Any, b: Any) -> tuple[bool, Term] | None:
    """``a sign b`` of sets of which one carries terms: its value and the condition; None if that is not known."""
    if not (isinstance(a, CarriedSet) or isinstance(b, CarriedSet)):
        return None
    if not all(isinstance(one, set | frozenset) for one in (a, b)) or sign not in ("==", "!=", "<=", ">=", "<", ">"):
        return None
    x, y = (one.keys_ or tuple(set.__iter__(one)) if isinstance(one, CarriedSet) else tuple(one) for one in (a, b))
    if max(len(x), len(y)) > _MOST or not all(map(is_key, (*x, *y))):
        return None
    small, large = (y, x) if sign in (">=", ">") else (x, y)
    inside = conjunction(disjunction(same(one, other) for other in large) for one in small)
    if sign in ("==", "!="):
        found = inside if len(x) == len(y) else FALSE
    else:
        found = inside if sign in ("<=", ">=") or len(small) < len(large) else FALSE
    names = {"==": "__eq__", "!=": "__eq__", "<=": "__le__", ">=": "__ge__", "<": "__lt__", ">": "__gt__"}
    holds = getattr(set, names[sign])({*map(_bare, x)}, {*map(_bare, y)})
    return (not holds, negation(found)) if sign == "!=" else (holds, found)


def contained(value: object, container: Keyed) -> tuple[bool, Term] | None:
    """Whether a key is there, and the condition for that; None if that is not known."""
    if not container.keys_ or not is_key(value):
        return None
    found = disjunction(same(value, key) for key in container.keys_)
    return any(_bare(value) == _bare(key) for key in container.keys_), found


def looked_up(place: int, container: CarriedDict, key: object, default: Sequence[object]) -> object:
    """``container[key]``, or ``container.get(key, default)`` if there is a default."""
    for known in container.keys_:
        holds = bool(plain(_bare(key)) == plain(_bare(known)))
        container.recording.choose(same(key, known), holds, "a key of a dict", place)
        if holds:
            return dict.__getitem__(container, _bare(known))
    return default[0] if default else dict.__getitem__(container, _bare(key))


def unordered(iterable: object) -> object:
    """The items of a set for what does not depend on their order; anything else as it is."""
    return list(iterable.keys_) if isinstance(iterable, CarriedSet) and iterable.keys_ else iterable


def _settling(kind: type, name: str) -> Callable[..., object]:
    method = getattr(kind, name)

    @functools.wraps(method)
    def call(self: Keyed, *arguments: object, **named: object) -> object:
        self.settle()
        return method(self, *arguments, **named)

    return call


_OF_BOTH = (
    "pop",
    "clear",
    "update",
    "copy",
    "__contains__",
    "__eq__",
    "__ne__",
    "__or__",
    "__ror__",
    "__ior__",
    "__repr__",
)
_OF_SETS = ("add", "discard", "remove", "union", "intersection", "difference", "symmetric_difference", "issubset",
            "issuperset", "isdisjoint", "intersection_update", "difference_update", "symmetric_difference_update",
            "__iter__", "__lt__", "__le__", "__gt__", "__ge__", "__and__", "__sub__", "__xor__", "__rand__", "__rsub__",
            "__rxor__", "__iand__", "__isub__", "__ixor__")  # fmt: skip
_OF_DICTS = ("keys", "get", "popitem", "setdefault", "__getitem__", "__setitem__", "__delitem__", "__reversed__")
for _name in (*_OF_BOTH, *_OF_DICTS):
    setattr(CarriedDict, _name, _settling(dict, _name))
for _name in (*_OF_BOTH, *_OF_SETS):
    setattr(CarriedSet, _name, _settling(set, _name))
for _class in (CarriedDict, CarriedSet):
    setattr(_class, "__hash__", None)  # noqa: B010
