"""What the syntax tree of Python code says of names: defaults of parameters, bindings, names inside of classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """Return the defaults by the names of their parameters, in the order in which they are evaluated."""
    by_position = [*arguments.posonlyargs, *arguments.args]
    last = by_position[len(by_position) - len(arguments.defaults) :]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return {one.arg: value for one, value in (*zip(last, arguments.defaults, strict=True), *named) if value is not None}


def outer_name(name: str, cls: str) -> str:
    """Return what a name inside of a class, or of none, is called outside."""
    is_private = cls and name.startswith("__") and not name.endswith("__")
    return f"_{cls.lstrip('_')}{name}" if is_private else name


def _own_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a function or class without those of functions and classes inside of it."""
    for part in ast.iter_child_nodes(node):
        yield part
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own_parts(part)


def global_names(node: ast.AST) -> set[str]:
    """Return the names that a function or class declares ``global``."""
    return {name for part in _own_parts(node) if isinstance(part, ast.Global) for name in part.names}


def global_stores(node: ast.AST, name: str) -> list[ast.Name]:
    """Return where a function assigns to, or deletes, a variable that it declares ``global``."""
    if name not in global_names(node):
        return []
    names = [part for part in _own_parts(node) if isinstance(part, ast.Name) and part.id == name]
    return [part for part in names if not isinstance(part.ctx, ast.Load)]


def may_be_called(written: str, name: str) -> bool:
    """Return whether an attribute, as code writes it, may have a name outside of the class around that code."""
    is_private = written.startswith("__") and not written.endswith("__")
    return written == name or (is_private and name.startswith("_") and name.endswith(written))


def bound_in(node: ast.AST) -> set[str]:
    """Return the names that are bound or deleted anywhere in a part of the code, but for those of parameters."""
    return bound_by(ast.walk(node))


def bound_by(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that nodes bind or delete, without what their parts bind; see :func:`bound_in`."""
    found = set[str]()
    for part in nodes:
        match part:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found.add((other or name).partition(".")[0])
    return found
