"""Source of Python values as trees of brackets, so that long expressions can be broken over lines."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True)
class Brackets:
    """Source that can be broken over lines between its items. ``str`` writes it on one line.

    Attributes:
        opening: the text up to and including the opening bracket.
        items: the source between the brackets; commas between the items are added.
        closing: the closing bracket, with any text behind it.
        comma: whether a comma follows the last item, as in a tuple of one item.
    """

    opening: str
    items: tuple[Tree, ...]
    closing: str
    comma: bool = False

    def __str__(self) -> str:
        return f"{self.opening}{', '.join(map(str, self.items))}{',' if self.comma else ''}{self.closing}"


@dataclass(frozen=True)
class Entry:
    """One ``key: value`` of a dict whose key can be broken over lines, too."""

    key: Brackets
    value: Tree

    def __str__(self) -> str:
        return f"{self.key}: {self.value}"


Tree = str | Brackets | Entry


def prefixed(prefix: str, tree: Tree) -> Tree:
    """Return the source with ``prefix`` in front."""
    if isinstance(tree, str):
        return prefix + tree
    if isinstance(tree, Entry):
        return Entry(_opened(prefix, tree.key), tree.value)
    return _opened(prefix, tree)


def _opened(prefix: str, brackets: Brackets) -> Brackets:
    """Return the brackets with a prefix in front of the opening text."""
    return dataclasses.replace(brackets, opening=prefix + brackets.opening)
