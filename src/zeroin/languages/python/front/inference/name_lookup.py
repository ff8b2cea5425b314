"""Find the objects that names inside a function refer to."""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
from collections import ChainMap
from collections.abc import Container, Iterator
from types import FunctionType


class NameLookup:
    """Resolves the names inside one function.

    Args:
        function: the function.
        own: the local variables, which hide global ones; later changes of it count.
        node: its code, for the imports inside.
    """

    def __init__(self, function: FunctionType, own: Container[str], node: ast.AST) -> None:
        self._namespace = ChainMap(dict(_imported(node)), function.__globals__)
        self._own, self._owner = own, class_of(function)

    def value(self, node: ast.AST | None) -> object:
        """Return the object that a global name, an attribute, or a method of the same class refers to.

        None if it is not known, also for builtins.
        """
        if isinstance(node, ast.Name):
            return self._namespace.get(node.id) if node.id not in self._own else None
        if isinstance(node, ast.Attribute):
            if self.is_own(node):
                return inspect.getattr_static(self._owner, node.attr, None)
            owner = self.value(node.value)
            return vars(owner).get(node.attr) if inspect.ismodule(owner) or isinstance(owner, type) else None
        return None

    def is_own(self, node: ast.AST) -> bool:
        """Whether the expression is an attribute of ``self`` or ``cls``."""
        return (self._owner is not None and isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
                and node.value.id in ("self", "cls"))  # fmt: skip

    def classes(self, node: ast.AST) -> Iterator[type]:
        """Yield the classes in the second argument of ``isinstance``; unknown names are left out."""
        if isinstance(node, ast.Tuple):
            for one in node.elts:
                yield from self.classes(one)
        elif isinstance(node, ast.BinOp):
            yield from self.classes(node.left)
            yield from self.classes(node.right)
        elif isinstance(node, ast.Name | ast.Attribute):
            named = self.value(node)
            if named is None and isinstance(node, ast.Name):
                named = getattr(builtins, node.id, None)
            yield from (one for one in (named if isinstance(named, tuple) else (named,)) if isinstance(one, type))


def class_of(function: FunctionType) -> type | None:
    """Return the class that defines a method; None if its module has no such class, and for plain functions."""
    value: object = function.__globals__
    for name in function.__qualname__.split(".")[:-1]:
        value = (value if isinstance(value, dict) else vars(value)).get(name)
        if not isinstance(value, type):
            return None
    return value if isinstance(value, type) else None


def _imported(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Yield the names that a function imports, with the objects, if their modules are loaded."""
    for one in ast.walk(node):
        if isinstance(one, ast.Import):
            for alias in one.names:
                if (alias.asname or "." not in alias.name) and alias.name in sys.modules:
                    yield alias.asname or alias.name, sys.modules[alias.name]
        elif isinstance(one, ast.ImportFrom) and one.module in sys.modules and not one.level:
            for alias in one.names:
                yield alias.asname or alias.name, vars(sys.modules[one.module]).get(alias.name)


def is_text(node: ast.AST) -> bool:
    """Whether the node is a text literal."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_number(node: ast.AST) -> bool:
    """Whether the node is a number literal."""
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def asked_for(node: ast.Call) -> str:
    """Return the attribute in a call of ``getattr`` or ``hasattr``; empty for other calls and computed names."""
    asking = isinstance(node.func, ast.Name) and node.func.id in ("hasattr", "getattr") and len(node.args) > 1
    return str(ast.literal_eval(node.args[1])) if asking and is_text(node.args[1]) else ""
