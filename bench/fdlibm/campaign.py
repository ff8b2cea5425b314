"""Run zeroin, or random testing, on all functions of the benchmark, and let gcov judge what came out."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

from zeroin import COVERED, Budget, CTarget, Options, Suite, Target, Worker, ZeroinError, cover
from zeroin.languages.c.measure.gcov import Gcov, GcovReport
from zeroin.subject.base import Branch

from .sources import Library
from .subjects import Entry

Search = Callable[[Target, Options, Worker], Suite]

_NO_LIMIT = 10**15
_WARM_UP = Budget(evaluations=50_000, seconds=1.0)


@dataclass(frozen=True)
class Row:
    """One function, searched once.

    Attributes:
        function: its name.
        gcov: what gcov counted.
        branches: our own names of all branches, in the order of the source.
        covered: those that the suite covers.
        seconds: of search.
        total_seconds: compiling, searching and replaying.
        evaluations: runs of the instrumented function.
        inputs: how many were kept.
        findings: crashes, hangs, failed assertions.
        disagreements: inputs dropped because the plain function gave another result than the instrumented one.
        stopped: why the search ended.
    """

    function: str
    gcov: GcovReport
    branches: tuple[str, ...]
    covered: frozenset[str]
    seconds: float
    total_seconds: float
    evaluations: int
    inputs: int
    findings: int
    disagreements: int
    stopped: str


@dataclass
class Round:
    """All functions with one seed.

    Attributes:
        wall: seconds from the first compilation to the last replay; gcov's work is not in it.
        rows: a row for each function that could be searched and measured.
        errors: a line for each that could not.
    """

    seed: int
    wall: float = 0.0
    rows: list[Row] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def covered(self) -> int:
        """Branches taken, as gcov counts them."""
        return sum(row.gcov.branches[0] for row in self.rows)

    @property
    def total(self) -> int:
        """Branches, as gcov counts them."""
        return sum(row.gcov.branches[1] for row in self.rows)


@dataclass(frozen=True)
class Way:
    """Another way to search, to compare with.

    Attributes:
        name: the head of its column.
        text: what it is.
        rounds: one a seed.
    """

    name: str
    text: str
    rounds: Sequence[Round]


def target_of(library: Library, entry: Entry) -> CTarget:
    """What zeroin is asked to test."""
    path = library.source(entry)
    text = f"{path.name}:{entry.function}"
    return CTarget(text, path, entry.function, "c", library.cc_flags, library.others(entry))


def options_of(target: CTarget, entry: Entry, budget: Budget, seed: int) -> Options:
    """The defaults, with the function's own flags and files."""
    return Options(budget=budget, seed=seed, cc=target.cc, others=target.others, arrays=entry.arrays)


def coverme(starts: str) -> str:
    """CoverMe's minimizer (section 5.1); the paper does not say how its starts are distributed."""
    return f"basinhopping(n_start=500, n_iter=5, local=powell, starts={starts})"


def cover_as_coverme(starts: str) -> Search:
    """Search as CoverMe does (Fu & Su 2016, Algorithm 1): all branches at once, squared distances, basin hopping."""

    def search(target: Target, options: Options, sandbox: Worker) -> Suite:
        asked = replace(options, engine="minimize", distance="squared", minimizer=coverme(starts))
        return cover(target, asked, sandbox)

    return search


def cover_by_chance(target: Target, options: Options, sandbox: Worker) -> Suite:
    """Test at random for as many seconds, and any number of runs."""
    unlimited = Budget(_NO_LIMIT, options.budget.seconds)
    return cover(target, replace(options, engine="random", budget=unlimited, simplify=False), sandbox)


def cover_with(engine: str) -> Search:
    """Search by one strategy alone."""

    def search(target: Target, options: Options, sandbox: Worker) -> Suite:
        return cover(target, replace(options, engine=engine), sandbox)

    return search


def warm_up(library: Library, entry: Entry, search: Search = cover) -> None:
    """Search once for a moment: the first search on a machine compiles what later ones load from disk."""
    target = target_of(library, entry)
    with Worker() as sandbox:
        search(target, options_of(target, entry, _WARM_UP, 0), sandbox)


@contextmanager
def _sandboxes(number: int) -> Iterator[SimpleQueue[Worker]]:
    """Worker processes, to be taken and put back."""
    every = [Worker() for _ in range(number)]
    idle: SimpleQueue[Worker] = SimpleQueue()
    try:
        for sandbox in every:
            sandbox.start()
            idle.put(sandbox)
        yield idle
    finally:
        for sandbox in every:
            sandbox.close()


def run(library: Library, entries: Sequence[Entry], budget: Budget, seed: int, jobs: int,
        search: Search = cover) -> Round:  # fmt: skip
    """Search all functions, ``jobs`` at a time; measure them afterwards, when nothing is timed any more."""
    result = Round(seed)
    started = time.perf_counter()
    with _sandboxes(jobs) as idle, ThreadPoolExecutor(jobs) as pool:

        def one(entry: Entry) -> Suite | str:
            target = target_of(library, entry)
            sandbox = idle.get()
            try:
                return search(target, options_of(target, entry, budget, seed), sandbox)
            except ZeroinError as error:
                return f"{entry.function}: {error}"
            finally:
                idle.put(sandbox)

        suites = list(pool.map(one, entries))
        result.wall = time.perf_counter() - started
        measured = list(pool.map(lambda suite: suite if isinstance(suite, str) else judged(suite, library), suites))
    result.rows = [row for row in measured if isinstance(row, Row)]
    result.errors = [row for row in measured if isinstance(row, str)]
    return result


def judged(suite: Suite, library: Library) -> Row | str:
    """The suite's row, with gcov's counts; or why gcov has none. gcc is given its own flags, not Clang's."""
    assert isinstance(suite.target, CTarget)
    try:
        gcov = Gcov(flags=library.gcc_flags).measure(replace(suite, target=replace(suite.target, cc=())))
    except ZeroinError as error:
        return f"{suite.target.function}: {error}"
    covered = frozenset(_name(v.branch) for v in suite.verdicts if v.verdict == COVERED)
    return Row(
        suite.target.function, gcov, tuple(_name(branch) for branch in suite.branches), covered, suite.seconds,
        suite.total_seconds, suite.evaluations, len(suite.inputs), len(suite.findings), suite.disagreements,
        suite.stopped,
    )  # fmt: skip


def _name(branch: Branch) -> str:
    return f"{branch.id} line {branch.site.line}: {branch.site.condition} {branch.label}"
