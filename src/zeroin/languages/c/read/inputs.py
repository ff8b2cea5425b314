"""The sorts of inputs, their values in terms, and the memory that they fill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple

from ....term.core.nodes import Op, Term, constant, float_of_bits, make, own_bits
from ....term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from ....words import Kind, bits_from_word, word_from_bits
from ..front.layout import BitField
from ..front.parameters import CParameter
from .operations import as_bits


def sort_of(kind: Kind) -> Sort:
    """Return the sort of an input of this kind."""
    known = {Kind.F64: FLOAT64, Kind.F32: FLOAT32, Kind.BOOL: BOOL}
    return known[kind] if kind in known else bits(kind.bits)


def input_value(kind: Kind, word: int) -> Any:
    """Return the value of an input's word, in the form that the evaluation of terms takes."""
    pattern = bits_from_word(kind, word)
    if kind in (Kind.F64, Kind.F32):
        return float_of_bits(sort_of(kind), pattern)
    return bool(pattern) if kind is Kind.BOOL else pattern


def word_of_input(kind: Kind, value: Any) -> int:
    """Return the ordered word of a value, which has the form of :func:`input_value`."""
    pattern = own_bits(sort_of(kind), value) if kind in (Kind.F64, Kind.F32) else int(value)
    return word_from_bits(kind, pattern)


def contents(parameter: CParameter, numbers: Sequence[Term]) -> Iterator[tuple[int, Term, int]]:
    """Yield the parts of an object with an offset in bytes, a content, and a size in bytes.

    Bit-fields that share bytes are one part. Bits between them are open.

    Args:
        parameter: the parameter that points to the object.
        numbers: the numbers in it.
    """
    shared = list[_Bits]()
    for cell, number in zip(parameter.cells, numbers, strict=True):
        content = as_bits(number, 8) if number.sort == BOOL else number
        if isinstance(cell.number, BitField):
            own = make(Op.BV_EXTRACT, content, data=(cell.number.width - 1, 0))
            shared.append(_Bits(8 * cell.offset + cell.number.bit, own))
        else:
            yield cell.offset, content, cell.number.size
    group = list[_Bits]()
    for one in sorted(shared, key=lambda bits: bits.at):
        if group and one.at >= _whole(group[-1].end):
            yield _together(group, parameter.name)
            group = []
        group.append(one)
    if group:
        yield _together(group, parameter.name)


class _Bits(NamedTuple):
    """The value of a bit-field, and the number of its lowest bit in the object."""

    at: int
    value: Term

    @property
    def end(self) -> int:
        """The number of the bit behind it."""
        return self.at + self.value.sort.width


def _whole(bits: int) -> int:
    """Return the number of bits in the bytes that so many bits need."""
    return -(-bits // 8) * 8


def _together(several: Sequence[_Bits], name: str) -> tuple[int, Term, int]:
    """Return the offset, the content and the size of the bytes that bit-fields share, given in the order of their bits.

    The name is that of the object.
    """
    first = end = several[0].at // 8 * 8
    parts = list[Term]()
    for one in several:
        parts += [_gap(end, one.at, name), one.value][one.at == end :]
        end = one.end
    last = _whole(end)
    parts += [_gap(end, last, name)] * (last > end)
    return first // 8, reduce(lambda low, high: make(Op.BV_CONCAT, high, low), parts), (last - first) // 8


def _gap(first: int, end: int, name: str) -> Term:
    """Return the open value of the bits between two bit-fields."""
    return make(Op.OPEN, constant(bits(max(1, end - first)), 0), data=f"bit {first} of {name}, which is padding")
