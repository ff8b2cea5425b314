"""Number the sites of Python functions. A site is a place with a probe; its two branches are in the control flow."""

from __future__ import annotations

import ast

from .....config import FAULTS
from .....subject.base import STEPS, Site
from .....subject.graph import ControlFlow
from .fault_checks import RESULTS
from .source import Source

SiteKey = tuple[ast.AST, int]  # a node, and the index of a comparison in a chain; negative: a further site


def further_key(node: ast.AST, index: int) -> SiteKey:
    """Return the key of a further site of a node.

    For a comparison, this is the first boundary of the one with this index in the chain; the numbers of the other two
    follow. For other expressions, it is that of the check with this index.
    """
    return node, -1 - index


def read_comparison(detail: str) -> tuple[int, int, bool]:
    """Read the detail of a comparison's probe.

    Returns:
        The comparison as in :mod:`zeroin.distance`, the first site of its boundaries or -1, and whether a step from a
        boundary leads to the next integer.
    """
    op, *beside = detail.split()
    return int(op), int(beside[0]) if beside else -1, beside[1:] == ["whole"]


class Sites:
    """Numbers sites in the order of evaluation.

    Attributes:
        sites: the sites found so far.
        numbers: the number of the site of each node. A chain such as ``a < b < c`` has a site for each comparison.
    """

    _function: str  # the name of the function whose sites are numbered now
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
        """Add a site that is reached from the flow node ``at``. Return the flow nodes of its true and false branch.

        Args:
            node, index: the site's key in ``numbers``.
            at: the flow node.
            text: the source of the condition.
            form: the form of the site; empty for the form of the current statement.
            where: the node that has the site's position in the source; None for ``node``.
        """
        self.numbers[node, index] = len(self.sites)
        return self._numbered(where or node, at, text, form or self._form)

    def _numbered(self, where: ast.AST, at: int, text: str, form: str, group: int = -1,
                  case: int | None = None) -> tuple[int, int]:  # fmt: skip
        """Add a site without a key in ``numbers``. Return the flow nodes of its true and false branch.

        For a boundary, ``group`` is the number of the first boundary site of the comparison, and ``case`` is the step.
        """
        number = len(self.sites)
        line, column = self._source.operator_place(where) if form in FAULTS else self._source.place(where)
        silent = form in RESULTS
        self.sites.append(Site(number, self._function, self._source.file, line, column, text, form, group, case,
                               is_silent=silent))  # fmt: skip
        yes, no = self._flow.decision(number, at)
        self._outcomes += [yes, no]
        return yes, no

    def _beside(self, node: ast.Compare, index: int, at: int, text: str, where: ast.AST) -> int:
        """Add the boundary sites of a comparison, each reached from the one before. Return the flow node after them."""
        first = self.numbers[further_key(node, index)] = len(self.sites)
        for step in STEPS:
            at = self._node(*self._numbered(where, at, text, "boundary", first, step))
        return at
