"""How many of the branches of some functions are covered, and how many refuted by a proof; attacks on the proofs."""

from __future__ import annotations

import argparse
import shlex
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zeroin import COVERED, INFEASIBLE, UNDECIDED, Budget, Options, Suite, Worker, cover
from zeroin.subject.base import Target
from zeroin.suite.suite import FOUND, Verdict

_ATTACKS = ("targets", "random")  # one branch at a time, and by chance


@dataclass(frozen=True)
class Function:
    """One of those that are covered.

    Attributes:
        target: what is asked for.
        options: of the search, by budget and seed.
        library: what it is a part of, if there are several.
    """

    target: Target | str
    options: Callable[[Budget, int], Options]
    library: str = ""


@dataclass(frozen=True)
class Covered:
    """A suite, and the seconds on the clock for the search and all that belongs to it; worker processes are kept for
    the next function, as ``--jobs`` keeps them."""

    suite: Suite
    wall: float


@dataclass(frozen=True)
class Round:
    """All functions once, and the seconds on the clock."""

    covered: list[Covered]
    wall: float


def parser_of(command: str, description: str | None) -> argparse.ArgumentParser:
    """The options that such benchmarks have in common."""
    parser = argparse.ArgumentParser(prog=f"python -m {command}", description=description)
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="search with the seeds 0 to N-1")
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds for each function")
    parser.add_argument("--attack", type=float, default=0.0, metavar="S",
                        help="search each function with a proof for so many seconds more, by each of: "
                        + ", ".join(_ATTACKS))  # fmt: skip
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="functions at the same time")
    parser.add_argument("--boundary", action="store_true", help="the boundaries of comparisons instead of branches")
    parser.add_argument(
        "--find",
        metavar="FAULTS",
        default="",
        help="the faults of operations instead of branches: overflow, nan, ..., separated by commas",
    )
    parser.add_argument("--beside", metavar="ENGINE", action="append", default=[],
                        help="what this engine alone comes to, with seed 0, too (repeatable)")  # fmt: skip
    parser.add_argument(
        "--write",
        action="store_true",
        help="write RESULTS-decided.md, RESULTS-boundary.md or RESULTS-faults.md beside this file",
    )
    return parser


def decide(functions: Sequence[Function], options: argparse.Namespace, title: str, command: Sequence[str],
           machine: Sequence[str], folder: Path) -> int:  # fmt: skip
    """Run the benchmark; 0 when no proof is wrong, 1 when one is, 2 when there is no such function."""
    if not functions:
        print(f"{command[0]}: --only names no function of this benchmark", file=sys.stderr)
        return 2
    what = "fault" if options.find else "boundary" if options.boundary else "branch"
    if what != "branch":
        asked = {"find": tuple(options.find.split(","))} if options.find else {"boundary": True}
        functions = [replace(one, options=_asking(one.options, asked)) for one in functions]
    rounds = [_round(functions, options, seed) for seed in range(options.seeds)]
    wrong = _attacked(functions, options, rounds[0]) if options.attack else []
    run = shlex.join(["python", "-m", *command])
    lines = [f"# Every {what} decided: {title}", "", "Written by", "", "```", run, "```", ""]
    lines += [*(f"- {line}" for line in machine), "", *table(rounds, what)]
    if len({one.library for one in functions}) > 1:
        lines += ["", *_libraries(functions, rounds[0], what)]
    if options.find:
        lines += ["", *_kinds(rounds[0])]
    if options.beside:
        lines += ["", *_alone(functions, options)]
    if options.attack:
        said = f"{len(wrong)} of the proofs fell: {'; '.join(wrong)}" if wrong else "no proof fell"
        lines += ["", f"Each function with a proof was searched for {options.attack:g} s more by each of "
                  f"{', '.join(_ATTACKS)}, without proofs: {said}."]  # fmt: skip
    lines += _functions(rounds[0]) if options.find else _left(rounds[0], what)
    page = "\n".join(lines) + "\n"
    if options.write:
        name = {"fault": "faults", "boundary": "boundary", "branch": "decided"}[what]
        (folder / f"RESULTS-{name}.md").write_text(page)
    print(page)
    return 1 if wrong or any(one.suite.refuted for each in rounds for one in each.covered) else 0


def _asking(options: Callable[[Budget, int], Options], asked: dict[str, Any]) -> Callable[[Budget, int], Options]:
    return lambda budget, seed: replace(options(budget, seed), **asked)


def verdicts_of(suite: Suite) -> list[Verdict]:
    """On the faults, if these were looked for, or else on the branches."""
    return suite.fault_verdicts if suite.options.find else suite.verdicts


def _count(suite: Suite, *verdicts: str) -> int:
    return sum(v.verdict in verdicts for v in verdicts_of(suite))


_MET = (COVERED, FOUND)
_HEADS = {"branch": ("branches", "covered"), "boundary": ("boundaries", "covered"), "fault": ("faults", "found")}


def table(rounds: Sequence[Round], what: str = "branch") -> list[str]:
    """A row for each seed."""
    boundary = what == "boundary"
    head = ["seed", *_HEADS[what], "proved infeasible", "undecided", "decided",
            "wall time, s", "of a function, median", "search of one, s, at most"]  # fmt: skip
    head += ["comparisons", "wholly decided"] * boundary
    lines = [f"| {' | '.join(head)} |", f"| {' | '.join('---:' for _ in head)} |"]
    for seed, each in enumerate(rounds):
        suites = [one.suite for one in each.covered]
        counts = [sum(_count(suite, *some) for suite in suites) for some in (_MET, (INFEASIBLE,), (UNDECIDED,))]
        every, median = sum(counts), statistics.median(one.wall for one in each.covered)
        lines.append(f"| {seed} | {every} | {' | '.join(map(str, counts))} | {100 * (every - counts[2]) / every:.1f} % "
                     f"| {each.wall:.0f} | {median:.2f} | {max(suite.seconds for suite in suites):.1f} |"
                     + _comparisons(suites) * boundary)  # fmt: skip
    return lines


def _libraries(functions: Sequence[Function], first: Round, what: str) -> list[str]:
    """A row for each library."""
    head = ["library (seed 0)", "functions", *_HEADS[what], "proved infeasible", "undecided", "decided",
            "of a function, s, median", "at most"]  # fmt: skip
    lines = [f"| {' | '.join(head)} |", f"| --- |{' ---: |' * (len(head) - 1)}"]
    for name in dict.fromkeys(one.library for one in functions):
        own = [done for one, done in zip(functions, first.covered, strict=True) if one.library == name]
        counts = [sum(_count(one.suite, *some) for one in own) for some in (_MET, (INFEASIBLE,), (UNDECIDED,))]
        every, walls = sum(counts), [one.wall for one in own]
        lines.append(f"| {name} | {len(own)} | {every} | {' | '.join(map(str, counts))} "
                     f"| {100 * (every - counts[2]) / every:.1f} % | {statistics.median(walls):.2f} "
                     f"| {max(walls):.1f} |")  # fmt: skip
    return lines


def _left(first: Round, what: str) -> list[str]:
    """What has no input, and why."""
    left = [(one.suite, v) for one in first.covered for v in one.suite.verdicts if v.verdict != COVERED]
    return ["", "## Without an input (seed 0)", "", f"| {what} | |", "| --- | --- |",
            *(f"| {_name(suite, v)} | {v.verdict}: {v.why} |" for suite, v in left)]  # fmt: skip


def _functions(first: Round) -> list[str]:
    """A row for each function."""
    lines = ["", "## By function (seed 0)", "", "| function | branches undecided | faults found | proved infeasible "
             "| undecided | search, s |", "| --- | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip
    for suite in (one.suite for one in first.covered):
        counts = " | ".join(str(_count(suite, verdict)) for verdict in (FOUND, INFEASIBLE, UNDECIDED))
        lines.append(f"| `{suite.target.function}` | {suite.count(UNDECIDED)} | {counts} | {suite.seconds:.1f} |")
    return lines


def _kinds(first: Round) -> list[str]:
    """A row for each kind of fault."""
    found = Counter((v.branch.label, v.verdict) for one in first.covered for v in verdicts_of(one.suite))
    lines = ["| fault (seed 0) | found | proved infeasible | undecided |", "| --- | ---: | ---: | ---: |"]
    for kind in dict.fromkeys(kind for kind, _ in sorted(found)):
        lines.append(f"| {kind} | {' | '.join(str(found[kind, one]) for one in (FOUND, INFEASIBLE, UNDECIDED))} |")
    return lines


def _comparisons(suites: Sequence[Suite]) -> str:
    """How many there are, and of how many every boundary is decided."""
    decided: dict[tuple[int, int], bool] = {}
    for number, suite in enumerate(suites):
        for verdict in suite.verdicts:
            key = number, verdict.branch.site.group
            decided[key] = decided.get(key, True) and verdict.verdict != UNDECIDED
    share = 100 * sum(decided.values()) / max(1, len(decided))
    return f" {len(decided)} | {sum(decided.values())}, {share:.1f} % |"


def _alone(functions: Sequence[Function], options: argparse.Namespace) -> list[str]:
    """What single engines come to."""
    lines = ["| engine alone (seed 0) | covered | search, s |", "| --- | ---: | ---: |"]
    for engine in options.beside:
        other = [replace(one, options=_asking(one.options, {"engine": engine})) for one in functions]
        suites = [one.suite for one in _round(other, options, 0).covered]
        covered, seconds = sum(_count(suite, *_MET) for suite in suites), sum(suite.seconds for suite in suites)
        lines.append(f"| `{engine}` | {covered} | {seconds:.0f} |")
    return lines


def _round(functions: Sequence[Function], options: argparse.Namespace, seed: int) -> Round:
    mine = threading.local()

    def one(function: Function) -> Covered:
        if not hasattr(mine, "sandbox"):
            mine.sandbox = owned.enter_context(Worker())
        started = time.perf_counter()
        suite = cover(function.target, function.options(Budget(10**12, options.budget), seed), mine.sandbox)
        return Covered(suite, time.perf_counter() - started)

    started = time.perf_counter()
    with ExitStack() as owned, ThreadPoolExecutor(options.jobs) as pool:
        covered = list(pool.map(one, functions))
    return Round(covered, time.perf_counter() - started)


def _attacked(functions: Sequence[Function], options: argparse.Namespace, first: Round) -> list[str]:
    """The branches with a proof that an input takes all the same."""

    def one(attack: tuple[Function, Suite, str]) -> list[str]:
        function, suite, engine = attack
        asked = function.options(Budget(10**12, options.attack), 1000)
        again = cover(function.target, replace(asked, engine=engine))
        taken = {v.branch.outcome for v in verdicts_of(again) if v.verdict in _MET}
        return [_name(suite, v) for v in verdicts_of(suite) if v.verdict == INFEASIBLE and v.branch.outcome in taken]

    proved = [(function, done.suite, engine) for function, done in zip(functions, first.covered, strict=True)
              if _count(done.suite, INFEASIBLE) for engine in _ATTACKS]  # fmt: skip
    with ThreadPoolExecutor(options.jobs) as pool:
        return [name for found in pool.map(one, proved) for name in found]


def _name(suite: Suite, verdict: Verdict) -> str:
    branch = verdict.branch
    condition = branch.site.condition.replace("|", "\\|")
    return f"`{suite.target.function}` {branch.site.line}: `{condition}` {branch.label}"


def command_of(module: str, argv: Sequence[str] | None) -> list[str]:
    """The module and its arguments."""
    return [module, *(sys.argv[1:] if argv is None else argv)]
