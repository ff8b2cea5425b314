"""The base process of a worker: it imports the modules that jobs need, and forks a child for each job.

It is started as ``python -m zeroin.worker.base_process``.

A job is a module-level function ``job(link, *arguments)``, named ``module:function``. It sends results through
``link``. It keeps the input that it runs in ``link.memory``, which the parent reads after a death.

A job that has loaded a target can wait for tasks (:meth:`Link.serve`). It forks a child for each task. So every task
finds the loaded target untouched, and damage by a task ends with its process. A task may only send the messages listed
for its kind. Proofs come from its *aide*, another child, which never runs the subject.

*Kernels* are Python functions compiled to machine code by Numba and kept on disk (:mod:`zeroin.native.kernel`). If they
are missing, further children compile them.
"""

from __future__ import annotations

import contextlib
import importlib
import mmap
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from .. import cache, scratch
from ..errors import WorkerDied, ZeroinError
from ..limits import of_the_machine
from ..native.cells import BEAT, PHASE, SHARED_CELLS, Phase
from ..process.child import Child, end_of_command_line
from ..process.message_stream import MessageStream
from ..sandbox import forking
from .messages import OF_EVERY_TASK, Done, Failed, Job, Ready, Refused, Started, Task
from .task_supervisor import AideSupervisor, Work, supervise

if TYPE_CHECKING:
    from ..subject.base import WordArray

_NOT_SHORT, _NICE = 1.5, 10  # seconds before rarely needed kernels are compiled, and the niceness of that process


class Link:
    """The channel from a job or a task to the parent.

    Attributes:
        memory: the memory shared with the parent, as 64-bit cells (:mod:`zeroin.native.cells`).
        aide: the channel to the task's aide; None without one.
        scratch: the job's folder, empty at its beginning and removed after its end.
    """

    def __init__(
        self, line: MessageStream, memory: WordArray, compiling: int, scratch: Path, aide: MessageStream | None = None
    ) -> None:
        self._line, self.memory, self._compiling = line, memory, compiling
        self.aide = aide
        self.scratch = scratch

    def send(self, message: object) -> None:
        """Send one message. The parent receives it even if this process dies right afterwards."""
        self._line.send(message)

    def phase(self, phase: Phase) -> None:
        """Tell the parent the current phase, which decides how long this process may be silent."""
        self.memory[PHASE] = phase

    def beat(self) -> None:
        """Give a sign of life: called before each run, so that the parent does not report a hang."""
        self.memory[BEAT] += 1

    def wait_for_kernels(self) -> None:
        """Wait until the minimizer's kernels are on disk, if a process is compiling them."""
        os.read(self._compiling, 1)

    def serve(self, tasks: Mapping[str, Work], before: Callable[[str], None]) -> None:
        """Carry out the parent's tasks, each in a child of this process, until there are no more.

        If the parent ends while a task runs, end this process.

        Args:
            tasks: the kinds of tasks by name.
            before: called with the task's name before each fork, in this process.
        """
        self.send(Ready())
        while True:
            task = self._line.receive()
            if not isinstance(task, Task) or not task.name:
                return
            before(task.name)
            work = tasks[task.name]
            assistance = AideSupervisor(work.aide, self._line) if work.aide is not None else None
            child = Child.fork(partial(self._carry_out, work, task, assistance), (*OF_EVERY_TASK, *work.accepted),
                               closes=[self._line.descriptor])  # fmt: skip
            if assistance is not None:
                assistance.in_job()
            self.send(Started(child.process))
            if not supervise(child, self._line, assistance):
                os._exit(0)

    def _carry_out(self, work: Work, task: Task, assistance: AideSupervisor | None, line: MessageStream) -> None:
        """Carry out a task in its own process, and end the process."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        aide = assistance.in_task(work.answers) if assistance is not None else None
        link = Link(line, self.memory, self._compiling, self.scratch, aide)
        _carry_out(link, partial(work.run, link, *task.arguments))


def _serve(line: MessageStream, descriptor: int, compiled: int) -> None:
    """Fork a child for every job, and report its end to the parent.

    Args:
        line: the channel to the parent.
        descriptor: the file behind the shared memory.
        compiled: a pipe that the parent watches. Only processes that compile kernels for searches keep it open.

    Raises:
        EOFError: the parent has closed the channel.
    """
    with _ending_with_parent(line):
        import numpy as np

        from ..native import kernel_helper

        memory = np.frombuffer(_mapped(descriptor), dtype=np.int64)
        compiles = cache.lacks_kernels(cache.FOR_SEARCHES)
        if compiles:
            from ..native.kernel import load_numba

            load_numba()  # before the fork, so that both processes share it
    if not compiles and cache.lacks_kernels(cache.FOR_ALL):
        _compile_more(compiled)
    compiling = _compile_kernels(compiled) if compiles else os.open(os.devnull, os.O_RDONLY)
    os.close(compiled)
    kernel_helper.start()
    with _ending_with_parent(line):
        from . import job as work

        work.prepare()
    jobs = 0
    while True:
        job = line.receive()
        if not isinstance(job, Job):  # a task for a job that has died: the parent knows already
            continue
        with _ending_with_parent(line):
            work.prepare_for(*job.arguments)
        child = forking.fork()
        if child == 0:
            os.setpgid(0, 0)
            sys.path.insert(0, os.getcwd())  # late: a file there must not shadow a standard module
            link = Link(line, memory, compiling, job.scratch)
            link.send(Started(os.getpid()))  # the parent expects it before any other message
            _silence()
            _carry_out(link, partial(_work, job.name, link, job.arguments))
        jobs += 1
        if jobs == 4:  # the first job finds the targets, two search in the first one: for branches, and for faults
            work.prepare_more(*job.arguments)
        if not supervise(Child(child), line):
            raise EOFError


def _work(job: str, link: Link, arguments: tuple[object, ...]) -> None:
    """Create the job's folder, and call its function, named ``module:function``."""
    scratch.make(link.scratch)
    module, _, name = job.partition(":")
    getattr(importlib.import_module(module), name)(link, *arguments)


def _silence() -> None:
    """Connect standard input, output and error to the null device."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _carry_out(link: Link, body: Callable[[], None]) -> None:
    """Do the work, report how it ended, and end the process with status 0, without exit handlers.

    An exception is reported, too: an error for the user as :class:`.Refused`, any other as :class:`.Failed`.
    """
    forking.end_with_parent()
    try:
        body()
        link.send(Done())
    except ZeroinError as error:
        link.send(Refused(error))
    except BaseException as error:
        limited = of_the_machine(error)
        link.send(Refused(WorkerDied(limited)) if limited else Failed(traceback.format_exc()))
    os._exit(0)


def _leave() -> NoReturn:
    """Remove all temporary folders and end this process: the parent has been killed."""
    scratch.remove_all()
    os._exit(0)


@contextlib.contextmanager
def _ending_with_parent(line: MessageStream) -> Iterator[None]:
    """End this process if the parent ends while the block runs, for blocks that may take long.

    A thread watches the channel for its end; it reads no messages. Before the end, it removes all temporary folders.
    """
    done, watched = os.eventfd(0), select.poll()
    watched.register(line.descriptor, 0)  # no events: poll only reports the hang-up
    watched.register(done, select.POLLIN)

    def watch() -> None:
        if line.descriptor in dict(watched.poll()):
            _leave()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        os.eventfd_write(done, 1)
        watcher.join()
        os.close(done)


def _compile_kernels(compiled: int) -> int:
    """Compile kernels in a process of their own, while this process does other work.

    The process closes ``compiled`` when most searches have their kernels. It ends with its parent process.

    Args:
        compiled: a pipe, which stays open in this process.

    Returns:
        A descriptor that becomes readable (end of file) when the minimizer is compiled.
    """
    ready, writing = os.pipe()
    if os.fork() == 0:
        forking.end_with_parent()
        try:
            from .job import compile_kernels

            compile_kernels(lambda: os.close(writing), lambda: os.close(compiled))
        finally:
            os._exit(0)
    os.close(writing)
    return ready


def _compile_more(compiled: int) -> None:
    """Compile rarely needed kernels in a process of their own, after a delay that spares short commands.

    That process closes the pipe ``compiled`` at once, since no search waits for these kernels.
    """
    if os.fork() == 0:
        forking.end_with_parent()
        os.close(compiled)
        os.nice(_NICE)
        time.sleep(_NOT_SHORT)
        try:
            from .job import compile_more

            compile_more()
        finally:
            os._exit(0)


def _mapped(descriptor: int) -> mmap.mmap:
    """Map the shared memory, and close all descriptors of its file so that a subject can not use the file.

    These are ``descriptor`` and the duplicate that mmap makes.
    """
    with open(os.devnull, "rb") as free:
        other = free.fileno()  # the lowest free number: mmap duplicates its descriptor to this one
    memory = mmap.mmap(descriptor, 8 * SHARED_CELLS)
    if os.path.samestat(os.fstat(descriptor), os.fstat(other)):
        os.close(other)
    os.close(descriptor)
    return memory


def main() -> None:
    """Run the base process.

    Its arguments: the descriptors of the shared memory and of the pipe for compilation, and the folder for temporary
    files.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line, (memory, compiled, home) = end_of_command_line()
    scratch.inherit(Path(home))
    try:
        _serve(line, int(memory), int(compiled))
    except EOFError:
        _leave()


if __name__ == "__main__":
    main()
