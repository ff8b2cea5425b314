"""Facts about a function's syntax tree that need no control flow."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .source import Function, FunctionNode

MARK = "zeroin_line"  # attribute of an inserted condition that marks a line as a goal: the text of the line
BESIDE = "zeroin_beside"  # attribute of a comparison whose boundaries are sites: the kind of step for each part


def name_of(node: ast.expr) -> str:
    """Return the last name of ``f`` or ``a.f``; empty for other expressions."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def step_beside(node: ast.Compare, index: int) -> str:
    """Return what counts as a step from the boundary of a comparison.

    Returns:
        ``value`` for the next value of the compared type. ``whole`` if one side is a float literal: beside an int, a
        step then leads to the next int. Empty if the boundary is no site.
    """
    steps: list[str] = getattr(node, BESIDE, [])
    return steps[index] if steps else ""


def written_beside(node: ast.Compare, index: int) -> float | None:
    """Return the float literal on one side of a comparison whose step is ``whole``; None for any other comparison."""
    if step_beside(node, index) != "whole":
        return None
    for side in ([node.left, *node.comparators][index], node.comparators[index]):
        plain = side.operand if isinstance(side, ast.UnaryOp) else side
        if isinstance(plain, ast.Constant) and isinstance(plain.value, float):
            return -plain.value if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.USub) else plain.value
    raise AssertionError(ast.unparse(node))


def named_inside(functions: Iterable[Function]) -> list[tuple[str, FunctionNode]]:
    """Return the named functions inside functions, with their names. A lambda that is assigned to a name is one."""
    found: list[tuple[str, FunctionNode]] = []
    for function in functions:
        for node in ast.walk(function.node):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not function.node:
                found.append((node.name, node))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                found += [(target.id, node.value) for target in node.targets[:1] if isinstance(target, ast.Name)]
    return found


def variables_of(functions: Iterable[Function]) -> set[str]:
    """Return the names of the parameters and of the variables that functions assign to."""
    nodes = [node for function in functions for node in ast.walk(function.node)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}


def generators_of(functions: Iterable[Function]) -> set[str]:
    """Return the last part of the names of functions that contain a ``yield``, also of functions inside functions."""
    named = [(function.name.rpartition(".")[2], function.node) for function in functions]
    named += named_inside(functions)
    return {name for name, node in named if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))}


def masks_of(functions: Iterable[Function]) -> set[ast.AST]:
    """Return the comparisons that select elements of an array, as in ``a[(x > 1) & (x < 2)]``.

    Such a comparison yields an array of truth values, so it is no condition. In ``(a, b)[x > 1]`` it is one.
    """
    found: set[ast.AST] = set()
    for function in functions:
        for node in ast.walk(function.node):
            if isinstance(node, ast.Subscript) and not isinstance(node.value, ast.Tuple | ast.List | ast.Dict):
                todo: list[ast.expr] = [node.slice]
                for part in todo:
                    if isinstance(part, ast.Compare) and len(part.ops) == 1:
                        found.add(part)
                    elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitAnd | ast.BitOr | ast.BitXor):
                        todo += [part.left, part.right]
                    elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Invert):
                        todo.append(part.operand)
                    elif isinstance(part, ast.Tuple):
                        todo += part.elts
    return found


def falls_through(statements: list[ast.stmt]) -> bool:
    """Whether control may reach the end of statements, at least one. False is certain, True is not."""
    last = statements[-1]
    if isinstance(last, ast.If) and last.orelse:
        return falls_through(last.body) or falls_through(last.orelse)
    return not isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue)


def irrefutable(pattern: ast.pattern) -> bool:
    """Whether a pattern matches everything."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or irrefutable(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(irrefutable(p) for p in pattern.patterns)


def is_short(iterable: ast.expr) -> bool:
    """Whether an iterable is certainly finite, by its syntax. False for most variables, whatever they contain."""
    if isinstance(iterable, ast.Call):
        return isinstance(iterable.func, ast.Name) and iterable.func.id in ("range", "sorted", "list", "reversed")
    return isinstance(iterable, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Constant | ast.ListComp)


def literals_of(pattern: ast.pattern) -> list[ast.expr]:
    """Return the constants of a pattern that only compares with constants; empty for other patterns."""
    if isinstance(pattern, ast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, ast.MatchOr):
        parts = [literals_of(part) for part in pattern.patterns]
        return [value for part in parts for value in part] if all(parts) else []
    return []
