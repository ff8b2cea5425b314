"""What lies ahead of the sites of a Python function, read when somebody asks, and its native code."""

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

MOST_SITES = 16  # from which ways to one target are read: those nearest to it


def written_by(functions: Iterable[Function], numbers: Mapping[SiteKey, int]) -> Written:
    """What functions with these sites write down; their nodes are not changed."""
    places = count(1)
    return Written(Lowering(function, numbers, places).code for function in functions)


class PythonLookahead:
    """What lies ahead of each site on the way to each outcome.

    Args:
        written: what runs write down at the sites.
        graph: of the sites.
        read: makes the reader of the blocks.

    Attributes:
        address: of the words in which runs write their state down.
        seconds: that reading and compiling took, so far.
    """

    def __init__(self, written: Written, graph: Graph, read: Callable[[Written], Reader]) -> None:
        self.written, self._graph, self._read = written, graph, read
        self._reader: Reader | None = None
        self.address, self.seconds = written.address, 0.0

    def compiled(self, table: str) -> PythonFitness:
        """With distances by a table of :mod:`zeroin.distance`."""
        return PythonFitness(self, Distances(self.written.variables, table))

    @property
    def reader(self) -> Reader:
        """Which knows the blocks, once they are made."""
        if self._reader is None:
            self._reader = self._read(self.written)
        return self._reader

    @property
    def remarks(self) -> list[str]:
        """What is not read, if anything is."""
        if self._reader is None or not self._reader.missing:
            return []
        return [f"what lies ahead is not read in full ({self._reader.missing}): there, the enhanced fitness is the "
                "standard one"]  # fmt: skip

    def levels(self, target: int) -> dict[int, int]:
        """How far outcomes are from a target."""
        return self._graph.levels(target)

    def sites(self, target: int) -> dict[int, list[PartialPath]]:
        """The sites that lead to a target, with their ways: from those in the order of runs that say more than those
        before them. Without ways: nobody knows what the site compares, in terms of what is written down."""
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
            else:  # it is in a function that is called, or beyond what is read: the next step is all that is known
                found[site] = next_steps(site, levels, self.reader.between)
        return found


class PythonFitness:
    """The ways, with conditions as native code.

    Args:
        lookahead: reads them.
        distances: of their conditions.
    """

    def __init__(self, lookahead: PythonLookahead, distances: Distances) -> None:
        self._lookahead, self._distances = lookahead, distances
        self._sites: dict[int, dict[int, list[PartialPath]]] = {}

    def ahead(self, target: int) -> dict[int, list[tuple[list[Distance], int]]]:
        """For each site that leads to a target its ways: their conditions' distances, and how many were dropped."""
        found = self._known(target)
        return {site: [self._distances.of(way) for way in ways] for site, ways in found.items() if ways}

    def superfluous(self, target: int) -> set[int]:
        """None: between two sites much may happen that ends a run."""
        return set()

    def levels(self, target: int) -> dict[int, int]:
        """The levels of those outcomes of whose sites nobody knows what they compare."""
        unknown = {site for site, ways in self._known(target).items() if not ways}
        every = self._lookahead.levels(target)
        return {outcome: level for outcome, level in every.items() if outcome >> 1 in unknown}

    def _known(self, target: int) -> dict[int, list[PartialPath]]:
        if target not in self._sites:
            started = time.perf_counter()
            found = self._sites[target] = self._lookahead.sites(target)
            self._distances.compile(part for ways in found.values() for way in ways for part in way.conditions)
            self._lookahead.seconds += time.perf_counter() - started
        return self._sites[target]
