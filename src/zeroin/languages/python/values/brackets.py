"""Source of Python values as trees of brackets, so that long ones can be broken over lines."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Brackets:
    """Source that can be broken over lines between its items."""

    opening: str
    items: tuple[Tree, ...]
    closing: str
    comma: bool = False  # a single item needs a comma: a tuple

    def __str__(self) -> str:
        return f"{self.opening}{', '.join(map(str, self.items))}{',' if self.comma else ''}{self.closing}"


@dataclass(frozen=True)
class Entry:
    """One ``key: value`` of a dictionary, whose key can be broken too."""

    key: Brackets
    value: Tree

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


Tree = str | Brackets | Entry


def prefixed(prefix: str, tree: Tree) -> Tree:
    """The source with something in front of it."""
    if isinstance(tree, str):
        return prefix + tree
    if isinstance(tree, Entry):
        return Entry(_opened(prefix, tree.key), tree.value)
    return _opened(prefix, tree)


def _opened(prefix: str, brackets: Brackets) -> Brackets:
    return dataclasses.replace(brackets, opening=prefix + brackets.opening)
