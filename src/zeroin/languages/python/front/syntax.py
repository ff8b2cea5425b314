"""What the syntax tree of Python code says of names: defaults of parameters, bindings, names inside of classes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TypeAlias

ScopeNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


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


def annotations_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """The annotations of the parameters and the result."""
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
    return [
        said for said in (*(one.annotation for one in arguments if one is not None), node.returns) if said is not None
    ]


def evaluated_outside(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a definition that are evaluated where it stands."""
    arguments = getattr(node, "args", None)
    defaults = [] if arguments is None else list(defaults_of(arguments).values())
    said = annotations_of(node) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []
    keywords = [keyword.value for keyword in getattr(node, "keywords", ())]
    return [*defaults, *said, *keywords, *getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]


def own_parts(node: ScopeNode) -> Iterator[ast.AST]:
    """Yield the parts of the body of a function or class.

    Of the functions and classes inside, these are only what is evaluated where they are defined, such as defaults.
    """
    waiting = list[ast.AST](node.body if isinstance(node.body, list) else [node.body])
    while waiting:
        part = waiting.pop()
        yield part
        waiting += evaluated_outside(part) if isinstance(part, SCOPES) else ast.iter_child_nodes(part)


def global_names(node: ScopeNode) -> set[str]:
    """Return the names that a function or class declares ``global``."""
    return {name for part in own_parts(node) if isinstance(part, ast.Global) for name in part.names}


def global_stores(node: ScopeNode, name: str) -> list[ast.Name]:
    """Return where a function assigns to, or deletes, a variable that it declares ``global``."""
    if name not in global_names(node):
        return []
    names = [part for part in own_parts(node) if isinstance(part, ast.Name) and part.id == name]
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
