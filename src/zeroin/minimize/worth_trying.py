"""Values worth trying for a word: special values, and what a constant that the input is compared with may mean."""

from __future__ import annotations

import math

from .. import extended
from ..subject.base import Constant
from ..words import Kind, decode, encode, value_range, word_from_bits

_FLOATS = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, math.pi, math.inf)
_EDGES = {Kind.F64: (1.7976931348623157e308, 2.2250738585072014e-308, 5e-324),
          Kind.F32: (3.4028234663852886e38, 1.1754943508222875e-38, 1.401298464324817e-45)}  # fmt: skip
_LEAST_NORMAL = 1 << 47  # as a word of a long double
_INTEGERS = (0, 1, 2, 3, 10)


def special(kind: Kind) -> list[int]:
    """Words that are worth trying whatever the subject does."""
    if kind is Kind.CHAR:
        return [ord(c) for c in "a0 A-.zZ9,é\n"]
    if kind is Kind.F80:
        floats = (*_FLOATS, *_EDGES[Kind.F64], math.nan)
        ends = (_LEAST_NORMAL, word_of_extended(math.inf) - 1)
        return [w for one in (*map(word_of_extended, floats), *ends) for w in (one, ~one)]
    if kind is Kind.BYTE:
        return [0, *b"a0 A-.zZ9,\n", 1, 127, 128, 255]
    if kind.is_float:
        values = [*_FLOATS, *_EDGES[kind]]
        return [encode(kind, s * v) for v in values for s in (1.0, -1.0)] + [encode(kind, math.nan)]
    low, high = value_range(kind)
    if kind is Kind.INT:
        low, high = -(1 << 63), (1 << 64) + 1
    return [w for v in (*_INTEGERS, low, high) for s in (v, -v) for w in _integer(kind, s)]


def word_of_extended(value: float) -> int:
    """The word of the upper bits of a long double with a value."""
    return extended.upper_word(extended.bits_of(value) >> 16)


def _derived_extended(kind: Kind, constant: Constant) -> list[int]:
    """Of, or for, the upper bits of a long double."""
    of, bits = constant
    if of is not Kind.F80:
        number = decode(of, word_from_bits(of, bits))
        word = word_of_extended(float(number))
    elif kind is not Kind.F80:
        value = extended.nearest(bits << 16)
        return derived(kind, Constant.of_float(value))
    else:
        word = extended.upper_word(bits)
    low, high = value_range(Kind.F80)
    return [w for w in (word, word + 1, word - 1, ~word) if low <= w <= high]


def _integer(kind: Kind, value: int) -> list[int]:
    """The word of an integer value, none if it does not fit."""
    if kind.is_float:
        return [encode(kind, float(value))]
    low, high = value_range(kind)
    return [encode(kind, value)] if low <= value <= high else []


def derived(kind: Kind, constant: Constant) -> list[int]:
    """What a constant may mean for an input: itself and its neighbours; and, for a float input, the float that has the
    integer as its bits or as the high half of its bits (code that looks at a float's representation)."""
    of, bits = constant
    if Kind.CHAR in (kind, of):
        return [bits] if kind is of else []
    if Kind.F80 in (kind, of):
        return _derived_extended(kind, constant)
    if of is Kind.F64:
        value = float(decode(Kind.F64, word_from_bits(Kind.F64, bits)))
        if kind.is_float:
            word = encode(kind, value)
            mirrored = encode(kind, -value)
            return [word, word + 1, word - 1, mirrored]
        if math.isfinite(value) and value == int(value):
            return [w for v in (int(value) - 1, int(value), int(value) + 1) for w in _integer(kind, v)]
        return []
    signed = bits - (1 << of.bits) if bits >> (of.bits - 1) else bits
    number = signed if kind.signed or kind.is_float else bits
    if kind is Kind.BYTE and -128 <= signed < 0:
        number = signed & 255  # a char may have a sign
    words = [w for v in (number, number - 1, number + 1) for w in _integer(kind, v)]
    if kind.is_float and signed not in (-1, 0, 1):
        half = kind.bits // 2
        patterns = [bits, bits << half, (bits << half) - 1, bits << half | ((1 << half) - 1)]
        sign = 1 << (kind.bits - 1)
        for pattern in patterns:
            if 0 <= pattern < 1 << kind.bits:
                words += [word_from_bits(kind, pattern), word_from_bits(kind, pattern ^ sign)]
    return words
