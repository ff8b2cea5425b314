"""Code that does not write memory."""

from __future__ import annotations

from .calls import NOTHING
from .code import CASTS, Code, Program
from .operations import BINARY
from .strings import STRINGS

HARMLESS = {*CASTS, *BINARY, "br", "switch", "ret", "unreachable", "fneg", "icmp", "fcmp", "extractvalue",
             "insertvalue", "landingpad", "extractelement", "insertelement"}  # fmt: skip
_WRITING_NOTHING = ("zeroin_", *NOTHING, "llvm.fabs", "llvm.fmuladd")  # names of functions begin so
_READING = {*HARMLESS, "load", "alloca", "getelementptr", "select", "freeze"}


class Effects:
    """Finds out which code may change memory.

    Args:
        program: the code.
    """

    def __init__(self, program: Program) -> None:
        self._program, self._known = program, dict[str, bool]()

    def may_write(self, code: Code, block: int) -> bool:
        """Return whether the block with an index may change memory.

        So may a volatile or atomic load: other threads and handlers of signals may have run.
        """
        for instruction in code.blocks[block].body:
            if instruction.opcode in ("call", "invoke"):
                if self._may_call_write(instruction.more):
                    return True
            elif instruction.opcode not in _READING or (instruction.opcode == "load" and instruction.more):
                return True
        return False

    def _may_call_write(self, name: str | None) -> bool:
        """Return whether a call may change memory; None stands for a function that is called by its address."""
        if name is None or self._program.is_replaceable(name):
            return True
        if name not in self._known:
            self._known[name] = True  # of a function that calls itself
            code = self._program.code(name)
            if code is not None:
                self._known[name] = any(self.may_write(code, block) for block in range(len(code.blocks)))
            else:
                self._known[name] = not (name in STRINGS or name.startswith(_WRITING_NOTHING))
        return self._known[name]
