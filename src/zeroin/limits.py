"""What a process may take of the machine, and how long it may be silent."""

from __future__ import annotations

import errno
import os
import resource
from pathlib import Path

LONGEST_SILENCE = 2.5  # seconds for a run without a sign of life
_ADVICE = {
    errno.EMFILE: "allow more open files (ulimit -n)",
    errno.ENFILE: "the machine has no more open files to give",
    errno.ENOMEM: "give it more memory (ulimit -v)",
    errno.EAGAIN: "allow more processes (ulimit -u)",
    errno.EFBIG: "allow larger files (ulimit -f)",
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EROFS: "it is mounted for reading only",
}


def limit_memory(beyond: int) -> None:
    """Let this process take so many bytes of addresses more than it has, and write no core file."""
    used = 0
    statm = Path("/proc/self/statm")
    if statm.exists():
        used = int(statm.read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = used + beyond
    resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def memory_allowed() -> int | None:
    """Bytes of addresses that this process, and each that it starts, may take; None without a limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if soft == resource.RLIM_INFINITY else soft


def of_the_machine(error: BaseException) -> str | None:
    """What to say of an error that is a limit of the machine, or one that the user has set; None for any other."""
    limited = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _ADVICE)
    return described(error) if limited else None


def described(error: BaseException) -> str:
    """One line, with what to do about it if that is known."""
    if isinstance(error, MemoryError):
        return f"out of memory: {_ADVICE[errno.ENOMEM]}"
    if not isinstance(error, OSError):
        return str(error)
    place = f"{' '.join(str(error.filename).split())}: " if error.filename else ""
    advice = f": {_ADVICE[error.errno]}" if error.errno in _ADVICE else ""
    return f"{place}{error.strerror or error}{advice}"
