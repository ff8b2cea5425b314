"""The share of plausible values in the inputs of emitted tests: ``python -m bench.values.run``, in the project's top
folder.

The subjects are those of ``bench.packages_python`` and ``bench.first_hour``, without any option, at their budgets.
:mod:`zeroin.suite.plausible` defines what is plausible.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from zeroin import COVERED, Budget, Options, Suite, Worker, ZeroinError, cover
from zeroin.subject.values import Role
from zeroin.suite.plausible import Level, given, level

from ..asking import machine
from ..decided import command_of
from ..first_hour.functions import ENTRIES, SUBJECTS
from ..packages_python.functions import DEPENDENCIES, PACKAGES, entries
from ..packages_python.run import place
from ..python.packages import use

_RESULTS = Path(__file__).with_name("RESULTS.md")
_GOAL = 0.9  # the least share of plausible values
_UNCOUNTED = (Role.CHOICE, Role.SIZE)  # always plausible
_SHOWN = 100  # characters of an input
PLAUSIBLE, NEEDED, OTHER = "plausible", "needed", "implausible though not needed"


@dataclass(frozen=True)
class Row:
    """One function.

    Attributes:
        bench: the benchmark that it is from.
        values: how many values there are, by :data:`PLAUSIBLE`, :data:`NEEDED` and :data:`OTHER`.
        inputs: how many inputs there are, by their worst value.
        examples: inputs with a value that is not plausible, as text, each with what is said of the value.
        branches: how many branches are covered, of how many.
        seconds: with everything.
        note: why there is no suite.
    """

    bench: str
    target: str
    values: Counter[str] = field(default_factory=Counter)
    inputs: Counter[str] = field(default_factory=Counter)
    examples: tuple[tuple[str, str], ...] = ()
    branches: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    note: str = ""


def with_tests(suite: Suite) -> list[int]:
    """The indices of the inputs of which a test is written."""
    return [n for n, kept in enumerate(suite.inputs) if n not in suite.repeats and not kept.untested]


def judged(suite: Suite, number: int) -> Iterator[tuple[str, Level]]:
    """The values of one input, each with its level. Defaults and choices do not count, equal values count once."""
    kept = suite.inputs[number]
    at = 0
    for parameter in suite.signature.parameters:
        seen = set[tuple[int, ...]]()
        inside = range(at, at + parameter.arity)
        at += parameter.arity
        for value in given(suite.signature, kept.words):
            own = kept.words[value.start : value.stop]
            if value.role in _UNCOUNTED or value.start not in inside or own in seen:
                continue
            seen.add(own)
            found = level(value, kept.words)
            yield PLAUSIBLE if not found else NEEDED if value.start in kept.needed else OTHER, found


def row_of(bench: str, suite: Suite) -> Row:
    """Count the values of a suite."""
    values, inputs, examples = Counter[str](), Counter[str](), list[tuple[str, str]]()
    for number in with_tests(suite):
        found = [*judged(suite, number)]
        values.update(what for what, _ in found)
        worst = max(found, key=lambda one: (PLAUSIBLE, NEEDED, OTHER).index(one[0]), default=(PLAUSIBLE, None))[0]
        inputs[worst] += 1
        if worst != PLAUSIBLE:
            examples.append((worst, suite.signature.show(suite.inputs[number].words)))
    covered = sum(verdict.verdict == COVERED for verdict in suite.verdicts)
    return Row(bench, suite.target.text, values, inputs, tuple(examples), (covered, len(suite.verdicts)),
               suite.total_seconds)  # fmt: skip


def run(bench: str, target: str, seconds: float, worker: Worker) -> Row:
    """Cover one function, and count."""
    try:
        return row_of(bench, cover(target, Options(budget=Budget(seconds=seconds)), worker))
    except ZeroinError as error:
        return Row(bench, target, note=str(error).splitlines()[0])


def share(counted: Counter[str], what: str) -> float:
    """The share of some of the values or inputs; that of plausible ones is 1 if there are none."""
    return counted[what] / counted.total() if counted else float(what == PLAUSIBLE)


# ---- the page ----


def page(rows: Sequence[Row], command: Sequence[str]) -> str:
    """The table, and the values that are not plausible."""
    return "\n".join([
        "# Plausible values in emitted tests\n",
        f"Written by `python -m {' '.join(command)}`: {machine(('ziglang', 'numpy'))}.\n",
        "`zeroin.suite.plausible` defines what is plausible. Counted are the numbers, texts and dates in the inputs of "
        "emitted tests. Choices from a list and arguments with their default are left out, since they are always "
        "plausible; equal values of one argument count once. A value that is not plausible is *needed* if "
        "simplification tried plausible ones, and the input lost its branches, mutants or finding with each.\n",
        *_table("values", rows, [row.values for row in rows]),
        "",
        *_table("inputs, by their worst value", rows, [row.inputs for row in rows]),
        "\n## Not plausible\n",
        *_examples(rows),
        "\n## By function\n",
        "| function | values | plausible | needed | others | branches | s |",
        "| --- |" + " ---: |" * 6,
        *(f"| `{row.target}` | {row.note or row.values.total()} | {row.values[PLAUSIBLE]} | {row.values[NEEDED]} "
          f"| {row.values[OTHER]} | {row.branches[0]} of {row.branches[1]} | {row.seconds:.1f} |" for row in rows),
    ]) + "\n"  # fmt: skip


def _table(what: str, rows: Sequence[Row], counted: Sequence[Counter[str]]) -> Iterator[str]:
    yield f"| {what} | | plausible | needed | implausible though not needed |"
    yield "| --- |" + " ---: |" * 4
    for bench in (*dict.fromkeys(row.bench for row in rows), ""):
        own = sum((some for row, some in zip(rows, counted, strict=True) if bench in ("", row.bench)), Counter[str]())
        shares = (f"{own[one]} ({100 * share(own, one):.1f} %)" for one in (PLAUSIBLE, NEEDED, OTHER))
        yield f"| {bench or '**all**'} | {own.total()} | {' | '.join(shares)} |"


def _examples(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        for worst, shown in row.examples:
            text = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."
            yield f"- {worst}: `{text.replace('`', '').encode('unicode_escape').decode()}`"


def main(argv: Sequence[str] | None = None) -> int:
    """Measure; 0 if at least 90 % of the values are plausible, else 1."""
    parser = argparse.ArgumentParser(prog="python -m bench.values.run", description=__doc__)
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds for each function")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="functions at the same time")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th function")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="of this bench, module or target")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md beside this file")
    options = parser.parse_args(argv)
    with ExitStack() as owned:
        project = Path(owned.enter_context(tempfile.TemporaryDirectory(prefix="values-"))).resolve() / "project"
        shutil.copytree(SUBJECTS, project, ignore=shutil.ignore_patterns("__pycache__"))
        chosen = [("packages_python", one.target, one.target) for one in entries()]
        chosen += [("first_hour", str(project / one.target), one.target) for one in ENTRIES]
        names = {*options.only}
        chosen = [one for one in chosen if not names or names & {one[0], one[2], *one[2].split(":")}]
        chosen = chosen[:: options.every]
        if any(bench == "packages_python" for bench, _, _ in chosen):
            for name in (*PACKAGES, *DEPENDENCIES):
                use(place(name))
        mine = threading.local()

        def one(asked: tuple[str, str, str]) -> Row:
            if not hasattr(mine, "worker"):
                mine.worker = owned.enter_context(Worker())
            bench, where, name = asked
            found = run(bench, where, options.budget, mine.worker)
            print(f"{name}: {found.note or dict(found.values)}", file=sys.stderr, flush=True)
            return Row(bench, name, found.values, found.inputs, found.examples, found.branches, found.seconds,
                       found.note)  # fmt: skip

        with ThreadPoolExecutor(options.jobs) as pool:
            rows = list(pool.map(one, chosen))
    text = page(rows, command_of("bench.values.run", argv))
    if options.write:
        _RESULTS.write_text(text)
    print(text)
    return 0 if share(sum((row.values for row in rows), Counter()), PLAUSIBLE) >= _GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
