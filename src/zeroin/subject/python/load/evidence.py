"""What the code of a function says of the types of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from operator import or_
from typing import Any

from .hints import constructor

_DAY, _MOMENT = frozenset(("year", "month", "day")), frozenset(("hour", "minute", "second", "microsecond", "tzinfo"))
_DEEPEST = 3


@dataclass
class Evidence:
    """What was seen of one parameter.

    Attributes:
        kinds: ``str``, ``int``, ...
        checked: the classes of ``isinstance``.
        attributes: names that are asked for of it, other than those of the kinds.
        parts: how many it is unpacked into; 0: it is not.
        items: what was seen of the items that it is said to have.
        can_be_none: it is compared with None.
        dimensions: numbers of indices that it takes at once.
        calls: numbers of arguments that it is called with.
    """

    kinds: set[str] = field(default_factory=set)
    checked: list[type] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)
    parts: int = 0
    items: Evidence | None = None
    can_be_none: bool = False
    dimensions: set[int] = field(default_factory=set)
    calls: set[int] = field(default_factory=set)

    def see(self, kind: str) -> None:
        self.kinds.add(kind)

    def item(self) -> Evidence:
        """Of its items."""
        self.see("items")
        self.items = self.items or Evidence()
        return self.items

    def join(self, other: Evidence) -> None:
        """What was seen of another counts, too."""
        self.kinds |= other.kinds
        self.checked += [kind for kind in other.checked if kind not in self.checked]
        self.attributes |= other.attributes
        self.parts = self.parts or other.parts
        self.items = self.items or other.items
        self.can_be_none |= other.can_be_none
        self.dimensions |= other.dimensions
        self.calls |= other.calls

    @property
    def is_strong(self) -> bool:
        """Whether it says more than that there are items, that it is a truth value, or a number."""
        return bool(
            self.checked or self.parts or self.attributes or self.calls or self.kinds - {"items", "truth", "float"}
        )

    def hint(self, namespace: Mapping[str, Any], depth: int = _DEEPEST) -> Any:
        """The type that all this suggests, with lists in so many lists at most; None: nothing does."""
        found = self._hint(namespace, depth)
        if found is not None and self.can_be_none:
            return found | None
        return found

    def _hint(self, namespace: Mapping[str, Any], depth: int) -> Any:
        plain = self._of_kinds(namespace, depth)
        if not self.checked:
            return plain
        also = [plain] if plain is not None and self.kinds - {"items"} else []
        return reduce(or_, (*self.checked[1:], *also), self.checked[0])

    def _of_kinds(self, namespace: Mapping[str, Any], depth: int) -> Any:
        kinds = self.kinds
        if self.calls:
            generic: Any = Callable
            return generic[[float] * min(self.calls), Any]
        if "str" in kinds:
            return str | float if "float" in kinds else str
        if "array" in kinds:
            return reduce(or_, map(_array, sorted(self.dimensions))) if self.dimensions else _array(1)
        if "dict" in kinds:
            return dict[str, float]
        if self.parts:
            return tuple.__class_getitem__((float,) * self.parts)
        if "items" in kinds:
            inner = self.items.hint(namespace, depth - 1) if self.items is not None and depth > 1 else None
            return list.__class_getitem__(inner if inner is not None else float)
        if "int" in kinds:
            return int
        if self.attributes:
            return _class_with(self.attributes, namespace)
        return bool if kinds == {"truth"} else float if "float" in kinds else None


def _array(dimensions: int) -> Any:
    import numpy

    array: Any = numpy.ndarray
    return array[tuple.__class_getitem__((int,) * dimensions), numpy.dtype[numpy.float64]]


def _class_with(attributes: set[str], namespace: Mapping[str, Any]) -> Any:
    """A class whose objects have these attributes."""
    if attributes <= _DAY | _MOMENT | set(dir(date)) and attributes & _DAY:
        return datetime if attributes & _MOMENT else date
    for value in namespace.values():
        if isinstance(value, type) and value.__module__ == namespace.get("__name__"):
            made = getattr(constructor(value), "__code__", None)
            if attributes <= {*dir(value), *(made.co_names if made else ())}:
                return value
    return None
