"""The sorts of inputs, and their values in terms."""

from __future__ import annotations

from typing import Any

from ....term.core.nodes import float_of_bits, own_bits
from ....term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits
from ....words import Kind, bits_from_word, word_from_bits


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
