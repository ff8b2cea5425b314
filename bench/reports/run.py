"""Public reports of numerical faults, rebuilt in our own words: ``python -m bench.reports.run``, in the project's top
folder.

Each file of ``cases/`` names the report, has a faulty function ``reported`` with a mark at the faulty line, and its
repaired version ``mended``. Both are covered with the default settings. The mark says what has to be found in the
first; in the second, nothing may be found. ``others/`` holds reports of the same form that were chosen and written
before zeroin ran on any of them: ``--set others``.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..asking import machine

_TOP = Path(__file__).parents[2]
_HERE = Path(__file__).parent
_RESULTS = {"cases": _HERE / "RESULTS.md", "others": _HERE / "RESULTS-others.md"}
_MARK = re.compile(r"(?:#|/\*|//) fault: ([\w.]+)")
_ADDRESS = re.compile(r"https://\S+")
_FAULTS = ("nan", "overflow", "cast", "intoverflow", "divzero", "bounds", "shift")


@dataclass(frozen=True)
class Case:
    """A report.

    Attributes:
        file: its file.
        address: the report's.
        kind: what goes wrong: the class of an exception, a kind of fault, ``hang``, or ``branch``.
        line: where.
    """

    file: Path
    address: str
    kind: str
    line: int

    @classmethod
    def read(cls, file: Path) -> Case:
        """Read a file of a set.

        Raises:
            ValueError: there is no address, or not exactly one mark.
        """
        text = file.read_text()
        address, marks = _ADDRESS.search(text), [*_MARK.finditer(text)]
        if address is None or len(marks) != 1:
            raise ValueError(f"{file}: needs an address, and one mark")
        return cls(file, address[0], marks[0][1].rpartition(".")[2], text.count("\n", 0, marks[0].start()) + 1)

    def is_found(self, report: dict[str, Any]) -> bool:
        """Whether the report of ``reported`` has what the mark says."""
        if self.kind == "branch":
            return any(branch["line"] == self.line and branch["verdict"] == "covered" and branch["outcome"] == "true"
                       for branch in report["branches"])  # fmt: skip
        return any(self._is_it(finding) for finding in report["findings"])

    def _is_it(self, finding: dict[str, Any]) -> bool:
        if self.kind == "hang":
            return bool(finding["kind"] == "hang")
        if finding["line"] != self.line:
            return False
        if self.kind in _FAULTS:
            return finding["kind"] in (self.kind, "undefined", "crash")
        return finding["kind"] == "exception" and f": {self.kind}" in finding["message"]


@dataclass(frozen=True)
class Measured:
    """What was found.

    Attributes:
        found: whether the marked fault was found in ``reported``.
        others: findings in ``reported`` with another line or kind.
        false: findings in ``mended``, as text.
        seconds: of ``reported``, all told.
        error: why a function could not be covered; empty if both could be.
    """

    found: bool
    others: int
    false: tuple[str, ...]
    seconds: float
    error: str = ""


def _cover(case: Case, function: str, budget: float) -> dict[str, Any]:
    """Cover a function by the command, and return its part of the report.

    Raises:
        ValueError: it can not be covered.
    """
    command = [sys.executable, "-m", "zeroin", "cover", f"{case.file}:{function}", "--budget", f"{budget:g}",
               "--emit", "none", "--json", "-"]  # fmt: skip
    done = subprocess.run(command, cwd=_TOP, capture_output=True, text=True, timeout=20 * budget + 120)
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.strip().rpartition("\n")[2])
    (target,) = json.loads(done.stdout)["targets"]
    return dict(target)


def measured(case: Case, budget: float) -> Measured:
    """Cover both functions of a case."""
    began = time.perf_counter()
    try:
        reported = _cover(case, "reported", budget)
        seconds = time.perf_counter() - began
        mended = _cover(case, "mended", budget)
    except ValueError as error:
        return Measured(False, 0, (), time.perf_counter() - began, str(error))
    is_found = case.is_found(reported)
    others = len(reported["findings"]) - (is_found and case.kind != "branch")
    false = tuple(f"{one['kind']}, line {one['line']}: {one['message']}" for one in mended["findings"])
    return Measured(is_found, others, false, seconds)


def page(rows: Sequence[tuple[Case, Measured]], chosen: str, budget: float) -> str:
    """The results as Markdown."""
    found = sum(done.found for _, done in rows)
    false = sum(bool(done.false) for _, done in rows)
    kinds = Counter(case.kind for case, _ in rows)
    taken = sorted(done.seconds for _, done in rows)
    lines = ["# Public reports of numerical faults", "",
             f"`python -m bench.reports.run --set {chosen} --budget {budget:g} --write`: {machine(('numba',))}", "",
             f"{len(rows)} reports, rebuilt in our own words, each with the default settings and a budget of "
             f"{budget:g} s. **Found: {found}** ({100 * found / len(rows):.0f} %). Repaired functions with a finding: "
             f"**{false}**. Seconds of a command: {taken[len(taken) // 2]:.1f} in the median, {taken[-1]:.1f} at most.",
             "", f"By what goes wrong: {', '.join(f'{kind} {n}' for kind, n in kinds.most_common())}.", "",
             "| report | what goes wrong | found | other findings | findings in the repaired function | seconds |",
             "| --- | --- | --- | ---: | --- | ---: |"]  # fmt: skip
    for case, done in rows:
        name = f"[{case.file.stem}]({case.address})"
        shown = "; ".join(done.false).replace("|", "\\|") or "none"
        lines.append(f"| {name} | {case.kind} | {done.error or ('yes' if done.found else '**no**')} | {done.others} | "
                     f"{shown} | {done.seconds:.1f} |")  # fmt: skip
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point. The status is 1 if fewer than 95 % are found, or anything is found in a repaired function."""
    parser = argparse.ArgumentParser(prog="python -m bench.reports.run", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--set", choices=sorted(_RESULTS), default="cases", help="which reports")
    parser.add_argument("--budget", type=float, default=10.0, metavar="S", help="seconds for each function")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="cases at the same time")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their path")
    parser.add_argument("--write", action="store_true", help="write the results' page")
    parsed = parser.parse_args(arguments)
    files = sorted(file for file in (_HERE / parsed.set).rglob("*") if file.suffix in (".py", ".c", ".cpp"))
    cases = [Case.read(file) for file in files if parsed.only in str(file)]
    rows = list[tuple[Case, Measured]]()
    with ThreadPoolExecutor(parsed.jobs) as pool:
        results = pool.map(lambda case: measured(case, parsed.budget), cases)
        for case, done in zip(cases, results, strict=True):
            rows.append((case, done))
            said = done.error or ("found" if done.found else "NOT FOUND")
            print(f"{case.file.stem:40} {case.kind:20} {said:10} {done.others:3} others {done.seconds:6.1f} s  "
                  f"{'; '.join(done.false)}", flush=True)  # fmt: skip
    text = page(rows, parsed.set, parsed.budget)
    print(text.split("\n")[4])
    if parsed.write and not parsed.only:
        _RESULTS[parsed.set].write_text(text)
    found, false = sum(done.found for _, done in rows), sum(bool(done.false) for _, done in rows)
    return int(found < 0.95 * len(rows) or false > 0)


if __name__ == "__main__":
    sys.exit(main())
