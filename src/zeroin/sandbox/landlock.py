"""The sandbox of a process that runs code under test: a scratch folder, Landlock and the filter of system calls.

The current directory is a scratch folder. Where the kernel has Landlock, the process can not run programs or change
files elsewhere. With newer versions of Landlock it can not use TCP or signal other processes, either. The kernel
enforces this whatever code runs.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .. import cache
from . import seccomp

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same numbers on x86-64 and AArch64
_VERSION, _PATH_BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
# Access rights to files, from linux/landlock.h. _SINCE has the version of Landlock that introduced some of them.
_SINCE_REFER, SINCE_TRUNCATE = 2, 3  # versions
_EXECUTE, _WRITE_FILE, _TRUNCATE = 1 << 0, 1 << 1, 1 << 14
_REFER = 1 << 13
_CHANGES = _WRITE_FILE | 0x1FF0  # remove files and folders; make files of all kinds
_SINCE = ((_SINCE_REFER, _REFER), (SINCE_TRUNCATE, _TRUNCATE))
_TCP, _OTHER_PROCESSES = 0b11, 0b11  # bind and connect; abstract sockets and signals


@dataclass(frozen=True)
class Sandbox:
    """The sandbox of one process.

    Attributes:
        scratch: the real path of the scratch folder, which the process may write to. It is empty at first.
        allowed: the effects that are not restricted: ``files``, ``network``, ``processes``.
        others: further folders that the process may write to.
    """

    scratch: Path
    allowed: frozenset[str] = frozenset()
    others: tuple[Path, ...] = ()

    def fresh(self) -> None:
        """Make the scratch folder the current directory, and empty it. Folders that can not be removed stay.

        Raises:
            OSError: there is no such folder, or a file can not be removed.
        """
        os.chdir(self.scratch)
        with os.scandir(self.scratch) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)

    def holds(self, path: str) -> bool:
        """Return whether an absolute path without symbolic links lies inside of ``scratch`` or ``others``.

        The folders themselves do not count.
        """
        return any(path.startswith(f"{folder}/") for folder in (self.scratch, *self.others))

    def close(self, programs: bool = False, tells: bool = True) -> bool:
        """Restrict this process for the rest of its life, and all processes that it starts.

        Threads that are already running are not restricted. Temporary files go to the scratch folder from now on, and
        this process only reads zeroin's cache. A further call can only add restrictions.

        Args:
            programs: whether the process may run programs. These are restricted like the process.
            tells: whether refused system calls are recorded, see :func:`zeroin.sandbox.seccomp.install_filter`.

        Returns:
            Whether the kernel has Landlock. Without it, there is only the filter of system calls, if that is supported.

        Raises:
            OSError: the kernel refused to install Landlock or the filter.
        """
        cache.read_only()
        tempfile.tempdir = os.environ["TMPDIR"] = str(self.scratch)
        stands = _confine((self.scratch, *self.others), self.allowed, programs)
        allowed = {name: name in self.allowed for name in ("files", "network", "processes")}
        seccomp.install_filter(seccomp.AllowedCalls(**allowed, forks=True, programs=programs), tells)
        return stands


def landlock_version() -> int:
    """Return the version of Landlock that the kernel has; less than 1 if it has none or does not use it."""
    system = ctypes.CDLL(None, use_errno=True).syscall
    return int(system(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION))


def missing_protections() -> list[str]:
    """Return the protections that the kernel does not have, as sentences for the user; empty if it has all.

    seccomp guards what Landlock 4 and later add (TCP, signals), but it does not guard files from being emptied.
    """
    version = landlock_version()
    missing = []
    if version < 1:
        missing.append("the kernel has no Landlock")
    elif version < SINCE_TRUNCATE:
        missing.append(f"Landlock {version} of the kernel does not keep files from being emptied")
    return missing if seccomp.is_supported() else [*missing, "the kernel has no seccomp filters that zeroin supports"]


def _confine(writable: Iterable[Path], allowed: frozenset[str], programs: bool) -> bool:
    """Restrict the calling thread with Landlock, as far as the kernel's version can.

    Args:
        writable: the folders in which files may change; ``/dev/null`` may be written to as well.
        allowed: as in :class:`Sandbox`.
        programs: whether the process may run programs.

    Returns:
        False if the kernel has no Landlock; True otherwise, even if nothing is restricted.

    Raises:
        OSError: the kernel refused, or a folder does not exist.
    """
    system = ctypes.CDLL(None, use_errno=True).syscall
    version = landlock_version()
    if version < 1:
        return False
    changes = _CHANGES | sum(bit for since, bit in _SINCE if version >= since)
    files = (0 if "files" in allowed else changes) | (0 if programs or "processes" in allowed else _EXECUTE)
    network = 0 if "network" in allowed or version < 4 else _TCP
    scope = 0 if "processes" in allowed or version < 6 else _OTHER_PROCESSES
    if not files | network | scope:
        return True
    size = 8 if version < 4 else 16 if version < 6 else 24
    rules = _checked(system(_CREATE_RULESET, struct.pack("QQQ", files, network, scope), ctypes.c_size_t(size), 0))
    try:
        if files & changes:
            for folder in writable:
                _permit(system, rules, folder, changes)
            _permit(system, rules, Path(os.devnull), changes & (_WRITE_FILE | _TRUNCATE))
        _checked(ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
        _checked(system(_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)
    return True


def _permit(system: ctypes._NamedFuncPointer, rules: int, place: Path, access: int) -> None:
    """Add a rule to a ruleset: it allows ``access``, a bit set of rights, to a file or folder and to all in it.

    Raises:
        OSError: there is no such file or folder, or the kernel refused.
    """
    folder = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        _checked(system(_ADD_RULE, rules, _PATH_BENEATH, struct.pack("=Qi", access, folder), 0))
    finally:
        os.close(folder)


def _checked(result: int) -> int:
    """Return the result of a system call.

    Raises:
        OSError: the result is negative.
    """
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"Landlock: {os.strerror(number)}")
    return result
