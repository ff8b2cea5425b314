"""Processes of our own. The guards that keep a subject from making and ending processes let these functions through."""

from __future__ import annotations

import contextlib
import os
import signal


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
