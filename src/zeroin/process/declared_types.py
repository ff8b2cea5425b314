"""Checks that a value has the type that an annotation declares.

Names that a module imports only for type checkers are not imported here either. A value fits such a name if its class,
or a base of it, has the name.
"""

from __future__ import annotations

import builtins
import collections.abc as abc
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any, ForwardRef, Literal, TypeVar, get_args, get_origin

Check = Callable[[object], bool]

_ANY_ITEMS = (list, tuple, set, frozenset)
_ITEMS: dict[object, type | tuple[type, ...]] = {
    list: list, set: set, frozenset: frozenset, tuple: tuple, abc.Set: (set, frozenset),
    abc.Sequence: (list, tuple), abc.Iterable: _ANY_ITEMS, abc.Collection: _ANY_ITEMS,
}  # fmt: skip


def field_types(kind: Any) -> Iterator[Any]:
    """Yield the declared types of the fields of a dataclass or named tuple, in order."""
    names = [one.name for one in fields(kind)] if is_dataclass(kind) else kind._fields
    for name in names:
        owner = next(base for base in kind.__mro__ if name in vars(base).get("__annotations__", {}))
        yield _resolved(vars(owner)["__annotations__"][name], owner.__module__)


def _resolved(declared: object, module: str) -> Any:
    """Return the type that an annotation of this module stands for; an annotation that is a text is evaluated."""
    text = declared.__forward_arg__ if isinstance(declared, ForwardRef) else declared
    return eval(text, {}, _Names(module)) if isinstance(text, str) else text


class _Names(dict[str, object]):
    """The names of a module. A name that the module lacks stands for an unknown class of that name."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self._module = vars(sys.modules[module])

    def __missing__(self, name: str) -> object:
        """Return the object of this name in the module or in builtins, else a new class of this name."""
        if name in self._module:
            found = self._module[name]
            return _resolved(found, self._module["__name__"]) if isinstance(found, str) else found
        return vars(builtins)[name] if hasattr(builtins, name) else type(name, (_Unknown,), {})


class _Unknown:
    """Base of placeholders for classes that are not imported."""


def check_of(declared: object) -> Check:
    """Return a predicate that tells whether a value has the declared type.

    An int fits ``float``, but a bool fits neither ``float`` nor ``int``. A list or a tuple fits ``Sequence``; only a
    dict fits ``Mapping``. The items of containers are checked, too, if their types are declared.

    Raises:
        TypeError: messages can not contain such a type.
    """
    origin, inside = get_origin(declared), get_args(declared)
    if declared is Any or declared is object or isinstance(declared, TypeVar):
        return lambda value: True
    if origin in (typing.Union, types.UnionType):
        checks = [check_of(one) for one in inside]
        return lambda value: any(check(value) for check in checks)
    if origin is Literal:
        return lambda value: any(type(value) is type(one) and value == one for one in inside)
    if origin is tuple:
        return _check_of_tuple(inside)
    if origin is dict or origin is abc.Mapping:
        keys, values = (check_of(one) for one in inside)
        return lambda value: type(value) is dict and all(map(keys, value)) and all(map(values, value.values()))
    if origin in _ITEMS:
        kinds: Any = _ITEMS[origin]
        items = _check_of_all(inside[0])
        return lambda value: isinstance(value, kinds) and items(value)
    if origin is not None or not isinstance(declared, type | None):
        raise TypeError(f"{declared} is no type of what is sent")
    return _check_of_class(type(None) if declared is None else declared)


def _check_of_class(kind: type) -> Check:
    """Return the predicate for a class without type arguments."""
    if issubclass(kind, _Unknown):
        return lambda value: any(base.__name__ == kind.__name__ for base in type(value).__mro__)
    if kind is float:
        return lambda value: type(value) in (float, int)
    if kind is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    kinds = _ITEMS.get(kind, kind)
    return lambda value: isinstance(value, kinds)


def _check_of_all(item: object) -> Callable[[Iterable[object]], bool]:
    """Return a predicate that tells whether all items have the type.

    For int, str and bool, it only compares classes: instances of subclasses do not fit.
    """
    check = check_of(item)
    if item in (int, str, bool):
        return lambda values: set(map(type, values)) <= {item}
    return lambda values: all(map(check, values))


def _check_of_tuple(inside: tuple[object, ...]) -> Check:
    """Return the predicate for ``tuple[...]`` with these type arguments."""
    if len(inside) == 2 and inside[1] is Ellipsis:
        items = _check_of_all(inside[0])
        return lambda value: isinstance(value, tuple) and items(value)
    checks = [check_of(one) for one in inside if one != ()]
    return lambda value: (isinstance(value, tuple) and len(value) == len(checks)
                          and all(check(part) for check, part in zip(checks, value, strict=True)))  # fmt: skip
