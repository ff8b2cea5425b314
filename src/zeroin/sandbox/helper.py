"""A process that does what processes that run code under test may not do themselves. It is forked before that code is
loaded, and never loads it. What it is asked for may come from that code: it is data, and has to be checked."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable

from . import forking

_LONGEST = 1 << 14  # bytes of a request


class Helper:
    """The process, seen from those that ask it: the one that made this object, and its children. It ends with them.

    Args:
        serve: what it does for a request. What it raises is told to nobody.
    """

    def __init__(self, serve: Callable[[bytes], object]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if forking.fork() == 0:
            self._line.close()
            _serve(theirs, serve)
        theirs.close()

    def ask(self, request: bytes) -> None:
        """Wait until it has served a request, or has ended."""
        waiting, done = os.pipe()
        try:
            with contextlib.suppress(OSError):
                socket.send_fds(self._line, [request], [done])
        finally:
            os.close(done)
        os.read(waiting, 1)  # until the helper has closed the other end
        os.close(waiting)


def _serve(line: socket.socket, serve: Callable[[bytes], object]) -> None:
    """Until nobody can ask any more; then end the process without running anybody's exit handlers."""
    try:
        forking.end_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            request, descriptors, _, _ = socket.recv_fds(line, _LONGEST, 1)
            if not request:
                break
            with contextlib.suppress(Exception):  # who asked goes on without it, and finds out why
                serve(request)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)
