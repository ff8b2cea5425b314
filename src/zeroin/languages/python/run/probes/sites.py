"""The sites of Python functions: each has a number, and two outcomes in the control flow."""

from __future__ import annotations

import ast

from .....subject.base import STEPS, Site
from .....subject.graph import ControlFlow
from .source import Source

SiteKey = tuple[ast.AST, int]  # a node, and which of the comparisons of a chain; below zero: a boundary of one


def boundary_key(node: ast.AST, index: int) -> SiteKey:
    """Where the first of the boundaries of a comparison is found; the others have the numbers behind it."""
    return node, -1 - index


def read_comparison(detail: str) -> tuple[int, int, bool]:
    """Of a comparison's probe: the operation, the first site of its boundaries or -1, whether their steps are whole."""
    op, *beside = detail.split()
    return int(op), int(beside[0]) if beside else -1, beside[1:] == ["whole"]


class Sites:
    """Numbers sites in the order of evaluation.

    Attributes:
        sites: what was found.
        numbers: the site of a node; a chained comparison has one for each of its comparisons.
    """

    _function: str  # whose sites are numbered now
    _source: Source

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.numbers: dict[SiteKey, int] = {}
        self._flow = ControlFlow()
        self._edges, self._node = self._flow.steps, self._flow.point
        self._outcomes: list[int] = []
        self._form = "branch"

    def _site(self, node: ast.AST, index: int, at: int, text: str, form: str = "",
              where: ast.AST | None = None) -> tuple[int, int]:  # fmt: skip
        """A new site, reached from ``at``; the flow nodes of its two outcomes."""
        self.numbers[node, index] = len(self.sites)
        return self._numbered(where or node, at, text, form or self._form)

    def _numbered(self, where: ast.AST, at: int, text: str, form: str, group: int = -1,
                  case: int | None = None) -> tuple[int, int]:  # fmt: skip
        number = len(self.sites)
        line, column = self._source.place(where)
        self.sites.append(Site(number, self._function, self._source.file, line, column, text, form, group, case))
        yes, no = self._flow.decision(number, at)
        self._outcomes += [yes, no]
        return yes, no

    def _beside(self, node: ast.Compare, index: int, at: int, text: str, where: ast.AST) -> int:
        """The boundaries of a comparison: whether a run is on one changes nothing."""
        first = self.numbers[boundary_key(node, index)] = len(self.sites)
        for step in STEPS:
            at = self._node(*self._numbered(where, at, text, "boundary", first, step))
        return at
