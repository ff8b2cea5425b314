"""Tables 3 and 4 of the paper, beside the same figures measured here; Table 2 explains gcov's four metrics."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence

from .campaign import Way
from .functions import Function, Metric, line, mean_percent, rule
from .subjects import Paper, Rates

# The paper's name of a metric, what gcov calls it (Table 2), its count here and its percentages in Table 3.
_METRICS: tuple[tuple[str, str, Metric, Callable[[Paper], Rates | None]], ...] = (
    ("line", "lines executed", lambda g: g.lines, lambda p: p.line),
    ("condition", "branches executed: of conditions that were evaluated", lambda g: g.conditions,
     lambda p: p.condition),
    ("branch", "branches taken at least once", lambda g: g.branches, lambda p: p.branch),
    ("call", "calls executed", lambda g: g.calls, lambda p: p.call),
)  # fmt: skip


def table_3(functions: Sequence[Function], ways: Sequence[Way]) -> Iterator[str]:
    """All four metrics of all functions: the paper's columns, then those measured here."""
    here = [way.name for way in ways]
    yield "## The paper's Table 3: four metrics\n"
    yield (
        f"By gcov (Table 2), in %: {'; '.join(f'*{name}*: {text}' for name, text, *_ in _METRICS)}. "
        "**Rand** and **CoverMe**: the paper's. "
        f"**here**: {', '.join([*here, 'zeroin'])}, medians of the seeds. *n/a*: nothing to count.\n"
    )
    shown = "".join(f" {name}: Rand, CoverMe | here: {', '.join([*here, 'zeroin'])} |" for name, *_ in _METRICS)
    yield f"| function |{shown}"
    yield rule(1 + 2 * len(_METRICS))
    for function in functions:
        cells = [f"`{function.entry.function}`"]
        for _, _, metric, published in _METRICS:
            cells += [_published(published(function.entry.paper)),
                      ", ".join(_shown(function.percent(metric, way)) for way in [*here, ""])]  # fmt: skip
        yield line(cells)
    cells = ["mean"]
    for _, _, metric, published in _METRICS:
        rates = [rate for f in functions if (rate := published(f.entry.paper)) is not None]
        cells += [_published(Rates(statistics.mean(r.random for r in rates), statistics.mean(r.coverme for r in rates))
                             if rates else None),
                  ", ".join(_shown(mean_percent(functions, metric, way)) for way in [*here, ""])]  # fmt: skip
    yield line([f"**{cell}**" for cell in cells]) + "\n"


def table_4(functions: Sequence[Function], ways: Sequence[Way]) -> Iterator[str]:
    """Time and branch coverage: Austin and CoverMe as published, and what was measured here."""
    here = [(way.name, way.name) for way in ways if way.name != "random"] + [("zeroin", "")]
    yield "## The paper's Table 4: Austin\n"
    yield (
        "**Austin**, **CoverMe**: seconds and branch coverage as published; Austin counts its own branches. "
        "The others were measured here, by gcov. Other machines: compare coverage, not seconds.\n"
    )
    heads = ["function", "Austin s", "%", "CoverMe s", "%"]
    for name, _ in here:
        heads += [f"{name} s", "%"]
    yield line(heads)
    yield rule(len(heads))
    for function in functions:
        paper, austin = function.entry.paper, function.entry.paper.austin
        cells = [f"`{function.entry.function}`", austin.failure or f"{austin.seconds}", _shown(austin.branch),
                 f"{paper.seconds}", f"{paper.branch.coverme}"]  # fmt: skip
        for _, way in here:
            cells += [_seconds([function], way), _shown(function.percent(lambda g: g.branches, way))]
        yield line(cells)
    means = ["mean", _mean([f.entry.paper.austin.seconds for f in functions]),
             _mean([f.entry.paper.austin.branch for f in functions]),
             f"{statistics.mean(f.entry.paper.seconds for f in functions):.1f}",
             f"{statistics.mean(f.entry.paper.branch.coverme for f in functions):.1f}"]  # fmt: skip
    for _, way in here:
        means += [_seconds(functions, way), _shown(mean_percent(functions, lambda g: g.branches, way))]
    yield line([f"**{cell}**" for cell in means]) + "\n"


def _published(rates: Rates | None) -> str:
    return "n/a" if rates is None else f"{rates.random:.1f}, {rates.coverme:.1f}"


def _mean(numbers: Sequence[float | None], digits: int = 1) -> str:
    """Of those that there are."""
    known = [number for number in numbers if number is not None]
    return f"{statistics.mean(known):.{digits}f}" if known else "n/a"


def _shown(percent: float | None) -> str:
    return "n/a" if percent is None else f"{percent:.1f}"


def _seconds(functions: Sequence[Function], way: str) -> str:
    """The mean of the functions' median seconds of search."""
    return _mean([f.seconds(way) if not way or f.ways.get(way) else None for f in functions], 2)
