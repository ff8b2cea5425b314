"""Copies of a subject that are loaded beside it: the builds that replay inputs, and the copy that holds the mutants."""

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
    """How to make a copy.

    Attributes:
        prefix: the prefix of all names that the copy defines.
        entry: the name of the function that calls the copy with words.
        texts: IR of the subject's files, as compiled for this copy.
        module: returns the module of the subject's own file, already changed.
        change: changes the module of each of the other files.
        level: the optimisation level, as in ``-O2``.
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
        """Load the compiled copy, and run its constructors."""

    @abstractmethod
    def _copies(self) -> dict[str, Callable[[], Copy]]:
        """Return, by prefix, a function for each possible copy that returns how to make it."""

    def load_beside(self, copy: Copy) -> int:
        """Load a copy beside the subject. Return the address of the function that calls the copy with words.

        If the object file is not in the cache, it is compiled: inside the sandbox, by the helper process. The copy's
        constructors run.

        Raises:
            MissingSymbol: the copy refers to a symbol that is defined nowhere.
            CompileError: the files can not be linked.
        """
        compiler = self._compiler
        with cache.made_by(lambda: compiler.ask(copy.prefix.encode())) if compiler else nullcontext():
            made = self._object(copy)
        self._load(made)
        return self._code.function(copy.entry)

    def _shut_in(self, sandbox: Sandbox) -> ctypes.Array[ctypes.c_char]:
        """Close the sandbox around this process, before any code of the subject runs in it.

        A helper process stays outside the sandbox. It compiles copies and writes them to the cache. It accepts only the
        prefixes of known copies, so the subject can not make it write anything else.

        Returns:
            The path of the scratch folder, the only folder that runs may write to.
        """
        copies = self._copies()
        self._compiler = Helper(lambda prefix: self._object(copies[prefix.decode()]()))
        sandbox.close()
        return ctypes.create_string_buffer(os.fsencode(sandbox.scratch))
