"""Mark the goals of a search in a module's tree: a line to reach, or the boundaries of comparisons.

For a line, a condition that always holds is inserted before its statement. So reaching the line is a branch.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..run.probes.syntax_tree import BESIDE, MARK

EVERY_COMPARISON = -1  # instead of a line number: mark all boundaries
_NO_NUMBERS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp)
_BODIES = ("body", "orelse", "finalbody")


def mark_line(tree: ast.Module, line: int, text: str) -> None:
    """Insert a condition that always holds before the first statement that begins on the line.

    If no statement of a function begins there, a statement without a body that continues there is taken. If there is
    none either, the tree stays as it is.

    Args:
        tree: the tree, which is changed.
        line: the line number, from 1.
        text: the text of the line, to show in reports.
    """
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


def mark_boundaries(tree: ast.Module) -> None:
    """Store at each comparison of the tree which values count as one step from its boundary.

    The attribute ``BESIDE`` gets a list with a text for each operator, see
    :func:`zeroin.languages.python.run.probes.syntax_tree.step_beside`.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            pairs = zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
            setattr(node, BESIDE, [_step(sign, left, right) for left, sign, right in pairs])


def _step(sign: ast.cmpop, *sides: ast.expr) -> str:
    """Return what counts as a step from a boundary: ``value``, ``whole``, or empty if it is no boundary of numbers."""
    plain = [side.operand if isinstance(side, ast.UnaryOp) and isinstance(side.op, ast.UAdd | ast.USub) else side
             for side in sides]  # fmt: skip
    written = [side.value for side in plain if isinstance(side, ast.Constant)]
    if isinstance(sign, ast.Is | ast.IsNot | ast.In | ast.NotIn) or len(written) == len(sides):
        return ""
    if any(isinstance(side, _NO_NUMBERS) for side in plain) or not all(type(one) in (int, float) for one in written):
        return ""
    return "whole" if any(isinstance(one, float) for one in written) else "value"


def _places(node: ast.AST, inside: bool) -> Iterator[tuple[list[ast.stmt], int]]:
    """Yield the statements of functions, as a block and an index, without docstrings and global declarations.

    Args:
        node: the node whose statements are listed.
        inside: whether the node is inside a function.
    """
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
    """Return the condition that always holds, at the position of a statement."""
    test = ast.Compare(ast.Constant(0), [ast.Eq()], [ast.Constant(0)])
    made = ast.If(test, [ast.Pass()], [])
    for node in ast.walk(made):
        if isinstance(node, ast.expr | ast.stmt):
            node.lineno = node.end_lineno = line
            node.col_offset = node.end_col_offset = statement.col_offset
    setattr(test, MARK, " ".join(text.split()) or "-")
    return made
