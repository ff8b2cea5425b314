"""Finds out whether a function always does the same with the same input, so that its runs stand for all calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....model.memory import Function, MemoryValue, Pointer
from ....term.core.nodes import Op, Term, variable
from ....term.core.typing_rules import EXACT
from ..llvm_ir.ir import mentioned
from .calls import is_known, value_of
from .code import CASTS, PROBE_SWITCH, Code, Instruction, Operand, Program, Slot, is_probe
from .operations import BINARY, FREE
from .uninitialised_use import uses_unset

_SAME_EVERYWHERE = EXACT | {"fmin", "fmax"}
_STEADY = {*CASTS, *BINARY, "br", "switch", "ret", "unreachable", "fneg", "icmp", "fcmp", "extractvalue", "insertvalue",
           "load", "store", "alloca", "getelementptr", "select", "freeze", "call", "invoke"}  # fmt: skip


def disturbed(program: Program, entry: str, unset: set[str], library: set[str]) -> str:
    """Return why two calls with the same input may differ, for people. Empty if only open values of C can differ.

    Args:
        program: the code.
        entry: the name of the function.
        unset: receives the variables that are assumed to keep their initial value, although code outside may set them.
        library: receives the functions of the C library whose results differ between libraries, by an ULP or more.

    Returns:
        The first reason found. In that case, the two sets are incomplete.
    """
    waiting, seen = [entry], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or _is_ours(program, name):
            continue
        seen.add(name)
        if program.is_replaceable(name):
            return f"another definition of {name} may replace it"
        code = program.code(name)
        if code is None:
            if not program.is_function(name):
                value, is_here = program.initial(name) or ("", False)
                if not (is_here and program.is_constant(name)):
                    return f"it uses the variable {name}, which other code may set"
                unset |= {name} if program.may_be_set(name) else set()
                waiting += mentioned(value)
            continue
        if program.has_volatile(name):
            return f"{name} uses volatile memory"
        if uses_unset(code):
            return f"{name} may use an uninitialised variable"
        for block in code.blocks:
            operands = [operand for _, incoming in block.phis for operand in incoming.values()]
            for instruction in block.body:
                if why := _of_instruction(program, code, instruction, library):
                    return why
                operands += instruction.operands
            waiting += _names(operands)
    return ""


def _of_instruction(program: Program, code: Code, instruction: Instruction, library: set[str]) -> str:
    """Return why an instruction may make two calls differ; empty if it does not. It adds to ``library``."""
    opcode, name = instruction.opcode, instruction.more
    if instruction.is_free:
        return f"with these flags, other compilers may compute other results: {FREE}"
    if opcode not in _STEADY:
        return f"zeroin can not read a part of it: {name if isinstance(name, str) else opcode}"
    if opcode == "ptrtoint" and not code.values[instruction.result].name.startswith("zi."):  # a probe's are compared
        return "it uses an address as a number"
    if opcode == "inttoptr":
        return "it uses a number as an address"
    if opcode == "icmp" and name[0] not in ("eq", "ne") and name[1].name == "ptr":
        return "it compares addresses of objects"
    if opcode not in ("call", "invoke"):
        return ""
    if name is None:
        return "it calls a function through a pointer, or assembly"
    if is_probe(name) or name == PROBE_SWITCH or program.code(name) is not None:
        return ""
    arguments = [_like(code, operand) for operand in instruction.operands[:-1]]
    if _is_ours(program, name):
        return ""
    value = value_of(name, arguments, instruction.type)
    if isinstance(value, Term) and value.op is Op.MATH and value.data not in _SAME_EVERYWHERE:
        library.add(value.data)
    return "" if is_known(name, arguments, instruction.type) else f"it calls {name}, which may differ from call to call"


def _is_ours(program: Program, name: str) -> bool:
    """Return whether a name belongs to zeroin's runtime library. A function that the code itself defines does not."""
    return name.startswith("zeroin_") and program.code(name) is None


def _like(code: Code, operand: Operand) -> MemoryValue | None:
    """Return a variable of the operand's sort, or the constant itself; None if the operand is no number."""
    if not isinstance(operand, Slot):
        return operand
    sort = code.sorts[operand.number]
    return None if sort is None else variable("?", sort)


def _names(operands: Iterable[Operand]) -> Iterator[str]:
    """Yield the names of the functions and variables that operands refer to."""
    for operand in operands:
        if isinstance(operand, Function):
            yield operand.name
        elif isinstance(operand, Pointer) and operand.to is not None:
            yield operand.to.name
        elif isinstance(operand, tuple):
            yield from _names(operand)
