"""Break Python expressions into lines that are not too long. If ruff is installed, it formats them again later."""

from __future__ import annotations

from ..values.brackets import Brackets, Entry, Tree

WIDTH = 120


def fits(line: str) -> bool:
    """Whether a line is at most ``WIDTH`` characters long."""
    return len(line) <= WIDTH


def broken(tree: Tree, indent: int, prefix: str = "", suffix: str = "") -> list[str]:
    """Return the lines of an expression: one if it fits, else one for each item of its outermost brackets.

    Items that do not fit are broken in the same way. An expression without brackets is one line, even if it is too
    long.

    Args:
        tree: the expression.
        indent: the columns in front of the first line.
        prefix, suffix: the text in front of the expression and behind it.
    """
    pad = " " * indent
    line = f"{pad}{prefix}{tree}{suffix}"
    if isinstance(tree, Entry) and not fits(line):
        return broken(tree.value, indent, f"{prefix}{tree.key}: ", suffix)
    if not isinstance(tree, Brackets) or not tree.items or fits(line):
        return [line]
    inner = [line for item in tree.items for line in broken(item, indent + 4, suffix=",")]
    return [f"{pad}{prefix}{tree.opening}", *inner, f"{pad}{tree.closing}{suffix}"]


def cut(text: str, width: int = WIDTH) -> str:
    """Return a text on one line of at most ``width`` characters. A longer one is cut and ends with ``...``."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    return f"{line[: width - 3].rstrip()}..."


def call(callee: str, arguments: list[Tree]) -> Brackets:
    """Return a call expression."""
    return Brackets(f"{callee}(", tuple(arguments), ")")
