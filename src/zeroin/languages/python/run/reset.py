"""Restore variables, and the contents of their values, between runs, so that equal inputs behave equally."""

from __future__ import annotations

import copy
import dis
import functools
import os
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from operator import is_
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

from ..front.code import globals_in
from ..front.modules import Module
from .kept_state import around, content
from .reachable_names import names_used

Owner = ModuleType | type
_PLAIN = (int, float, complex, str, bytes, tuple, frozenset, type(None))
_DICTS, _LISTS = (dict, defaultdict, OrderedDict, Counter), (list, deque, bytearray)
_MOST, _DEEPEST = 100_000, 8  # objects that are remembered; levels of nested containers
_RARELY = 256  # runs after which all the remembered contents are compared


class Reset:
    """Remembers the state that the functions under test can reach, and restores it between runs.

    The state consists of variables of the modules and their classes, default arguments and variables of enclosing
    functions. It includes the items of containers, and the attributes of objects whose classes the modules define.
    Caches of :mod:`functools` are emptied. In imported modules, only variables that the functions assign to count.

    Comparing everything is slow, and most tables never change. So only state that has changed before is restored
    before every run of a search. All of it is compared before each run whose result the user sees, and now and then.

    The constructor remembers the state. New variables of modules and classes are not removed. Contents nested more than
    8 levels deep, and all after the first 100,000 objects, are not restored.

    Args:
        modules: the modules of the code under test.
        functions: the functions whose code is examined for the names that they use.
        sandboxed: whether a sandbox chooses the working folder of each run.

    Attributes:
        touched: the names of the variables that had to be restored (a dictionary used as an ordered set).
    """

    def __init__(self, modules: Sequence[Module], functions: Sequence[FunctionType], sandboxed: bool = False) -> None:
        self.touched: dict[str, None] = {}
        self._modules, self._runs = modules, 0
        self._foreign = list(self._assigned({name for f in functions for name in _attributes_set(f.__code__)}))
        self._names = names_used(modules, functions)
        self._own = {module.module.__name__ for module in modules}
        self._plain: list[tuple[str, Owner, str, object]] = []
        self._contents: list[tuple[str, object, object]] = []
        self._changing: dict[int, tuple[str, object, object]] = {}
        self._cells: list[tuple[str, CellType, object]] = []
        self._caches: list[Any] = []
        self._kept: dict[int, object] = {}
        assigned = {name for f in functions for name in globals_in(f.__code__, "STORE_GLOBAL", "DELETE_GLOBAL")}
        for where, owner, name, value in self._variables():
            if _is_cache(value):
                self._caches.append(value)
            if name in assigned or not isinstance(value, ModuleType | type | FunctionType):
                self._plain.append((where, owner, name, value))
            self._keep(where, value)
        for function in functions:
            self._keep(f"{function.__qualname__}'s defaults", (*(function.__defaults__ or ()),
                                                               *(function.__kwdefaults__ or {}).values()))  # fmt: skip
            for name, cell, value in around(function):
                self._cells.append((f"{function.__qualname__}.{name}", cell, value))
                self._keep(f"{function.__qualname__}.{name}", value)
            self._keep(function.__qualname__, vars(function))
        self._surroundings = _Surroundings(self._names, sandboxed)

    def _keep(self, where: str, value: Any, depth: int = 0) -> None:
        """Remember the contents of a value, and of the values inside it."""
        if id(value) in self._kept or depth > _DEEPEST or len(self._kept) > _MOST:
            return
        kind = type(value)
        attributes = getattr(value, "__dict__", None) if kind.__module__ in self._own else None
        if type(attributes) is dict and not isinstance(value, Enum):
            self._kept[id(value)] = value
            value, kind = attributes, dict
        if kind in (*_DICTS, *_LISTS, set) or _is_array(value):
            self._kept[id(value)] = value
            self._contents.append((where, value, copy.copy(value)))
        if kind in _DICTS or kind in (list, deque, tuple):
            for part in [*value.values()] if kind in _DICTS else [*value]:
                if not isinstance(part, int | float | str):
                    self._keep(where, part, depth + 1)

    def __call__(self) -> None:
        """Restore the state that is known to change. Call it before a run of a search.

        At every 256th call, and at those whose number is a power of 2, it restores all the state.
        """
        self._runs += 1
        if self._runs % _RARELY == 0 or not self._runs & (self._runs - 1):
            self.thoroughly()
            return
        self._put_back_variables()
        for entry in self._changing.values():
            self._put_back(*entry)

    def thoroughly(self) -> None:
        """Restore all the state, with the environment and the working folder if the functions may change these.

        Call it before a run whose result the user sees.
        """
        self._put_back_variables()
        for number, entry in enumerate(self._contents):
            if self._put_back(*entry):
                self._changing[number] = entry
        for where in self._surroundings.put_back():
            self.touched[where] = None

    def quietly(self) -> None:
        """Restore all the state, but leave ``touched`` as it is. Call it after auxiliary runs (trials of types)."""
        touched = dict(self.touched)
        self.thoroughly()
        self.touched = touched

    def _put_back_variables(self) -> None:
        """Restore variables of modules, classes and enclosing functions, and empty the caches.

        The contents of the variables' values stay as they are.
        """
        for where, owner, name, value in self._plain:
            if vars(owner).get(name) is not value:
                _put(owner, name, value)
                self.touched[where] = None
        for where, cell, value in self._cells:
            if content(cell) is not value:
                cell.cell_contents = value
                self.touched[where] = None
        for cache in self._caches:
            cache.cache_clear()

    def _put_back(self, where: str, container: Any, items: Any) -> bool:
        """Restore the items of a container from their copy; return whether they had changed."""
        if _is_as(container, items):
            return False
        if _is_array(container):
            container[...] = items
        elif isinstance(container, list | bytearray):
            container[:] = items
        else:
            container.clear()
            (container.extend if isinstance(container, deque) else container.update)(items)
        self.touched[where] = None
        return True

    def after(self, function: Callable[..., object]) -> Callable[..., object]:
        """Wrap a function so that it restores variables of foreign modules as soon as a call ends.

        All code in this process shares these modules. If the functions under test assign to none of their variables,
        the function is returned as is.
        """
        if not self._foreign:
            return function

        @functools.wraps(function)
        def called(*arguments: object, **named: object) -> object:
            try:
                return function(*arguments, **named)
            finally:
                for where, owner, name, value in self._foreign:
                    if vars(owner).get(name) is not value:
                        _put(owner, name, value)
                        self.touched[where] = None

        return called

    def _assigned(self, names: set[str]) -> Iterator[tuple[str, Owner, str, object]]:
        """Yield the variables of imported modules that have one of these names: full name, module, name, value."""
        own = [module.module for module in self._modules]
        values = [value for module in own for value in vars(module).values()]
        for other in {id(value): value for value in values if isinstance(value, ModuleType)}.values():
            if other not in own:
                for name in names & vars(other).keys():
                    yield f"{other.__name__}.{name}", other, name, vars(other)[name]

    def _variables(self) -> Iterator[tuple[str, Owner, str, object]]:
        """Yield the variables of the modules and of their classes: full name, module or class, name, value.

        Names with ``__`` in front, and those that the functions do not use, are left out.
        """
        for module in self._modules:
            home = module.module.__name__
            classes = {id(value): value for value in vars(module.module).values() if isinstance(value, type)}
            own = [c for c in classes.values() if c.__module__ == home and not issubclass(c, Enum)]
            owners: list[tuple[Owner, str]] = [(module.module, home), *((c, f"{home}.{c.__name__}") for c in own)]
            for owner, where in owners:
                for name, value in list(vars(owner).items()):
                    if not name.startswith("__") and (self._names is None or name in self._names):
                        yield f"{where}.{name}", owner, name, value


def _is_cache(value: object) -> bool:
    """Whether a function remembers its results, as ``functools.lru_cache`` makes it."""
    kind = type(value)
    return not isinstance(value, type) and kind.__module__ == "functools" and hasattr(kind, "cache_clear")


def _put(owner: Owner, name: str, value: object) -> None:
    """Set a variable of a module or a class, past any ``__setattr__`` of the user."""
    if isinstance(owner, type):
        type.__setattr__(owner, name, value)  # a metaclass may define another ``__setattr__``
    else:
        vars(owner)[name] = value


def _is_as(one: Any, other: Any) -> bool:
    """Whether a container holds the same objects as its copy, in the same order.

    Sets, bytearrays and arrays of numbers are compared by value. An array of objects always counts as unchanged.
    """
    if _is_array(one):
        return bool(one.dtype == object or one.tobytes() == other.tobytes())
    if len(one) != len(other):
        return False
    if isinstance(one, dict):
        return all(map(is_, one, other)) and all(map(is_, one.values(), other.values()))
    return bool(one == other) if isinstance(one, set | bytearray) else all(map(is_, one, other))


def _is_array(value: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and type(value) is numpy.ndarray


class _Surroundings:
    """Remembers the environment and the working folder, if the functions may change them.

    Args:
        names: the names that the functions use; None if they may use any name.
        sandboxed: whether a sandbox chooses the working folder of each run.
    """

    def __init__(self, names: frozenset[str] | None, sandboxed: bool) -> None:
        self._environment = dict(os.environ) if names is None or names & {"environ", "putenv", "unsetenv"} else None
        moves = not sandboxed and (names is None or names & {"chdir", "fchdir"})
        self._folder = os.getcwd() if moves else None

    def put_back(self) -> Iterator[str]:
        """Restore both, and yield the name of each that had changed. This happens only as the iterator is consumed."""
        if self._environment is not None and dict(os.environ) != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
            yield "os.environ"
        if self._folder is not None and os.getcwd() != self._folder:
            os.chdir(self._folder)
            yield "the working folder"


_SETTING = [dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"]]


def _attributes_set(code: CodeType) -> Iterator[str]:
    """Yield the names of attributes that code assigns or deletes.

    If the code uses ``setattr`` or ``delattr``, each of its string constants may be such a name.
    """
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
