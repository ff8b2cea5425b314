"""Processes of our own. What keeps a subject from making and ending processes, the guards and the wall of system calls,
lets these functions through."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def end_with_parent() -> None:
    """Have the system (Linux) end this process when the one (the thread, to be exact) that started it ends."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_through = list[Callable[..., int]]()  # makes a system call, by its name, that a wall would stop


def go_through(call: Callable[..., int]) -> None:
    """From now on this process is behind a wall, and ``call`` makes calls through it."""
    _through[:] = [call]


def fork() -> int:
    """``os.fork``, also behind a wall.

    Raises:
        OSError: there are too many processes.
    """
    if not _through:
        return os.fork()
    ctypes.pythonapi.PyOS_BeforeFork()
    child = _through[0]("clone", int(signal.SIGCHLD))
    if child == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if child < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return child


def _kill(process: int) -> None:
    if _through:
        _through[0]("kill", process, int(signal.SIGKILL))
    else:
        os.kill(process, signal.SIGKILL)


def end(process: int) -> None:
    """End a process that nobody has waited for yet, and its group if it leads one."""
    end_group(process)
    with contextlib.suppress(ProcessLookupError):
        _kill(process)


def end_group(process: int) -> None:
    """End what is left of the group that a process leads, or led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        _kill(-process)


def parent_of(process: int) -> int | None:
    """The process that started another one, or has adopted it; None if that one is gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
