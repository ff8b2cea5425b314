"""Conditions in front of an objective: where they do not hold, nothing is run."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence

from ..native.machine import MachineCode
from ..subject.base import Termination
from ..subject.input_names import Leaf
from ..term.core.nodes import Op, Term, constant, make, variable
from ..term.core.sorts import INT, REAL, bits
from ..term.core.traversal import postorder, substitute
from ..words import Kind
from .condition import Condition

# A distance from what is assumed counts more than any in the function: its bits, made smaller, behind those of 2**977.
_GUARD = """
@zeroin_guarded = global i64 0
define double @zeroin_guard(ptr %words) {{
  %condition = inttoptr i64 {condition} to ptr
  %distance = call double %condition(ptr %words)
  %holds = fcmp oeq double %distance, 0.0
  br i1 %holds, label %run, label %refuse
run:
  %address = load i64, ptr @zeroin_guarded
  %function = inttoptr i64 %address to ptr
  %r = call double %function(ptr %words)
  ret double %r
refuse:
  %outcome = inttoptr i64 {outcome} to ptr
  store i64 {refused}, ptr %outcome
  %bits = bitcast double %distance to i64
  %less = lshr i64 %bits, 6
  %more = add i64 %less, {far}
  %far = bitcast i64 %more to double
  ret double %far
}}
"""
_FAR = 0x7D0 << 52


class Guard:
    """Objectives behind conditions on their words.

    Args:
        conditions: over the variables of the leaves.
        leaves: numbers, by their words.
        arity: how many words there are.
        outcome_address: where the outcome of a run stands.

    Attributes:
        exact: whether all that satisfies the conditions passes: integers of any size are computed with in 64 bits, and
            what goes beyond does not.
    """

    def __init__(
        self, conditions: Sequence[Term], leaves: Mapping[int, Leaf], arity: int, outcome_address: int
    ) -> None:
        order = [variable(f"word {n}", bits(64)) for n in range(arity)]
        raw = dict[Term, Term]()
        for at, leaf in leaves.items():
            order[at] = leaf.variable
            if leaf.kind is Kind.U64:  # whose word is less by half its range
                raw[leaf.variable] = make(Op.BV_XOR, leaf.variable, constant(bits(64), 1 << 63))
        parts = [substitute(one, raw) for one in conditions]
        self._condition = Condition(parts, order=order)
        computed = any(part.args and part.sort in (INT, REAL) for part in postorder(parts))
        self.exact = not (computed or self._condition.approximate)
        text = _GUARD.format(
            condition=self._condition.address, outcome=outcome_address, refused=int(Termination.REFUSED), far=_FAR
        )
        self._code = MachineCode.of_text(text)
        self._guarded = ctypes.c_int64.from_address(self._code.variable("zeroin_guarded"))
        self._address = self._code.function("zeroin_guard")

    def before(self, address: int) -> int:
        """The address of what evaluates the objective at ``address`` where the conditions hold; one at a time."""
        self._guarded.value = address
        return self._address
