"""Values worth trying: all combinations where they are few, then a sweep over the range of every word."""

from __future__ import annotations

from ...minimize import Door, Stop, random_state
from ...minimize.seeds import binades, combinations
from ...objective.coverage import CoverageObjective
from ..domain import hurried
from ..search import Search
from .base import Strategy

# How many combinations of values worth trying, and steps through the range of each word: for subjects that run
# natively, and for those that an interpreter runs; fewer of these where runs are slow, which the first tell.
COMBINATIONS, STEPS = 50_000, 4096
FEW_COMBINATIONS, FEW_STEPS = 3_000, 64
_FIRST = 256
MOST_SHARE = 32  # of the fuel, in the last of the passes over them
_ALL = 99  # a stage beyond the last one; the passes have two each


class Seeds(Strategy):
    """One step tries all of them, again with more fuel while runs end for want of it; and once more if an interpreter
    ran the subject, and it is native now: then so many cost nothing."""

    def __init__(self, search: Search) -> None:
        super().__init__(search)
        self._tried_slowly: bool | None = None
        self._hurries = False
        self.objective = CoverageObjective(len(search.subject.sites), search.distance)

    @property
    def done(self) -> bool:
        return self._tried_slowly is not None and not (self._tried_slowly and not self.search.subject.slow)

    def step(self, evaluations: int) -> None:
        """Try them, however many evaluations that takes."""
        self._tried_slowly = self.search.subject.slow
        stage, share = 0, 1
        while not self.search.stopped and share <= MOST_SHARE:
            if not self._sweep(share, stage):
                break
            stage, share = stage + 2, share * 4
        self.search.seeds_from = 0, 0
        self.search.note_seeds(_ALL, 0)

    def _sweep(self, share: int, stage: int) -> bool:
        """One pass over the seeds; whether a run ended for want of fuel. Passes after the first end with a slice's
        fuel."""
        search = self.search
        first, number = search.seeds_from
        if first >= stage + 2:  # an earlier process has come further
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
                if search.subject.has_waited and not self._hurries:  # there is time for few runs: another order
                    self._hurries, search.domain = True, hurried(search.domain, search.subject.constants)
                    search.seeds_from = 0, 0
                    return self._sweep(share, stage)
                short |= search.subject.ran_short
                if share > 1 and found.reason is Stop.BUDGET:
                    break
        return short
