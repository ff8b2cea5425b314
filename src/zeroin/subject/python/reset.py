"""Put back what a run has left in the variables of modules, so that the same input does the same again."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from .load.modules import Module

_PLAIN = (int, float, complex, str, bytes, tuple, frozenset, type(None))
_MOST = 1000  # items of a container that are kept


class Reset:
    """Remembers the modules' variables: plain values, and the items of dicts, lists and sets. Caches of
    :mod:`functools` are emptied.

    Attributes:
        touched: the variables that had to be put back, by name.
    """

    def __init__(self, modules: Sequence[Module]) -> None:
        self.touched: dict[str, None] = {}
        self._modules = modules
        self._plain: list[tuple[str, dict[str, Any], str, Any]] = []
        self._containers: list[tuple[str, Any, Any]] = []
        for where, variables, name, value in self._variables():
            if isinstance(value, _PLAIN):
                self._plain.append((where, variables, name, value))
            elif type(value) in (dict, list, set) and len(value) <= _MOST:
                self._containers.append((where, value, copy.copy(value)))

    def __call__(self) -> None:
        for where, variables, name, value in self._plain:
            if variables.get(name) is not value:
                variables[name] = value
                self.touched[where] = None
        for where, container, items in self._containers:
            if len(container) != len(items) or not _same_items(container, items):
                container.clear()
                container.extend(items) if isinstance(container, list) else container.update(items)
                self.touched[where] = None
        for _, _, _, value in self._variables():
            if hasattr(value, "cache_clear") and hasattr(value, "cache_info"):
                value.cache_clear()

    def _variables(self) -> Iterator[tuple[str, dict[str, Any], str, Any]]:
        for module in self._modules:
            variables = vars(module.module)
            for name, value in list(variables.items()):
                if not name.startswith("__"):
                    yield f"{module.module.__name__}.{name}", variables, name, value


def _same_items(one: Any, other: Any) -> bool:
    """Whether the items are the same objects."""
    if isinstance(one, dict):
        return all(key in other and other[key] is value for key, value in one.items())
    return one == other if isinstance(one, set) else all(a is b for a, b in zip(one, other, strict=True))
