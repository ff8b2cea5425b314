"""The base process of a sandbox: it imports what jobs need, and forks a child for each. Started as
``python -m zeroin.worker.base_process``.

A job is a module-level function ``job(link, *arguments)``, named ``module:function``: it sends results through ``link``
and keeps the words it is running in ``link.memory``, which the parent reads after a death. A job that has loaded
something can wait for tasks (:meth:`Link.serve`): it forks a child for each, so that every task finds what was loaded
as nobody has touched it, and what a task breaks is gone with its process. A task may say what tasks of its name may
say, and nothing else; that no input takes a branch says its aide, another child.
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
from typing import TYPE_CHECKING, Any, NoReturn

from .. import cache, scratch
from ..errors import WorkerDied, ZeroinError
from ..limits import of_the_machine
from ..native.cells import BEAT, PHASE, SHARED_CELLS, Phase
from ..sandbox import forking
from .message_stream import KEY_BYTES, MessageStream
from .messages import OF_EVERY_TASK, Done, Failed, Job, Ready, Refused, Started, Task
from .task_supervisor import Assistance, Child, Work, attend, end_of

if TYPE_CHECKING:
    from ..subject.base import WordArray

_NOT_SHORT, _NICE = 1.5, 10  # seconds after which what few searches need is compiled, and how politely


class Link:
    """A job's, or a task's, line to the parent."""

    def __init__(
        self, line: MessageStream, memory: WordArray, compiling: int, scratch: Path, aide: MessageStream | None = None
    ) -> None:
        self._line, self.memory, self._compiling = line, memory, compiling
        self.aide = aide  # to the process that works for this task, if it has one
        self.scratch = scratch  # a folder that was empty when the job began, and is removed when it has ended

    def send(self, message: object) -> None:
        """Send one message; the parent sees it even if this process dies right after."""
        self._line.send(message)

    def phase(self, phase: Phase) -> None:
        self.memory[PHASE] = phase

    def beat(self) -> None:
        """A sign of life."""
        self.memory[BEAT] += 1

    def wait_for_kernels(self) -> None:
        """Until the process that compiles kernels, if there is one, has what most searches need on disk."""
        os.read(self._compiling, 1)

    def serve(self, tasks: Mapping[str, Work], before: Callable[[str], None]) -> None:
        """Carry out tasks, by name and each in a child of this process, until there are no more. Called before each, in
        this process, with its name: ``before``."""
        self.send(Ready())
        while True:
            task = self._line.receive()
            if not isinstance(task, Task) or not task.name:
                return
            before(task.name)
            work = tasks[task.name]
            assistance = Assistance(work.aide, self._line) if work.aide is not None else None
            reading, writing = os.pipe()
            key = os.urandom(KEY_BYTES)
            child = forking.fork()
            if child == 0:
                os.close(reading)
                os.close(self._line.descriptor)
                os.setpgid(0, 0)
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                aide = assistance.in_task(work.answers) if assistance is not None else None
                link = Link(end_of(writing, key), self.memory, self._compiling, self.scratch, aide)
                _carry_out(link, partial(work.run, link, *task.arguments))
            os.close(writing)
            if assistance is not None:
                assistance.in_job()
            self.send(Started(child))
            accepted = (*OF_EVERY_TASK, *work.accepted)
            if not attend(Child(child, end_of(reading, key), accepted), self._line, assistance):
                os._exit(0)


def _serve(line: MessageStream, descriptor: int, compiled: int) -> None:
    """Fork a child for every job, tell how it ended. Who compiles what most searches need holds the descriptor
    ``compiled`` open."""
    with _ending_with_parent(line):
        import numpy as np

        from ..native import kernel_helper

        memory = np.frombuffer(_mapped(descriptor), dtype=np.int64)
        compiles = cache.lacks_kernels(cache.FOR_SEARCHES)
        if compiles:
            from ..native.kernel import load_numba

            load_numba()  # once for both processes
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
        if not isinstance(job, Job):  # a task for a job that has died, as the parent has been told
            continue
        with _ending_with_parent(line):
            work.prepare_for(*job.arguments)
        child = forking.fork()
        if child == 0:
            os.setpgid(0, 0)
            sys.path.insert(0, os.getcwd())  # now that nothing there can be taken for a module of Python's own
            link = Link(line, memory, compiling, job.scratch)
            link.send(Started(os.getpid()))  # before all else that comes on this line
            _silence()
            _carry_out(link, partial(_work, job.name, link, job.arguments))
        jobs += 1
        if jobs == 3:  # the first one finds the target
            work.prepare_more(*job.arguments)
        if not attend(Child(child, None), line):
            raise EOFError


def _work(job: str, link: Link, arguments: tuple[Any, ...]) -> None:
    scratch.make(link.scratch)
    module, _, name = job.partition(":")
    getattr(importlib.import_module(module), name)(link, *arguments)


def _silence() -> None:
    """Nothing to read, and nobody to talk to."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)


def _carry_out(link: Link, body: Callable[[], None]) -> None:
    """Do it and end the process without running anybody's exit handlers."""
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
    """End this process, now that the parent has been killed, and remove what it has left."""
    scratch.remove_all()
    os._exit(0)


@contextlib.contextmanager
def _ending_with_parent(line: MessageStream) -> Iterator[None]:
    """Within, which may take long, this process ends when the parent does."""
    done, watched = os.eventfd(0), select.poll()
    watched.register(line.descriptor, 0)  # nothing but its end
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
    """Compile half of the kernels in a process of their own, beside what this one does; a descriptor that can be read
    (it is at its end) as soon as the minimizer is there. That process closes ``compiled`` when most searches find what
    they need, and goes on as long as this one lives."""
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
    """Compile what few searches need in a process of their own, when it seems that this will be no short command."""
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
    """The shared memory. What is mapped needs no open file, and a subject could write to it; Python keeps another."""
    with open(os.devnull, "rb") as free:
        other = free.fileno()  # the lowest number that is free
    memory = mmap.mmap(descriptor, 8 * SHARED_CELLS)
    if os.path.samestat(os.fstat(descriptor), os.fstat(other)):
        os.close(other)
    os.close(descriptor)
    return memory


def main() -> None:
    """Entry point of the base process: file descriptors of the line, of the shared memory and of the pipe that ends
    when kernels are compiled, the line's key, and where temporary folders are."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = end_of(int(sys.argv[1]), bytes.fromhex(sys.argv[4]))
    scratch.inherit(Path(sys.argv[5]))
    try:
        _serve(line, int(sys.argv[2]), int(sys.argv[3]))
    except EOFError:
        _leave()


if __name__ == "__main__":
    main()
