"""A condition on inputs as an objective: 0 exactly where it holds (Fu & Su 2016, section 4.4.3)."""

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

_LAST_EXACT = (1 << 62) - 1  # native integers have 64 bits; larger words stand for larger integers
_WIDTHS = {8: Kind.I8, 16: Kind.I16, 32: Kind.I32, 64: Kind.I64}


def kind_of(sort: Sort) -> Kind:
    """Return the kind of the words of a variable.

    A Real is a double, and a bit vector is signed. A bit vector of another width than 8, 16, 32 or 64 has ``I64``, and
    all other sorts have ``INT``.
    """
    if sort.is_float or sort == REAL:
        return Kind.F32 if sort == FLOAT32 else Kind.F64
    if sort.is_bits:
        return _WIDTHS.get(sort.width, Kind.I64)
    return Kind.BOOL if sort == BOOL else Kind.INT


def range_of(sort: Sort) -> tuple[int, int]:
    """Return the smallest and the largest word of a variable, both inclusive.

    The range of an Int ends at ``2**62 - 1`` on both sides, and that of a Real has only finite doubles.
    """
    if sort.is_bits:
        return -(1 << (sort.width - 1)), (1 << (sort.width - 1)) - 1
    if sort == INT:
        return -_LAST_EXACT, _LAST_EXACT
    if sort == REAL:  # only finite ones
        low, high = float("-inf"), float("inf")
        return encode(Kind.F64, low) + 1, encode(Kind.F64, high) - 1
    return word_range(kind_of(sort))


def word_of(sort: Sort, value: Any) -> int:
    """Return the word of a value, or the nearest word if the value has none.

    Only Ints and Reals may have values without a word: a Real is rounded to a double, and both are clipped to
    :func:`range_of`. A bit vector's value is unsigned.
    """
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
    """Return the nearest double; an infinity for a value beyond the range of doubles."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def value_of(sort: Sort, word: int) -> int | float | Fraction:
    """Return the value of a word in :func:`range_of`: a bit vector as an unsigned int, a Real as a ``Fraction``."""
    if sort.is_bits:
        return word & ((1 << sort.width) - 1)
    if sort == REAL:
        return Fraction(float(decode(Kind.F64, word)))
    kind = kind_of(sort)
    return float_of_bits(sort, bits_from_word(kind, word)) if sort.is_float else decode(kind, word)


def _compiled(lowered: Module) -> MachineCode:
    """Optimise compiled terms, and load them into this process."""
    load_target()
    load_libraries()
    module = llvm.parse_assembly(lowered.text)
    optimise(module)
    return MachineCode(module)


def _cells(engine: MachineCode, name: str, count: int) -> npt.NDArray[np.float64]:
    """Return a global array of doubles in the compiled code. It is that code's memory, and keeps the code loaded."""
    cells = (ctypes.c_double * max(1, count)).from_address(engine.variable(name))
    cells.engine = engine  # type: ignore[attr-defined]  # whose memory it is
    return np.ctypeslib.as_array(cells)[:count]


class Condition:
    """A conjunction of terms as native code.

    Addresses are valid as long as this object exists. The objective is the largest double where an integer overflows 64
    bits or a Python function fails, even if the condition holds there.

    Args:
        conjuncts: the terms of sort Bool. None of them is trivially true.
        table: the table of branch distances (:mod:`zeroin.distance`): ``ulp``, ``korel`` or ``squared``.
        values: numeric terms whose values are also needed.
        order: all variables, in the order of their words. None: in the order of their first use.

    Attributes:
        conjuncts: the terms, as given.
        variables: the variables, in the order of their words.
        address: the address of ``double objective(const int64_t *words)``.
        distances: the distance of each conjunct in the last evaluation of ``address``. Each evaluation overwrites them.
        approximate: whether the objective may be zero where the condition does not hold, so that zeros need a check.

    Raises:
        Unlowerable: a part of a conjunct can not be compiled.
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
        self._kept: list[object] = [lowered]
        self.address = self._code.function("zeroin_condition")
        self.distances = _cells(self._code, "zeroin_distances", len(self.conjuncts))

    @cached_property
    def parts(self) -> list[int]:
        """The addresses of the conjuncts' own objectives, in the order of ``conjuncts``. Compiled on first use."""
        lowered = lower_parts(self.conjuncts, self.variables, self._table)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return [engine.function(f"zeroin_distance_{n}") for n in range(len(self.conjuncts))]

    @cached_property
    def value_addresses(self) -> list[int]:
        """The addresses of functions of the words that return ``values`` as doubles. They are compiled on first use.

        Raises:
            Unlowerable: a value can not be compiled.
        """
        lowered = lower_values(self._values, self.variables, together=False)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return [engine.function(f"zeroin_value_{n}") for n in range(len(self._values))]

    @cached_property
    def all_values(self) -> tuple[int, npt.NDArray[np.float64]]:
        """The address of one function of the words for all ``values``, and the array that gets its results.

        It is compiled on first use. Each call overwrites the array.

        Raises:
            Unlowerable: a value can not be compiled.
        """
        lowered = lower_values(self._values, self.variables, together=True)
        engine = _compiled(lowered)
        self._kept += [lowered, engine]
        return engine.function("zeroin_values"), _cells(engine, "zeroin_numbers", len(self._values))

    @property
    def domain(self) -> Domain:
        """The kinds and ranges of the words, without dictionaries; a new object each time."""
        return Domain(tuple(kind_of(v.sort) for v in self.variables), tuple(range_of(v.sort) for v in self.variables),
                      ((),) * len(self.variables))  # fmt: skip

    def door(self) -> Door:
        """Return a new door for a minimizer. It is not open yet, and does not keep this object's code loaded."""
        return Door(self.address, len(self.variables))

    def words(self, model: Mapping[str, object]) -> Words:
        """Return the words of a model, see :func:`word_of`. The model must have a value for every variable."""
        return tuple(word_of(v.sort, model[v.data]) for v in self.variables)

    def model(self, words: Words) -> dict[str, Any]:
        """Return the model for words, one for each variable; see :func:`value_of`."""
        return {v.data: value_of(v.sort, w) for v, w in zip(self.variables, words, strict=True)}
