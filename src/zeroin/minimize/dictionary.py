"""The dictionary of a word: values that are worth trying, whatever the code or because of its constants."""

from __future__ import annotations

import math

from ..subject.constant import Constant
from ..words import OWN_WORDS, Kind, decode, encode, nearest, value_range, word_from_bits, word_near

_FLOATS = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, math.pi, math.inf)
_EDGES = {Kind.F64: (1.7976931348623157e308, 2.2250738585072014e-308, 5e-324),
          Kind.F32: (3.4028234663852886e38, 1.1754943508222875e-38, 1.401298464324817e-45)}  # fmt: skip
_LEAST_NORMAL = {Kind.F80: 1 << 47, Kind.F16: 1 << 10}  # as words
_INTEGERS = (0, 1, 2, 3, 10)


def special(kind: Kind) -> list[int]:
    """Return the words worth trying for any subject. They may repeat."""
    if kind is Kind.CHAR:
        return [ord(c) for c in "a0 A-.zZ9,é\n"]
    if kind in OWN_WORDS:
        floats = (*_FLOATS, *_EDGES[Kind.F64][: 3 * (kind is Kind.F80)], math.nan)
        ends = (_LEAST_NORMAL[kind], word_near(kind, math.inf) - 1)
        return [w for one in (*(word_near(kind, value) for value in floats), *ends) for w in (one, ~one)]
    if kind is Kind.BYTE:
        return [0, *b"a0 A-.zZ9,\n", 1, 127, 128, 255]
    if kind.is_float:
        values = [*_FLOATS, *_EDGES[kind]]
        return [encode(kind, s * v) for v in values for s in (1.0, -1.0)] + [encode(kind, math.nan)]
    low, high = value_range(kind)
    if kind is Kind.INT:
        low, high = -(1 << 63), (1 << 64) + 1
    return [w for v in (*_INTEGERS, low, high) for s in (v, -v) for w in _integer(kind, s)]


def _derived_of_width(kind: Kind, constant: Constant) -> list[int]:
    """Do the same as :func:`derived` if the input or the constant is a ``long double`` or ``_Float16``."""
    of, bits = constant
    word = word_from_bits(of, bits)
    if of is not kind:
        value = nearest(of, word) if of in OWN_WORDS else float(decode(of, word))
        if kind not in OWN_WORDS:
            return derived(kind, Constant.of_float(value))
        word = word_near(kind, value)
    low, high = value_range(kind)
    return [w for w in (word, word + 1, word - 1, ~word) if low <= w <= high]


def _integer(kind: Kind, value: int) -> list[int]:
    """Return a list with the word of an integer, or an empty list if the kind can not hold it."""
    if kind.is_float:
        return [encode(kind, float(value))]
    low, high = value_range(kind)
    return [encode(kind, value)] if low <= value <= high else []


def derived(kind: Kind, constant: Constant) -> list[int]:
    """Return the words that a constant of the code suggests for an input of this kind; empty if there are none.

    These are the constant and its neighbours. For a float input, an integer constant may also be the bits of a float,
    or the high half of its bits, because code may inspect the representation of floats. Words may repeat.
    """
    of, bits = constant
    if Kind.CHAR in (kind, of):
        return [bits] if kind is of else []
    if kind in OWN_WORDS or of in OWN_WORDS:
        return _derived_of_width(kind, constant)
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
