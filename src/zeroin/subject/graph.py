"""The graph of a subject's outcomes: which follow which, what each can still reach, what controls what.

Nodes are outcomes (``2*site`` and ``2*site + 1``); the graph comes from the control flow between sites.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

ENTRY = -1


class Graph:
    """Reachability and distance between outcomes.

    Args:
        sites: how many sites there are.
        follows: for each outcome, the sites that may be evaluated next.
        first: the sites that may be evaluated first.
        fatal: outcomes, as a bit set, that no run takes and returns (a failed assertion's).
    """

    def __init__(self, sites: int, follows: Mapping[int, Sequence[int]], first: Sequence[int], fatal: int = 0) -> None:
        self.sites, self.fatal = sites, fatal
        self.follows = {outcome: tuple(follows.get(outcome, ())) for outcome in range(2 * sites)}
        self.first = tuple(first)
        self.descendants = self._reach()

    def _reach(self) -> list[int]:
        """For each outcome a bit set of the outcomes that can come after it (Def. 3.2's descendants)."""
        reach = [0] * (2 * self.sites)
        for outcome, sites in self.follows.items():
            for site in sites:
                reach[outcome] |= 0b11 << (2 * site)
        changed = True
        while changed:
            changed = False
            for outcome in range(2 * self.sites - 1, -1, -1):
                grown = reach[outcome]
                for site in self.follows[outcome]:
                    grown |= reach[2 * site] | reach[2 * site + 1]
                if grown != reach[outcome]:
                    reach[outcome] = grown
                    changed = True
        return reach

    def saturated(self, done: int) -> int:
        """The outcomes that are in ``done`` together with all their descendants, as a bit set (Def. 3.2)."""
        result = 0
        for outcome, below in enumerate(self.descendants):
            if done >> outcome & 1 and below & ~done == 0:
                result |= 1 << outcome
        return result

    def levels(self, target: int) -> dict[int, int]:
        """How many decisions each outcome is away from ``target`` (0 for the target itself), on the shortest way.

        Outcomes from which the target can not be reached are left out.  This is the approach level of
        search-based testing, with the shortest way through loops.
        """
        level = {target: 0}
        site_level: dict[int, int] = {target >> 1: 0}
        before = self._preceding()
        queue = deque([target >> 1])
        while queue:
            site = queue.popleft()
            for outcome in before.get(site, ()):
                if outcome in level or outcome == target:
                    continue
                level[outcome] = site_level[site] + 1
                if outcome >> 1 not in site_level:
                    site_level[outcome >> 1] = level[outcome]
                    queue.append(outcome >> 1)
        return level

    def _preceding(self) -> dict[int, list[int]]:
        before: dict[int, list[int]] = {}
        for outcome, sites in self.follows.items():
            for site in sites:
                before.setdefault(site, []).append(outcome)
        return before
