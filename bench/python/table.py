"""The results as Markdown."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from .campaign import Row
from .subjects import Entry

OURS = "zeroin"
_ALONE = "explore"  # ours, too


@dataclass(frozen=True)
class Results:
    """Everything that was kept.

    Attributes:
        stale: results left out because their function has changed since.
        titles: of the tools, in the table's order.
        machine: the one that renders; the runs are expected to be of the same.
    """

    entries: Sequence[Entry]
    rows: Sequence[Row]
    stale: int
    titles: Mapping[str, str]
    machine: str

    @property
    def tools(self) -> list[str]:
        return [tool for tool in self.titles if any(row.tool == tool for row in self.rows)]

    def of(self, tool: str, name: str | None = None) -> list[Row]:
        return [row for row in self.rows if row.tool == tool and name in (None, row.name)]


@dataclass(frozen=True)
class Total:
    """One tool over all functions, for each seed that all functions were run with.

    ``alone`` is what each mode takes without the others.
    """

    rows: Sequence[Row]
    seeds: Sequence[int]
    covered: Sequence[int]
    complete: Sequence[int]
    functions: int
    alone: Mapping[str, int]


def total(results: Results, tool: str) -> Total:
    """Functions that were not run are not counted."""
    rows = results.of(tool)
    reachable = {entry.name: entry.reachable for entry in results.entries}
    names = {row.name for row in rows}
    seeds = [seed for seed in sorted({r.seed for r in rows}) if names == {r.name for r in rows if r.seed == seed}]
    of_seed = [[row for row in rows if row.seed == seed] for seed in seeds]
    alone: dict[str, int] = {}
    for row in (row for row in rows if row.seed == seeds[0]):
        for mode in row.modes:
            alone[mode.mode] = alone.get(mode.mode, 0) + len(mode.covered)
    return Total(
        rows, seeds, [sum(len(row.covered) for row in some) for some in of_seed],
        [sum(len(row.covered) == reachable[row.name] for row in some) for some in of_seed], len(names), alone,
    )  # fmt: skip


def render(results: Results) -> str:
    """The whole page."""
    parts = [
        "# Python functions: what zeroin and other tools cover\n",
        "Written by `python -m bench.python.run --render --write` of results kept by `python -m bench.python.run "
        "--tools ...`.\n",
        f"- {results.machine}",
        *(f"- {line}" for line in _versions(results)),
        "\n## Summary\n",
        "\n".join(summary(results)) + "\n",
        "## Functions\n",
        "Reachable branches that each tool took, in the worst seed and by all its modes together; **bold** where that "
        "is all of them, `-` where it took none (it failed, or was killed before it wrote anything).\n",
        "\n".join(_table(results)) + "\n",
    ]
    missed = list(_missed(results))
    if missed:
        parts += ["## Branches that no tool took\n", "\n".join(missed) + "\n"]
    notes = list(_notes(results))
    if notes:
        parts += ["## What went wrong\n", "\n".join(notes) + "\n"]
    return "\n".join(parts)


def _versions(results: Results) -> Iterator[str]:
    for tool in results.tools:
        rows = results.of(tool)
        versions = ", ".join(sorted({row.version for row in rows}))
        budgets = " and ".join(f"{budget:g} s" for budget in sorted({row.budget for row in rows}))
        shared = ", shared by its modes" if any(len(row.modes) > 1 for row in rows) else ""
        yield f"{results.titles[tool]} ({versions}), {budgets} a function{shared}"


# ---- summary ----


def summary(results: Results) -> list[str]:
    """The figures that count."""
    branches, reachable = (sum(getattr(e, what) for e in results.entries) for what in ("branches", "reachable"))
    lines = [
        f"{len(results.entries)} functions, {branches} branches as coverage.py counts them, "
        f"**{reachable} of them reachable**: each with a witness; the other {branches - reachable} are argued to be "
        "infeasible in `subjects.py`.\n",
        "| tool | functions run | seeds | reachable branches taken: worst seed | median seed "
        "| complete functions: worst | median | seconds a function: median | max |",
        "| --- " * 9 + "|",
    ]
    totals = {tool: total(results, tool) for tool in results.tools}
    for tool, t in totals.items():
        seconds = [row.seconds for row in t.rows]
        lines.append(
            f"| {tool} | {t.functions} | {len(t.seeds)} | {min(t.covered)} | {statistics.median(t.covered):g} "
            f"| {min(t.complete)} | {statistics.median(t.complete):g} | {statistics.median(seconds):.1f} "
            f"| {max(seconds):.1f} |"
        )
    others = [tool for tool in results.tools if tool not in (OURS, _ALONE)]
    if others:
        union = {entry.name: _union(results, others, entry) for entry in results.entries}
        complete = sum(len(union[entry.name]) == entry.reachable for entry in results.entries)
        lines.append(
            f"| union of {', '.join(others)}, all seeds | | | {sum(map(len, union.values()))} | | {complete} | | | |"
        )
    lines.append("")
    for tool, t in totals.items():
        if len(t.alone) > 1:
            each = ", ".join(f"{mode} {count}" for mode, count in t.alone.items())
            lines.append(
                f"{tool} by mode, with the first seed: {each}; the second mode is not run where the first took every "
                "reachable branch, and the figures above unite them."
            )
        failing = sum(mode.failed for row in t.rows for mode in row.modes)
        if tool == OURS:
            lines.append(f"{tool}'s tests that fail when they are run: {failing}.")
            lines += _search(results)
    if results.stale:
        lines.append(f"{results.stale} results are of functions that have changed since, and left out.")
    return lines


def _search(results: Results) -> Iterator[str]:
    """How long our search took by itself; starting Python and compiling the subject come on top of that."""
    feasible = [entry for entry in results.entries if not entry.infeasible]
    for what, chosen in (("all functions", results.entries), ("those without an infeasible branch", feasible)):
        names = {entry.name for entry in chosen}
        rows = [row for row in results.of(OURS) if row.name in names]
        search = [mode.search for row in rows for mode in row.modes if mode.search is not None]
        if search:
            yield (
                f"{OURS}, {what} ({len(names)}): {statistics.median(search):.2f} s of search a function in the median, "
                f"{statistics.median(row.seconds for row in rows):.1f} s with all else."
            )


def _union(results: Results, tools: Sequence[str], entry: Entry) -> frozenset[tuple[int, int]]:
    rows = [row for tool in tools for row in results.of(tool, entry.name)]
    return frozenset().union(*(row.covered for row in rows))


# ---- the table of functions ----


def _table(results: Results) -> Iterator[str]:
    yield f"| function | branches | reachable | {' | '.join(results.tools)} |"
    yield "| --- " * (3 + len(results.tools)) + "|"
    for entry in results.entries:
        cells = [_cell(entry, results.of(tool, entry.name)) for tool in results.tools]
        yield f"| {entry.name} | {entry.branches} | {entry.reachable} | {' | '.join(cells)} |"


def _cell(entry: Entry, rows: Sequence[Row]) -> str:
    if not rows:
        return ""
    worst = min(len(row.covered) for row in rows)
    if worst == entry.reachable:
        return f"**{worst}**"
    return str(worst) if worst else "-"


def _missed(results: Results) -> Iterator[str]:
    for entry in results.entries:
        rows = [row for row in results.rows if row.name == entry.name]
        union = _union(results, results.tools, entry)
        if rows and len(union) < entry.reachable:
            yield f"- {entry.name}: {entry.reachable - len(union)} of {entry.reachable}"


def _notes(results: Results) -> Iterator[str]:
    for tool in results.tools:
        for row in results.of(tool):
            for mode in row.modes:
                note = mode.note if tool != OURS or not mode.covered else ""
                lost = f"{mode.lost} inputs hung, crashed or were not run" if mode.lost else ""
                if note or lost:
                    yield f"- {tool} {mode.mode}, {row.name}, seed {row.seed}: {'; '.join(filter(None, (note, lost)))}"
