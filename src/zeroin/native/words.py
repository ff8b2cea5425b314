"""Ordered words in native code: the conversions of :mod:`zeroin.words` as kernels and as LLVM IR.

Ordered words are 64-bit integers in the order of the values that they encode.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..words import EXACT, F32_ROTATION, F64_ROTATION, Kind, word_from_bits
from .kernel import inlined, kernel

INFINITY = word_from_bits(Kind.F64, 0x7FF0000000000000)
NAN = word_from_bits(Kind.F64, 0x7FF8000000000000)
SINGLE_INFINITY = word_from_bits(Kind.F32, 0x7F800000)

_LOW, _LOW_32 = np.int64(0x7FFFFFFFFFFFFFFF), np.int64(0x7FFFFFFF)
_ROTATION, _ROTATION_32 = np.uint64(F64_ROTATION), np.int64(F32_ROTATION)
_F64, _F32, _U64, _INT = int(Kind.F64), int(Kind.F32), int(Kind.U64), int(Kind.INT)
_MOST, _LAST = (1 << 64) - 1, (1 << 63) - 1
_BINADE, _FIRST_BINADE = np.int64(1 << 52), np.int64((1023 + 62) << 52)
_EXACT = np.int64(EXACT)


@inlined
def word_of_float(a: float) -> Any:
    """Return the word of a double."""
    bits = np.float64(a).view(np.int64)
    line = bits ^ ((bits >> np.int64(63)) & _LOW)
    return np.int64(np.uint64(line) - _ROTATION)  # unsigned, because it may wrap around


@inlined
def float_of_word(word: Any) -> Any:
    """Return the double of a word."""
    line = np.int64(np.uint64(word) + _ROTATION)  # unsigned, because it may wrap around
    return np.int64(line ^ ((line >> np.int64(63)) & _LOW)).view(np.float64)


@inlined
def word_of_small(kind: Any, value: Any) -> Any:
    """Return the word of a double. For an integer kind, the double must be small enough for every kind of integer.

    It is truncated to an integer, and must not be NaN. For ``U64``, a negative number becomes 0.
    """
    if kind == _F64:
        return word_of_float(value)
    if kind == _F32:
        bits = np.int64(np.float32(value).view(np.int32))
        line = bits ^ ((bits >> np.int64(63)) & _LOW_32)
        return np.int64(np.int32(line - _ROTATION_32))
    whole = np.int64(value)
    if kind == _U64:
        return (whole if whole > 0 else np.int64(0)) ^ np.int64(-(1 << 63))
    return whole


@kernel
def word_of_value(kind: Any, value: Any, low: Any, high: Any) -> Any:
    """Return the word of a double, clipped to the words from low to high. For integer kinds, it is truncated.

    For integer kinds, the word of NaN is 0 before it is clipped, and an infinity gets an end of the range.
    """
    return min(max(_word_of_value(kind, value), low), high)


@kernel
def _word_of_value(kind: Any, value: Any) -> Any:
    """Return the word of a double, not clipped to a variable's range."""
    if kind <= _F32:
        return word_of_small(kind, value)
    if value != value:
        return np.int64(0)
    if kind == _INT and abs(value) >= 2.0**62:  # such words have a mantissa and an exponent, like a float
        if abs(value) == np.inf:
            return np.int64(_LAST) if value > 0.0 else np.int64(-_LAST)
        size = (np.float64(abs(value)).view(np.int64) - _FIRST_BINADE) + _EXACT
        return size if value > 0.0 else -size
    if kind == _U64:
        whole = np.uint64(min(max(value, 0.0), 2.0**64 - 2048.0)) if value < 2.0**64 else np.uint64(_MOST)
        return np.int64(whole ^ np.uint64(1 << 63))
    if value >= 2.0**63:
        return np.int64(_LAST)
    return np.int64(max(value, -(2.0**63)))


@kernel
def value_of_word(kind: Any, word: Any) -> Any:
    """Return the double of a word. A 64-bit integer is rounded. For ``F80`` and ``F16``, it is the word itself."""
    if kind == _F64:
        return float_of_word(word)
    if kind == _F32:
        low = np.int32(word + _ROTATION_32)
        return float(np.int32(low ^ ((low >> np.int32(31)) & np.int32(0x7FFFFFFF))).view(np.float32))
    if kind == _U64:
        return float(np.uint64(word) ^ np.uint64(1 << 63))
    if kind == _INT and abs(word) >= _EXACT:
        size = abs(word) - _EXACT
        mantissa = float((size & (_BINADE - np.int64(1))) + _BINADE) * 1024.0
        return np.copysign(mantissa * 2.0 ** float(size >> np.int64(52)), float(word))
    return float(word)


def _ir(name: str, integer: str, rotation: int, floating: str) -> str:
    """Return LLVM IR of two functions: ``zeroin_NAME`` from a word to the float, and ``zeroin_word_of_NAME`` back.

    Args:
        name: the name of the functions.
        integer: the IR type of the word.
        rotation: the number of negative NaNs, which moves them behind the positive ones.
        floating: the IR type of the float, as wide as ``integer``.
    """
    last = int(integer[1:]) - 1
    low = (1 << last) - 1
    return f"""
define internal {floating} @zeroin_{name}({integer} %word) alwaysinline {{
  %line = add {integer} %word, {rotation}
  %sign = ashr {integer} %line, {last}
  %flip = and {integer} %sign, {low}
  %bits = xor {integer} %line, %flip
  %x = bitcast {integer} %bits to {floating}
  ret {floating} %x
}}
define internal {integer} @zeroin_word_of_{name}({floating} %x) alwaysinline {{
  %bits = bitcast {floating} %x to {integer}
  %sign = ashr {integer} %bits, {last}
  %flip = and {integer} %sign, {low}
  %line = xor {integer} %bits, %flip
  %word = sub {integer} %line, {rotation}
  ret {integer} %word
}}"""


# zeroin_extended(i64) returns the upper 64 bits of a long double for the word of these.
_EXTENDED = f"""
define internal i64 @zeroin_extended(i64 %word) alwaysinline {{
  %sign = ashr i64 %word, 63
  %line = xor i64 %word, %sign
  %exponent = lshr i64 %line, 47
  %fraction = and i64 %line, {(1 << 47) - 1}
  %is.normal = icmp ne i64 %exponent, 0
  %normal = select i1 %is.normal, i64 {1 << 47}, i64 0
  %high = shl i64 %exponent, 48
  %signed = and i64 %word, {-(1 << 63)}
  %a = or i64 %high, %signed
  %b = or i64 %normal, %fraction
  %bits = or i64 %a, %b
  ret i64 %bits
}}"""

# Defines zeroin_extended(i64), zeroin_double(i64), zeroin_word_of_double(double), zeroin_float(i32) and
# zeroin_word_of_float(float).
IR = _EXTENDED + _ir("double", "i64", F64_ROTATION, "double") + _ir("float", "i32", F32_ROTATION, "float")
