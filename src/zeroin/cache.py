"""Files that are kept between runs, below ``$XDG_CACHE_HOME/zeroin`` (``~/.cache/zeroin``). Several processes may
read and write them at the same time; without a place that can be written to, nothing is kept.

Later runs execute what is kept, outside of any fence. So a process that runs code under test only reads it, and nothing
is taken from a folder or a file that another user could have written."""

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

MOST_CODE, MOST_CODE_BYTES = 2000, 1 << 28  # files of compiled C
_DIGEST = hashlib.sha256().digest_size


_read_only = False


def read_only() -> None:
    """From now on this process, and what it forks, only reads."""
    global _read_only
    _read_only = True


def is_writable() -> bool:
    """Whether this process may write."""
    return not _read_only


def folder(name: str) -> Path | None:
    """The folder of this name, made if need be; None where none can be made, or where another user may write."""
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
    except (OSError, RuntimeError):  # no home, or none that may be written to
        return None
    return place if os.access(place, os.W_OK) else None


def _make(place: Path) -> None:
    """Make a folder that nobody else may write to. One that others could write to so far is emptied."""
    with contextlib.suppress(FileExistsError):
        place.mkdir(mode=0o700)
    found = os.stat(place)
    if found.st_uid == os.geteuid() and not _is_ours(found):
        place.chmod(0o700)
        for one in place.iterdir():
            shutil.rmtree(one) if one.is_dir() and not one.is_symlink() else one.unlink()


def _is_ours(found: os.stat_result) -> bool:
    """Whether nobody but this user, or the system's, may write there."""
    return found.st_uid in (os.geteuid(), 0) and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def read(path: Path) -> bytes | None:
    """The content of a file as it was written; None if there is none, or another, or if others may write to it."""
    try:
        with open(path, "rb") as file:
            found = file.read() if _is_ours(os.fstat(file.fileno())) else b""
    except OSError:
        return None
    content = found[_DIGEST:]
    return content if hashlib.sha256(content).digest() == found[:_DIGEST] else None


def write(path: Path, content: bytes) -> None:
    """Keep a file, if that is possible. Who reads it meanwhile gets the file before, or this one."""
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


_helpers: list[Callable[[], object]] = []  # the last one counts


@contextlib.contextmanager
def made_by(helper: Callable[[], object]) -> Iterator[None]:
    """Within, this process may not write here: what is not kept yet is made, and kept, by another one, which ``helper``
    asks and waits for."""
    _helpers.append(helper)
    try:
        yield
    finally:
        _helpers.pop()


def kept(path: Path | None, make: Callable[[], bytes | None]) -> bytes | None:
    """The content of a file, which is made if there is none, or waited for if another process is making it. With None
    for the file, or from ``make``, nothing is kept."""
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
    """Note that a file was of use: those that are not go first."""
    if _read_only:
        return
    with contextlib.suppress(OSError):
        os.utime(path)


def keep_newest(place: Path, count: int, size: int = 1 << 40) -> None:
    """Of the files and folders in a folder, remove all but the newest: so many, and so many bytes of files."""
    aged = []
    with contextlib.suppress(OSError), os.scandir(place) as found:
        for item in found:
            with contextlib.suppress(OSError):  # another process was faster
                state = item.stat()
                aged.append((state.st_mtime, state.st_size, item.path))
    for number, (_, length, path) in enumerate(sorted(aged, reverse=True)):
        size -= length
        if number >= count or size < 0:
            with contextlib.suppress(OSError):
                shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.unlink(path)


def limit_code(place: Path | None) -> None:
    """Keep the folder of compiled C from growing without end. That takes a look at each file, so once in a while is
    enough: of all that is added, at one in sixteen."""
    if place is not None and not _read_only and os.urandom(1)[0] < 16:
        keep_newest(place, MOST_CODE, MOST_CODE_BYTES)


@contextlib.contextmanager
def lock(path: Path) -> Iterator[None]:
    """Wait until no other process holds the lock of this name, and hold it; it ends with the process."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # a file system without locks: work may be done twice
            file = stack.enter_context(open(f"{path}.lock", "w"))
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# ---- the machine code of kernels ----

_KEPT_STATES = 4
FOR_SEARCHES, FOR_ALL = "warm", "all"  # what has been kept: what most searches need; that, and what few of them need


@cache
def kernels() -> Path | None:
    """The folder for compiled kernels: one for each state of the sources that have kernels, of what compiles them, and
    of the processor; homes are shared."""
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
    """Whether kernels are defined in a source of ours, or have values of it in them."""
    own = source.parent.name == "native" or source.name == "words.py"
    return own or b"native.kernel import" in content or b"native import kernel" in content


def lacks_kernels(these: str) -> bool:
    """Whether kernels can be kept, and these (see :func:`note_kernels`) have not been yet."""
    place = kernels()
    return place is not None and read(place / these) is None


def note_kernels(these: str) -> None:
    """Say that these kernels are on disk: ``FOR_SEARCHES`` or ``FOR_ALL``."""
    place = kernels()
    if place is not None:
        write(place / these, b"")
