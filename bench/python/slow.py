"""Functions whose runs are slow: ``python -m bench.python.slow``, in the project's top folder; nothing else may run.

Each of our Python functions is made slower by a sum over a range at its beginning, which takes some hundred
microseconds, and then some milliseconds, and is searched as ever: how many of its branches are decided, and covered.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from zeroin import COVERED, UNDECIDED, Budget, Options, Worker, cover

from ..asking import machine
from ..decided import command_of
from .subjects import ENTRIES, FUNCTIONS

_PAGE = Path(__file__).with_name("RESULTS-slow.md")
_NUMBERS = (0, 25_000, 250_000)  # summed up in each run


def slowed(module: str, numbers: int) -> str:
    """The source of a module each of whose functions first sums up so many numbers."""
    tree = ast.parse((FUNCTIONS / f"{module}.py").read_text())
    names = {entry.function for entry in ENTRIES if entry.module == module}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name in names and numbers:
            documented = ast.get_docstring(node) is not None
            node.body[documented:documented] = ast.parse(f"sum(range({numbers}))").body
    return ast.unparse(tree)


def searched(numbers: int, budget: float, every: int, seeds: int) -> Iterator[tuple[int, int, int, float]]:
    """Branches, how many of them are decided and how many covered, and evaluations a second, of each search."""
    with tempfile.TemporaryDirectory() as folder, Worker() as sandbox:
        for module in {entry.module for entry in ENTRIES}:
            Path(folder, f"{module}.py").write_text(slowed(module, numbers))
        for entry in ENTRIES[::every]:
            target = f"{Path(folder, entry.module)}.py:{entry.function}"
            for seed in range(seeds):
                suite = cover(target, Options(budget=Budget(seconds=budget), seed=seed), sandbox)
                decided = len(suite.branches) - suite.count(UNDECIDED)
                rate = suite.evaluations / max(suite.seconds, 1e-3)
                yield len(suite.branches), decided, suite.count(COVERED), rate


def row(numbers: int, found: Sequence[tuple[int, int, int, float]]) -> str:
    """A row of the table."""
    every, decided, covered = (sum(one[n] for one in found) for n in range(3))
    rate = statistics.median(one[3] for one in found)
    return f"| {numbers:,} | {rate:,.0f} | {every} | {decided}, {100 * decided / every:.1f} % | {covered} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Search all of them with all delays; 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.python.slow", description=__doc__)
    parser.add_argument("--budget", type=float, default=5.0, metavar="S", help="seconds for each function")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th function")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="search with the seeds 0 to N-1")
    parser.add_argument("--write", action="store_true", help=f"write {_PAGE.name} beside this file")
    options = parser.parse_args(argv)
    rows = [row(n, list(searched(n, options.budget, options.every, options.seeds))) for n in _NUMBERS]
    page = [
        "# Python functions whose runs are slow\n",
        f"Written by `python -m {' '.join(command_of('bench.python.slow', argv))}`: {machine(('numpy', 'numba'))}.\n",
        f"The functions of this benchmark, {options.budget:g} s each, that first sum up so many numbers. Conditions of "
        "ours, of which coverage.py's branches are a part, those that no input takes included.\n",
        "| numbers | evaluations a second, median | branches | decided | covered |",
        "| ---: | ---: | ---: | ---: | ---: |",
        *rows,
    ]
    print(text := "\n".join(page) + "\n")
    if options.write:
        _PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
