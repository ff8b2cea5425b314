"""Plots as SVG: what is drawn where. The template ``plot.html`` turns it into elements.

Colours are classes, which the style sheet defines for light and dark pages.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from ...escaping import plain
from ...subject.base import Branch, Termination
from ...suite.samples import Axis, Samples, Scale, number_of
from ...suite.suite import Suite
from ...words import decode

WIDTH, HEIGHT = 640, 300
LEFT, RIGHT, TOP, BOTTOM = 64, 12, 10, 42  # margins
_COLOURS = 8  # classes of the style sheet for sets of branches
_SHADES = 8  # classes of the style sheet for objectives
_MOST_TOLD = 3  # branches that the legend names for a set
_FAR, _NEGLIGIBLE = 0.05, 1e-6  # share of results that may be far away; size of a result that is drawn as 0
_LEAST = 1.5  # width of the narrowest band


@dataclass(frozen=True)
class Rectangle:
    """A band or a cell, with the style sheet's class."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class Mark:
    """An input of the suite: a point with the text that a pointer shows.

    Attributes:
        x, y: the place.
        text: the call and its result.
        beyond: -1 or 1 if the input is left or right of the plot, and the point stands at its edge; else 0.
        ends: whether the run ends abnormally.
    """

    x: float
    y: float
    text: str
    beyond: int = 0
    ends: bool = False


@dataclass(frozen=True)
class Plot:
    """A plot.

    Attributes:
        title: what it shows.
        x_name, y_name: the names of the axes.
        x_ticks, y_ticks: places and texts of the ticks.
        rectangles: what is drawn first.
        path: a line in the notation of SVG; empty: none.
        marks: the inputs.
        legend: classes and what they mean.
        note: what a reader has to know of it; may be empty.
    """

    title: str
    x_name: str
    y_name: str
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    rectangles: list[Rectangle] = field(default_factory=list)
    path: str = ""
    marks: list[Mark] = field(default_factory=list)
    legend: list[tuple[str, str]] = field(default_factory=list)
    note: str = ""


def plots_of(suite: Suite) -> list[Plot]:
    """Return the plots of a suite: of the function, of the objectives of missed branches, of the search's progress."""
    samples = suite.samples
    plots = list[Plot]()
    if samples is not None and samples.axes:
        plots.append(_of_function(suite, samples))
        of_outcome = {branch.outcome: branch for branch in suite.branches}
        plots += [_of_objective(suite, samples, of_outcome[outcome], values)
                  for outcome, values in samples.objectives.items() if outcome in of_outcome]  # fmt: skip
    if len(suite.events) > 1 and suite.branches:
        plots.append(_of_progress(suite))
    return plots


# ---- the function ----


def _of_function(suite: Suite, samples: Samples) -> Plot:
    wanted = frozenset(branch.outcome for branch in suite.branches)
    sets = [None if covered is None else covered & wanted for covered in samples.covered]
    kinds = _kinds(sets)
    several = list(kinds.values()).count(f"set{_COLOURS - 1}") > 1
    told = {kind: _told(suite, one, list(kinds)) for one, kind in kinds.items()}
    legend = list((told | {f"set{_COLOURS - 1}": "other branches"} if several else told).items())
    if len(samples.axes) == 2:
        rectangles = _cells(samples.axes, [kinds[one] for one in sets])
        marks = _marks(suite, samples.axes, None)
        return Plot("Branches over both inputs", samples.axes[0].name, samples.axes[1].name, _x_ticks(samples.axes[0]),
                    _y_ticks(samples.axes[1].scale), rectangles, "", marks, legend, _note(samples.axes))  # fmt: skip
    (axis,) = samples.axes
    drawn = [number_of(suite.signature.exact_result(kept.replay)) for kept in suite.inputs]
    known = [value for value in (*samples.results, *drawn) if math.isfinite(value)]
    scale = _result_scale(known) if known else None
    return Plot("The function, and the branches that it takes", axis.name, "result" if known else "",
                _x_ticks(axis), _y_ticks(scale) if scale else [], _bands(axis, [kinds[one] for one in sets]),
                _curve(axis, samples.results, scale, sets) if scale else "", _marks(suite, samples.axes, scale), legend,
                _note(samples.axes))  # fmt: skip


def _result_scale(values: Sequence[float]) -> Scale:
    """Return a scale for results. A few that are far from all others, as near a pole, do not count."""
    ordered = sorted(values)
    cut = int(_FAR * len(ordered))
    inner = ordered[cut : len(ordered) - cut]
    if ordered[-1] - ordered[0] > 10 * (inner[-1] - inner[0]) > 0:
        ordered = inner
    least = _NEGLIGIBLE * max(map(abs, ordered))
    return Scale.of(value if abs(value) > least else 0.0 for value in ordered)


def _kinds(sets: Sequence[frozenset[int] | None]) -> dict[frozenset[int] | None, str]:
    """Return the class of each set of branches, in the order in which they occur. Rare ones share the last class."""
    often: dict[frozenset[int] | None, int] = {}
    for one in sets:
        often[one] = often.get(one, 0) + 1
    own = {one for one, _ in sorted(often.items(), key=lambda pair: -pair[1])[: _COLOURS - 1]}
    kinds, number = dict[frozenset[int] | None, str](), 0
    for one in often:
        if one is None:
            kinds[one] = "ends"
        elif one in own:
            kinds[one], number = f"set{number}", number + 1
        else:
            kinds[one] = f"set{_COLOURS - 1}"
    return kinds


def _told(suite: Suite, one: frozenset[int] | None, every: Sequence[frozenset[int] | None]) -> str:
    """Return branches that tell a set from the others, as ``x > 0 true, n == 3 false``."""
    if one is None:
        return "does not return"
    others = [other for other in every if other is not None and other != one]
    if not others:
        return "the same branches everywhere"
    own = [branch for branch in suite.branches if branch.outcome in one]
    own.sort(key=lambda branch: sum(branch.outcome in other for other in others))  # rare ones first; stable
    told = list[Branch]()
    for branch in own:
        left = [other for other in others if branch.outcome not in other]
        if len(left) and len(told) < _MOST_TOLD:
            told.append(branch)
            others = [other for other in others if branch.outcome in other]
        if not others:
            break
    told.sort(key=lambda branch: branch.outcome)
    text = ", ".join(f"{branch.site.condition} {branch.shown}" for branch in told)
    return plain(text) or "none of the other branches"


def _bands(axis: Axis, kinds: Sequence[str]) -> list[Rectangle]:
    """Return a band for each stretch of the axis where the runs take the same branches."""
    found = []
    for (start, end), kind in _stretches(axis, kinds):
        x = LEFT + start * _inner()
        width = max((end - start) * _inner(), _LEAST)
        found.append(Rectangle(_round(x), TOP, _round(width), HEIGHT - TOP - BOTTOM, kind))
    return sorted(found, key=lambda one: -one.width)  # narrow ones on top


def _stretches(axis: Axis, kinds: Sequence[str]) -> Iterator[tuple[tuple[float, float], str]]:
    """Yield the stretches of equal class along an axis: from where to where, in positions from 0 to 1."""
    edges = _edges(axis)
    number = 0
    for kind, several in groupby(kinds):
        count = sum(1 for _ in several)
        start, end = edges[number], edges[number + count]
        if end >= 0 and start <= 1:
            yield (max(start, 0.0), min(end, 1.0)), kind
        number += count


def _edges(axis: Axis) -> list[float]:
    """Return where the cells of an axis begin and end: half-way between its values."""
    places = [axis.scale.at(value) for value in axis.values]
    middle = [(one + other) / 2 for one, other in pairwise(places)]
    return [min(0.0, places[0]), *middle, max(1.0, places[-1])]


def _cells(axes: Sequence[Axis], kinds: Sequence[str]) -> list[Rectangle]:
    """Return the cells of a map. Equal neighbours in a row are one, and so are equal rows."""
    across, down = axes
    found, width = [], len(across.values)
    edges = [min(1.0, max(0.0, edge)) for edge in _edges(down)]
    rows = [tuple(kinds[start : start + width]) for start in range(0, len(kinds), width)]
    number = 0
    for row, several in groupby(rows):
        count = sum(1 for _ in several)
        low, high = edges[number], edges[number + count]
        number += count
        for (start, end), kind in _stretches(across, row):
            found.append(Rectangle(_round(LEFT + start * _inner()), _round(TOP + (1 - high) * _height()),
                                   _round(max((end - start) * _inner(), _LEAST)),
                                   _round(max((high - low) * _height(), _LEAST)), kind))  # fmt: skip
    return sorted(found, key=lambda one: -one.width * one.height)  # small ones on top


def _curve(axis: Axis, values: Sequence[float], scale: Scale, kinds: Sequence[object]) -> str:
    """Return a line through the values. It is interrupted where the class changes, and at values that are not finite.

    A value between two interruptions is a dot.
    """
    path, pen_down, last = list[str](), False, object()
    for value, result, kind in zip(axis.values, values, kinds, strict=True):
        x, y = axis.scale.at(value), scale.at(result)
        if not (0 <= y <= 1 and 0 <= x <= 1):
            pen_down = False
            continue
        pen_down = pen_down and kind == last
        last = kind
        where = f"{_round(LEFT + x * _inner())} {_round(TOP + (1 - y) * _height())}"
        path.append(f"L{where}" if pen_down else f"M{where}h0")
        pen_down = True
    return "".join(path)


def _marks(suite: Suite, axes: Sequence[Axis], scale: Scale | None) -> list[Mark]:
    """Return the inputs of a suite; for a map without ``scale``, the second axis tells their height."""
    marks, kinds = list[Mark](), suite.signature.kinds
    for number, kept in enumerate(suite.inputs):
        values = [float(decode(kind, word)) for kind, word in zip(kinds, kept.words, strict=True)]
        places = [axis.scale.at(value) for axis, value in zip(axes, values, strict=True)]
        if any(map(math.isnan, places)):
            continue
        result = number_of(suite.signature.exact_result(kept.replay))
        height = places[1] if len(axes) == 2 else scale.at(result) if scale and math.isfinite(result) else 0.0
        shown = f"#{number} {suite.signature.show(kept.words)} {suite.signature.show_result(kept.replay)}".strip()
        beyond = -1 if places[0] < 0 else 1 if places[0] > 1 else 0
        marks.append(Mark(_round(LEFT + min(1.0, max(0.0, places[0])) * _inner()),
                          _round(TOP + (1 - min(1.0, max(0.0, height))) * _height()),
                          plain(shown), beyond, kept.outcome is not Termination.RETURNED))  # fmt: skip
    return marks


def _note(axes: Sequence[Axis]) -> str:
    logarithmic = [axis.name for axis in axes if axis.scale.unit]
    return f"The scale of {' and '.join(logarithmic)} is logarithmic on both sides of 0." if logarithmic else ""


# ---- objectives, and the progress ----


def _of_objective(suite: Suite, samples: Samples, branch: Branch, values: Sequence[float]) -> Plot:
    title = plain(f"How far runs are from line {branch.site.line}: {branch.site.condition} {branch.shown}")
    note = "0 would take the branch. Each condition on the way there adds up to 1. Empty: no condition is reached."
    known = [value for value in values if not math.isnan(value)]
    highest = max([*known, 1e-9])
    if len(samples.axes) == 2:
        shades = ["none" if math.isnan(value) else f"objective{min(_SHADES - 1, int(_SHADES * value / highest))}"
                  for value in values]  # fmt: skip
        legend = [(f"objective{shade}", f"{highest * shade / _SHADES:.2g} to {highest * (shade + 1) / _SHADES:.2g}")
                  for shade in range(_SHADES) if f"objective{shade}" in shades]  # fmt: skip
        return Plot(title, samples.axes[0].name, samples.axes[1].name, _x_ticks(samples.axes[0]),
                    _y_ticks(samples.axes[1].scale), _cells(samples.axes, shades), "",
                    _marks(suite, samples.axes, None), legend, note)  # fmt: skip
    (axis,) = samples.axes
    scale = Scale(0.0, 1.1 * highest)
    return Plot(title, axis.name, "objective", _x_ticks(axis), _y_ticks(scale), [],
                _curve(axis, values, scale, [0] * len(values)), [], [], note)  # fmt: skip


def _of_progress(suite: Suite) -> Plot:
    """Return the number of branches covered over the time of the search."""
    end = max(suite.seconds, suite.events[-1][0], 1e-9)
    across, up = Scale(0.0, end), Scale(0.0, max(1.0, 1.05 * len(suite.branches)))
    path = [f"M{LEFT} {_round(TOP + _height())}"]
    for seconds, count in suite.events:
        path.append(f"H{_round(LEFT + across.at(seconds) * _inner())}")
        path.append(f"V{_round(TOP + (1 - up.at(count)) * _height())}")
    path.append(f"H{_round(LEFT + across.at(end) * _inner())}")
    return Plot("Progress of the search", "seconds", "branches covered",
                _x_ticks(Axis("seconds", (), across)), [tick for tick in _y_ticks(up) if "." not in tick[1]],
                path="".join(path))  # fmt: skip


# ---- axes ----


def _x_ticks(axis: Axis) -> list[tuple[float, str]]:
    return [(_round(LEFT + axis.scale.at(tick) * _inner()), f"{tick:g}") for tick in axis.scale.ticks()]


def _y_ticks(scale: Scale) -> list[tuple[float, str]]:
    return [(_round(TOP + (1 - scale.at(tick)) * _height()), f"{tick:g}") for tick in scale.ticks(5)]


def _inner() -> int:
    return WIDTH - LEFT - RIGHT


def _height() -> int:
    return HEIGHT - TOP - BOTTOM


def _round(value: float) -> float:
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded  # shorter as text
