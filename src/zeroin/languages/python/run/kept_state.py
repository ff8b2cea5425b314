"""Detect whether runs change state that lives longer than a call.

Such state is in variables of modules, classes, objects and enclosing functions, and in default arguments.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from types import CellType, FunctionType, ModuleType

from ..front.modules import Module
from ..values.snapshots import Snapshot, same, snapshot


class StateMonitor:
    """Remembers the state of some modules, and reports later which variables runs have changed.

    It compares snapshots, which are values as data.

    It sees the attributes of objects whose classes the modules define, but not the objects that these refer to. It
    ignores variables that hold functions, modules or foreign classes, and values that can not be written as source.

    Args:
        modules: the modules of the code under test.
        functions: the functions under test; their defaults, attributes and enclosing variables belong to the state.
    """

    def __init__(self, modules: Sequence[Module], functions: Sequence[FunctionType]) -> None:
        self._modules, self._functions = modules, functions
        self._names = {module.module.__name__ for module in modules}
        self._before = dict(self._variables())
        self._threads = threading.active_count()

    def changed(self) -> list[str]:
        """Return the names of the variables whose values are different now than when this object was made.

        Variables that are gone count, and so do new ones, which come last. A name is like ``module.variable``.
        """
        now = dict(self._variables())
        names = [name for name, value in self._before.items() if name not in now or not same(value, now[name])]
        return names + [name for name in now if name not in self._before]

    def threads(self) -> int:
        """Return how many more threads run now than at the beginning; 0 if there are fewer."""
        return max(0, threading.active_count() - self._threads)

    def _variables(self) -> Iterator[tuple[str, Snapshot]]:
        """Yield names and snapshots of all variables in the state; see the class."""
        for module in self._modules:
            home = module.module.__name__
            yield from _snapshots(home, vars(module.module))
            for name, value in list(vars(module.module).items()):
                own = value.__module__ == home if isinstance(value, type) else type(value).__module__ in self._names
                if own and hasattr(value, "__dict__") and not _is_enumeration(value):
                    yield from _snapshots(f"{home}.{name}", vars(value))
        for function in self._functions:
            defaults = {f"default {n}": v for n, v in enumerate(function.__defaults__ or ())}
            defaults |= {f"default of {n}": v for n, v in (function.__kwdefaults__ or {}).items()}
            yield from _snapshots(function.__qualname__, {**defaults, **_outer(function), **vars(function)})


def _is_enumeration(value: object) -> bool:
    """Whether a value is an enumeration class, which caches members and combined flags in its own attributes."""
    return isinstance(value, type) and issubclass(value, Enum)


def _outer(function: FunctionType) -> dict[str, object]:
    """Return the variables of enclosing functions that an inner function uses."""
    return {name: value for name, _, value in around(function)}


def around(function: FunctionType) -> Iterator[tuple[str, CellType, object]]:
    """Yield the name, cell and value of each variable of enclosing functions that has a value."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        if (value := content(cell)) is not EMPTY:
            yield name, cell, value


EMPTY = object()


def content(cell: CellType) -> object:
    """Return the value in a cell; EMPTY if the variable is unbound."""
    try:
        return cell.cell_contents
    except ValueError:
        return EMPTY


def _snapshots(where: str, variables: Mapping[str, object]) -> Iterator[tuple[str, Snapshot]]:
    """Yield names and snapshots of variables, except functions, modules, classes and values without source."""
    for name, value in list(variables.items()):
        if not (name.startswith("__") or isinstance(value, ModuleType | type | FunctionType)):
            seen = snapshot(value)
            if seen.has_source:
                yield f"{where}.{name}", seen
