"""The call graph: which functions of the loaded modules a function calls.

Names are resolved to objects. Calls of methods are resolved by the class of the object, as far as it is known.
"""

from __future__ import annotations

import ast
import inspect
import typing
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import FunctionType, ModuleType, NoneType, UnionType
from typing import Any

from .code import LocatedFunction, unwrapped
from .inference.operators import Use, uses_of
from .type_hints import hints_of

_LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.DictComp,
             ast.SetComp, ast.Compare)  # fmt: skip
_UNKNOWN = object()
_DISPLAYED: Mapping[type[ast.AST], type] = {
    ast.List: list, ast.ListComp: list, ast.Tuple: tuple, ast.Dict: dict, ast.DictComp: dict, ast.Set: set,
    ast.SetComp: set, ast.JoinedStr: str,
}  # fmt: skip
# An operation on two values of one of these classes makes a third.
_CONTAINERS: set[type | None] = {list, tuple, dict, set}


def callees(start: Sequence[LocatedFunction], placed: Sequence[LocatedFunction]) -> list[LocatedFunction]:
    """Return the functions that the given ones call, directly or indirectly; the given ones come first.

    If the class of an object is unknown, a call of a method counts all methods with this name. Otherwise, it counts
    those of related classes. A function that is nested in one of the results is left out, as it is a part of that.

    Args:
        start: the functions to start from.
        placed: all functions that a call can be resolved to, see :class:`.code.LocatedFunction`.

    Returns:
        A new list, without repetitions, the nearest first.
    """
    calls, result = _Calls(placed), list(start)
    for one in result:
        for callee in calls.of(one):
            known = any(callee.described.node is other.described.node for other in result)
            if not known and not _inside(callee, result):
                result.append(callee)
    return result


def _inside(function: LocatedFunction, others: Sequence[LocatedFunction]) -> bool:
    """Whether a function is nested in one of the others."""
    return any(node is function.described.node for other in others for node in ast.walk(other.described.node))


class _Calls:
    """Finds the functions that a function calls.

    Args:
        placed: all functions that a call can be resolved to.
    """

    def __init__(self, placed: Sequence[LocatedFunction]) -> None:
        self._placed = {one.function: one for one in placed}

    @cached_property
    def _methods(self) -> dict[str, list[tuple[type, LocatedFunction]]]:
        """The methods by name, each with its class."""
        found: dict[str, list[tuple[type, LocatedFunction]]] = {}
        for one in self._placed.values():
            owner = owner_of(one.function)
            if owner is not None:
                found.setdefault(one.function.__name__, []).append((owner, one))
        return found

    def of(self, one: LocatedFunction) -> Iterator[LocatedFunction]:
        """Yield the functions that a function calls or mentions by name, directly; some may come several times.

        Operators call methods, too, if the operand's class is known. A table of functions stands for all its entries.
        If a method of an object of unknown class is called or passed on, all methods of that name are yielded. A class
        that is called yields nothing.
        """
        scope = _Scope(one)
        body = one.described.node.body
        nodes = [node for part in (body if isinstance(body, list) else [body]) for node in ast.walk(part)]
        handed = {id(node) for call in nodes if isinstance(call, ast.Call)
                  for node in (call.func, *call.args, *(k.value for k in call.keywords))}  # fmt: skip
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                yield from self._behind(scope.value(node))
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
                yield from self._attribute(node, scope, id(node) in handed)
            for uses in uses_of(node):
                yield from self._operation(uses, scope)

    def _operation(self, uses: Sequence[Use], scope: _Scope) -> Iterator[LocatedFunction]:
        """Yield the methods that one operation calls; ``uses`` is an item of :func:`.inference.operators.uses_of`."""
        for operand, name in uses:
            methods = [_UNKNOWN if scope.is_class(operand) else _own_method(one, name)
                       for one in scope.classes_of(operand)]  # fmt: skip
            for method in methods:
                yield from self._behind(method)
            if methods and _UNKNOWN not in methods:
                break

    def _attribute(self, node: ast.Attribute, scope: _Scope, is_handed: bool) -> Iterator[LocatedFunction]:
        """Yield the functions that an attribute refers to.

        Args:
            node: the attribute.
            scope: the scope of the function that contains it.
            is_handed: whether the attribute is called, or passed to a function.
        """
        base = scope.value(node.value)
        if base is not _UNKNOWN:
            yield from self._behind(_static(base if isinstance(base, ModuleType | type) else type(base), node.attr))
        elif isinstance(node.value, _LITERALS):
            return
        else:
            classes = scope.classes_of(node.value)
            known = [one for one in classes if one is not None and not _is_protocol(one)]
            for owner, method in self._methods.get(node.attr, ()):
                if len(known) == len(classes) and not any(_related(owner, one) for one in known):
                    continue
                if is_handed or isinstance(inspect.getattr_static(owner, node.attr, None), property):
                    yield method

    def _behind(self, value: object) -> Iterator[LocatedFunction]:
        """Yield the functions inside a callable, or in a table (dict, list or tuple) of callables."""
        if isinstance(value, dict | list | tuple):
            for part in value.values() if isinstance(value, dict) else value:
                if callable(part) and not isinstance(part, type):
                    yield from self._behind(part)
        elif value is not _UNKNOWN and not isinstance(value, type | ModuleType):
            for function in unwrapped(value):
                if function in self._placed:
                    yield self._placed[function]


class _Scope:
    """Resolves the names inside a function.

    Args:
        one: the function.

    Attributes:
        owner: the class of a method; None for other functions.
    """

    def __init__(self, one: LocatedFunction) -> None:
        function = self._function = one.function
        self.owner = owner_of(function)
        self._globals = function.__globals__
        self._closed = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))
        self._bound = {node.id for node in ast.walk(one.described.node)
                       if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}  # fmt: skip
        self._arguments = {node.arg for node in ast.walk(one.described.node) if isinstance(node, ast.arg)}
        self._bound |= self._arguments
        written = None if self.owner is None else inspect.getattr_static(self.owner, function.__name__, None)
        self._is_static, self._has_class = isinstance(written, staticmethod), isinstance(written, classmethod)
        self._assigned, self._otherwise = _assigned(one.described.node), frozenset(_otherwise_bound(one.described.node))
        own = one.described.node.args
        self._first = next((argument.arg for argument in (*own.posonlyargs, *own.args)), "")

    @cached_property
    def _hints(self) -> dict[str, object]:
        """The evaluated type hints of the parameters, by name."""
        return hints_of(self._function, self._arguments)[0]

    def is_self(self, node: ast.AST) -> bool:
        """Whether the expression is the object, or the class, on which the method is called (``self`` or ``cls``)."""
        named = isinstance(node, ast.Name) and node.id == self._first
        return named and self.owner is not None and not self._is_static and self._first not in self._assigned

    def is_class(self, node: ast.AST) -> bool:
        """Whether the expression is the ``cls`` of a class method."""
        return self._has_class and self.is_self(node)

    def classes_of(self, node: ast.AST, seen: frozenset[str] = frozenset()) -> Sequence[type | None]:
        """Return the possible classes of an expression's value, with None for an unknown class.

        Classes are known for ``self``, annotated parameters, calls of a class, texts and containers.

        Args:
            node: the expression.
            seen: names whose classes are being determined, against endless recursion.
        """
        if isinstance(node, ast.Call):
            called = self.value(node.func)
            return [called if isinstance(called, type) else None]
        if isinstance(node, ast.BinOp):
            alike = {*self.classes_of(node.left, seen), *self.classes_of(node.right, seen)}
            return list(alike) if len(alike) == 1 and alike <= _CONTAINERS else [None]
        if not isinstance(node, ast.Name):
            return [_DISPLAYED.get(type(node))]
        if node.id in self._otherwise:
            return [None]
        if self.is_self(node):
            return [self.owner]
        if node.id in seen:
            return []
        found = list(_classes_in(self._hints.get(node.id))) if node.id in self._arguments else []
        for made in self._assigned.get(node.id, ()):
            found += [None] if made is None else self.classes_of(made, seen | {node.id})
        return found or [None]

    def value(self, node: ast.AST) -> Any:
        """Return the object that a name, or an attribute of a known object, refers to; ``_UNKNOWN`` if not known."""
        if isinstance(node, ast.Name):
            if node.id in self._closed:
                try:
                    return self._closed[node.id].cell_contents
                except ValueError:  # the variable has no value yet
                    return _UNKNOWN
            return _UNKNOWN if node.id in self._bound else self._globals.get(node.id, _UNKNOWN)
        if isinstance(node, ast.Attribute):
            base = self.value(node.value)
            return _static(base, node.attr) if isinstance(base, ModuleType | type) else _UNKNOWN
        return _UNKNOWN


def _assigned(function: ast.AST) -> dict[str, list[ast.expr | None]]:
    """Return the expressions that are assigned to each name, with None for other bindings, such as loop variables.

    Augmented assignments are ignored: ``+=`` is taken to keep the class.
    """
    found: dict[str, list[ast.expr | None]] = {}
    whole = {id(target): node.value for node in ast.walk(function) if isinstance(node, ast.Assign)
             for target in node.targets}  # fmt: skip
    changed = {id(node.target) for node in ast.walk(function) if isinstance(node, ast.AugAssign)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in changed:
            found.setdefault(node.id, []).append(whole.get(id(node)))
    return found


def _otherwise_bound(function: ast.AST) -> Iterator[str]:
    """Yield names that inner functions have as parameters, or that ``except`` and ``match`` bind."""
    for node in ast.walk(function):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if node is not function:
                yield from (one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg))
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name


def _own_method(owner: type | None, name: str) -> object:
    """Return the method if a class in Python defines it, as ``object`` has many; else ``_UNKNOWN``, also for None."""
    found = _UNKNOWN if owner is None else _static(owner, name)
    return found if isinstance(found, FunctionType) else _UNKNOWN


def _classes_in(hint: Any) -> Sequence[type | None]:
    """Return the classes in a type hint, without that of None; None stands for a hint that is no class."""
    origin = typing.get_origin(hint)
    if origin in (typing.Union, UnionType):
        return [one for part in typing.get_args(hint) if part is not NoneType for one in _classes_in(part)]
    named = origin or hint
    is_known = isinstance(named, type) and named is not typing.Any and not issubclass(named, type)
    return [named if is_known else None]  # the argument is itself a class, which may be any


def _related(one: type, other: type) -> bool:
    """Whether one class is derived from the other, without calling hooks of the user's metaclasses."""
    return one in other.__mro__ or other in one.__mro__


def _is_protocol(one: type) -> bool:
    """Whether a class may have instances that are not derived from it."""
    return bool(getattr(one, "_is_protocol", False)) or one.__module__ == "collections.abc"


def _static(owner: object, name: str) -> object:
    """Return an attribute without running code of the user; ``_UNKNOWN`` if there is none."""
    try:
        found = inspect.getattr_static(owner, name)
    except AttributeError:
        return _UNKNOWN
    return found.__func__ if isinstance(found, staticmethod | classmethod) else found


def owner_of(function: FunctionType) -> type | None:
    """Return the class whose body defines a function; None for others, and for classes inside functions."""
    names = function.__qualname__.split(".")
    value: object = function.__globals__.get(names[0]) if len(names) > 1 else None
    for name in names[1:-1]:
        value = vars(value).get(name) if isinstance(value, type) else None
    return value if isinstance(value, type) else None
