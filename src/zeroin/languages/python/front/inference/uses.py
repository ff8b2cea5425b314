"""Evidence: how the code of a function uses a parameter, and the type that this suggests."""

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
_PLAIN: tuple[type, ...] = (float, complex, list, set, bytes)  # classes whose attributes suggest them


@dataclass(frozen=True)
class Fields:
    """The attributes of a ``types.SimpleNamespace`` with their types, as metadata of ``Annotated``."""

    types: tuple[tuple[str, object], ...]


@dataclass
class Evidence:
    """The evidence about the type of one parameter, or of a part of it. Below, "the value" is what callers pass.

    Attributes:
        kinds: the kinds of types that the code suggests: ``str``, ``int``, ``float`` (a number), ``real`` (a number
            that need not be an integer), ``array``, ``dict``, ``items``, ``truth``.
        checked: the classes in ``isinstance`` checks.
        tells_ints: whether an ``isinstance`` check accepts ``int`` but not ``float``.
        tells_arrays: whether the code checks for an array, or for a single number.
        has_fraction: whether the code rounds the value or takes its integer part: it need not be an integer.
        attributes: the evidence about attributes, except those that suggest a kind.
        parts: the evidence about the parts that the code unpacks the value into; empty if it does not.
        items: the evidence about the items, or the keys of a dict.
        can_be_none: whether the code compares the value with None.
        dimensions: the possible numbers of dimensions of an array; empty: not known.
        shapes: the possible shapes of an array; None stands for any length. Empty: not known.
        asks_for_shape: whether the code compares the shape, so that other shapes are possible.
        calls: the numbers of arguments in calls of the value; empty if it is not called.
        results: the evidence about the results of these calls.
        values: the evidence about the values of a dict.
        keys: the evidence about the values of particular keys.
        passed: the evidence from functions that the value is passed to; None if there is none.
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
        """Record that the value is of a kind."""
        self.kinds.add(kind)

    def see_shape(self, shape: ArrayShape) -> None:
        """Record a documented array shape.

        One dimension alone does not suggest an array, as a list will often do.
        """
        if len(shape) > 1 or "array" in self.whole.kinds:
            self.see("array")
        self.shapes |= {shape} if shape not in self.whole.shapes else set()

    def item(self) -> Evidence:
        """Record that there are items, and return the evidence about them."""
        self.see("items")
        self.items = self.items or Evidence()
        return self.items

    def value(self) -> Evidence:
        """Record that the value is a dict, and return the evidence about the values in it."""
        self.see("dict")
        self.values = self.values or Evidence()
        return self.values

    def result(self) -> Evidence:
        """Return the evidence about the results of calls, created at the first call."""
        self.results = self.results or Evidence()
        return self.results

    def key(self, name: str) -> Evidence:
        """Return the evidence about the value of a particular key, created at the first call."""
        return self.keys.setdefault(name, Evidence())

    def unpacked(self, count: int) -> list[Evidence]:
        """Return the evidence about the ``count`` parts that the code unpacks the value into.

        It is created at the first call, and anew, without what was known, for another number of parts.
        """
        if len(self.parts) != count:
            self.parts = [Evidence() for _ in range(count)]
        return self.parts

    def join(self, other: Evidence) -> None:
        """Record the evidence, as it is now, from a function that the value is passed to."""
        if other is not self:
            self.passed = self.passed or Evidence()
            self.passed._add(other.whole, _DEEPEST)

    @property
    def whole(self) -> Evidence:
        """All evidence, including that from functions that the value is passed to.

        It may be a copy, so changes of it may be lost.
        """
        if self.passed is None:
            return self
        made = Evidence()
        made._add(self, _DEEPEST)
        made._add(self.passed, _DEEPEST)
        return made

    def _add(self, other: Evidence, depth: int) -> None:
        """Add other evidence, with parts inside of parts up to this depth."""
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
        """Whether the function's own code suggests more than items, a truth value or a number."""
        return bool(
            self.checked
            or self.parts
            or self.attributes
            or self.calls
            or self.kinds - {"items", "truth", "float", "real"}
        ) or (self.items is not None and self.items.is_strong)

    @property
    def asks_for_zone(self) -> bool:
        """Whether the code uses a time zone."""
        return bool(self.whole.attributes.keys() & _ZONE)

    @property
    def is_checked(self) -> bool:
        """Whether the code checks the class of the value or of its items."""
        whole = self.whole
        return bool(whole.checked) or (whole.items is not None and whole.items.is_checked)

    def hint(self, namespace: Mapping[str, object], depth: int = _DEEPEST) -> object:
        """Return the type that the evidence suggests; None if it suggests none.

        It is a class, a generic type, a union, or a namespace (:class:`Fields`) with attributes.

        Args:
            namespace: the variables of the function's module, to find classes.
            depth: how deep types may be nested.
        """
        whole = self.whole
        found = whole._hint(namespace, depth)
        if found is not None and whole.can_be_none:
            return found | None
        return found

    def _hint(self, namespace: Mapping[str, object], depth: int) -> Any:
        """As :meth:`hint`, without None for a value that is compared with None."""
        plain = self._of_kinds(namespace, depth)
        if not self.checked:
            return self._or_array(plain) if self.tells_arrays else plain
        known = [self._finer(kind, namespace, depth) for kind in self.checked]
        if plain is not None and self.kinds - {"items"} and typing.get_origin(plain) not in self.checked:
            known.append(plain)
        return reduce(or_, (*known[1:], *self._stranger(known)), known[0])

    def _or_array(self, plain: object) -> object:
        """Return the type, widened by arrays if it is a number, and by numbers if it is an array."""
        if plain is None or "array" in self.kinds:
            return float | (plain or _array(1))
        return plain | _array(1) if plain in (float, int) else plain

    def _finer(self, kind: type, namespace: Mapping[str, object], depth: int) -> object:
        """Return a checked class, for lists and tuples with the type of their items."""
        inner = self.items.hint(namespace, depth - 1) if self.items is not None and depth > 1 else None
        if inner is None or kind not in (list, tuple):
            return kind
        return list.__class_getitem__(inner) if kind is list else tuple.__class_getitem__((inner, ...))

    def _stranger(self, known: Sequence[Any]) -> list[object]:
        """Return a type that fails all the ``isinstance`` checks, for the code that handles this case, in a list.

        Empty if None may do that, or if a checked type is no class.
        """
        types = tuple(typing.get_origin(one) or one for one in known)
        if self.can_be_none or not all(isinstance(one, type) for one in types):
            return []
        return [next((one for one in (float, str) if not issubclass(one, types)), None)]

    def _of_kinds(self, namespace: Mapping[str, object], depth: int) -> object:
        """Return the type that the kinds and uses suggest, without ``isinstance`` checks; None if they suggest none."""
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

    def arrays(self) -> object:
        """Return the type of arrays with the known shapes; if the code compares shapes, also others."""
        known = sorted(self.shapes, key=lambda shape: (len(shape), [size or 0 for size in shape]))
        asks = self.asks_for_shape
        others = self.dimensions - {len(shape) for shape in known} if asks or not known else set()
        return reduce(or_, [array_of(*shape, exactly=not asks) for shape in known] + [*map(_array, sorted(others))] or
                      [_array(1)])  # fmt: skip

    def _object(self, namespace: Mapping[str, object], depth: int) -> object:
        """Return a class whose objects have the attributes; if none is known, a namespace with these attributes."""
        found = _class_with(self.attributes, namespace)
        if found is not None or depth <= 1:
            return found
        fields = {name: evidence.hint(namespace, depth - 1) for name, evidence in sorted(self.attributes.items())
                  if not name.startswith("__")}  # fmt: skip
        if not fields:
            return None
        return Annotated[SimpleNamespace, Fields(tuple((name, hint or float) for name, hint in fields.items()))]


def _array(dimensions: int) -> Any:
    """Return the type of arrays with this many dimensions of any lengths."""
    return array_of(*(None,) * dimensions)


def array_of(*shape: int | None, exactly: bool = True) -> Any:
    """Return the type of arrays of floats of a shape.

    Args:
        shape: the length of each dimension; None stands for any length.
        exactly: whether these lengths are the only ones; if not, they are merely the ones to try first.

    Raises:
        ImportError: NumPy is not installed.
    """
    import numpy

    array: Any = numpy.ndarray
    sizes = tuple(int if size is None else Literal[size] if exactly else Literal[size] | int for size in shape)
    return array[tuple.__class_getitem__(sizes), numpy.dtype[numpy.float64]]


def _class_with(seen: Mapping[str, Evidence], namespace: Mapping[str, object]) -> object:
    """Return a class whose objects have these attributes; None if none is known."""
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
    return next((one for one in found if attributes <= _names_of(one) and not _contradicts(one, seen)), None)


def _contradicts(cls: type, seen: Mapping[str, Evidence]) -> bool:
    """Whether some attribute that the code uses as a value, and never calls, is a method of the class."""
    values = [name for name, evidence in seen.items() if evidence.whole.kinds and not evidence.whole.calls]
    return any(isinstance(inspect.getattr_static(cls, name, None), FunctionType) for name in values)


def _near(own: str) -> Iterator[ModuleType]:
    """Yield a module, and the modules of its top-level package that it uses, directly or indirectly, the nearest first.

    A module uses another one if one of its variables holds that module, a class or function from it, or an object of
    such a class. Other loaded modules do not count, as they depend on what ran before. Nor do the variables of other
    packages' ``__init__``, as some packages load modules lazily.

    Args:
        own: the name of the module.
    """
    package = own.partition(".")[0]
    reached = {own}
    for name in (queue := [own]):
        module = sys.modules.get(name)
        if module is None:
            continue
        yield module
        for value in () if hasattr(module, "__path__") and name != own else [*vars(module).values()]:
            named = value if isinstance(value, type | FunctionType) else type(value)  # others may load modules lazily
            used = value.__name__ if isinstance(value, ModuleType) else named.__module__
            if isinstance(used, str) and used.partition(".")[0] == package and used not in reached:
                reached.add(used)
                queue.append(used)


def _names_of(cls: type) -> set[str]:
    """Return the attributes of a class's objects, as far as the class and the names in its constructor show."""
    made = getattr(constructor(cls), "__code__", None)
    return {*dir(cls), *(made.co_names if made else ())}
