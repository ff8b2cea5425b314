"""How long the HTML report of 100 functions takes, how large it is, and what ``--html`` adds to a command.

    python -m bench.pages [--runs N] [--functions N] [--write]

Half of the functions are in C, half in Python; they have one, two or three inputs in turn. Each command runs in a
process of its own, with and without ``--html`` by turns. *Writing* is one call of ``write_pages`` on the suites of such
a run, without imports. ``--write`` writes ``bench/RESULTS-pages.md``.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from zeroin import Budget, Options, Worker, cover_all, targets_of
from zeroin.report.html import write_pages
from zeroin.suite.suite import Suite

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("RESULTS-pages.md")
EVALUATIONS = 2000

_C = """
double c{n}(double a{b}{c})
{{
    double s = a * {n}.5{sum};
    if (s > {n}.0 && a < 40.0)
        return sqrt(s);
    for (int i = 0; i < 3; i++)
        if (a * a == {n}.25)
            return -1.0;
    return s < -{n}.0 ? 0.0 : a / (a - 3.0);
}}
"""
_PYTHON = """

def p{n}(a: float{b}{c}) -> float:
    s = a * {n}.5{sum}
    if s > {n}.0 and a < 40.0:
        return math.sqrt(s)
    for _ in range(3):
        if a * a == {n}.25:
            return -1.0
    return 0.0 if s < -{n}.0 else a / (a - 3.0)
"""


def sources(folder: Path, count: int) -> list[str]:
    """Write a file for each language; return their paths."""
    parts: dict[str, list[str]] = {"many.c": ["#include <math.h>\n"], "many.py": ["import math\n"]}
    for n in range(count):
        inputs = n // 2 % 3
        more = ["", " + b", " + b - c"][inputs]
        if n % 2:
            parts["many.py"].append(_PYTHON.format(n=n, b=", b: float" * (inputs > 0), c=", c: float" * (inputs > 1),
                                                   sum=more))  # fmt: skip
        else:
            parts["many.c"].append(_C.format(n=n, b=", double b" * (inputs > 0), c=", double c" * (inputs > 1),
                                             sum=more))  # fmt: skip
    for name, texts in parts.items():
        (folder / name).write_text("".join(texts))
    return [str(folder / name) for name in parts]


def command(files: list[str], folder: Path, *more: str) -> float:
    """Return the seconds of one command."""
    line = [sys.executable, "-m", "zeroin", "cover", *files, "--quiet", "--evals", str(EVALUATIONS), "--find", "none",
            "--suite", "small", "-j", "2", "--out", str(folder / "out"), *more]  # fmt: skip
    start = time.perf_counter()
    done = subprocess.run(line, capture_output=True, text=True, check=False, env={**os.environ})
    if done.returncode == 2:
        raise SystemExit(done.stderr)
    return time.perf_counter() - start


def suites(files: list[str]) -> list[Suite]:
    """Return the suites, with samples, of all functions."""
    options = Options(Budget(EVALUATIONS, 10.0), samples=True, suite="small", faults=False)
    with Worker() as worker:
        targets = [target for file in files for target in targets_of(file, options, worker).targets]
        return [one for one in cover_all(targets, options, worker=worker) if isinstance(one, Suite)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--functions", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        files = sources(folder, given.functions)
        command(files, folder, "--html", str(folder / "report"))  # fills the cache
        without, with_pages = [], []
        for _ in range(given.runs):
            without.append(command(files, folder))
            with_pages.append(command(files, folder, "--html", str(folder / "report")))
        size = sum(path.stat().st_size for path in (folder / "report").rglob("*") if path.is_file())
        found, writing = suites(files), []
        for _ in range(given.runs):
            start = time.perf_counter()
            write_pages(found, (), folder / "again")
            writing.append(time.perf_counter() - start)
    rows = [("writing the pages", f"{statistics.median(writing):.2f} s"), ("size", f"{size / 1e6:.2f} MB"),
            ("the command without `--html`", f"{statistics.median(without):.1f} s"),
            ("the command with `--html`", f"{statistics.median(with_pages):.1f} s")]  # fmt: skip
    table = "\n".join(
        [f"| {len(found)} functions | |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)]
    )
    print(table)
    if given.write:
        machine = f"Python {platform.python_version()}, {os.cpu_count()} processors ({platform.machine()})"
        RESULTS.write_text(f"# The HTML report\n\nBy `python -m bench.pages --write`.\n\n{table}\n\nMedians of "
                           f"{given.runs} runs; {machine}.\nWith `--html`, functions of one or two numbers also run at "
                           "up to 2,401 further points,\nfor their plots, in at most 0.15 s each.\n")  # fmt: skip


if __name__ == "__main__":
    main()
