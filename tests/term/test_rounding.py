"""Rounded arithmetic against exact fractions and neighbouring floats, the machine, and the C library."""

from __future__ import annotations

import ctypes
import math
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sampling import examples
from term.strategies import FLOATS, special, values
from zeroin.term.core import rounding
from zeroin.term.core.evaluate import same
from zeroin.term.core.nodes import Rounding
from zeroin.term.core.sorts import FLOAT32, FLOAT64, Sort
from zeroin.words import Kind, decode, encode, word_range

RNE, RNA, RTP, RTN, RTZ = Rounding
BOTH = pytest.mark.parametrize("sort", FLOATS, ids=["single", "double"])
EVERY = pytest.mark.parametrize("mode", list(Rounding), ids=lambda m: m.name)
NUMPY: dict[Sort, Any] = {FLOAT32: np.float32, FLOAT64: np.float64}


def neighbours(sort: Sort, exact: Fraction) -> tuple[float, float]:
    """The greatest float that is not above a number and the least that is not below."""
    kind = Kind.F32 if sort == FLOAT32 else Kind.F64
    try:
        near = encode(kind, float(exact))
    except OverflowError:
        near = encode(kind, math.inf if exact > 0 else -math.inf)
    low = word_range(kind)[0]
    around = [float(decode(kind, near + step)) for step in (-2, -1, 0, 1, 2) if low <= near + step]
    around = [x for x in around if not math.isnan(x)]
    return max(x for x in around if x <= exact), min(x for x in around if x >= exact)


def rounded(sort: Sort, exact: Fraction, mode: Rounding) -> float:
    """A number other than 0, rounded by choosing between its neighbours."""
    low, high = neighbours(sort, exact)
    towards = {RTN: low, RTP: high, RTZ: low if exact > 0 else high}
    if mode in towards or low == high:
        chosen = towards.get(mode, low)
    else:
        # An infinity is as far as the next power of two would be.
        beyond = Fraction(2) ** (128 if sort == FLOAT32 else 1024)
        below = exact - (Fraction(low) if low > -math.inf else -beyond)
        above = (Fraction(high) if high < math.inf else beyond) - exact
        if below != above:
            chosen = low if below < above else high
        elif mode is RNA:
            chosen = high if exact > 0 else low
        else:
            chosen = low if _even(sort, low) else high
    return math.copysign(chosen, 1 if exact > 0 else -1)


def _even(sort: Sort, x: float) -> bool:
    kind, whole = NUMPY[sort], np.uint32 if sort == FLOAT32 else np.uint64
    return int(kind(x).view(whole)) % 2 == 0


def pair(sort: Sort) -> st.SearchStrategy[tuple[float, float]]:
    return st.tuples(values(sort), values(sort))


def finite(*numbers: float) -> bool:
    return all(map(math.isfinite, numbers))


# ---- against exact numbers ----


@EVERY
@BOTH
@examples(40)
@given(data=st.data())
def test_any_fraction(sort: Sort, mode: Rounding, data: st.DataObject) -> None:
    a, b = data.draw(pair(sort).filter(lambda p: finite(*p) and p[1] != 0))
    c = data.draw(values(FLOAT64).filter(finite))
    for exact in (Fraction(a) / Fraction(b), Fraction(a) + Fraction(c) / 3, Fraction(c) * 7, Fraction(a) * Fraction(c)):
        if exact:
            assert same(rounding.round_float(sort, exact, mode), rounded(sort, exact, mode)), exact


@EVERY
@BOTH
def test_ties_and_the_ends_of_the_range(sort: Sort, mode: Rounding) -> None:
    digits, top = sort.sizes[1], 1 << (sort.sizes[0] - 1)
    least = Fraction(2) ** (3 - top - digits)
    largest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** (top - 1)
    half = Fraction(2) ** (top - 1 - digits)
    assert float(least) == (2.0**-149 if sort == FLOAT32 else 5e-324)
    points = [least / 2, least / 3, least * 3 / 4, least * 3 / 2, least * 5 / 2, largest, largest + half / 2,
              largest + half, largest + half * 3 / 2, largest + 2 * half, largest * 1000,
              1 + Fraction(1, 2**digits), 1 + Fraction(3, 2**digits), 1 + Fraction(5, 2 ** (digits + 1))]  # fmt: skip
    for exact in (*points, *(-p for p in points)):
        assert same(rounding.round_float(sort, exact, mode), rounded(sort, exact, mode)), exact


@pytest.mark.parametrize(
    ("mode", "over", "under"),
    [(RNE, math.inf, -math.inf), (RNA, math.inf, -math.inf), (RTP, math.inf, -1.7976931348623157e308),
     (RTN, 1.7976931348623157e308, -math.inf), (RTZ, 1.7976931348623157e308, -1.7976931348623157e308)],
)  # fmt: skip
def test_overflow(mode: Rounding, over: float, under: float) -> None:
    assert rounding.multiply(FLOAT64, mode, 1e200, 1e200) == over
    assert rounding.multiply(FLOAT64, mode, 1e200, -1e200) == under
    assert rounding.convert(FLOAT32, RTZ, 1e200) == 3.4028234663852886e38
    assert rounding.from_number(FLOAT64, mode, 10**400) == over


@EVERY
@BOTH
@examples(40)
@given(data=st.data())
def test_arithmetic(sort: Sort, mode: Rounding, data: st.DataObject) -> None:
    a, b = data.draw(pair(sort))
    c = data.draw(values(sort))
    if finite(a, b, c):
        x, y, z = map(Fraction, (a, b, c))
        exact: list[tuple[Callable[..., float], tuple[float, ...], Fraction]]
        exact = [(rounding.add, (a, b), x + y), (rounding.subtract, (a, b), x - y), (rounding.multiply, (a, b), x * y),
                 (rounding.fused, (a, b, c), x * y + z)]  # fmt: skip
        if b:
            exact.append((rounding.divide, (a, b), x / y))
        for operation, args, right in exact:
            if right:
                assert same(operation(sort, mode, *args), rounded(sort, right, mode)), (operation.__name__, args)


@EVERY
@BOTH
@examples(40)
@given(data=st.data())
@example(data=None)
def test_square_roots(sort: Sort, mode: Rounding, data: st.DataObject | None) -> None:
    for a in [data.draw(values(sort))] if data else special(sort):
        found = rounding.square_root(sort, mode, a)
        if a > 0 and a < math.inf:
            # Compare squares: the float above a root has a larger square, and so on.
            step = {m: np.nextafter(NUMPY[sort](found), NUMPY[sort](end)) for m, end in ((-1, 0), (1, math.inf))}
            below, exact, above = (Fraction(float(x)) for x in (step[-1], found, step[1]))
            if mode in (RTN, RTZ):
                assert exact**2 <= Fraction(a) < above**2
            elif mode is RTP:
                assert below**2 < Fraction(a) <= exact**2
            else:
                assert ((below + exact) / 2) ** 2 <= Fraction(a) <= ((exact + above) / 2) ** 2
        else:
            assert same(found, a if a == 0 or a > 0 else math.nan)


@EVERY
@examples(40)
@given(a=values(FLOAT64), whole=st.integers(-1000, 1000))
def test_to_integers(mode: Rounding, a: float, whole: int) -> None:
    functions: dict[Rounding, Callable[[float], int]]
    functions = {RNE: round, RTP: math.ceil, RTN: math.floor, RTZ: math.trunc,
                 RNA: lambda x: int(math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x))}  # fmt: skip
    for x in (a, whole / 2, math.nextafter(whole / 2, math.inf)):
        if finite(x):
            right = functions[mode](x)
            assert rounding.to_integer(mode, x) == right
            assert same(rounding.round_integral(FLOAT64, mode, x), math.copysign(right, x))
        else:
            assert rounding.to_integer(mode, x) is None
            assert same(rounding.round_integral(FLOAT64, mode, x), x)


# ---- against the machine ----


@BOTH
@examples(40)
@given(data=st.data())
def test_nearest_even_is_the_machine_s(sort: Sort, data: st.DataObject) -> None:
    a, b = data.draw(pair(sort))
    kind = NUMPY[sort]
    with np.errstate(all="ignore"):
        x, y = kind(a), kind(b)
        right = [x + y, x - y, x * y, x / y, np.sqrt(x), np.rint(x)]
    found = [rounding.add(sort, RNE, a, b), rounding.subtract(sort, RNE, a, b), rounding.multiply(sort, RNE, a, b),
             rounding.divide(sort, RNE, a, b), rounding.square_root(sort, RNE, a),
             rounding.round_integral(sort, RNE, a)]  # fmt: skip
    for one, other in zip(found, right, strict=True):
        assert same(one, float(other)), (a, b)


_LIBM = ctypes.CDLL("libm.so.6")
_MODES = {RNE: 0, RTN: 0x400, RTP: 0x800, RTZ: 0xC00}  # <fenv.h> of x86


@contextmanager
def rounds(mode: Rounding) -> Iterator[None]:
    assert _LIBM.fesetround(_MODES[mode]) == 0
    try:
        yield
    finally:
        _LIBM.fesetround(0)


def function(name: str, sort: Sort, count: int) -> Any:
    found = ctypes.CDLL("libm.so.6")[name + ("f" if sort == FLOAT32 else "")]
    kind = ctypes.c_float if sort == FLOAT32 else ctypes.c_double
    found.restype, found.argtypes = kind, [kind] * count
    return found


@pytest.mark.skipif(platform.machine() != "x86_64", reason="rounding modes have other numbers")
@pytest.mark.parametrize("mode", _MODES, ids=lambda m: m.name)
@BOTH
@examples(40)
@given(data=st.data())
def test_the_c_library_in_the_same_mode(sort: Sort, mode: Rounding, data: st.DataObject) -> None:
    a, b = data.draw(pair(sort))
    c = data.draw(st.one_of(values(sort), st.just(rounding.narrow(sort, -a * b))))
    fma, sqrt, nearbyint = function("fma", sort, 3), function("sqrt", sort, 1), function("nearbyint", sort, 1)
    with rounds(mode):
        right = [fma(a, b, c), fma(a, 1.0, b), sqrt(a), nearbyint(a)]
    found = [rounding.fused(sort, mode, a, b, c), rounding.add(sort, mode, a, b), rounding.square_root(sort, mode, a),
             rounding.round_integral(sort, mode, a)]  # fmt: skip
    for one, other in zip(found, right, strict=True):
        assert same(one, other), (a, b, c)


@BOTH
@examples(40)
@given(data=st.data())
def test_remainder_is_the_c_library_s(sort: Sort, data: st.DataObject) -> None:
    a, b = data.draw(pair(sort))
    assert same(rounding.remainder(sort, a, b), function("remainder", sort, 2)(a, b))


# ---- zeros, infinities and NaN ----


@EVERY
def test_signs_of_zeros(mode: Rounding) -> None:
    cancelled = -0.0 if mode is RTN else 0.0
    for sort in FLOATS:
        assert same(rounding.add(sort, mode, 1.5, -1.5), cancelled)
        assert same(rounding.add(sort, mode, 0.0, -0.0), cancelled)
        assert same(rounding.add(sort, mode, -0.0, -0.0), -0.0)
        assert same(rounding.add(sort, mode, 0.0, 0.0), 0.0)
        assert same(rounding.subtract(sort, mode, -0.0, 0.0), -0.0)
        assert same(rounding.subtract(sort, mode, 0.0, 0.0), cancelled)
        assert same(rounding.fused(sort, mode, 2.0, 3.0, -6.0), cancelled)
        assert same(rounding.fused(sort, mode, -0.0, 3.0, -0.0), -0.0)
        assert same(rounding.fused(sort, mode, -0.0, 3.0, 0.0), cancelled)
        assert same(rounding.multiply(sort, mode, -0.0, 3.0), -0.0)
        assert same(rounding.multiply(sort, mode, -0.0, -3.0), 0.0)
        assert same(rounding.divide(sort, mode, 0.0, -3.0), -0.0)
        assert same(rounding.divide(sort, mode, -1.0, math.inf), -0.0)
        assert same(rounding.square_root(sort, mode, -0.0), -0.0)
        assert same(rounding.round_integral(sort, mode, -0.25), -1.0 if mode is RTN else -0.0)
        assert same(rounding.convert(sort, mode, -0.0), -0.0)
        assert same(rounding.from_number(sort, mode, 0), 0.0)
        assert same(rounding.remainder(sort, -4.0, 2.0), -0.0)


@EVERY
@BOTH
@examples(40)
@given(a=st.sampled_from([math.inf, -math.inf, math.nan]), b=st.sampled_from(special(FLOAT32)))
def test_what_is_not_finite(sort: Sort, mode: Rounding, a: float, b: float) -> None:
    with np.errstate(all="ignore"):
        x, y = np.float64(a), np.float64(b)
        assert same(rounding.add(sort, mode, a, b), float(x + y))
        assert same(rounding.subtract(sort, mode, b, a), float(y - x))
        assert same(rounding.multiply(sort, mode, a, b), float(x * y))
        assert same(rounding.divide(sort, mode, a, b), float(x / y))
        assert same(rounding.divide(sort, mode, b, a), float(y / x))
        assert same(rounding.fused(sort, mode, a, b, 1.0), float(x * y + 1))
        assert same(rounding.fused(sort, mode, 2.0, 3.0, a), float(x))
        assert same(rounding.fused(sort, mode, b, 2.0, a), float(y * 2 + x))
        assert same(rounding.convert(sort, mode, a), a)
    for zero in (0.0, -0.0):
        expected = math.copysign(math.inf, zero)
        assert same(rounding.divide(sort, mode, 1.0, zero), expected)
        assert same(rounding.divide(sort, mode, -1.0, zero), -expected)
        assert math.isnan(rounding.divide(sort, mode, zero, zero))
    assert math.isnan(rounding.remainder(sort, a, 1.0))
    assert same(rounding.remainder(sort, 1.5, math.inf), 1.5)
    assert math.isnan(rounding.remainder(sort, 1.0, 0.0))
