"""Every branch decided, beside CrossHair (Python) and angr (C): ``python -m bench.explore.decided``, in the project's
top folder.

Branches are zeroin's for all tools, each outcome of a condition. A peer decides a branch that one of its inputs takes;
and all others, where it says that it has followed every path to its end.
"""

from __future__ import annotations

import multiprocessing
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from zeroin import (
    COVERED,
    INFEASIBLE,
    Budget,
    CTarget,
    LlvmSubject,
    Options,
    PythonOptions,
    PythonSubject,
    Suite,
    ZeroinError,
    cover,
)
from zeroin.languages.c.language import C
from zeroin.subject.base import Words

from ..asking import machine
from ..fdlibm.run import _HERE as _FDLIBM
from ..fdlibm.sources import fetch
from ..python.subjects import ENTRIES, Entry
from ..python.tools import crosshair
from ..python.tools.base import Work
from . import by_angr
from .run import asked, put
from .subjects import CFunction, c_functions

_RESULTS = Path(__file__).with_name("RESULTS-decided.md")
_WORK = Path(__file__).with_name("work") / "decided"
_FORKING = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Decided:
    """One tool on one function: branches that an input takes, others that it says to be infeasible, and seconds."""

    covered: frozenset[int]
    refuted: frozenset[int]
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One function by zeroin and by its peer."""

    kind: str
    function: str
    branches: int
    zeroin: Decided
    peer: Decided

    def wrong(self, one: Decided) -> int:
        """Branches that it says to be infeasible, and an input takes."""
        return len(one.refuted & (self.zeroin.covered | self.peer.covered))

    def rightly(self, one: Decided) -> int:
        """Branches that it decides, without those."""
        return len(one.covered) + len(one.refuted) - self.wrong(one)


def _of(suite: Suite, seconds: float) -> Decided:
    by = {verdict: frozenset(v.branch.outcome for v in suite.verdicts if v.verdict == verdict)
          for verdict in (COVERED, INFEASIBLE)}  # fmt: skip
    return Decided(by[COVERED], by[INFEASIBLE], seconds)


def _of_peer(suite: Suite, subject: LlvmSubject | PythonSubject, inputs: Sequence[Words], exhausted: bool,
             seconds: float, note: str) -> Decided:  # fmt: skip
    """What the inputs of a peer take, run again; the others, if it has seen all paths."""
    every = frozenset(v.branch.outcome for v in suite.verdicts)
    taken = frozenset().union(*(_taken(subject, words) for words in inputs)) & every
    return Decided(taken, every - taken if exhausted else frozenset(), seconds, note)


def _taken(subject: LlvmSubject | PythonSubject, words: Words) -> frozenset[int]:
    """What an input takes; nothing if it ends the process, which is one of its own."""
    ours, theirs = _FORKING.Pipe(duplex=False)
    process = _FORKING.Process(target=lambda: theirs.send(subject.run(words).covered))
    process.start()
    theirs.close()
    try:
        return frozenset(ours.recv())
    except EOFError:
        return frozenset()
    finally:
        process.join()


def _kept(name: str, again: bool, make: Callable[[], Line]) -> Line:
    """A line that an earlier run made, or a new one."""
    place = _WORK / f"{name}.pickle"
    if place.exists() and not again:
        line: Line = pickle.loads(place.read_bytes())
    else:
        line = make()
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(pickle.dumps(line))
    told = ", ".join(
        f"{len(one.covered)} + {len(one.refuted)} in {one.seconds:.0f} s" for one in (line.zeroin, line.peer)
    )
    print(f"{name}, of {line.branches}: {told}", file=sys.stderr, flush=True)
    return line


def python_line(entry: Entry, seconds: float) -> Line:
    """One Python function; CrossHair has the seconds for ``cover`` and again for ``check``."""
    started = time.perf_counter()
    suite = cover(f"{entry.source}:{entry.function}", Options(budget=Budget(seconds=seconds)))
    took = time.perf_counter() - started
    subject = PythonSubject(str(entry.source), entry.function, PythonOptions(native=False))
    with tempfile.TemporaryDirectory() as folder:
        modes = [Work(entry, frozenset(), seconds / len(crosshair.MODES), 0, Path(folder), mode)
                 for mode in crosshair.MODES]  # fmt: skip
        runs = [crosshair.run(work) for work in modes]
        checked = crosshair.sees_all(Work(entry, frozenset(), seconds, 0, Path(folder), "check"))
    inputs, refused = list[Words](), 0
    for call in dict.fromkeys(call for run in runs for call in run.inputs):
        try:
            inputs.append(subject.words_of(call[len(entry.function) + 1 : -1]))
        except ZeroinError:
            refused += 1
    notes = [f"{refused} of its inputs are none of zeroin's"] * bool(refused) + [run.note for run in runs if run.note]
    peer = _of_peer(suite, subject, inputs, crosshair.confirmed(checked),
                    sum(run.seconds for run in runs) + checked.seconds, "; ".join(notes))  # fmt: skip
    return Line(entry.module, entry.function, len(suite.verdicts), _of(suite, took), peer)


def c_line(function: CFunction, seconds: float) -> Line:
    """One C function."""
    target = CTarget(f"{function.path.name}:{function.function}", function.path, function.function, "c", function.cc,
                     function.others)  # fmt: skip
    options = Options(budget=Budget(seconds=seconds), cc=function.cc, others=function.others, arrays=function.arrays)
    started = time.perf_counter()
    suite = cover(target, options)
    took = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        found = by_angr.run(function, suite, seconds, Path(folder))
    peer = _of_peer(suite, C().subject(target, options, None), [each.words for each in found.suite.inputs],
                    found.exhausted, found.seconds, found.note)  # fmt: skip
    return Line(function.kind, function.function, len(suite.verdicts), _of(suite, took), peer)


# ---- the page ----


def table(lines: Sequence[Line], peer: str, each: bool) -> Iterator[str]:
    """By kind, or for each function."""
    tools = (("zeroin", "zeroin"), (peer, "peer"))
    yield ("| kind | functions | branches |"
           + "".join(f" {title}: covered | infeasible | wrong | decided | s |" for title, _ in tools))  # fmt: skip
    yield "| --- |" + " ---: |" * 12
    for kind in [*dict.fromkeys(_row(line, each) for line in lines), "**all**"]:
        own = [line for line in lines if kind in (_row(line, each), "**all**")]
        branches = sum(line.branches for line in own)
        cells: list[object] = [kind, len(own), branches]
        for _, name in tools:
            of = [(line, getattr(line, name)) for line in own]
            cells += [sum(len(one.covered) for _, one in of), sum(len(one.refuted) for _, one in of),
                      sum(line.wrong(one) for line, one in of),
                      f"{100 * sum(line.rightly(one) for line, one in of) / max(1, branches):.1f} %",
                      f"{sum(one.seconds for _, one in of):.0f}"]  # fmt: skip
        yield f"| {' | '.join(map(str, cells))} |"


def _row(line: Line, each: bool) -> str:
    return f"{line.kind}: {line.function}" if each else line.kind


def render(python: Sequence[Line], c: Sequence[Line], seconds: float, jobs: int) -> str:
    """The page."""
    parts = [
        "# Every branch decided, beside CrossHair and angr\n",
        f"`python -m bench.explore.decided --seconds {seconds:g} --jobs {jobs} --write`: "
        f"{machine(('z3-solver', 'bitwuzla', 'cvc5'))}.\n",
        f"{seconds:g} s for each function and tool; a branch is an outcome of a condition. {crosshair.version()} has "
        "the time twice: `crosshair cover`, half of it in each of two modes, and `crosshair check` with a condition "
        "that always holds, confirmed where every path has been followed to its end: then all branches that none of "
        f"its inputs takes count as infeasible. So they do where {', '.join(by_angr.PINS)} has no path left. *wrong* "
        "are branches said to be infeasible that an input takes; they do not count as decided.",
    ]
    for heading, lines, peer in (("Python", python, "CrossHair"), ("C", c, "angr")):
        if lines:
            parts += [f"\n## {heading}\n", *table(lines, peer, False), "\n### Functions\n", *table(lines, peer, True)]
    notes = [f"- {line.function}: {line.peer.note}" for line in (*python, *c) if line.peer.note]
    parts += ["\n## What went wrong\n", *notes] if notes else []
    return "\n".join(parts) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; 1 if a proof of zeroin's is wrong."""
    options = asked("bench.explore.decided", __doc__, _RESULTS, arguments, resume=True)
    entries = [entry for entry in ENTRIES if options.only in entry.name] if options.language != "c" else []
    functions = [one for one in c_functions(fetch(_FDLIBM / "work")) if options.only in one.function
                 ] if options.language != "python" else []  # fmt: skip
    with ThreadPoolExecutor(options.jobs) as pool:
        python = list(pool.map(lambda one: _kept(f"{one.name}-{options.seconds:g}", not options.resume,
                                                 lambda: python_line(one, options.seconds)), entries))  # fmt: skip
        c = list(pool.map(lambda one: _kept(f"{one.function}-{options.seconds:g}", not options.resume,
                                            lambda: c_line(one, options.seconds)), functions))  # fmt: skip
    put(render(python, c, options.seconds, options.jobs), _RESULTS, options)
    return int(any(line.wrong(line.zeroin) for line in (*python, *c)))


if __name__ == "__main__":
    sys.exit(main())
