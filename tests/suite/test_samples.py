"""Scales and numbers of samples."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.suite.samples import Scale, number_of
from zeroin.words import Kind, encode, exact

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1))
def test_a_scale_shows_all_its_finite_values_in_order(values: list[float]) -> None:
    scale = Scale.of([*values, math.nan, math.inf])
    places = [scale.at(value) for value in sorted(values)]
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in places)
    assert all(one <= other for one, other in pairwise(places))


@given(st.lists(FINITE, min_size=1), st.floats(0, 1))
def test_a_position_and_its_number_belong_together(values: list[float], position: float) -> None:
    scale = Scale.of(values)
    value = scale.value(position)
    assert math.isfinite(value)
    assert scale.at(value) == pytest.approx(position, abs=1e-6)


@given(st.lists(FINITE, min_size=1), st.integers(2, 12))
def test_ticks_are_on_the_scale_in_order_and_few(values: list[float], most: int) -> None:
    scale = Scale.of(values)
    ticks = scale.ticks(most)
    assert ticks == sorted(set(ticks))
    assert len(ticks) <= 2 * most + 1
    assert all(-1e-6 <= scale.at(tick) <= 1 + 1e-6 for tick in ticks)


@given(st.lists(FINITE, min_size=1), FINITE, FINITE)
def test_a_scale_stays_within_the_allowed_range(values: list[float], one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    within = [min(max(value, low), high) for value in values]
    scale = Scale.of(within, low, high)
    room = 1e-9 * max(abs(low), abs(high))
    assert low - room <= scale.value(0.0) <= scale.value(1.0) <= high + room


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 10.0], [0.0, 5.0, 10.0]),
        ([1.0], [0.0, 0.5, 1.0, 1.5, 2.0]),
        ([], [-15.0, -10.0, -5.0, 0.0, 5.0, 10.0, 15.0]),
        ([1e-3, 1e9], [0.0, 1.0, 1e3, 1e6, 1e9]),
    ],
    ids=str,
)
def test_ticks_are_round_numbers(values: list[float], ticks: list[float]) -> None:
    assert [float(f"{tick:g}") for tick in Scale.of(values).ticks()] == ticks


def test_an_infinity_is_beyond_a_linear_scale_and_at_the_end_of_a_logarithmic_one() -> None:
    assert Scale.of([0.0, 1.0]).at(math.inf) == math.inf
    assert Scale.of([0.0, 1.0]).at(-math.inf) == -math.inf
    assert Scale.of([1e-300, 1.7e308]).at(math.inf) == pytest.approx(1.0)


@given(st.floats(allow_nan=False))
def test_exact_results_are_numbers(value: float) -> None:
    assert number_of(exact(Kind.F64, encode(Kind.F64, value))) == value


@pytest.mark.parametrize(
    ("result", "number"),
    [("42", 42.0), ("-7", -7.0), ("True", 1.0), ("False", 0.0), ("inf", math.inf), ("-inf", -math.inf)],
)
def test_other_results_are_numbers(result: str, number: float) -> None:
    assert number_of(result) == number


@pytest.mark.parametrize("result", [None, "None", '"12"', "nan", [], {"x": "1"}, "", "12x", "9" * 400])
def test_what_is_no_number(result: object) -> None:
    assert math.isnan(number_of(result))
