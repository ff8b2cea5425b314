"""Values become simple word by word, and never at the price of a branch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs, words_of
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.python.front.signature import PythonSignature
from zeroin.languages.python.values.containers import List, Str
from zeroin.languages.python.values.scalars import Date, Datetime, DecimalShape, Timedelta
from zeroin.languages.python.values.shapes import Float, Int, PythonParameter, Shape
from zeroin.subject.base import Run, Termination, Words
from zeroin.subject.values import number
from zeroin.suite.reduce import reduce
from zeroin.suite.simplify import Again, Limited, NoMore, simplify, together
from zeroin.words import Kind, decode, encode, value_range, word_range


def unlimited(again: Again) -> Limited:
    return Limited(again, 1_000_000, 60.0)


def one(kind: Kind, value: Any, predicate: Callable[[Any], bool], **fields: Any) -> Any:
    """What a single value becomes when the predicate must go on to hold."""
    signature = CSignature("f", (CParameter("x", "", Scalar(kind), **fields),))

    def again(words: Words) -> Run:
        return Run(words, Termination.RETURNED, frozenset([int(predicate(decode(kind, words[0])))]))

    (simple,) = simplify(signature, [again((encode(kind, value),))], frozenset([1]), unlimited(again))
    return decode(kind, simple.words[0])


@pytest.mark.parametrize(
    ("kind", "value", "predicate", "expected"),
    [
        (Kind.I32, 1_234_567, lambda x: x > 1000, 10_000),
        (Kind.I32, -98_765, lambda x: x < -10, -90_000),
        (Kind.I32, 199, lambda x: x > 190, 200),
        (Kind.I64, 12_345_678_901, lambda x: x > 12_300_000_000, 20_000_000_000),
        (Kind.I32, 77, lambda x: x == 77, 77),
        (Kind.I32, 123_456, lambda x: True, 0),
        (Kind.U8, 250, lambda x: x > 199, 200),
        (Kind.U64, (1 << 64) - 7, lambda x: x > 0, 5),
        (Kind.BOOL, True, lambda x: True, False),
        (Kind.BOOL, True, lambda x: x, True),
        (Kind.F32, 0.49999873, lambda x: 0.25 < x < 0.75, 0.5),
        (Kind.F64, -0.3333333333333, lambda x: x < 0, -1.0),
        (Kind.F64, 3.999999999, lambda x: x > 3.5, 4.0),
        (Kind.BYTE, 200, lambda x: x > 0, ord("a")),
        (Kind.BYTE, 200, lambda x: x < 97, 0),
    ],
)
def test_values_of_every_sort(kind: Kind, value: Any, predicate: Callable[[Any], bool], expected: Any) -> None:
    assert one(kind, value, predicate) == expected


@pytest.mark.parametrize("kind", list(Kind))
@given(data=st.data())
def test_any_value_of_any_kind(kind: Kind, data: st.DataObject) -> None:
    low, high = word_range(kind)
    word, bound = data.draw(st.integers(low, high)), data.draw(st.integers(low, high))
    signature = CSignature("f", (CParameter("x", "", Scalar(kind)),))

    def again(words: Words) -> Run:
        assert low <= words[0] <= high
        return Run(words, Termination.RETURNED, frozenset([int(words[0] < bound)]))

    before = again((word,))
    (after,) = simplify(signature, [before], frozenset([0, 1]), unlimited(again))
    assert after == again(after.words)
    assert (after.outcome, after.covered) == (before.outcome, before.covered)


@given(st.integers(0, 8))
def test_the_used_length_stays_in_its_range(length: int) -> None:
    assert 0 <= one(Kind.I32, length, lambda x: x >= length, limit=8, count_of="xs") <= 8
    assert value_range(Kind.I32)[1] > 8


def test_what_only_this_run_covers_is_kept_the_rest_may_go() -> None:
    """Two runs: what the other one covers as well need not be held on to."""
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))

    def again(words: Words) -> Run:
        (x,) = words
        return Run(words, Termination.RETURNED, frozenset([0 if x > 100 else 1, 2 if x % 2 else 3]))

    simple = simplify(signature, [again((777,)), again((-33,))], frozenset([0, 1, 2]), unlimited(again))
    assert set().union(*(run.covered for run in simple)) >= {0, 1, 2}
    assert [run.words for run in simple] == [(800,), (1,)]


def test_runs_that_do_not_return_are_left_alone() -> None:
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))
    crash = Run((123_456,), Termination.SEGV, frozenset([0]))

    def again(words: Words) -> Run:
        raise AssertionError("is not run again")

    assert simplify(signature, [crash], frozenset([0]), unlimited(again)) == [crash]


def test_a_simpler_value_that_crashes_is_not_taken() -> None:
    signature = CSignature("f", (CParameter("x", "int", Scalar(Kind.I32)),))

    def again(words: Words) -> Run:
        return Run(words, Termination.FPE if words[0] == 0 else Termination.RETURNED, frozenset([0]))

    assert simplify(signature, [again((987,))], frozenset([0]), unlimited(again)) == [again((5,))]


def test_arrays_and_null(programs: Programs) -> None:
    subject = programs.load(
        "int f(const double v[3], const int *p) { if (!p) return v[1] > 0.25 ? 1 : 2; return *p > 10 ? 3 : 4; }"
    )
    arguments: list[list[Any]] = [[[1.7, 0.73, -8.25], None], [[9.5, -3.1, 2.2], None], [[0.1, 0.2, 0.3], [12_345]],
                                  [[0.1, 0.2, 0.3], [-77]]]  # fmt: skip
    runs = [subject.run(words_of(subject.signature, *a)) for a in arguments]
    wanted = frozenset(range(2 * len(subject.sites)))
    simple = simplify(subject.signature, runs, wanted, unlimited(subject.run))
    assert set().union(*(run.covered for run in simple)) == set().union(*(run.covered for run in runs))
    shown = [subject.signature.show(run.words) for run in simple]
    assert shown[0] in ("f({0.0, 0.5, 0.0}, NULL)", "f({0.0, 1.0, 0.0}, NULL)")
    assert shown[1] == "f({0.0, 0.0, 0.0}, NULL)"
    assert all(len(one) < 40 for one in shown)


def simplified(shape: Shape, value: object, predicate: Callable[[Any], bool]) -> tuple[Any, bool]:
    """What a Python value becomes when the predicate must go on to hold, and whether an implausible value is needed."""
    signature = PythonSignature("f", (PythonParameter("x", shape.type, shape),))

    def again(words: Words) -> Run:
        holds = predicate(shape.build(words, lambda path: None))
        return Run(words, Termination.RETURNED, frozenset([int(holds)]))

    run = again(shape.encode(value))
    assert run.covered == {1}
    (simple,) = simplify(signature, [run], frozenset([1]), unlimited(again))
    return shape.build(simple.words, lambda path: None), bool(simple.needed)


@pytest.mark.parametrize(("shape", "value", "predicate", "expected", "is_needed"), [
    (Float(), 4.2439915814e-314, lambda x: 0 < x < 1, 0.5, False),
    (Float(), 4.2439915814e-314, lambda x: 0 < x < 1e-5, 1e-6, True),
    (Float(), 4.2439915814e-314, lambda x: 0 < x < 2e-308, 1e-308, True),
    (Float(), 1.7976931348623157e308, lambda x: x > 2000, 9000.0, False),
    (Float(), 1.7976931348623157e308, lambda x: x > 1e14, 1e16, True),
    (Float(), math.nan, lambda x: not x > 0, 0.0, False),
    (Float(), math.nan, lambda x: x != x, math.nan, True),
    (Float(), -0.0, lambda x: x == 0, 0.0, False),
    (Float(), 273.15, lambda x: x == 273.15, 273.15, False),
    (Int(), 2**70, lambda x: x > 100, 1000, False),
    (Int(), -(2**31), lambda x: x < -(2**31) + 1, -3_000_000_000, True),
    (Date(), date(1890, 6, 26), lambda x: True, date(2000, 1, 1), False),
    (Date(), date(1890, 6, 26), lambda x: x.month == 6, date(2000, 6, 1), False),
    (Date(), date(4000, 2, 29), lambda x: (x.month, x.day) == (2, 29), date(2000, 2, 29), False),
    (Date(), date(1890, 6, 26), lambda x: x.year < 1900, date(1890, 1, 1), True),
    (Datetime(), datetime(1890, 6, 26, 3, 4, 5, 6), lambda x: x.hour == 3, datetime(2000, 1, 1, 3), False),
    (Timedelta(), timedelta(days=99_999, microseconds=7), lambda x: x.days > 3, timedelta(days=7), False),
    (DecimalShape(), Decimal("1E+300"), lambda x: x > 0, Decimal("5.0"), False),
    (DecimalShape(), Decimal("0.12345"), lambda x: Decimal("0.121") < x < Decimal("0.129"), Decimal("0.123"), True),
    (Str(high=80), "a" * 10, lambda x: len(x) > 8, "two words", False),
    (Str(high=80), "SET gain 11 " + "a" * 60, lambda x: x.startswith("SET") and "11" in x, "SET11", False),
    (Str(high=80), "\0\x7f;", lambda x: ";" in x, ";", False),
    (List(Float()), [1e300, 5e-324, 1e300], lambda x: len(x) == 3 and x[0] == x[2] > x[1], [2.0, 0.0, 2.0], False),
    (List(Float(), high=3), [1e300, 2e300, 3e300], lambda x: len(x) == 3 and x == sorted({*x}), [0.0, 2.0, 3.0], False),
])  # fmt: skip
def test_extreme_values_stay_only_where_they_are_needed(
    shape: Shape, value: object, predicate: Callable[[Any], bool], expected: object, is_needed: bool
) -> None:
    assert repr(simplified(shape, value, predicate)) == repr((expected, is_needed))


def test_without_an_allowance_nothing_is_called_needed() -> None:
    signature = PythonSignature("f", (PythonParameter("x", "float", Float()),))

    def again(words: Words) -> Run:
        raise NoMore

    run = Run(Float().encode(1e300), Termination.RETURNED, frozenset([1]))
    (simple,) = simplify(signature, [run], frozenset([1]), unlimited(again))
    assert (simple.words, simple.needed) == (run.words, ())


def test_numbers_together_keep_how_they_compare() -> None:
    kinds = (Kind.F64, Kind.F64, Kind.I8, Kind.F64)
    words = tuple(map(encode, kinds, (3e300, -7e300, 5, 4e-320)))
    values = [number(kind, at) for at, kind in enumerate(kinds)]
    found = [[decode(kind, word) for kind, word in zip(kinds, other, strict=True)] for other in together(values, words)]
    assert found[:2] == [[3.0, -1.0, 2, 1.0], [30.0, -10.0, 20, 10.0]]
    assert found[2][0] / found[2][1] == 3e300 / -7e300


PROGRAM = """
int f(int a, double x, unsigned char c)
{
    if (a > 17 && a != 100) { if (x > 0.3 && x < 0.34) return 1; }
    if (c == 'x') { if (a < -5) return 2; }
    return x > 1e200 ? 3 : 4;
}
"""


@given(st.lists(st.tuples(st.integers(-200, 200), st.sampled_from([0.31, 0.33, -4.2, 1e250, 7.5]),
                          st.sampled_from([120, 3, 77])), min_size=1, max_size=12))  # fmt: skip
def test_reduce_and_simplify_keep_the_coverage(programs: Programs, drawn: list[tuple[int, float, int]]) -> None:
    subject = programs.load(PROGRAM)
    runs = [subject.run(words_of(subject.signature, *values)) for values in drawn]
    wanted = frozenset(range(2 * len(subject.sites)))
    covered = set().union(*(run.covered for run in runs))
    chosen = [runs[n] for n in reduce(runs, wanted)]
    simple = simplify(subject.signature, chosen, wanted, unlimited(subject.run))
    again = [simple[n] for n in reduce(simple, wanted)]
    assert set().union(*(run.covered for run in again)) >= covered
    for run in again:
        assert subject.run(run.words) == run
    for one_run, other in itertools.combinations(again, 2):
        assert one_run.words != other.words
