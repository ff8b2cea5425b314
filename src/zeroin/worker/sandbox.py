"""Run hostile code in a process of its own.

The parent starts one *base* process that imports what jobs need and then forks a child for every job; a child that
dies takes nothing with it and the next one starts in milliseconds. A job is a module-level function
``job(link, *arguments)``: it sends results through ``link`` and keeps the words it is running in ``link.memory``, which
the parent reads after a death. Started as ``python -m zeroin.worker.sandbox``.
"""

from __future__ import annotations

import ctypes
import importlib
import mmap
import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import WorkerDied, ZeroinError
from ..native.cells import ALLOWED, ARITY, BEAT, DOOR, PHASE, SHARED_CELLS, WORDS, Phase

if TYPE_CHECKING:
    from ..subject.base import WordArray

PATIENCE = 5.0  # seconds


class Link:
    """A job's line to the parent."""

    def __init__(self, connection: Connection, memory: WordArray, compiling: int, scratch: Path) -> None:
        self._connection, self.memory, self._compiling = connection, memory, compiling
        self.scratch = scratch  # an empty folder, which the parent removes

    def send(self, kind: str, *payload: Any) -> None:
        """Send one message; the parent sees it even if this process dies right after."""
        self._connection.send((kind, payload))

    def phase(self, phase: Phase) -> None:
        self.memory[PHASE] = phase

    def wait_for_kernels(self) -> None:
        """Until the process that compiles kernels, if there is one, has what most searches need on disk."""
        os.read(self._compiling, 1)


@dataclass(frozen=True)
class Died:
    """A job's process ended without a last word.

    Attributes:
        signal: the signal that ended it, or 0.
        status: its exit status otherwise.
        phase: what it was doing.
        words: the words it was running.
        silent: the parent ended it because it did nothing for too long.
    """

    signal: int
    status: int
    phase: Phase
    words: tuple[int, ...]
    silent: bool = False


class Sandbox:
    """One base process, and the jobs it runs one at a time.

    Args:
        patience: seconds without any sign of life after which a job that searches is ended.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._file.truncate(8 * SHARED_CELLS)
        self._map = mmap.mmap(self._file.fileno(), 8 * SHARED_CELLS)
        self.memory = memoryview(self._map).cast("q")
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._child = 0

    @property
    def evaluations(self) -> int:
        """How many the job has made."""
        return self.memory[ALLOWED] - abs(self.memory[DOOR])

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        """End everything; unlike after :meth:`close`, no further job can be run."""
        self.close()
        self.memory = memoryview(bytes(8 * SHARED_CELLS)).cast("q")
        self._map.close()
        self._file.close()

    def start(self) -> None:
        """Start the base process now, so that it imports while the caller does other things."""
        if self._process is not None:
            return
        import socket

        ours, theirs = socket.socketpair()
        fds = (theirs.fileno(), self._file.fileno())
        # -P: a random.py in the current folder must not be taken for Python's own.
        command = [sys.executable, "-P", "-m", "zeroin.worker.sandbox", *map(str, fds)]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}  # same seed, same suite: sets have an order, too
        self._process = subprocess.Popen(command, pass_fds=fds, stdin=subprocess.DEVNULL, start_new_session=True,
                                         env=environment)  # fmt: skip
        theirs.close()
        self._connection = Connection(ours.detach())

    def close(self) -> None:
        """End the job, if one runs, and the base process."""
        if self._process is not None:
            self._kill_group()
            self._process.wait()
            self._process = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _kill_group(self) -> None:
        assert self._process is not None
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:  # already gone
            return

    def run(self, job: str, *arguments: Any, tick: float = 0.1) -> Iterator[tuple[str, tuple[Any, ...]] | Died | None]:
        """Run ``module:function``; yields its messages as they come, None at least every ``tick`` seconds, and at the
        end :class:`Died` unless the job finished.

        Raises:
            ZeroinError: what the job raised, if it was one of ours.
            WorkerDied: the base process itself ended, or the job raised something else.
        """
        self.start()
        self._map[:] = bytes(8 * SHARED_CELLS)
        scratch = tempfile.TemporaryDirectory(prefix="zeroin-", ignore_cleanup_errors=True)  # of what the job may leave
        ended = False
        try:
            self._send((job, arguments, os.path.realpath(scratch.name)))
            for message in self._messages(tick):
                ended = isinstance(message, Died)
                yield message
            ended = True
        except ZeroinError as error:
            ended = not isinstance(error, WorkerDied)
            raise
        finally:
            if not ended:  # what is left unread would answer the next job
                self.close()
            scratch.cleanup()

    def _messages(self, tick: float) -> Iterator[tuple[str, tuple[Any, ...]] | Died | None]:
        last, quiet = (0, 0), time.monotonic()
        failure: Exception | None = None
        while True:
            message = self._receive(tick)
            if message is None:
                if self._process is None or self._process.poll() is not None:
                    raise WorkerDied("the worker process ended unexpectedly; is there enough memory?")
                beat = (self.evaluations, self.memory[BEAT])
                if beat != last or self.memory[PHASE] == Phase.LOADING:
                    last, quiet = beat, time.monotonic()
                elif time.monotonic() - quiet > self.patience:
                    yield self._end_silent_job()
                    return
                yield None
                continue
            kind, payload = message
            last, quiet = (-1, 0), time.monotonic()
            if kind == "_started":
                self._child = payload[0]
            elif kind == "_error":
                failure = payload[0]
            elif kind == "_crashed":
                failure = WorkerDied(f"zeroin itself failed; please report this:\n{payload[0]}")
            elif kind == "_ended":
                if failure is not None:
                    raise failure
                if payload[0] != 0:
                    yield self._died(payload[0], silent=False)
                return
            else:
                yield kind, payload

    def _send(self, message: Any) -> None:
        assert self._connection is not None
        try:
            self._connection.send(message)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise WorkerDied("the worker process ended before it could start; is there enough memory?") from error

    def _receive(self, timeout: float) -> tuple[str, tuple[Any, ...]] | None:
        assert self._connection is not None
        try:
            return self._connection.recv() if self._connection.poll(timeout) else None
        except (EOFError, ConnectionResetError, pickle.UnpicklingError) as error:
            raise WorkerDied("the worker process ended unexpectedly; is there enough memory?") from error

    def _end_silent_job(self) -> Died:
        if self._child:
            os.kill(self._child, signal.SIGKILL)
        while True:
            message = self._receive(5.0)
            if message is None:
                raise WorkerDied("the worker process does not answer")
            if message[0] == "_ended":
                return self._died(-signal.SIGKILL, silent=True)

    def _died(self, code: int, silent: bool) -> Died:
        arity = self.memory[ARITY]
        words = tuple(self.memory[WORDS : WORDS + arity])
        return Died(-code if code < 0 else 0, max(code, 0), Phase(self.memory[PHASE]), words, silent)


# ---- the other side ----


def _serve(connection: Connection, memory: WordArray) -> None:
    """The base process: fork a child for every job, tell how it ended."""
    compiling = _compile_kernels()
    worker = importlib.import_module("zeroin.worker.job")
    worker.prepare()
    jobs = 0
    while True:
        try:
            job, arguments, scratch = connection.recv()
        except EOFError:
            return
        worker.prepare_for(*arguments)
        child = os.fork()
        if child == 0:
            sys.path.insert(0, os.getcwd())  # now that nothing there can be taken for a module of Python's own
            _child(Link(connection, memory, compiling, Path(scratch)), job, arguments)
        jobs += 1
        if jobs == 3:  # the first one finds the target
            worker.prepare_more(*arguments)
        alone = _await(child, connection)
        _, status = os.waitpid(child, 0)
        if alone:
            return
        connection.send(("_ended", (os.waitstatus_to_exitcode(status),)))


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
    from .. import cache
    from ..native import kernel as native

    ready, writing = os.pipe()
    if cache.is_cold():
        native.load_numba()  # once for both
        if os.fork() == 0:
            try:
                importlib.import_module("zeroin.worker.job").compile_kernels(lambda: os.close(writing))
            finally:
                os._exit(0)
    os.close(writing)
    return ready


_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG


def _child(link: Link, job: str, arguments: tuple[Any, ...]) -> None:
    """Run one job and end the process without running anybody's exit handlers."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    link.send("_started", os.getpid())
    module, _, name = job.partition(":")
    try:
        getattr(importlib.import_module(module), name)(link, *arguments)
    except ZeroinError as error:
        link.send("_error", error)
    except BaseException:
        link.send("_crashed", traceback.format_exc())
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
