"""Lists, dicts and sets of a module that nobody changes, because its code only looks at them."""

from __future__ import annotations

import ast

from .named_code import NamedCode
from .syntax import bound_in

_LOOKING = (
    "len", "min", "max", "sum", "any", "all", "sorted", "list", "tuple", "set", "frozenset", "dict", "enumerate", "zip",
    "reversed", "str", "repr", "bool",
)  # fmt: skip
_METHODS = (
    "get", "keys", "values", "items", "index", "count", "copy", "isdisjoint", "issubset", "issuperset", "union",
    "intersection", "difference",
)  # fmt: skip
_MADE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def is_only_read(tree: ast.Module, name: str) -> bool:
    """Whether a module's code makes an object for a variable of its own, and only looks at it.

    Looking means: indexing, iterating, ``in``, and calls of functions and methods that change nothing and keep nothing.
    A name that is made at run time, as with ``globals()``, may stand for any variable.
    """
    exported = {id(part) for node in tree.body if _bound_to(node, "__all__") for part in ast.walk(node)}
    nodes = [node for node in ast.walk(tree) if id(node) not in exported]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    bound = bound_in(tree) | {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in parents:
        match node:
            case ast.Constant(value=str(found)) | ast.Attribute(attr=found) | ast.alias(name=found) if found == name:
                return False
            case ast.Name(id=found, ctx=ast.Load()) if found == name and not _looks(node, parents, bound):
                return False
    made = [value for node in tree.body if (value := _bound_to(node, name))]
    return len(made) == 1 and isinstance(made[0], _MADE) and not NamedCode([tree]).is_dynamic


def _bound_to(node: ast.stmt, name: str) -> ast.expr | None:
    """The value that a statement gives a variable, and nothing else; None if it is none."""
    match node:
        case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
            return value
        case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if found == name:
            return value
    return None


def _looks(node: ast.Name, parents: dict[ast.AST, ast.AST], bound: set[str]) -> bool:
    """Whether the expression around a name only looks at what it stands for."""
    around = parents[node]
    match around:
        case (
            ast.Subscript(value=whole, ctx=ast.Load()) | ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[whole])
        ):
            return whole is node
        case ast.For(iter=whole) | ast.comprehension(iter=whole) | ast.UnaryOp(op=ast.Not(), operand=whole):
            return whole is node
        case ast.If(test=whole) | ast.While(test=whole) | ast.IfExp(test=whole):
            return whole is node
        case ast.Call(func=ast.Name(id=called)):
            return called in _LOOKING and not bound & {called, "*"}
        case ast.Attribute(attr=called, ctx=ast.Load()):
            call = parents[around]
            return called in _METHODS and isinstance(call, ast.Call) and call.func is around
    return False
