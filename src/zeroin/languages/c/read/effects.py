"""Instructions that do not write memory."""

from __future__ import annotations

from .calls import NOTHING
from .code import CASTS, Code
from .operations import BINARY

HARMLESS = {*CASTS, *BINARY, "br", "switch", "ret", "unreachable", "fneg", "icmp", "fcmp", "extractvalue",
             "insertvalue", "landingpad", "extractelement", "insertelement"}  # fmt: skip


def may_write(code: Code, block: int) -> bool:
    """Return whether the block with an index may change memory. Calls may, unless they are known to be harmless.

    So may a volatile or atomic load: other threads and handlers of signals may have run.
    """
    harmless = {*HARMLESS, "load", "alloca", "getelementptr", "select", "freeze"}
    for instruction in code.blocks[block].body:
        if instruction.opcode in ("call", "invoke"):
            name = instruction.more
            if name is None or not name.startswith(("zeroin_", *NOTHING, "llvm.fabs", "llvm.fmuladd")):
                return True
        elif instruction.opcode not in harmless or (instruction.opcode == "load" and instruction.more):
            return True
    return False
