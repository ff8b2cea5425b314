"""The audit hook of the sandbox: it detects forbidden operations of Python code, ends the run and reports them.

The hook sees the audit events of CPython, and calls of a few functions that raise no event. It does not see system
calls of compiled extensions and :mod:`ctypes`, nor ``dir_fd`` of ``os.open`` and ``os.mkfifo``. There only the kernel
protects the user, if it has Landlock (:mod:`zeroin.sandbox.landlock`).
"""

from __future__ import annotations

import _posixsubprocess
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from types import FrameType
from typing import Any

from ....sandbox import forking, seccomp
from ....sandbox.landlock import Sandbox

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Functions that can do harm but raise no audit event.
_SILENT = ((os, "mkfifo"), (os, "mknod"), (signal, "pidfd_send_signal"), (_posixsubprocess, "fork_exec"))
# Events of system calls that the seccomp filter stops, as it does not know paths (:mod:`zeroin.sandbox.seccomp`).
_STOPPED = frozenset(("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "fcntl.flock"))
Check = Callable[..., bool]  # whether an event with these arguments is allowed
Rule = tuple[str, tuple[int, ...], Check]  # the operation in words, the arguments to show, the check


class Forbidden(BaseException):
    """A run tried a forbidden operation. As a BaseException it passes ``except Exception`` in the code under test."""


class Denied(PermissionError):
    """A module tried a forbidden operation during its import. It may catch this and do without the operation."""


class PythonGuard:
    """Refuses the operations that a sandbox forbids, from :meth:`install` until the process ends.

    Without a watcher, while modules are imported, a refused operation raises :class:`Denied`. Later it raises
    :class:`Forbidden`. Operations of :mod:`zeroin.sandbox.forking` are never refused.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self._watcher: Callable[[str, FrameType], None] | None = None
        self._rules = self._rules_of(sandbox.allowed)

    def install(self) -> None:
        """Install the audit hook. CPython can not remove it again, so call this once.

        It also replaces the functions that raise no audit event, and stops Python from writing bytecode if files are
        protected.
        """
        if "files" not in self.sandbox.allowed:
            sys.dont_write_bytecode = True
        for module, name in _SILENT:
            if hasattr(module, name):
                setattr(module, name, partial(_audited, f"{module.__name__}.{name}", getattr(module, name)))
        find, refuse, trap = self._rules.get, self._refuse, seccomp.trap()

        def hook(event: str, arguments: tuple[object, ...]) -> None:
            rule = find(event)
            if rule is None:
                return
            if not rule[2](*arguments):
                refuse(event, rule, arguments, sys._getframe(1))
            if trap is not None and event in _STOPPED:
                trap.permit()

        sys.addaudithook(hook)

    def watch(self, watcher: Callable[[str, FrameType], None]) -> None:
        """Call ``watcher(operation, frame)`` for each refused operation from now on, then raise :class:`Forbidden`.

        The operation is text for the user. The watcher takes the place of an earlier one.
        """
        self._watcher = watcher

    def _refuse(self, event: str, rule: Rule, arguments: tuple[object, ...], frame: FrameType) -> None:
        """Report a refused operation to the watcher.

        Raises:
            Denied: there is no watcher.
            Forbidden: there is one.
        """
        if frame.f_code.co_filename == forking.__file__:
            return
        shown = " ".join(_text(arguments[n]) for n in rule[1] if n < len(arguments))
        what = f"tries to {rule[0]}: {event} {shown}".rstrip().replace(str(self.sandbox.scratch), ".")
        if self._watcher is None:
            raise Denied(what)
        self._watcher(what, frame)
        raise Forbidden(what)

    def _rules_of(self, allowed: frozenset[str]) -> dict[str, Rule]:
        """Return the rules by audit event. Events without a rule are allowed."""
        rules: dict[str, Rule] = {}
        new, own, never = self._new, self._own, _never
        one, two = (0,), (0, 1)
        if "files" not in allowed:
            change = "change a file"
            rules |= {
                "open": ("write a file", one, self._may_open),
                "os.remove": ("delete a file", one, own),
                "os.rmdir": ("remove a folder", one, own),
                "shutil.rmtree": ("remove a folder", one, lambda path, folder=None: own(path, folder or -1)),
                "os.rename": ("rename a file", two, lambda a, b, x, y: own(a, x) and new(b, y)),
                "os.mkdir": ("make a folder", one, lambda path, mode, folder: new(path, folder)),
                "os.chmod": (change, one, lambda path, mode, folder: own(path, folder, True)),
                "os.chown": (change, one, lambda path, user, group, folder: own(path, folder, True)),
                # The file may be missing here: ``Path.touch`` calls ``os.utime`` first, and then creates the file.
                "os.utime": (change, one, lambda path, times, ns, folder: new(path, folder, True)),
                "os.truncate": (change, one, lambda path, length: own(path, -1, True)),
                "os.setxattr": (change, one, lambda path, *_: own(path, -1, True)),
                "os.removexattr": (change, one, lambda path, *_: own(path, -1, True)),
                "fcntl.flock": ("lock a file", (), lambda file, how: own(file, -1, True)),
                "os.link": ("make a link", two, lambda a, b, x, y: own(a, x, True) and new(b, y)),
                "os.symlink": ("make a link", two, lambda a, b, folder: new(b, folder)),
                "os.mkfifo": ("make a file", one, lambda path, *_: new(path)),
                "os.mknod": ("make a file", one, lambda path, *_: new(path)),
                "sqlite3.connect": ("open a database", one, lambda base: base == ":memory:" or new(base, -1, True)),
            }
        if "processes" not in allowed:
            program = "run a program"
            rules |= dict.fromkeys(("os.exec", "os.posix_spawn", "os.system", "pty.spawn"), (program, one, never))
            rules |= {"subprocess.Popen": (program, (1,), never), "_posixsubprocess.fork_exec": (program, one, never)}
            rules |= dict.fromkeys(("os.fork", "os.forkpty"), ("start a process", (), never))
            # The report shows the signal's number, as that of the process differs between runs.
            kill = "signal other processes"
            rules["os.kill"] = (kill, (1,), lambda process, number: process == os.getpid() or number == 0)
            rules["os.killpg"] = (kill, (1,), lambda group, number: number == 0)
            rules["signal.pidfd_send_signal"] = (kill, (1,), never)
        if "network" not in allowed:
            names = ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo")
            rules |= {f"socket.{name}": ("use the network", one, never) for name in names}
            connected: Rule = ("use the network", (1,), lambda socket, address: address is None)
            rules |= {f"socket.{name}": connected for name in ("connect", "bind", "sendto", "sendmsg")}
        return rules

    def _may_open(self, path: object, mode: str | None, flags: int) -> bool:
        """Whether a file may be opened: to read it, by its descriptor, or at a place where the run may write."""
        return not flags & _WRITES or isinstance(path, int) or self._new(path, -1, True)

    def _own(self, path: object, folder: int = -1, follow: bool = False) -> bool:
        """Whether the run itself made this file: it exists, and its place is writable for the run.

        A missing file counts as foreign: outside of the sandbox, the user's folder might have it. True for an invalid
        path, for which the call itself fails.
        """
        place = _place(path, folder, follow)
        return place is None or (self._may_write(place) and os.path.lexists(place))

    def _new(self, path: object, folder: int = -1, follow: bool = False) -> bool:
        """Whether the run may write to this place. True for an invalid path, for which the call itself fails."""
        place = _place(path, folder, follow)
        return place is None or self._may_write(place)

    def _may_write(self, place: str) -> bool:
        return place == os.devnull or self.sandbox.holds(place)


def _place(path: Any, folder: int, follow: bool) -> str | None:
    """Return an absolute path without symbolic links; None for an invalid path, for which the call itself fails.

    Args:
        path: the argument of the call; a number is the descriptor of an open file.
        folder: the descriptor of the folder that a relative path starts from; -1 for the current folder.
        follow: whether to follow the last part of the path, if it is a link.
    """
    try:
        if isinstance(path, int):
            return os.readlink(f"/proc/self/fd/{path}")
        text = os.fsdecode(path)
        if not text:
            return None
        whole = os.path.join(os.readlink(f"/proc/self/fd/{folder}") if folder >= 0 else os.getcwd(), text)
        head, tail = os.path.split(whole.rstrip("/"))
        if follow or tail in (".", ".."):
            return os.path.realpath(whole)
        return os.path.join(os.path.realpath(head), tail)
    except (OSError, ValueError):
        return None


def _never(*_: object) -> bool:
    return False


def _audited(event: str, function: Callable[..., object], *arguments: object, **named: object) -> object:
    """Raise an audit event with the arguments of a call, then make the call and return its result."""
    given = [os.fspath(a) if isinstance(a, os.PathLike) else a for a in (*arguments, *named.values())]
    sys.audit(event, *given)
    return function(*arguments, **named)


def _text(value: object) -> str:
    """Return a path, number or command line as text for people, without calling methods of the code under test."""
    if isinstance(value, str | bytes):
        text = str.__repr__(value if isinstance(value, str) else os.fsdecode(value))
        return text if len(text) <= 80 else f"{text[:76]}...{text[-1]}"
    if isinstance(value, PurePath):
        return _text(str(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value[:8]))}{', ...' if len(value) > 8 else ''}]"
    return int.__repr__(value) if isinstance(value, int) else type(value).__name__
