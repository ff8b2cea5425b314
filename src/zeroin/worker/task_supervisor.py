"""The job's side of a running task: check the task's messages and forward them to the parent.

It also starts the task's aide when the task sends the first request to it.
"""

from __future__ import annotations

import contextlib
import os
import socket
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..limits import of_the_machine
from ..process.child import Child
from ..process.descriptors import poll
from ..process.message_stream import KEY_BYTES, Garbled, MessageStream
from ..process.serialisation import decode, encode
from ..sandbox import forking
from .messages import AideEnded, Ended, Failed

_LAST_WORDS = 0.1  # seconds for a process to end after its channel closed
_MOST_AIDES = 20  # aides of one task, one after the other


@dataclass(frozen=True)
class Aide:
    """A process that works for a task, and whose messages are trusted more than the task's.

    It is forked from the job and never runs the subject, so the subject can not have damaged it.

    Attributes:
        serve: the work; called with a channel to the task and one to the parent.
        asked: the types of messages that it accepts from the task.
        accepted: the types of messages that it may send to the parent, beside :class:`Failed`.
    """

    serve: Callable[[MessageStream, MessageStream], None]
    asked: tuple[type, ...]
    accepted: tuple[type, ...]


@dataclass(frozen=True)
class Work:
    """A kind of task.

    Attributes:
        run: ``run(link, *arguments)`` carries out the task.
        accepted: the types of messages that the task may send, beside those of every task.
        aide: the aide of the task; None: it has none.
        answers: the types of messages that the task accepts from its aide.
    """

    run: Callable[..., None]
    accepted: tuple[type, ...]
    aide: Aide | None = None
    answers: tuple[type, ...] = ()


class AideSupervisor:
    """The job's side of a task's aide: it starts the aide, forwards its messages, and ends it.

    Args:
        aide: the kind of aide.
        parent: the channel to the parent.
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
        """Return the task's channel to the aide. Call it once, in the task's process.

        Args:
            kinds: the types of messages that the task accepts from the aide.
        """
        assert self._ours is not None
        self._ours.close()
        return MessageStream(self._theirs.detach(), self._key, encode, partial(decode, kinds=kinds))

    def in_job(self) -> None:
        """Close the task's end of the channel. Call it in the job's process, after the fork of the task."""
        self._theirs.close()

    @property
    def descriptors(self) -> list[int]:
        """The descriptors to poll: for the next aide's first request, or for the running aide's messages and end.

        Empty if no aide runs and none may be started any more.
        """
        if self._child is not None:
            return self._child.descriptors
        return [] if self._ours is None else [self._ours.fileno()]

    def tend(self, ready: Sequence[int]) -> None:
        """Handle readable descriptors: start the aide, forward its messages, or report its end to the task."""
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
        """Forward the aide's messages to the parent. Invalid data from the aide ends it."""
        if self._child is not None:
            for message in self._child.rest():
                self._parent.forward(message)
            if self._child.line is None:
                forking.end(self._child.process)

    def close(self) -> None:
        """End the aide, if one runs, and close the channel to the task."""
        if self._child is not None:
            forking.end(self._child.process)
            self._child.wait()
            self._child = None
        if self._ours is not None:
            self._ours.close()
            self._ours = None

    def _start(self) -> None:
        """Fork the aide, unless the task has ended or has used up its aides."""
        assert self._ours is not None
        self._left -= 1
        if self._left < 0 or not _has_request(self._ours):
            self._ours.close()
            self._ours = None
            return
        body = partial(self._serve, self._end_in(self._ours))
        self._child = Child.fork(body, (*self._aide.accepted, Failed), closes=[self._parent.descriptor])

    def _end_in(self, ours: socket.socket) -> MessageStream:
        """Return the aide's end of the channel to the task, on a socket that stays open."""
        return MessageStream(ours.fileno(), self._key, encode, partial(decode, kinds=self._aide.asked))

    def _serve(self, task: MessageStream, parent: MessageStream) -> None:
        """Do the aide's work, in its process. The end of the task is no error; other exceptions are reported.

        An exception because of a limit of the machine is raised, but not reported.
        """
        try:
            self._aide.serve(task, parent)
        except (EOFError, Garbled, OSError):  # the task has ended, or sent invalid data
            return
        except BaseException as error:
            if not of_the_machine(error):
                parent.send(Failed(traceback.format_exc()))
            raise


def _has_request(line: socket.socket) -> bool:
    """Return whether a request has arrived, rather than the end of the channel. Call it when the socket is readable."""
    try:
        return bool(line.recv(1, socket.MSG_PEEK))
    except ConnectionResetError:
        return False


def supervise(child: Child, parent: MessageStream, assistance: AideSupervisor | None = None) -> bool:
    """Forward messages of a child and its aide until the child ends; then send :class:`Ended` to the parent.

    A child that sends invalid data, or closes its channel without ending, is killed. So are the child and the aide when
    the parent has ended. When this returns, both have ended and have been waited for.

    Returns:
        Whether the parent still exists.
    """
    cut = False
    while True:
        wanted = [*child.descriptors, *(assistance.descriptors if assistance is not None else ())]
        ready = poll(wanted, ending=parent.descriptor)
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
            if assistance is not None:  # the parent gets the aide's messages before the task's reactions to them
                assistance.forward()
            for message in messages:
                parent.forward(message)
            if child.line is None and not poll([child.ended], _LAST_WORDS):
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
