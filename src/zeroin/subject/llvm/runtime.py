"""Our own code that runs beside a subject, made ready once: what is linked into the subject, and what need not be."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm

from ... import cache as files
from ...errors import ZeroinError
from ...native import machine
from .compile import RUNTIME, preloaded_texts
from .symbols import parse

_NEEDED = {"zeroin_guard", "zeroin_disturb", "zeroin_stop_clock"}


@dataclass(frozen=True)
class Runtime:
    """The code of ``runtime.c`` and ``guards.c``.

    Attributes:
        probes: bitcode of the first, which is optimised with the subject.
        guards: bitcode of the second, optimised. It becomes machine code with the subject all the same: objects of
            their own may come to lie too far apart to refer to each other.
    """

    probes: bytes
    guards: bytes

    def module(self) -> llvm.ModuleRef:
        return llvm.parse_bitcode(self.probes)

    def guarded(self, subject: llvm.ModuleRef, called: Collection[str]) -> llvm.ModuleRef:
        """A subject, which has been optimised, with the guards that it needs.

        Args:
            subject: with probes.
            called: the guards that the same function without probes may need.
        """
        needed = {*_NEEDED, *called, *(function.name for function in subject.functions)}
        guards = llvm.parse_bitcode(self.guards)
        for function in guards.functions:
            if not function.is_declaration and function.name not in needed:
                function.linkage = "internal"
        machine.without_dead_code(guards)
        subject.link_in(guards)
        return subject


@cache
def runtime_of(probes: str, guards: str) -> Runtime:
    """Made ready from the IR texts of the files, or by an earlier process."""
    place = files.folder("code")
    what = ("bitcode", probes, guards, llvm.llvm_version_info, *machine.host())
    kept = place and place / hashlib.sha256(repr(what).encode()).hexdigest()[:40]
    content = files.kept(kept, lambda: _make(probes, guards)) or b""
    size, _, content = content.partition(b"\n")
    return Runtime(content[: int(size)], content[int(size) :])


def _make(probes: str, guards: str) -> bytes:
    module = parse(guards, RUNTIME[1])
    machine.optimise(module)
    bitcode = parse(_local(probes), RUNTIME[0]).as_bitcode()
    return b"%d\n%b%b" % (len(bitcode), bitcode, module.as_bitcode())


def _local(text: str) -> str:
    """The text with its variables marked as the module's own, so that they are reached directly and not through a
    table."""
    return re.sub(r"^(@zeroin_\w+ = )global", r"\1dso_local global", text, flags=re.M)


def preload(cc: Sequence[str]) -> None:
    """Load what an earlier process has made ready, for the children of this one."""
    with suppress(ZeroinError):  # a child of this process will say it
        texts = preloaded_texts(cc)
        if texts is not None:
            runtime_of(*texts)
