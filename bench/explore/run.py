"""Exploration alone beside CrossHair (Python) and angr (C), the same seconds each: ``python -m bench.explore.run``, in
the project's top folder. coverage.py and gcov are the judges."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from zeroin import Budget, CTarget, Options, Suite, Worker, ZeroinError, cover
from zeroin.languages.c.measure.gcov import Gcov

from ..asking import machine
from ..fdlibm.run import _HERE as _FDLIBM
from ..fdlibm.sources import fetch
from ..python import campaign
from ..python.subjects import ENTRIES
from ..python.tools import TOOLS
from . import by_angr
from .subjects import CFunction, c_functions

_RESULTS = Path(__file__).with_name("RESULTS.md")
PYTHON = ("explore", "zeroin", "crosshair")
C = ("explore", "zeroin", "angr")


@dataclass(frozen=True)
class Cell:
    """One tool on one function: branches taken, of how many, in what wall time."""

    covered: int
    total: int
    seconds: float
    note: str = ""


@dataclass(frozen=True)
class Line:
    """One function, and what each tool took of it."""

    kind: str
    function: str
    cells: dict[str, Cell]


# ---- Python ----


def python_lines(seconds: float, jobs: int, only: str) -> list[Line]:
    """Every function by every tool; its branches without those that no input takes."""
    entries = [entry for entry in ENTRIES if only in entry.name]
    lines = {entry.name: Line(entry.module, entry.function, {}) for entry in entries}
    reachable = {entry.name: entry.reachable for entry in entries}
    for tool in PYTHON:
        for row in campaign.run(tool, entries, 1, seconds, jobs, keep=False):
            note = "; ".join(mode.note for mode in row.modes if mode.note and not mode.covered)
            lines[row.name].cells[tool] = Cell(len(row.covered), reachable[row.name], row.seconds, note)
            _tell(row.name, tool, lines[row.name].cells[tool])
    return list(lines.values())


# ---- C ----


def c_lines(seconds: float, jobs: int, only: str) -> list[Line]:
    """Every function by every tool; all its branches, as gcov counts them."""
    functions = [f for f in c_functions(fetch(_FDLIBM / "work")) if only in f.function]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda function: c_line(function, seconds), functions))


def c_line(function: CFunction, seconds: float) -> Line:
    """One function by every tool."""
    cells: dict[str, Cell] = {}
    target = CTarget(f"{function.path.name}:{function.function}", function.path, function.function, "c", function.cc,
                     function.others)  # fmt: skip
    options = Options(budget=Budget(seconds=seconds), cc=function.cc, others=function.others, arrays=function.arrays)
    judge = Gcov(flags=function.gcc)

    def judged(suite: Suite, took: float, note: str = "") -> Cell:
        try:
            branches = judge.measure(replace(suite, target=replace(target, cc=()))).branches
        except ZeroinError as error:
            return Cell(0, 0, took, str(error))
        return Cell(*branches, took, note)

    with Worker() as sandbox, tempfile.TemporaryDirectory() as folder:
        for tool, engine in (("explore", "explore"), ("zeroin", options.engine)):
            started = time.perf_counter()
            suite = cover(target, replace(options, engine=engine), sandbox)
            cells[tool] = judged(suite, time.perf_counter() - started)
            _tell(function.function, tool, cells[tool])
        found = by_angr.run(function, suite, seconds, Path(folder))
        cells["angr"] = judged(found.suite, found.seconds, found.note)
        _tell(function.function, "angr", cells["angr"])
    return Line(function.kind, function.function, cells)


def _tell(name: str, tool: str, cell: Cell) -> None:
    print(f"{name}, {tool}: {cell.covered} of {cell.total}, {cell.seconds:.1f} s {cell.note}", file=sys.stderr)


# ---- the page ----


def table(lines: Sequence[Line], tools: Sequence[str], each: bool) -> Iterator[str]:
    """By kind, or for each function."""
    yield f"| kind | functions | branches | {' | '.join(tools)} | complete: {' | '.join(tools)} |"
    yield "| --- | ---: | ---: |" + " ---: |" * 2 * len(tools)
    name: Callable[[Line], str] = (lambda line: f"{line.kind}: {line.function}") if each else (lambda line: line.kind)
    for kind in [*dict.fromkeys(map(name, lines)), "**all**"]:
        own = [line for line in lines if kind in (name(line), "**all**")]
        totals = [max(cell.total for cell in line.cells.values()) for line in own]
        taken = [sum(line.cells[tool].covered for line in own) for tool in tools]
        whole = [sum(line.cells[tool].covered == total for line, total in zip(own, totals, strict=True))
                 for tool in tools]  # fmt: skip
        yield f"| {kind} | {len(own)} | {sum(totals)} | {' | '.join(map(str, (*taken, *whole)))} |"


def render(python: Sequence[Line], c: Sequence[Line], seconds: float, jobs: int) -> str:
    """The page."""
    parts = [
        "# Exploration alone, CrossHair and angr\n",
        f"`python -m bench.explore.run --seconds {seconds:g} --jobs {jobs} --write`: "
        f"{machine(('z3-solver', 'bitwuzla', 'cvc5'))}.\n",
        f"{seconds:g} s of search for each function and tool. `explore` is `zeroin cover --engine explore`, `zeroin` "
        f"the default engine; {TOOLS['crosshair'].version()} by `crosshair cover`, which shares its time between its "
        f"two modes; {', '.join(by_angr.PINS)}, breadth first. What a tool has told when it is ended counts.",
    ]
    for heading, lines, tools in (("Python, branches by coverage.py without the infeasible", python, PYTHON),
                                  ("C, branches by gcov", c, C)):  # fmt: skip
        if lines:
            parts += [f"\n## {heading}\n", *table(lines, tools, False), "\n### Functions\n", *table(lines, tools, True)]
    notes = [f"- {line.function}, {tool}: {cell.note}" for line in (*python, *c)
             for tool, cell in line.cells.items() if cell.note]  # fmt: skip
    parts += ["\n## What went wrong\n", *notes] if notes else []
    return "\n".join(parts) + "\n"


def asked(command: str, description: str | None, page: Path, arguments: Sequence[str] | None,
          resume: bool = False) -> argparse.Namespace:  # fmt: skip
    """The options that such benchmarks have in common; some can go on where a run was cut short."""
    parser = argparse.ArgumentParser(prog=f"python -m {command}", description=(description or "").split(":")[0])
    parser.add_argument("--seconds", type=float, default=10.0, metavar="S", help="of search for each function")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--only", default="", metavar="TEXT", help="functions with this in their name")
    parser.add_argument("--language", choices=("python", "c"), help="only this one")
    parser.add_argument("--write", action="store_true", help=f"write {page.name}")
    if resume:
        parser.add_argument(
            "--resume", action="store_true", help="keep what an earlier run that was cut short measured"
        )
    return parser.parse_args(arguments)


def put(page: str, place: Path, options: argparse.Namespace) -> None:
    """Print the page, and write it if that was asked for and it is of all functions."""
    print(page)
    if options.write and not options.only and not options.language:
        place.write_text(page)


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    options = asked("bench.explore.run", __doc__, _RESULTS, arguments)
    python = python_lines(options.seconds, options.jobs, options.only) if options.language != "c" else []
    c = c_lines(options.seconds, options.jobs, options.only) if options.language != "python" else []
    put(render(python, c, options.seconds, options.jobs), _RESULTS, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
