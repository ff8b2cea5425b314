"""The base process of a sandbox: it imports what jobs need, and forks a child for each. Started as
``python -m zeroin.worker.base``.

A job is a module-level function ``job(link, *arguments)``, named ``module:function``: it sends results through ``link``
and keeps the words it is running in ``link.memory``, which the parent reads after a death. A job that has loaded
something can wait for tasks (:meth:`Link.serve`): it forks a child for each, so that every task finds what was loaded
as nobody has touched it, and what a task breaks is gone with its process.
"""

from __future__ import annotations

import contextlib
import importlib
import mmap
import os
import pickle
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

from .. import cache, forking, scratch
from ..errors import WorkerDied, ZeroinError
from ..limits import of_the_machine
from ..native.cells import BEAT, PHASE, SHARED_CELLS, Phase
from .line import KEY_BYTES, Garbled, Line
from .messages import Done, Ended, Failed, Job, Ready, Refused, Started, Task
from .wire import encode

if TYPE_CHECKING:
    from ..subject.base import WordArray

_NOT_SHORT, _NICE = 1.5, 10  # seconds after which what few searches need is compiled, and how politely


class Link:
    """A job's, or a task's, line to the parent."""

    def __init__(self, line: Line, memory: WordArray, compiling: int, scratch: Path) -> None:
        self._line, self.memory, self._compiling = line, memory, compiling
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

    def serve(self, tasks: Mapping[str, Callable[..., None]], before: Callable[[str], None]) -> None:
        """Carry out tasks ``task(link, *arguments)``, by name and each in a child of this process, until there are no
        more. Called before each, in this process, with its name: ``before``."""
        self.send(Ready())
        while True:
            task = self._line.receive()
            if not isinstance(task, Task) or not task.name:
                return
            before(task.name)
            reading, writing = os.pipe()
            key = os.urandom(KEY_BYTES)
            child = forking.fork()
            if child == 0:
                os.close(reading)
                os.close(self._line.descriptor)
                os.setpgid(0, 0)
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                link = Link(_line(writing, key), self.memory, self._compiling, self.scratch)
                _carry_out(link, partial(tasks[task.name], link, *task.arguments))
            os.close(writing)
            if not _attend(child, self._line, _line(reading, key)):
                os._exit(0)
            os.close(reading)


def _line(descriptor: int, key: bytes) -> Line:
    """An end in a worker: the parent's messages are trusted, its own are data."""
    return Line(descriptor, key, encode, pickle.loads)


def _serve(line: Line, descriptor: int, compiled: int) -> None:
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
            _silence()
            _carry_out(link, partial(_work, job.name, link, job.arguments))
        jobs += 1
        if jobs == 3:  # the first one finds the target
            work.prepare_more(*job.arguments)
        if not _attend(child, line, None):
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
    link.send(Started(os.getpid()))
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
def _ending_with_parent(line: Line) -> Iterator[None]:
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


def _attend(child: int, parent: Line, line: Line | None) -> bool:
    """Until the child has ended, hand on what comes on its line, if it has one of its own; then tell the parent. It
    is ended if it writes something else, and when the parent has ended. Whether the parent is still there."""
    ended, watched = os.pidfd_open(child), select.poll()
    watched.register(ended, select.POLLIN)
    watched.register(parent.descriptor, 0)  # nothing but its end
    if line is not None:
        watched.register(line.descriptor, select.POLLIN)
    cut = False
    while True:
        ready = dict(watched.poll())
        if parent.descriptor in ready:
            forking.end(child)
            os.waitpid(child, 0)
            return False
        if line is not None and line.descriptor in ready:
            try:
                for message in line.read():
                    parent.forward(message)
                if line.is_garbled:
                    raise Garbled
            except (EOFError, Garbled):
                watched.unregister(line.descriptor)
                line = None
                if ended not in ready and not watched.poll(100):
                    cut = True
                    forking.end(child)
        elif ended in ready:
            break
    os.close(ended)
    _, status = os.waitpid(child, 0)
    forking.end_group(child)
    with contextlib.suppress(BrokenPipeError):
        parent.send(Ended(child, os.waitstatus_to_exitcode(status), cut))
    return True


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
    line = _line(int(sys.argv[1]), bytes.fromhex(sys.argv[4]))
    scratch.inherit(Path(sys.argv[5]))
    try:
        _serve(line, int(sys.argv[2]), int(sys.argv[3]))
    except EOFError:
        _leave()


if __name__ == "__main__":
    main()
