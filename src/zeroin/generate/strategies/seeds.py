"""Values worth trying: all their combinations if these are few, then a sweep over the range of every word."""

from __future__ import annotations

from ...minimize import Door, Stop, random_state
from ...minimize.seeds import binades, combinations
from ...objective.coverage import CoverageObjective
from ..domain import hurried
from ..search import Search
from .base import Strategy

# The number of combinations, and of steps through the range of each word: for native subjects, then for interpreted
# ones. If the first runs are slow, it is smaller.
COMBINATIONS, STEPS = 50_000, 4096
FEW_COMBINATIONS, FEW_STEPS = 3_000, 64
_FIRST = 256
MOST_SHARE = 32  # the share of fuel in the last pass
_ALL = 99  # a stage after all others; each pass has two stages


class Seeds(Strategy):
    """A strategy that evaluates all values worth trying in its only step.

    It makes further passes with more fuel while runs lack fuel. It runs again when an interpreted subject has become
    native, because then the runs cost little.
    """

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._tried_slowly: bool | None = None
        self._hurries = False
        self.objective = CoverageObjective(len(search.subject.sites), search.settings.distance)

    @property
    def done(self) -> bool:
        return self._tried_slowly is not None and not (self._tried_slowly and not self.search.subject.slow)

    def step(self, evaluations: int) -> None:
        """Evaluate all seeds, however many evaluations that takes."""
        self._tried_slowly = self.search.subject.slow
        stage, share = 0, 1
        while not self.search.stopped and share <= MOST_SHARE:
            if not self._sweep(share, stage):
                break
            stage, share = stage + 2, share * 4
        self.search.seeds_from = 0, 0
        self.search.note_seeds(_ALL, 0)

    def _sweep(self, share: int, stage: int) -> bool:
        """Make a pass over the seeds; return whether a run lacked fuel.

        In passes after the first one, each part ends when a slice's evaluations or fuel are used up.
        """
        search = self.search
        first, number = search.seeds_from
        if first >= stage + 2:  # an earlier process did this pass
            return first != _ALL
        rng, drawn = search.stream(0), random_state([0])
        domain = search.domain.native
        slow, short = search.subject.slow, False
        most, steps = (FEW_COMBINATIONS, FEW_STEPS) if slow else (COMBINATIONS, STEPS)
        for part, kernel in enumerate(("combinations", "binades"), start=stage):
            if search.stopped:
                return False
            if part < first:
                continue
            at, before = [number if part == first else 0], -1
            search.seeds_from = 0, 0
            while not search.stopped and at[0] != before:
                self.objective.update(-1, search.covered, search.seen)
                before, haste = at[0], max(1, search.haste // 4)
                search.note_seeds(part, before)

                def body(door: Door, at: list[int] = at, kernel: str = kernel, haste: int = haste) -> None:
                    if kernel == "combinations":
                        at[0] = combinations(door.native, domain, search.x, drawn, at[0], most // haste)
                    else:
                        at[0] = binades(door.native, domain, search.x, rng, at[0], max(1, steps // haste))

                runs = _FIRST if slow and search.evaluations < _FIRST else most
                found = search.run(self.objective.question, runs, body, share)
                if search.subject.has_waited and not self._hurries:  # time for few runs: another order
                    self._hurries, search.domain = True, hurried(search.domain, search.subject.constants)
                    search.seeds_from = 0, 0
                    return self._sweep(share, stage)
                short |= search.subject.ran_short
                if share > 1 and found.reason is Stop.BUDGET:
                    break
        return short
