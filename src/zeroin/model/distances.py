"""How far states are from satisfying conditions, as native code."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import llvmlite.binding as llvm

from ..native.machine import MachineCode, load_libraries, load_target, optimise
from ..term.nodes import Term
from ..term.to_llvm import Unlowerable, lower_parts
from .ahead import PartialPath


class Distances:
    """``double (*)(const int64_t *state)`` for conditions over the words of a state, by a table of
    :mod:`zeroin.distance`.

    Args:
        state: the variables, in the order of their words.
        table: see there.

    Attributes:
        seconds: that compiling took.
    """

    def __init__(self, state: Sequence[Term], table: str) -> None:
        self._state, self._table = state, table
        self._address: dict[Term, int] = {}
        self._without: set[Term] = set()
        self._kept: list[object] = []
        self.seconds = 0.0

    def compile(self, conditions: Iterable[Term]) -> None:
        """Compile those that have not been."""
        fresh = [one for one in dict.fromkeys(conditions) if one not in self._address and one not in self._without]
        if not fresh:
            return
        started = time.perf_counter()
        try:
            native, lowered = fresh, lower_parts(fresh, self._state, self._table)
        except Unlowerable:
            native = [one for one in fresh if self._is_native(one)]
            lowered = lower_parts(native, self._state, self._table)
            self._without |= set(fresh) - set(native)
        load_target()
        load_libraries()
        made = llvm.parse_assembly(lowered.text)
        optimise(made, 1)
        code = MachineCode(made, 0)
        self._kept += [code, *lowered.kept]
        self._address |= {one: code.function(f"zeroin_distance_{n}") for n, one in enumerate(native)}
        self.seconds += time.perf_counter() - started

    def _is_native(self, condition: Term) -> bool:
        try:
            lower_parts([condition], self._state, self._table)
        except Unlowerable:
            return False
        return True

    def of(self, way: PartialPath) -> tuple[list[int], int]:
        """Addresses of the distances of a way's conditions, which are compiled; and how many conditions it takes
        beside these: those that have no native meaning count, too."""
        addresses = [self._address[one] for one in way.conditions if one in self._address]
        return addresses, way.dropped + len(way.conditions) - len(addresses)
