"""The numbers in a C function's inputs, by their names in preconditions.

Examples are ``p.x`` for a structure or a pointer to one, ``xs[0]`` for an array, and ``len(s)`` for a string. Each
number has a word: a 64-bit integer in the order of the values that it encodes (``words.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from .... import extended
from ....subject.bounds import Bounds
from ....subject.input_names import MOST, InputNames, Leaf, Presence
from ....term.core.build import conjunction, negation
from ....term.core.nodes import Op, Term, constant, make, variable
from ....term.expression.typed import TYPES
from ....words import Kind, bits_from_word, decode, encode, word_from_bits, word_range
from ..read.inputs import sort_of
from .alias_parameters import apart
from .layout import Extent, Text
from .parameters import CParameter, CSignature
from .pointees import Pointee

_INFINITY = float("inf")
_INFINITE = {
    Kind.F80: extended.upper_word(extended.bits_of(_INFINITY) >> 16),
    Kind.F16: word_from_bits(Kind.F16, extended.half_bits(_INFINITY)),
}
_TYPES = {Kind.F64: TYPES["float"], Kind.F32: TYPES["float32"], Kind.BOOL: TYPES["bool"], Kind.U64: TYPES["u64"]}


class _Number(NamedTuple):
    """A number in a parameter; ``at`` is the position of its word among the parameter's words."""

    name: str
    at: int
    kind: Kind

    @property
    def group(self) -> str:
        """The name without indices, which stands for all elements of an array."""
        return re.sub(r"\[\d+\]", "", self.name)


def _is_named(parameter: CParameter) -> bool:
    """Return whether preconditions can name a parameter: an argument, or an object behind a pointer field."""
    return parameter.is_argument or isinstance(parameter, Pointee)


def _length_of(parameter: CParameter) -> str:
    """Return the name of a string's length; empty if the parameter is no string."""
    is_text = isinstance(parameter.layout, Text) and _is_named(parameter)
    return f"len({parameter.name.replace('->', '.')})" if is_text else ""


def _numbers(parameter: CParameter) -> Iterator[_Number]:
    """Yield the numbers of a parameter that preconditions can name.

    Function pointers, strings, ``long double`` and ``_Float16`` have none.
    """
    if parameter.callback or isinstance(parameter.layout, Text) or not _is_named(parameter):
        return
    skipped = False
    for at, (name, kind) in enumerate(zip(parameter.names, parameter.kinds, strict=True)):
        if at >= parameter.nullable and kind not in _INFINITE and not skipped:
            yield _Number(name.replace("->", "."), at, kind)
        skipped = kind is Kind.F80  # its lower bits follow


class CInputNames(InputNames):
    """The names of the numbers in a C function's inputs; see :class:`zeroin.subject.input_names.InputNames`.

    In its signature, all pointers lead to memory of their own.
    """

    def __init__(self, signature: CSignature) -> None:
        self.signature: CSignature = apart(signature)  # with preconditions, pointers do not alias
        self._first = list(accumulate((p.arity for p in signature.parameters), initial=0))
        self._before = self.signature.ranges()

    @property
    def bounded(self) -> list[str]:
        numbers = (one for p in self.signature.parameters for one in _numbers(p))
        texts = filter(None, map(_length_of, self.signature.parameters))
        return [*(name for one in numbers for name in (one.name, one.group)), *texts]

    def bound(self, name: str, bounds: Bounds) -> None:
        self._change([_of_length(p, bounds) if name == _length_of(p) else _within(p, name, bounds)
                      for p in self.signature.parameters])  # fmt: skip

    def keep_finite(self) -> None:
        self._change([_finite(parameter) for parameter in self.signature.parameters])

    def _change(self, parameters: list[CParameter]) -> None:
        """Replace the parameters of the signature."""
        self.signature = replace(self.signature, parameters=tuple(parameters))

    def leaves(self) -> list[Leaf]:
        found = []
        for first, parameter in zip(self._first, self.signature.parameters, strict=False):
            if not parameter.is_argument:  # an object behind a pointer field can be bounded, but not compared
                continue
            null = [Presence(first, 0, 0, negation(_variable(parameter.names[0], Kind.BOOL)))]
            null = null if parameter.has_null_word else []
            for one in _numbers(parameter) if parameter.extent is None or len(parameter.extent.counts) == 1 else ():
                index = tuple(map(int, re.findall(r"\[(\d+)\]", one.name)))
                there = [*null, *(self._counted(parameter.extent, index[0]) if parameter.extent else ())]
                type_ = _TYPES.get(one.kind, TYPES["i64"])
                model = _as_long(_variable(parameter.names[one.at], one.kind), one.kind)
                found.append(Leaf(one.name, one.group, index, first + one.at, one.kind, type_, tuple(there), model))
        return found

    def _counted(self, extent: Extent, index: int) -> Iterator[Presence]:
        """Yield the condition under which an array has an element: its length is large enough.

        Nothing is yielded for the first elements, if the array always has them.
        """
        if index >= extent.further:
            at = [p.name for p in self.signature.parameters].index(extent.counts[0])
            kind, least = self.signature.parameters[at].kind, (index - extent.further) // extent.step + 1
            type_ = _TYPES.get(kind, TYPES["i64"])
            low = constant(type_.sort, least)
            model = _as_long(_variable(extent.counts[0], kind), kind)
            before = Op.BV_SLE if type_.signed else Op.BV_ULE
            yield Presence(self._first[at], least, MOST, make(before, low, model), type_)

    def given(self) -> list[Term]:
        names = [(name, kind) for p in self.signature.parameters for name, kind in zip(p.names, p.kinds, strict=True)]
        return [between(name, kind, *now) for (name, kind), now, before in
                zip(names, self.signature.ranges(), self._before, strict=True)
                if now != before and kind not in _INFINITE]  # fmt: skip


def _within(parameter: CParameter, name: str, bounds: Bounds) -> CParameter:
    """Restrict the parameter's numbers of this name, or of this common name, to bounds. This excludes NaN.

    Raises:
        ValueError: no value is within the bounds.
    """
    ranges = parameter.ranges()
    for one in _numbers(parameter):
        if name in (one.name, one.group):
            low, high = ranges[one.at]
            line = min(high, encode(one.kind, _INFINITY)) if one.kind.is_float else high
            ranges[one.at] = bounds.span(low, line, lambda word, kind=one.kind: decode(kind, word))  # type: ignore[misc]
    return replace(parameter, narrowed=tuple(ranges))


def _of_length(parameter: CParameter, bounds: Bounds) -> CParameter:
    """Restrict a string's length.

    Bytes before the lowest length are then not 0; bytes from the highest length on are 0.

    Raises:
        ValueError: no length is within the bounds.
    """
    ranges = parameter.ranges()
    least, most = bounds.span(0, parameter.arity - parameter.nullable - 1, int)
    for at in range(parameter.nullable, parameter.arity):
        low, high = ranges[at]
        number = at - parameter.nullable
        ranges[at] = (max(low, 1) if number < least else low, high if number < most else 0)
        if ranges[at][0] > ranges[at][1]:
            raise ValueError(f"no length is {bounds}")
    return replace(parameter, narrowed=tuple(ranges))


def _finite(parameter: CParameter) -> CParameter:
    """Exclude NaN and infinities from the ranges of a parameter.

    Raises:
        ValueError: no value remains for one of its numbers.
    """
    ranges = parameter.ranges()
    for at, kind in enumerate(parameter.kinds):
        low, high = ranges[at]
        if kind.is_float:
            ranges[at] = (max(low, encode(kind, -_INFINITY) + 1), min(high, encode(kind, _INFINITY) - 1))
        elif kind in _INFINITE:
            ranges[at] = (max(low, -_INFINITE[kind]), min(high, _INFINITE[kind] - 1))
        if ranges[at][0] > ranges[at][1]:
            raise ValueError(f"{parameter.names[at]}: no value is finite and in its range")
    return replace(parameter, narrowed=tuple(ranges))


# ---- as terms ----


def _variable(name: str, kind: Kind) -> Term:
    """Return the variable for a word in path conditions."""
    return variable(name, sort_of(kind))


def _as_long(term: Term, kind: Kind) -> Term:
    """Extend an integer to 64 bits, the width that preconditions compute in."""
    if not term.sort.is_bits or term.sort.width == 64:
        return term
    return make(Op.BV_SIGN_EXTEND if kind.signed else Op.BV_ZERO_EXTEND, term, data=TYPES["i64"].sort)


def between(name: str, kind: Kind, low: int, high: int) -> Term:
    """Return a term that says that a number lies in a range.

    Args:
        name: name of the variable in path conditions.
        kind: kind of the number.
        low: its lowest word.
        high: its highest word, inclusive. For a ``bool``, both words must be the same.
    """
    one = _variable(name, kind)
    if kind is Kind.BOOL:
        return one if low else negation(one)
    if kind.is_float:
        ends = [constant(one.sort, decode(kind, word)) for word in (low, high)]
    else:
        ends = [constant(one.sort, bits_from_word(kind, word)) for word in (low, high)]
    before = Op.FP_LE if kind.is_float else Op.BV_SLE if kind.signed else Op.BV_ULE
    whole = word_range(kind)
    found = [make(before, ends[0], one)] if low > whole[0] else []
    return conjunction([*found, *([make(before, one, ends[1])] if high < whole[1] else [])])
