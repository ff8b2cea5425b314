"""Expressions mean what Python computes, where Python computes anything; elsewhere what IEEE 754 and C say."""

from __future__ import annotations

import math
import operator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from term.python_expressions import ONE, TWO, value_of
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits
from zeroin.term.core.traversal import variables
from zeroin.term.expression.functions import FUNCTIONS
from zeroin.term.expression.parser import parse, read
from zeroin.term.expression.typed import TYPES, ExpressionError, Type

SORTS: dict[str, Sort | Type]
SORTS = {"x": FLOAT64, "y": FLOAT64, "n": INT, "m": INT, "f": FLOAT32, "r": REAL, "b": BOOL,
         "i": TYPES["i8"], "j": TYPES["i8"], "u": TYPES["u8"], "v": TYPES["u8"], "w": TYPES["i32"],
         "k": TYPES["u32"]}  # fmt: skip


def value(text: str, **model: Any) -> Any:
    return value_of(read(text, SORTS).value, model)


def holds(text: str, **model: Any) -> bool:
    return evaluate(parse(text, SORTS), model) is True


# ---- as Python ----


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("round(x) == 0", [0.5, -0.5]), ("round(x) == 2", [1.5, 2.5]), ("floor(x) == -1", [-0.5]),
        ("2**53 + 1 == n", []), ("x // -2 == -1", [0.5, 1.5]), ("x % -2 == -1.5", [0.5, 2.5, -1.5]),
    ],
)  # fmt: skip
def test_rounding(text: str, expected: list[float]) -> None:
    assert [x for x in (0.5, 1.5, 2.5, -0.5, -1.5) if holds(text, x=x, n=2**53)] == expected


# ---- where Python raises an exception ----


@pytest.mark.parametrize(
    "text",
    [
        "1 / x == inf", "-1 / x", "x / x", "1.0 / 0", "1 / 0", "x % x", "1 // x", "sqrt(-1)", "log(x)", "log(-1)",
        "exp(1000)", "x ** -1", "2.0 ** 5000", "(-8) ** 0.5", "round(inf)", "int(nan)", "n / 0", "n // n", "n % n",
        "n ** -1", "fma(1e308, 10, 1)", "fma(inf, 0, 1)", "log(8, 1)", "sin(inf)", "u // (u - u)", "i % (i - i)",
        "r / (r - r)", "(2**n + 9) ** 1e5", "tgamma(-1)", "lgamma(0)", "(2 if b else x) // 0",
    ],
)  # fmt: skip
def test_an_exception_is_neither_true_nor_false(text: str) -> None:
    compared = text if "==" in text else f"({text}) == 0"
    model = {"x": 0.0, "n": 0, "b": True, "u": 1, "i": 1, "r": Fraction(1)}
    for condition in (compared, f"not ({compared})", f"({compared}) == b", f"b if {compared} else b"):
        assert not holds(condition, **model), condition


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x == 0 or 1/x > 2", True), ("x != 0 and 1/x > 2", False), ("not (x != 0 and 1/x > 2)", True),
        ("1/x > 2 or x == 0", False), ("b or log(x) > 0", True), ("0 < x < 1/x", False), ("not 0 < x < 1/x", True),
        ("(1/x if x != 0 else 3) == 3", True), ("x == 0 and (x > 1 or not (x > 2 and 1/x > 0))", True),
        ("(b or 1/x > 0) == b", True), ("(b and 1/x > 0) == b", False), ("b | (1/x > 0)", False),
        ("1e308 * 10 + x == inf", True), ("inf - inf != 0", True),
    ],
)  # fmt: skip
def test_what_is_not_reached_raises_nothing(text: str, expected: bool) -> None:
    assert holds(text, x=0.0, b=True) is expected
    assert (eval(text, {"x": 0.0, "b": True, "log": math.log, "inf": math.inf}) if expected else True) is True


def test_what_is_bounds_no_other_condition() -> None:
    """Conditions that raise no exception have no more parts than they are written with."""
    assert repr(parse("x < 0 or y > 1 and not n == 2", SORTS)).count("(") == 6


# ---- functions ----

FUNCTION_VALUES = {
    "copysign": ("copysign(3, -0.0)", -3.0), "tgamma": ("tgamma(5)", 24.0),
    "fma": ("fma(0.1, 10, -1)", 2.0**-54), "fmin": ("fmin(nan, 2)", 2.0), "fmax": ("fmax(1, 2)", 2.0),
    "rint": ("rint(2.5)", 2.0), "float32": ("float32(0.1)", 0.10000000149011612), "double": ("double(7)", 7.0),
    "int": ("int(-2.9)", -2), "i8": ("i8(-2.9)", 254), "i16": ("i16(n)", 5), "i32": ("i32(b)", 1),
    "i64": ("i64(i)", 2**64 - 3), "u8": ("u8(x)", 2), "u16": ("u16(u)", 200), "u32": ("u32(i)", 2**32 - 3),
    "u64": ("u64(u)", 200), "real": ("real(x)", Fraction(5, 2)),
    "floor": ("floor(-2.5)", -3), "ceil": ("ceil(-2.5)", -2), "trunc": ("trunc(-2.5)", -2),
    "round": ("round(3.5)", 4), "j0": ("j0(0)", 1.0), "j1": ("j1(0)", 0.0), "y0": ("y0(0)", -math.inf),
    "y1": ("y1(0)", -math.inf),
}  # fmt: skip
PREDICATES = {"isnan": [False, False, True], "isinf": [False, True, False], "isfinite": [True, False, False],
              "bool": [True, True, True]}  # fmt: skip
RANDOMLY = {*ONE.split(), *TWO, "abs", "min", "max", "pow"} - {"math.sqrt", "math.pow"}  # in test_as_python.py


def test_no_function_goes_untested() -> None:
    assert set(FUNCTIONS) == FUNCTION_VALUES.keys() | PREDICATES.keys() | RANDOMLY


@pytest.mark.parametrize("name", FUNCTION_VALUES)
def test_values_of_functions(name: str) -> None:
    text, expected = FUNCTION_VALUES[name]
    found = value(text, x=2.5, n=5, b=True, i=253, u=200)
    assert (found, type(found)) == (expected, type(expected))
    assert name in text


@pytest.mark.parametrize("name", PREDICATES)
def test_predicates(name: str) -> None:
    assert [holds(f"{name}(x)", x=x) for x in (1.5, -math.inf, math.nan)] == PREDICATES[name]
    assert holds(f"{name}(n)", n=1) is PREDICATES[name][0]


# ---- types ----

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_,
             "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt, "==": operator.eq}  # fmt: skip


def c_quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


@given(st.sampled_from(sorted(OPERATORS)), st.integers(0, 255), st.integers(0, 255), st.booleans())
def test_bit_vectors_as_c(sign: str, a: int, b: int, signed: bool) -> None:
    names = ("i", "j") if signed else ("u", "v")
    numbers = [c - 256 if signed and c > 127 else c for c in (a, b)]
    model = dict(zip(names, (a, b), strict=True))
    text = f"{names[0]} {sign} {names[1]}"
    expected = OPERATORS[sign](*numbers)
    assert (holds(text, **model) if isinstance(expected, bool) else value(text, **model)) == (
        expected if isinstance(expected, bool) else expected & 255
    )
    if b:
        assert value(f"{names[0]} / {names[1]}", **model) == c_quotient(*numbers) & 255
        assert value(f"{names[0]} // {names[1]}", **model) == c_quotient(*numbers) & 255
        rest = numbers[0] - numbers[1] * c_quotient(*numbers)
        assert value(f"{names[0]} % {names[1]}", **model) == rest & 255


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("u * 2 == 144", True),  # 200 * 2 wraps around
        ("i < 0 and u > 127", True),
        ("i < u", False),  # of one width: unsigned, 253 is not less than 200
        ("w < i", True),
        ("i + w == -7", True),  # the narrow one is extended by its own sign
        ("i + k == 2**32 - 2", True),
        ("i >> 1 == -2 and u >> 1 == 100 and u << 1 == 144", True),
        ("~u == 55 and -u == 56 and abs(i) == 3 and i ** 2 == 9 and u ** 2 == 64", True),
        ("i + n == 2 and n - u == -195", True),  # Int is wider than any
        ("u + 0.5 == 200.5 and i * f == -1.5", True),
        ("n / 2 == 2.5 and n // 2 == 2 and n ** 2 == 25 and n ** -1 == 0.2", True),
        ("f == 0.5 and f * 0.1 == float32(0.05)", True),
        ("r == 1/3 and 3 * r == 1 and r + 0.1 == 13/30 and r ** 2 == 1/9", True),
        ("floor(r) == 0 and ceil(r) == 1 and trunc(-r) == 0 and r // 0.1 == 3 and r % 0.1 == 1/30", True),
        ("int(-r) == 0 and int(r * 10) == 3 and float(r) == 1/3 and abs(-r) == r", True),
        ("(1 if b else 2) + u == 201 and (0.5 if b else 1) * x == 1", True),
        ("b == (x == 2) and b ^ False and (b & True) and not (not b | False)", True),
        ("int(b) + float(b) == 2 and bool(n) and pow(n, 2) == 25 and log(8, x) == 3.0", True),
        ("0x10 == 16 and 2**0.5 == sqrt(2) and ~5 == -6 and 1 << 3 == 8 and 7 & 3 == 3", True),
        ("e > 2.7 and E == math.e and PI == pi == math.pi and tau == 2*pi and -inf < 0 and nan != nan", True),
        ("u == 200 or u == 201", True),
        ("u != 200", False),
    ],
)
def test_types_meet(text: str, expected: bool) -> None:
    model = {"i": 253, "u": 200, "w": 2**32 - 4, "k": 1, "n": 5, "f": 0.5, "r": Fraction(1, 3), "b": True, "x": 2.0}
    assert holds(text, **model) is expected


def test_a_variable_hides_a_constant() -> None:
    assert [v.data for v in variables([parse("e == 2 and pi > 3", {"e": INT})])] == ["e"]


def test_the_default_is_the_type_of_unknown_names() -> None:
    (x,) = variables([parse("x > 1", {}, default=FLOAT32)])
    assert x.sort == FLOAT32
    (u,) = variables([parse("u > 127", {}, default=TYPES["u8"])])
    assert u.sort == bits(8)
    assert parse("u > 127", {}, default=TYPES["u8"]).op is Op.BV_ULT


def test_constants_over_int_are_powers() -> None:
    assert parse("n**2 == 4", SORTS).args[0].op is Op.POWER
    assert parse("x**2 == 4", SORTS).args[0].args[0].data == "pow"


def test_long_expressions() -> None:
    assert holds(" and ".join(f"x > {k}" for k in range(20_000)), x=20_000.0)
    assert value("+".join(["x"] * 2000), x=1.0) == 2000
    assert holds("n == \\\n 3 and\n (x >\n 1)", n=3, x=2.0)
    assert holds("  n == 3", n=3)


# ---- errors ----

ERRORS = [
    ("", "the expression is empty"),
    (" \n", "the expression is empty"),
    ("x >", "column 4: invalid syntax"),
    ("x = 1", "with == for equality"),
    ("x > (", "column 5: '(' was never closed"),
    ("z > 1", "column 1: the variable z has no type: give it one, such as --var z:float"),
    ("  x > 1 and z", "column 13: the variable z"),
    ("'ä' == z", "column 1: a string is not a number"),
    ("x > 1 and\n  z > 1", "line 2, column 3: the variable z"),
    ("(x >\n 1", "line 1, column 1: '(' was never"),
    ("x", "the expression is a float, not a condition"),
    ("n + 1", "is an int, not a condition"),
    ("1", "is an int"),
    ("foo(x) > 1", "column 1: there is no function foo"),
    ("x < sinn(x)", "column 5: there is no function sinn: write sin"),
    ("q(x) > 1", "there are abs, acos"),
    ("sin(x, y) > 1", "column 1: sin takes 1 argument, not 2"),
    ("max(x) > 1", "max takes at least 2 arguments, not 1"),
    ("atan2(x) > 1", "atan2 takes 2 arguments, not 1"),
    ("sin(a=x) > 1", "sin takes no keyword arguments"),
    ("sin > 1", "sin is a function: write sin(...)"),
    ("x.real > 1", "column 1: x.real is unknown: there are math.pi"),
    ("math.foo > 1", "math.foo is unknown"),
    ("math.foo(x) > 1", "there is no function foo"),
    ("x.foo(1) > 1", "only functions by name can be called"),
    ("(lambda: 1)() > 1", "only functions by name can be called"),
    ("lambda: 1", "column 1: lambda is not possible here"),
    ("[x]", "a list is not possible here"),
    ("x[0] > 1", "an index is not possible here"),
    ("x, y", "a comma is not"),
    ("{x}", "a set is not"),
    ("{x: 1}", "a dict is not"),
    ("[x for x in y]", "a comprehension is not"),
    ("f'{x}'", "a string is not possible"),
    ("(x := 1) > 0", ":= is not possible"),
    ("x is y", "is is not possible"),
    ("x in y", "in is not possible"),
    ("x @ y > 1", "@ is not possible"),
    ("sin(*x) > 1", "* is not possible"),
    ("x > 'a'", "column 5: a string is not a number"),
    ("x > 1j", "1j is not a number"),
    ("x > None", "None is not a number"),
    ("x and b", "column 1: and takes conditions, not a float: write ... != 0"),
    ("b or 1", "or takes conditions, not an int"),
    ("not x", "not takes conditions"),
    ("1 if x else 2", "if takes conditions"),
    ("b + 1 > 1", "a bool and an int do not go together: write (1 if ... else 0)"),
    ("b + b > 1", "+ does not take a bool"),
    ("b == 1", "do not go together"),
    ("b < b", "bools have no order"),
    ("-b", "- does not take a bool"),
    ("+b", "+ does not"),
    ("~b", "~ takes bit vectors, not a bool: write not"),
    ("~x > 1", "~ takes bit vectors"),
    ("b ** 2 > 1", "do not go"),
    ("b ** b > 1", "** does not take a bool"),
    ("sin(b) > 1", "takes numbers, not a bool"),
    ("abs(b) > 1", "not a bool"),
    ("x & 1 > 1", "& takes bit vectors, not a float"),
    ("(x & 1) > 1", "& takes bit vectors, not a float"),
    ("(1.5 & 1) > 1", "& takes integers"),
    ("u == 256", "256 does not fit u8, which is from 0 to 255"),
    ("u == -1", "-1 does not fit u8"),
    ("i < 128", "fit i8"),
    ("r < inf", "inf is not a value of type real"),
    ("r ** 0.5 > 1", "a real can be raised to a constant"),
    ("u ** v > 1", "a u8 can be raised to a constant"),
    ("round(r) > 1", "a real is rounded by floor, ceil and trunc only"),
    ("x + 10**400 > 1", "column 1: the number is too large for a float"),
    ("n < 10**10000", "makes a number of more than 4096 bits"),
    ("n < 1 << 10000", "makes a number of more than"),
    ("n < 1 << -1", "takes no negative number of bits"),
    ("x > \0", "null bytes"),
    ("-" * 30_000 + "x", "nested too deeply"),
    ("+".join("x" * 30_000) + ">1", "nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), ERRORS, ids=lambda text: repr(text)[:40])
def test_errors(text: str, message: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text, SORTS)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
