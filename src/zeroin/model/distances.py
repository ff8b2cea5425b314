"""Native code for the distances of recorded states from conditions.

A state is recorded as one word for each variable. This is an ordered word, an integer in the order of the values
(:mod:`zeroin.words`), or the bare bits of a float.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import llvmlite.binding as llvm

from ..native.machine import MachineCode, load_libraries, load_target, optimise
from ..term.core.nodes import Term
from ..term.llvm.compile import Module, Unlowerable, lower_parts
from .ahead import PartialPath

Distance: TypeAlias = tuple[int, int]  # address of ``double (*)(const int64_t *state, int64_t number)``, and the number


class Distances:
    """A compiler of distance functions for conditions. The machine code is freed with this object.

    Args:
        state: the variables of a state, in the order of its words.
        table: the name of the branch distance, see :mod:`zeroin.distance`.
        bare: whether the word of a float has its bits as in memory, instead of its ordered word.

    Attributes:
        seconds: the processor time that compilation has taken so far.
    """

    def __init__(self, state: Sequence[Term], table: str, bare: bool = False) -> None:
        self._state, self._table, self._bare = state, table, bare
        self._known: dict[Term, Distance] = {}
        self._without: set[Term] = set()
        self._kept: list[object] = []
        self.seconds = 0.0

    def compile(self, conditions: Iterable[Term]) -> None:
        """Compile the distances of those conditions that have not been compiled yet.

        A condition that can not be compiled is skipped, and not tried again.
        """
        fresh = [one for one in dict.fromkeys(conditions) if one not in self._known and one not in self._without]
        if not fresh:
            return
        started = time.thread_time()
        try:
            native, lowered = fresh, self._lowered(fresh)
        except Unlowerable:
            native = [one for one in fresh if self._is_native(one)]
            lowered = self._lowered(native)
            self._without |= set(fresh) - set(native)
        load_target()
        load_libraries()
        made = llvm.parse_assembly(lowered.text + _choice(len(native)))
        for number in range(len(native)):  # one large function compiles much faster than many small ones
            part = made.get_function(f"zeroin_distance_{number}")
            part.linkage = "internal"
            part.add_function_attribute("alwaysinline")
        optimise(made, 0)  # a few instructions each: optimisation would take longer than it saves
        code = MachineCode(made)
        self._kept += [code, *lowered.kept]
        address = code.function("zeroin_distance")
        self._known |= {one: (address, number) for number, one in enumerate(native)}
        self.seconds += time.thread_time() - started

    def _lowered(self, conditions: Sequence[Term]) -> Module:
        return lower_parts(conditions, self._state, self._table, self._bare)

    def _is_native(self, condition: Term) -> bool:
        try:
            self._lowered([condition])
        except Unlowerable:
            return False
        return True

    def of(self, way: PartialPath) -> tuple[list[Distance], int]:
        """Return the compiled distances of a partial path's conditions. It compiles nothing.

        Returns:
            The distances, in the order of the conditions; and the number of its other conditions: those that it has
            dropped, and those that can not be compiled or were not passed to :meth:`compile`.
        """
        found = [self._known[one] for one in way.conditions if one in self._known]
        return found, way.dropped + len(way.conditions) - len(found)


def _choice(count: int) -> str:
    """Return LLVM code for a function that selects the distance function by its number, from 0.

    For other numbers, the function returns 0.0.
    """
    cases = " ".join(f"i64 {n}, label %case{n}" for n in range(count))
    parts = (f"case{n}:\n  %d{n} = call double @zeroin_distance_{n}(ptr %words)\n  ret double %d{n}\n"
             for n in range(count))  # fmt: skip
    return (f"define double @zeroin_distance(ptr %words, i64 %number) {{\n  switch i64 %number, label %none [{cases}]\n"
            f"none:\n  ret double 0.0\n{''.join(parts)}}}\n")  # fmt: skip
