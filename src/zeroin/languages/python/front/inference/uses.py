"""What the code of a function says of the types of its parameters."""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from operator import or_
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Annotated, Any, Literal, TypeAlias

from ..type_hints import constructor

_DAY, _MOMENT = frozenset(("year", "month", "day")), frozenset(("hour", "minute", "second", "microsecond"))
_ZONE = frozenset(("tzinfo", "utcoffset", "astimezone", "dst", "tzname"))
_DEEPEST = 4
_NUMBERS = {"float", "real"}
ArrayShape: TypeAlias = "tuple[int | None, ...]"
_PLAIN: tuple[type, ...] = (float, complex, list, set, bytes)  # classes that attributes may belong to


@dataclass(frozen=True)
class Fields:
    """The attributes of a ``types.SimpleNamespace``, with their types, as ``Annotated`` has them."""

    types: tuple[tuple[str, Any], ...]


@dataclass
class Evidence:
    """What was seen of one parameter.

    Attributes:
        kinds: ``str``, ``int``, ``float`` (a number), ``real`` (a number that need not be an integer), ...
        checked: the classes of ``isinstance``.
        tells_ints: ``isinstance`` asks for ``int`` and not for ``float`` in the same call.
        tells_arrays: code asks whether it is an array, or a single number.
        has_fraction: code asks for the whole part of it: it need not be whole.
        attributes: what was seen of what is asked for of it, other than by the names of the kinds.
        parts: what was seen of the parts that it is unpacked into; empty: it is not.
        items: what was seen of the items that it is said to have.
        can_be_none: it is compared with None.
        dimensions: numbers of indices that it takes at once.
        shapes: of arrays; None stands for any length.
        asks_for_shape: code compares its shape, so it may be another one.
        calls: numbers of arguments that it is called with.
        results: what was seen of what it returns then.
        values: what was seen of the values of all its keys; ``items`` are the keys then.
        keys: what was seen of the values of keys that it is asked for.
        passed: what functions do with it that it is passed on to.
    """

    kinds: set[str] = field(default_factory=set)
    checked: list[type] = field(default_factory=list)
    tells_ints: bool = False
    tells_arrays: bool = False
    has_fraction: bool = False
    attributes: dict[str, Evidence] = field(default_factory=dict)
    parts: list[Evidence] = field(default_factory=list)
    items: Evidence | None = None
    can_be_none: bool = False
    dimensions: set[int] = field(default_factory=set)
    shapes: set[ArrayShape] = field(default_factory=set)
    asks_for_shape: bool = False
    calls: set[int] = field(default_factory=set)
    results: Evidence | None = None
    values: Evidence | None = None
    keys: dict[str, Evidence] = field(default_factory=dict)
    passed: Evidence | None = None

    def see(self, kind: str) -> None:
        self.kinds.add(kind)

    def see_shape(self, shape: ArrayShape) -> None:
        """It is documented to be an array of that shape; what code compares with goes first. A list will often do where
        there is one dimension."""
        if len(shape) > 1 or "array" in self.whole.kinds:
            self.see("array")
        self.shapes |= {shape} if shape not in self.whole.shapes else set()

    def item(self) -> Evidence:
        """Of its items."""
        self.see("items")
        self.items = self.items or Evidence()
        return self.items

    def value(self) -> Evidence:
        """Of the values that its keys have."""
        self.see("dict")
        self.values = self.values or Evidence()
        return self.values

    def result(self) -> Evidence:
        """Of what it returns."""
        self.results = self.results or Evidence()
        return self.results

    def key(self, name: str) -> Evidence:
        """Of the value of a key."""
        return self.keys.setdefault(name, Evidence())

    def unpacked(self, count: int) -> list[Evidence]:
        """Of its parts."""
        if len(self.parts) != count:
            self.parts = [Evidence() for _ in range(count)]
        return self.parts

    def join(self, other: Evidence) -> None:
        """It is passed on: what was seen of another counts, too."""
        if other is not self:
            self.passed = self.passed or Evidence()
            self.passed._add(other.whole, _DEEPEST)

    @property
    def whole(self) -> Evidence:
        """All of it together."""
        if self.passed is None:
            return self
        made = Evidence()
        made._add(self, _DEEPEST)
        made._add(self.passed, _DEEPEST)
        return made

    def _add(self, other: Evidence, depth: int) -> None:
        """What was seen of another, and of the items inside of items, so many deep."""
        if depth == 0:
            return
        self.kinds |= other.kinds
        self.checked += [kind for kind in other.checked if kind not in self.checked]
        self.tells_ints |= other.tells_ints
        self.tells_arrays |= other.tells_arrays
        self.has_fraction |= other.has_fraction
        for name, evidence in other.attributes.items():
            self.attributes.setdefault(name, Evidence())._add(evidence.whole, depth - 1)
        self.parts = self.parts or other.parts
        if other.items is not None:
            self.items = self.items or Evidence()
            self.items._add(other.items.whole, depth - 1)
        if other.values is not None:
            self.values = self.values or Evidence()
            self.values._add(other.values.whole, depth - 1)
        self.can_be_none |= other.can_be_none
        self.dimensions |= other.dimensions
        self.shapes |= other.shapes
        self.asks_for_shape |= other.asks_for_shape
        self.calls |= other.calls
        self.results = self.results or other.results
        for name, evidence in other.keys.items():
            self.key(name)._add(evidence.whole, depth - 1)

    @property
    def is_strong(self) -> bool:
        """Whether the code itself, and not what it is passed on to, says more than that there are items, that it is a
        truth value, or a number."""
        return bool(
            self.checked
            or self.parts
            or self.attributes
            or self.calls
            or self.kinds - {"items", "truth", "float", "real"}
        ) or (self.items is not None and self.items.is_strong)

    @property
    def asks_for_zone(self) -> bool:
        """Whether code asks for a time zone."""
        return bool(self.whole.attributes.keys() & _ZONE)

    @property
    def is_checked(self) -> bool:
        """Whether code asks of what class it is, or its items are."""
        whole = self.whole
        return bool(whole.checked) or (whole.items is not None and whole.items.is_checked)

    def hint(self, namespace: Mapping[str, Any], depth: int = _DEEPEST) -> Any:
        """The type that all this suggests, with lists in so many lists at most; None: nothing does."""
        whole = self.whole
        found = whole._hint(namespace, depth)
        if found is not None and whole.can_be_none:
            return found | None
        return found

    def _hint(self, namespace: Mapping[str, Any], depth: int) -> Any:
        plain = self._of_kinds(namespace, depth)
        if not self.checked:
            return self._or_array(plain) if self.tells_arrays else plain
        known = [self._finer(kind, namespace, depth) for kind in self.checked]
        if plain is not None and self.kinds - {"items"} and typing.get_origin(plain) not in self.checked:
            known.append(plain)
        return reduce(or_, (*known[1:], *self._stranger(known)), known[0])

    def _or_array(self, plain: Any) -> Any:
        """A number beside an array, or the other way round."""
        if plain is None or "array" in self.kinds:
            return float | (plain or _array(1))
        return plain | _array(1) if plain in (float, int) else plain

    def _finer(self, kind: type, namespace: Mapping[str, Any], depth: int) -> Any:
        """With the types of its items, where something was seen of them."""
        inner = self.items.hint(namespace, depth - 1) if self.items is not None and depth > 1 else None
        if inner is None or kind not in (list, tuple):
            return kind
        return list.__class_getitem__(inner) if kind is list else tuple.__class_getitem__((inner, ...))

    def _stranger(self, known: Sequence[Any]) -> list[Any]:
        """A type that is none of those, for code behind ``isinstance`` that is for others."""
        types = tuple(typing.get_origin(one) or one for one in known)
        if self.can_be_none or not all(isinstance(one, type) for one in types):
            return []
        return [next((one for one in (float, str) if not issubclass(one, types)), None)]

    def _of_kinds(self, namespace: Mapping[str, Any], depth: int) -> Any:
        kinds = self.kinds
        if self.calls:
            made = self.results.hint(namespace, depth - 1) if self.results is not None and depth > 1 else None
            generic: Any = Callable
            return generic[[float] * min(self.calls), Any if made is None else made]
        if "str" in kinds:
            return str | float if kinds & _NUMBERS else str
        if "array" in kinds:
            return self.arrays()
        if "dict" in kinds:
            parts = [one.hint(namespace, depth - 1) if one and depth > 1 else None for one in (self.items, self.values)]
            return dict.__class_getitem__((parts[0] if parts[0] in (int, float) else str, parts[1] or float))
        if self.parts:
            inside = [part.hint(namespace, depth - 1) if depth > 1 else None for part in self.parts]
            return tuple.__class_getitem__(tuple(float if one is None else one for one in inside))
        if "items" in kinds:
            inner = self.items.hint(namespace, depth - 1) if self.items is not None and depth > 1 else None
            return list.__class_getitem__(inner if inner is not None else float)
        if "int" in kinds:
            return int
        if self.attributes:
            return self._object(namespace, depth)
        return bool if kinds == {"truth"} else float if kinds & _NUMBERS else None

    def arrays(self) -> Any:
        """Arrays of the shapes that are known; where code asks for these, also others."""
        known = sorted(self.shapes, key=lambda shape: (len(shape), [size or 0 for size in shape]))
        asks = self.asks_for_shape
        others = self.dimensions - {len(shape) for shape in known} if asks or not known else set()
        return reduce(or_, [array_of(*shape, exactly=not asks) for shape in known] + [*map(_array, sorted(others))] or
                      [_array(1)])  # fmt: skip

    def _object(self, namespace: Mapping[str, Any], depth: int) -> Any:
        """A class whose objects have the attributes; if none is known, an object that has these and nothing else."""
        found = _class_with(self.attributes, namespace)
        if found is not None or depth <= 1:
            return found
        fields = {name: evidence.hint(namespace, depth - 1) for name, evidence in sorted(self.attributes.items())
                  if not name.startswith("__")}  # fmt: skip
        if not fields:
            return None
        return Annotated[SimpleNamespace, Fields(tuple((name, hint or float) for name, hint in fields.items()))]


def _array(dimensions: int) -> Any:
    return array_of(*(None,) * dimensions)


def array_of(*shape: int | None, exactly: bool = True) -> Any:
    """The type of arrays of a shape; None stands for any length. Not exactly: also of others, with as many sides."""
    import numpy

    array: Any = numpy.ndarray
    sizes = tuple(int if size is None else Literal[size] if exactly else Literal[size] | int for size in shape)
    return array[tuple.__class_getitem__(sizes), numpy.dtype[numpy.float64]]


def _class_with(seen: Mapping[str, Evidence], namespace: Mapping[str, Any]) -> Any:
    """A class whose objects have these attributes."""
    attributes = set(seen)
    if not all(name.startswith("__") for name in attributes):
        for plain in _PLAIN:
            if attributes <= (set(dir(plain)) - {"imag"} if plain is float else set(dir(plain))):
                return plain
    if attributes <= set(dir(datetime)) and attributes & (_DAY | _MOMENT | _ZONE):
        return date if attributes <= set(dir(date)) else datetime
    own = str(namespace.get("__name__"))
    known = [one for one in namespace.values() if isinstance(one, type)]
    others = (one for module in _near(own) for one in [*vars(module).values()]
              if isinstance(one, type) and one.__module__ == module.__name__)  # fmt: skip
    found = dict.fromkeys((*(one for one in known if one.__module__ == own), *known, *others))
    return next((one for one in found if attributes <= _names_of(one) and not _has_methods_for(one, seen)), None)


def _has_methods_for(cls: type, seen: Mapping[str, Evidence]) -> bool:
    """Whether it has methods where code has to do with values."""
    values = [name for name, evidence in seen.items() if evidence.whole.kinds and not evidence.whole.calls]
    return any(isinstance(inspect.getattr_static(cls, name, None), FunctionType) for name in values)


def _near(own: str) -> Iterator[ModuleType]:
    """The modules of the same package that a module makes use of, and those that they do, the nearest first.

    What else is loaded does not count: that depends on what has run. Nor what a package's own module names: some
    load their modules when they are asked for.
    """
    package = own.partition(".")[0]
    reached = {own}
    for name in (queue := [own]):
        module = sys.modules.get(name)
        if module is None:
            continue
        yield module
        for value in () if hasattr(module, "__path__") and name != own else [*vars(module).values()]:
            named = value if isinstance(value, type | FunctionType) else type(value)  # others may load something
            used = value.__name__ if isinstance(value, ModuleType) else named.__module__
            if isinstance(used, str) and used.partition(".")[0] == package and used not in reached:
                reached.add(used)
                queue.append(used)


def _names_of(cls: type) -> set[str]:
    """What can be asked of its objects, as far as the class and its constructor tell."""
    made = getattr(constructor(cls), "__code__", None)
    return {*dir(cls), *(made.co_names if made else ())}
