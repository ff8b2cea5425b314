"""Processes of our own. The guards that keep a subject from making and ending processes let these functions through."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def end_with_parent() -> None:
    """Have the system (Linux) end this process when the one (the thread, to be exact) that started it ends."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def fork() -> int:
    """``os.fork``."""
    return os.fork()


def end(process: int) -> None:
    """End a process that nobody has waited for yet, and its group if it leads one."""
    end_group(process)
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)


def end_group(process: int) -> None:
    """End what is left of the group that a process leads, or led."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def parent_of(process: int) -> int | None:
    """The process that started another one, or has adopted it; None if that one is gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
