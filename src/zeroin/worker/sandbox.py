"""Run hostile code in a process of its own.

The parent starts one *base* process (:mod:`.base`) that imports what jobs need and then forks a child for every job; a
child that dies takes nothing with it and the next one starts in milliseconds.
"""

from __future__ import annotations

import mmap
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ..errors import WorkerDied, ZeroinError
from ..native.cells import ALLOWED, ARITY, BEAT, DOOR, PHASE, SHARED_CELLS, WORDS, Phase
from .messages import Ended, Failed, Refused, Started

PATIENCE = 5.0  # seconds
_LAST_WORD = 60.0  # seconds for the base process, which may be importing, to say that a job has ended
_LONGEST_THOUGHT = 600.0  # seconds without a word while loading, compiling or solving


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
        command = [sys.executable, "-P", "-m", "zeroin.worker.base", *map(str, fds)]
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

    def run(self, job: str, *arguments: Any, tick: float = 0.1) -> Iterator[Any]:
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

    def _messages(self, tick: float) -> Iterator[Any]:
        last, thought, quiet = (0, 0), True, time.monotonic()
        failure: Exception | None = None
        while True:
            message = self._receive(tick)
            if message is None:
                if self._process is None or self._process.poll() is not None:
                    raise WorkerDied("the worker process ended unexpectedly; is there enough memory?")
                beat = (self.evaluations, self.memory[BEAT])
                thinks = self.memory[PHASE] in (Phase.LOADING, Phase.THINKING)
                if beat != last or thinks != thought:
                    last, thought, quiet = beat, thinks, time.monotonic()
                elif time.monotonic() - quiet > (_LONGEST_THOUGHT if thinks else self.patience):
                    yield self._end_silent_job()
                    return
                yield None
                continue
            last, quiet = (-1, 0), time.monotonic()
            match message:
                case Started():
                    self._child = message.process
                case Refused():
                    failure = message.error
                case Failed():
                    failure = WorkerDied(f"zeroin itself failed; please report this:\n{message.traceback}")
                case Ended():
                    if failure is not None:
                        raise failure
                    if message.code != 0:
                        yield self._died(message.code, silent=False)
                    return
                case _:
                    yield message

    def _send(self, message: Any) -> None:
        assert self._connection is not None
        try:
            self._connection.send(message)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise WorkerDied("the worker process ended before it could start; is there enough memory?") from error

    def _receive(self, timeout: float) -> Any:
        assert self._connection is not None
        try:
            return self._connection.recv() if self._connection.poll(timeout) else None
        except (EOFError, ConnectionResetError, pickle.UnpicklingError) as error:
            raise WorkerDied("the worker process ended unexpectedly; is there enough memory?") from error

    def _end_silent_job(self) -> Died:
        if self._child:
            os.kill(self._child, signal.SIGKILL)
        while True:
            message = self._receive(_LAST_WORD)
            if message is None:
                raise WorkerDied("the worker process does not answer")
            if isinstance(message, Ended):
                return self._died(-signal.SIGKILL, silent=True)

    def _died(self, code: int, silent: bool) -> Died:
        arity = self.memory[ARITY]
        words = tuple(self.memory[WORDS : WORDS + arity])
        return Died(-code if code < 0 else 0, max(code, 0), Phase(self.memory[PHASE]), words, silent)
