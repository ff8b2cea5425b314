"""What of Python functions can be compiled: whatever Numba would not do as CPython does is refused here."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any

from .....errors import TargetError
from ...front.code import ModuleSource
from ..probes.source import Function

_REFUSED = {
    ast.Try: "a try statement", ast.TryStar: "a try statement", ast.With: "a with statement",
    ast.Match: "a match statement", ast.Global: "a global variable that changes",
    ast.Nonlocal: "an outer variable that changes", ast.Delete: "a del statement", ast.Yield: "a yield",
    ast.YieldFrom: "a yield", ast.Await: "an await", ast.Import: "an import", ast.ImportFrom: "an import",
    ast.ClassDef: "a class", ast.JoinedStr: "text that is made",
}  # fmt: skip


class NotNative(Exception):
    """The function can not be compiled; says why."""


def refuse(node: ast.AST, what: str) -> NotNative:
    return NotNative(f"line {getattr(node, 'lineno', '?')}: {what}")


# ---- which functions ----


def helpers(functions: Sequence[Function], namespace: Mapping[str, Any]) -> list[Function]:
    """The functions that the given ones call and that have no probes."""
    found: list[Function] = list(functions)
    names = {function.name for function in functions}
    file = functions[0].source.file
    nodes = None
    for function in found:
        _compilable(function, file, namespace)
        for name, where in _called(function.node).items():
            value = _undecorated(namespace.get(name))
            if name in names or not isinstance(value, FunctionType):
                continue
            code = value.__code__
            nodes = nodes if nodes is not None else _nodes(file)
            node = next((node for key, node in nodes.items() if key[:2] == (name, code.co_firstlineno)), None)
            if code.co_filename != file or code.co_qualname != name or node is None:
                raise refuse(where, f"{name} is not a function that this file defines under that name")
            names.add(name)
            found.append(Function(name, node, functions[0].source))
    return found[len(functions) :]


def _nodes(file: str) -> Mapping[Any, Any]:
    try:
        return ModuleSource.read(file).nodes()
    except TargetError as error:
        raise NotNative(str(error)) from error


def _called(node: ast.AST) -> dict[str, ast.Call]:
    return {n.func.id: n for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}


def _undecorated(value: object) -> object:
    return value.__wrapped__ if isinstance(value, functools._lru_cache_wrapper) else value


def _compilable(function: Function, file: str, namespace: Mapping[str, object]) -> None:
    node = function.node
    if isinstance(node, ast.Lambda):
        raise refuse(node, "a lambda")
    if not isinstance(node, ast.FunctionDef):
        raise refuse(node, f"{function.name} is a coroutine")
    if function.source.file != file:
        raise NotNative(f"{function.name} is in another file")
    if "." in function.name:
        raise NotNative(f"{function.name} is a method or an inner function")
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        known = resolve(called, namespace)
        if known not in (functools.lru_cache, functools.cache) and not _home(known).startswith("numba."):
            raise refuse(node, f"{function.name} is decorated")


def _home(value: object) -> str:
    return str(getattr(value, "__module__", ""))


def refuse_recursion(functions: Sequence[Function]) -> None:
    """Native code would run out of stack, and not notice."""
    calls = {function.name: set(_called(function.node)) for function in functions}
    for name in calls:
        reached: set[str] = set()
        todo = [name]
        while todo:
            new = calls[todo.pop()] & set(calls) - reached
            reached |= new
            todo += new
        if name in reached:
            raise NotNative(f"{name} calls itself")


def resolve(function: ast.expr, namespace: Mapping[str, object]) -> object:
    """What a name, or an attribute of a module, stands for."""
    if isinstance(function, ast.Name):
        return namespace.get(function.id, getattr(builtins, function.id, None))
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return getattr(namespace.get(function.value.id), function.attr, None)
    return None


# ---- what is in them ----


def _statements(transformer: ast.NodeTransformer, nodes: list[ast.stmt]) -> list[ast.stmt]:
    result: list[ast.stmt] = []
    for node in nodes:
        new = transformer.visit(node)
        result += new if isinstance(new, list) else [new]
    return result


class _Messages(ast.NodeTransformer):
    """Leaves out what is not evaluated, or only for a message."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit_Raise(self, node: ast.Raise) -> ast.Raise:
        return ast.copy_location(ast.Raise(None, None), node)

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:
        node.msg = None
        return node


class _ReturnNothing(ast.NodeTransformer):
    """The value of the target is not wanted, and need not have one type. What it raises on purpose may as well be
    returned: Numba does not free what a function had that raises."""

    def visit_Raise(self, node: ast.Raise) -> ast.stmt:
        return ast.copy_location(ast.Return(ast.copy_location(ast.Constant(0.0), node)), node)

    def visit_Try(self, node: ast.Try) -> ast.Try:
        return node

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        end: ast.stmt = ast.copy_location(ast.Return(ast.copy_location(ast.Constant(0.0), node)), node)
        if isinstance(node.value, ast.JoinedStr):  # what is shown in it is evaluated, the text is not made
            shown = [part.value for part in node.value.values if isinstance(part, ast.FormattedValue)]
            return [*(ast.copy_location(ast.Expr(value), node) for value in shown), end]
        if node.value is None or isinstance(node.value, ast.Constant):
            return [end]
        return [ast.copy_location(ast.Expr(node.value), node), end]

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


def plain(function: Function, result: bool) -> ast.FunctionDef:
    """The function without annotations, decorators and what is there for messages only.

    Args:
        function: it is changed.
        result: whether its result is wanted; if not, it need not have one type.

    Raises:
        NotNative: names the line of what can not be compiled.
    """
    node = function.node
    assert isinstance(node, ast.FunctionDef)
    node.body = _statements(_Messages(), node.body)
    if not result:
        node.body = _statements(_ReturnNothing(), node.body)
    for part in ast.walk(node):
        if type(part) in _REFUSED:
            raise refuse(part, _REFUSED[type(part)])
    _Assigned(node)
    node.decorator_list, node.returns = [], None
    for argument in [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]:
        argument.annotation = None
    return ast.fix_missing_locations(node)


class _Assigned:
    """Refuses variables that are read where they may have no value: native code would go on with any.

    The methods take the variables that surely have a value, and return those that have one after it; None where
    nothing comes after it.
    """

    def __init__(self, function: ast.FunctionDef) -> None:
        stored = (n for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self._local = {n.id for n in stored}
        self._ends: list[tuple[list[set[str]], list[set[str]]]] = []
        arguments = {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)}
        self._block(function.body, arguments)

    def _block(self, nodes: Sequence[ast.stmt], have: set[str] | None) -> set[str] | None:
        for node in nodes:
            if have is None:
                return None
            have = self._statement(node, have)
        return have

    def _statement(self, node: ast.stmt, have: set[str]) -> set[str] | None:
        if isinstance(node, ast.If):
            have = self._read(node.test, have)
            return _both(self._block(node.body, set(have)), self._block(node.orelse, set(have)))
        if isinstance(node, ast.While | ast.For):
            return self._loop(node, have)
        if isinstance(node, ast.Break | ast.Continue):
            self._ends[-1][isinstance(node, ast.Continue)].append(have)
            return None
        if isinstance(node, ast.FunctionDef):
            return have | {node.name}
        have = self._read(node, have)
        return None if isinstance(node, ast.Return | ast.Raise) else have

    def _loop(self, node: ast.While | ast.For, have: set[str]) -> set[str] | None:
        if isinstance(node, ast.While):
            before: set[str] | None = self._read(node.test, have)
            endless = isinstance(node.test, ast.Constant) and bool(node.test.value)
        else:
            before, endless = self._read(node.iter, have), False
        self._ends.append(([], []))
        target = self._read(node.target, set(before or ())) if isinstance(node, ast.For) else set(before or ())
        turned = self._block(node.body, target)
        broken, continued = self._ends.pop()
        for end in continued:
            turned = _both(turned, end)
        if isinstance(node, ast.For) and _has_a_turn(node.iter):
            before = turned
        after = None if endless or before is None else self._block(node.orelse, before)
        for end in broken:
            after = _both(after, end)
        return after

    def _read(self, node: ast.AST, have: set[str]) -> set[str]:
        """What a simple statement or an expression reads and stores, the right side of an assignment first."""
        if isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            own = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            own |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
            for child in ast.walk(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
                    self._name(child, have | own)
            return have
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                self._name(node, have)
            return have | {node.id} if isinstance(node.ctx, ast.Store) else have
        children = list(ast.iter_child_nodes(node))
        if isinstance(node, ast.BoolOp | ast.IfExp):
            first = node.values[0] if isinstance(node, ast.BoolOp) else node.test
            have = self._read(first, have)
            for child in children:
                if child is not first:
                    self._read(child, have)
            return have
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self._name(node.target, have)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.NamedExpr):
            children = [node.value, *(child for child in children if child is not node.value)]
        for child in children:
            have = self._read(child, have)
        return have

    def _name(self, node: ast.Name, have: set[str]) -> None:
        if node.id in self._local and node.id not in have:
            raise refuse(node, f"{node.id} may have no value yet")


def _both(one: set[str] | None, other: set[str] | None) -> set[str] | None:
    return one if other is None else other if one is None else one & other


def _has_a_turn(iterable: ast.expr) -> bool:
    """``range(7)``"""
    if not (isinstance(iterable, ast.Call) and getattr(iterable.func, "id", "") == "range" and len(iterable.args) == 1):
        return False
    count = iterable.args[0]
    return isinstance(count, ast.Constant) and isinstance(count.value, int) and count.value > 0
