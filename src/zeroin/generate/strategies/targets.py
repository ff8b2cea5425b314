"""Search for one branch at a time: minimise the distance of runs to each missing branch in turn (Baars et al. 2011)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np

from ...errors import OptionError
from ...minimize.base import sample
from ...objective.base import NORMALISATIONS
from ...objective.branch import BranchObjective
from ...objective.enhanced import EnhancedFitness
from ...objective.standard import StandardFitness
from ...subject.search_problem import SearchProblem
from ..search import Search, bits_of
from .base import Strategy

_PURPOSE = 2
_ALL = -1  # all branches


_About = Callable[[int, int, int], SearchProblem]  # (target, covered, seen) -> search problem


class Targets(Strategy):
    """A strategy that aims at one missing branch in each step, in turn.

    Branches whose condition some run has evaluated come first. The start is an input that evaluates the condition, if
    one is known.

    Args:
        search: the search.
        fitness: ``standard`` or ``enhanced`` (the fitness functions of the paper), or ``both``: two tries with the
            first, then two with the second. The enhanced fitness needs look-ahead.
        ahead: ``simplified``: what one condition ahead fixes to a constant is constant in the others. ``paper``: the
            conditions are those of the paper. It matters when the subject is loaded (``Options.ahead_as_paper``).
        normalisation: how distances are normalised (:func:`zeroin.objective.base.normaliser`). The paper has the last
            two.
        latest: ``true``: the distance of the standard fitness is that of the last time when the run turned away from
            the target, as in the paper. ``false``: it is the smallest one of the run.
        collateral: ``false``: a branch only counts as covered if the search for it takes it. Runs of an earlier process
            count as well.

    Raises:
        OptionError: the subject has no look-ahead.
    """

    choices: ClassVar = {
        "fitness": ("standard", "enhanced", "both"),
        "ahead": ("simplified", "paper"),
        "normalisation": ("logarithmic", *NORMALISATIONS[:2]),
        "latest": ("false", "true"),
        "collateral": ("true", "false"),
    }

    def __init__(self, search: Search, fitness: str = "standard", normalisation: str = "logarithmic",
                 collateral: str = "true", ahead: str = "simplified", latest: str = "false") -> None:  # fmt: skip
        super().__init__(search)
        self._asked: list[_About] = []
        if fitness != "enhanced":
            self._asked.append(_standard(search, normalisation, latest == "true"))
        if fitness != "standard":
            self._asked.append(_enhanced(search, normalisation))
        self._collateral = collateral == "true"
        self._tries: dict[int, int] = {}

    def step(self, evaluations: int) -> None:
        search = self.search
        missing = bits_of(search.missing)
        if not missing:
            return
        target = min(missing, key=lambda o: (self._tries.get(o, 0), not search.seen >> (o ^ 1) & 1, o))
        tries = self._tries.get(target, 0)
        self._tries[target] = tries + 1
        about = self._asked[tries // 2 % len(self._asked)]
        search.counted, search.goal = _ALL if self._collateral else 1 << target, target
        try:
            question = about(target, search.covered | ~search.counted, search.seen | ~search.counted)
            search.note_closest(
                target, search.minimize(question, evaluations, self._start(target, tries + 1), _PURPOSE)
            )
        finally:
            search.counted, search.goal = _ALL, -1

    def _start(self, target: int, tries: int) -> np.ndarray:
        """Return a drawn input, or one that took the other branch of the target's site: another one in each try."""
        near = [run.words for run in self.search.runs if target ^ 1 in run.covered]
        if near and tries % 2:
            return np.array(near[tries // 2 % len(near)], dtype=np.int64)
        start = np.zeros(len(self.search.domain.kinds), dtype=np.int64)
        sample(self.search.starts.native, start, self.search.stream(_PURPOSE))
        return start


def _standard(search: Search, normalisation: str, latest: bool) -> _About:
    """Return the standard fitness: approach level + branch distance, maybe that of the latest time."""
    sites = len(search.subject.sites)
    objective: BranchObjective
    if normalisation == "logarithmic" and not latest:  # the same function, and its native code is always loaded
        objective = BranchObjective(sites, search.settings.distance)
    else:
        objective = StandardFitness(sites, search.settings.distance, normalisation, latest)

    def about(target: int, covered: int, seen: int) -> SearchProblem:
        objective.aim(search.graph.levels(target), covered, seen)
        return objective.question

    return about


def _enhanced(search: Search, normalisation: str) -> _About:
    """Return the enhanced fitness, with look-ahead.

    Raises:
        OptionError: there is no model of the code.
    """
    lookahead = search.subject.lookahead
    if lookahead is None:
        raise OptionError(f"--engine targets: fitness=enhanced needs a model of the code, and there is none for this "
                          f"{search.subject.language} function; use fitness=standard")  # fmt: skip
    ways = lookahead.compiled(search.settings.distance)
    objective = EnhancedFitness(len(search.subject.sites), lookahead.address, normalisation, search.settings.distance)

    def about(target: int, covered: int, seen: int) -> SearchProblem:
        objective.aim(target, ways.ahead(target), covered, seen, ways.levels(target), ways.superfluous(target))
        return objective.question

    return about
