"""Worker processes: run code under test, which may crash, hang or attack, outside of the parent process.

The parent starts one *base process* (:mod:`zeroin.worker.base_process`), which imports the modules that jobs need. The
base process forks a child for every job. So a crash is confined to one child, and the next child starts within
milliseconds.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any, BinaryIO

from .. import scratch
from ..errors import WorkerDied, ZeroinError
from ..limits import LONGEST_SILENCE, memory_allowed
from ..native import cells
from ..native.cells import Phase
from ..process.child import Child
from ..process.message_stream import Garbled
from ..sandbox import forking
from .messages import FROM_A_WORKER, Done, Ended, Failed, Job, Ready, Refused, Started, Task

# Seconds of silence: counted as search time; marks an input as slow; shows that this process was stopped.
_BRIEF, _LONG, _STOPPED = 0.25, 1.0, 1.0
_SOON = 0.3  # seconds for a busy job to start a task that is to be abandoned
_LAST_WORD = 60.0  # seconds for the base process, which may be importing, to report the end of a job
LONGEST_THOUGHT = 600.0  # seconds of silence while loading, compiling or solving
LEAST_MEMORY = 600 << 20  # bytes; with less, some libraries retry their allocations forever
_NO_ANSWER = "the worker process does not answer"
_GONE = "the process that had loaded the target ended"


def mistake(traceback: str) -> str:
    """Return the message for the user about an exception in zeroin's own code, given its traceback as text."""
    return f"zeroin itself failed; please report this:\n{indent(traceback, '    ')}"


class Interrupted(Exception):
    """Raised when the user stops the work on a target."""


class Lost(WorkerDied):
    """The base process, or a job waiting for tasks, has died: the loaded target is lost."""


@dataclass(frozen=True)
class Died:
    """A process ended without reporting that its work is complete.

    The phase, the words and the mutant are from shared memory, which the subject may have overwritten.

    Attributes:
        signal: the signal that ended it, or 0.
        status: its exit status, or 0 if a signal ended it.
        phase: its last phase.
        words: the input that it was running or ran last; empty if it ran none.
        silent: whether it was killed because it gave no sign of life for too long.
        cut: whether it was killed because it closed its channel to the parent or wrote invalid data to it.
        ours: whether the cause is a bug in zeroin, not the subject.
        mutant: the number of the mutant that it was running; 0 for the subject itself.
        failed: the traceback, if zeroin's own code raised an exception in it; else empty.
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
        """Return whether two processes died in the same way, by signal, exit status and silence."""
        return (self.signal, self.status, self.silent) == (other.signal, other.status, other.silent)


def _in_memory(name: str) -> BinaryIO:
    """Return an unnamed file that exists in memory only."""
    return open(os.memfd_create(f"zeroin-{name}"), "w+b", buffering=0)


class Worker:
    """One base process, and the jobs that it runs one at a time.

    A worker is a context manager: at its end, all of its processes end.

    Args:
        patience: seconds without a sign of life after which a running subject counts as hung.
        accepted: the types of messages that jobs may send.

    Attributes:
        patience: as above; it can be changed between tasks.
        longest_load: the same limit in seconds for a job that loads a target.
        longest_thought: the same limit in seconds for a job that thinks (solves, chooses inputs).
        waited: seconds that the job spent in long single runs. They do not count as search time; otherwise one slow run
            would use up the budget.
        most_waited: the upper limit of ``waited``, in seconds.
        slow: inputs of the job's long runs.
        memory: the shared memory, as 64-bit cells (:mod:`zeroin.native.cells`).
    """

    def __init__(self, patience: float = LONGEST_SILENCE, accepted: tuple[type, ...] = FROM_A_WORKER) -> None:
        self._accepted = accepted
        self.patience, self.longest_load, self.longest_thought = patience, LONGEST_THOUGHT, LONGEST_THOUGHT
        self.waited, self.most_waited, self.slow = 0.0, LONGEST_SILENCE, set[tuple[int, ...]]()
        self._file = _in_memory("cells")
        self._file.truncate(8 * cells.SHARED_CELLS)
        self._map = mmap.mmap(self._file.fileno(), 8 * cells.SHARED_CELLS)
        self._errors = _in_memory("errors")  # standard error of the base process
        self.memory = memoryview(self._map).cast("q")
        self._base: Child | None = None
        self._compiling: int | None = None  # a pipe whose other end closes when no process compiles kernels
        self._scratch: Path | None = None  # the folder that the job creates for itself
        self._job = self._running = 0  # process ids: of the job, and of the running job or task; 0: none
        self._busy = False  # whether a job or task runs

    @property
    def evaluations(self) -> int:
        """The number of evaluations of the running search, those of earlier processes included; 0 in other tasks."""
        return self.memory[cells.ALLOWED] - abs(self.memory[cells.DOOR])

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes and free the shared memory. Unlike after :meth:`close`, no further job can be run."""
        self.close()
        self.memory = memoryview(bytes(8 * cells.SHARED_CELLS)).cast("q")
        self._map.close()
        self._file.close()
        self._errors.close()

    def start(self) -> None:
        """Start the base process now, so that it imports modules while the caller does something else.

        If it runs already, do nothing.

        Raises:
            WorkerDied: the memory limit is too low.
        """
        if self._base is not None:
            return
        allowed = memory_allowed()
        if allowed is not None and allowed < LEAST_MEMORY:
            raise WorkerDied(f"the limit of {allowed >> 20} MB (ulimit -v) is too low for a worker process; allow "
                             f"{LEAST_MEMORY >> 20} MB")  # fmt: skip
        self._errors.truncate(0)
        self._errors.seek(0)
        self._compiling, compiling = os.pipe()
        inherited = self._file.fileno(), compiling
        # The order of sets must not vary between runs with the same seed.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        try:
            self._base = Child.start("zeroin.worker.base_process", [*map(str, inherited), str(scratch.home())],
                                     self._accepted, environment, descriptors=inherited,
                                     stderr=self._errors.fileno())  # fmt: skip
        finally:
            os.close(compiling)

    def wait_for_kernels(self, seconds: float) -> bool:
        """Wait, at most so many seconds, until the kernels of most searches are compiled; return whether they are.

        Return True at once if no base process runs.
        """
        if self._compiling is None:
            return True
        ended = select.poll()
        ended.register(self._compiling, 0)
        return bool(ended.poll(1000 * seconds))

    def close(self) -> None:
        """End the job, if one runs, and the base process. A later job starts a new one."""
        if self._base is not None:
            for process in (self._running, self._job):
                if process:
                    forking.end_group(process)
            self._base.end()
            self._base = None
        if self._compiling is not None:
            os.close(self._compiling)
            self._compiling = None
        self._forget_job()

    def _forget_job(self) -> None:
        """Forget the job, whose processes have ended, and remove its folder."""
        self._job = self._running = 0
        self._busy = False
        if self._scratch is not None:
            scratch.remove(self._scratch)
            self._scratch = None

    # ---- jobs and tasks ----

    def run(self, job: str, *arguments: object, tick: float = 0.1) -> Generator[Any, None, None]:
        """Run a job and yield its messages.

        The job starts when the first message is requested. Closing the generator early ends the job. A job that waits
        for tasks stays alive until :meth:`dismiss`, or until another job begins.

        Args:
            job: the job's function, as ``module:function``.
            arguments: its arguments.
            tick: the longest time between two yields, in seconds.

        Yields:
            Each result as it arrives; None whenever no message arrives for ``tick`` seconds; at the end :class:`Died`,
            unless the job completed or waits for tasks.

        Raises:
            ZeroinError: the job raised this error of zeroin's.
            Lost: the base process has died.
            WorkerDied: the job raised any other exception.
        """
        self.dismiss()
        self.start()
        self.waited, self.slow = 0.0, set()
        self._scratch = scratch.new()
        yield from self._carry_out(Job(job, arguments, self._scratch), tick)
        if not self._job:
            self._forget_job()

    def task(self, name: str, *arguments: object, tick: float = 0.1) -> Generator[object, None, None]:
        """Let the waiting job carry out a task; otherwise like :meth:`run`.

        An exception that is no error of zeroin's does not raise :class:`WorkerDied`, unless the task had completed. It
        yields a :class:`Died` with the traceback, because the subject may have damaged Python.

        Raises:
            ZeroinError: the task raised this error of zeroin's.
            Lost: no job waits for tasks, or the job or the base process has died.
        """
        if not self._job:
            raise Lost("no job waits for tasks")
        yield from self._carry_out(Task(name, arguments), tick)

    def dismiss(self) -> None:
        """End the job that waits for tasks, if there is one. If it does not end, end the base process, too."""
        if self._job and self._base is not None:
            try:
                self._send(Task(""))
                self._await_end(self._job, _LAST_WORD)
            except WorkerDied:
                self.close()
        self._forget_job()

    def _carry_out(self, what: Job | Task, tick: float) -> Iterator[object]:
        """Clear the shared memory, send a job or a task, and yield its messages as :meth:`run` describes."""
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
            if not ended:  # unread messages would be taken for the next task's
                self._abandon()

    def _abandon(self) -> None:
        """End the running job or task, if there is one; a job that waits for tasks stays alive.

        If the base process does not answer, end it, too.
        """
        if not self._busy:
            return
        try:
            while not self._running:  # the job may be preparing the task
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

    def _messages(self, tick: float) -> Iterator[object]:
        """Yield messages as :meth:`run` describes, and watch for silence.

        Raises:
            Lost: the process that had loaded the target ended.
        """
        last: tuple[int, ...] = ()
        quiet, waited = time.monotonic(), self.waited
        failure: Exception | None = None
        failed, done = "", False
        self._running = 0
        while True:
            before = time.monotonic()
            message = self._receive(tick)
            if time.monotonic() - before > tick + _STOPPED:  # this process was stopped: silence proves nothing
                quiet = time.monotonic()
            if message is None:
                # Each phase has a limit of its own: long compilation must not leave a solver without time.
                beat = self.evaluations, *(self.memory[cell] for cell in (cells.BEAT, cells.MUTANT, cells.PHASE))
                limit = self._longest_silence()
                if beat != last:
                    last, quiet, waited = beat, time.monotonic(), self.waited
                elif limit <= self.patience:
                    self._wait(waited, time.monotonic() - quiet)
                if time.monotonic() - quiet > limit:
                    self._end_running()
                    yield self._died(-signal.SIGKILL, silent=True)
                    return
                yield None
                continue
            last, quiet, waited = (), time.monotonic(), self.waited
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
                    # Otherwise a task failed, perhaps because the subject damaged Python.
                    if failed and (done or not self._job):
                        failure = WorkerDied(mistake(failed))
                    if failure is not None:
                        raise failure
                    if not done:
                        yield self._died(message.code, cut=message.cut, failed=failed)
                    return
                case _:
                    yield message

    def _ours(self, process: int) -> int:
        """Return a process id if that process may be killed: a hostile subject could name a foreign process.

        Raises:
            Lost: the process was not started by the job or the base process, or that one has died.
        """
        parent = forking.parent_of(process)
        if parent is not None and parent != (self._job or (self._base.process if self._base else 0)):
            raise Lost(self._why("the worker process ended unexpectedly"))
        return process

    def _wait(self, before: float, seconds: float) -> None:
        """Count a long run as waiting time, and note its input if it has lasted more than a second.

        Args:
            before: the waiting time before the run, in seconds.
            seconds: how long the run has lasted.
        """
        self.waited = min(max(self.waited, before + seconds - _BRIEF), self.most_waited)
        self.memory[cells.WAITED] = int(1000 * self.waited)
        if seconds > _LONG:
            self.slow.add(self._words())

    def _longest_silence(self) -> float:
        """Return the seconds of silence allowed in the current phase."""
        limits = {int(Phase.LOADING): self.longest_load, int(Phase.COMPILING): LONGEST_THOUGHT,
                  int(Phase.THINKING): self.longest_thought}  # fmt: skip
        return limits.get(int(self.memory[cells.PHASE]), self.patience)

    def _send(self, message: object) -> None:
        """Send a message to the base process, which must have been started.

        Raises:
            Lost: the base process has ended.
        """
        assert self._base is not None
        assert self._base.line is not None
        try:
            self._base.line.send(message)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise Lost(self._why("the worker process ended before it could start")) from error

    def _receive(self, timeout: float) -> object:
        """Return the next message of the base process; None if none arrives within ``timeout`` seconds.

        Raises:
            Lost: the base process has ended, or sent invalid data.
        """
        assert self._base is not None
        assert self._base.line is not None
        try:
            return self._base.line.receive(timeout)
        except (EOFError, ConnectionResetError, Garbled) as error:
            raise Lost(self._why("the worker process ended unexpectedly")) from error

    def _why(self, what: str) -> str:
        """Return an error message with the last line that the base process wrote to standard error."""
        self._errors.seek(0)
        last = self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]
        why = f" ({last[:200]})" if last else ""
        return f"{what}{why}; do the limits (ulimit -a) leave it enough memory, files and processes?"

    def _end_running(self) -> None:
        """Kill the process of the running job or task, and wait until its end is reported.

        Raises:
            Lost: no process is known to run, the base process does not answer, or the waiting job has ended.
        """
        if not self._running:
            raise Lost(_NO_ANSWER)
        forking.end(self._running)
        self._await_end(self._running, _LAST_WORD)
        self._running, self._busy = 0, False

    def _await_end(self, process: int, seconds: float) -> None:
        """Wait until the end of a process is reported, and drop all messages before that.

        Raises:
            Lost: another process has ended, or nothing is reported in time.
        """
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
        """Return the state of a lost process as shared memory shows it. It counts as killed by a signal."""
        return self._died(-signal.SIGKILL)

    def _died(self, code: int, silent: bool = False, cut: bool = False, failed: str = "") -> Died:
        """Return the state of a dead process from shared memory. The subject may have overwritten any of it."""
        phase = self.memory[cells.PHASE]
        silent = silent or code == cells.TOO_LONG
        known = Phase(phase) if phase in tuple(Phase) else Phase.SEARCHING
        return Died(-code if code < 0 else 0, max(code, 0), known, self._words(), silent, cut,
                    mutant=max(0, self.memory[cells.MUTANT]), failed=failed)  # fmt: skip

    def _words(self) -> tuple[int, ...]:
        """Return the words of the running or last input in shared memory; empty if no run has begun."""
        return tuple(self.memory[cells.WORDS : cells.WORDS + max(0, self.memory[cells.ARITY])])
