"""The global variables of a program as objects in memory, with their initial values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....model.memory import NULL, Function, MemoryValue, Object, Pointer, Unreadable
from ..llvm_ir.ir import bare
from .access import fill
from .calls import ERRNO
from .types import Reader, Type

if TYPE_CHECKING:
    from .code import Program


class Globals:
    """The global variables of a program. Each object is created when it is first used."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._objects: dict[str, Object] = {}

    def named(self, token: str) -> MemoryValue:
        """Return the address of a function or variable, whose name begins with ``@``."""
        name = bare(token[1:])
        return Function(name) if self._program.is_function(name) else Pointer(self.object(name), NULL.offset)

    def object(self, name: str) -> Object:
        """Return the object of a global variable, the same one each time.

        A variable that is defined elsewhere, or whose type is not supported, is not live: it can not be accessed.
        """
        found = self._objects.get(name)
        if found is None:
            text = self._program.initial(name)
            if text is None or not text[1]:  # defined elsewhere
                found = self._objects[name] = Object(name, 0, is_live=False)
                return found
            reader = self._program.reader(text[0], self)
            try:
                type_ = reader.type()
            except Unreadable:
                found = self._objects[name] = Object(name, 0, is_live=False)
                return found
            found = self._objects[name] = Object(name, type_.size)
            if name != ERRNO:
                _initialise(found, type_, reader)
        return found


def _initialise(variable: Object, type_: Type, reader: Reader) -> None:
    """Store the initial value, which comes next in the text, in a variable.

    If it can not be read, the contents are unknown. Gaps between members are unknown, too, unless all bytes are 0.
    """
    is_zero = reader.peek == "zeroinitializer"
    try:
        value = reader.value(type_)
        if value is not None:
            variable.zeroed = is_zero or not type_.has_gaps
            if not is_zero:
                fill(variable, 0, type_, value)
    except Unreadable:
        variable.cells.clear()
        variable.zeroed = False
