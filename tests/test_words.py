"""Ordered words: the bijection, its order, its notations, and that C and native code agree with Python."""

from __future__ import annotations

import ast
import ctypes
import math
import re
import struct
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import Programs
from zeroin.languages.c.front.layout import Scalar
from zeroin.native.words import value_of_word, word_of_float, word_of_small, word_of_value
from zeroin.words import (
    Kind,
    Number,
    bits_from_word,
    decode,
    encode,
    exact,
    readable,
    value_range,
    word_from_bits,
    word_range,
)

C_KINDS = [kind for kind in Kind if kind not in (Kind.INT, Kind.CHAR, Kind.F80)]  # a word for every bit pattern
KINDS = list(Kind)
FLOATS = [Kind.F64, Kind.F32]
INTEGERS = [kind for kind in KINDS if not kind.is_float]
SMALL = [kind for kind in KINDS if kind.bits <= 8]
MANTISSA = {Kind.F64: 52, Kind.F32: 23}
PACK = {Kind.F64: "d", Kind.F32: "f"}


def any_word(kind: Kind) -> st.SearchStrategy[int]:
    """Words of the kind: anywhere, and near the ends, the infinities and the zeros."""
    low, high = word_range(kind)
    edges = {low, high, 0}
    if kind.is_float:
        edges |= {encode(kind, v) for v in (0.0, -0.0, 1.0, math.inf, -math.inf, math.nan)}
    near = [w for e in edges for w in (e - 1, e, e + 1) if low <= w <= high]
    return st.one_of(st.integers(low, high), st.sampled_from(sorted(near)))


def kind_and_words(kinds: list[Kind], count: int) -> st.SearchStrategy[tuple[Kind, ...]]:
    return st.sampled_from(kinds).flatmap(lambda k: st.tuples(st.just(k), *[any_word(k)] * count))


def infinity_bits(kind: Kind) -> int:
    return ((1 << (kind.bits - 1 - MANTISSA[kind])) - 1) << MANTISSA[kind]


def is_nan_bits(kind: Kind, bits: int) -> bool:
    return bits & ((1 << (kind.bits - 1)) - 1) > infinity_bits(kind)


# ---- the bijection ----


@pytest.mark.parametrize("kind", SMALL)
def test_small_kinds_exhaustively(kind: Kind) -> None:
    low, high = word_range(kind)
    words = list(range(low, high + 1))
    assert len(words) == 1 << kind.bits
    patterns = [bits_from_word(kind, w) for w in words]
    assert sorted(patterns) == list(range(1 << kind.bits))
    assert [word_from_bits(kind, p) for p in patterns] == words
    values = [decode(kind, w) for w in words]
    assert values == list(range(value_range(kind)[0], value_range(kind)[1] + 1))
    assert [encode(kind, v) for v in values] == words


@given(kind_and_words(KINDS, 1))
def test_bits_and_back(case: tuple[Kind, int]) -> None:
    kind, word = case
    bits = bits_from_word(kind, word)
    assert 0 <= bits < 1 << kind.bits
    assert word_from_bits(kind, bits) == word


@given(st.sampled_from(C_KINDS).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, (1 << k.bits) - 1))))
def test_every_bit_pattern_has_a_word(case: tuple[Kind, int]) -> None:
    kind, bits = case
    low, high = word_range(kind)
    assert low <= word_from_bits(kind, bits) <= high
    assert bits_from_word(kind, word_from_bits(kind, bits)) == bits


@pytest.mark.parametrize("kind", C_KINDS)
def test_the_ranges_hold_as_many_words_as_there_are_patterns(kind: Kind) -> None:
    low, high = word_range(kind)
    assert high - low + 1 == 1 << kind.bits
    assert -(1 << 63) <= low <= high < 1 << 63


# ---- the order ----


@given(kind_and_words(KINDS, 2))
def test_order_is_kept(case: tuple[Kind, int, int]) -> None:
    kind, one, two = case
    a, b = decode(kind, one), decode(kind, two)
    if a != a or b != b:
        return
    if a < b:
        assert one < two
    if one < two:
        assert a < b or (a == b == 0.0 and math.copysign(1, a) < math.copysign(1, b))


@given(kind_and_words(FLOATS, 1))
def test_a_step_is_one_ulp(case: tuple[Kind, int]) -> None:
    kind, word = case
    value = float(decode(kind, word))
    if not math.isfinite(value) or (value == 0.0 and math.copysign(1, value) < 0):
        return
    if kind is Kind.F64:
        assert decode(kind, word + 1) == math.nextafter(value, math.inf)
    else:
        after = float(decode(kind, word + 1))
        middle = (Fraction(value) + Fraction(after)) / 2 if math.isfinite(after) else None
        assert after > value
        assert middle is None or float(decode(kind, encode(kind, float(middle)))) in (value, after)


@pytest.mark.parametrize("kind", FLOATS)
def test_order_of_the_landmarks(kind: Kind) -> None:
    low, high = word_range(kind)
    mantissa, sign = MANTISSA[kind], 1 << (kind.bits - 1)
    infinity = infinity_bits(kind)
    patterns = [
        sign | infinity, sign | (infinity - 1), sign | 1 << mantissa, sign | 1, sign, 0, 1, 1 << mantissa,
        infinity - 1, infinity, infinity + 1, infinity | 1 << (mantissa - 1), sign - 1,
    ]  # fmt: skip
    words = [word_from_bits(kind, p) for p in patterns]
    assert words == sorted(words)
    assert words[0] == low
    assert words[4] + 1 == words[5]
    assert words[9] + 1 == words[10]
    assert words[-1] < high


@pytest.mark.parametrize("kind", FLOATS)
@given(data=st.data())
def test_nans_come_after_infinity_positive_payloads_first(kind: Kind, data: st.DataObject) -> None:
    payload = data.draw(st.integers(1, (1 << MANTISSA[kind]) - 1))
    positive = word_from_bits(kind, infinity_bits(kind) | payload)
    negative = word_from_bits(kind, 1 << (kind.bits - 1) | infinity_bits(kind) | payload)
    infinity, last_positive = encode(kind, math.inf), word_from_bits(kind, (1 << (kind.bits - 1)) - 1)
    assert infinity < positive <= last_positive < negative <= word_range(kind)[1]
    assert positive - infinity == payload


# ---- values ----


@given(kind_and_words(KINDS, 1))
def test_decode_and_encode(case: tuple[Kind, int]) -> None:
    kind, word = case
    value = decode(kind, word)
    if value != value:  # a NaN may lose its payload on the way through a C float
        assert math.isnan(float(decode(kind, encode(kind, value))))
    else:
        assert encode(kind, value) == word


@given(kind_and_words([Kind.F64], 1))
def test_doubles_keep_their_bits(case: tuple[Kind, int]) -> None:
    kind, word = case
    bits = bits_from_word(kind, word)
    assert struct.pack("<d", decode(kind, word)) == bits.to_bytes(8, "little")


@pytest.mark.parametrize(("value", "expected"), [(1e39, math.inf), (-1e39, -math.inf), (1e-60, 0.0), (0.1, 0.1)])
def test_float32_is_rounded_to(value: float, expected: float) -> None:
    found = float(decode(Kind.F32, encode(Kind.F32, value)))
    assert found == ctypes.c_float(expected).value


@pytest.mark.parametrize("kind", [kind for kind in INTEGERS if kind is not Kind.INT])
def test_integers_that_do_not_fit(kind: Kind) -> None:
    low, high = value_range(kind)
    assert (decode(kind, encode(kind, low)), decode(kind, encode(kind, high))) == (low, high)
    for value in (low - 1, high + 1):
        with pytest.raises(ValueError, match=f"{value} does not fit {kind.name}"):
            encode(kind, value)


@given(st.integers())
def test_unbounded_integers_become_the_neighbour_nearer_to_0(value: int) -> None:
    found = int(decode(Kind.INT, encode(Kind.INT, value)))
    assert abs(value) - abs(value) // 2**52 <= abs(found) <= abs(value)
    assert abs(value) >= 2**62 or found == value


def test_the_largest_integers() -> None:
    low, high = value_range(Kind.INT)
    assert high == -low == (2**53 - 1) << 1033
    assert encode(Kind.INT, 10**400) == word_range(Kind.INT)[1]
    assert encode(Kind.INT, -(10**400)) == word_range(Kind.INT)[0]


# ---- notations ----


def from_exact(kind: Kind, text: str) -> int:
    """Read the exact notation back, by rules of its own."""
    match = re.fullmatch(r"(-?)nan(?:\(0x([0-9a-f]+)\))?", text)
    if match:
        payload = int(match[2], 16) if match[2] else 1 << (MANTISSA[kind] - 1)
        sign = 1 << (kind.bits - 1) if match[1] else 0
        return word_from_bits(kind, sign | infinity_bits(kind) | payload)
    value: Number = float.fromhex(text) if kind.is_float else int(text)
    return encode(kind, value)


@given(kind_and_words(KINDS, 1))
def test_exact_loses_nothing(case: tuple[Kind, int]) -> None:
    kind, word = case
    assert from_exact(kind, exact(kind, word)) == word


@given(kind_and_words(KINDS, 1))
def test_readable_reads_back(case: tuple[Kind, int]) -> None:
    kind, word = case
    text = readable(kind, word)
    if kind is Kind.BOOL:
        assert text == str(bool(word))
    elif kind is Kind.CHAR:
        assert ord(ast.literal_eval(text)) == word
    elif text.startswith("nan"):  # a signalling one with its bits
        assert is_nan_bits(kind, bits_from_word(kind, word))
    else:
        assert encode(kind, float(text) if kind.is_float else int(text)) == word


@pytest.mark.parametrize(
    ("kind", "value", "expected_exact", "expected_readable"),
    [
        (Kind.F64, 0.5, "0x1p-1", "0.5"),
        (Kind.F64, -0.0, "-0x0p+0", "-0.0"),
        (Kind.F64, 0.1, "0x1.999999999999ap-4", "0.1"),
        (Kind.F64, 5e-324, "0x0.0000000000001p-1022", "5e-324"),
        (Kind.F64, math.nan, "nan", "nan"),
        (Kind.F64, -math.inf, "-inf", "-inf"),
        (Kind.F32, 0.1, "0x1.99999ap-4", "0.1"),
        (Kind.F32, 3.4028234663852886e38, "0x1.fffffep+127", "3.4028235e+38"),
        (Kind.F32, 16777216.0, "0x1p+24", "16777216.0"),
        (Kind.U64, (1 << 64) - 1, "18446744073709551615", "18446744073709551615"),
        (Kind.BOOL, True, "1", "True"),
    ],
)
def test_notations(kind: Kind, value: Number, expected_exact: str, expected_readable: str) -> None:
    word = encode(kind, value)
    assert (exact(kind, word), readable(kind, word)) == (expected_exact, expected_readable)


def test_payload_and_sign_of_nan_are_written() -> None:
    bits = 0xFFF0000000000001
    assert exact(Kind.F64, word_from_bits(Kind.F64, bits)) == "-nan(0x1)"
    assert exact(Kind.F32, word_from_bits(Kind.F32, 0x7FC00001)) == "nan(0x400001)"


# ---- the same in C and in Numba ----

IDENTITY = {
    Kind.F64: "double f(double x) { return x; }",
    Kind.F32: "float f(float x) { return x; }",
    Kind.U64: "unsigned long long f(unsigned long long x) { return x; }",
    Kind.I64: "long long f(long long x) { return x; }",
    Kind.U32: "unsigned f(unsigned x) { return x; }",
    Kind.I32: "int f(int x) { return x; }",
    Kind.I16: "short f(short x) { return x; }",
    Kind.U16: "unsigned short f(unsigned short x) { return x; }",
    Kind.I8: "signed char f(signed char x) { return x; }",
    Kind.U8: "unsigned char f(unsigned char x) { return x; }",
    Kind.BOOL: "_Bool f(_Bool x) { return x; }",
}
assert set(IDENTITY) == {*C_KINDS} - {Kind.BYTE, Kind.F16}  # those are parts of a string, and of a _Float16


@pytest.mark.parametrize("kind", IDENTITY)
@given(data=st.data())
def test_compiled_code_sees_the_same_bits(programs: Programs, kind: Kind, data: st.DataObject) -> None:
    subject = programs.load(IDENTITY[kind])
    assert subject.signature.kinds == (kind,)
    assert subject.signature.result == Scalar(kind)
    word = data.draw(any_word(kind))
    assert subject.replay((word,)).result == bits_from_word(kind, word)
    assert subject.observe((word,)).result == bits_from_word(kind, word)


@given(any_word(Kind.F64))
def test_native_word_of_float(word: int) -> None:
    value = float(decode(Kind.F64, word))
    assert word_of_float(value) == word


def as_float(value: Number) -> float:
    """The nearest double; of an integer that is too large for any, infinity."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_native_values_of_words(kind: Kind, data: st.DataObject) -> None:
    word = data.draw(any_word(kind))
    expected = as_float(decode(kind, word))
    found = value_of_word(int(kind), word)
    assert struct.pack("<d", found) == struct.pack("<d", expected) or (found != found and expected != expected)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_native_words_of_values(kind: Kind, data: st.DataObject) -> None:
    word = data.draw(any_word(kind))
    low, high = word_range(kind)
    value = as_float(decode(kind, word))
    found = word_of_value(int(kind), value, low, high)
    assert low <= found <= high
    if value != value:
        assert is_nan_bits(kind, bits_from_word(kind, found))
    elif kind.is_float:
        assert found == word
    elif math.isfinite(value):
        assert as_float(decode(kind, found)) == value or abs(float(decode(kind, found)) - value) <= 1024


@pytest.mark.parametrize("kind", KINDS)
@given(value=st.floats(-100.0, 100.0))
def test_small_values_have_the_same_words(kind: Kind, value: float) -> None:
    low, high = word_range(kind)
    assert min(max(word_of_small(int(kind), value), low), high) == word_of_value(int(kind), value, low, high)


@pytest.mark.parametrize("kind", INTEGERS)
@given(value=st.floats())
def test_native_words_of_any_double_stay_in_range(kind: Kind, value: float) -> None:
    low, high = word_range(kind)
    found = word_of_value(int(kind), value, low, high)
    assert low <= found <= high
    if math.isfinite(value) and low <= value < high and kind is not Kind.U64:
        assert found == int(value) or (kind is Kind.INT and int(decode(kind, found)) == int(value))
