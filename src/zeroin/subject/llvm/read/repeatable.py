"""Whether a function always does the same with the same input: then it is a proof to run all inputs."""

from __future__ import annotations

from collections.abc import Iterable

from ....model.memory import Function, Pointer, Value
from ....term.nodes import variable
from .calls import is_known
from .code import PROBE_SWITCH, UNREADABLE, Code, Instruction, Operand, Program, Slot, is_probe


def disturbed(program: Program, entry: str) -> str:
    """What may make two runs with the same input differ, in words; empty if nothing does but undefined behaviour."""
    waiting, seen = [entry], set[str]()
    while waiting:
        code = program.code(waiting.pop())
        if code is None or code.name in seen:
            continue
        seen.add(code.name)
        for block in code.blocks:
            operands = [operand for _, incoming in block.phis for operand in incoming.values()]
            for instruction in block.body:
                if why := _of_instruction(program, code, instruction):
                    return why
                operands += instruction.operands
            if why := _variable(program, operands):
                return why
            waiting += [operand.name for operand in operands if isinstance(operand, Function)]
    return ""


def _of_instruction(program: Program, code: Code, instruction: Instruction) -> str:
    if instruction.opcode == UNREADABLE:
        return f"a part of it is not read: {instruction.more}"
    if instruction.opcode not in ("call", "invoke"):
        return ""
    name = instruction.more
    if name is None:
        return "it calls a function by its address, or assembly"
    if is_probe(name) or name == PROBE_SWITCH or program.code(name) is not None:
        return ""
    arguments = [_like(code, operand) for operand in instruction.operands[:-1]]
    known = name.startswith("zeroin_") or is_known(name, arguments, instruction.type)
    return "" if known else f"it calls {name}, which may do something else each time"


def _like(code: Code, operand: Operand) -> Value | None:
    """A value of the operand's kind."""
    if not isinstance(operand, Slot):
        return operand
    sort = code.sorts[operand.number]
    return None if sort is None else variable("?", sort)


def _variable(program: Program, operands: Iterable[Operand]) -> str:
    for operand in operands:
        named = operand.to.name if isinstance(operand, Pointer) and operand.to is not None else ""
        if named and not named.startswith("zeroin_") and not program.is_constant(named):
            return f"it uses the variable {named}, which others may set"
    return ""
