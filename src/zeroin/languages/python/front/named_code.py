"""What code may call, by the names that it mentions: a method of any class counts as called where its name stands."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

_CONSTRUCTED = (
    "vars", "globals", "locals", "dir", "eval", "exec", "methodcaller", "attrgetter", "__import__", "__globals__",
    "f_globals", "__getattribute__", "getmembers", "__builtins__", "getattr", "__dict__",
)  # fmt: skip
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class NamedCode:
    """The functions and classes of some files.

    Args:
        trees: the syntax trees of the files.
    """

    def __init__(self, trees: Iterable[ast.AST]) -> None:
        self._trees = list(trees)
        self._defined: dict[str, list[ast.AST]] = {}
        for node in (part for tree in self._trees for part in ast.walk(tree)):
            if isinstance(node, _DEFINITION):
                self._defined.setdefault(node.name, []).append(node)

    @cached_property
    def is_dynamic(self) -> bool:
        """Whether some code makes names at run time, as with ``getattr(x, "visit_" + kind)``."""
        nodes = [node for tree in self._trees for node in ast.walk(tree)]
        written = {id(part) for part in map(_dict_of_written_names, nodes) if part is not None}
        written |= {id(node.func) for node in nodes if isinstance(node, ast.Call) and _gets_by_written_name(node)}
        return any(_makes_names(node) for node in nodes if id(node) not in written)

    @cached_property
    def of_objects(self) -> set[str]:
        """The names that are mentioned where objects are made, compared or used with operators, and on from there."""
        return self.mentioned(method for name, nodes in self._defined.items() if is_special(name) for method in nodes)

    @cached_property
    def aliased(self) -> set[str]:
        """The names that are loaded other than to be called: what they stand for may be called by another name."""
        nodes = [node for tree in self._trees for node in ast.walk(tree)]
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        return {name for node in nodes if id(node) not in called and (name := name_in(node)) is not None}

    def mentioned(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Return the names in some code, and in the functions and classes of these names, and so on."""
        found, waiting = set[str](), list(nodes)
        while waiting:
            for part in ast.walk(waiting.pop()):
                name = name_in(part)
                if name is not None and name not in found:
                    found.add(name)
                    waiting += self._defined.get(name, ())
        return found


def is_special(name: str) -> bool:
    """Whether Python calls a method of this name without that anybody writes the name."""
    return name.startswith("__") and name.endswith("__")


def name_in(node: ast.AST) -> str | None:
    """Return the name that a node looks up, as a variable, an attribute or a text; None if it looks none up."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str(name)):
            return name
        case ast.alias(name=name):
            return name.rpartition(".")[2]
    return None


def _dict_of_written_names(node: ast.AST) -> ast.AST | None:
    """The ``vars`` in ``vars(x)["name"]``, ``globals()["name"] = 1``, ``vars(x).update(name=1)`` and so on, where all
    names are written down."""
    match node:
        case ast.Subscript(ast.Call(func=ast.Name(id="globals" | "vars") as found), ast.Constant(value=str())):
            return found
        case ast.Call(func=ast.Attribute(ast.Call(func=ast.Name(id="globals" | "vars") as found), attr=name)):
            if name == "update" and not node.args and all(keyword.arg for keyword in node.keywords):
                return found
            if name in ("get", "pop", "setdefault") and node.args and isinstance(node.args[0], ast.Constant):
                return found
    return None


def _gets_by_written_name(node: ast.Call) -> bool:
    """Whether it is ``getattr(x, "name")``."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(), *_]):
            return True
    return False


def _makes_names(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in _CONSTRUCTED
        case ast.Constant(value=str(name)):
            return name in _CONSTRUCTED and name != "dir"
    return False
