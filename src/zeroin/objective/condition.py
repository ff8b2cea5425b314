"""A condition over inputs as an objective: 0 exactly where it holds (Fu & Su 2016, section 4.4.3)."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import numpy.typing as npt

from ..minimize import Domain, Door
from ..native.machine import MachineCode, load_libraries, load_target, optimise
from ..subject.base import Words
from ..term.core.evaluate import signed
from ..term.core.nodes import Term, float_of_bits, own_bits
from ..term.core.sorts import BOOL, FLOAT32, INT, REAL, Sort
from ..term.core.traversal import variables
from ..term.llvm.compile import Module, lower, lower_parts, lower_values
from ..words import Kind, bits_from_word, decode, encode, word_from_bits, word_range

_LAST_EXACT = (1 << 62) - 1  # native integers have 64 bits; further words stand for larger ones
_WIDTHS = {8: Kind.I8, 16: Kind.I16, 32: Kind.I32, 64: Kind.I64}


def kind_of(sort: Sort) -> Kind:
    """What the words of a variable are."""
    if sort.is_float or sort == REAL:
        return Kind.F32 if sort == FLOAT32 else Kind.F64
    if sort.is_bits:
        return _WIDTHS.get(sort.width, Kind.I64)
    return Kind.BOOL if sort == BOOL else Kind.INT


def range_of(sort: Sort) -> tuple[int, int]:
    """The smallest and the largest word of a variable."""
    if sort.is_bits:
        return -(1 << (sort.width - 1)), (1 << (sort.width - 1)) - 1
    if sort == INT:
        return -_LAST_EXACT, _LAST_EXACT
    if sort == REAL:  # finite ones
        low, high = float("-inf"), float("inf")
        return encode(Kind.F64, low) + 1, encode(Kind.F64, high) - 1
    return word_range(kind_of(sort))


def word_of(sort: Sort, value: Any) -> int:
    """The word of a value; the nearest one, where the value has none."""
    if sort.is_bits:
        return signed(value, sort.width)
    if sort == REAL:
        low, high = range_of(sort)
        return min(max(encode(Kind.F64, _nearest(value)), low), high)
    if sort == INT:
        return max(-_LAST_EXACT, min(_LAST_EXACT, int(value)))
    if sort.is_float:
        return word_from_bits(kind_of(sort), own_bits(sort, value))
    return encode(kind_of(sort), value)


def _nearest(value: Fraction | int) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def value_of(sort: Sort, word: int) -> Any:
    """The value of a word."""
    if sort.is_bits:
        return word & ((1 << sort.width) - 1)
    if sort == REAL:
        return Fraction(float(decode(Kind.F64, word)))
    kind = kind_of(sort)
    return float_of_bits(sort, bits_from_word(kind, word)) if sort.is_float else decode(kind, word)


def _compiled(lowered: Module) -> MachineCode:
    load_target()
    load_libraries()
    module = llvm.parse_assembly(lowered.text)
    optimise(module)
    return MachineCode(module)


def _cells(engine: MachineCode, name: str, count: int) -> npt.NDArray[np.float64]:
    """A global array of doubles."""
    cells = (ctypes.c_double * max(1, count)).from_address(engine.variable(name))
    cells.engine = engine  # type: ignore[attr-defined]  # whose memory it is
    return np.ctypeslib.as_array(cells)[:count]


class Condition:
    """A conjunction, compiled.

    Args:
        conjuncts: terms of sort Bool; none is trivially true.
        table: which branch distances, see :mod:`zeroin.distance`.
        values: numeric terms whose values are wanted, too.
        order: the variables in the order of their words; by default as they are met.

    Attributes:
        address: of ``double objective(const int64_t *words)``.
        distances: each conjunct's distance in the last evaluation of ``address``.
        approximate: a zero may be none; check it.

    Raises:
        Unlowerable: a part has no native meaning.
    """

    def __init__(self, conjuncts: Sequence[Term], table: str = "ulp", values: Sequence[Term] = (),
                 order: Sequence[Term] | None = None) -> None:  # fmt: skip
        self.conjuncts = list(conjuncts)
        self.variables = list(order) if order is not None else variables([*conjuncts, *values])
        self._values = list(values)
        lowered = lower(self.conjuncts, self.variables, table)
        self.approximate = lowered.approximate
        self._table = table
        self._code = _compiled(lowered)
        self._kept: list[Any] = [lowered]
        self.address = self._code.function("zeroin_condition")
        self.distances = _cells(self._code, "zeroin_distances", len(self.conjuncts))

    @cached_property
    def parts(self) -> list[int]:
        """Addresses of each conjunct's own objective; compiled when they are first asked for."""
        lowered = lower_parts(self.conjuncts, self.variables, self._table)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return [engine.function(f"zeroin_distance_{n}") for n in range(len(self.conjuncts))]

    @cached_property
    def value_addresses(self) -> list[int]:
        """Addresses of ``values``, as functions of the words that return a double; compiled on first use.

        Raises:
            Unlowerable: a value has no native meaning.
        """
        lowered = lower_values(self._values, self.variables, together=False)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return [engine.function(f"zeroin_value_{n}") for n in range(len(self._values))]

    @cached_property
    def all_values(self) -> tuple[int, npt.NDArray[np.float64]]:
        """The address of one function of the words for all ``values``, and the memory that it leaves them in; compiled
        on first use.

        Raises:
            Unlowerable: a value has no native meaning.
        """
        lowered = lower_values(self._values, self.variables, together=True)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return engine.function("zeroin_values"), _cells(engine, "zeroin_numbers", len(self._values))

    @property
    def domain(self) -> Domain:
        """The words' ranges, without values worth trying."""
        return Domain(tuple(kind_of(v.sort) for v in self.variables), tuple(range_of(v.sort) for v in self.variables),
                      ((),) * len(self.variables))  # fmt: skip

    def door(self) -> Door:
        """For a minimizer; not open yet."""
        return Door(self.address, len(self.variables))

    def words(self, model: Mapping[str, Any]) -> Words:
        """The words of a model."""
        return tuple(word_of(v.sort, model[v.data]) for v in self.variables)

    def model(self, words: Words) -> dict[str, Any]:
        """The model that words stand for."""
        return {v.data: value_of(v.sort, w) for v, w in zip(self.variables, words, strict=True)}
