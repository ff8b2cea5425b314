"""Functions to fork and to end zeroin's own processes. They also work in the sandbox, where subjects may do neither."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from collections.abc import Callable

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def end_with_parent() -> None:
    """Make Linux kill this process when the thread that started it ends. On other systems, do nothing."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_through = list[Callable[..., int]]()  # at most one function: it makes a system call by name despite the filter


def go_through(call: Callable[..., int]) -> None:
    """Use ``call`` to fork and to send signals from now on.

    It takes the name and the arguments of a system call, makes the call with the filter's permission, and returns its
    result: -1 if it failed.
    """
    _through[:] = [call]


def fork() -> int:
    """Do the same as ``os.fork``, also in the sandbox. There, at-fork handlers of C libraries do not run.

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
    """Send SIGKILL to a process; for a negative number, to the process group of this number.

    Raises:
        ProcessLookupError, PermissionError: it is not possible. After :func:`go_through`, there is no error then.
    """
    if _through:
        _through[0]("kill", process, int(signal.SIGKILL))
    else:
        os.kill(process, signal.SIGKILL)


def end(process: int) -> None:
    """Kill a process that has not been waited for yet, and the process group that it leads, if any.

    It does not wait for the end. Nothing happens if the process has ended.
    """
    end_group(process)
    with contextlib.suppress(ProcessLookupError):
        _kill(process)


def end_group(process: int) -> None:
    """Kill all processes in the group that a process leads or led. Nothing happens if there are none."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        _kill(-process)


def parent_of(process: int) -> int | None:
    """Return the id of a process's parent, or of the process that adopted it; None if there is no such process.

    A process that has ended exists until it has been waited for.
    """
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
