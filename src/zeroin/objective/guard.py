"""Preconditions in front of an objective: inputs that violate them are not run."""

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

# The distance to the preconditions has to exceed every distance inside the function. So its bits, shifted right by 6,
# are added to the bits of 2**977.
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
    """Native code that checks preconditions before it evaluates an objective.

    If they do not hold, the termination becomes ``REFUSED``, and the value is larger than that of any run. It grows
    with the distance to the preconditions.

    Args:
        conditions: the preconditions, as terms over the variables of the leaves.
        leaves: the numbers in the preconditions, by the index of their word.
        arity: the number of words.
        outcome_address: the address of a run's termination, an int64.

    Attributes:
        exact: whether every input that satisfies the preconditions passes. Arithmetic on unbounded integers uses 64
            bits, so inputs that overflow are refused.

    Raises:
        Unlowerable: a part of a precondition can not be compiled.
    """

    def __init__(
        self, conditions: Sequence[Term], leaves: Mapping[int, Leaf], arity: int, outcome_address: int
    ) -> None:
        order = [variable(f"word {n}", bits(64)) for n in range(arity)]
        raw = dict[Term, Term]()
        for at, leaf in leaves.items():
            order[at] = leaf.variable
            if leaf.kind is Kind.U64:  # the word of an unsigned 64-bit value is the value minus 2**63
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
        """Return the address of native code that guards the objective at ``address``.

        A guard has one objective at a time; a second call replaces the first one's. Every call returns the same
        address, which is valid as long as the guard exists.
        """
        self._guarded.value = address
        return self._address
