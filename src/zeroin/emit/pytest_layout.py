"""Lines of Python, broken as ``ruff format`` and black break them at 120 columns."""

from __future__ import annotations

import unicodedata

from ..subject.python.values.brackets import Brackets, Entry, Tree

WIDTH = 120


def fits(line: str) -> bool:
    """Whether a line needs no breaking."""
    return sum(map(_columns, line)) <= WIDTH


def broken(tree: Tree, indent: int, prefix: str = "", suffix: str = "") -> list[str]:
    """The lines of an expression: one where it fits, else one for each item of its outermost brackets."""
    line = f"{' ' * indent}{prefix}{tree}{suffix}"
    if isinstance(tree, str) or fits(line):
        return [line]
    if isinstance(tree, Entry):
        return _broken_entry(tree, indent, suffix)
    return _split(tree, indent, prefix, suffix) if tree.items else [line]


def _split(tree: Brackets, indent: int, prefix: str, suffix: str) -> list[str]:
    pad = " " * indent
    inner = [line for item in tree.items for line in broken(item, indent + 4, suffix=",")]
    return [f"{pad}{prefix}{tree.opening}", *inner, f"{pad}{tree.closing}{suffix}"]


def _broken_entry(entry: Entry, indent: int, suffix: str) -> list[str]:
    """The value is broken if that makes the first line fit, else the key."""
    key, value = entry.key, entry.value
    opened = isinstance(value, Brackets) and value.items and fits(f"{' ' * indent}{key}: {value.opening}")
    if opened or not key.items:
        return broken(value, indent, f"{key}: ", suffix)
    *lines, _ = _split(key, indent, "", "")
    return [*lines, *broken(value, indent, f"{key.closing}: ", suffix)]


def assignment(name: str, tree: Tree, indent: int = 4) -> list[str]:
    """The lines of ``name = tree``; what has no brackets gets some if they make it fit."""
    pad = " " * indent
    if isinstance(tree, str) and not fits(f"{pad}{name} = {tree}") and fits(f"{pad}    {tree}"):
        return [f"{pad}{name} = (", f"{pad}    {tree}", f"{pad})"]
    return broken(tree, indent, f"{name} = ")


def cut(text: str, width: int = WIDTH) -> str:
    """The text on one line of at most ``width`` columns, ended with ``...`` if it is longer."""
    line = " ".join(text.split())
    if sum(map(_columns, line)) <= width:
        return line
    room, kept = width - 3, ""
    for char in line:
        room -= _columns(char)
        if room < 0:
            break
        kept += char
    return kept.rstrip() + "..."


def call(callee: str, arguments: list[Tree]) -> Brackets:
    """A call."""
    return Brackets(f"{callee}(", tuple(arguments), ")")


def _columns(char: str) -> int:
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
