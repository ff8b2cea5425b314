"""Ordered words: 64-bit integers in the order of the values that they encode.

Each primitive type has a bijection onto integers that preserves the order of its values. A float becomes its position
on the ULP line, ``-inf < ... < -0.0 < +0.0 < ... < +inf < NaNs`` (positive NaNs first). So a step of 1 is one ULP,
and a step of 2**52 is one binade. Signed and unsigned integers keep their order.

Python's unbounded integers are exact up to 62 bits. Above that, their words step through 53-bit mantissas and
1024 exponents, like those of a float. All words fit a signed 64-bit integer. Minimizers work on words only.
"""

from __future__ import annotations

import math
import struct
from enum import IntEnum

from . import extended

Number = float | int | bool


class Kind(IntEnum):
    """The primitive type of one input. The native kernels use the same numbers."""

    F64 = 0
    F32 = 1
    I8 = 2
    I16 = 3
    I32 = 4
    I64 = 5
    U8 = 6
    U16 = 7
    U32 = 8
    U64 = 9
    BOOL = 10
    INT = 11  # Python's int
    CHAR = 12  # a code point of a Python string; the word in front of the code points is the string's length
    BYTE = 13  # a char of a C string; bytes behind the first 0 are ignored
    F80 = 14  # the upper 64 bits of a long double; its "value" in Python is the word itself
    F16 = 15  # its "value" in Python is the word itself, too

    @property
    def is_float(self) -> bool:
        """Whether its values are Python floats: true for F64 and F32 only."""
        return self in (Kind.F64, Kind.F32)

    @property
    def bits(self) -> int:
        """The width of its bit patterns, in bits: 64 for INT, and for F80, where only the upper 64 bits count."""
        return _BITS[self]

    @property
    def signed(self) -> bool:
        """Whether it is a signed integer; true for INT, false for CHAR and BYTE."""
        return self.name.startswith("I")


_BITS = {
    Kind.F64: 64, Kind.F32: 32, Kind.I8: 8, Kind.I16: 16, Kind.I32: 32, Kind.I64: 64,
    Kind.U8: 8, Kind.U16: 16, Kind.U32: 32, Kind.U64: 64, Kind.BOOL: 1, Kind.INT: 64, Kind.CHAR: 21,
    Kind.BYTE: 8, Kind.F80: 64, Kind.F16: 16,
}  # fmt: skip

ORDINARY = 1_000_000  # the largest size of an ordinary number
LARGE = (Kind.F64, Kind.F32, Kind.I32, Kind.I64, Kind.U32, Kind.U64, Kind.INT)  # kinds that have larger values
OWN_WORDS = (Kind.F80, Kind.F16)  # floats without a Python type: their words are used in place of values
# The number of negative NaNs. Rotation by this number moves them behind the positive NaNs.
F64_ROTATION = (1 << 52) - 1
F32_ROTATION = (1 << 23) - 1


def _signed(value: int, width: int) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if value >> (width - 1) else value


def word_from_bits(kind: Kind, bits: int) -> int:
    """Return the ordered word of a bit pattern, an unsigned integer of the kind's width (not checked)."""
    width = kind.bits
    if kind.is_float:
        low = (1 << (width - 1)) - 1
        line = bits ^ low if bits >> (width - 1) else bits
        rotation = F64_ROTATION if kind == Kind.F64 else F32_ROTATION
        return _signed(line - rotation, width)
    if kind == Kind.F80:
        return extended.upper_word(bits)
    if kind == Kind.F16:
        return ~(bits & 0x7FFF) if bits >> 15 else bits
    if kind == Kind.U64:
        return bits - (1 << 63)
    return _signed(bits, width) if kind.signed else bits


def bits_from_word(kind: Kind, word: int) -> int:
    """Return the bit pattern of an ordered word, an unsigned integer of the kind's width.

    For INT it is the word modulo 2**64, not the value.
    """
    width = kind.bits
    if kind.is_float:
        rotation = F64_ROTATION if kind == Kind.F64 else F32_ROTATION
        line = (word + rotation) & ((1 << width) - 1)
        return line ^ ((1 << (width - 1)) - 1) if line >> (width - 1) else line
    if kind == Kind.F80:
        return extended.upper_bits(word)
    if kind == Kind.F16:
        return word if word >= 0 else 0x8000 | ~word
    if kind == Kind.U64:
        return word + (1 << 63)
    return word & ((1 << width) - 1)


def encode(kind: Kind, value: Number) -> int:
    """Return the ordered word of a Python value.

    A float that is too large for ``F32`` becomes an infinity. For ``INT``, integers of at least 2**62 share words: such
    an integer gets the word of its neighbour nearer to 0. For ``F80`` and ``F16``, the value is the word itself. For
    all kinds but F64 and F32, the fraction of a float is dropped.

    Raises:
        ValueError: an integer is outside the kind's range (never for ``INT``), or a NaN is to become an integer.
        OverflowError: an infinity is to become an integer.
        struct.error: an integer is too large for a float.
    """
    if kind == Kind.F64:
        return word_from_bits(kind, int.from_bytes(struct.pack("<d", value), "little"))
    if kind == Kind.F32:
        try:
            packed = struct.pack("<f", value)
        except OverflowError:
            packed = struct.pack("<f", math.copysign(math.inf, value))
        return word_from_bits(kind, int.from_bytes(packed, "little"))
    number = int(value)
    if kind == Kind.INT:
        return _word_of_int(number)
    low, high = value_range(kind)
    if not low <= number <= high:
        raise ValueError(f"{number} does not fit {kind.name} ({low} to {high})")
    if kind in OWN_WORDS:
        return number
    return word_from_bits(kind, number & ((1 << kind.bits) - 1))


def decode(kind: Kind, word: int) -> Number:
    """Return the Python value of an ordered word: a float, an int or a bool (for F80 and F16, the word itself).

    A character or a byte becomes an int.
    """
    if kind == Kind.INT:
        return _int_of_word(word)
    if kind in OWN_WORDS:
        return word
    bits = bits_from_word(kind, word)
    if kind == Kind.F64:
        return float(struct.unpack("<d", bits.to_bytes(8, "little"))[0])
    if kind == Kind.F32:
        return float(struct.unpack("<f", bits.to_bytes(4, "little"))[0])
    if kind == Kind.BOOL:
        return bool(bits)
    return _signed(bits, kind.bits) if kind.signed else bits


EXACT = 1 << 62  # integers of at least this size share words with their neighbours


def _word_of_int(value: int) -> int:
    """Return the word of an integer. An integer without a word of its own gets that of its neighbour nearer to 0."""
    size = abs(value)
    if size < EXACT:
        return value
    exponent = size.bit_length() - 63
    word = (1 << 63) - 1
    if exponent < 1024:
        word = EXACT + (exponent << 52) + (size >> (exponent + 10)) - (1 << 52)
    return word if value > 0 else -word


def _int_of_word(word: int) -> int:
    size = abs(word)
    if size < EXACT:
        return word
    exponent, mantissa = divmod(size - EXACT, 1 << 52)
    value = ((1 << 52) + mantissa) << (exponent + 10)
    return value if word > 0 else -value


def word_near(kind: Kind, value: float) -> int:
    """Return the word of the nearest ``long double`` or ``_Float16``; for a ``long double``, only its upper word."""
    bits = extended.bits_of(value) >> 16 if kind is Kind.F80 else extended.half_bits(value)
    return word_from_bits(kind, bits)


def nearest(kind: Kind, word: int) -> float:
    """Return the double that is nearest to a ``long double`` or ``_Float16``; unknown lower bits count as 0."""
    bits = bits_from_word(kind, word)
    return extended.nearest(bits << 16) if kind is Kind.F80 else extended.half(bits)


def value_range(kind: Kind) -> tuple[int, int]:
    """Return the smallest and the largest value of an integer kind, both inclusive.

    For F80 and F16 these are the smallest and the largest word. For F64 and F32 the result has no meaning.
    """
    if kind == Kind.INT:
        return -_int_of_word((1 << 63) - 1), _int_of_word((1 << 63) - 1)
    if kind == Kind.CHAR:
        return 0, 0x10FFFF
    if kind in OWN_WORDS:
        size = 1 << (62 if kind == Kind.F80 else 15)
        return -size, size - 1
    if kind.signed:
        return -(1 << (kind.bits - 1)), (1 << (kind.bits - 1)) - 1
    return 0, (1 << kind.bits) - 1


def word_range(kind: Kind) -> tuple[int, int]:
    """Return the smallest and the largest ordered word of a kind, both inclusive."""
    if kind == Kind.F64 or kind == Kind.U64:
        return -(1 << 63), (1 << 63) - 1
    if kind == Kind.F32:
        return -(1 << 31), (1 << 31) - 1
    if kind == Kind.INT:
        return -(1 << 63) + 1, (1 << 63) - 1
    return value_range(kind)


def exact(kind: Kind, word: int) -> str:
    """Return the value as text without loss: a C99 hexadecimal float or a decimal integer.

    ``nan`` and ``inf`` have a minus if negative; a NaN whose payload is not the default has its payload. A bool is
    ``0`` or ``1``, a character its code point, and a value of F80 or F16 its word.
    """
    if not kind.is_float:
        return str(int(decode(kind, word)))
    value = float(decode(kind, word))
    if math.isnan(value):
        bits = bits_from_word(kind, word)
        mantissa = 52 if kind == Kind.F64 else 23
        payload = bits & ((1 << mantissa) - 1)
        sign = "-" if bits >> (kind.bits - 1) else ""
        return f"{sign}nan" if payload == 1 << (mantissa - 1) else f"{sign}nan(0x{payload:x})"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return _hex(value)


def _hex(value: float) -> str:
    """Return C99 hexadecimal without the padding zeros of ``float.hex``: 0x1p-1, not 0x1.0000000000000p-1."""
    head, exponent = value.hex().split("p")
    if "." in head:
        head = head.rstrip("0").rstrip(".")
    return f"{head}p{exponent}"


def is_signalling(kind: Kind, word: int) -> bool:
    """Whether the word encodes a signalling NaN of F64 or F32; False for all other kinds.

    Operations may treat it differently from a quiet NaN.
    """
    if not kind.is_float:
        return False
    mantissa = 52 if kind == Kind.F64 else 23
    bits = bits_from_word(kind, word) & ((1 << kind.bits - 1) - 1)
    infinity = (1 << kind.bits - 1) - (1 << mantissa)
    return infinity < bits < infinity + (1 << mantissa - 1)


def readable(kind: Kind, word: int) -> str:
    """Return the value as text for people: the shortest decimal that parses to the same value.

    A signalling NaN is shown with its bits, because ``nan`` denotes a quiet one. A character is quoted, a bool is
    ``True`` or ``False``, and a value of F80 or F16 is its word.
    """
    value = decode(kind, word)
    if is_signalling(kind, word):
        return f"nan(0x{bits_from_word(kind, word):x})"
    if kind == Kind.CHAR:
        return repr(chr(int(value)))
    if kind != Kind.F32 or not math.isfinite(value):
        return repr(value)
    for digits in range(1, 10):
        text = f"{value:.{digits}g}"
        if encode(kind, float(text)) == word:
            return repr(float(text))
    return repr(value)
