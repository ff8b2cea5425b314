"""The default: values worth trying first, then all branches at once and one branch at a time in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..minimize import Door, Stop, random_state, warm_up, warm_up_binades, warm_up_combinations, warm_up_draws
from ..minimize.seeds import binades, combinations
from ..objective.coverage import CoverageObjective
from ..words import Kind
from .search import Search
from .stopped import Stopped
from .strategies.chance import Chance
from .strategies.minimization import SLICE, Minimization
from .strategies.targets import Targets

# How many combinations of values worth trying, and steps through the range of each word: for subjects that run
# natively, and for those that an interpreter runs.
COMBINATIONS, STEPS = 50_000, 4096
FEW_COMBINATIONS, FEW_STEPS = 3_000, 64
MOST_SHARE = 32  # of the fuel, in the last of the passes over them


class Step(Protocol):
    """A strategy that is asked to spend some evaluations."""

    def step(self, evaluations: int) -> None: ...


def generate(search: Search, engine: str = "hybrid", wait: Callable[[], None] = lambda: None) -> Stopped:
    """Search until every branch is covered or the budget is used up; the reason for stopping.

    Args:
        search: the state; what is found ends up in it.
        engine: ``hybrid``, ``minimize`` or ``targets``.
        wait: called when more than seeds are needed, and all but the minimizer is compiled; it may take as long as it
            likes, to let another process compile what :func:`zeroin.minimize.warm_up_minimizer` loads.
    """
    slow, hybrid = search.subject.slow, engine == "hybrid"
    if hybrid:
        try_seeds(search)
    if search.stopped:
        return search.stopped
    minimization, targets = Minimization(search), Targets(search)
    with search.ledger.compiling():
        warm_up_draws()
        wait()
        warm_up(search.minimizer, strings=Kind.CHAR in search.domain.kinds)
    all_: tuple[Step, ...] = (minimization, targets, Chance(search), targets)
    steps: tuple[Step, ...] = {"hybrid": all_, "minimize": (minimization,), "targets": (targets,)}[engine]
    turn, last_find = 0, (0, 0)
    while not (reason := search.stopped):
        # The longer nothing is found, the longer the slices: less goes into starting them.
        grown = min((turn - last_find[0]) // 16, 6)
        steps[turn % len(steps)].step(SLICE << grown)
        turn += 1
        if slow and not search.subject.slow and hybrid:  # native from now on: so many seeds cost nothing
            slow = False
            try_seeds(search)
        if len(search.runs) != last_find[1]:
            last_find = (turn, len(search.runs))
    return reason


def try_seeds(search: Search) -> None:
    """Evaluate the combinations of the pools, then a sweep over the range of every word; again with more fuel, while
    runs end for want of it."""
    with search.ledger.compiling():
        objective = CoverageObjective(len(search.subject.sites), search.distance)
    share = 1
    while not search.stopped and share <= MOST_SHARE:
        if not _sweep(search, objective, share):
            return
        share *= 4


def _sweep(search: Search, objective: CoverageObjective, share: int) -> bool:
    """One pass over the seeds; whether a run ended for want of fuel. Passes after the first end with a slice's fuel."""
    rng, drawn = search.stream(0), random_state([0])
    domain = search.domain.native
    slow, short = search.subject.slow, False
    most, steps = (FEW_COMBINATIONS, FEW_STEPS) if slow else (COMBINATIONS, STEPS)
    for kernel, load in (("combinations", warm_up_combinations), ("binades", warm_up_binades)):
        if search.stopped:
            return False
        with search.ledger.compiling():
            load()
        at, before = [0], -1
        while not search.stopped and at[0] != before:
            objective.update(-1, search.covered, search.seen)
            before = at[0]

            def body(door: Door, at: list[int] = at, kernel: str = kernel) -> None:
                if kernel == "combinations":
                    at[0] = combinations(door.native, domain, search.x, drawn, at[0], most)
                else:
                    at[0] = binades(door.native, domain, search.x, rng, at[0], steps)

            found = search.run(objective.question, most, body, share)
            short |= search.subject.ran_short
            if share > 1 and found.reason is Stop.BUDGET:
                break
    return short
