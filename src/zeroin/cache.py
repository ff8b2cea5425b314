"""The cache on disk: files kept between runs, below ``$XDG_CACHE_HOME/zeroin`` (``~/.cache/zeroin``).

Several processes may read and write the cache at the same time. If its folder is not writable, nothing is cached.

Later runs execute cached machine code outside the sandbox. Therefore a process that runs code under test only reads
the cache, and no process reads a folder or file that another user could have written.

The place is found by hand on purpose: it is one expression, and each run would import platformdirs for it (3 ms).
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

MOST_CODE, MOST_CODE_BYTES = 2000, 1 << 28  # the limits of the folder with compiled C
_DIGEST = hashlib.sha256().digest_size


_read_only = False


def read_only() -> None:
    """Make the cache read-only for this process, and for the processes that it forks from now on.

    This can not be undone.
    """
    global _read_only
    _read_only = True


def is_writable() -> bool:
    """Whether this process may write to the cache: False after :func:`read_only`. The folder is not checked."""
    return not _read_only


def folder(name: str) -> Path | None:
    """Return the cache's folder of this name, and create it if needed. A read-only cache creates nothing.

    A folder of this user to which others may write is emptied, and closed to them, unless the cache is read-only.

    Args:
        name: the path below the cache's main folder; it may have several parts: ``kernels/0123``.

    Returns:
        The folder; None if it is missing and can not be created, is not writable, or if another user may write to it.
    """
    try:
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        if not _read_only:
            home.mkdir(parents=True, exist_ok=True)
        place = home
        for part in ("zeroin", *Path(name).parts):
            place /= part
            if not _read_only:
                _make(place)
            if not _is_ours(os.stat(place)):
                return None
    except (OSError, RuntimeError):  # no home folder, or not a writable one
        return None
    return place if os.access(place, os.W_OK) else None


def _make(place: Path) -> None:
    """Create a folder that only this user may write to. An existing folder that others could write to is emptied.

    A folder of another user stays as it is.

    Raises:
        OSError: the folder can not be created, examined or emptied.
    """
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o700)
    found = os.stat(place)
    if found.st_uid == os.geteuid() and not _is_ours(found):
        place.chmod(0o700)
        for one in place.iterdir():
            shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()


def _is_ours(found: os.stat_result) -> bool:
    """Whether only this user or root may write there."""
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read(path: Path) -> bytes | None:
    """Return the content of a cached file; None if it is missing or damaged, or if other users may write to it."""
    try:
        with open(path, "rb") as file:
            found = file.read() if _is_ours(os.fstat(file.fileno())) else b""
    except OSError:
        return None
    content = found[_DIGEST:]
    return content if hashlib.sha256(content).digest() == found[:_DIGEST] else None


def write(path: Path, content: bytes) -> None:
    """Write a file to the cache, atomically, with a digest of its content for :func:`read`.

    If the cache is read-only, the folder is missing or the file system fails, nothing is written and nothing raised.
    """
    if _read_only:
        return
    with contextlib.suppress(OSError):
        descriptor, name = tempfile.mkstemp(dir=path.parent)
        try:
            with open(descriptor, "wb") as file:
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(name, path)
        except OSError:
            os.unlink(name)


_helpers: list[Callable[[], object]] = []  # a stack: the last one is called


@contextlib.contextmanager
def made_by(helper: Callable[[], object]) -> Iterator[None]:
    """Have another process make the files that are missing from a read-only cache, within this context.

    If contexts are nested, :func:`kept` calls the innermost helper only.

    Args:
        helper: sends a request to that process and waits until it has written the file. Its result is ignored.
    """
    _helpers.append(helper)
    try:
        yield
    finally:
        _helpers.pop()


def kept(path: Path | None, make: Callable[[], bytes | None]) -> bytes | None:
    """Return the content of a cached file. If it is missing or damaged, make it and write it.

    A lock makes sure that only one process makes a file; the others wait for it. If the cache is read-only, a helper
    process writes the file (:func:`made_by`). Without a helper, ``make`` is called and nothing is written.

    Args:
        path: the file; None to make the content without the cache.
        make: returns the content; None if there is nothing to write. Its exceptions are passed on.

    Returns:
        The content; None if there is none in the cache and ``make`` returns None.
    """
    if path is None:
        return make()
    content = read(path)
    if content is None and _read_only and _helpers:
        _helpers[-1]()
        content = read(path)
    if _read_only:
        return make() if content is None else content
    if content is None:
        with lock(path):
            content = read(path)
            if content is None and (content := make()) is not None:
                write(path, content)
    else:
        used(path)
    return content


def used(path: Path) -> None:
    """Mark a file or folder as used now. The least recently used ones are removed first.

    It changes the time of modification. A read-only cache and a missing file are ignored.
    """
    if _read_only:
        return
    with contextlib.suppress(OSError):
        os.utime(path)


def keep_newest(place: Path, count: int, size: int = 1 << 40) -> None:
    """Remove all but the most recently modified files and folders in a folder. Errors are ignored.

    Args:
        place: the folder.
        count: the number of entries to keep.
        size: the total size to keep, in bytes. For a folder, the size of its content does not count.
    """
    aged = []
    with contextlib.suppress(OSError), os.scandir(place) as found:
        for item in found:
            with contextlib.suppress(OSError):  # another process has removed it
                state = item.stat()
                aged.append((state.st_mtime, state.st_size, item.path))
    for number, (_, length, path) in enumerate(sorted(aged, reverse=True)):
        size -= length
        if number >= count or size < 0:
            with contextlib.suppress(OSError):
                shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)


def limit_code(place: Path | None) -> None:
    """Remove the oldest files from the folder of compiled C if it exceeds its limits.

    It works in one of sixteen calls only, at random, because it has to look at each file.

    Args:
        place: the folder; None: do nothing.
    """
    if place is not None and not _read_only and os.urandom(1)[0] < 16:
        keep_newest(place, MOST_CODE, MOST_CODE_BYTES)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Hold the lock of this path. Wait while another process holds it; a lock ends with its process.

    The lock is a file beside the path, ``<path>.lock``, which stays. If it can not be created or locked, nothing is
    held. A second lock of the same path within the context waits for ever.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # on a file system without locks, work may be done twice
            file = stack.enter_context(open(f"{path}.lock", "w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# ---- the machine code of kernels ----

_KEPT_STATES = 4
# Two sets of kernels: those that most searches need, and all, with those that only a few searches need.
FOR_SEARCHES, FOR_ALL = "warm", "all"


@cache
def kernels() -> Path | None:
    """Return the folder for compiled kernels; None without a cache. The result is kept for the process.

    The folder is created, marked as used, and the least recently used folders of other states are removed.

    Each state of the kernels' sources, of Python, NumPy, Numba and LLVM, and each processor has its own folder:
    several machines may share a home folder.
    """
    import llvmlite.binding as llvm
    import numpy as np

    numba = find_spec("numba")
    state = hashlib.sha256(Path(numba.origin).with_name("_version.py").read_bytes() if numba and numba.origin else b"")
    host = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    state.update(repr((sys.version, np.__version__, llvm.llvm_version_info, host)).encode())
    for source in sorted(Path(__file__).parent.rglob("*.py")):
        content = source.read_bytes()
        if has_kernels(source, content):
            state.update(str(source).encode() + content)
    place = folder(f"kernels/{state.hexdigest()[:16]}")
    if place is not None:
        used(place)
        keep_newest(place.parent, _KEPT_STATES)
    return place


def has_kernels(source: Path, content: bytes) -> bool:
    """Whether a source file of zeroin defines kernels, or constants that are compiled into kernels."""
    own = source.parent.name == "native" or source.name == "words.py"
    return own or b"native.kernel import" in content or b"native import kernel" in content


def lacks_kernels(these: str) -> bool:
    """Whether kernels can be cached, and this set of kernels is not in the cache yet. False without a cache.

    Args:
        these: ``FOR_SEARCHES`` or ``FOR_ALL``.
    """
    place = kernels()
    return place is not None and read(place / these) is None


def note_kernels(these: str) -> None:
    """Note in the cache that this set of kernels is complete. Do nothing if there is no cache or it is read-only.

    Args:
        these: ``FOR_SEARCHES`` or ``FOR_ALL``.
    """
    place = kernels()
    if place is not None:
        write(place / these, b"")
