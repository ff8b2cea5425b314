"""Plots: what is drawn where."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from suites import MakeSuite
from zeroin.report.html.plots import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Plot, plots_of
from zeroin.suite.samples import Axis, Samples, Scale
from zeroin.suite.suite import Suite
from zeroin.words import Kind, encode

STEP = "double f(double x)\n{\n    if (x > 2.0)\n        return 1.0;\n    return 0.0;\n}\n"
TWO = "double f(double x, double y)\n{\n    if (x > y)\n        return 1.0;\n    return 0.0;\n}\n"
LINE = Axis("x", (0.0, 1.0, 2.0, 3.0, 4.0), Scale(0.0, 4.0))
ABOVE, BELOW = frozenset({0}), frozenset({1})


def drawn(suite: Suite, samples: Samples) -> list[Plot]:
    return plots_of(replace(suite, samples=samples))


@pytest.fixture
def step(make_suite: MakeSuite) -> Suite:
    return make_suite("f.c", STEP, "f", [(1.0,), (3.0,)])


def bands(plot: Plot) -> list[tuple[str, float, float]]:
    """The bands from left to right: class, start and end in units of the axis, which ends at 4."""
    inner = WIDTH - LEFT - RIGHT
    found = [(one.kind, (one.x - LEFT) / inner * 4, one.width / inner * 4) for one in plot.rectangles]
    return [(kind, round(x, 1), round(x + width, 1)) for kind, x, width in sorted(found, key=lambda one: one[1])]


def of_line(covered: Sequence[frozenset[int] | None], results: Sequence[float]) -> Samples:
    return Samples((LINE,), tuple(covered), tuple(results))


def test_bands_change_half_way_between_samples(step: Suite) -> None:
    (plot,) = drawn(step, of_line([BELOW, BELOW, BELOW, ABOVE, ABOVE], [0, 0, 0, 1, 1]))
    assert bands(plot) == [("set0", 0.0, 2.5), ("set1", 2.5, 4.0)]
    assert plot.legend == [("set0", "x > 2.0 false"), ("set1", "x > 2.0 true")]


def test_runs_that_do_not_return_have_a_class_of_their_own(step: Suite) -> None:
    (plot,) = drawn(step, of_line([BELOW, None, None, ABOVE, ABOVE], [0, math.nan, math.nan, 1, 1]))
    assert bands(plot) == [("set0", 0.0, 0.5), ("ends", 0.5, 2.5), ("set1", 2.5, 4.0)]
    assert ("ends", "does not return") in plot.legend


def test_a_single_point_is_wide_enough_to_be_seen(step: Suite) -> None:
    axis = Axis("x", (0.0, 2.0, 2.0000000001, 4.0), Scale(0.0, 4.0))
    (plot,) = drawn(step, Samples((axis,), (BELOW, ABOVE, BELOW, BELOW), (0.0, 1.0, 0.0, 0.0)))
    narrow = min(plot.rectangles, key=lambda one: one.width)
    assert plot.rectangles[-1].width >= 1.5
    assert plot.rectangles.index(narrow) > 0  # it is drawn on top of the wide ones


def test_the_curve_is_interrupted_where_branches_change_and_at_nan(step: Suite) -> None:
    (plot,) = drawn(step, of_line([BELOW, BELOW, BELOW, ABOVE, ABOVE], [0, math.nan, 0.5, 1, 1]))
    assert re.sub(r"[\d. ]+", "", plot.path) == "MhMhMhL"


def test_every_input_is_a_point_inside(step: Suite) -> None:
    far = replace(step.inputs[0], words=(encode(Kind.F64, 1e9),))
    (plot,) = drawn(replace(step, inputs=[*step.inputs, far]), of_line([BELOW] * 5, [0.0] * 5))
    assert [mark.beyond for mark in plot.marks] == [0, 0, 1]
    assert all(LEFT <= mark.x <= WIDTH - RIGHT and TOP <= mark.y <= HEIGHT - BOTTOM for mark in plot.marks)
    assert plot.marks[0].text == "#0 f(1.0) = 0.0"
    assert plot.marks[0].x == LEFT + (WIDTH - LEFT - RIGHT) / 4


def test_a_few_huge_results_do_not_flatten_the_rest(step: Suite) -> None:
    axis = Axis("x", tuple(map(float, range(100))), Scale(0.0, 99.0))
    results = [float(n % 3) for n in range(98)] + [1e15, -1e15]
    (plot,) = drawn(step, Samples((axis,), (BELOW,) * 100, tuple(results)))
    heights = [float(text) for text in re.findall(r"[ML][\d.]+ ([\d.]+)", plot.path)]
    assert max(heights) - min(heights) > (HEIGHT - TOP - BOTTOM) / 3


def test_a_map_joins_equal_neighbours(make_suite: MakeSuite) -> None:
    suite = make_suite("f.c", TWO, "f", [(1.0, 0.0), (0.0, 1.0)])
    axes = Axis("x", (0.0, 1.0), Scale(0.0, 1.0)), Axis("y", (0.0, 1.0, 2.0), Scale(0.0, 2.0))
    covered = (BELOW, ABOVE, BELOW, ABOVE, BELOW, BELOW)
    (plot,) = drawn(suite, Samples(axes, covered, (0.0,) * 6))
    assert len(plot.rectangles) == 3
    area = sum(one.width * one.height for one in plot.rectangles)
    assert area == pytest.approx((WIDTH - LEFT - RIGHT) * (HEIGHT - TOP - BOTTOM), rel=0.01)
    assert plot.marks[0].x == WIDTH - RIGHT
    assert plot.marks[0].y == HEIGHT - BOTTOM  # y grows upwards


def test_a_missed_branch_is_drawn_with_its_objective(step: Suite) -> None:
    samples = replace(of_line([BELOW] * 5, [0.0] * 5), objectives={0: (0.8, 0.6, math.nan, 0.2, 0.1)})
    _, plot = drawn(step, samples)
    assert plot.title == "How far runs are from line 3: x > 2.0 true"
    assert re.sub(r"[\d. ]+", "", plot.path) == "MhLMhL"


def test_the_progress_ends_with_the_search(step: Suite) -> None:
    (plot,) = plots_of(replace(step, events=[(0.1, 1), (0.2, 2)], seconds=0.4))
    assert plot.title == "Progress of the search"
    assert plot.path.endswith(f"H{WIDTH - RIGHT}")
    assert [text for _, text in plot.y_ticks] == ["0", "1", "2"]


def test_without_samples_and_events_nothing_is_drawn(step: Suite) -> None:
    assert plots_of(step) == []
    assert plots_of(replace(step, samples=Samples(why="it has 3 inputs"))) == []


def test_more_sets_than_colours_share_the_last_one(step: Suite) -> None:
    axis = Axis("x", tuple(map(float, range(20))), Scale(0.0, 19.0))
    branches = [replace(step.branches[0], outcome=n) for n in range(20)]
    samples = Samples((axis,), tuple(frozenset({n}) for n in range(20)), (0.0,) * 20)
    (plot,) = plots_of(replace(step, branches=branches, samples=samples))
    assert {one.kind for one in plot.rectangles} == {f"set{n}" for n in range(8)}
    assert len(plot.legend) == 8
    assert plot.legend[-1] == ("set7", "other branches")
