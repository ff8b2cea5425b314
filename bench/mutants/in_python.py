"""Mutants of Python code."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from .mutant import Mutant, floats, integers, mutant, replaced

_OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip
_UNARY = {ast.Not: "not", ast.USub: "-", ast.Invert: "~"}
_COMMENT = re.compile(rb"#[^\n]*")


def lines_of(source: bytes, name: str) -> tuple[int, int]:
    """First and last line of a function, a class or a method (``Class.method``).

    Raises:
        LookupError: there is none of this name.
    """
    body: Sequence[ast.stmt] = ast.parse(source).body
    lines = 0, 0
    for part in name.split("."):
        found = next((node for node in body if getattr(node, "name", None) == part), None)
        if not isinstance(found, ast.FunctionDef | ast.ClassDef):
            raise LookupError(f"no {name}")
        body, lines = found.body, (found.lineno, found.end_lineno or found.lineno)
    return lines


def mutants(source: bytes, first: int, last: int) -> list[Mutant]:
    """All of these lines, in the order of the source; those that are no Python are left out."""
    found = _Finder(source, first, last)
    found.visit(ast.parse(source))
    return [one for one in sorted(set(found.mutants)) if _compiles(one.applied(source))]


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes, first: int, last: int) -> None:
        self.source = source
        self.first, self.last = first, last
        self.mutants: list[Mutant] = []
        self.lines = [0, *(at.end() for at in re.finditer(rb"\n", source))]  # where each begins

    def visit(self, node: ast.AST) -> None:
        line = getattr(node, "lineno", None)
        if line is not None and (line > self.last or (node.end_lineno or line) < self.first):  # type: ignore[attr-defined]
            return
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        """All that is computed; annotations are not."""
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Messages; before Python 3.12 nobody knows where what is in them stands."""

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._between(node.left, node.right, node.op)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._between(node.target, node.value, node.op, "=")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, op, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._between(left, right, op)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between(left, right, node.op)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        sign = _UNARY.get(type(node.op))
        if sign:
            start = self._start(node)
            self._add(start, start + len(sign), [""])
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            self._constant(node.operand, signed=True)
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        self._constant(node)

    def _constant(self, node: ast.Constant, signed: bool = False) -> None:
        value = node.value
        if isinstance(value, bool):
            news = [str(not value)]
        elif isinstance(value, int):
            news = [str(other) if other >= 0 else f"({other})" for other in integers(value)]
        elif isinstance(value, float):
            news = [repr(other) if other >= 0 else f"({other!r})" for other in floats(value)
                    if not (signed and other == -value)]  # fmt: skip
        else:
            return
        self._add(self._start(node), self._end(node), news)

    def _between(self, left: ast.expr, right: ast.expr, op: ast.AST, more: str = "") -> None:
        """The operator between two operands: besides it there are parentheses, blanks and comments."""
        operator = _OPERATORS.get(type(op))
        if operator is None:
            return
        start, end = self._end(left), self._start(right)
        gap = _COMMENT.sub(lambda comment: b" " * len(comment[0]), self.source[start:end])
        at = re.search(re.escape(operator + more).replace(r"\ ", r"\s+").encode(), gap)
        if at is not None:
            self._add(start + at.start(), start + at.end(), replaced(operator + more))

    def _add(self, start: int, end: int, news: Sequence[str]) -> None:
        for new in news:
            one = mutant(self.source, start, end, new)
            if self.first <= one.line <= self.last:
                self.mutants.append(one)

    def _start(self, node: ast.expr) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self.lines[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
