"""Runs until the designated statement of each subject is covered, by strategy: ``python -m bench.fitnex.run``, in the
project's top folder (Xie et al. 2009, section 5).

Each subject has a process of its own for each strategy and seed. What is not covered after 1000 runs, or in the time
that it gets, counts as 1000 runs.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from zeroin import Budget, LlvmSubject
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.c.front.signature import ArraySpec
from zeroin.languages.c.options import LlvmOptions
from zeroin.subject.base import branches_of

_TOP = Path(__file__).parents[2]
SUBJECTS = Path(__file__).with_name("subjects.c")
_RESULTS = Path(__file__).with_name("RESULTS.md")
_FUNCTION = re.compile(r"^int (\w+)\([^)]*\) \{(?: /\* (\S+) \*/)?$.*?^\}", re.MULTILINE | re.DOTALL)
CAP = 1000  # runs
# Pex's default strategy with Fitnex, without it, and the baselines; with the names of the paper.
STRATEGIES = {"fitnex": "with Fitnex", "without-fitnex": "without", "random": "random",
              "iterative-deepening": "iterative deepening"}  # fmt: skip
Runs = dict[tuple[str, str], list[int]]  # by subject and strategy, of each seed
Medians = Mapping[tuple[str, str], float]


def subjects() -> Iterator[tuple[str, str, int]]:
    """The name, the arrays, and the line of the statement that is to be reached."""
    text = SUBJECTS.read_text()
    for found in _FUNCTION.finditer(text):
        marked = text.index("/* target */", found.start(), found.end())
        yield found[1], found[2] or "", text.count("\n", 0, marked) + 1


def runs_until_covered(name: str, arrays: str, line: int, frontier: str, seed: int, seconds: float) -> int:
    """In this process: how many runs, or the cap."""
    specs = (ArraySpec.parse(arrays),) if arrays else ()
    subject = LlvmSubject(SUBJECTS, name, LlvmOptions(arrays=specs))
    subject.guard()
    target = 2 * max(site.number for site in subject.sites if site.line == line)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**9, seconds), seed)
    strategy = Explore(search, frontier)
    while not search.covered >> target & 1:
        if strategy.runs >= CAP or strategy.done or search.stopped:
            return CAP
        strategy.step(1)
    return strategy.runs


def apart(name: str, arrays: str, line: int, frontier: str, seed: int, seconds: float) -> int:
    """In a process of its own."""
    command = [
        sys.executable,
        "-m",
        "bench.fitnex.run",
        "--one",
        json.dumps([name, arrays, line, frontier, seed, seconds]),
    ]
    done = subprocess.run(command, cwd=_TOP, capture_output=True, text=True, timeout=2 * seconds + 120, check=True)
    return int(done.stdout)


def improvement(medians: Medians, strategy: str) -> float:
    """The mean, over the subjects, of how many times fewer runs a strategy takes than ``random``."""
    names = dict.fromkeys(name for name, _ in medians)
    return statistics.mean(medians[n, "random"] / medians[n, strategy] for n in names)


def medians_of(runs: Runs) -> dict[tuple[str, str], float]:
    """The median over the seeds of each subject and strategy."""
    return {key: statistics.median(counts) for key, counts in runs.items()}


def read_table(page: str) -> dict[tuple[str, str], float]:
    """The medians of a page that :func:`table` made; of the same number of seeds and seconds, or empty."""
    rows = re.findall(r"^\| (\w+) \| ([\d. |]+) \|$", page, re.MULTILINE)
    return {(name, strategy): float(count) for name, counts in rows
            for strategy, count in zip(STRATEGIES, counts.split(" | "), strict=True)}  # fmt: skip


def table(medians: Medians, seeds: int, seconds: float) -> str:
    """As the paper's Table 2; medians over the seeds."""
    names = list(dict.fromkeys(name for name, _ in medians))
    command = f"python -m bench.fitnex.run --seeds {seeds} --seconds {seconds:g} --write"
    lines = ["# Fitnex: runs until the target is covered", "", f"`{command}`", "",
             f"Medians of {seeds} seeds; {CAP} stands for: not covered in {CAP} runs, or {seconds:g} seconds.", "",
             f"| subject | {' | '.join(STRATEGIES.values())} |", f"| --- |{' --- |' * len(STRATEGIES)}"]  # fmt: skip
    for name in names:
        lines.append(f"| {name} | {' | '.join(f'{medians[name, strategy]:g}' for strategy in STRATEGIES)} |")
    reached = [sum(medians[name, s] < CAP for name in names) for s in STRATEGIES]
    lines.append(f"| **targets covered** | {' | '.join(f'**{n} of {len(names)}**' for n in reached)} |")
    means = [f"**{improvement(medians, s):.1f}**" for s in STRATEGIES]
    lines.append(f"| **mean improvement over random** | {' | '.join(means)} |")
    lines.append("| the paper's, on its own 30 subjects | 5.2 | 1.9 | 1 | 0.9 |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(prog="python -m bench.fitnex.run", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="subjects with this in their name")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run (default 60)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write RESULTS.md; with --only, the other rows stay")
    parsed = parser.parse_args(arguments)
    if parsed.one:
        print(runs_until_covered(*json.loads(parsed.one)))
        return 0
    chosen = [subject for subject in subjects() if parsed.only in subject[0]]
    tasks = [(*subject, strategy, seed, parsed.seconds)
             for subject in chosen for strategy in STRATEGIES for seed in range(parsed.seeds)]  # fmt: skip
    runs: Runs = {}
    with ThreadPoolExecutor(parsed.jobs) as pool:
        for task, count in zip(tasks, pool.map(lambda task: apart(*task), tasks), strict=True):
            runs.setdefault((task[0], task[3]), []).append(count)
            if len(runs[task[0], task[3]]) == parsed.seeds:
                print(f"{task[0]:16} {task[3]:20} {runs[task[0], task[3]]}", flush=True)
    medians = medians_of(runs)
    print(table(medians, parsed.seeds, parsed.seconds))
    if parsed.write:
        known, head = _RESULTS.read_text(), table(medians, parsed.seeds, parsed.seconds).split("\n| ")[0]
        if parsed.only and not known.startswith(head):
            print("bench.fitnex: RESULTS.md has other seeds or seconds; not written", file=sys.stderr)
            return 2
        medians = {**(read_table(known) if parsed.only else {}), **medians}
        names = [name for name, _, _ in subjects()]
        ordered = {(n, s): medians[n, s] for n in names for s in STRATEGIES if (n, s) in medians}
        _RESULTS.write_text(table(ordered, parsed.seeds, parsed.seconds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
