"""A helper: a process that does work for processes in the sandbox which they may not do themselves.

It is forked before code under test is loaded, and never loads that code. A request may come from code under test, so
the helper must treat it as data and check it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Callable

from . import forking

_LONGEST = 1 << 14  # the most bytes of a request


class Helper:
    """The helper as its clients see it. These are the process that created this object, and its children.

    The helper ends when the thread that created it ends.

    Args:
        serve: carries out a request in the helper. Its exceptions are ignored.
    """

    def __init__(self, serve: Callable[[bytes], object]) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        if forking.fork() == 0:
            self._line.close()
            _serve(theirs, serve)
        theirs.close()

    def ask(self, request: bytes) -> None:
        """Send a request, and wait until the helper has carried it out or has ended. There is no time limit.

        There is no answer: only the effect of the request shows whether it was carried out.

        Args:
            request: at most 16 KiB, the rest is cut off. An empty request ends the helper.
        """
        waiting, done = os.pipe()
        try:
            with contextlib.suppress(OSError):
                socket.send_fds(self._line, [request], [done])
        finally:
            os.close(done)
        os.read(waiting, 1)  # until the helper has closed the other end
        os.close(waiting)


def _serve(line: socket.socket, serve: Callable[[bytes], object]) -> None:
    """Carry out requests until no client is left, or one is empty; then end the process without exit handlers.

    Each request comes with a descriptor. Closing it tells the client that the request is done. There is no other
    answer, and exceptions are ignored.

    Args:
        line: the helper's end of the socket.
        serve: carries out one request.
    """
    try:
        forking.end_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        while True:
            request, descriptors, _, _ = socket.recv_fds(line, _LONGEST, 1)
            if not request:
                break
            with contextlib.suppress(Exception):  # the client sees that the result is missing
                serve(request)
            for descriptor in descriptors:
                os.close(descriptor)
    finally:
        os._exit(0)
