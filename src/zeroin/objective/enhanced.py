"""The symbolically enhanced fitness (Baars et al. 2011, section III): look-ahead from a site to the target.

Its value is the smallest sum, over all partial paths from a site to the target, of approximation level and path
distance. The path distance adds the normalised distances of the conditions on the partial path, computed from the state
of the run at the site. The approximation level is the number of conditions whose distances can not be computed there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from ..distance import ANY, holds
from ..native.cells import HEADER, SITES, ProbeMode
from ..native.kernel import caller, kernel
from .base import Objective, chosen_distance, normalised, normaliser
from .branch import wanted
from .coverage import note_news, write_state

_condition = caller("float64(int64, int64)")
_TINY = 5e-324  # the least value of a run that did not take the target
_UNKNOWN = -1  # a word that stands for no distance
Ways: TypeAlias = Sequence[tuple[Sequence[tuple[int, int]], int]]
Ahead: TypeAlias = Mapping[int, Ways]
_Tree: TypeAlias = "dict[int, _Tree]"  # for each condition, the conditions that partial paths continue with
_NONE: Mapping[int, int] = MappingProxyType({})


def pen(data: Any, r: float, site: int, op: int, a: Any, b: Any) -> float:
    """Return the smaller of r and the distance to the target as seen from this site, and note whether the run is news.

    It is 0 once the run has taken the target, and positive before.
    """
    this = 2 * site if holds(op, a, b) else 2 * site + 1
    note_news(data, this)
    own = HEADER + 2 * data[SITES]
    if this == data[own + 1]:
        return 0.0
    ahead = data[own + 3 + site]
    if ahead != 0:
        return max(nearest_way(data, ahead, data[own], data[own + 2], r), _TINY) if r != 0.0 else r
    levels = own + 3 + data[SITES]
    if data[levels + this] >= 0:
        r = min(r, float(data[levels + this]))
    if data[levels + (this ^ 1)] >= 0:
        distance = chosen_distance(data, op if this & 1 else op ^ ANY, a, b)
        r = min(r, data[levels + (this ^ 1)] + normalised(data[own + 2], distance))
    return r


@kernel
def nearest_way(data: Any, ahead: int, state: int, normalise: int, r: float) -> float:
    """Return the smaller of r and the value of the nearest partial path. It computes only the distances that it needs.

    Args:
        data: the cells of the objective. The memory of the site's table is overwritten.
        ahead: the index in ``data`` of a site's table, as made by :func:`table_of`.
        state: the address of the recorded state.
        normalise: the number of the normalisation.
        r: the smallest value so far.
    """
    count = data[ahead]
    known = ahead + 2 + 2 * count
    sums, at, end = known + count, known + count + data[ahead + 1], 0
    for n in range(count):
        data[known + n] = _UNKNOWN
    while data[at] != _UNKNOWN:
        so_far, end = float(data[at]), at + data[at + 1]
        if so_far >= r:
            break
        if at + 2 == end:
            return so_far
        data[sums] = np.float64(so_far).view(np.int64)
        at += 2
        while at < end:
            depth, n, after = sums + data[at], data[at + 1], at + data[at + 2]
            so_far = np.int64(data[depth]).view(np.float64)
            if so_far < r:
                if data[known + n] == _UNKNOWN:
                    distance = _condition(data[ahead + 2 + 2 * n], (state, data[ahead + 3 + 2 * n]))
                    data[known + n] = np.float64(normalised(normalise, distance)).view(np.int64)
                so_far += np.int64(data[known + n]).view(np.float64)
            at += 3
            if so_far >= r:
                at = after
            elif at == after:
                r = so_far
            else:
                data[depth + 1] = np.float64(so_far).view(np.int64)
    return r


class EnhancedFitness(Objective):
    """An objective that is zero exactly when the run takes the target branch.

    Runs that take another branch for the first time are reported as news. A run from whose sites no way to the target
    is known has the value ``r0``. Call :meth:`aim` before the first search.

    Args:
        sites: the number of sites of the subject.
        state: the address of the words in which the subject records its state before each site.
        normalisation: how distances are normalised, see :class:`zeroin.objective.standard.StandardFitness`.
        distance: the table of distances (see :class:`Objective`) for sites whose operands are not in the recorded
            state.

    Raises:
        OptionError: there is no distance or normalisation of that name.
    """

    r0 = 1e6
    pen = staticmethod(pen)

    def __init__(self, sites: int, state: int, normalisation: str = "exponential", distance: str = "korel") -> None:
        own = [state, -1, normaliser(normalisation)]
        super().__init__(sites, [0] * (2 * sites) + own + [0] * sites + [-1] * (2 * sites), distance)
        self.question.data[SITES] = sites

    def aim(self, target: int, ahead: Ahead, covered: int, seen: int, levels: Mapping[int, int] = _NONE,
            superfluous: Collection[int] = ()) -> None:  # fmt: skip
        """Set the target, in place of an earlier one.

        The data of ``question`` become a new array. So a door that was made for the old array must not be used again.

        Args:
            target: the target branch.
            ahead: for each site that the target depends on, the partial paths to the target. A partial path has the
                distances of its conditions, and the number of its other conditions. A distance is the address of a
                function of the state's address and a number, and that number.
            covered: the branches of runs that returned, as a bit set. If such a run takes another one, that is news.
            seen: the branches of all runs, as a bit set. If a run that does not return takes another one, that is news.
            levels: the approach levels of branches of other sites, from which no partial path is known.
            superfluous: branches of sites in ``ahead`` after which every run reaches another site that is at most as
                far.
        """
        write_state(self, -1, covered, seen)
        question, own = self.question, HEADER + 2 * self.sites
        places, table = [0] * self.sites, list[int]()
        start = own + 3 + 3 * self.sites
        known = wanted(levels)
        near = [known.get(outcome, -1) for outcome in range(2 * self.sites)]
        for site, ways in ahead.items():
            places[site] = start + len(table)
            table += table_of(ways)
        question.data[own + 1] = target
        more = np.array([*places, *near, *table], dtype=np.int64)
        question.data = np.concatenate([question.data[: own + 3], more])
        sites = {target >> 1, *ahead, *(outcome >> 1 for outcome in levels)}
        for outcome in {outcome for site in sites for outcome in (2 * site, 2 * site + 1)} - {*superfluous}:
            question.asked[outcome] = ProbeMode.CALL


def table_of(ways: Ways) -> list[int]:
    """Return partial paths as cells for :func:`nearest_way`. The conditions of the paths form a tree.

    The table begins with the number of different conditions, the number of levels of the tree, and the address and
    number of each distance. Memory follows: a cell for each distance, and one for the sum at each level of the tree.

    Then there is a tree for each number of other conditions, the smallest number first. In front of a tree are that
    number, and the number of cells including these two. The last cell is the end mark -1.

    A tree has three cells for each condition, parents before children: its depth from 0, its index among the different
    conditions, and its number of cells including its children.
    """
    place: dict[tuple[int, int], int] = {}
    trees: dict[int, _Tree] = {}
    for distances, dropped in sorted(ways, key=lambda way: (way[1], len(way[0]))):
        fresh = dropped not in trees
        tree = trees.setdefault(dropped, {})
        for distance in distances:
            if not (tree or fresh):
                break  # a shorter path ends here, which is never further
            number = place.setdefault(distance, len(place))
            fresh |= number not in tree
            tree = tree.setdefault(number, {})
    cells = list[int]()
    for dropped, tree in trees.items():
        below = _cells(tree, 0)
        cells += [dropped, 2 + len(below), *below]
    every = [cell for distance in place for cell in distance]
    deepest = 1 + max((len(distances) for distances, _ in ways), default=0)
    return [len(place), deepest, *every, *[0] * (len(place) + deepest), *cells, _UNKNOWN]


def _cells(tree: _Tree, depth: int) -> list[int]:
    """Return the cells of the conditions of a tree whose first level has this depth."""
    cells = list[int]()
    for place, further in tree.items():
        below = _cells(further, depth + 1)
        cells += [depth, place, 3 + len(below), *below]
    return cells
