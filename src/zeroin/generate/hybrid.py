"""The default: values worth trying first, then all branches at once and one branch at a time in turn."""

from __future__ import annotations

from ..minimize import Door
from ..minimize.seeds import binades, combinations
from ..objective.coverage import CoverageObjective
from .minimization import SLICE, Minimization
from .search import Search
from .targets import Targets

COMBINATIONS = 50_000


def generate(search: Search, engine: str = "hybrid") -> str:
    """Search until every branch is covered or the budget is used up; the reason for stopping.

    Args:
        search: the state; what is found ends up in it.
        engine: ``hybrid``, ``minimize`` or ``targets``.
    """
    minimization, targets = Minimization(search), Targets(search)
    steps = {"hybrid": (minimization, targets), "minimize": (minimization,), "targets": (targets,)}[engine]
    if engine == "hybrid" and not search.stopped:
        try_seeds(search)
    turn, last_find = 0, (0, 0)
    while not (reason := search.stopped):
        # The longer nothing is found, the longer the slices: less goes into starting them.
        grown = min((turn - last_find[0]) // 16, 4)
        steps[turn % len(steps)].step(SLICE << grown)
        turn += 1
        if len(search.runs) != last_find[1]:
            last_find = (turn, len(search.runs))
    return reason


def try_seeds(search: Search) -> None:
    """Evaluate the combinations of the pools, then a sweep over the range of every word."""
    objective = CoverageObjective(len(search.subject.sites), search.distance)
    rng = search.stream(0)
    domain = search.domain.native
    for kernel in ("combinations", "binades"):
        at = [0]
        while not search.stopped:
            objective.update(-1, search.covered, search.seen)
            before = at[0]

            def body(door: Door, at: list[int] = at, kernel: str = kernel) -> None:
                if kernel == "combinations":
                    at[0] = combinations(door.native, domain, search.x, at[0], COMBINATIONS)
                else:
                    at[0] = binades(door.native, domain, search.x, rng, at[0])

            search.run(objective.question, COMBINATIONS, body)
            if at[0] == before:
                break
