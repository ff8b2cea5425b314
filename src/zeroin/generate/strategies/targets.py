"""One search a branch: minimise how far runs are from one missing branch after the other (Baars et al. 2011)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import numpy as np

from ...errors import OptionError
from ...minimize.base import sample
from ...objective.base import NORMALISATIONS
from ...objective.branch import BranchObjective
from ...objective.enhanced import EnhancedFitness
from ...objective.standard import StandardFitness
from ...subject.question import Question
from ..search import Search, bits_of
from .base import Strategy

_PURPOSE = 2
_ALL = -1  # outcomes


class _Fitness(ABC):
    """A question that can be asked about each branch."""

    @abstractmethod
    def about(self, target: int, covered: int, seen: int) -> Question:
        """The question; outcomes that are not in these bit sets are news."""


class _ByLevels(_Fitness):
    """Approach level + branch distance."""

    def __init__(self, search: Search, objective: BranchObjective) -> None:
        self._search, self._objective = search, objective

    def about(self, target: int, covered: int, seen: int) -> Question:
        self._objective.aim(self._search.graph.levels(target), covered, seen)
        return self._objective.question


class _Enhanced(_Fitness):
    """What lies ahead, in full."""

    def __init__(self, search: Search, normalisation: str) -> None:
        subject = search.subject
        lookahead = getattr(subject, "lookahead", None)
        if lookahead is None:
            raise OptionError("--engine targets: the enhanced fitness reads what lies ahead, which zeroin can do of C, "
                              "C++ and LLVM IR; take fitness=standard here")  # fmt: skip
        self._compiled = lookahead.compiled(search.distance)
        self._objective = EnhancedFitness(len(subject.sites), lookahead.address, normalisation)

    def about(self, target: int, covered: int, seen: int) -> Question:
        self._objective.aim(target, self._compiled.ahead(target), covered, seen)
        return self._objective.question


class Targets(Strategy):
    """Each step aims at one missing branch: those whose condition some run has evaluated come first, and each in turn.
    It starts at an input that evaluates the condition, if there is one.

    Args:
        search: what it works on.
        fitness: ``branch``, the objective of that name; the paper's ``standard`` or ``enhanced``; or ``both``: two
            tries with the enhanced, two with the standard fitness.
        normalisation: of the paper's, see :func:`zeroin.objective.base.normaliser`.
        collateral: ``false``: a branch counts as covered only when the search for it takes it, or an earlier process
            has found it.

    Raises:
        OptionError: nobody has read what lies ahead.
    """

    choices: ClassVar = {
        "fitness": ("branch", "standard", "enhanced", "both"),
        "normalisation": ("logarithmic", *NORMALISATIONS[:2]),
        "collateral": ("true", "false"),
    }

    def __init__(self, search: Search, fitness: str = "branch", normalisation: str = "logarithmic",
                 collateral: str = "true") -> None:  # fmt: skip
        super().__init__(search)
        sites = len(search.subject.sites)
        self._asked: list[_Fitness] = []
        if fitness == "branch":
            self._asked.append(_ByLevels(search, BranchObjective(sites, search.distance)))
        if fitness in ("enhanced", "both"):
            self._asked.append(_Enhanced(search, normalisation))
        if fitness in ("standard", "both"):
            self._asked.append(_ByLevels(search, StandardFitness(sites, search.distance, normalisation)))
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
        fitness = self._asked[tries // 2 % len(self._asked)]
        search.counted = _ALL if self._collateral else 1 << target
        try:
            question = fitness.about(target, search.covered | ~search.counted, search.seen | ~search.counted)
            search.minimize(question, evaluations, self._start(target, tries + 1), _PURPOSE)
        finally:
            search.counted = _ALL

    def _start(self, target: int, tries: int) -> np.ndarray:
        """A run that took the other way at the target's site; a different one at every try, then a drawn point."""
        near = [run.words for run in self.search.runs if target ^ 1 in run.covered]
        if near and tries % 2:
            return np.array(near[tries // 2 % len(near)], dtype=np.int64)
        start = np.zeros(len(self.search.domain.kinds), dtype=np.int64)
        sample(self.search.starts.native, start, self.search.stream(_PURPOSE))
        return start
