"""What can be read off a function's syntax tree without following its control flow."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .source import Function, FunctionNode

MARK = "zeroin_line"  # of a condition that marks a line which is to be reached: the text of the line
BESIDE = "zeroin_beside"  # of a comparison whose boundaries are sites: for each part of it what counts as a step


def name_of(node: ast.expr) -> str:
    """The last name of ``f`` or ``a.f``; empty for what has none."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def step_beside(node: ast.Compare, index: int) -> str:
    """What counts as a step from the boundary of a comparison: ``value``, one of the type that is compared; ``whole``,
    where an int is beside a float that is written there, one of the int; empty if it is not looked at."""
    steps: list[str] = getattr(node, BESIDE, [])
    return steps[index] if steps else ""


def written_beside(node: ast.Compare, index: int) -> float | None:
    """The float that is written on one side of a comparison, where the step is one of an int."""
    if step_beside(node, index) != "whole":
        return None
    for side in ([node.left, *node.comparators][index], node.comparators[index]):
        plain = side.operand if isinstance(side, ast.UnaryOp) else side
        if isinstance(plain, ast.Constant) and isinstance(plain.value, float):
            return -plain.value if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.USub) else plain.value
    raise AssertionError(ast.unparse(node))


def named_inside(functions: Iterable[Function]) -> list[tuple[str, FunctionNode]]:
    """The functions inside of functions that have a name, lambdas that are assigned to one too."""
    found: list[tuple[str, FunctionNode]] = []
    for function in functions:
        for node in ast.walk(function.node):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not function.node:
                found.append((node.name, node))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                found += [(target.id, node.value) for target in node.targets[:1] if isinstance(target, ast.Name)]
    return found


def variables_of(functions: Iterable[Function]) -> set[str]:
    """The parameters and the names that are assigned to."""
    nodes = [node for function in functions for node in ast.walk(function.node)]
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}


def generators_of(functions: Iterable[Function]) -> set[str]:
    """The names of the generators, those inside of functions too."""
    named = [(function.name.rpartition(".")[2], function.node) for function in functions]
    named += named_inside(functions)
    return {name for name, node in named if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node))}


def masks_of(functions: Iterable[Function]) -> set[ast.AST]:
    """The comparisons that choose elements of an array, as in ``a[(x > 1) & (x < 2)]``: nothing depends on one of them
    as a whole. What chooses from a display, as in ``(a, b)[x > 1]``, is a condition."""
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
    """Whether statements may come to their end, as far as can be seen easily."""
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
    """Whether an iterable surely comes to its end."""
    if isinstance(iterable, ast.Call):
        return isinstance(iterable.func, ast.Name) and iterable.func.id in ("range", "sorted", "list", "reversed")
    return isinstance(iterable, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Constant | ast.ListComp)


def literals_of(pattern: ast.pattern) -> list[ast.expr]:
    """The constants that a pattern compares with, if that is all it does."""
    if isinstance(pattern, ast.MatchValue):
        return [pattern.value]
    if isinstance(pattern, ast.MatchOr):
        parts = [literals_of(part) for part in pattern.patterns]
        return [value for part in parts for value in part] if all(parts) else []
    return []
