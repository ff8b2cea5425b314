"""What the benchmarks of solvers share: a query and a solver -> what came of it, however the solver behaves."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from zeroin import Budget
from zeroin.solvers import Query, Race, Sat, Solver, Unknown
from zeroin.term import FLOAT64, RNE, Op, constant, make, variable


@dataclass(frozen=True)
class Outcome:
    """One solver's answer to one query.

    Attributes:
        verdict: ``sat``, ``unsat``, ``unknown``; ``wrong model`` for a sat whose model does not hold.
        seconds: of wall time, with everything.
        note: the solver that answered, or the reason.
    """

    verdict: str
    seconds: float
    note: str

    def wrong(self, expected: str) -> bool:
        """Whether it contradicts what is known (``sat``, ``unsat`` or ``unknown``), or itself."""
        return self.verdict == "wrong model" or {self.verdict, expected} == {"sat", "unsat"}


def prepare(solver: Solver) -> None:
    """Let a solver load or compile its native code in this process, which the processes that are forked of it share."""
    x = variable("x", FLOAT64)
    square = make(Op.FP_EQ, make(Op.FP_MUL, RNE, x, x), constant(FLOAT64, 2.0))
    solver.solve(Query((square,)), Budget(1000, 0.1))


def ask(solver: Solver, query: Query, budget: Budget) -> Outcome:
    """Solve in a process of its own, which is ended when the time is over; a model is evaluated on the query here."""
    started = time.perf_counter()
    answer = Race(solver).solve(query, budget)
    seconds = time.perf_counter() - started
    if isinstance(answer, Unknown):
        return Outcome("unknown", seconds, answer.reason)
    if isinstance(answer, Sat):
        return Outcome("sat" if query.holds(answer.model) else "wrong model", seconds, answer.by)
    return Outcome("unsat", seconds, answer.by)


def machine(packages: Sequence[str]) -> str:
    """One line on what a table was measured with."""
    return f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, " + ", ".join(
        _versions(packages)
    )


def _versions(packages: Sequence[str]) -> Iterator[str]:
    for package in ("zeroin", *packages):
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"no {package}"
