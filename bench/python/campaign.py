"""Runs tools on functions and keeps what came out, a JSON file for each function, tool and seed."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .measure import Arc, Measured, measure
from .subjects import ENTRIES, Entry
from .tools import TOOLS, Tool, Work
from .tools.base import WORK

RESULTS = WORK / "results"


@dataclass(frozen=True)
class Mode:
    """What one mode of a tool reached.

    Attributes:
        covered: branches taken, the infeasible ones left out: an argument of a wrong type may take them.
        inputs: calls or tests that were run.
        failed: tests that fail, or calls that raise.
        lost: inputs that hung, crashed, or were not run because all together took too long.
        seconds: wall time of the tool.
        search: what of it the tool says to be search, if it does.
    """

    mode: str
    covered: frozenset[Arc]
    inputs: int
    failed: int
    lost: int
    seconds: float
    note: str
    search: float | None = None


@dataclass(frozen=True)
class Row:
    """One tool on one function with one seed."""

    tool: str
    version: str
    name: str
    seed: int
    budget: float
    source: str
    modes: tuple[Mode, ...]

    @property
    def covered(self) -> frozenset[Arc]:
        """By all modes together."""
        return frozenset().union(*(mode.covered for mode in self.modes))

    @property
    def seconds(self) -> float:
        return sum(mode.seconds for mode in self.modes)


def run(
    tool_name: str, entries: Sequence[Entry], seeds: int, budget: float, jobs: int, keep: bool = True
) -> Iterator[Row]:
    """All functions with all seeds (with one, when another would change nothing); each is kept as it comes, on request.

    A tool's modes share the budget: every tool has the same time for a function.
    """
    tool = TOOLS[tool_name]
    orders = [(entry, seed) for seed in range(1 if tool.DETERMINISTIC else seeds) for entry in entries]
    with ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(lambda order: _row(tool_name, tool, order[0], order[1], budget), orders):
            if keep:
                _keep(row)
            yield row


def _row(tool_name: str, tool: Tool, entry: Entry, seed: int, budget: float) -> Row:
    branches = measure(entry.source, entry.function).branches
    reachable = branches - entry.infeasible.keys()
    modes: list[Mode] = []
    for mode in tool.MODES:
        folder = WORK / "runs" / tool_name / f"{entry.name}-{seed}-{mode}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        found = tool.run(Work(entry, branches, budget / len(tool.MODES), seed, folder, mode))
        note = found.note
        try:
            measured = measure(entry.source, entry.function, found.inputs, found.tests)
        except RuntimeError as error:
            measured, note = Measured(frozenset(), branches), f"{note} {error}".strip()
        lost = measured.hung + measured.crashed + measured.skipped
        ran = measured.passed + measured.failed + lost
        covered = measured.covered & reachable
        modes.append(Mode(mode, covered, ran, measured.failed, lost, found.seconds, note, found.search))
        if modes[-1].covered == reachable:
            break
    return Row(tool_name, tool.version(), entry.name, seed, budget, _digest(entry), tuple(modes))


def _digest(entry: Entry) -> str:
    """Of the module: results of another text are of other branches."""
    return hashlib.sha256(entry.source.read_bytes()).hexdigest()[:16]


def _keep(row: Row) -> None:
    data = asdict(row)
    for mode in data["modes"]:
        mode["covered"] = sorted(mode["covered"])
    path = RESULTS / row.tool / f"{row.name}.{row.seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data))


def load() -> tuple[list[Row], int]:
    """All that was kept, and how many more there are of functions that have changed since."""
    entries = {entry.name: entry for entry in ENTRIES}
    rows = [_read(path) for path in sorted(RESULTS.glob("*/*.json"))]
    fresh = [row for row in rows if row.name in entries and row.source == _digest(entries[row.name])]
    return fresh, len(rows) - len(fresh)


def _read(path: Path) -> Row:
    data: dict[str, Any] = json.loads(path.read_text())
    modes = tuple(
        Mode(**{**mode, "covered": frozenset((line, to) for line, to in mode["covered"])}) for mode in data["modes"]
    )
    return Row(**{**data, "modes": modes})
