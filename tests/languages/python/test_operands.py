"""Any two values as two numbers: they compare as the values did, and say how far that is from being otherwise."""

from __future__ import annotations

import datetime
import enum
import math
import operator
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling import examples
from zeroin.distance import DISTANCES, EQ, GE, GT, LE, LT, NE, holds
from zeroin.languages.python.run.probes import operands
from zeroin.native.kernel import kernel

OPERATORS = {EQ: operator.eq, NE: operator.ne, LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge}
Pair = namedtuple("Pair", "left right")


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 7


class Text(str):
    """Compares the other way round."""

    def __lt__(self, other: str) -> bool:
        return str.__gt__(self, other)

    __hash__ = str.__hash__


class Rude:
    """Whoever asks it anything without need is in for it."""

    def _fail(self, *_: Any) -> Any:
        raise SystemError("asked")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __len__ = __iter__ = __float__ = __sub__ = __bool__ = _fail
    __contains__ = __getitem__ = __int__ = __abs__ = _fail
    __hash__ = object.__hash__


@kernel
def _ulp(op: int, a: Any, b: Any) -> float:
    return DISTANCES_ULP(op, a, b)


@kernel
def _korel(op: int, a: Any, b: Any) -> float:
    return DISTANCES_KOREL(op, a, b)


@kernel
def _squared(op: int, a: Any, b: Any) -> float:
    return DISTANCES_SQUARED(op, a, b)


DISTANCES_ULP, DISTANCES_KOREL, DISTANCES_SQUARED = DISTANCES["ulp"], DISTANCES["korel"], DISTANCES["squared"]
TABLES = {"ulp": _ulp, "korel": _korel, "squared": _squared}


def assert_good(op: int, pair: Any, truth: bool) -> None:
    """Two int64 or two doubles, which compare so; all three distances are 0 exactly when the comparison is true."""
    x, y = pair
    assert type(x) is type(y)
    assert type(x) in (int, float)
    if type(x) is int:
        assert -(1 << 63) <= x < 1 << 63
        assert -(1 << 63) <= y < 1 << 63
    assert bool(holds(op, x, y)) is truth
    for table in TABLES.values():
        distance = table(op, x, y)
        assert (distance == 0) is truth
        assert distance >= 0
        assert (table(op ^ 15, x, y) == 0) is not truth


def distance(op: int, a: Any, b: Any, table: str = "ulp") -> float:
    """How far ``a op b`` is from being true."""
    return float(TABLES[table](op, *operands.compared(op, a, b, bool(OPERATORS[op](a, b)))))


BIG = 1 << 53
DAY = datetime.date(2020, 1, 1)
integers = st.integers() | st.sampled_from(
    [0, 1, -1, BIG, BIG + 1, -BIG - 1, 1 << 63, (1 << 63) - 1, -(1 << 63), 10**400]
)
floats = st.floats() | st.sampled_from([0.0, -0.0, float(BIG), float(BIG + 2), math.inf, -math.inf, math.nan, 2.0**63])
simple = integers | floats | st.booleans() | st.fractions() | st.decimals() | st.sampled_from([*Level])
numpy_numbers = floats.map(np.float64) | st.sampled_from(
    [np.float64(1.5), np.float32(0.1), np.int8(-3), np.uint64(2**64 - 1), np.bool_(True)]
)
texts = st.text(max_size=5) | st.text("ab", max_size=3) | st.text("ab", max_size=3).map(Text)
atoms = simple | numpy_numbers | texts | st.binary(max_size=4) | st.none() | st.complex_numbers() | st.builds(Rude)
moments = st.dates() | st.datetimes() | st.timedeltas() | st.datetimes(timezones=st.just(datetime.UTC))
lists = st.lists(integers | floats | texts, max_size=4)
containers = (lists | lists.map(tuple) | st.sets(st.integers(0, 4)) | st.frozensets(st.integers(0, 4) | texts)
              | st.dictionaries(st.integers(0, 3), texts, max_size=3) | st.lists(lists, max_size=3)
              | st.builds(range, st.integers(-5, 5), st.integers(-5, 5)) | st.builds(Pair, st.integers(0, 2), texts)
              | st.builds(lambda: [Rude()]))  # fmt: skip
anything = atoms | moments | containers


def as_float(n: int) -> float:
    return n if abs(n) > 1 << 1023 else float(n)


def alike(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Any]]:
    return st.tuples(values, values)


pairs = st.one_of([*(alike(v) for v in (simple, integers, floats, numpy_numbers, texts, moments, lists, containers)),
                   alike(st.binary(max_size=3)), alike(st.sets(st.integers(0, 3))), alike(anything),
                   anything.map(lambda v: (v, v)), st.tuples(integers, integers.map(as_float))])  # fmt: skip


@examples(2500)
@given(pair=pairs, op=st.sampled_from([*OPERATORS]))
def test_operands_compare_as_the_values_did(pair: tuple[Any, Any], op: int) -> None:
    a, b = pair
    try:
        truth = bool(OPERATORS[op](a, b))
    except (TypeError, SystemError, ArithmeticError, ValueError):
        for truth in (True, False):  # whatever a comparison of such values may have been
            assert_good(op, operands.compared(op, a, b, truth), truth)
        return
    assert_good(op, operands.compared(op, a, b, truth), truth)


@examples(500)
@given(pair=pairs, op=st.sampled_from([*OPERATORS]), truth=st.booleans())
def test_operands_are_good_for_comparisons_that_make_no_sense(pair: tuple[Any, Any], op: int, truth: bool) -> None:
    assert_good(op, operands.compared(op, *pair, truth), truth)


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("truth", [True, False])
def test_plain_operands(op: int, truth: bool) -> None:
    assert_good(op, operands.plain(op, truth), truth)


@pytest.mark.parametrize(
    ("a", "b"),
    [(BIG + 1, float(BIG)), (BIG, float(BIG)), (1 << 1030, math.inf), (-(1 << 1030), -1e308), (10**400, math.nan),
     (Fraction(1, 3), 1 / 3), (Fraction(BIG + 1), float(BIG)), (Decimal("0.1"), 0.1), (Decimal("1e400"), 1e308),
     (1 << 63, (1 << 63) - 1), (True, 1.0), (-0.0, 0)],
)  # fmt: skip
@pytest.mark.parametrize("op", OPERATORS)
def test_numbers_are_compared_exactly(a: Any, b: Any, op: int) -> None:
    for x, y in ((a, b), (b, a)):
        truth = bool(OPERATORS[op](x, y))
        found = operands.compared(op, x, y, truth)
        assert_good(op, found, truth)
        assert not all(value in (0, 1) for value in found) or (a, b) in ((True, 1.0), (-0.0, 0)) or a >= 1 << 63


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("op", "nearer", "farther"),
    [
        (EQ, (5, 6), (5, 9)),
        (LT, (6, 5), (60, 5)),
        (EQ, (1 << 70, (1 << 70) + 1), (1 << 70, (1 << 70) + 2)),
        (LT, (1 << 80, 5), (1 << 90, 5)),
        (EQ, (1, 1.5), (1, 2.5)),
        (GE, (Fraction(1, 3), 1), (Fraction(1, 5), 1)),
        (GE, (Decimal("0.5"), 1), (Decimal("0.25"), 1)),
        (EQ, (np.float64(1.5), 2), (np.float64(1.5), 3)),
        (EQ, ("abc", "abd"), ("abc", "abz")),
        (EQ, ("abc", "abd"), ("abc", "a")),
        (EQ, ("abc", "ab"), ("abc", "")),
        (EQ, ("a", "b"), ("a", "\U00010000")),
        (LT, ("b", "a"), ("z", "a")),
        (EQ, (b"abc", b"abb"), (b"abc", b"")),
        (EQ, ([1, 2], [1, 3]), ([1, 2], [1, 30])),
        (EQ, ([1, 2], [1, 2, 3]), ([1, 2], [1, 2, 3, 4])),
        (EQ, ([1.0, "a"], [1.0, "b"]), ([1.0, "a"], [2.0, "b"])),
        (LT, ((1, 5), (1, 4)), ((1, 50), (1, 4))),
        (GT, ([1], [1, 2]), ([1], [1, 2, 3])),
        (EQ, ({1, 2}, {1}), ({1, 2}, {3})),
        (LE, ({1, 2}, {1}), ({1, 2, 3}, {1})),
        (EQ, (DAY, datetime.date(2020, 1, 2)), (DAY, datetime.date(2021, 1, 2))),
        (LT, (datetime.timedelta(2), datetime.timedelta(1)), (datetime.timedelta(20), datetime.timedelta(1))),
        (EQ, (Level.LOW, 1), (Level.LOW, 4)),
    ],
)  # fmt: skip
def test_what_is_farther_apart_costs_more(op: int, nearer: Any, farther: Any, table: str) -> None:
    (a, b), (c, d) = nearer, farther
    assert 0 < distance(op, a, b, table) < distance(op, c, d, table)


def test_methods_of_the_users_own_are_not_called() -> None:
    rude = Rude()
    for value in (1, "a", rude, [rude], None):
        assert_good(EQ, operands.compared(EQ, rude, value, True), True)
        assert_good(LT, operands.compared(LT, [value], [rude], False), False)
        assert_good(EQ, operands.member(value, [1, rude], False), False)
        assert_good(EQ, operands.mismatch(rude, (1, value)), False)
    for truth in (True, False):
        assert_good(NE, operands.truth(rude, truth), truth)
        op, pair = operands.answered("isnan", None, (rude,), truth)
        assert_good(op, pair, truth)
    loop: list[Any] = []
    loop.append(loop)
    assert_good(EQ, operands.compared(EQ, loop, [loop], False), False)


# ---- truth, emptiness, membership, patterns ----


@examples(500)
@given(anything)
def test_truth(value: Any) -> None:
    for truth in (True, False):
        assert_good(NE, operands.truth(value, truth), truth)


def test_truth_of_what_has_a_length_or_a_value() -> None:
    assert operands.truth([1, 2, 3], True) == (3, 0)
    assert operands.truth("", False) == (0, 0)
    assert operands.truth(10**30, True) == (1e30, 0.0)
    assert operands.truth(Fraction(1, 2), True) == (0.5, 0.0)
    assert operands.truth(np.float64(-2.5), True) == (-2.5, 0.0)
    assert operands.truth(Fraction(1, 10**400), True) == (1, 0)  # as a double it would be false
    assert operands.truth(None, False) == (0, 0)


limits = st.integers(-5, 5) | st.integers() | st.sampled_from([1 << 63, -(1 << 63), (1 << 63) - 1])


@given(st.builds(range, limits, limits, (st.integers(-3, 3) | st.integers()).filter(bool)).filter(lambda r: not r))
def test_an_empty_range_says_how_far_it_is_from_having_an_element(empty: range) -> None:
    assert_good(GT, operands.empty(empty), False)


def test_the_ends_of_an_empty_range() -> None:
    assert operands.empty(range(3, 1)) == (1, 3)
    assert operands.empty(range(1, 3, -1)) == (1, 3)
    assert operands.empty(range(2, 2)) == (0, 0)
    assert operands.empty([]) == (0, 0)


@examples(800)
@given(value=atoms | lists.map(tuple), container=containers | st.text(max_size=4) | st.binary(max_size=4))
def test_membership(value: Any, container: Any) -> None:
    try:
        truth = value in container
    except (TypeError, SystemError, ArithmeticError, ValueError):
        truth = False
    assert_good(EQ, operands.member(value, container, bool(truth)), bool(truth))
    assert_good(NE, operands.member(value, container, bool(truth)), not truth)
    assert_good(EQ, operands.member(value, container, False), False)


@pytest.mark.parametrize(
    ("nearer", "farther", "container"),
    [(6, 9, [1, 5]), (5.5, 6.5, (1.0, 5.0)), ("b", "z", {"a": 1}), ("xbc", "xyz", "abcd"), (11, 20, range(10)),
     (-1, -7, range(10)), (12, 15, range(0, 11, 5)), (b"c", b"z", b"ab"), (3, 2, {10, 20}), (8, 20, {1: 2}.keys())],
)  # fmt: skip
def test_the_nearest_element_counts(nearer: Any, farther: Any, container: Any) -> None:
    costs = [TABLES["ulp"](EQ, *operands.member(value, container, False)) for value in (nearer, farther)]
    assert 0 < costs[0] < costs[1]


def test_a_pattern_that_does_not_match_says_how_far_the_nearest_literal_is() -> None:
    costs = [TABLES["korel"](EQ, *operands.mismatch(value, (1, 10, "a"))) for value in (11, 13, 20)]
    assert 0 < costs[0] < costs[1] < costs[2]
    assert_good(EQ, operands.mismatch("b", (1, "a")), False)
    assert_good(EQ, operands.mismatch(None, (1, "a")), False)


# ---- questions ----

QUESTIONS: dict[str, list[tuple[Any, ...]]] = {
    "isnan": [(math, 1.0), (math, math.nan), (np, np.float32(1)), (None, 10**400), (math, 3)],
    "isinf": [(math, 1.0), (math, -math.inf), (None, 2)],
    "isfinite": [(math, 1.0), (math, math.nan), (math, math.inf), (math, 5)],
    "isclose": [(math, 1.0, 1.0), (math, 1.0, 1.0 + 1e-12), (math, 1.0, 2.0), (math, 1.0, 1.5, 3), (math, math.nan, 1)],
    "is_integer": [(1.5,), (2.0,), (math.inf,), (-0.0,)],
    "startswith": [("abc", "ab"), ("abc", "x"), ("", "abc"), ("abc", ("x", "a")), ("abc", "b", 1), (b"ab", b"b")],
    "endswith": [("abc", "bc"), ("abc", "x"), ("", "abc"), ("abc", ("x", "c")), ("abc", ""), (b"ab", b"b")],
    **{name: [("1",), ("a",), ("A",), ("",), (" \t",), ("é٣²",), ("aB1",), (b"a",)]
       for name in ("isdigit", "isdecimal", "isnumeric", "isalpha", "isalnum", "isspace", "isupper", "islower")},
    "isidentifier": [("a",), ("1",)],
    "unheard_of": [(1,), (None, 2)],
}  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_answers(name: str) -> None:
    for on, *arguments in QUESTIONS[name]:
        for truth in (True, False):
            op, pair = operands.answered(name, on, tuple(arguments), truth)
            assert_good(op, pair, truth)


@pytest.mark.parametrize(
    ("name", "nearer", "farther"),
    [("startswith", ("abd", "abc"), ("xyz", "abc")), ("startswith", ("a", "abc"), ("", "abc")),
     ("endswith", ("xbd", "bc"), ("xyz", "bc")), ("isdigit", ("1a",), ("zz",)), ("isalpha", ("a{",), ("a~",)),
     ("isspace", ("!",), ("a",)), ("isclose", (math, 1.0, 1.1), (math, 1.0, 2.0)),
     ("isfinite", (math, math.inf), (math, math.nan))],
)  # fmt: skip
def test_answers_that_are_nearer_to_yes(name: str, nearer: Any, farther: Any) -> None:
    costs = []
    for on, *arguments in (nearer, farther):
        op, pair = operands.answered(name, on, tuple(arguments), False)
        costs.append(TABLES["ulp"](op, *pair))
    assert 0 < costs[0] < costs[1]


@examples(300)
@given(name=st.sampled_from([*QUESTIONS]), values=st.lists(anything, min_size=1, max_size=3), truth=st.booleans())
def test_answers_to_anything(name: str, values: list[Any], truth: bool) -> None:
    op, pair = operands.answered(name, values[0], tuple(values[1:]), truth)
    assert_good(op, pair, truth)
