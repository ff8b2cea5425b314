"""Run hostile code in a process of its own.

The parent starts one *base* process (:mod:`.base`) that imports what jobs need and then forks a child for every job; a
child that dies takes nothing with it and the next one starts in milliseconds.
"""

from __future__ import annotations

import mmap
import os
import pickle
import select
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any, BinaryIO

from .. import scratch
from ..errors import WorkerDied, ZeroinError
from ..limits import LONGEST_SILENCE, memory_allowed
from ..native import cells
from ..native.cells import Phase
from ..sandbox import forking
from .message_stream import KEY_BYTES, Garbled, MessageStream
from .messages import FROM_A_WORKER, Done, Ended, Failed, Job, Ready, Refused, Started, Task
from .serialisation import decode

_BRIEF, _LONG, _STOPPED = 0.25, 1.0, 1.0  # seconds
_SOON = 0.3  # seconds for a job, which may be busy, to start a task that is not wanted any more
_LAST_WORD = 60.0  # seconds for the base process, which may be importing, to say that a job has ended
LONGEST_THOUGHT = 600.0  # seconds without a word while loading, compiling or solving
LEAST_MEMORY = 600 << 20  # bytes; with less, some libraries try for ever to get what they need
_NO_ANSWER = "the worker process does not answer"
_GONE = "the process that had loaded the target has ended"


def mistake(traceback: str) -> str:
    """For a person, what our own code came to."""
    return f"zeroin itself failed; please report this:\n{indent(traceback, '    ')}"


class Interrupted(Exception):
    """The user wants no more of it."""


class Lost(WorkerDied):
    """The base process, or a job that waited for tasks, has ended, and with it what was loaded."""


@dataclass(frozen=True)
class Died:
    """A process ended without a last word.

    Attributes:
        signal: the signal that ended it, or 0.
        status: its exit status otherwise.
        phase: what it was doing.
        words: the words it was running.
        silent: it was ended because it did nothing for too long.
        cut: it was ended because it closed, or wrote something else to, what it talks to us through.
        ours: the mistake is ours, not the subject's.
        mutant: the number of the mutant that it was running; 0 if it was the subject itself.
        failed: the traceback, if our own code failed in it.
    """

    signal: int
    status: int
    phase: Phase
    words: tuple[int, ...]
    silent: bool = False
    cut: bool = False
    ours: bool = False
    mutant: int = 0
    failed: str = ""

    def ends_like(self, other: Died) -> bool:
        """Whether it ended in the same way."""
        return (self.signal, self.status, self.silent) == (other.signal, other.status, other.silent)


def _in_memory(name: str) -> BinaryIO:
    """A file that takes no room on a disk."""
    return open(os.memfd_create(f"zeroin-{name}"), "w+b", buffering=0)


class Worker:
    """One base process, and the jobs it runs one at a time.

    Args:
        patience: seconds without any sign of life after which a job that searches is ended.
        accepted: the types of messages that jobs may send.

    Attributes:
        longest_load: seconds without a word after which one that loads is.
        longest_thought: the same for one that thinks.
        waited: seconds that single runs of the job have lasted, without what is brief. They do not count as time of the
            search, which would have none left for other inputs.
        most_waited: they are at most so many.
        slow: words of runs of the job that lasted long.
    """

    def __init__(self, patience: float = LONGEST_SILENCE, accepted: tuple[type, ...] = FROM_A_WORKER) -> None:
        self._accepted = accepted
        self.patience, self.longest_load, self.longest_thought = patience, LONGEST_THOUGHT, LONGEST_THOUGHT
        self.waited, self.most_waited, self.slow = 0.0, LONGEST_SILENCE, set[tuple[int, ...]]()
        self._file = _in_memory("cells")
        self._file.truncate(8 * cells.SHARED_CELLS)
        self._map = mmap.mmap(self._file.fileno(), 8 * cells.SHARED_CELLS)
        self._errors = _in_memory("errors")  # of the base process
        self.memory = memoryview(self._map).cast("q")
        self._process: subprocess.Popen[bytes] | None = None
        self._line: MessageStream | None = None
        self._compiling: int | None = None  # a pipe that ends when no process compiles kernels
        self._scratch: Path | None = None  # a folder that the job makes
        self._job = self._running = 0  # the process of the job, and of what runs: the job or one of its tasks
        self._busy = False  # something runs

    @property
    def evaluations(self) -> int:
        """How many the job has made."""
        return self.memory[cells.ALLOWED] - abs(self.memory[cells.DOOR])

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        """End everything; unlike after :meth:`close`, no further job can be run."""
        self.close()
        self.memory = memoryview(bytes(8 * cells.SHARED_CELLS)).cast("q")
        self._map.close()
        self._file.close()
        self._errors.close()

    def start(self) -> None:
        """Start the base process now, so that it imports while the caller does other things."""
        if self._process is not None:
            return
        import socket

        allowed = memory_allowed()
        if allowed is not None and allowed < LEAST_MEMORY:
            raise WorkerDied(f"the limit of {allowed >> 20} MB (ulimit -v) leaves a worker process too little memory; "
                             f"allow {LEAST_MEMORY >> 20}")  # fmt: skip
        self._errors.truncate(0)
        self._errors.seek(0)
        ours, theirs = socket.socketpair()
        self._compiling, compiling = os.pipe()
        fds, key = (theirs.fileno(), self._file.fileno(), compiling), os.urandom(KEY_BYTES)
        # -P: a random.py in the current folder must not be taken for Python's own.
        command = [
            sys.executable,
            "-P",
            "-m",
            "zeroin.worker.base_process",
            *map(str, fds),
            key.hex(),
            str(scratch.home()),
        ]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}  # same seed, same suite: sets have an order, too
        self._process = subprocess.Popen(command, pass_fds=fds, stdin=subprocess.DEVNULL,
                                         stderr=self._errors, start_new_session=True, env=environment)  # fmt: skip
        theirs.close()
        os.close(compiling)
        self._line = MessageStream(ours.detach(), key, pickle.dumps, partial(decode, kinds=self._accepted))

    def wait_for_kernels(self, seconds: float) -> bool:
        """Wait until no process compiles kernels for later runs any more; False if one still does after that time."""
        if self._compiling is None:
            return True
        ended = select.poll()
        ended.register(self._compiling, 0)
        return bool(ended.poll(1000 * seconds))

    def close(self) -> None:
        """End the job, if one runs, and the base process."""
        if self._process is not None:
            for process in (self._running, self._job):
                if process:
                    forking.end_group(process)
            forking.end(self._process.pid)
            self._process.wait()
            self._process = None
        if self._line is not None:
            os.close(self._line.descriptor)
            self._line = None
        if self._compiling is not None:
            os.close(self._compiling)
            self._compiling = None
        self._forget_job()

    def _forget_job(self) -> None:
        self._job = self._running = 0
        self._busy = False
        if self._scratch is not None:
            scratch.remove(self._scratch)
            self._scratch = None

    # ---- jobs and tasks ----

    def run(self, job: str, *arguments: Any, tick: float = 0.1) -> Generator[Any, None, None]:
        """Run ``module:function``; yields its messages as they come, None at least every ``tick`` seconds, and at the
        end :class:`Died` unless the job finished. A job that waits for tasks stays, until :meth:`dismiss`, or another
        job begins.

        Raises:
            ZeroinError: what the job raised, if it was one of ours.
            Lost: the base process itself ended.
            WorkerDied: the job raised something else.
        """
        self.dismiss()
        self.start()
        self.waited, self.slow = 0.0, set()
        self._scratch = scratch.new()
        yield from self._carry_out(Job(job, arguments, self._scratch), tick)
        if not self._job:
            self._forget_job()

    def task(self, name: str, *arguments: Any, tick: float = 0.1) -> Generator[Any, None, None]:
        """Let the job that waits for tasks carry out one; otherwise as :meth:`run`.

        Raises:
            Lost: the job, or the base process, has ended.
        """
        if not self._job:
            raise Lost("no job waits for tasks")
        yield from self._carry_out(Task(name, arguments), tick)

    def dismiss(self) -> None:
        """No more tasks for the job that waits for them, if there is one."""
        if self._job and self._line is not None:
            try:
                self._send(Task(""))
                self._await_end(self._job, _LAST_WORD)
            except WorkerDied:
                self.close()
        self._forget_job()

    def _carry_out(self, what: Job | Task, tick: float) -> Iterator[Any]:
        self._map[:] = bytes(8 * cells.SHARED_CELLS)
        self.memory[cells.WAITED], self.memory[cells.PATIENCE] = int(1000 * self.waited), int(1000 * self.patience)
        ended = False
        try:
            self._send(what)
            self._busy = True
            for message in self._messages(tick):
                ended = isinstance(message, Died)
                yield message
            ended = True
        except ZeroinError as error:
            ended = not isinstance(error, Lost)
            if not ended:
                self.close()
            raise
        finally:
            if not ended:  # what is left unread would answer the next one
                self._abandon()

    def _abandon(self) -> None:
        """End what runs; a job that waits for tasks goes on waiting."""
        if not self._busy:
            return
        try:
            while not self._running:  # the job may be compiling for the task
                message = self._receive(_SOON)
                if message is None:
                    raise Lost(_NO_ANSWER)
                if isinstance(message, Started):
                    self._running = self._ours(message.process)
            self._end_running()
        except Lost:
            self.close()
        if not self._job:
            self._forget_job()

    def _messages(self, tick: float) -> Iterator[Any]:
        last, thought, quiet, waited = (0, 0, 0), True, time.monotonic(), self.waited
        failure: Exception | None = None
        failed, done = "", False
        self._running = 0
        while True:
            before = time.monotonic()
            message = self._receive(tick)
            if time.monotonic() - before > tick + _STOPPED:  # this process was stopped, and could not listen
                quiet = time.monotonic()
            if message is None:
                beat = (self.evaluations, self.memory[cells.BEAT], self.memory[cells.MUTANT])
                limit = self._longest_silence()
                thinks = limit > self.patience
                if beat != last or thinks != thought:
                    last, thought, quiet, waited = beat, thinks, time.monotonic(), self.waited
                elif not thinks:
                    self._wait(waited, time.monotonic() - quiet)
                if time.monotonic() - quiet > limit:
                    self._end_running()
                    yield self._died(-signal.SIGKILL, silent=True)
                    return
                yield None
                continue
            last, quiet, waited = (-1, 0, 0), time.monotonic(), self.waited
            match message:
                case Started():
                    self._running = self._ours(message.process)
                case Ready():
                    self._job, self._running, self._busy = self._running, 0, False
                    return
                case Refused():
                    failure = message.error
                case Failed():
                    failed = message.traceback
                case Done():
                    done = True
                case Ended():
                    if message.process == self._job:
                        raise Lost(str(failure or (mistake(failed) if failed else _GONE)))
                    self._running, self._busy = 0, False
                    if failed and (done or not self._job):  # else it is a task, in which the subject may have run
                        failure = WorkerDied(mistake(failed))
                    if failure is not None:
                        raise failure
                    if not done:
                        yield self._died(message.code, cut=message.cut, failed=failed)
                    return
                case _:
                    yield message

    def _ours(self, process: int) -> int:
        """The process, which may be ended.

        Raises:
            Lost: it is none that the job, or the base process, has started, or that one has ended.
        """
        parent = forking.parent_of(process)
        if parent is not None and parent != (self._job or (self._process.pid if self._process else 0)):
            raise Lost(self._why("the worker process ended unexpectedly"))
        return process

    def _wait(self, before: float, seconds: float) -> None:
        """A run has lasted so many seconds; it began when we had waited for others."""
        self.waited = min(max(self.waited, before + seconds - _BRIEF), self.most_waited)
        self.memory[cells.WAITED] = int(1000 * self.waited)
        if seconds > _LONG:
            self.slow.add(self._words())

    def _longest_silence(self) -> float:
        limits = {int(Phase.LOADING): self.longest_load, int(Phase.COMPILING): LONGEST_THOUGHT,
                  int(Phase.THINKING): self.longest_thought}  # fmt: skip
        return limits.get(int(self.memory[cells.PHASE]), self.patience)

    def _send(self, message: Any) -> None:
        assert self._line is not None
        try:
            self._line.send(message)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Lost(self._why("the worker process ended before it could start")) from error

    def _receive(self, timeout: float) -> Any:
        assert self._line is not None
        try:
            return self._line.receive(timeout)
        except (EOFError, ConnectionResetError, Garbled) as error:
            raise Lost(self._why("the worker process ended unexpectedly")) from error

    def _why(self, what: str) -> str:
        """With the last that the base process said."""
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        why = f" ({last[:200]})" if last else ""
        return f"{what}{why}; do the limits (ulimit -a) leave it enough memory, files and processes?"

    def _end_running(self) -> None:
        if not self._running:
            raise Lost(_NO_ANSWER)
        forking.end(self._running)
        self._await_end(self._running, _LAST_WORD)
        self._running, self._busy = 0, False

    def _await_end(self, process: int, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while True:
            message = self._receive(max(0.0, deadline - time.monotonic()))
            if message is None:
                raise Lost(_NO_ANSWER)
            if isinstance(message, Ended):
                if message.process == process:
                    return
                raise Lost(_GONE)

    def last_words(self) -> Died:
        """What is known of a process that was lost."""
        return self._died(-signal.SIGKILL)

    def _died(self, code: int, silent: bool = False, cut: bool = False, failed: str = "") -> Died:
        """Whatever stands in the memory, which the subject may have written to."""
        phase = self.memory[cells.PHASE]
        silent = silent or code == cells.TOO_LONG
        known = Phase(phase) if phase in tuple(Phase) else Phase.SEARCHING
        return Died(-code if code < 0 else 0, max(code, 0), known, self._words(), silent, cut,
                    mutant=max(0, self.memory[cells.MUTANT]), failed=failed)  # fmt: skip

    def _words(self) -> tuple[int, ...]:
        return tuple(self.memory[cells.WORDS : cells.WORDS + max(0, self.memory[cells.ARITY])])
