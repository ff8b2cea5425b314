"""What is proved of a subject's outcomes, for tests."""

from __future__ import annotations

from zeroin.config import Budget
from zeroin.solvers.base import Query, Solver, Unsat
from zeroin.solvers.invariants import Invariants
from zeroin.subject.subject import Subject
from zeroin.term.core.nodes import Term


def holds_never(solver: Solver, *constraints: Term) -> bool:
    """Whether nothing satisfies all of these, says a solver."""
    return isinstance(solver.solve(Query(constraints), Budget(10_000, 20.0)), Unsat)


def refuted(subject: Subject, solver: Solver) -> tuple[set[int], set[int]]:
    """The outcomes that are refuted, and those of them that are not without what holds in loops."""
    invariants, found, hard = Invariants(solver), set[int](), set[int]()
    for outcome in range(2 * len(subject.sites)):
        reached = subject.reach(outcome)
        if holds_never(solver, reached.condition, *invariants.of(reached, Budget(seconds=20.0)).terms):
            found.add(outcome)
            hard |= set() if holds_never(solver, reached.condition) else {outcome}
    return found, hard
