"""Copies of a subject that are loaded beside it: the builds in which inputs are replayed, and one with its mutants."""

from __future__ import annotations

import ctypes
import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .... import cache
from ....sandbox.helper import Helper
from ..llvm_ir import ir
from .linking import Change

if TYPE_CHECKING:
    from ....native.machine import MachineCode
    from ....sandbox.landlock import Sandbox
    from .object_files import Compiled


@dataclass(frozen=True)
class Copy:
    """How a copy is made.

    Attributes:
        prefix: of the names that it defines.
        entry: the name of what calls it.
        texts: IR of the subject's files, as they were compiled for it.
        module: makes its own file of the first of them.
        change: made to each of the others.
        level: of optimisation.
    """

    prefix: str
    entry: str
    texts: Sequence[str]
    module: Callable[[], ir.Module]
    change: Change
    level: int = 2


class WithCopies:
    """The part of a subject that loads copies of it."""

    _code: MachineCode
    _compiler: Helper | None = None

    @abstractmethod
    def _object(self, copy: Copy) -> Compiled:
        """Compile a copy."""

    @abstractmethod
    def _load(self, made: Compiled) -> None:
        """Load what was compiled."""

    @abstractmethod
    def _copies(self) -> dict[str, Callable[[], Copy]]:
        """What makes each of the copies there may be, by its prefix."""

    def load_beside(self, copy: Copy) -> int:
        """Load a copy of the subject beside it; the address of what calls it."""
        compiler = self._compiler
        with cache.made_by(lambda: compiler.ask(copy.prefix.encode())) if compiler else nullcontext():
            made = self._object(copy)
        self._load(made)
        return self._code.function(copy.entry)

    def _shut_in(self, fence: Sandbox) -> ctypes.Array[ctypes.c_char]:
        """Close the fence around this process, before the first line of the subject runs in it. A helper stays outside:
        it compiles copies, and keeps them. It can be asked for those alone, so whatever the subject asks for, nothing
        else is ever kept. The path of the folder where runs may write."""
        copies = self._copies()
        self._compiler = Helper(lambda prefix: self._object(copies[prefix.decode()]()))
        fence.close()
        return ctypes.create_string_buffer(os.fsencode(fence.scratch))
