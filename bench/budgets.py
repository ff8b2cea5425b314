"""Same seed, same suite; and how far beyond its budget a search goes.

    python -m bench.budgets [--jobs N ...] [--evals N] [--write]

The functions of bench/fdlibm and bench/python are covered with a budget of evaluations, one at a time, and then several
at the same time: the suites have to be the same, in inputs, verdicts, proofs, findings and notes. Then some that are
not decided soon are covered with budgets of seconds. What counts there is the time from when a function is loaded until
its suite is complete, but for compiling. 0 when all suites are the same and no budget is exceeded by more than 10 % or
0.5 s, whichever is more; 1 otherwise.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from bench.fdlibm.campaign import options_of, target_of
from bench.fdlibm.run import machine
from bench.fdlibm.sources import fetch
from bench.fdlibm.subjects import ENTRIES
from bench.python.subjects import ENTRIES as PYTHON
from bench.python.subjects import FUNCTIONS

from zeroin import Budget, Options, Suite, Target, Worker, cover
from zeroin.config import FAULTS
from zeroin.native.cells import UNCOUNTED
from zeroin.worker.parent import targets_of
from zeroin.worker.progress import SearchState

PAGE = Path(__file__).with_name("RESULTS-budgets.md")
SECONDS = 1.0, 3.0, 10.0
_LONG = 600.0  # seconds, which end nothing here

Job = tuple[Target, Options]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.budgets", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--jobs", type=int, nargs="+", default=[2, 8], help="beside 1 (default 2 8)")
    parser.add_argument("--evals", type=int, default=150_000, help="of a Python function; ten times that for C")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one function in N")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args(argv)
    jobs = _jobs(options.evals)[:: options.every]
    alone, seconds = _suites(jobs, 1)
    lines = ["| --jobs | functions | another suite | wall time, s |", "| ---: | ---: | ---: | ---: |"]
    lines.append(f"| 1 | {len(jobs)} | | {seconds:.0f} |")
    others = list[str]()
    for number in options.jobs:
        suites, seconds = _suites(jobs, number)
        different = [one.target.text for one, other in zip(alone, suites, strict=True) if _told(one) != _told(other)]
        lines.append(f"| {number} | {len(jobs)} | {len(different)} | {seconds:.0f} |")
        others += different
    beyond, most = _beyond([(target, replace(chosen, find=FAULTS if target.language == "c" else ()))
                            for target, chosen in jobs[::5]])  # fmt: skip
    page = _page(options, [*lines, *(f"\nAnother suite: {name}" for name in dict.fromkeys(others)), "", *beyond])
    print(page)
    if options.write:
        PAGE.write_text(page)
    return int(bool(others) or most > 0.0)


def _jobs(evaluations: int) -> list[Job]:
    library = fetch(Path(__file__).with_name("fdlibm") / "work")
    found: list[Job] = []
    for entry in ENTRIES:
        target = target_of(library, entry)
        found.append((target, options_of(target, entry, Budget(10 * evaluations, _LONG), 1)))
    with Worker() as sandbox:
        for known in PYTHON:
            options = Options(budget=Budget(evaluations, _LONG), seed=1)
            found += (
                (one, options)
                for one in targets_of(f"{FUNCTIONS / known.module}.py:{known.function}", options, sandbox).targets
            )
    return found


def _suites(jobs: Sequence[Job], number: int) -> tuple[list[Suite], float]:
    """All suites, so many at the same time; and the seconds of all."""
    idle: SimpleQueue[Worker] = SimpleQueue()

    def one(job: Job) -> Suite:
        sandbox = idle.get()
        try:
            return cover(*job, sandbox)
        finally:
            idle.put(sandbox)

    started = time.perf_counter()
    with ExitStack() as owned, ThreadPoolExecutor(number) as pool:
        for _ in range(number):
            idle.put(owned.enter_context(Worker()))
        return [*pool.map(one, jobs)], time.perf_counter() - started


def _told(suite: Suite) -> Any:
    """All that a suite says but how long it took."""
    inputs = [(item.words, item.covered, repr(item.replay)) for item in suite.inputs]  # NaN is not NaN
    verdicts = [(v.branch, v.verdict, v.why if v.proof is None else v.proof) for v in suite.verdicts]
    return inputs, verdicts, suite.findings, suite.stopped, suite.evaluations, suite.notes


def _beyond(jobs: Sequence[Job]) -> tuple[list[str], float]:
    """A table, and by how much the limit is exceeded at most."""
    lines = [
        "| budget, s | functions | not sooner | all, s: median | all, s: most |",
        "| ---: | ---: | ---: | ---: | ---: |",
    ]
    most = -1.0
    with Worker() as sandbox:
        for job in jobs[:: max(1, len(jobs) - 1)]:  # what is compiled once on a machine is not asked for
            _spent(*job, sandbox)
        for seconds in SECONDS:
            chosen = [(target, replace(options, budget=Budget(10**12, seconds))) for target, options in jobs]
            spent = [_spent(*one, sandbox) for one in chosen]
            late, median, longest = sum(one >= seconds for one in spent), statistics.median(spent), max(spent)
            lines.append(f"| {seconds:g} | {len(spent)} | {late} | {median:.2f} | {longest:.2f} |")
            most = max(most, longest - seconds - max(0.5, 0.1 * seconds))
    return lines, most


def _spent(target: Target, options: Options, sandbox: Worker) -> float:
    """Seconds from when the function is loaded, without those in which the search compiled something."""
    started, compiled = list[float](), [0.0]

    def watch(live: SearchState, what: str) -> None:
        if live.searching_since is not None:
            started.append(live.searching_since)
            compiled.append(sandbox.memory[UNCOUNTED] / 1000)

    cover(target, options, sandbox, watch)
    return time.perf_counter() - started[0] - max(compiled)


def _page(options: argparse.Namespace, lines: Sequence[str]) -> str:
    about = [
        "# Budgets",
        "",
        f"Written by `python -m bench.budgets --evals {options.evals} --write`:",
        "",
        *(f"- {line}" for line in machine()),
        "",
        "Suites of the same functions, one at a time and several: the same if inputs, verdicts, proofs, findings and",
        "notes are. Below, seconds from when a function is loaded until its suite is complete, but for those in which",
        "the search compiled something; C functions with `--find all`, so that not all is decided soon.",
        "",
    ]
    return "\n".join([*about, *lines, ""])


if __name__ == "__main__":
    sys.exit(main())
