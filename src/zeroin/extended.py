"""The 80-bit floats of x86 (C's ``long double``): conversion between bits, words, values and text.

The bits are a sign, 15 bits of exponent and 64 bits of mantissa. The first bit of the mantissa says whether the number
is normal. Patterns in which this bit contradicts the exponent are never generated.

An input of this type has two ordered words (:mod:`zeroin.words`). The first one stands for the upper 64 bits, in the
order of the values, and the second one for the other 16 bits.
"""

from __future__ import annotations

import math
import struct
from decimal import Context, Decimal
from fractions import Fraction

_BIAS, _LEAST, _INFINITE, _POINT = 16383, -16445, 0x7FFF, 63  # _LEAST: the exponent of a subnormal's last bit
_FRACTION = (1 << 47) - 1  # the fraction bits within the upper 64 bits
_DIGITS = 21  # decimal digits that distinguish all numbers
_CONTEXT = Context(prec=60, Emax=10_000, Emin=-10_000)


def upper_bits(word: int) -> int:
    """Return the upper 64 bits that an ordered word encodes, as an unsigned integer."""
    line = word if word >= 0 else ~word
    exponent = line >> 47
    return (word < 0) << 63 | exponent << 48 | (exponent > 0) << 47 | line & _FRACTION


def upper_word(bits: int) -> int:
    """Return the ordered word of the upper 64 bits. The mantissa's first bit is ignored: the exponent implies it."""
    line = (bits >> 48 & 0x7FFF) << 47 | bits & _FRACTION
    return ~line if bits >> 63 else line


def fraction(bits: int) -> Fraction | None:
    """Return the value of 80 bits, an unsigned integer; None for an infinity or a NaN. A zero loses its sign."""
    exponent, mantissa = bits >> 64 & 0x7FFF, bits & (1 << 64) - 1
    if exponent == _INFINITE:
        return None
    value = mantissa * Fraction(2) ** (max(exponent, 1) - _BIAS - _POINT)
    return -value if bits >> 79 else value


def bits_of(value: float | Fraction) -> int:
    """Return the 80 bits of the nearest number; a tie goes to the even one, and a value that is too large to infinity.

    Every NaN becomes the default NaN with the same sign. A float zero keeps its sign.
    """
    negative = value < 0 or (isinstance(value, float) and math.copysign(1.0, value) < 0)
    if isinstance(value, float) and not math.isfinite(value):
        special = 1 << 63 if math.isinf(value) else 3 << 62
        return negative << 79 | _INFINITE << 64 | special
    size = abs(Fraction(value))
    if size == 0:
        return negative << 79
    power = size.numerator.bit_length() - size.denominator.bit_length()
    power -= size < Fraction(2) ** power
    last = max(power - _POINT, _LEAST)
    mantissa = round(size / Fraction(2) ** last)
    if mantissa >> 64:
        mantissa, last = mantissa >> 1, last + 1
    exponent = last + _BIAS + _POINT if mantissa >> _POINT else 0
    if exponent >= _INFINITE:
        return negative << 79 | _INFINITE << 64 | 1 << 63
    return negative << 79 | exponent << 64 | mantissa


def _special(bits: int) -> str:
    sign = "-" if bits >> 79 else ""
    payload = bits & (1 << _POINT) - 1
    if payload == 0:
        return f"{sign}inf"
    return f"{sign}nan" if payload == 1 << 62 else f"{sign}nan(0x{payload:x})"


def half_bits(value: float) -> int:
    """Return the 16 bits of the nearest half-precision float; those of an infinity if the value is too large."""
    try:
        return int.from_bytes(struct.pack("<e", float(value)), "little")
    except OverflowError:
        return 0xFC00 if value < 0 else 0x7C00


def half(bits: int) -> float:
    """Return the value of a half-precision float, given as 16 bits."""
    return float(struct.unpack("<e", bits.to_bytes(2, "little"))[0])


def is_nan(bits: int) -> bool:
    """Whether 80 bits are a NaN."""
    return bits >> 64 & 0x7FFF == _INFINITE and bits & (1 << _POINT) - 1 != 0


def nearest(bits: int) -> float:
    """Return the double that is nearest to 80 bits; an infinity if they are too large. A NaN loses its payload."""
    value = fraction(bits)
    if value is None:
        return float(_special(bits).partition("(")[0])
    try:
        return math.copysign(float(value), -1.0 if bits >> 79 else 1.0)
    except OverflowError:
        return -math.inf if bits >> 79 else math.inf


def exact(bits: int) -> str:
    """Return 80 bits as a C99 hexadecimal float, without loss; ``nan`` and ``inf`` with a minus if negative.

    A NaN whose payload is not the default has its payload.
    """
    exponent, mantissa = bits >> 64 & 0x7FFF, bits & (1 << 64) - 1
    if exponent == _INFINITE:
        return _special(bits)
    sign = "-" if bits >> 79 else ""
    if mantissa == 0:
        return f"{sign}0x0p+0"
    shift = 64 - mantissa.bit_length()
    digits = f"{(mantissa << shift & (1 << _POINT) - 1) << 1:016x}".rstrip("0")
    return f"{sign}0x1{'.' * bool(digits)}{digits}p{max(exponent, 1) - _BIAS - shift:+d}"


def readable(bits: int) -> str:
    """Return 80 bits as the shortest decimal that parses to the same value.

    Infinities and NaNs become ``inf`` and ``nan``, with a minus if negative; the payload of a NaN is left out.
    """
    value = fraction(bits)
    if value is None:
        return _special(bits).partition("(")[0]
    short = nearest(bits)
    if math.isfinite(short) and bits_of(Fraction(repr(short))) == bits & (1 << 79) - 1 | (value < 0) << 79:
        return repr(short)
    plain = _CONTEXT.divide(Decimal(value.numerator), Decimal(value.denominator))
    for digits in range(_DIGITS):
        text = f"{plain:.{digits}e}"
        if bits_of(Fraction(text)) == bits:
            break
    exponent = int(text.partition("e")[2])
    return f"{Decimal(text):f}" if -5 < exponent < 17 else text
