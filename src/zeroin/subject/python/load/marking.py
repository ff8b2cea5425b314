"""A line of a module that is to be reached: a condition that always holds stands in front of its statement."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..probes.tree import MARK

_BODIES = ("body", "orelse", "finalbody")


def mark_line(tree: ast.Module, line: int, text: str) -> None:
    """Put the condition in front of the first statement of a function that begins on the line, or, if there is none,
    of the one without a body that goes on there. Where there is no such statement, nothing is changed."""
    places = list(_places(tree, inside=False))
    begins = [(block, at) for block, at in places if block[at].lineno == line]
    goes_on = [
        (block, at)
        for block, at in places
        if block[at].lineno < line <= (block[at].end_lineno or 0)
        and not isinstance(block[at], ast.Match)
        and not hasattr(block[at], "body")
    ]
    for block, at in (begins or goes_on)[:1]:
        block.insert(at, _reached(block[at], line, text))


def _places(node: ast.AST, inside: bool) -> Iterator[tuple[list[ast.stmt], int]]:
    """The statements of functions, each as a block and its place in it; no docstrings, which must come first."""
    is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for name in _BODIES:
        block = getattr(node, name, None)
        if not isinstance(block, list):
            continue
        for at, statement in enumerate(block):
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if (inside or is_function) and not (is_text or isinstance(statement, ast.Global | ast.Nonlocal)):
                yield block, at
            yield from _places(statement, inside or is_function)
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield from _places(part, inside)


def _reached(statement: ast.stmt, line: int, text: str) -> ast.If:
    test = ast.Compare(ast.Constant(0), [ast.Eq()], [ast.Constant(0)])
    made = ast.If(test, [ast.Pass()], [])
    for node in ast.walk(made):
        if isinstance(node, ast.expr | ast.stmt):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = statement.col_offset
    setattr(test, MARK, " ".join(text.split()) or "-")
    return made
