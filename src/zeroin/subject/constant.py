"""The constants that a subject compares with."""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable
from itertools import combinations
from typing import NamedTuple

from ..words import Kind

MOST_APART = 32  # see most_apart


class Constant(NamedTuple):
    """A number or a character that the subject compares with.

    Attributes:
        kind: ``F64``, ``CHAR`` or ``BOOL``; for an integer, the signed kind of its width.
        bits: the bits of the value, as an unsigned integer of the kind's width.
    """

    kind: Kind
    bits: int

    @classmethod
    def of_float(cls, value: float) -> Constant:
        """Return the constant for a float."""
        return cls(Kind.F64, struct.unpack("<Q", struct.pack("<d", value))[0])

    @classmethod
    def of_integer(cls, value: int, width: int = 64) -> Constant:
        """Return the constant for an integer of at most 64 bits.

        The kind is ``BOOL`` for one bit, else the narrowest signed kind with at least ``width`` bits. The value may be
        given with or without sign. Without sign, a width that no kind has makes it a positive number.
        """
        kind = next(k for k in (Kind.BOOL, Kind.I8, Kind.I16, Kind.I32, Kind.I64) if width <= k.bits)
        signed = (value & (1 << width) - 1) - (value >> width - 1 & 1 << width)
        return cls(kind, signed & (1 << kind.bits) - 1)


def most_apart(numbers: Iterable[Collection[int]]) -> int:
    """Return how often a loop may have to count, to get from one constant of the code to another.

    This is the largest difference, up to 32, of two numbers that one variable is compared with. Only numbers above 32
    and below -32 count, since smaller ones are lengths themselves.

    Args:
        numbers: for each variable, the numbers that it is compared with.

    Returns:
        The difference; 0 if there are no such numbers.
    """
    pairs = (abs(one - other) for some in numbers for one, other in combinations(sorted(some), 2)
             if abs(one) > MOST_APART < abs(other))  # fmt: skip
    return max((apart for apart in pairs if apart <= MOST_APART), default=0)
