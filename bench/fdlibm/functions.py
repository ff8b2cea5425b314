"""One function of the benchmark over all seeds and ways to search, in medians."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from zeroin.languages.c.measure.gcov import GcovReport

from .campaign import Round, Row, Way
from .feasible import feasible
from .subjects import ENTRIES, Entry

Share = tuple[int, int]  # taken, of so many
Metric = Callable[[GcovReport], Share]


@dataclass(frozen=True)
class Function:
    """One function over all seeds: medians.

    Attributes:
        entry: what the benchmark and the paper say of it.
        rows: with each seed.
        ways: the same for other ways to search, by their names.
    """

    entry: Entry
    rows: Sequence[Row]
    ways: Mapping[str, Sequence[Row]] = field(default_factory=dict)

    @property
    def branches(self) -> int:
        """How many gcov counts."""
        return self.rows[0].gcov.branches[1]

    @property
    def feasible(self) -> int:
        """Those that some input takes, as far as known."""
        return feasible(self.entry.function, self.branches)

    @property
    def taken(self) -> list[int]:
        """Branches taken, with each seed."""
        return [row.gcov.branches[0] for row in self.rows]

    def median(self, what: Callable[[Row], float]) -> float:
        """Of all seeds."""
        return statistics.median(what(row) for row in self.rows)

    def seconds(self, way: str = "") -> float:
        """The median seconds of search by a way, or by zeroin."""
        return statistics.median(row.seconds for row in (self.ways[way] if way else self.rows))

    def percent(self, metric: Metric, way: str = "") -> float | None:
        """The median percentage by a way, or by zeroin; None where there is nothing to count or the way failed."""
        rows, total = self.ways.get(way, ()) if way else self.rows, metric(self.rows[0].gcov)[1]
        return 100 * statistics.median(metric(row.gcov)[0] for row in rows) / total if rows and total else None


def functions_of(rounds: Sequence[Round], ways: Sequence[Way]) -> list[Function]:
    """What was measured of each function, in the paper's order."""

    def of(some: Sequence[Round], name: str) -> list[Row]:
        return [row for one in some for row in one.rows if row.function == name]

    every = [Function(e, of(rounds, e.function), {way.name: of(way.rounds, e.function) for way in ways})
             for e in ENTRIES]  # fmt: skip
    return [function for function in every if function.rows]


def mean_percent(functions: Sequence[Function], metric: Metric, way: str = "") -> float:
    """The mean of the functions' percentages, as the paper has it; those without anything to count are left out."""
    every = [percent for f in functions if (percent := f.percent(metric, way)) is not None]
    return statistics.mean(every or [100.0])


def line(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def rule(columns: int) -> str:
    """The line below the heads: numbers stand on the right."""
    return line(["---", *["---:"] * (columns - 1)])
