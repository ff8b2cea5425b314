"""Conditions over inputs, compiled: words and models, ranges, distances, and minimizers that find a zero."""

from __future__ import annotations

import gc
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from zeroin.minimize import Stop, minimize, random_state
from zeroin.objective.condition import Condition, kind_of, range_of, value_of, word_of
from zeroin.term.core.build import RNE, conjuncts, equal
from zeroin.term.core.evaluate import evaluate, same
from zeroin.term.core.nodes import Op, Opaque, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits
from zeroin.words import Kind

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
M, N = variable("m", INT), variable("n", INT)


def solve(condition: Condition, name: str = "avm", evaluations: int = 200_000) -> dict[str, Any]:
    """A model that a minimizer finds."""
    door = condition.door()
    door.open(evaluations)
    start = np.zeros(len(condition.variables), dtype=np.int64)
    found = minimize(name, door, condition.domain, start, random_state([1]))
    assert found.reason is Stop.ZERO, found
    model = condition.model(found.words)
    assert all(evaluate(part, model) for part in condition.conjuncts)
    return model


ROUND_TRIPS = [
    (BOOL, [False, True], 0, 1),
    (INT, [0, 1, -1, (1 << 62) - 1, 1 - (1 << 62)], 1 - (1 << 62), (1 << 62) - 1),
    (FLOAT64, [0.0, -0.0, 1.5, -5e-324, math.inf, -math.inf, math.nan], -(1 << 63), (1 << 63) - 1),
    (FLOAT32, [0.0, -0.0, 1.5, -(2.0**-149), math.inf, -math.inf, math.nan], -(1 << 31), (1 << 31) - 1),
    (bits(1), [0, 1], -1, 0),
    (bits(7), [0, 1, 63, 64, 127], -64, 63),
    (bits(8), [0, 127, 128, 255], -128, 127),
    (bits(33), [0, (1 << 32) - 1, 1 << 32, (1 << 33) - 1], -(1 << 32), (1 << 32) - 1),
    (bits(64), [0, (1 << 63) - 1, 1 << 63, (1 << 64) - 1], -(1 << 63), (1 << 63) - 1),
]


@pytest.mark.parametrize(("sort", "values", "low", "high"), ROUND_TRIPS, ids=[str(row[0]) for row in ROUND_TRIPS])
def test_words_stand_for_values(sort: Sort, values: list[Any], low: int, high: int) -> None:
    assert range_of(sort) == (low, high)
    v = variable("v", sort)
    condition = Condition([], order=[v])
    for value in values:
        words = condition.words({"v": value})
        assert low <= words[0] <= high
        back = condition.model(words)["v"]
        assert type(back) is type(value)
        assert same(back, value)
    for word in (low, high):
        if not (sort.is_float and math.isnan(value_of(sort, word))):
            assert word_of(sort, value_of(sort, word)) == word


def test_words_of_what_has_none_are_the_nearest() -> None:
    assert word_of(INT, 1 << 70) == (1 << 62) - 1
    assert word_of(INT, -(1 << 70)) == 1 - (1 << 62)
    assert value_of(REAL, word_of(REAL, Fraction(1, 3))) == Fraction(1 / 3)
    assert value_of(REAL, word_of(REAL, 10**400)) == Fraction(1.7976931348623157e308)
    assert value_of(REAL, word_of(REAL, -(10**400))) == Fraction(-1.7976931348623157e308)


def test_every_word_of_a_real_is_finite() -> None:
    low, high = range_of(REAL)
    assert -value_of(REAL, low) == value_of(REAL, high) == Fraction(1.7976931348623157e308)


def test_kinds() -> None:
    sorts = (BOOL, INT, REAL, FLOAT32, FLOAT64, bits(8), bits(16), bits(32), bits(64), bits(5))
    kinds = [Kind.BOOL, Kind.INT, Kind.F64, Kind.F32, Kind.F64, Kind.I8, Kind.I16, Kind.I32, Kind.I64, Kind.I64]
    assert [kind_of(sort) for sort in sorts] == kinds


def test_variables_stand_in_their_order() -> None:
    less = make(Op.FP_LT, Y, X)
    assert Condition([less]).variables == [Y, X]
    other = Condition([less], order=[X, M, Y])
    assert other.words({"x": 0.0, "m": 5, "y": 0.0})[1] == 5
    door = other.door()
    door.open(2)
    assert door.arity == 3
    assert 0 < door.evaluate(other.words({"x": 1.0, "m": 5, "y": 2.0})) < math.inf
    assert door.evaluate(other.words({"x": 2.0, "m": 5, "y": 1.0})) == 0
    assert other.domain.ranges[1] == range_of(INT)


def test_distances_of_the_conjuncts_are_left_behind() -> None:
    parts = [make(Op.LE, M, constant(INT, 3)), make(Op.LE, constant(INT, 10), N), equal(M, N)]
    condition = Condition(parts)
    door = condition.door()
    door.open(10)
    assert door.evaluate(condition.words({"m": 5, "n": 4})) == 9
    assert list(condition.distances) == [2, 6, 1]
    assert door.evaluate(condition.words({"m": 3, "n": 10})) == 7
    assert list(condition.distances) == [0, 0, 7]
    alone = [type(door)(part, 2) for part in condition.parts]
    for single in alone:
        single.open(1)
    assert [single.evaluate(condition.words({"m": 5, "n": 4})) for single in alone] == [2, 6, 1]
    assert list(condition.distances) == [0, 0, 7]


def test_the_distances_outlive_the_condition() -> None:
    condition = Condition([make(Op.LE, M, constant(INT, 3))])
    door = condition.door()
    door.open(1)
    door.evaluate((8,))
    kept = condition.distances
    del condition, door
    gc.collect()
    assert list(kept) == [5]


def test_no_condition_holds_everywhere() -> None:
    condition = Condition([])
    assert (condition.variables, condition.parts, list(condition.distances)) == ([], [], [])
    door = condition.door()
    door.open(1)
    assert door.evaluate(()) == 0


def test_sums_stay_finite() -> None:
    a, b = make(Op.FP_EQ, X, constant(FLOAT64, math.inf)), make(Op.FP_EQ, Y, constant(FLOAT64, -math.inf))
    for table in ("korel", "squared"):
        condition = Condition([a, b, make(Op.AND, a, b)], table)
        door = condition.door()
        door.open(1)
        assert door.evaluate(condition.words({"x": 0.0, "y": 0.0})) == 1.7976931348623157e308
        assert list(condition.distances) == [1.7976931348623157e308] * 3


# ---- minimizers ----


def sine_and_cosine() -> list[Term]:
    """``sin(x) + cos(y) > 1 and x == y``"""
    total = make(Op.FP_ADD, RNE, make(Op.MATH, X, data="sin"), make(Op.MATH, Y, data="cos"))
    return [make(Op.FP_LT, constant(FLOAT64, 1.0), total), make(Op.FP_EQ, X, Y)]


@pytest.mark.parametrize("table", ["ulp", "korel", "squared"])
def test_a_minimizer_finds_a_solution(table: str) -> None:
    model = solve(Condition(sine_and_cosine(), table))
    assert model["x"] == model["y"]
    assert math.sin(model["x"]) + math.cos(model["y"]) > 1


def test_integers_and_bits() -> None:
    v = variable("v", bits(32))
    product = equal(make(Op.MUL, M, M), constant(INT, 1_000_000))
    masked = equal(make(Op.BV_MUL, v, constant(bits(32), 3)), constant(bits(32), 21))
    model = solve(Condition(conjuncts([make(Op.AND, product, make(Op.LT, M, constant(INT, 0))), masked])))
    assert model == {"m": -1000, "v": 7}


def test_a_python_callable_is_searched() -> None:
    cube = Opaque("cube", (FLOAT64,), FLOAT64, function=lambda x: 1 / 0 if x == 0 else x * x * x)
    model = solve(Condition([make(Op.FP_EQ, make(Op.CALL, X, data=cube), constant(FLOAT64, 27.0))]), evaluations=20_000)
    assert model == {"x": 3.0}
