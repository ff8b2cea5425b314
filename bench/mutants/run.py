"""Mutation scores of the suites that zeroin writes: ``python -m bench.mutants.run``, in the project's top folder.

Each function's folder is copied, and the installed command is run there, with no more options than the function needs
to be driven at all (fdlibm: flags for the compiler, files, lengths of arrays). ``judge.py`` makes the mutants.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from ..asking import machine
from ..decided import command_of
from ..emitted import ask
from .equivalent import equivalent
from .functions import SETS, Function, functions
from .judge import JudgeError, Judgement, judge, lines_of, mutants_of
from .mutant import Mutant

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """One function.

    Attributes:
        inputs: in the suite.
        seconds: on the clock, for the command.
        judged: by the mutants; all survive where there is no test to judge.
        why: there is no test to judge.
        lines: of the source, for the page.
    """

    function: Function
    inputs: int
    seconds: float
    judged: Judgement
    why: str = ""
    lines: tuple[str, ...] = ()

    @property
    def equivalent(self) -> list[Mutant]:
        """Survivors that nothing can kill."""
        known = equivalent(self.function)
        return [*self.judged.same, *(one for one in self.judged.survived if str(one) in known)]

    @property
    def survived(self) -> list[Mutant]:
        """Those that a better test would kill."""
        known = equivalent(self.function)
        return [one for one in self.judged.survived if str(one) not in known]

    @property
    def killed(self) -> int:
        return len(self.judged.killed)

    @property
    def mutants(self) -> int:
        """Those that can be killed."""
        return self.killed + len(self.survived)

    @property
    def mistaken(self) -> list[Mutant]:
        """Killed, though they are said to be equivalent."""
        known = equivalent(self.function)
        return [one for one in self.judged.killed if str(one) in known]


def measure(function: Function, budget: float, most: int) -> Row:
    """Cover a function, and judge the suite."""
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        project = Path(scratch).resolve() / function.project.name
        shutil.copytree(function.project, project, ignore=shutil.ignore_patterns("__pycache__"))
        asked = ask(function.target, project, function.options, budget)
        source = project / function.source
        lines = lines_of(source, function.name)
        text = tuple(source.read_text(errors="replace").splitlines())
        inputs = len(asked.report.get("inputs", ()))
        try:
            if len(asked.tests) != 1:
                said = asked.said.strip().splitlines() or [f"exit code {asked.code}, {len(asked.tests)} tests"]
                raise JudgeError(said[-1])
            test = asked.tests[0].relative_to(project).as_posix()
            return Row(function, inputs, asked.seconds, judge(project, function.source, lines, test, most), lines=text)
        except JudgeError as error:
            every = Judgement((), tuple(mutants_of(source, *lines, most)))
            return Row(function, inputs, asked.seconds, every, str(error), text)


# ---- the page ----


def page(rows: Sequence[Row], which: str, command: Sequence[str], most: int) -> str:
    """The table, and what survives."""
    parts = [
        f"# Mutants that the suites kill: {which}\n",
        f"Written by `python -m {' '.join(command)}`: {machine(('ziglang', 'pytest'))}.\n",
        f"Of each function at most {most} mutants, evenly spread over its lines: an arithmetic, comparison, logical or "
        "bitwise operator replaced by another, a sign or a negation left out, a number by its neighbours, 0 and 1, or "
        "(floats) by one more, zero, its negative, one and a half of it. Those that do not compile do not count; nor "
        "do those that are equivalent: the optimised machine code is the same, or `equivalent.py` says why. Where "
        "there is no test to judge, all survive. The score of a function is the share of its mutants that its test "
        "kills.\n",
        *_summary(rows),
        "\n## By function\n",
        *_functions(rows),
        *_reasons(rows),
        "\n## Survivors\n",
        *_survivors(rows),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    yield "| | functions | judged | mutants | killed | share | score, mean | equivalent | inputs, median | s, median |"
    yield "| --- |" + " ---: |" * 9
    for name, python in (("C", False), ("Python", True), ("**all**", None)):
        own = [row for row in rows if python in (None, row.function.is_python)]
        if not own:
            continue
        mutants, killed = sum(row.mutants for row in own), sum(row.killed for row in own)
        mean = statistics.mean(row.killed / row.mutants for row in own if row.mutants)
        yield (f"| {name} | {len(own)} | {sum(not row.why for row in own)} | {mutants} | {killed} "
               f"| {100 * killed / mutants:.1f} % | {100 * mean:.1f} % | {sum(len(row.equivalent) for row in own)} "
               f"| {statistics.median(row.inputs for row in own):g} "
               f"| {statistics.median(row.seconds for row in own):.1f} |")  # fmt: skip


def _functions(rows: Sequence[Row]) -> Iterator[str]:
    yield "| function | inputs | s | mutants | killed | score | equivalent |"
    yield "| --- |" + " ---: |" * 6
    for row in rows:
        yield (f"| `{row.function.target}` | {row.inputs} | {row.seconds:.1f} | {row.mutants} | {row.killed} "
               f"| {100 * row.killed / max(1, row.mutants):.0f} % | {len(row.equivalent)} |")  # fmt: skip


def _reasons(rows: Sequence[Row]) -> Iterator[str]:
    if any(row.why for row in rows):
        yield "\n## Not judged\n"
        yield from (f"- `{row.function.target}`: {row.why}" for row in rows if row.why)
    if any(row.mistaken for row in rows):
        yield "\n## Killed, though `equivalent.py` calls them equivalent\n"
        yield from (f"- `{row.function.target}`: {'; '.join(map(str, row.mistaken))}" for row in rows if row.mistaken)


def _survivors(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        if row.why or not row.survived:
            continue
        yield f"<details><summary>{row.function.target}: {len(row.survived)} of {row.mutants}</summary>\n"
        yield from (f"- {one} in `{row.lines[one.line - 1].strip()}`" for one in row.survived)
        yield "\n</details>\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Cover and judge; 1 if a mutant that is called equivalent is killed, or a test can not be judged, else 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutants.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="files, functions or targets (default: all)")
    parser.add_argument("--set", choices=tuple(SETS), default="realistic", dest="which", help="which functions")
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds for each function")
    parser.add_argument("--most", type=int, default=60, metavar="N", help="mutants of each function")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--write", action="store_true",
                        help="write RESULTS.md beside this file; of another set RESULTS-SET.md")  # fmt: skip
    options = parser.parse_args(argv)
    asked_for = {*options.names}
    chosen = [one for one in functions(options.which)
              if not asked_for or asked_for & {one.target, one.name, one.source}]  # fmt: skip
    if options.jobs < 1:
        parser.error("--jobs: give at least 1")
    if not chosen:
        parser.error(f"none is called {' or '.join(options.names)}")
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in pool.map(partial(measure, budget=options.budget, most=options.most), chosen):
            rows.append(row)
            told = row.why or f"{row.killed} of {row.mutants} killed by {row.inputs} inputs"
            print(f"{row.function.target}: {told}, {row.seconds:.1f} s", file=sys.stderr, flush=True)
    text = page(rows, options.which, command_of("bench.mutants.run", argv), options.most)
    if options.write:
        (_HERE / ("RESULTS.md" if options.which == "realistic" else f"RESULTS-{options.which}.md")).write_text(text)
    print(text)
    return 1 if any(row.why or row.mistaken for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
