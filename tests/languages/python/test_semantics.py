"""Each function of semantics.py does what CPython does: the same result to the last bit, the same error, or none."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numba import njit
from numba.core.errors import TypingError

from zeroin.distance import EQ, GE, GT, LE, LT, NE
from zeroin.languages.python.run.native import semantics
from zeroin.languages.python.run.native.rewrite import OPERATORS
from zeroin.languages.python.run.native.semantics import FUNCTIONS, Unknown

_forget = njit(lambda: semantics.forget())
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 1.5, -1.5, 2.5, 3.0, 170.6, 171.7, 709.7, 710.0, -745.2, 1e-300,
           5e-324, -5e-324, 1e300, -1e300, 2.0**53, 2.0**62, -(2.0**62), 2.0**63, -(2.0**63), 1e22, math.inf, -math.inf,
           math.nan, 1.0000000000000002, 0.9999999999999999, -170.5, -1.0000000000000002]  # fmt: skip
INTS = [0, 1, -1, 2, 3, -2, 7, 10, 31, 32, 61, 62, 63, 64, 2**31, 2**32, 2**53, 2**53 + 1, 2**61, 2**62 - 1, 1 - 2**62]

floats = st.floats() | st.floats(-40, 40) | st.sampled_from(SPECIAL)
ints = st.integers(1 - 2**62, 2**62 - 1) | st.integers(-70, 70) | st.sampled_from(INTS)

one = {known: entry[0] for known, entry in FUNCTIONS.items() if entry[1] == 1 and known is not math.isqrt}
two = {known: entry[0] for known, entry in FUNCTIONS.items() if entry[1] == 2}
PYTHON: dict[str, Callable[..., Any]]
PYTHON = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
          "shift": operator.lshift, "shift_right": operator.rshift, "power": operator.pow,
          "invert": operator.invert}  # fmt: skip
NAMES = {known: f"{known.__module__}.{known.__name__}" for known in FUNCTIONS}


@cache
def native(function: Callable[..., Any], arity: int = 1) -> Callable[..., Any]:
    return njit((lambda x: function(x)) if arity == 1 else (lambda x, y: function(x, y)), error_model="python")


def outcome(function: Callable[..., Any], *arguments: Any) -> Any:
    """The result and its bits, or the class of the exception."""
    try:
        result = function(*arguments)
    except Unknown:
        assert _forget()
        return Unknown
    except Exception as error:
        return type(error)
    if isinstance(result, float):
        return "nan" if result != result else struct.pack("<d", result)
    return result


def check(function: Callable[..., Any], known: Callable[..., Any], *arguments: Any) -> Any:
    found, expected = outcome(function, *arguments), outcome(known, *arguments)
    if found is not Unknown:
        assert found == expected, arguments
        assert isinstance(found, bytes) == isinstance(expected, bytes), arguments
    assert not _forget()
    return found, expected


@given(st.one_of(st.integers(-3, 2**62), st.integers(0, 2**31).map(lambda n: n * n + 1)))
def test_roots_of_integers(n: int) -> None:
    function = native(FUNCTIONS[math.isqrt][0])
    for near in (n - 1, n, n - 2):
        check(function, math.isqrt, near)


def test_a_root_of_a_float_is_refused() -> None:
    with pytest.raises(TypingError):
        native(FUNCTIONS[math.isqrt][0])(4.0)


@pytest.mark.parametrize("known", one, ids=NAMES.get)
def test_functions_of_one_float(known: Callable[..., Any]) -> None:
    function = native(one[known])

    @given(floats)
    def same(x: float) -> None:
        found, expected = check(function, known, x)
        if found is Unknown:
            assert abs(expected) >= 2**62

    same()
    for x in SPECIAL:
        check(function, known, x)


@pytest.mark.parametrize("known", [math.floor, math.ceil, math.trunc, int, round, math.sqrt, math.exp], ids=NAMES.get)
def test_functions_of_one_integer(known: Callable[..., Any]) -> None:
    function = native(one[known])
    for n in [*INTS, True, False]:
        found, _ = check(function, known, n)
        assert found is not Unknown


@pytest.mark.parametrize("known", [known for known in two if known is not math.ldexp], ids=NAMES.get)
def test_functions_of_two_floats(known: Callable[..., Any]) -> None:
    function = native(two[known], 2)

    @given(floats, floats)
    def same(x: float, y: float) -> None:
        found, expected = check(function, known, x, y)
        if found is Unknown:
            assert known is pow
            assert isinstance(expected, complex) or x < 0  # a complex number may also be too large

    same()
    for x in SPECIAL:
        for y in SPECIAL:
            same.hypothesis.inner_test(x, y)  # type: ignore[attr-defined]


@given(floats, ints)
def test_ldexp(x: float, n: int) -> None:
    found, _ = check(native(two[math.ldexp], 2), math.ldexp, x, n)
    assert found is not Unknown


@given(ints, ints)
@example(2, -1)
@example(-8, 3)
@example(0, 0)
def test_pow_of_the_math_module_is_of_floats(x: int, y: int) -> None:
    found, _ = check(native(two[math.pow], 2), math.pow, x, y)
    assert found is not Unknown


@pytest.mark.parametrize("name", [name for name in OPERATORS if name not in ("power", "invert", "divide")])
def test_operators_of_integers(name: str) -> None:
    function = native(getattr(semantics, name), 2)

    def fits(a: int, b: int) -> bool:
        if name == "shift" and not 0 <= b <= 200:
            return a == 0
        result = PYTHON[name](a, b) if b >= 0 or not name.startswith("shift") else 0
        return -(2**62) < result < 2**62

    @given(ints, ints)
    @example(2**62 - 1, 2**62 - 1)
    @example(1 - 2**62, 2)
    @example(2**40, 2**40)
    @example(0, 10**9)
    @example(-1, 62)
    @example(5, -1)
    @example(-7, 100)
    def same(a: int, b: int) -> None:
        if name == "shift" and b > 10**6:
            assert (outcome(function, a, b) is Unknown) == (a != 0)
            return
        found, _ = check(function, PYTHON[name], a, b)
        assert found is not Unknown or not fits(a, b)

    same()


@given(ints, ints)
@example(2**53 + 1, 3)
@example(2**60, 2**58)
@example(1, 0)
def test_true_division_of_integers(a: int, b: int) -> None:
    found, _ = check(native(semantics.divide, 2), operator.truediv, a, b)
    if found is Unknown:
        assert float(a) != a or float(b) != b


@given(st.integers(-40, 40) | st.sampled_from(INTS), st.integers(-3, 70))
@example(0, -1)
@example(2, 62)
@example(-2, 63)
def test_power_of_integers(a: int, b: int) -> None:
    found, expected = check(native(semantics.power, 2), operator.pow, a, b)
    if found is Unknown:
        assert b < 0 or abs(expected) >= 2**62


@given(ints | st.booleans())
def test_inverse(a: int) -> None:
    assert outcome(native(semantics.invert), a) == -a - 1


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "power"])
def test_operators_of_floats_and_mixed(name: str) -> None:
    function = native(getattr(semantics, name), 2)

    @given(floats | ints | st.booleans(), floats)
    def same(a: float, b: float) -> None:
        if isinstance(a, float):
            check(function, PYTHON[name], b, a)
        found, expected = check(function, PYTHON[name], a, b)
        if found is Unknown:
            assert isinstance(expected, complex) or expected is OverflowError

    same()


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "shift", "shift_right"])
def test_booleans_are_integers(name: str) -> None:
    function = native(getattr(semantics, name), 2)
    for a in (False, True, 5):
        for b in (False, True):
            found, expected = outcome(function, a, b), PYTHON[name](a, b)
            assert found == expected
            assert not isinstance(found, bool)


@given(ints)
@example(2**62 - 1)
@example((2**31 - 1) ** 2)
@example((2**31 - 1) ** 2 - 1)
@example((2**31 - 1) ** 2 + 1)
@example(-1)
def test_square_roots_of_integers(n: int) -> None:
    found, _ = check(native(FUNCTIONS[math.isqrt][0]), math.isqrt, n)
    assert found is not Unknown


@given(ints)
def test_which_integers_a_float_equals(n: int) -> None:
    assert bool(native(semantics.is_exact)(n)) == (float(n) == n)


def test_comparisons_the_other_way_round() -> None:
    turned = {LT: GT, GT: LT, LE: GE, GE: LE, EQ: EQ, NE: NE}
    for op, other in turned.items():
        assert native(semantics.swapped)(op) == other


def test_there_is_an_operator_for_each_name() -> None:
    assert set(OPERATORS) == set(PYTHON)
    assert {math.floor, math.sqrt, int, round, pow, math.pow, math.fmod} <= set(FUNCTIONS)
