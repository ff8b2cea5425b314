"""The bits of floats, read through ``struct``."""

import struct


def float_class(x: float) -> str:
    """Like C's fpclassify, with signs."""
    bits = struct.unpack("<Q", struct.pack("<d", x))[0]
    sign, exponent, mantissa = bits >> 63, bits >> 52 & 0x7FF, bits & (1 << 52) - 1
    if exponent == 0x7FF:
        if mantissa:
            return "nan"
        return "-inf" if sign else "inf"
    if exponent == 0:
        if mantissa == 0:
            if sign:
                return "-zero"
            return "zero"
        if mantissa == 1:
            return "least"
        return "subnormal"
    if mantissa == 0 and exponent > 2000:
        return "large power of two"
    return "normal"


def magic_bits(x: float) -> int:
    """Words of a float, compared with constants."""
    high, low = struct.unpack(">II", struct.pack(">d", x))
    if low & 0xFFFF == 0xBEEF:
        if high >> 20 == 0x405:
            if low >> 16 == 0xDEAD:
                return 3
            return 2
        return 1
    if high ^ low == 0x40000000 and low != 0:
        return 4
    return 0


def single_precision(x: float) -> str:
    """What becomes of x as a 32-bit float."""
    if not abs(x) < 3.4e38:
        return "does not fit"
    short = struct.unpack("<f", struct.pack("<f", x))[0]
    if short == x:
        if x != 0 and abs(x) < 1.1754943508222875e-38:
            return "subnormal, exact"
        return "exact"
    if short == 0:
        return "vanishes"
    if abs(short - x) > abs(x) * 1e-3:
        return "coarse"
    if x - int(x) == 0 and short - x == 1:
        return "next whole number"
    return "rounded"
