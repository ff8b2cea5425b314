"""Guidance by the user: parts of the program to explore first, or last (Xie et al. 2009, section 7)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import OptionError
from ..subject.base import Site
from .frontier import Frontier
from .tree import Node

_LINES = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_TURNS = 8  # choices among the first nodes, for one among the next


def priorities_of(sites: Sequence[Site], prefer: Sequence[str], defer: Sequence[str],
                  said: Mapping[int, int]) -> dict[int, int]:  # fmt: skip
    """Return the priorities of sites, by number, as a new dict. Sites with priority 0 are left out.

    Args:
        sites: all sites.
        prefer: function names, lines (``17``) or line ranges (``17-25``, both ends inclusive). Each raises the
            priority of its sites by 1.
        defer: the same, but each lowers the priority by 1.
        said: the priorities that marks in the source give, by the number of the site.

    Raises:
        OptionError: there is no site in a function of that name, or in those lines.
    """
    priorities = dict(said)
    for option, texts, step in (("--prefer", prefer, 1), ("--defer", defer, -1)):
        for text in texts:
            for site in _meant(sites, option, text):
                priorities[site.number] = priorities.get(site.number, 0) + step
    return {number: priority for number, priority in priorities.items() if priority}


def _meant(sites: Sequence[Site], option: str, text: str) -> list[Site]:
    """Return the sites that a text of an option names, at least one.

    Args:
        sites: all sites.
        option: the option's name, for the message.
        text: a function name, a line, or a line range.

    Raises:
        OptionError: it names no site.
    """
    lines = _LINES.fullmatch(text.strip())
    if lines is None:
        found = [site for site in sites if text.strip() in (site.function, site.within)]
        known = "functions with conditionals: " + ", ".join(dict.fromkeys(site.within for site in sites))
        known += "; --callees adds those that they call"
    else:
        first, last = int(lines[1]), int(lines[2] or lines[1])
        found = [site for site in sites if first <= site.line <= last]
        known = "lines with conditionals: " + ", ".join(str(line) for line in sorted({site.line for site in sites}))
    if not found:
        raise OptionError(f"{option} {text}: no such place; {known}")
    return found


class Guided(Frontier):
    """A frontier that prefers nodes with a high priority.

    Seven of eight choices are among the nodes with the highest priority. The eighth is among the next ones, and of
    eight of those, one is among the nodes after them. So no node waits for ever. If there is no open node of the
    priority whose turn it is, the next lower ones are tried, and then the higher ones.

    Args:
        inner: the description of the frontiers, one for the nodes of each priority.
        priorities: the priorities of sites, by number. The default is 0, also for conditions without a site.
    """

    def __init__(self, inner: Frontier, priorities: Mapping[int, int]) -> None:
        self._kind, self._priorities = inner, priorities

    def begin(self) -> None:
        self._inner: dict[int, Frontier] = {}
        self._turn = 0

    def add(self, node: Node) -> None:
        priority = self._priorities.get(node.branch[0], 0)
        if priority not in self._inner:
            self._inner[priority] = self._kind.empty(self.view, self)
        self._inner[priority].add(node)

    def choose(self) -> Node | None:
        self._turn += 1
        waiting = sorted(self._inner, reverse=True)
        first, turn = 0, self._turn
        while turn % _TURNS == 0 and first < len(waiting) - 1:
            first, turn = first + 1, turn // _TURNS
        order = waiting[first:] + waiting[:first]
        return next((node for p in order if (node := self._inner[p].choose()) is not None), None)
