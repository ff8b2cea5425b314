"""One exploration, and what its solvers were asked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection

from zeroin import Budget, domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.solvers import Query, Sat, Solver
from zeroin.solvers.base import Answer, Model, Unsat
from zeroin.solvers.base import Search as Attempts
from zeroin.solvers.chain import checked, exploration_solver, ready, thorough_exploration_solver
from zeroin.solvers.decorators import Around, Stages
from zeroin.solvers.smt import Z3
from zeroin.solvers.two_phase import TwoPhase
from zeroin.subject.base import branches_of
from zeroin.subject.subject import Subject
from zeroin.term.core.nodes import Op
from zeroin.term.core.traversal import postorder
from zeroin.worker.job import compile_kernels

# Ours, and FloPSy's three: Z3 over the reals, and then what corrects its model.
ENGINES = {"zeroin": "", "Z3, random": "random", "Z3, AVM": "avm-paper", "Z3, ES": "es"}
_QUERY = 1.0  # seconds for a query, of FloPSy's
_GRACE = 60.0


@dataclass
class Asked:
    """How often a solver was asked, and what it answered."""

    asked: int = 0
    solved: int = 0
    refuted: int = 0
    timed_out: int = 0
    seconds: float = 0.0

    @property
    def failed(self) -> int:
        """It gave up in time."""
        return self.asked - self.solved - self.refuted - self.timed_out

    def add(self, answer: Answer, seconds: float, limit: float) -> None:
        self.asked += 1
        self.seconds += seconds
        if isinstance(answer, Sat):
            self.solved += 1
        elif isinstance(answer, Unsat):
            self.refuted += 1
        elif seconds >= 0.95 * limit:
            self.timed_out += 1

    def __add__(self, other: Asked) -> Asked:
        return Asked(*(getattr(self, n) + getattr(other, n) for n in self.__dataclass_fields__))


@dataclass
class Explored:
    """What came of a function.

    Attributes:
        covered: outcomes of its conditions.
        total: how many there are.
        runs: that were made.
        seconds: of search.
        solvers: by name.
        sorts: of the variables in the queries: in how many of these.
        operators: in the queries, likewise.
        passed_sorts: of the variables in the queries that the second phase was asked: in how many of these.
        passed_operators: in the queries that the second phase was asked, likewise.
        died: the process ended without an answer.
    """

    covered: int = 0
    total: int = 0
    runs: int = 0
    seconds: float = 0.0
    solvers: dict[str, Asked] = field(default_factory=dict)
    sorts: Counter[str] = field(default_factory=Counter)
    operators: Counter[str] = field(default_factory=Counter)
    passed_sorts: Counter[str] = field(default_factory=Counter)
    passed_operators: Counter[str] = field(default_factory=Counter)
    died: bool = False


class Counted(Around):
    """Counts what its solver is asked."""

    def __init__(self, inner: Solver, counts: dict[str, Asked]) -> None:
        super().__init__(inner)
        self.name, self._counts = inner.name, counts

    def solve(self, query: Query, budget: Budget) -> Answer:
        started = time.monotonic()
        answer = self.inner.solve(query, budget)
        asked = self._counts.setdefault(self.name, Asked())
        asked.add(answer, time.monotonic() - started, budget.seconds)
        return answer


def made_of(query: Query) -> tuple[set[str], set[str]]:
    """The sorts of a query's variables, and its operators."""
    terms = postorder(query.constraints)
    leaves = (Op.VARIABLE, Op.CONSTANT)
    return ({str(term.sort) for term in terms if term.op is Op.VARIABLE},
            {term.op.name for term in terms if term.op not in leaves})  # fmt: skip


class Looked(Around):
    """Counts what queries are made of."""

    def __init__(self, inner: Solver, explored: Explored) -> None:
        super().__init__(inner)
        self._explored = explored

    def solve(self, query: Query, budget: Budget) -> Answer:
        sorts, operators = made_of(query)
        self._explored.sorts.update(sorts)
        self._explored.operators.update(operators)
        return self.inner.solve(query, budget)


class CountedTwoPhase(TwoPhase):
    """Counts its second phase."""

    def __init__(self, seed: int, arithmetic: str, explored: Explored) -> None:
        super().__init__(seed, arithmetic, Z3(reals=True))
        self._explored = explored

    def _correct(self, part: Query, model: Model, budget: Budget, drawn: bool) -> Attempts:
        asked, started = self._explored.solvers.setdefault(self.arithmetic, Asked()), time.monotonic()
        sorts, operators = made_of(part)
        self._explored.passed_sorts.update(sorts)
        self._explored.passed_operators.update(operators)
        asked.asked += 1
        asked.solved += 1  # unless it says that it has not
        try:
            why = yield from super()._correct(part, model, budget, drawn)
            asked.solved -= 1
            asked.timed_out += time.monotonic() - started >= 0.95 * budget.seconds
            return why
        finally:
            asked.seconds += time.monotonic() - started


def _each_stage(solver: Solver, wrap: Callable[[Solver], Solver]) -> Solver:
    """The same solver, with its stages wrapped."""
    if isinstance(solver, Stages):
        solver.parts = tuple(wrap(part) for part in solver.parts)
    elif isinstance(solver, Around):
        solver.inner = _each_stage(solver.inner, wrap)
    return solver


def explore(subject: Subject, engine: str, seconds: float, seed: int = 0) -> Explored:
    """In this process."""
    subject.guard()
    found = Explored()
    if ENGINES[engine]:
        ready(CountedTwoPhase(seed, ENGINES[engine], Explored()))  # before the search's time begins
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, subject.constants),
                    Budget(10**9, seconds), seed)  # fmt: skip
    if ENGINES[engine]:
        solver = Looked(checked(CountedTwoPhase(seed, ENGINES[engine], found)), found)
        strategy = Explore(search, solver=lambda _: solver)
        strategy._seconds = _QUERY
    else:
        strategy = Explore(search)
        for name, made in (("_quick", exploration_solver(seed)), ("_further", thorough_exploration_solver(seed))):
            counted = _each_stage(made, lambda part: Counted(part, found.solvers))
            setattr(strategy, name, Looked(counted, found))
    while search.missing and not search.stopped and not strategy.done:
        strategy.step(1)
    outcomes = [branch.outcome for branch in branches_of(subject.sites)]
    found.covered, found.total = sum(search.seen >> outcome & 1 for outcome in outcomes), len(outcomes)
    found.runs, found.seconds = strategy.runs, search.seconds
    return found


def prepare() -> None:
    """Load or compile in this process what the processes that are forked of it share."""
    compile_kernels(lambda: None, lambda: None)
    thorough_exploration_solver(0)
    for arithmetic in filter(None, ENGINES.values()):
        ready(CountedTwoPhase(0, arithmetic, Explored()))


def apart(subject: Subject, engine: str, seconds: float) -> Explored:
    """In a process of its own."""
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)

    def child(connection: Connection) -> None:
        connection.send(explore(subject, engine, seconds))

    process = context.Process(target=child, args=(theirs,))
    process.start()
    theirs.close()
    try:
        found: Explored | None = ours.recv() if ours.poll(seconds + _GRACE) else None
    except EOFError:
        found = None
    if found is None:
        process.kill()
    process.join()
    return found or Explored(total=len(branches_of(subject.sites)), died=True)


def together(parts: Iterable[dict[str, Asked]]) -> dict[str, Asked]:
    """The sums, by solver."""
    total: dict[str, Asked] = {}
    for part in parts:
        for name, asked in part.items():
            total[name] = total.get(name, Asked()) + asked
    return total


__all__ = ["ENGINES", "Asked", "Explored", "apart", "explore", "prepare", "together"]
