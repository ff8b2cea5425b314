"""The job's side of a running task. It checks the task's messages and hands them to the parent. It starts the task's
aide when the task first asks that for something."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import socket
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..limits import of_the_machine
from ..sandbox import forking
from .message_stream import KEY_BYTES, Garbled, MessageStream
from .messages import AideEnded, Ended, Failed
from .serialisation import Malformed, decode, encode

_LAST_WORDS = 100  # milliseconds for a process to end after its line has
_MOST_AIDES = 20  # of one task, one after the other


@dataclass(frozen=True)
class Aide:
    """A process that works for a task, and is believed where the task is not: it is forked from the job, and does not
    run what tasks run.

    Attributes:
        serve: what it does; it gets a line to the task, and one to the parent.
        asked: the types of messages that it takes from the task.
        accepted: the types of messages that it may send to the parent, beside that it failed.
    """

    serve: Callable[[MessageStream, MessageStream], None]
    asked: tuple[type, ...]
    accepted: tuple[type, ...]


@dataclass(frozen=True)
class Work:
    """A kind of task.

    Attributes:
        run: ``run(link, *arguments)`` carries one out.
        accepted: the types of messages that it may send, beside those of every task.
        aide: works for it.
        answers: the types of messages that the aide sends to it.
    """

    run: Callable[..., None]
    accepted: tuple[type, ...]
    aide: Aide | None = None
    answers: tuple[type, ...] = ()


def end_of(descriptor: int, key: bytes) -> MessageStream:
    """An end in a worker: the parent's messages are trusted, its own are data."""
    return MessageStream(descriptor, key, encode, pickle.loads)


class Child:
    """A process that this one has forked, and what it sends to the parent.

    Args:
        process: its number.
        line: where its messages come; None if it talks to the parent directly.
        accepted: the types of messages that it may send.

    Attributes:
        ended: a descriptor that can be read when it has ended.
        line: None once nothing can come any more.
    """

    def __init__(self, process: int, line: MessageStream | None, accepted: tuple[type, ...] = ()) -> None:
        self.process, self.line, self._accepted = process, line, accepted
        self.ended = os.pidfd_open(process)

    @property
    def descriptors(self) -> list[int]:
        return [self.ended] if self.line is None else [self.ended, self.line.descriptor]

    def read(self) -> list[bytes]:
        """The messages that have come, encoded. If something else has come, its line is closed."""
        if self.line is None:
            return []
        try:
            messages = self.line.read()
            for message in messages:
                decode(message, self._accepted)
            if not self.line.is_garbled:
                return messages
        except (EOFError, Malformed):
            messages = []
        self._close_line()
        return messages

    def rest(self) -> list[bytes]:
        """The messages that have come by now."""
        messages: list[bytes] = []
        while self.line is not None and _readable([self.line.descriptor], 0):
            messages += self.read()
        return messages

    def wait(self) -> int:
        """Its exit status, or minus the signal that ended it; what is left of its group is ended, too."""
        self._close_line()
        os.close(self.ended)
        _, status = os.waitpid(self.process, 0)
        forking.end_group(self.process)
        return os.waitstatus_to_exitcode(status)

    def _close_line(self) -> None:
        if self.line is not None:
            os.close(self.line.descriptor)
            self.line = None


class Assistance:
    """A task's aide, seen from the job.

    Args:
        aide: what it is.
        parent: where its messages go.
    """

    def __init__(self, aide: Aide, parent: MessageStream) -> None:
        self._aide, self._parent = aide, parent
        ours, theirs = socket.socketpair()
        self._key = os.urandom(KEY_BYTES)
        self._ours: socket.socket | None = ours
        self._theirs = theirs
        self._child: Child | None = None
        self._left = _MOST_AIDES

    def in_task(self, kinds: tuple[type, ...]) -> MessageStream:
        """To be called in the task: its line to the aide."""
        assert self._ours is not None
        self._ours.close()
        return MessageStream(self._theirs.detach(), self._key, encode, partial(decode, kinds=kinds))

    def in_job(self) -> None:
        """To be called in the job, when the task has been forked."""
        self._theirs.close()

    @property
    def descriptors(self) -> list[int]:
        """What to wait for: the first request, or what the aide sends."""
        if self._child is not None:
            return self._child.descriptors
        return [] if self._ours is None else [self._ours.fileno()]

    def tend(self, ready: Sequence[int]) -> None:
        """Do what is to be done for these descriptors."""
        if self._child is None:
            if self._ours is not None and self._ours.fileno() in ready:
                self._start()
            return
        self.forward()
        if self._child.ended in ready:
            self._child.wait()
            self._child = None
            if self._ours is not None:
                with contextlib.suppress(OSError):
                    self._end_in(self._ours).send(AideEnded())

    def forward(self) -> None:
        """Hand on what has come from the aide by now. It is ended when it sends something else."""
        if self._child is not None:
            for message in self._child.rest():
                self._parent.forward(message)
            if self._child.line is None:
                forking.end(self._child.process)

    def close(self) -> None:
        """End the aide."""
        if self._child is not None:
            forking.end(self._child.process)
            self._child.wait()
            self._child = None
        if self._ours is not None:
            self._ours.close()
            self._ours = None

    def _start(self) -> None:
        assert self._ours is not None
        self._left -= 1
        if self._left < 0 or not _has_request(self._ours):
            self._ours.close()
            self._ours = None
            return
        reading, writing = os.pipe()
        key = os.urandom(KEY_BYTES)
        process = forking.fork()
        if process == 0:
            os.close(reading)
            os.close(self._parent.descriptor)
            self._serve(self._end_in(self._ours), end_of(writing, key))
        os.close(writing)
        self._child = Child(process, end_of(reading, key), (*self._aide.accepted, Failed))

    def _end_in(self, ours: socket.socket) -> MessageStream:
        return MessageStream(ours.fileno(), self._key, encode, partial(decode, kinds=self._aide.asked))

    def _serve(self, task: MessageStream, parent: MessageStream) -> None:
        try:
            os.setpgid(0, 0)
            forking.end_with_parent()
            self._aide.serve(task, parent)
        except (EOFError, Garbled, OSError):  # the task has ended, or is mad
            os._exit(0)
        except BaseException as error:
            if not of_the_machine(error):
                parent.send(Failed(traceback.format_exc()))
        finally:
            os._exit(1)


def _has_request(line: socket.socket) -> bool:
    """Whether something has come, and not only the other end has gone."""
    try:
        return bool(line.recv(1, socket.MSG_PEEK))
    except ConnectionResetError:
        return False


def attend(child: Child, parent: MessageStream, assistance: Assistance | None = None) -> bool:
    """Until the child has ended, hand on what comes from it and its aide; then tell the parent. The child is ended if
    it sends something else, and when the parent has ended. Whether the parent is still there."""
    cut = False
    while True:
        wanted = [*child.descriptors, *(assistance.descriptors if assistance is not None else ())]
        ready = _readable(wanted, None, parent.descriptor)
        if parent.descriptor in ready:
            forking.end(child.process)
            child.wait()
            if assistance is not None:
                assistance.close()
            return False
        if assistance is not None:
            assistance.tend(ready)
        if child.line is not None and child.line.descriptor in ready:
            messages = child.read()
            if assistance is not None:  # what the task has heard from it is told first
                assistance.forward()
            for message in messages:
                parent.forward(message)
            if child.line is None and not _readable([child.ended], _LAST_WORDS):
                cut = True
                forking.end(child.process)
        elif child.ended in ready:
            break
    code = child.wait()
    if assistance is not None:
        assistance.forward()
        assistance.close()
    with contextlib.suppress(BrokenPipeError):
        parent.send(Ended(child.process, code, cut))
    return True


def _readable(descriptors: Sequence[int], milliseconds: int | None, ending: int | None = None) -> list[int]:
    """Those that can be read, or are at their end, within this time; of ``ending`` only its end counts."""
    watched = select.poll()
    for descriptor in descriptors:
        watched.register(descriptor, select.POLLIN)
    if ending is not None:
        watched.register(ending, 0)
    return [descriptor for descriptor, _ in watched.poll(milliseconds)]
