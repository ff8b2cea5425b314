"""What a function's syntax tree says of it as a whole."""

from __future__ import annotations

import ast

from ..probes.source import FunctionNode


def why_unread(node: FunctionNode) -> str:
    """Why nothing of a function is read."""
    if not isinstance(node, ast.FunctionDef):
        return "a lambda" if isinstance(node, ast.Lambda) else "a coroutine"
    if node.decorator_list:
        return f"{node.name} is decorated"
    if node.args.vararg or node.args.kwarg:
        return f"{node.name} takes * or **"
    for part in ast.walk(node):
        if isinstance(part, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal | ast.Delete):
            return f"{node.name} has a {type(part).__name__.lower()}"
    return ""


def local_names(node: FunctionNode) -> set[str]:
    """The parameters, and the names that are assigned to."""
    arguments = node.args
    names = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            names.add(part.id)
        elif isinstance(part, ast.MatchAs) and part.name:
            names.add(part.name)
    return names


def stored_in(*nodes: ast.AST) -> frozenset[str]:
    """The variables of the function that these parts of it assign to."""
    found: set[str] = set()
    for node in nodes:
        inside = {
            name for part in ast.walk(node) if isinstance(part, ast.comprehension) for name in ast.walk(part.target)
        }
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and part not in inside:
                found.add(part.id)
            elif isinstance(part, ast.MatchAs | ast.MatchStar) and part.name:
                found.add(part.name)
    return frozenset(found)


def forgotten_in(node: ast.AST) -> frozenset[str]:
    """The variables that have no value any more after what they were for: the exceptions of handlers."""
    return frozenset(n.name for n in ast.walk(node) if isinstance(n, ast.ExceptHandler) and n.name)


def jumps_out(node: ast.AST) -> bool:
    """Whether control may go from inside a statement to another place than after it."""
    return any(isinstance(part, ast.Break | ast.Continue) for part in ast.walk(node))
