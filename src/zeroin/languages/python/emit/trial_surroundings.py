"""Change the surroundings of a test of Python code: the day, time zone, environment, folder and machine.

A result that differs there depends on the day or the machine, so no test must expect it. The changes are made in the
process of a trial, before it imports the test.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import socket
import struct
import sys
import sysconfig
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

CHANGES = {
    "clock": "the clock",
    "environment": "the environment",
    "folder": "the content of folders",
    "machine": "the machine",
}
_SHIFT = 400 * 86_400 + 19_873  # seconds, to another year, month, weekday and hour
_ZONE = "ZRN-05:45"
_OF_PROCESSES = ("PATH", "PYTHON", "PYTEST", "LD_", "TMP", "TEMP")  # variables that this process itself needs
_LIBRARY = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib")})
_INSTALLED = ("/site-packages/", "/dist-packages/")
_OF_MAPPINGS = (
    os.__file__,
    "<frozen os>",
    "<frozen _collections_abc>",
    os.path.join(_LIBRARY[0], "_collections_abc.py"),
)
_ANOTHER = "another.txt"

_X86_64 = {  # machine code that replaces functions of the C library; it adds SHIFT to the seconds
    # mov eax, 228; syscall; test eax, eax; jnz end; test edi, edi; jz add; cmp edi, 5; jne end; add: movabs rcx, SHIFT;
    # add [rsi], rcx; end: ret
    "clock_gettime": ("b8e4000000 0f05 85c0 7516 85ff 7405 83ff05 750d 48b9", "48010e c3"),
    # mov eax, 96; syscall; test rdi, rdi; jz end; movabs rcx, SHIFT; add [rdi], rcx; end: ret
    "gettimeofday": ("b860000000 0f05 4885ff 740d 48b9", "48010f c3"),
    # mov eax, 201; push rdi; xor edi, edi; syscall; pop rdi; movabs rcx, SHIFT; add rax, rcx; test rdi, rdi; jz end;
    # mov [rdi], rax; end: ret
    "time": ("b8c9000000 57 31ff 0f05 5f 48b9", "4801c8 4885ff 7403 488907 c3"),
}
_JUMP = bytes.fromhex("48b8"), bytes.fromhex("ffe0")  # movabs rax, ADDRESS; jmp rax
_EVERYTHING = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC


def change(names: Collection[str], own: Sequence[str]) -> None:
    """Change parts of the surroundings.

    Only the code under test sees another environment and other folders. All code in the process sees another clock,
    time zone and machine. The changes last until the process ends.

    Args:
        names: keys of :data:`CHANGES`.
        own: files and folders of the code under test.
    """
    asked = _Asked(tuple(own))
    for name, put in (("clock", change_clock), ("environment", _change_environment), ("folder", _change_folder),
                      ("machine", _change_machine)):  # fmt: skip
        if name in names:
            put(asked)


class _Asked:
    """Whether the code under test makes the current call, directly or through the standard library.

    Args:
        own: files and folders of the code under test.
    """

    def __init__(self, own: tuple[str, ...]) -> None:
        self._own = own

    def __call__(self, directly: bool = False) -> bool:
        """Examine the stack. With ``directly``, only the methods of mappings may be between the code and the call."""
        frame = sys._getframe(2)
        while frame is not None:
            file = frame.f_code.co_filename
            if any(file == one or file.startswith(f"{one}/") for one in self._own):
                return True
            if not (file in _OF_MAPPINGS if directly else _is_library(file)):
                return False
            frame = frame.f_back  # type: ignore[assignment]
        return False


def _is_library(file: str) -> bool:
    """Whether a file belongs to the standard library; installed packages do not."""
    return file.startswith((*_LIBRARY, "<frozen")) and not any(part in file for part in _INSTALLED)


def change_clock(asked: object = None) -> bool:
    """Move the wall clock of this process, but not the monotonic clock. Return whether this succeeded.

    It moves about 400 days ahead. It fails on other machines than x86-64.

    Functions of the C library are overwritten, as all code of the process reads the clock through them. A fork tries
    this first, in case it crashes.
    """
    if os.uname().machine != "x86_64":
        return False
    process = os.fork()
    if not process:
        before = time.time()
        moved = _replace_clock() and min(time.time(), time.mktime(time.localtime())) - before > _SHIFT / 2
        os._exit(0 if moved else 1)
    return os.waitpid(process, 0)[1] == 0 and _replace_clock()


def _replace_clock() -> bool:
    """Overwrite functions of the C library.

    Return False if the memory of one can not be made writable. Those before it are overwritten then.
    """
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=_EVERYTHING)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(code))  # never freed, as it is called until the process ends
    start, at, library = ctypes.addressof(ctypes.c_char.from_buffer(code)), 0, ctypes.CDLL(None)
    for name, parts in _X86_64.items():
        text = struct.pack("<q", _SHIFT).join(map(bytes.fromhex, parts))
        code[at : at + len(text)] = text
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
        pages = ctypes.c_void_p(address & -mmap.PAGESIZE), ctypes.c_size_t(2 * mmap.PAGESIZE)
        if library.mprotect(*pages, _EVERYTHING) and library.mprotect(pages[0], mmap.PAGESIZE, _EVERYTHING):
            return False
        jump = struct.pack("<q", start + at).join(_JUMP)
        ctypes.memmove(address, jump, len(jump))
        at += len(text)
    return True


def _change_environment(asked: _Asked) -> None:
    """Give environment variables other values, and missing ones a value. Set another time zone."""
    os.environ["TZ"] = _ZONE
    time.tzset()
    kind: Any = type(os.environ)
    plain = kind.__getitem__

    def other(variables: object, key: object) -> object:
        name = os.fsdecode(key) if isinstance(key, str | bytes) else ""
        kept = name.startswith(_OF_PROCESSES)
        try:
            value = plain(variables, key)
        except KeyError:
            if kept or not asked(directly=True):
                raise
            return "1" if isinstance(key, str) else b"1"
        return value if kept or not asked() else value + ("0" if isinstance(value, str) else b"0")

    kind.__getitem__ = other


class _Fewer:
    """An iterator over the entries of a folder that skips the first one."""

    def __init__(self, entries: Any) -> None:
        self._entries = entries
        next(entries, None)

    def __iter__(self) -> Iterator[object]:
        return self

    def __next__(self) -> object:
        return next(self._entries)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._entries.close()


def _change_folder(asked: _Asked) -> None:
    """Put a file into the current folder, and change the listings of folders.

    ``os.listdir`` returns a further name, and ``os.scandir`` leaves out an entry.
    """
    Path(_ANOTHER).write_text("another\n")
    listdir, scandir = os.listdir, os.scandir

    def other_names(*arguments: Any) -> list[object]:
        names: list[object] = listdir(*arguments)
        another = _ANOTHER.encode() if names and isinstance(names[0], bytes) else _ANOTHER
        return [*names, another] if asked() else names

    def other_entries(*arguments: Any) -> object:
        return _Fewer(scandir(*arguments)) if asked() else scandir(*arguments)

    os.listdir, os.scandir = other_names, other_entries  # type: ignore[assignment]


def _change_machine(asked: object) -> None:
    """Report one processor more, another host name and another kernel."""
    more: Callable[[int | None], int] = lambda count: (count or 1) + 1  # noqa: E731
    processors, affinity, uname = os.cpu_count(), os.sched_getaffinity, os.uname()
    os.cpu_count = lambda: more(processors)
    if hasattr(os, "process_cpu_count"):
        mine = os.process_cpu_count()
        os.process_cpu_count = lambda: more(mine)
    os.sched_getaffinity = lambda process: {*affinity(process), 1 + max(affinity(process))}
    kernel = [f"{part}0" for part in (uname.release, uname.version)]
    os.uname = lambda: os.uname_result((uname.sysname, "another", *kernel, uname.machine))
    socket.gethostname = lambda: "another"
