"""Lines of Python that are not too long. Where there is ruff, it formats them afterwards."""

from __future__ import annotations

from ..values.brackets import Brackets, Entry, Tree

WIDTH = 120


def fits(line: str) -> bool:
    """Whether a line needs no breaking."""
    return len(line) <= WIDTH


def broken(tree: Tree, indent: int, prefix: str = "", suffix: str = "") -> list[str]:
    """The lines of an expression: one where it fits, else one for each item of its outermost brackets."""
    pad = " " * indent
    line = f"{pad}{prefix}{tree}{suffix}"
    if isinstance(tree, Entry) and not fits(line):
        return broken(tree.value, indent, f"{prefix}{tree.key}: ", suffix)
    if not isinstance(tree, Brackets) or not tree.items or fits(line):
        return [line]
    inner = [line for item in tree.items for line in broken(item, indent + 4, suffix=",")]
    return [f"{pad}{prefix}{tree.opening}", *inner, f"{pad}{tree.closing}{suffix}"]


def cut(text: str, width: int = WIDTH) -> str:
    """The text on one line of at most ``width`` columns, ended with ``...`` if it is longer."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    return f"{line[: width - 3].rstrip()}..."


def call(callee: str, arguments: list[Tree]) -> Brackets:
    """A call."""
    return Brackets(f"{callee}(", tuple(arguments), ")")
