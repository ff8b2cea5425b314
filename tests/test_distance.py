"""The branch distances: zero iff the comparison holds, whatever the operands are."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zeroin.distance import (
    ANY,
    DISTANCES,
    EPSILON,
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    NE_ORDERED,
    ORDERED,
    UNORDERED,
    K,
    exponential,
    holds,
    korel,
    logarithmic,
    ratio,
    relation,
    squared,
    ulp,
)
from zeroin.native.words import word_of_float
from zeroin.words import Kind, decode, encode

Distance = Callable[[int, float, float], float]

INT_MIN, INT_MAX = -(1 << 63), (1 << 63) - 1
HUGE = 1.7976931348623157e308
SPECIAL = [0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1e-200, 1 + 2**-52, 1e300, HUGE, -HUGE,
           math.inf, -math.inf, math.nan, -math.nan]  # fmt: skip
FLOATS = st.one_of(st.floats(), st.sampled_from(SPECIAL))
INTEGERS = st.one_of(
    st.integers(INT_MIN, INT_MAX), st.sampled_from([INT_MIN, INT_MIN + 1, -1, 0, 1, INT_MAX - 1, INT_MAX])
)
EVERY = pytest.mark.parametrize("distance", list(DISTANCES.values()), ids=list(DISTANCES))
OPERATORS = {EQ: operator.eq, NE: operator.ne, LT: operator.lt, LE: operator.le, GT: operator.gt, GE: operator.ge}


def near(values: st.SearchStrategy[float]) -> st.SearchStrategy[tuple[float, float]]:
    """Pairs: independent, equal, and neighbours."""
    neighbours = st.floats(allow_nan=False, allow_infinity=False).map(lambda a: (a, math.nextafter(a, math.inf)))
    return st.one_of(st.tuples(values, values), values.map(lambda a: (a, a)), neighbours)


def check(distance: Distance, op: int, a: float, b: float) -> None:
    found = distance(op, a, b)
    assert isinstance(found, float)
    assert 0.0 <= found < math.inf
    assert (found == 0.0) == bool(holds(op, a, b))


# ---- which comparison holds ----


@pytest.mark.parametrize("op", OPERATORS)
@given(pair=st.one_of(near(FLOATS), st.tuples(INTEGERS, INTEGERS)))
def test_holds_is_the_comparison(op: int, pair: tuple[float, float]) -> None:
    assert bool(holds(op, *pair)) == OPERATORS[op](*pair)


@given(near(FLOATS))
def test_exactly_one_relation_holds(pair: tuple[float, float]) -> None:
    assert [r for r in (EQ, GT, LT, UNORDERED) if holds(r, *pair)] == [relation(*pair)]
    assert (relation(*pair) == UNORDERED) == any(math.isnan(x) for x in pair)
    assert not holds(0, *pair)
    assert holds(ANY, *pair)
    assert bool(holds(ORDERED, *pair)) != bool(holds(UNORDERED, *pair))


# ---- zero iff it holds ----


@EVERY
@pytest.mark.parametrize("op", range(1, 16))
@given(pair=near(FLOATS))
def test_zero_iff_it_holds_for_floats(distance: Distance, op: int, pair: tuple[float, float]) -> None:
    check(distance, op, *pair)


@EVERY
@pytest.mark.parametrize("op", range(1, 16))
def test_zero_iff_it_holds_for_all_pairs_of_special_floats(distance: Distance, op: int) -> None:
    for a in SPECIAL:
        for b in SPECIAL:
            check(distance, op, a, b)


@EVERY
@pytest.mark.parametrize("op", range(1, 16))
@given(a=INTEGERS, b=INTEGERS)
@example(a=INT_MIN, b=INT_MAX)
@example(a=INT_MAX, b=INT_MIN)
@example(a=INT_MAX, b=INT_MAX)
@example(a=INT_MIN, b=INT_MIN)
@example(a=(1 << 53) + 1, b=1 << 53)
def test_zero_iff_it_holds_for_integers(distance: Distance, op: int, a: int, b: int) -> None:
    check(distance, op, a, b)


@EVERY
@given(pair=near(FLOATS))
def test_a_comparison_or_its_negation_is_at_zero(distance: Distance, pair: tuple[float, float]) -> None:
    for op in range(1, 15):
        assert (distance(op, *pair) == 0.0) != (distance(op ^ ANY, *pair) == 0.0)


# ---- nearer is less ----


@EVERY
@pytest.mark.parametrize("op", [EQ, LE, LT])
@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3))
def test_nearer_is_not_more_for_floats(distance: Distance, op: int, values: list[float]) -> None:
    goal, closer, farther = sorted(values)
    assert distance(op, closer, goal) <= distance(op, farther, goal)


@EVERY
@pytest.mark.parametrize("op", [EQ, LE, LT])
@given(values=st.lists(INTEGERS, min_size=3, max_size=3))
def test_nearer_is_not_more_for_integers(distance: Distance, op: int, values: list[int]) -> None:
    goal, closer, farther = sorted(values)
    assert distance(op, closer, goal) <= distance(op, farther, goal)


@EVERY
def test_nearer_is_less(distance: Distance) -> None:
    for op in (EQ, LE, LT):
        assert distance(op, 5.0, 1.0) > distance(op, 3.0, 1.0) > distance(op, 2.0, 1.0) > 0.0
        assert distance(op, 5, 1) > distance(op, 3, 1) > distance(op, 2, 1) > 0.0
    for op in (EQ, GE, GT):
        assert distance(op, -5.0, 1.0) > distance(op, -3.0, 1.0) > distance(op, 0.0, 1.0) > 0.0


ORDERED_DOUBLES = st.integers(encode(Kind.F64, -math.inf), encode(Kind.F64, math.inf))


@given(ORDERED_DOUBLES, ORDERED_DOUBLES)
def test_ulp_counts_the_doubles_in_between(one: int, two: int) -> None:
    a, b = float(decode(Kind.F64, one)), float(decode(Kind.F64, two))
    if a != b:
        assert ulp(EQ, a, b) == float(abs(one - two))
    if a > b:
        assert ulp(LE, a, b) == float(abs(one - two))
        assert ulp(LT, a, b) == float(abs(one - two)) + 1.0


@given(INTEGERS, INTEGERS)
def test_ulp_of_integers_is_their_difference(a: int, b: int) -> None:
    assert ulp(EQ, a, b) == float(abs(a - b))


@given(st.integers(1, (1 << 52) - 1), st.integers(1, (1 << 52) - 1))
def test_ulp_leads_out_of_the_nans(one: int, two: int) -> None:
    infinity = encode(Kind.F64, math.inf)
    a, b = (float(decode(Kind.F64, infinity + steps)) for steps in (one, two))
    assert (ulp(LT, a, 0.0) < ulp(LT, b, 0.0)) == (one < two)
    assert ulp(EQ, a, b) > ulp(EQ, a, 0.0)


@given(st.integers(1, (1 << 52) - 1), FLOATS)
def test_ulp_out_of_the_nans_counts_the_way_to_infinity(steps: int, other: float) -> None:
    nan = float(decode(Kind.F64, encode(Kind.F64, math.inf) + steps))
    if not math.isnan(other):
        assert ulp(LT, nan, other) == ulp(EQ, other, nan) == 1.0 + steps
    assert ulp(EQ, nan, nan) == 1.0 + 2.0 * steps


@given(ORDERED_DOUBLES, ORDERED_DOUBLES)
def test_ulp_to_the_nans_counts_the_way_to_the_first_quiet_one(one: int, two: int) -> None:
    a, b = float(decode(Kind.F64, one)), float(decode(Kind.F64, two))
    assert ulp(UNORDERED, a, b) == float(encode(Kind.F64, math.nan) - max(one, two)) + 1.0


@given(FLOATS)
def test_a_float_has_its_ordered_word(value: float) -> None:
    assert word_of_float(value) == encode(Kind.F64, value)


def test_ulp_leads_to_the_nans() -> None:
    assert ulp(UNORDERED, 1.0, 0.0) > ulp(UNORDERED, 1e300, 0.0) > ulp(UNORDERED, math.inf, 0.0) > 0.0


# ---- the values of the papers ----


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (EQ, 3.0, 1.0, 4.0), (EQ, 1.0, 1.0, 0.0), (EQ, -2.0, 1.0, 9.0),
        (LE, 1.0, 3.0, 0.0), (LE, 3.0, 3.0, 0.0), (LE, 5.0, 3.0, 4.0),
        (LT, 1.0, 3.0, 0.0), (LT, 3.0, 3.0, EPSILON), (LT, 5.0, 3.0, 4.0 + EPSILON),
        (NE, 1.0, 3.0, 0.0), (NE, 3.0, 3.0, EPSILON),
        (GE, 3.0, 1.0, 0.0), (GE, 3.0, 3.0, 0.0), (GE, 3.0, 5.0, 4.0),
        (GT, 3.0, 1.0, 0.0), (GT, 3.0, 3.0, EPSILON), (GT, 3.0, 5.0, 4.0 + EPSILON),
    ],
)  # fmt: skip
def test_definition_3_6_of_coverme(op: int, a: float, b: float, expected: float) -> None:
    assert squared(op, a, b) == expected
    assert squared(op, int(a), int(b)) == expected


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (EQ, 1.0, 1.0, 0.0), (EQ, 3.0, 1.0, 2.0), (EQ, 1.0, 3.0, 2.0),
        (NE, 3.0, 1.0, 0.0), (NE, 3.0, 3.0, K),
        (LE, 1.0, 3.0, 0.0), (LE, 3.0, 3.0, 0.0), (LE, 5.0, 3.0, 2.0),
        (GE, 3.0, 1.0, 0.0), (GE, 3.0, 3.0, 0.0), (GE, 3.0, 5.0, 2.0),
        (LT, 1.0, 3.0, 0.0), (GT, 3.0, 1.0, 0.0),
    ],
)  # fmt: skip
def test_table_1_of_flopsy(op: int, a: float, b: float, expected: float) -> None:
    assert korel(op, a, b) == expected
    assert korel(op, int(a), int(b)) == expected


def test_strict_comparisons_get_the_failure_constant_on_top() -> None:
    """The paper's table has 0 for ``3 < 3``, which is false; Korel's and Tracey's tables add K."""
    assert korel(LT, 3.0, 3.0) == K
    assert korel(LT, 5.0, 3.0) == 2.0 + K
    assert korel(GT, 3.0, 5.0) == 2.0 + K


# ---- where arithmetic goes wrong ----


@pytest.mark.parametrize("op", [EQ, LE, NE_ORDERED, LT])
def test_korel_and_squared_of_extremes(op: int) -> None:
    for distance in (korel, squared):
        if op != NE_ORDERED:
            assert distance(op, HUGE, -HUGE) == HUGE
            assert distance(op, math.inf, 1.0) == HUGE
            assert distance(op, 5e-324, 0.0) > 0.0
        assert distance(op, math.nan, 1.0) == HUGE


@pytest.mark.parametrize("distance", [korel, squared])
def test_korel_and_squared_show_no_way_to_the_nans(distance: Distance) -> None:
    assert distance(UNORDERED, 1.0, 2.0) == distance(UNORDERED, 1.0, 1.0) == distance(UNORDERED, 1, 2) == HUGE


def test_differences_of_integers_do_not_overflow() -> None:
    apart = float((1 << 64) - 1)
    assert ulp(EQ, INT_MIN, INT_MAX) == ulp(EQ, INT_MAX, INT_MIN) == apart
    assert korel(EQ, INT_MIN, INT_MAX) == apart
    assert squared(EQ, INT_MIN, INT_MAX) == apart**2


def test_signed_zeros_are_equal() -> None:
    for distance in DISTANCES.values():
        assert distance(EQ, 0.0, -0.0) == distance(LE, 0.0, -0.0) == distance(GE, -0.0, 0.0) == 0.0
        assert distance(LT, -0.0, 0.0) > 0.0
        assert distance(NE, -0.0, 0.0) > 0.0


# ---- normalisations ----

DISTANCE = st.floats(0.0, HUGE)


@given(DISTANCE, DISTANCE)
@example(0.0, 5e-324)
@example(HUGE, 0.0)
def test_logarithmic_is_monotone_and_below_1(one: float, two: float) -> None:
    low, high = min(one, two), max(one, two)
    assert 0.0 <= logarithmic(low) <= logarithmic(high) < 1.0
    assert (logarithmic(low) == 0.0) == (low == 0.0)


@given(DISTANCE, st.floats(2.0**-41, 1.0))
@example(0.0, 1.0)
@example(5e-324, 1.0)
@example(2.0**64, 2.0**-41)
@example(1e300, 2.0**-41)
def test_logarithmic_is_strict_down_to_42_bits(distance: float, more: float) -> None:
    larger = math.nextafter(distance, math.inf) if distance < 2.0**-1022 else distance * (1.0 + more)
    if larger < math.inf:
        assert logarithmic(distance) < logarithmic(larger)


@given(st.integers(0, 1 << 41))
def test_logarithmic_tells_ulp_distances_apart(steps: int) -> None:
    assert logarithmic(float(steps)) < logarithmic(float(steps + 1))


@pytest.mark.parametrize("normalise", [ratio, exponential])
def test_known_normalisations(normalise: Callable[[float], float]) -> None:
    values = [normalise(d) for d in (0.0, 0.5, 1.0, 2.0, 10.0, 1000.0, 1e301, math.inf)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert ratio(1.0) == 0.5
    assert exponential(1.0) == pytest.approx(1.0 - 1.0 / 1.001)
