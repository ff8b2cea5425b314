"""The 80-bit floats of x86, beside those of NumPy, which are the processor's."""

from __future__ import annotations

import math
import platform
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin import extended
from zeroin.words import Kind, bits_from_word, word_from_bits, word_range

LOW, HIGH = word_range(Kind.F80)
INFINITY = extended.bits_of(math.inf)

uppers = st.one_of(st.integers(LOW, HIGH), st.integers(-(1 << 48), 1 << 48), st.sampled_from([LOW, HIGH, 0, -1]))


def bits(upper: int, lower: int) -> int:
    return extended.upper_bits(upper) << 16 | lower


all_bits = st.builds(bits, uppers, st.one_of(st.integers(0, 0xFFFF), st.sampled_from([0, 1, 0xFFFF])))
finite = all_bits.filter(lambda found: extended.fraction(found) is not None)


def numpys(found: int) -> np.longdouble:
    return np.longdouble(np.frombuffer(found.to_bytes(16, "little"), dtype=np.longdouble)[0])


def is_normal(found: int) -> bool:
    """Whether the first bit of the mantissa is as it should be."""
    return bool(found >> 63 & 1) == (found >> 64 & 0x7FFF > 0)


def of_numpys(value: np.longdouble) -> int:
    return int.from_bytes(value.tobytes()[:10], "little")


def test_this_machine_has_them() -> None:
    assert platform.machine() == "x86_64"
    assert np.finfo(np.longdouble).nmant == 63


@given(uppers)
def test_upper_words_and_back(word: int) -> None:
    pattern = bits_from_word(Kind.F80, word)
    assert word_from_bits(Kind.F80, pattern) == word
    assert 0 <= pattern < 1 << 64


@given(all_bits, all_bits)
def test_the_order_of_words_is_that_of_values(one: int, other: int) -> None:
    a, b = ((extended.upper_word(found >> 16), found & 0xFFFF) for found in (one, other))
    x, y = numpys(one), numpys(other)
    if x < y:
        assert a[0] <= b[0]
        assert a != b
    if a[0] == b[0] and not math.isnan(x) and not math.isnan(y):
        assert (x < y) == (a[1] < b[1] if a[0] >= 0 else a[1] > b[1])


@given(finite)
def test_values(found: int) -> None:
    value, there = extended.fraction(found), numpys(found)
    assert value is not None
    assert extended.bits_of(value) == (found if value else 0)
    assert Fraction(*there.as_integer_ratio()) == value
    with np.errstate(over="ignore"):
        assert extended.nearest(found) == float(there)


@given(st.fractions(), st.integers(-16500, 16400))
def test_the_nearest_of_any_number(number: Fraction, power: int) -> None:
    value = number * Fraction(2) ** power
    found = extended.bits_of(value)
    here = extended.fraction(found)
    beside = [
        other
        for near in (found - 1, found + 1)
        if near >= 0 and (other := extended.fraction(near)) is not None and near >> 63 & 1 == (near >> 64 & 0x7FFF > 0)
    ]
    if here is None:
        assert abs(value) >= Fraction(2) ** 16384 - Fraction(2) ** 16319
    else:
        assert all(abs(value - here) <= abs(value - other) for other in beside)


@given(st.floats())
def test_doubles(value: float) -> None:
    found = extended.bits_of(value)
    assert math.isnan(value) or of_numpys(np.longdouble(value)) == found
    assert extended.nearest(found) == value or (math.isnan(value) and extended.is_nan(found))


@given(all_bits)
def test_texts_are_read_back(found: int) -> None:
    value = extended.fraction(found)
    if value is None:
        assert extended.readable(found) in ("nan", "-nan", "inf", "-inf")
        assert extended.is_nan(found) == ("nan" in extended.exact(found))
        return
    assert extended.bits_of(Fraction(extended.readable(found))) == (found if value else 0)
    mantissa, _, exponent = extended.exact(found).partition("p")
    sign, _, digits = mantissa.partition("0x")
    whole, _, after = digits.partition(".")
    read = Fraction(int(whole + after, 16)) / 16 ** len(after) * Fraction(2) ** int(exponent)
    assert (-read if sign else read) == value
    assert bool(sign) == found >> 79


@pytest.mark.parametrize(
    ("value", "exact", "readable"),
    [
        (Fraction(1, 2), "0x1p-1", "0.5"),
        (Fraction(1, 10), "0x1.999999999999999ap-4", "0.1"),
        (Fraction(10) ** 4000, "0x1.a3750647fcab18c2p+13287", "1e+4000"),
        (1 + Fraction(1, 1 << 63), "0x1.0000000000000002p+0", "1.0000000000000000001"),
        (Fraction(2) ** -16445, "0x1p-16445", "4e-4951"),
        (-3, "-0x1.8p+1", "-3.0"),
        (-0.0, "-0x0p+0", "-0.0"),
        (-math.inf, "-inf", "-inf"),
        (math.nan, "nan", "nan"),
    ],
)
def test_notations(value: float | Fraction, exact: str, readable: str) -> None:
    found = extended.bits_of(value if isinstance(value, float) else Fraction(value))
    assert (extended.exact(found), extended.readable(found)) == (exact, readable)
