"""FloPSy's functions as programs, explored path by path with its solvers, as the paper has them (sections 3.1 and 4.1).

A path through such a program is a conjunction without ``if``, so the solver gets less at once than the whole condition.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from zeroin import Budget, Options, Worker, cover

FILE = Path(__file__).parents[1] / "python" / "functions" / "flopsy.py"
PROGRAMS = {
    "Beale": "beale", "Freudenstein and Roth": "freudenstein_roth", "Helical valley": "helical_valley",
    "Powell": "powell", "Rosenbrock": "rosenbrock", "Wood": "wood",
}  # fmt: skip
SOLVERS = {
    "Z3 (reals) only": "z3-reals", "+ random": "two-phase-random", "+ AVM (paper)": "two-phase-avm",
    "+ ES (paper)": "two-phase-es",
}  # fmt: skip
_BUDGET = Budget(100_000, 20.0)

Cell = tuple[int, float]  # seeds that reach the goal, median of seconds of search


def explored(seeds: int) -> dict[str, dict[str, Cell]]:
    """Explore each program with each solver and each seed; the cells by solver and function."""
    found: dict[str, dict[str, Cell]] = {}
    with Worker() as worker:
        for title, solver in SOLVERS.items():
            found[title] = {name: _cell(function, solver, seeds, worker) for name, function in PROGRAMS.items()}
            counts = ", ".join(str(count) for count, _ in found[title].values())
            print(f"{title}, explored: {counts} of {seeds}", file=sys.stderr, flush=True)
    return found


def _cell(function: str, solver: str, seeds: int, worker: Worker) -> Cell:
    """Count the seeds with an input for which the function returns True: its goal is there."""
    reached, seconds = 0, list[float]()
    for seed in range(seeds):
        options = Options(engine=f"explore(solver={solver})", seed=seed, budget=_BUDGET, suite="small")
        started = time.monotonic()
        suite = cover(f"{FILE}:{function}", options, worker)
        reached += any(suite.signature.exact_result(kept.replay) == "True" for kept in suite.inputs)
        seconds.append(min(suite.seconds, time.monotonic() - started))
    return reached, statistics.median(seconds)


def section(cells: dict[str, dict[str, Cell]], seeds: int) -> Iterator[str]:
    """The lines of the page about these runs."""
    yield f"""## The functions as programs, explored

The paper asks for paths of a program, not for one formula: Pex flips the last decision of a run, and a path through
the helical valley has no `if` in its conditions. How many of {seeds} seeds reach the goal within
{_BUDGET.evaluations:,} runs and {_BUDGET.seconds:g} s, and the median of the seconds of search:

    zeroin cover bench/python/functions/flopsy.py:helical_valley --engine "explore(solver=two-phase-es)"
"""
    yield f"| | {' | '.join(PROGRAMS)} | functions with every seed |"
    yield f"| --- |{' ---: |' * (len(PROGRAMS) + 1)}"
    for title, row in cells.items():
        shown = " | ".join(f"{count}; {seconds:.2f} s" for count, seconds in row.values())
        yield f"| {title} | {shown} | {sum(count == seeds for count, _ in row.values())} |"
    yield ""
    yield "With ES, the paper reaches the goal of every function but Powell's in each run."
