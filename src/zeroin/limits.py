"""What a process may take of the machine."""

from __future__ import annotations

import os
import resource
from pathlib import Path


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
