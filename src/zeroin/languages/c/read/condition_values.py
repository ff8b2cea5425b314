"""The values that the conditions of a function depend on, without all others. Each one is computed once for the same
operands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ....model.memory import Unreadable
from ....model.path_expression import Label
from ....term.core.build import conjunction, conjuncts, equal, if_else, negation
from ....term.core.nodes import Op, Term, constant, make, variable
from ....term.core.simplify import simpler, simplify
from ....term.core.sorts import Sort
from .code import CASTS, PROBE_SWITCH, Block, Code, Instruction, Operand, Slot, is_probe
from .library import function
from .operations import BINARY, binary, cast, compare

Step: TypeAlias = tuple[int, int]  # a block, and which of its targets
_NUMERIC = {*BINARY, *CASTS, "icmp", "fcmp", "select", "fneg", "freeze"} - {"ptrtoint", "inttoptr"}

QUIET = _NUMERIC - {"sdiv", "udiv", "srem", "urem"}  # what ends no run


@dataclass
class Needed:
    """The part of a block that conditions depend on.

    Attributes:
        phis: as in :class:`Block`.
        body: the instructions whose results can be computed, each with its index in the block's body.
        unknown: the index and the slot of each other result.
        nothing: all slots of the above, with None as their values: no result is known.
    """

    phis: list[tuple[int, dict[int, Operand]]] = field(default_factory=list)
    body: list[tuple[int, Instruction]] = field(default_factory=list)
    unknown: list[tuple[int, int]] = field(default_factory=list)
    nothing: dict[int, None] = field(default_factory=dict)


class Deciding:
    """The conditions of a function, and the values that they depend on.

    Args:
        code: the code of the function.
        simple: the simplified form of known terms; new ones are added.

    Attributes:
        needed: for each block, the part that conditions depend on.
    """

    def __init__(self, code: Code, simple: dict[Term, Term]) -> None:
        self.code, self._simple = code, simple
        slots = _slots(code)
        self.needed = [_needed(block, slots) for block in code.blocks]
        self._states: dict[int, Term | None] = {}
        self._made: dict[tuple[object, ...], Term | None] = {}
        self._parts: dict[tuple[Term, bool], list[Term]] = {}
        self._cases: dict[tuple[Term, int, int, bool, int], Term] = {}
        self._lost: dict[frozenset[Label], dict[int, None]] = {}

    def state(self, slot: int) -> Term | None:
        """Return the variable for a slot's value in the state; None if that is no number, or one of more than 64 bits.

        Its name is the function's name and the slot's number, separated by a colon.
        """
        if slot not in self._states:
            sort = self.code.sorts[slot]
            known = sort is not None and not _is_wide(sort)
            self._states[slot] = variable(f"{self.code.name}:{slot}", sort) if sort is not None and known else None
        return self._states[slot]

    def result(self, instruction: Instruction, values: list[Term]) -> Term | None:
        """Return the result of an instruction as a simplified term; None if it is unknown or has more than 64 bits.

        Args:
            instruction: the instruction.
            values: the values of its :func:`arguments`.
        """
        key = (instruction.result, *values)
        if key not in self._made:
            try:
                found = _result(instruction, values)
            except Unreadable:
                found = None
            self._made[key] = None if found is None or _is_wide(found.sort) else simplify(found, self._simple)
        return self._made[key]

    def parts(self, condition: Term, holds: bool) -> list[Term]:
        """Return the conjuncts of a condition, or of its negation if ``holds`` is False. The list is shared."""
        key = condition, holds
        if key not in self._parts:
            wanted = condition if holds else simpler(negation(condition))
            self._parts[key] = conjuncts([simplify(wanted, self._simple)])
        return self._parts[key]

    def case(self, value: Term, block: int, part: int, holds: bool, first: int) -> Term:
        """Return the condition that a case of a switch fits, or that several do not.

        Args:
            value: the value of the switch.
            block: the index of its block.
            part: the index of the case.
            holds: whether this case fits. If not, none of the cases from ``first`` to this one fits.
            first: the index of a case; ignored if ``holds`` is True.
        """
        key = value, block, part, holds, first
        if key not in self._cases:
            cases = self.code.blocks[block].body[-1].more
            fits = [
                simpler(equal(value, constant(value.sort, case))) for case in cases[part if holds else first : part + 1]
            ]
            self._cases[key] = fits[0] if holds else conjunction(map(negation, fits))
        return self._cases[key]

    def lost(self, labels: frozenset[Label]) -> Mapping[int, None]:
        """Return the slots whose values are unknown after some of these edges were taken, each with None."""
        if labels not in self._lost:
            found: dict[int, None] = {}
            for number, way in map(as_step, labels):
                found |= self.needed[self.code.blocks[number].targets[way]].nothing
            self._lost[labels] = found
        return self._lost[labels]


def as_step(label: Label) -> Step:
    """Return the label of an edge as a step."""
    assert isinstance(label, tuple)
    block, number = label
    return block, number


def _is_wide(sort: Sort) -> bool:
    """Return whether a bit vector has more than 64 bits, so that no distance can be computed with it."""
    return sort.is_bits and sort.width > 64


def _slots(code: Code) -> set[int]:
    """Return the slots of the values that conditions depend on, directly or through other values."""
    sources: dict[int, Iterable[Operand]] = {}
    for block in code.blocks:
        sources |= {slot: values.values() for slot, values in block.phis}
        sources |= {one.result: one.operands for one in block.body if _is_computed(one)}
    found, todo = set[int](), list(_conditions(code))
    while todo:
        operand = todo.pop()
        if isinstance(operand, Slot) and operand.number not in found:
            found.add(operand.number)
            todo += sources.get(operand.number, ())
    return found


def _conditions(code: Code) -> Iterator[Operand]:
    """Yield the operands that decide where blocks go on, and the conditions of probes."""
    for block in code.blocks:
        end = block.body[-1]
        if end.opcode == "switch" or (end.opcode == "br" and len(block.targets) == 2):
            yield end.operands[0]
        yield from (one.operands[4] for one in block.body
                    if one.opcode == "call" and is_probe(one.more) and one.more != PROBE_SWITCH)  # fmt: skip


def _is_computed(instruction: Instruction) -> bool:
    """Return whether the result of an instruction may be expressed by its operands."""
    if any(not isinstance(operand, Slot | Term) for operand in arguments(instruction)):
        return False
    return instruction.opcode in _NUMERIC or (
        instruction.opcode == "call" and bool(instruction.more) and not is_probe(instruction.more)
    )


def arguments(instruction: Instruction) -> tuple[Operand, ...]:
    """Return the operands of an instruction, without the called function of a ``call``."""
    return instruction.operands[:-1] if instruction.opcode == "call" else instruction.operands


def _needed(block: Block, slots: set[int]) -> Needed:
    """Return the part of a block that computes the values of these slots."""
    found = Needed([phi for phi in block.phis if phi[0] in slots])
    for at, one in enumerate(block.body):
        if one.result in slots and _is_computed(one):
            found.body.append((at, one))
        elif one.result in slots:
            found.unknown.append((at, one.result))
    results = [slot for slot, _ in found.phis] + [one.result for _, one in found.body]
    found.nothing = dict.fromkeys([*results, *(slot for _, slot in found.unknown)])
    return found


def _result(instruction: Instruction, values: list[Term]) -> Term | None:
    """Return the result of an instruction as a term; None if it is unknown.

    Raises:
        Unreadable: the result is of a type that terms do not have.
    """
    opcode, type_ = instruction.opcode, instruction.type
    if opcode in BINARY:
        return binary(opcode, *values)
    if opcode in ("icmp", "fcmp"):
        return compare(opcode, instruction.more[0], *values)
    if opcode == "select":
        return simpler(if_else(*values))
    if opcode == "fneg":
        return make(Op.FP_NEG, values[0])
    if opcode == "freeze":
        return values[0]
    if opcode in CASTS and type_ is not None:
        return cast(opcode, values[0], type_)
    if opcode == "call" and values:
        found = function(instruction.more, values[:1] if instruction.more.startswith("llvm.abs") else values)
        return found if isinstance(found, Term) and type_ is not None and found.sort == type_.sort else None
    return None
