"""Run a C or C++ test in the process of a trial (:mod:`zeroin.emit.trial_process`)."""

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

ENTRY = "zeroin_start"  # the function that calls ``main`` of a test that is a shared library
UNLOADABLE = "unloadable"
# Libraries with functions that compilers call implicitly: division of 128 bits, exceptions.
_HELPFUL = ("libgcc_s.so.1", "libstdc++.so.6")
_LEAST = 0.001  # seconds between two polls of a process, at first


def library(sandbox: Sandbox, path: str, names: Sequence[str], diary: Diary, seconds: float, blames: bool) -> None:
    """Run the cases of a C test that was linked as a shared library.

    If it can not be loaded, the diary only gets the reason, under the name ``UNLOADABLE``. This process changes its
    current directory.

    Args:
        sandbox: the sandbox around this process.
        path: the path of the library.
        names: the cases to run, each in a process of its own; an empty name stands for all cases in one process.
        diary: gets the results.
        seconds: the time that each process may take.
        blames: whether to look for the case that makes all cases fail in one process, though each passes alone.
    """
    for helpful in _HELPFUL:
        with contextlib.suppress(OSError):
            ctypes.CDLL(helpful, mode=os.RTLD_GLOBAL)
    try:
        start = getattr(ctypes.CDLL(path), ENTRY)
    except OSError as error:
        diary.ends(UNLOADABLE, str(error).removeprefix(f"{path}: "))
        return

    def called(words: Sequence[str]) -> None:
        given = (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)
        ctypes.CDLL(None).exit(start(len(words), given))

    _each(sandbox, called, path, names, diary, seconds, blames)


def executable(sandbox: Sandbox, path: str, names: Sequence[str], diary: Diary, seconds: float, blames: bool) -> None:
    """Run the cases of a C test that was linked as a program. The arguments are those of :func:`library`."""

    def run(words: Sequence[str]) -> None:
        os.execv(path, [*words])

    _each(sandbox, run, path, names, diary, seconds, blames)


def _each(sandbox: Sandbox, start: Callable[[Sequence[str]], None], path: str, names: Sequence[str], told: Diary,
          seconds: float, blames: bool) -> None:  # fmt: skip
    """Start a C test once for each case, in a process of its own, and then once for all cases if the names ask for it.

    If each case passes alone, but all together fail, a binary search finds the first case that fails after those before
    it; only if ``blames``. If a case fails alone, the run of all cases is left out.
    """
    cases = [name for name in names if name]
    for number, case in enumerate(cases):
        os.chdir(made_folder(sandbox.scratch / f"case{number}"))
        told.begins(case)
        told.ends(case, why := _called(start, [path, case], seconds))
        if why:
            blames = False
            names = cases
    if len(names) == len(cases):
        return
    os.chdir(made_folder(sandbox.scratch / "all"))
    told.begins("")
    told.ends("", why := _called(start, [path], seconds))
    if not why or not blames:
        return

    def fails(count: int) -> str:
        with tempfile.TemporaryDirectory(dir=sandbox.scratch) as folder:
            os.chdir(folder)
            why = _called(start, [path, *cases[:count]], seconds)
            os.chdir(sandbox.scratch)
        return why

    low, high = 1, len(cases)
    if high < 2 or not fails(high):
        return
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fails(middle) else (middle, high)
    told.ends(cases[high - 1], f"after the cases before it, {fails(high)}")


def _called(start: Callable[[Sequence[str]], None], words: Sequence[str], seconds: float) -> str:
    """Call ``start``, which does not return, in a process of its own. Return why the test fails; empty if it passes."""
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
    """Return why a test with this exit status fails (a signal if it is negative); empty if it passes."""
    if status < 0:
        return f"the test ends with {signal.Signals(-status).name}"
    return "" if status == 0 else "it behaves differently" if status == 1 else f"the test ends with status {status}"
