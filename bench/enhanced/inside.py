"""The enhanced fitness in the place of the standard one that the default strategy has:
``python -m bench.enhanced.inside``, in the project's top folder."""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from zeroin import LlvmOptions, LlvmSubject
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import Schedule, Stalled, Then, Turns, generate
from zeroin.generate.search import Search, SearchServices
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.python.options import PythonOptions
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import Run, branches_of

from ..asking import machine
from ..explore.subjects import CFunction, c_functions
from ..fdlibm.sources import Library, fetch
from ..fdlibm.subjects import ENTRIES
from ..python.subjects import ENTRIES as PYTHON
from ..python.subjects import FUNCTIONS
from .run import DOMAINS

_HERE = Path(__file__).parent
_RESULTS = _HERE / "RESULTS-inside.md"
STALLED = "stalled"  # the enhanced one as a tie-breaker: only in slices after the standard one found nothing for long
FITNESSES = ("standard", "enhanced", "both", STALLED)
_SLICES, _MOST = 8, 4  # slices in vain until then, and at most between two slices of the enhanced fitness


@dataclass(frozen=True)
class PythonFunction:
    """One of bench/python's functions; the attributes as of :class:`CFunction`."""

    kind: str
    path: Path
    function: str


_Function = CFunction | PythonFunction
_Task = tuple[_Function, int, float]
# Of each language one that is searched before any is measured, so that kernels are loaded by then.
_FIRST: tuple[_Function, ...] = (
    CFunction("this bench's", _HERE / "subjects.c", "nested"),
    PythonFunction("bench/python's", FUNCTIONS / "needles.py", "int_needle"),
)


@dataclass(frozen=True)
class Found:
    """What one search found.

    Attributes:
        branches: how many there are, and
        covered: how many of them were covered.
        evaluations: until the last of these,
        seconds: and how long that took, with what lies ahead read and compiled.
    """

    branches: int
    covered: int
    evaluations: int
    seconds: float


def functions(library: Library) -> Iterator[_Function]:
    """fdlibm's, those of bench/explore that are not, those of this bench, and those in Python."""
    for entry in ENTRIES:
        yield CFunction("fdlibm", library.source(entry), entry.function, library.others(entry), library.cc_flags,
                        arrays=entry.arrays)  # fmt: skip
    yield from (function for function in c_functions(library) if function.kind != "fdlibm")
    for name in DOMAINS:
        yield CFunction("this bench's", _HERE / "subjects.c", name)
    for written in PYTHON:
        yield PythonFunction("bench/python's", written.source, written.function)


def _loaded(function: _Function, ahead: bool) -> LlvmSubject | PythonSubject:
    if isinstance(function, PythonFunction):
        return PythonSubject(str(function.path), function.function, PythonOptions(ahead=ahead))
    arrays = tuple(ArraySpec.parse(text) for text in function.arrays)
    options = LlvmOptions(function.cc, function.others, arrays=arrays, ahead=ahead)
    return LlvmSubject(function.path, function.function, options)


def searched(function: _Function, fitness: str, seed: int, seconds: float) -> Found:
    """By the default strategy, with that fitness in the searches for one branch."""
    started = time.perf_counter()
    subject = _loaded(function, fitness != "standard")
    subject.guard()
    reading = subject.lookahead.seconds if subject.lookahead is not None else 0.0
    latest = [0, 0.0]

    def note(_: Run) -> None:
        latest[:] = search.evaluations, time.perf_counter() - started + reading

    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**9, seconds), seed,
                    services=SearchServices(note))  # fmt: skip
    started = time.perf_counter()
    generate(search, Then(Turns(("seeds",)), schedule_with(fitness)))
    covered = (search.goals & search.covered).bit_count()
    return Found(search.goals.bit_count(), covered, int(latest[0]), latest[1])


def schedule_with(fitness: str) -> Schedule:
    """The default search, with a fitness for the searches for one branch."""
    if fitness == STALLED:
        return Stalled(schedule_with("standard"), Turns(("targets(fitness=enhanced)",)), _SLICES, _MOST)
    targets = f"targets(fitness={fitness})"
    return Turns(("minimize", targets, "chance", targets))


def _all_fitnesses(task: _Task) -> list[Found]:
    function, seed, seconds = task
    for fitness in FITNESSES:  # kernels are loaded now, not while the first one is measured
        searched(_FIRST[isinstance(function, PythonFunction)], fitness, 0, 0.02)
    return [searched(function, fitness, seed, seconds) for fitness in FITNESSES]


def render(kinds: Sequence[str], rows: Sequence[Sequence[Found]], seeds: int, seconds: float, command: str) -> str:
    """The page: a row of ``rows`` for each function and seed, all of a function after each other."""
    lines = []
    for kind in dict.fromkeys(kinds):
        own = [row for of_kind, row in zip(kinds, rows, strict=True) if of_kind == kind]
        for n, fitness in enumerate(FITNESSES):
            column = [row[n] for row in own]
            covered, branches = (sum(getattr(f, what) for f in column) / seeds for what in ("covered", "branches"))
            more = sum(row[n].covered > row[0].covered for row in own)
            fewer = sum(row[n].covered < row[0].covered for row in own)
            evaluations, late = sum(f.evaluations for f in column) / seeds, [f.seconds for f in column]
            cells = (kind, str(len(own) // seeds), fitness, f"{covered:,.1f} of {branches:,.0f}", f"{more}, {fewer}",
                     f"{evaluations:,.0f}", f"{statistics.median(late):.3f}", f"{sum(late) / seeds:.1f}")  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    return f"""# Both fitnesses inside the default strategy

`{command}`: {machine(("numba", "llvmlite"))}.

{seconds:g} s of search for each function, seeds 0 to {seeds - 1}; means of the seeds. Where the default strategy
searches for one branch, it minimises the fitness of the row. *more, fewer*: searches that covered more, or fewer,
branches than with the default's own, `standard`. *stalled* is a tie-breaker: the enhanced fitness has slices of its own
after {_SLICES} slices in vain. Evaluations and seconds are those until the last find, with what was
read and compiled of what lies ahead; the median is one search's, the sum that of all functions.

| subjects | functions | fitness | branches covered | more, fewer | evaluations | s, median | s, sum |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Search, and print or write the page."""
    argv = list(sys.argv[1:] if argv is None else argv)
    parser = argparse.ArgumentParser(prog="python -m bench.enhanced.inside", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, metavar="N", help="seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=1.0, metavar="S", help="seconds of each search")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="functions at the same time")
    parser.add_argument("--only", default="", metavar="KIND", help="only functions of this kind")
    parser.add_argument("--write", action="store_true", help=f"write the page to {_RESULTS.name} beside this file")
    options = parser.parse_args(argv)
    library = fetch(_HERE.parent / "fdlibm" / "work", None)
    chosen = [function for function in functions(library) if options.only in function.kind]
    tasks: list[_Task] = [(function, seed, options.budget) for function in chosen for seed in range(options.seeds)]
    for fitness in FITNESSES:  # compiled now, and kept
        for first in _FIRST:
            searched(first, fitness, 0, 0.1)
    with multiprocessing.get_context("spawn").Pool(options.jobs, maxtasksperchild=1) as pool:
        rows = pool.map(_all_fitnesses, tasks, chunksize=1)
    kinds = [function.kind for function, _, _ in tasks]
    page = render(
        kinds, rows, options.seeds, options.budget, f"python -m bench.enhanced.inside {' '.join(argv)}".strip()
    )
    print(page)
    if options.write:
        _RESULTS.write_text(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
