"""Run a C or C++ test, in the process of a trial (:mod:`zeroin.emit.trial_process`)."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import tempfile
import time
from collections.abc import Callable, Sequence

from ....emit.trial_process import Diary, made_folder
from ....sandbox import forking
from ....sandbox.landlock import Sandbox

ENTRY = "zeroin_start"  # what a C test is called through
UNLOADABLE = "unloadable"
# What a compiler may call without being asked to: division of 128 bits, exceptions.
_HELPFUL = ("libgcc_s.so.1", "libstdc++.so.6")
_LEAST = 0.001  # seconds between looks at a process


def library(fence: Sandbox, path: str, names: Sequence[str], diary: int, seconds: float, blames: bool) -> None:
    """Call a C test that was linked as a shared library, see :func:`_each`."""
    told = Diary(diary)
    for helpful in _HELPFUL:
        with contextlib.suppress(OSError):
            ctypes.CDLL(helpful, mode=os.RTLD_GLOBAL)
    try:
        start = getattr(ctypes.CDLL(path), ENTRY)
    except OSError as error:
        told.ends(UNLOADABLE, str(error).removeprefix(f"{path}: "))
        return

    def called(words: Sequence[str]) -> None:
        given = (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)
        ctypes.CDLL(None).exit(start(len(words), given))

    _each(fence, called, path, names, told, seconds, blames)


def executable(fence: Sandbox, path: str, names: Sequence[str], diary: int, seconds: float, blames: bool) -> None:
    """Run a C test that was linked as a program, see :func:`_each`."""

    def run(words: Sequence[str]) -> None:
        os.execv(path, [*words])

    _each(fence, run, path, names, Diary(diary), seconds, blames)


def _each(fence: Sandbox, start: Callable[[Sequence[str]], None], path: str, names: Sequence[str], told: Diary,
          seconds: float, blames: bool) -> None:  # fmt: skip
    """Start a C test once for each name, in a process of its own: a name is that of a case; an empty one stands for all
    cases, which are run if each has passed alone. If they do not pass then, and that is to be blamed on one of them, it
    is the first one that does not pass behind those before it."""
    cases = [name for name in names if name]
    for number, case in enumerate(cases):
        os.chdir(made_folder(fence.scratch / f"case{number}"))
        told.begins(case)
        told.ends(case, why := _called(start, [path, case], seconds))
        if why:
            blames = False
            names = cases
    if len(names) == len(cases):
        return
    os.chdir(made_folder(fence.scratch / "all"))
    told.begins("")
    told.ends("", why := _called(start, [path], seconds))
    if not why or not blames:
        return

    def fails(count: int) -> str:
        with tempfile.TemporaryDirectory(dir=fence.scratch) as folder:
            os.chdir(folder)
            why = _called(start, [path, *cases[:count]], seconds)
            os.chdir(fence.scratch)
        return why

    low, high = 1, len(cases)
    if high < 2 or not fails(high):
        return
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) else (middle, high)
    told.ends(cases[high - 1], f"behind the cases before it, {fails(high)}")


def _called(start: Callable[[Sequence[str]], None], words: Sequence[str], seconds: float) -> str:
    """Start it in a process of its own, which ``start`` ends; why it does not pass."""
    process = forking.fork()
    if not process:
        os.setpgid(0, 0)
        forking.end_with_parent()
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        try:
            start(words)
        finally:
            os._exit(127)
    end, pause = time.monotonic() + seconds, _LEAST
    try:
        while time.monotonic() < end:
            found, status = os.waitpid(process, os.WNOHANG)
            if found:
                return _why(os.waitstatus_to_exitcode(status))
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        forking.end(process)
        os.waitpid(process, 0)
        return f"it does not end within {seconds:g} seconds"
    finally:
        forking.end_group(process)


def _why(status: int) -> str:
    if status < 0:
        return f"the test ends with {signal.Signals(-status).name}"
    return "" if status == 0 else "it does something else" if status == 1 else f"the test ends with status {status}"
