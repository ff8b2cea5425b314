"""What is plausible, what is extreme, and what an input consists of."""

from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal

import pytest

from programs import Programs
from zeroin.languages.python.front.signature import PythonSignature
from zeroin.languages.python.values.containers import List, Str, Union
from zeroin.languages.python.values.scalars import Complex, Date, Datetime, DecimalShape, NoneShape, Timedelta
from zeroin.languages.python.values.shapes import Bool, Float, Int, PythonParameter, Shape
from zeroin.languages.python.values.zones import Time
from zeroin.subject.values import Role
from zeroin.suite.plausible import Level, cost_of, extremes, is_finite, is_moderate, is_ordinary, level_of


def of(shape: Shape, value: object) -> tuple[PythonSignature, tuple[int, ...]]:
    """A signature with one parameter, and the words of its value."""
    return PythonSignature("f", (PythonParameter("x", shape.type, shape),)), shape.encode(value)


@pytest.mark.parametrize(("shape", "value", "level", "word"), [
    (Float(), 0.0, Level.PLAUSIBLE, ""),
    (Float(), 273.15, Level.PLAUSIBLE, ""),
    (Float(), 0.001, Level.PLAUSIBLE, ""),
    (Float(), 1e6, Level.PLAUSIBLE, ""),
    (Float(), -0.0, Level.ODD, ""),
    (Float(), 1e-6, Level.ODD, ""),
    (Float(), 3.14159, Level.ODD, ""),
    (Float(), 1.5e6, Level.EXTREME, "huge"),
    (Float(), 1e-10, Level.EXTREME, "tiny"),
    (Float(), 4.2439915814e-314, Level.EXTREME, "denormal"),
    (Float(), -math.inf, Level.NOT_FINITE, "infinite"),
    (Float(), math.nan, Level.NOT_FINITE, "nan"),
    (Int(), 65536, Level.PLAUSIBLE, ""),
    (Int(), 123_456, Level.ODD, ""),
    (Int(), -(2**31), Level.EXTREME, "huge"),
    (Int(), 1 << 1030, Level.EXTREME, "huge"),
    (Bool(), True, Level.PLAUSIBLE, ""),
    (Complex(), complex(1.0, math.inf), Level.NOT_FINITE, "infinite"),
    (DecimalShape(), Decimal("12.34"), Level.PLAUSIBLE, ""),
    (DecimalShape(), Decimal("0.125"), Level.ODD, ""),
    (DecimalShape(), Decimal("1E+300"), Level.EXTREME, "huge"),
    (Date(), date(2024, 2, 29), Level.PLAUSIBLE, ""),
    (Date(), date(1950, 6, 26), Level.ODD, ""),
    (Date(), date(1890, 6, 26), Level.EXTREME, "early"),
    (Date(), date(9999, 12, 31), Level.EXTREME, "late"),
    (Datetime(), datetime(2001, 1, 1, 12, 30), Level.PLAUSIBLE, ""),
    (Datetime(), datetime(2001, 1, 1, 0, 0, 0, 17), Level.ODD, ""),
    (Timedelta(), timedelta(days=2), Level.PLAUSIBLE, ""),
    (Timedelta(), timedelta(days=100_000), Level.EXTREME, "long"),
    (Time(), time(23, 59, 59), Level.PLAUSIBLE, ""),
    (Time(), time(0, 0, 0, 1), Level.ODD, ""),
    (Str(high=80), "two words", Level.PLAUSIBLE, ""),
    (Str(high=80), "10000", Level.PLAUSIBLE, ""),
    (Str(high=80), "-1:5", Level.PLAUSIBLE, ""),
    (Str(high=80), "aaaaaaaaaa", Level.ODD, ""),
    (Str(high=80), "a\x00b", Level.ODD, ""),
    (Str(high=80), "{;~}x", Level.ODD, ""),
    (Str(high=80), "ab" * 20, Level.EXTREME, "long"),
])  # fmt: skip
def test_levels(shape: Shape, value: object, level: Level, word: str) -> None:
    signature, words = of(shape, value)
    assert level_of(signature, words) is level
    assert extremes(signature, words) == ([("x", word)] if word else [])


@pytest.mark.parametrize(("shape", "plainer", "other"), [
    (Float(), 10.0, 12.5),
    (Float(), 123.456, 1e7),
    (Float(), 1e300, math.inf),
    (Int(), 12_000, 12_345),
    (Date(), date(2000, 1, 1), date(2001, 1, 1)),
    (Date(), date(2001, 1, 1), date(2001, 3, 17)),
    (Datetime(), datetime(2001, 1, 1), datetime(2001, 1, 1, 3, 7)),
    (Str(), "abc", "aaaa"),
    (Str(), "abc", "a;c"),
    (DecimalShape(), Decimal("0.12"), Decimal("0.123")),
    (List(Float()), [1.0], [1.0, 1.0]),
])  # fmt: skip
def test_costs(shape: Shape, plainer: object, other: object) -> None:
    assert cost_of(*of(shape, plainer)) < cost_of(*of(shape, other))


def test_ordinary_moderate_and_finite_are_about_numbers() -> None:
    judged = {number: [ask(*of(Float(), number)) for ask in (is_ordinary, is_moderate, is_finite)]
              for number in (1e-9, 1e-10, 1e6, 1e7, math.inf)}  # fmt: skip
    assert judged == {1e-9: [True, True, True], 1e-10: [False, True, True], 1e6: [True, True, True],
                      1e7: [False, False, True], math.inf: [False, False, False]}  # fmt: skip
    assert is_ordinary(*of(Str(high=80), "ab" * 20))


def test_words_without_influence_are_no_values() -> None:
    either = Union((Float(), List(Int(), high=2), NoneShape(), Str()))
    signature, words = of(either, [7])
    found = [(value.role, value.start) for value in signature.values_in(words)]
    assert found == [(Role.CHOICE, 0), (Role.SIZE, 2), (Role.NUMBER, 3)]
    signature, words = of(either, None)
    assert [value.role for value in signature.values_in(words)] == [Role.CHOICE]
    signature, words = of(either, "ab")
    text = signature.values_in(words)[-1]
    assert text.text(words) == "ab"
    assert either.build(text.with_text(words, "other"), lambda path: None) == "other"


def test_default_values_are_not_judged() -> None:
    tolerance = PythonParameter("tolerance", "float", Float(), default=Float().encode(1e-30))
    signature = PythonSignature("f", (tolerance,))
    assert level_of(signature, Float().encode(1e-30)) is Level.PLAUSIBLE
    assert level_of(signature, Float().encode(1e-31)) is Level.EXTREME


C = """
enum color { RED = 3, GREEN = 70000000 };
struct point { double x, y; };
int f(const char *s, enum color c, const struct point *p, int n, const long *xs, long double big)
{
    if (s[0] == 'a' && s[1] == 'b' && p == 0) return 1;
    long sum = 0;
    for (int i = 0; i < n; i++) sum += xs[i];
    return sum > 3 || c == RED || big > 2;
}
"""


def test_values_of_a_call_in_c(programs: Programs) -> None:
    signature = programs.load(C, "f").signature
    words = signature.words_of("'ab', 3, {'x': 1.0, 'y': 2.0}, 2, [5, 6], 1.0")
    names = [parameter.name for parameter in signature.parameters for _ in range(parameter.arity)]
    shown = [(value.role, names[value.start]) for value in signature.values_in(words)]
    assert [one for one in shown if one[0] is not Role.CHOICE] == [
        (Role.TEXT, "s"), (Role.MEMBER, "c"), (Role.NUMBER, "p"), (Role.NUMBER, "p"), (Role.NUMBER, "n"),
        (Role.NUMBER, "xs"), (Role.NUMBER, "xs"), (Role.NUMBER, "big"), (Role.SIZE, "big")]  # fmt: skip
    words = signature.words_of("'aaaaaaaaa', 70_000_000, None, 0, [], 1.0")
    assert level_of(signature, words) is Level.ODD
    text = next(value for value in signature.values_in(words) if value.role is Role.TEXT)
    assert signature.show(text.with_text(words, "xyz")).startswith('f("xyz", ')
    unnamed = signature.words_of("'', 70_000_001, None, 0, [], 1.0")
    assert extremes(signature, unnamed) == [("c", "unnamed")]
