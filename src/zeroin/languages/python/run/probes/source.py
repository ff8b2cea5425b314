"""The text of modules, to show the source of a syntax tree's nodes in reports."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property

_AFTER = re.compile(rb"[\s)\\]*(?=[^\s)\\#])")  # what may stand between the left operand and the operator
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class Source:
    """The text of a module and the name of its file.

    Attributes:
        file: the name of the file.
        text: the text of the module.
        mark: a line that is a goal; 0 for none; -1 if the boundaries of comparisons are goals.
        faults: the kinds of faults that are goals.
    """

    file: str
    text: str
    mark: int = 0
    faults: tuple[str, ...] = ()

    @cached_property
    def lines(self) -> list[bytes]:
        """The lines as the parser counts them, encoded, since its columns count bytes."""
        return [line.encode() for line in self.text.split("\n")]

    def segment(self, node: ast.AST) -> str:
        """Return the source of a node on one line, with single blanks.

        If that is no complete expression, return the node as ``ast.unparse`` writes it.
        """
        start, end = getattr(node, "lineno", 1), getattr(node, "end_lineno", 1)
        lines = self.lines[start - 1 : end] or [b""]
        lines[-1] = lines[-1][: getattr(node, "end_col_offset", None)]
        lines[0] = lines[0][getattr(node, "col_offset", 0) :]
        text = " ".join(b" ".join(lines).decode(errors="replace").split())
        return text if _is_whole(text) else ast.unparse(node)

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Return the line and column of a node. Both start at 1; columns count characters.

        Return (0, 1) for a node without a position.
        """
        line, before = getattr(node, "lineno", 0), getattr(node, "col_offset", -1)
        text = b"".join(self.lines[line - 1 : line])[:before]
        return line, len(text.decode(errors="replace")) + 1

    def operator_place(self, node: ast.AST) -> tuple[int, int]:
        """Return the line and column of the operator of a binary operation; of another node, where it begins."""
        before = node.left if isinstance(node, ast.BinOp) else node.target if isinstance(node, ast.AugAssign) else None
        if before is None:
            return self.place(node)
        line, column = before.end_lineno or 0, before.end_col_offset or 0
        while line <= len(self.lines) and (found := _AFTER.match(self.lines[line - 1], column)) is None:
            line, column = line + 1, 0
        return line, len(self.lines[line - 1][: found.end()].decode(errors="replace")) + 1 if found else 1

    def comparison(self, node: ast.Compare, index: int) -> str:
        """Return the source of the comparison with this index in a chain: ``b < c`` of ``a < b < c`` for 1."""
        if len(node.ops) == 1:
            return self.segment(node)
        operands = [node.left, *node.comparators]
        first, last = operands[index], operands[index + 1]
        part = ast.Compare(first, [node.ops[index]], [last])
        part.lineno, part.col_offset = first.lineno, first.col_offset
        part.end_lineno, part.end_col_offset = last.end_lineno, last.end_col_offset
        return self.segment(part)

    def head(self, node: ast.For | ast.AsyncFor | ast.ExceptHandler) -> str:
        """Return the head of a loop or handler: ``for x in xs``; ``except ValueError``."""
        if isinstance(node, ast.ExceptHandler):
            return f"except {self.segment(node.type)}" if node.type else "except"
        return f"for {self.segment(node.target)} in {self.segment(node.iter)}"


def _is_whole(text: str) -> bool:
    """Whether a text is an expression by itself.

    The source of a part of a comparison may lack a parenthesis. Inside an f-string the parser's positions are wrong.
    """
    try:
        ast.parse(f"[{text}\n]", mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


@dataclass(frozen=True)
class Function:
    """A function to instrument: its qualified name, its node, and the source of its module."""

    name: str
    node: FunctionNode
    source: Source
