"""What sixty functions of a practitioner's first hour come to without any option:
``python -m bench.first_hour.run``, in the project's top folder.

Each file is copied to a new folder, and the installed command is run there. A function works if the exit code is 0 (1
where there is something to find), nothing is reported that only an input beyond the contract shows, at least 90 % of
its branches are covered or proved infeasible, and its test compiles without a warning and passes; one in Python passes
with two seeds of hashes. What a reviewer of the test would complain about is told beside it.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..asking import machine
from ..decided import command_of
from ..emitted import Asked, Ran, ask, build, program_of, pytest_of, run
from .functions import ENTRIES, SUBJECTS, Entry, Finding

_RESULTS = Path(__file__).with_name("RESULTS.md")
_SHARE = 0.9  # of the branches, that have to be decided
_SHOWN = 80  # characters of the arguments that show a finding
_HASH_SEEDS = ("1", "2")
_WARNINGS = ("-Wall", "-Wextra", "-Werror")
_RUFF = (sys.executable, "-m", "ruff")
_NAMES = {
    True: re.compile(r"^def (test_\w+)\(", re.M),
    False: re.compile(r"^static void (test_\w+)\(void\)", re.M),
}


@dataclass(frozen=True)
class Row:
    """One function.

    Attributes:
        asked: what the command said.
        against: why it does not work; nothing if it does.
        review: what a reviewer of the test would complain about.
    """

    entry: Entry
    asked: Asked
    against: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def works(self) -> bool:
        return not self.against


def judge(entry: Entry, budget: float) -> Row:
    """Cover one function, and judge what comes of it."""
    with tempfile.TemporaryDirectory(prefix="first-hour-") as scratch:
        project = Path(scratch).resolve() / "project"
        shutil.copytree(SUBJECTS, project, ignore=shutil.ignore_patterns("__pycache__"))
        asked = ask(entry.target, project, (), budget)
        verdicts = Counter(branch["verdict"] for branch in asked.report.get("branches", ()))
        against = [*reported(entry, asked), *undecided(entry, verdicts)]
        review: list[str] = []
        if asked.code in (0, 1):
            against += [f"no test, or several: {len(asked.tests)}"] * (len(asked.tests) != 1)
            for test in asked.tests:
                against += broken(test)
                review += complaints(test, project)
    return Row(entry, asked, tuple(against), tuple(review), verdicts)


# ---- what is asked of a function ----


def reported(entry: Entry, asked: Asked) -> Iterator[str]:
    """The exit code, and the findings."""
    if asked.code not in (0, 1):
        said = asked.said.strip().splitlines()
        yield f"exit code {asked.code}: {said[-1] if said else 'nothing is said'}"
        return
    inputs = asked.report["inputs"]
    findings = asked.report["findings"]
    expected = False
    for one in findings:
        arguments = inputs[one["input"]]["args"] if one["input"] is not None else []
        finding = f"{one['kind']} {one['message']}"
        if entry.allows(finding, arguments):
            expected = True
        else:
            yield f"false finding: {finding}, of {repr(arguments)[:_SHOWN]}"
    if asked.code == 1 and not findings:
        yield "exit code 1 without a finding"
    if entry.finding is Finding.MUST and not expected:
        yield f"not found: {entry.fault}"


def undecided(entry: Entry, verdicts: Counter[str]) -> Iterator[str]:
    """Too few branches decided."""
    missing = max(0, verdicts["undecided"] - len(entry.unreachable))
    reachable = verdicts["covered"] + missing
    if reachable and verdicts["covered"] < _SHARE * reachable:
        yield f"{verdicts['covered']} of {reachable} reachable branches covered"


def broken(test: Path) -> Iterator[str]:
    """A test that does not compile, or does not pass."""
    for ended, what in _runs(test):
        if ended.code != 0:
            said = [line for line in ended.output.splitlines() if re.search(r"error|warning|FAIL|:case|E  ", line)]
            yield f"{what}: {(said or ended.output.splitlines() or ['nothing is said'])[0].strip()}"
            return


def _runs(test: Path) -> Iterator[tuple[Ran, str]]:
    if test.suffix == ".py":
        for seed in _HASH_SEEDS:
            yield run(pytest_of(test), test.parent, PYTHONHASHSEED=seed), "its test does not pass"
        return
    yield build(test, _WARNINGS), "its test does not compile"
    yield run([str(program_of(test))], test.parent), "its test does not pass"


# ---- what a reviewer sees ----


def complaints(test: Path, project: Path) -> Iterator[str]:
    """Paths of this machine, names that look the same; for Python what ruff says with its defaults."""
    text = test.read_text()
    places = {str(project.parent), str(Path.home()), sys.prefix, str(Path(__file__).parents[2])}
    if any(re.search(re.escape(place) + r"\b", text) for place in places if place != "/"):
        yield "an absolute path"
    names = Counter(re.sub(r"(_\d+)?$", "", name) for name in _NAMES[test.suffix == ".py"].findall(text))
    alike = [name for name, count in names.items() if count > 1]
    if alike:
        yield f"tests named alike: {alike[0]}"
    if test.suffix == ".py":
        if run([*_RUFF, "format", "--isolated", "--no-cache", "--check", str(test)], test.parent).code:
            yield "ruff format"
        said = run([*_RUFF, "check", "--isolated", "--no-cache", "--output-format=concise", str(test)], test.parent)
        if said.code:
            codes = sorted(set(re.findall(r": ([A-Z]+\d+)", said.output)))
            yield f"ruff check: {', '.join(codes)}"


# ---- the page ----


def page(rows: Sequence[Row], command: Sequence[str]) -> str:
    """The table, and why functions do not work."""
    parts = [
        "# A practitioner's first hour: sixty functions without any option\n",
        f"Written by `python -m {' '.join(command)}`: {machine(('ziglang', 'pytest', 'ruff'))}.\n",
        "`functions.py` says what is expected of each, and was written before. A function works if the exit code is 0 "
        "(1 where there is something to find), nothing is reported that only an input beyond the contract shows, at "
        f"least {100 * _SHARE:.0f} % of its branches are decided, and its test compiles without a warning and passes. "
        "Clean are the tests that a reviewer would not complain about: no path of this machine, no two names that "
        "differ in a number at the end only, and for Python `ruff format` and `ruff check`, as they are by default.\n",
        *_summary(rows),
        "\n## Why not\n",
        *(f"- `{row.entry.target}`: {'; '.join(row.against)}" for row in rows if row.against),
        "\n## What a reviewer would say\n",
        *(f"- `{row.entry.target}`: {'; '.join(row.review)}" for row in rows if row.review),
        "\n## By function\n",
        *_functions(rows),
    ]
    return "\n".join(parts) + "\n"


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    yield "| | functions | work | of tests | clean | s, median |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for name, python in (("C and C++", False), ("Python", True), ("**all**", None)):
        own = [row for row in rows if python in (None, row.entry.is_python)]
        tested = [row for row in own if row.asked.tests]
        median = statistics.median(row.asked.seconds for row in own) if own else 0.0
        yield (f"| {name} | {len(own)} | {sum(row.works for row in own)} | {len(tested)} "
               f"| {sum(not row.review for row in tested)} | {median:.1f} |")  # fmt: skip


def _functions(rows: Sequence[Row]) -> Iterator[str]:
    yield "| function | works | exit code | branches | covered | infeasible | inputs | s | what is expected |"
    yield "| --- | --- |" + " ---: |" * 6 + " --- |"
    for row in rows:
        inputs: list[Any] = row.asked.report.get("inputs", [])
        branches = (row.verdicts.total(), row.verdicts["covered"], row.verdicts["infeasible"], len(inputs))
        yield (f"| `{row.entry.target}` | {'yes' if row.works else '**no**'} | {row.asked.code} "
               f"| {' | '.join(map(str, branches))} | {row.asked.seconds:.1f} | {row.entry.works} |")  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the functions; 0 when all work, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.first_hour.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="files, functions or targets (default: all)")
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds for each function")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md beside this file")
    options = parser.parse_args(argv)
    asked_for = {*options.names}
    chosen = [one for one in ENTRIES if not asked_for or asked_for & {one.target, one.name, one.path.name}]
    if options.jobs < 1:
        parser.error("--jobs: give at least 1")
    if not chosen:
        parser.error(f"none is called {' or '.join(options.names)}")

    def one(entry: Entry) -> Row:
        row = judge(entry, options.budget)
        print(
            f"{entry.target}: {'; '.join(row.against) or 'works'}", *row.review, sep=" | ", file=sys.stderr, flush=True
        )
        return row

    with ThreadPoolExecutor(options.jobs) as pool:
        rows = list(pool.map(one, chosen))
    text = page(rows, command_of("bench.first_hour.run", argv))
    if options.write:
        _RESULTS.write_text(text)
    print(text)
    return 0 if all(row.works for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
