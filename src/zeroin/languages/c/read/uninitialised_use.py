"""Finds out whether a function may use the contents of uninitialised variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....term.core.nodes import Term
from .calls import NOTHING
from .code import Code, Instruction, Operand, Slot
from .uninitialised import FORGET, OPEN

_WRITES = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.", "memset", "memcpy", "memmove")
_LARGEST = 4096  # bytes of a variable that is looked at
_HARMLESS = ("zeroin_", *NOTHING)


def uses_unset(code: Code) -> bool:
    """Return whether a function may use the contents of an uninitialised variable.

    It does not if nothing reads them. It does not either if the block that declares a variable in memory writes all of
    it before it does anything else with it.
    """
    places = _places(code)
    for block in code.blocks:
        for at, one in enumerate(block.body):
            base = _forgotten(one, places)
            if base is not None and (base < 0 or not _is_set(code, block.body[at + 1 :], base, places)):
                return True
    unset = {Slot(one.result) for block in code.blocks for one in block.body if _calls(one, OPEN)}
    return any(operand in unset for operand in _used(code, places) if isinstance(operand, Slot))


def _calls(instruction: Instruction, *names: str) -> bool:
    """Return whether an instruction is a direct call of a function whose name begins with one of these."""
    return instruction.opcode == "call" and instruction.more is not None and instruction.more.startswith(names)


def _forgotten(instruction: Instruction, places: Mapping[int, tuple[int, int]]) -> int | None:
    """Return the slot of the variable in memory that an instruction makes uninitialised; None if it does not.

    -1 if it is unknown which variable it is.
    """
    if _calls(instruction, FORGET):
        return _place(instruction.operands[0], places)[0]
    return None


def _used(code: Code, places: Mapping[int, tuple[int, int]]) -> Iterator[Operand]:
    """Yield the operands that are used. A store to a variable that the block then overwrites uses nothing."""
    for block in code.blocks:
        for _, incoming in block.phis:
            yield from incoming.values()
        for at, one in enumerate(block.body):
            base = _place(one.operands[1], places)[0] if one.opcode == "store" else -1
            if base < 0 or not _is_set(code, block.body[at + 1 :], base, places):
                yield from one.operands


def _places(code: Code) -> dict[int, tuple[int, int]]:
    """Return, for each slot with a known address, the slot of the variable behind it, and the offset in bytes."""
    found: dict[int, tuple[int, int]] = {}
    for one in (one for block in code.blocks for one in block.body):
        if one.opcode == "alloca" and all(isinstance(operand, Term) for operand in one.operands):
            found[one.result] = one.result, 0
        elif one.opcode == "getelementptr":
            base, offset = _place(one.operands[0], found)
            for (added, scale, _), index in zip(one.more, one.operands[1:], strict=True):
                if scale and not isinstance(index, Term):
                    base = -1
                elif base >= 0:
                    offset += added + scale * (_number(index) or 0)
            if base >= 0:
                found[one.result] = base, offset
    return found


def _place(operand: Operand, places: Mapping[int, tuple[int, int]]) -> tuple[int, int]:
    """Return which variable an address is in, by its slot, and the offset in bytes; -1 and 0 if they are unknown.

    Args:
        operand: the address.
        places: what is known of the addresses in slots, as :func:`_places` returns it.
    """
    return places.get(operand.number, (-1, 0)) if isinstance(operand, Slot) else (-1, 0)


def _is_set(code: Code, body: Sequence[Instruction], base: int, places: Mapping[int, tuple[int, int]]) -> bool:
    """Return whether instructions write all of a variable before they do anything else with it, or end."""
    made = next(one for block in code.blocks for one in block.body if one.result == base)
    if made.more.size > _LARGEST:
        return False
    left = set(range(made.more.size))
    unset = set[Operand]()
    for one in body:
        if not left:
            return True
        unset |= {Slot(one.result)} if _calls(one, OPEN) else set()
        written = _written(one, base, places)
        if written is not None and one.operands[0] not in unset:
            left.difference_update(written)
        elif (
            written is None
            and (_mentions(one.operands, base, places) or not _is_quiet(one))
            and (one.opcode != "getelementptr" or one.result not in places)
        ):
            return False
    return not left


def _is_quiet(instruction: Instruction) -> bool:
    """Return whether an instruction leaves a variable alone that it does not mention."""
    return instruction.opcode != "invoke" and (
        instruction.opcode != "call" or _calls(instruction, *_HARMLESS, *_WRITES)
    )


def _written(one: Instruction, base: int, places: Mapping[int, tuple[int, int]]) -> Iterable[int] | None:
    """Return the offsets of the bytes of a variable that an instruction writes.

    None if it writes none, does something else with the variable as well, or writes an unknown number of bytes.
    """
    if one.opcode == "store" and not _mentions(one.operands[:1], base, places):
        place, size = _place(one.operands[1], places), one.more.stored if one.more.is_scalar else one.more.size
    elif _calls(one, *_WRITES) and not _mentions(one.operands[1:-1], base, places):
        place, size = _place(one.operands[0], places), _number(one.operands[2])
    else:
        return None
    return range(place[1], place[1] + size) if place[0] == base and size is not None else None


def _mentions(operands: Iterable[Operand], base: int, places: Mapping[int, tuple[int, int]]) -> bool:
    """Return whether one of the operands is an address in a variable."""
    return any(_place(operand, places)[0] == base for operand in operands)


def _number(operand: Operand) -> int | None:
    """Return the number that an operand is; None if it is not a constant."""
    return int(operand.data) if isinstance(operand, Term) and operand.is_constant else None
