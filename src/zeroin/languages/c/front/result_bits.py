"""The bits of the numbers that a run returned or wrote to memory."""

from __future__ import annotations

from typing import Any

from .... import extended
from ....words import Kind, word_from_bits
from .layout import Layout, cells, value_of

_NAN_80 = 0x7FFF_C000_0000_0000, 0  # the upper 64 bits and the lower 16 bits


def one_nans(layout: Layout, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Replace every NaN by the same NaN, so that results can be compared bit by bit.

    Args:
        layout: layout of the value.
        numbers: bits of each of its numbers.
    """
    found, left = list[int](), zip(cells(layout), numbers, strict=True)
    for cell, bits in left:
        found.append(_one_nan(cell.kind, bits))
        if cell.kind is Kind.F80:  # the lower bits follow
            low = next(left)[1]
            found[-1:] = _NAN_80 if extended.is_nan(bits << 16 | low) else (bits, low)
    return tuple(found)


def _one_nan(kind: Kind, bits: int) -> int:
    """Return the same bits for every NaN of a kind, and other bits unchanged; bits of ``F80`` are always unchanged."""
    mantissa = {Kind.F64: 52, Kind.F32: 23, Kind.F16: 10}.get(kind)
    if mantissa is None:
        return bits
    infinity = (1 << (kind.bits - 1)) - (1 << mantissa)
    return infinity + 1 if bits & ((1 << (kind.bits - 1)) - 1) > infinity else bits


def of_bits(layout: Layout, bits: tuple[int, ...], one: Any) -> Any:
    """Return the value of numbers given by their bits.

    Args:
        layout: layout of the value.
        bits: bits of each of its numbers, in the order of their words.
        one: converts a number; see :func:`zeroin.languages.c.front.layout.value_of`.
    """
    words = [word_from_bits(cell.kind, number) for cell, number in zip(cells(layout), bits, strict=True)]
    return value_of(layout, words, one, pointers=False)
