"""The default: values worth trying first, then all branches at once and one branch at a time in turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .. import minimize
from ..minimize import Door, random_state
from ..minimize.seeds import binades, combinations
from ..objective.branch import BranchObjective
from ..objective.coverage import CoverageObjective
from .chance import Chance
from .minimization import SLICE, Minimization
from .search import Search
from .targets import Targets

# How many combinations of values worth trying, and steps through the range of each word: for subjects that run
# natively, and for those that an interpreter runs.
COMBINATIONS, STEPS = 50_000, 4096
FEW_COMBINATIONS, FEW_STEPS = 3_000, 64


class Step(Protocol):
    """A strategy that is asked to spend some evaluations."""

    def step(self, evaluations: int) -> None: ...


def warm_up(minimizer: str = "avm", distance: str = "ulp", wait: Callable[[], None] = lambda: None) -> None:
    """Load (the first time on a machine: compile) the native code of a search, so that no search pays for it.

    Args:
        minimizer: a name from :data:`zeroin.minimize.MINIMIZERS`.
        distance: ``ulp``, ``korel`` or ``squared``.
        wait: returns when another process has compiled what :func:`zeroin.minimize.warm_up` does first.
    """
    CoverageObjective(1, distance)
    BranchObjective(1, distance)
    minimize.warm_up_combinations()
    wait()
    minimize.warm_up(minimizer)


def generate(search: Search, engine: str = "hybrid") -> str:
    """Search until every branch is covered or the budget is used up; the reason for stopping.

    Args:
        search: the state; what is found ends up in it.
        engine: ``hybrid``, ``minimize`` or ``targets``.
    """
    minimization, targets = Minimization(search), Targets(search)
    hybrid: tuple[Step, ...] = (minimization, targets, Chance(search), targets)
    steps: tuple[Step, ...] = {"hybrid": hybrid, "minimize": (minimization,), "targets": (targets,)}[engine]
    slow = search.subject.slow
    if engine == "hybrid" and not search.stopped:
        try_seeds(search)
    turn, last_find = 0, (0, 0)
    while not (reason := search.stopped):
        # The longer nothing is found, the longer the slices: less goes into starting them.
        grown = min((turn - last_find[0]) // 16, 4)
        steps[turn % len(steps)].step(SLICE << grown)
        turn += 1
        if slow and not search.subject.slow and engine == "hybrid":  # native from now on: so many seeds cost nothing
            slow = False
            try_seeds(search)
        if len(search.runs) != last_find[1]:
            last_find = (turn, len(search.runs))
    return reason


def try_seeds(search: Search) -> None:
    """Evaluate the combinations of the pools, then a sweep over the range of every word."""
    objective = CoverageObjective(len(search.subject.sites), search.distance)
    rng, drawn = search.stream(0), random_state([0])
    domain = search.domain.native
    slow = search.subject.slow
    most, steps = (FEW_COMBINATIONS, FEW_STEPS) if slow else (COMBINATIONS, STEPS)
    for kernel in ("combinations", "binades"):
        at = [0]
        while not search.stopped:
            objective.update(-1, search.covered, search.seen)
            before = at[0]

            def body(door: Door, at: list[int] = at, kernel: str = kernel) -> None:
                if kernel == "combinations":
                    at[0] = combinations(door.native, domain, search.x, drawn, at[0], most)
                else:
                    at[0] = binades(door.native, domain, search.x, rng, at[0], steps)

            search.run(objective.question, most, body)
            if at[0] == before:
                break
