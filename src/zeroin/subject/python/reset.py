"""Put back what a run has left in the variables of modules and classes, so that the same input does the same again."""

from __future__ import annotations

import copy
import dis
import functools
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .load.modules import Module

Owner = ModuleType | type
_PLAIN = (int, float, complex, str, bytes, tuple, frozenset, type(None))
_MOST = 1000  # items of a container that are kept


class Reset:
    """Remembers the variables of the modules and of their classes: plain values, and the items of dicts, lists and
    sets. Caches of :mod:`functools` are emptied. Of modules that they import, it knows what the functions assign to.

    Attributes:
        touched: the variables that had to be put back, by name.
    """

    def __init__(self, modules: Sequence[Module], functions: Sequence[FunctionType]) -> None:
        self.touched: dict[str, None] = {}
        self._modules = modules
        self._foreign = list(self._assigned({name for f in functions for name in _attributes_set(f.__code__)}))
        self._plain: list[tuple[str, Owner, str, Any]] = []
        self._containers: list[tuple[str, Any, Any]] = []
        self._caches: list[Any] = []
        for where, owner, name, value in self._variables():
            if hasattr(value, "cache_clear") and hasattr(value, "cache_info"):
                self._caches.append(value)
            if isinstance(value, _PLAIN):
                self._plain.append((where, owner, name, value))
            elif type(value) in (dict, list, set) and len(value) <= _MOST:
                self._containers.append((where, value, copy.copy(value)))

    def __call__(self) -> None:
        for where, owner, name, value in self._plain:
            if vars(owner).get(name) is not value:
                _put(owner, name, value)
                self.touched[where] = None
        for where, container, items in self._containers:
            if len(container) != len(items) or not _same_items(container, items):
                container.clear()
                container.extend(items) if isinstance(container, list) else container.update(items)
                self.touched[where] = None
        for cache in self._caches:
            cache.cache_clear()

    def after(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function; where it may change other modules, which all of this process uses, they are put in order as
        soon as it ends."""
        if not self._foreign:
            return function

        @functools.wraps(function)
        def called(*arguments: Any, **named: Any) -> Any:
            try:
                return function(*arguments, **named)
            finally:
                for where, owner, name, value in self._foreign:
                    if vars(owner).get(name) is not value:
                        _put(owner, name, value)
                        self.touched[where] = None

        return called

    def _assigned(self, names: set[str]) -> Iterator[tuple[str, Owner, str, Any]]:
        """The variables of other modules that have these names."""
        own = [module.module for module in self._modules]
        values = [value for module in own for value in vars(module).values()]
        for other in {id(value): value for value in values if isinstance(value, ModuleType)}.values():
            if other not in own:
                for name in names & vars(other).keys():
                    yield f"{other.__name__}.{name}", other, name, vars(other)[name]

    def _variables(self) -> Iterator[tuple[str, Owner, str, Any]]:
        for module in self._modules:
            home = module.module.__name__
            classes = {id(value): value for value in vars(module.module).values() if isinstance(value, type)}
            own = [c for c in classes.values() if c.__module__ == home and not issubclass(c, Enum)]
            owners: list[tuple[Owner, str]] = [(module.module, home), *((c, f"{home}.{c.__name__}") for c in own)]
            for owner, where in owners:
                for name, value in list(vars(owner).items()):
                    if not name.startswith("__"):
                        yield f"{where}.{name}", owner, name, value


def _put(owner: Owner, name: str, value: Any) -> None:
    if isinstance(owner, type):
        type.__setattr__(owner, name, value)  # its metaclass may have views of its own
    else:
        vars(owner)[name] = value


def _same_items(one: Any, other: Any) -> bool:
    """Whether the items are the same objects."""
    if isinstance(one, dict):
        return all(key in other and other[key] is value for key, value in one.items())
    return one == other if isinstance(one, set) else all(a is b for a, b in zip(one, other, strict=True))


_SETTING = [dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"]]


def _attributes_set(code: CodeType) -> Iterator[str]:
    """The names of attributes that code assigns to or deletes, and what it may give to ``setattr`` as a name."""
    if any(opcode in code.co_code[::2] for opcode in _SETTING):
        for instruction in dis.get_instructions(code):
            if instruction.opcode in _SETTING:
                yield instruction.argval
    named = "setattr" in code.co_names or "delattr" in code.co_names
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _attributes_set(value)
        elif named and isinstance(value, str):
            yield value
