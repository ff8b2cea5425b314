"""Limits of processes: memory, time without a heartbeat, and advice for errors at the machine's limits."""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path

LONGEST_SILENCE = 2.5  # seconds without a heartbeat after which a run counts as hung
_ADVICE = {
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "the machine has no more open files to give",
    errno.ENOMEM: "give it more memory (ulimit -v)",
    errno.EAGAIN: "allow more processes (ulimit -u)",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EROFS: "the file system is read-only",
}


def limit_memory(beyond: int) -> None:
    """Limit the address space of this process, and disable core files. Processes that it starts later inherit both.

    The limit replaces the present one, even by a larger one, but never exceeds the hard limit.

    Args:
        beyond: bytes that the process may take in addition to those that it has now.
    """
    used = 0
    statm = Path("/proc/self/statm")
    if statm.exists():
        used = int(statm.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + beyond
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def memory_allowed() -> int | None:
    """Return the limit of this process's address space in bytes; None without a limit. Child processes inherit it."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def of_the_machine(error: BaseException) -> str | None:
    """Return a message for an error at a limit of the machine or of the user's settings; None for other errors."""
    limited = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _ADVICE)
    return described(error) if limited else None


def described(error: BaseException) -> str:
    """Return an OSError or MemoryError as one line of text, with advice if there is any; the text of another error."""
    if isinstance(error, MemoryError):
        return f"out of memory: {_ADVICE[errno.ENOMEM]}"
    if not isinstance(error, OSError):
        return str(error)
    place = f"{' '.join(str(error.filename).split())}: " if error.filename else ""
    advice = f": {_ADVICE[error.errno]}" if error.errno in _ADVICE else ""
    return f"{place}{error.strerror or error}{advice}"
