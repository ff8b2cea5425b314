"""The runtime: our C code that runs beside a subject, compiled once and kept.

``runtime.c`` (probes, fuel) is linked into each subject, so that probes are inlined. ``guards.c`` (signal handlers,
clock, heap, sandboxed calls) is an object file that is loaded once.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
import os
import platform
import re
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import llvmlite.binding as llvm

from .... import cache as files
from ....errors import ZeroinError
from ....native import machine
from ....native.cells import TOO_LONG, Disturbs
from ....sandbox import seccomp
from ..front.compile import RUNTIME, preloaded_texts
from ..front.symbols import parse

# The runtime's variables that Python reads or writes, without their prefix.
CELLS = (
    *("pen_float", "pen_int", "data", "outcome", "detail", "end", "result", "buffers", "plain", "resets"),
    *("reset_count", "stop", "ticks_left", "hasty", "memory_limit", "scratch", "lethal", "lethal_count", "arity"),
    *("required", "fuel", "fuel_limit", "fuel_full", "slice_fuel", "short_runs", "fault", "fault_how", "threw", "what"),
    *("shown", "shown_size", "shown_hash", "shows"),
    *("undefined_one", "undefined_other", "pattern", "elsewhere"),
)

TICKS_PER_SECOND = 20  # of the clock in clock.c
_LEAST_TICKS = 4  # before the clock ends a run
_MAKERS = (Path(__file__), Path(machine.__file__))


@dataclass(frozen=True)
class Runtime:
    """The compiled code of ``runtime.c`` and ``guards.c``.

    Attributes:
        probes: bitcode of ``runtime.c``, which is optimised together with the subject.
        guards: the object file of ``guards.c``. It and the subject refer to each other only through tables of
            addresses, so they may lie anywhere in memory.
        key: a digest of all that the code was compiled from.
    """

    probes: bytes
    guards: bytes
    key: str

    def module(self) -> llvm.ModuleRef:
        """Return the code of ``runtime.c`` as a new LLVM module."""
        return llvm.parse_bitcode(self.probes)


@cache
def runtime_of(probes: str, guards: str) -> Runtime:
    """Compile the runtime from the IR of ``runtime.c`` (``probes``) and ``guards.c``, or load it from the cache.

    A second call in the same process returns the same object.
    """
    place = files.folder("code")
    makers = [path.read_bytes() for path in _MAKERS]
    what = ("runtime", probes, guards, makers, llvm.llvm_version_info, *machine.host(), platform.libc_ver())
    key = hashlib.sha256(repr(what).encode()).hexdigest()[:40]
    content = files.kept(place and place / key, lambda: _make(probes, guards)) or b""
    size, _, content = content.partition(b"\n")
    return Runtime(content[: int(size)], content[int(size) :], key)


def _make(probes: str, guards: str) -> bytes:
    """Compile the runtime. Return the size of its bitcode in decimal, a newline, the bitcode, and the object file."""
    machine.load_libraries()
    module = parse(guards, RUNTIME[1])
    _leave_out_unusable(module)
    machine.optimise(module)
    bitcode = parse(_local(probes), RUNTIME[0]).as_bitcode()
    return b"%d\n%b%b" % (len(bitcode), bitcode, machine.object_file(module))


def _leave_out_unusable(module: llvm.ModuleRef) -> None:
    """Hide the functions that call a function which this machine's C library lacks, in place.

    LLVM would end the process.
    """
    outside = [f.name for f in module.functions if f.is_declaration and not f.name.startswith(("llvm.", "zeroin_"))]
    absent = [f"@{name}(" for name in outside if not machine.has_symbol(name)]
    for function in module.functions if absent else ():
        if not function.is_declaration and any(call in str(function) for call in absent):
            function.linkage = "internal"


def _local(text: str) -> str:
    """Mark the variables as local to the module, so that code reaches them directly and not through a table."""
    return re.sub(r"^(@zeroin_\w+ = )global", r"\1dso_local global", text, flags=re.M)


def preload(cc: Sequence[str]) -> None:
    """Load the runtime if an earlier process has compiled it, so that forked children have it already.

    Errors are ignored: a child meets them again.

    Args:
        cc: the user's ``--cc``: flags, or a compiler followed by flags.
    """
    with suppress(ZeroinError):  # a child of this process will report the error
        texts = preloaded_texts(cc)
        if texts is not None:
            runtime_of(*texts)


def stack_low() -> int:
    """Return the lowest address that the main thread's stack may grow to; 0 if it is unknown or unlimited."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_STACK)
    if limit == resource.RLIM_INFINITY:
        return 0
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:  # not Linux: a stack overflow is then reported as an invalid address
        return 0
    match = re.search(r"-([0-9a-f]+) .*\[stack\]", maps)
    return int(match[1], 16) - limit if match else 0


_guarding: list[machine.MachineCode] = []  # keeps the code of the signal handlers alive after the subject is gone


def construct(code: machine.MachineCode, constructors: Sequence[str], seconds: float) -> None:
    """Run the constructors of the loaded code, in order.

    If they take longer than ``seconds``, the process ends with the status ``TOO_LONG``.
    """
    if not constructors:
        return
    timer = threading.Timer(seconds, os._exit, (TOO_LONG,))
    timer.daemon = True
    timer.start()
    try:
        for name in constructors:
            ctypes.CFUNCTYPE(None)(code.function(name))()
    finally:
        timer.cancel()
        timer.join()


def guard(code: machine.MachineCode, disturbs: Disturbs, longest_run: float) -> None:
    """Install the signal handlers and the clock of a subject in this process.

    They replace those of a subject that was guarded before. The machine code stays loaded until the process ends.

    Args:
        code: the machine code of the subject.
        disturbs: what its runs may change besides memory.
        longest_run: the seconds after which the clock ends a run, at least 0.2.
    """
    _stop_clock()
    trap = seccomp.trap()
    ctypes.c_int64.from_address(code.variable("zeroin_secret")).value = trap.signed_secret if trap is not None else 0
    ctypes.c_int64.from_address(code.variable("zeroin_patience")).value = max(
        _LEAST_TICKS, int(longest_run * TICKS_PER_SECOND)
    )
    install = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(code.function("zeroin_guard"))
    install(ctypes.c_void_p(stack_low()))
    ctypes.CFUNCTYPE(None, ctypes.c_int64)(code.function("zeroin_disturb"))(int(disturbs))
    if not _guarding:
        atexit.register(_stop_clock)
    _guarding.append(code)


def _stop_clock() -> None:
    """Stop the clock of the subject that was guarded last, if there is one."""
    if _guarding:
        ctypes.CFUNCTYPE(None)(_guarding[-1].function("zeroin_stop_clock"))()
