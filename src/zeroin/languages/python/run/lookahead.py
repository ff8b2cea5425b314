"""Look-ahead for Python: the partial paths from conditions to a target (Baars et al. 2011, section III).

The function is read when they are first needed. Native code computes how far a run's state is from each path.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from itertools import count

from ....model.ahead import PartialPath, next_steps
from ....model.distances import Distance, Distances
from ....subject.graph import Graph
from ..read.blocks.ahead import Reader
from ..read.blocks.lowering import Lowering
from ..read.blocks.recorded_variables import Written
from .probes.sites import SiteKey
from .probes.source import Function

MOST_SITES = 16  # the number of sites, those nearest to a target, whose partial paths to it are read


def written_by(functions: Iterable[Function], numbers: Mapping[SiteKey, int]) -> Written:
    """Return the variables that runs of the functions record at each site. The functions' nodes are not changed.

    Args:
        functions: the instrumented functions.
        numbers: the number of each site, by its node.
    """
    places = count(1)
    return Written(Lowering(function, numbers, places).code for function in functions)


class PythonLookahead:
    """The partial paths from each site of a Python function to each branch.

    Args:
        written: the variables that runs record at the sites.
        graph: the control flow graph of the sites.
        read: makes the reader of the function's blocks.

    Attributes:
        address: the address of the words into which runs record the variables.
        seconds: the time that reading and compiling took so far.
    """

    def __init__(self, written: Written, graph: Graph, read: Callable[[Written], Reader]) -> None:
        self.written, self._graph, self._read = written, graph, read
        self._reader: Reader | None = None
        self.address, self.seconds = written.address, 0.0

    def compiled(self, table: str) -> PythonFitness:
        """Return the partial paths with native distances, by a table of :mod:`zeroin.distance`.

        Those to a target are read and compiled when they are first needed.
        """
        return PythonFitness(self, Distances(self.written.variables, table))

    @property
    def reader(self) -> Reader:
        """The reader of the function's blocks, made at the first use."""
        if self._reader is None:
            self._reader = self._read(self.written)
        return self._reader

    @property
    def remarks(self) -> list[str]:
        """Lines for the report about statements that can not be read; empty if there are none."""
        if self._reader is None or not self._reader.missing:
            return []
        return [f"the enhanced fitness is the standard one where zeroin can not read the code ahead "
                f"({self._reader.missing})"]  # fmt: skip

    def levels(self, target: int) -> dict[int, int]:
        """Return the approach level of each branch on which the target depends, by branch; the target has level 0."""
        return self._graph.levels(target)

    def sites(self, target: int) -> dict[int, list[PartialPath]]:
        """Return the sites that lead to a target branch, each with its partial paths.

        The list is empty if the recorded variables do not determine the condition of the site, or if the site is not
        one of the ``MOST_SITES`` nearest to the target. Two kinds of sites are left out: those with no path to the
        target, if that is known; and those that runs only reach after another site whose paths are all known.
        """
        levels, found = self._graph.levels(target), dict[int, list[PartialPath]]()
        whole: list[int] = []
        near = {outcome >> 1: level for outcome, level in sorted(levels.items(), key=lambda one: -one[1])}
        read = set(sorted(near, key=near.__getitem__)[:MOST_SITES])
        for site in sorted(near):
            if any(self.reader.is_always_before(before, site) for before in whole):
                continue
            if site not in read or not self.reader.knows(site):
                found[site] = []
                continue
            ahead = self.reader.between(site, target)
            if ahead is not None and ahead.whole:
                whole.append(site)
                if ahead.paths:
                    found[site] = list(ahead.paths)
            elif ahead is not None and ahead.paths:
                found[site] = list(ahead.paths)
            else:  # the target is in a callee, or its paths are not read: only the next step is known
                found[site] = next_steps(site, levels, self.reader.between)
        return found


class PythonFitness:
    """Partial paths whose conditions are native code.

    Args:
        lookahead: provides the partial paths.
        distances: compiles the distances of their conditions.
    """

    def __init__(self, lookahead: PythonLookahead, distances: Distances) -> None:
        self._lookahead, self._distances = lookahead, distances
        self._sites: dict[int, dict[int, list[PartialPath]]] = {}

    def ahead(self, target: int) -> dict[int, list[tuple[list[Distance], int]]]:
        """Return, for each site that leads to a target, its partial paths. Sites without known paths are left out.

        Each path consists of the distances of its conditions and the number of conditions that were dropped from it.
        """
        found = self._known(target)
        return {site: [self._distances.of(way) for way in ways] for site, ways in found.items() if ways}

    def superfluous(self, target: int) -> set[int]:
        """Return no branch: in Python, a run may end anywhere between two sites."""
        return set()

    def levels(self, target: int) -> dict[int, int]:
        """Return the approach levels of branches whose sites have no partial paths, so that only these levels count."""
        unknown = {site for site, ways in self._known(target).items() if not ways}
        every = self._lookahead.levels(target)
        return {outcome: level for outcome, level in every.items() if outcome >> 1 in unknown}

    def _known(self, target: int) -> dict[int, list[PartialPath]]:
        """Return the partial paths to a target, which are read and compiled at the first call for it."""
        if target not in self._sites:
            started = time.perf_counter()
            found = self._sites[target] = self._lookahead.sites(target)
            self._distances.compile(part for ways in found.values() for way in ways for part in way.conditions)
            self._lookahead.seconds += time.perf_counter() - started
        return self._sites[target]
