"""Collect the names of variables that some functions, and the functions that they may call, can use."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType, FunctionType

from ..front.code import unwrapped
from ..front.modules import Module

# Code that uses one of these names may reach any variable.
_ANYTHING = frozenset(("globals", "vars", "getattr", "setattr", "delattr", "exec", "eval", "locals", "__dict__",
                       "import_module", "attrgetter", "modules"))  # fmt: skip


def names_used(modules: Sequence[Module], functions: Iterable[FunctionType]) -> frozenset[str] | None:
    """Return the names of variables, attributes and methods that functions and their possible callees use.

    A possible callee is a function of the modules whose name is used. None: the code may use any name.
    """
    known = dict[str, list[FunctionType]]()
    todo = list(functions)
    for name, function in _known(modules):
        known.setdefault(name, []).append(function)
        if name.startswith("__"):  # special methods are called without their names
            todo.append(function)
    found, seen = set[str](), set[CodeType]()
    while todo:
        for code in _codes(todo.pop().__code__):
            if code not in seen:
                seen.add(code)
                new = {*code.co_names, *code.co_freevars} - found
                if new & _ANYTHING:
                    return None
                found |= new
                todo += [function for name in new for function in known.get(name, ())]
    return frozenset(found)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of the functions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _known(modules: Sequence[Module]) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of modules with their names. A method comes with its own name and with that of its class."""
    for module in modules:
        for name, value in list(vars(module.module).items()):
            if isinstance(value, type) and value.__module__ == module.module.__name__:
                for member, inside in list(vars(value).items()):
                    for function in _functions(inside):
                        yield member, function
                        yield name, function
            else:
                yield from ((name, function) for function in _functions(value))


def _functions(value: object) -> Iterator[FunctionType]:
    """Yield the Python functions inside a callable, a property, or a table of functions; none for other values."""
    if callable(value) or isinstance(value, property | staticmethod | classmethod):
        yield from unwrapped(value)
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            if inspect.isfunction(part):
                yield from unwrapped(part)
