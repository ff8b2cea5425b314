"""Python functions of real packages, unmodified, without any option: ``python -m bench.packages_python.run``, in the
project's top folder; ``--types`` gives the types of parameters, as a user would who knows them.

Branches are coverage.py's. The test that is written for a function is measured by coverage.py, and runs twice more in
fresh processes, with different seeds of Python's hashes.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

from zeroin import Budget, Options, PythonOptions, PythonSubject, Suite, Worker, ZeroinError, cover
from zeroin.emit.files import write
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.languages.python.front.modules import resolve
from zeroin.languages.python.measure.coverage import CoverageReport, measure
from zeroin.subject.base import Termination

from ..asking import machine
from ..decided import command_of
from ..packages.fetch import fetch
from ..python.packages import use
from .functions import DEPENDENCIES, PACKAGES, Entry, entries

_RESULTS, _TYPED = (Path(__file__).with_name(name) for name in ("RESULTS.md", "RESULTS-types.md"))
_HASH_SEEDS = ("1", "2")
_QUICK = 20e-6  # seconds a call, of functions that speed is asked of
_RUNS = 200


@dataclass(frozen=True)
class Row:
    """One function.

    Attributes:
        report: by coverage.py; None if it can not be driven.
        failed: how many of the two further runs of the test did not pass.
        wall: seconds on the clock for the search and what belongs to it.
        rate: evaluations a second of a random search.
        call: seconds that a call of the function takes, in the median over the suite's inputs
            that return.
        said: why it can not be driven; notes.
    """

    entry: Entry
    report: CoverageReport | None = None
    failed: int = 0
    wall: float = 0.0
    rate: float = 0.0
    call: float = 0.0
    said: str = ""

    @property
    def missing(self) -> list[str]:
        """Jumps that the test does not make, as ``12 -> 15``, those that no input makes left out."""
        every = [jump.replace("line ", "") for jump in self.report.missing] if self.report else []
        return [jump for jump in every if jump not in self.entry.unreachable]

    @property
    def reachable(self) -> int:
        """Jumps, those that no input makes left out."""
        return self.report.branches[1] - len(self.entry.unreachable) if self.report else 0

    @property
    def wrong(self) -> int:
        """Jumps that no input should make, and the test does."""
        return self.report.branches[0] - (self.reachable - len(self.missing)) if self.report else 0


def run(entry: Entry, seconds: float, types: bool, sandbox: Worker) -> Row:
    """Cover one function, judge the test, and time it."""
    options = Options(budget=Budget(seconds=seconds), types=entry.types if types else "")
    started = time.perf_counter()
    try:
        suite = cover(entry.target, options, sandbox)
        wall = time.perf_counter() - started
        with tempfile.TemporaryDirectory() as folder:
            test = write(PytestFile(), suite, Path(folder))
            report = measure(suite, test)
            failed = sum(_fails(test, seed) for seed in _HASH_SEEDS)
        random = cover(entry.target, Options(budget=Budget(seconds=1.0), types=options.types, engine="random"), sandbox)
    except ZeroinError as error:
        return Row(entry, said=str(error))
    return Row(entry, report, failed, wall, random.evaluations / random.seconds, _call(suite, options.types))


def _fails(test: Path, hash_seed: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    ended = subprocess.run(command, cwd=test.parent, env=environment, capture_output=True, timeout=300)
    return ended.returncode not in (0, 5)  # passed, no tests


def _call(suite: Suite, types: str) -> float:
    """Seconds of a call, arguments made before."""
    subject = PythonSubject(suite.target.where, suite.target.function, PythonOptions(types=types))
    subject._code.use(False)
    took = []
    calls = [kept.words for kept in suite.inputs if kept.outcome is Termination.RETURNED]
    for words in calls:
        for _ in range(max(1, _RUNS // len(calls))):
            values = [one.shape.build(mine, resolve) for one, mine in suite.signature.split(words)]
            started = time.perf_counter()
            with suppress(Exception):  # it may raise what it is made to raise
                subject.call(values)
            took.append(time.perf_counter() - started)
    return statistics.median(took) if took else 0.0


# ---- the page ----


def page(rows: Sequence[Row], command: Sequence[str], typed: bool = False) -> str:
    """The table, and what is missing."""
    parts = [
        f"# Functions of real Python packages, {'with the types given' if typed else 'without any option'}\n",
        f"Written by `python -m {' '.join(command)}`: {machine(('numpy', 'scipy', 'coverage', 'pytest'))}.\n",
        "Branches are coverage.py's, those left out that no input takes (below). Speed is that of a random search of "
        "one process, in evaluations a second, beside the time of a call in the median over the inputs of the suite.\n",
        *_packages(rows),
        "\n" + "\n".join(_facts(rows)),
        "\n## By function\n",
        *_functions(rows),
        "\n## Not taken\n",
        *(f"- `{row.entry.target}`: {', '.join(row.missing)}" for row in rows if row.missing),
        "\n## Left out: no input takes them\n",
        *(f"- `{row.entry.target}` {jump}: {why}" for row in rows for jump, why in row.entry.unreachable.items()),
    ]
    return "\n".join(parts) + "\n"


def _packages(rows: Sequence[Row]) -> Iterator[str]:
    yield "| package | functions | complete | branches | covered | |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for package in (*dict.fromkeys(row.entry.package for row in rows), ""):
        own = [row for row in rows if package in ("", row.entry.package)]
        every, missing = sum(row.reachable for row in own), sum(len(row.missing) for row in own)
        complete = sum(row.report is not None and not row.missing for row in own)
        share = 100 * (every - missing) / max(1, every)
        yield f"| {package or '**all**'} | {len(own)} | {complete} | {every} | {every - missing} | {share:.1f} % |"


def _facts(rows: Sequence[Row]) -> Iterator[str]:
    quick = [row.rate for row in rows if row.report and row.call < _QUICK]
    yield f"- Runs of tests that fail, of two for each function: {sum(row.failed for row in rows)}."
    yield f"- Wall time of a function: {statistics.median(row.wall for row in rows):.1f} s in the median."
    if quick:
        yield (f"- Evaluations a second of the {len(quick)} functions of which a call takes less than "
               f"{_QUICK * 1e6:.0f} µs: {statistics.median(quick):,.0f} in the median.")  # fmt: skip
    for row in rows:
        if row.wrong:
            yield f"- **{row.entry.target}: {row.wrong} branches are taken that no input should take.**"


def _functions(rows: Sequence[Row]) -> Iterator[str]:
    yield "| function | branches | covered | statements | tests that fail | s | evaluations a second | a call, µs |"
    yield "| --- |" + " ---: |" * 7
    for row in rows:
        if row.report is None:
            yield f"| `{row.entry.target}` | {row.said} |" + " |" * 6
            continue
        covered, statements = row.reachable - len(row.missing), row.report.statements
        yield (
            f"| `{row.entry.target}` | {row.reachable} | {covered} | {statements[0]} of {statements[1]} "
            f"| {row.failed or row.report.failed} | {row.wall:.1f} | {row.rate:,.0f} | {row.call * 1e6:.1f} |"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """Run all functions; 0 when every test passes, 1 when one does not, or a branch is taken that none should take."""
    parser = argparse.ArgumentParser(prog="python -m bench.packages_python.run", description=__doc__)
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds for each function")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="functions at the same time")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="of this package, or name")
    parser.add_argument("--types", action="store_true", help="give the types, as --types would")
    parser.add_argument(
        "--write",
        action="store_true",
        help="write the page beside this file: RESULTS.md, or with --types RESULTS-types.md",
    )
    options = parser.parse_args(argv)
    for name in (*PACKAGES, *DEPENDENCIES):
        use(place(name))
    chosen = [one for one in entries() if not options.only or {one.package, one.target, one.name} & {*options.only}]
    mine = threading.local()

    def one(entry: Entry) -> Row:
        if not hasattr(mine, "sandbox"):
            mine.sandbox = owned.enter_context(Worker())
        row = run(entry, options.budget, options.types, mine.sandbox)
        told = f"{row.reachable - len(row.missing)} of {row.reachable}, {row.failed} fail" if row.report else row.said
        print(f"{entry.target}: {told}, {row.rate:,.0f}/s, {row.call * 1e6:.1f} us; not {', '.join(row.missing)}",
              file=sys.stderr, flush=True)  # fmt: skip
        return row

    with ExitStack() as owned, ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(one, chosen))
    text = page(rows, command_of("bench.packages_python.run", argv), options.types)
    if options.write:
        (_TYPED if options.types else _RESULTS).write_text(text)
    print(text)
    return 1 if any(row.failed or row.wrong for row in rows) else 0


def place(name: str) -> Path:
    """The folder to import a distribution from."""
    folder = fetch(name)
    inner = [one for one in folder.iterdir() if (one / "PKG-INFO").exists()]  # of a source distribution
    return inner[0] if inner else folder


if __name__ == "__main__":
    sys.exit(main())
