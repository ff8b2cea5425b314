"""The base process of a sandbox: it imports what jobs need, and forks a child for each. Started as
``python -m zeroin.worker.base``.

A job is a module-level function ``job(link, *arguments)``, named ``module:function``: it sends results through ``link``
and keeps the words it is running in ``link.memory``, which the parent reads after a death.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
import os
import select
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import cache
from ..errors import ZeroinError
from ..native import kernel as native
from ..native.cells import PHASE, SHARED_CELLS, Phase
from .messages import Ended, Failed, Refused, Started

if TYPE_CHECKING:
    from ..subject.base import WordArray

_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Link:
    """A job's line to the parent."""

    def __init__(self, connection: Connection, memory: WordArray, compiling: int, scratch: Path) -> None:
        self._connection, self.memory, self._compiling = connection, memory, compiling
        self.scratch = scratch  # an empty folder, which the parent removes

    def send(self, message: object) -> None:
        """Send one message; the parent sees it even if this process dies right after."""
        self._connection.send(message)

    def phase(self, phase: Phase) -> None:
        self.memory[PHASE] = phase

    def wait_for_kernels(self) -> None:
        """Until the process that compiles kernels, if there is one, has what most searches need on disk."""
        os.read(self._compiling, 1)


def _serve(connection: Connection, memory: WordArray) -> None:
    """Fork a child for every job, tell how it ended."""
    compiling = _compile_kernels()
    from . import job as work

    work.prepare()
    jobs = 0
    while True:
        try:
            name, arguments, scratch = connection.recv()
        except EOFError:
            return
        work.prepare_for(*arguments)
        child = os.fork()
        if child == 0:
            sys.path.insert(0, os.getcwd())  # now that nothing there can be taken for a module of Python's own
            _child(Link(connection, memory, compiling, Path(scratch)), name, arguments)
        jobs += 1
        if jobs == 3:  # the first one finds the target
            work.prepare_more(*arguments)
        alone = _await(child, connection)
        _, status = os.waitpid(child, 0)
        if alone:
            return
        connection.send(Ended(os.waitstatus_to_exitcode(status)))


def _await(child: int, connection: Connection) -> bool:
    """Wait until the child has ended, or the parent has, however it did: then the child has to end, too. Whether that
    is so."""
    ended, watched = os.pidfd_open(child), select.poll()
    watched.register(ended, select.POLLIN)
    watched.register(connection.fileno(), 0)  # nothing but its end
    alone = any(descriptor == connection.fileno() for descriptor, _ in watched.poll())
    os.close(ended)
    if alone:
        os.kill(child, signal.SIGKILL)
    return alone


def _compile_kernels() -> int:
    """The first time on a machine, compile half of the kernels in a process of their own, beside what this one does;
    a descriptor that can be read (it is at its end) as soon as they are there."""
    ready, writing = os.pipe()
    if cache.is_cold():
        native.load_numba()  # once for both
        if os.fork() == 0:
            try:
                from .job import compile_kernels

                compile_kernels(lambda: os.close(writing))
            finally:
                os._exit(0)
    os.close(writing)
    return ready


def _child(link: Link, job: str, arguments: tuple[Any, ...]) -> None:
    """Run one job and end the process without running anybody's exit handlers."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    link.send(Started(os.getpid()))
    module, _, name = job.partition(":")
    try:
        getattr(importlib.import_module(module), name)(link, *arguments)
    except ZeroinError as error:
        link.send(Refused(error))
    except BaseException:
        link.send(Failed(traceback.format_exc()))
    os._exit(0)


def main() -> None:
    """Entry point of the base process: file descriptors of the connection and of the shared memory follow."""
    import numpy as np

    connection = Connection(int(sys.argv[1]))
    memory = np.frombuffer(mmap.mmap(int(sys.argv[2]), 8 * SHARED_CELLS), dtype=np.int64)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _serve(connection, memory)


if __name__ == "__main__":
    main()
