"""The variables that runs write down where the evaluation of a condition ends, for who looks ahead from there."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .....term.core.nodes import Term, variable
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .code import Code

KEPT = "#"  # in the place of a variable: what a later one of ``a < b < c`` compares on the left
SORTS = (FLOAT64, INT, BOOL)  # of which each variable has a word; as what it is written down
_MOST = 64  # variables at a site


def written(code: Code) -> dict[int, tuple[str, ...]]:
    """For each site of a function the variables that have a value there, and that matter from there on."""
    found = {}
    assigned = _assigned(code)
    for site, start in code.starts.items():
        have = assigned[start.at]
        if have is not None:
            names = sorted((code.live[start.at] & have) - start.stores)
            visible = [name for name in names if name.isidentifier()][:_MOST]
            found[site] = (*visible, *[KEPT] * start.keeps)
    return found


def _assigned(code: Code) -> list[frozenset[str] | None]:
    """The variables that surely have a value at each instruction; None where control never comes."""
    found: list[frozenset[str] | None] = [None] * (len(code.body) + 1)
    found[0] = frozenset(code.parameters)
    changed = True
    while changed:
        changed = False
        for at, step in enumerate(code.body):
            have = found[at]
            if have is None:
                continue
            after = have | {step.argument} if step.op == "store" else have
            ways = [(label.at, after) for label in step.labels] or [(at + 1, after)]
            if step.op in ("return", "raise", "reraise"):
                ways = []
            if step.handler is not None:
                ways.append((step.handler[0].at, have))
            for to, after in ways:
                known = found[to]
                both = after if known is None else known & after
                if both != known:
                    found[to], changed = both, True
    return found


class Written:
    """The words of these variables.

    Args:
        codes: of the functions with sites.

    Attributes:
        names: for each site the variables.
        tables: two numbers for each site and variable. The first says as which of :data:`SORTS` the variable is written
            down, counted from 1; 0: not at all, until :meth:`want` asks for it. The second is the address of its word.
        address: of the words.
        variables: all there are, in the order of their words.
    """

    def __init__(self, codes: Iterable[Code]) -> None:
        codes = list(codes)
        self.names: dict[int, tuple[str, ...]] = {}
        self._function: dict[int, str] = {}
        for code in codes:
            own = written(code)
            self.names |= own
            self._function |= dict.fromkeys(own, code.name)
        called = dict.fromkeys(self._called(site, name) for site in self.names for name in self.names[site])
        self.variables = [variable(name, sort) for name in called for sort in SORTS]
        self._words = np.zeros(max(1, len(self.variables)), dtype=np.int64)
        self._at = {one: number for number, one in enumerate(self.variables)}
        self.tables = {site: np.zeros(2 * len(names), dtype=np.int64) for site, names in self.names.items()}
        self.address = int(self._words.ctypes.data)

    def _called(self, site: int, name: str) -> str:
        return f"{self._function[site]}:{name}" if name != KEPT else f"{KEPT}{site}"

    def want(self, site: int, name: str, sort: Sort) -> Term:
        """Have a variable written down at a site, and only as this; the variable of what is written."""
        one = variable(self._called(site, name), sort)
        number = self.names[site].index(name)
        self.tables[site][2 * number : 2 * number + 2] = SORTS.index(sort) + 1, self.address + 8 * self._at[one]
        return one
