"""A child process and the channel on which it sends messages.

The code under test may run in the child, so its messages are not trusted: they are data of accepted types
(:mod:`.serialisation`). The parent's messages are trusted, and pickled.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ..sandbox import forking
from .descriptors import poll
from .message_stream import KEY_BYTES, Garbled, MessageStream
from .serialisation import Malformed, decode, encode


class Child:
    """A child process of this one. Call :meth:`wait`, :meth:`until_end` or :meth:`end` at last, to release it.

    Args:
        process: its process id.
        line: this process's end of the channel; None if the child has none.
        accepted: the types of messages that the child may send.
        started: the process as Python started it; None if it was forked.

    Attributes:
        ended: a descriptor that becomes readable when the process has ended.
        line: None once the channel is closed.

    Raises:
        OSError: there is no such process, or the kernel has no descriptors of processes.
    """

    def __init__(self, process: int, line: MessageStream | None = None, accepted: tuple[type, ...] = (),
                 started: subprocess.Popen[bytes] | None = None) -> None:  # fmt: skip
        self.process, self.line, self._accepted, self._started = process, line, accepted, started
        self.ended = os.pidfd_open(process)
        self._lives = True

    @classmethod
    def fork(cls, body: Callable[[MessageStream], None], accepted: tuple[type, ...], *,
             closes: Iterable[int] = (), leads: bool = True) -> Child:  # fmt: skip
        """Fork a child of this process. The child is killed when the thread that forked it ends.

        The channel has one direction: only the child can send.

        Args:
            body: carries out the child's work with its end of the channel. When it returns, the child ends with status
                0. If it raises, the child ends with status 1 and does not show the exception. No exit handlers run.
            accepted: the types of messages that the child may send.
            closes: descriptors that the child closes first.
            leads: whether the child leads a process group of its own. This fails after
                :func:`zeroin.sandbox.seccomp.no_more_processes`.

        Raises:
            OSError: there are too many processes or open files.
        """
        reading, writing = os.pipe()
        key = os.urandom(KEY_BYTES)
        process = forking.fork()
        if process == 0:
            status = 1
            try:
                for descriptor in (reading, *closes):
                    os.close(descriptor)
                if leads:
                    os.setpgid(0, 0)
                forking.end_with_parent()
                body(end_in_child(writing, key))
                status = 0
            finally:
                os._exit(status)
        os.close(writing)
        return cls(process, _end_in_parent(reading, key, accepted), accepted)

    @classmethod
    def start(cls, module: str, arguments: Sequence[str], accepted: tuple[type, ...], environment: Mapping[str, str], *,
              descriptors: Sequence[int] = (), stdout: int | None = None,
              stderr: int | None = None) -> Child:  # fmt: skip
        """Start a new Python process that runs a module, as ``python -m MODULE DESCRIPTOR KEY ARGUMENTS``.

        The module gets its end of the channel from :func:`end_of_command_line`. Both ends can send. The process leads a
        session of its own, and reads nothing from stdin. It outlives this process, unless it calls
        :func:`zeroin.sandbox.forking.end_with_parent`.

        Args:
            module: the module.
            arguments: its further arguments.
            accepted: the types of messages that the process may send.
            environment: its environment variables.
            descriptors: further descriptors that it inherits.
            stdout, stderr: the descriptors of its output; None: those of this process.

        Raises:
            OSError: the process can not be started.
        """
        ours, theirs = socket.socketpair()
        key = os.urandom(KEY_BYTES)
        # -P: a random.py in the current folder must not shadow the standard library's.
        command = [sys.executable, "-P", "-m", module, str(theirs.fileno()), key.hex(), *arguments]
        with theirs:
            try:
                started = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=stdout,
                                           stderr=stderr, pass_fds=[theirs.fileno(), *descriptors],
                                           start_new_session=True)  # fmt: skip
            except BaseException:
                ours.close()
                raise
        return cls(started.pid, _end_in_parent(ours.detach(), key, accepted), accepted, started)

    @property
    def descriptors(self) -> list[int]:
        """The descriptors to poll: the end of the process, and the channel if it is open."""
        return [self.ended] if self.line is None else [self.ended, self.line.descriptor]

    def read(self) -> list[bytes]:
        """Read from the channel once, and return the complete messages, still encoded.

        Call it when the channel's descriptor is readable; otherwise it waits. Empty if no message is complete, or if
        the channel is closed.

        The end of the data and invalid data close the channel. Messages are lost if one that is read with them is
        malformed.
        """
        if self.line is None:
            return []
        try:
            messages = self.line.read()
            for message in messages:
                decode(message, self._accepted)
            if not self.line.is_garbled:
                return messages
        except (EOFError, ConnectionResetError, Malformed):
            messages = []
        self._close_line()
        return messages

    def rest(self) -> list[bytes]:
        """Return all messages that have arrived and were not read yet, still encoded, without waiting."""
        messages: list[bytes] = []
        while self.line is not None and poll([self.line.descriptor], 0.0):
            messages += self.read()
        return messages

    def answer(self) -> Any:
        """Wait for one message, without a time limit, and return it decoded.

        None if the child ends without a message, if it sends invalid data, or if the channel is closed.
        """
        try:
            return None if self.line is None else self.line.receive()
        except (EOFError, ConnectionResetError, Garbled):
            return None

    def until_end(self, seconds: float = math.inf) -> tuple[int | None, list[Any]]:
        """Wait for the process to end, and kill it if that takes too long. Then release it, as :meth:`wait` does.

        Args:
            seconds: the time limit.

        Returns:
            The exit status, or minus the signal that ended the process; None if it exceeded its time. And its messages,
            decoded, without those that were read before.
        """
        deadline, messages, ended = time.monotonic() + seconds, list[bytes](), False
        while not ended and (left := deadline - time.monotonic()) > 0:
            ready = poll(self.descriptors, left)
            messages += self.read() if self.line is not None and self.line.descriptor in ready else []
            ended = self.ended in ready
        if not ended:
            forking.end(self.process)
        messages += self.rest()
        status = self.wait()
        return (status if ended else None), [decode(message, self._accepted) for message in messages]

    def wait(self) -> int:
        """Close the channel, wait for the process to end, and kill the rest of its process group.

        Call this once. Messages that have not been read are lost.

        Returns:
            The exit status, or minus the signal that ended the process; 0 if the system discarded the status.
        """
        self._lives = False
        self._close_line()
        os.close(self.ended)
        status = 0
        if self._started is not None:
            status = self._started.wait()
        else:
            with contextlib.suppress(ChildProcessError):  # reaped by Linux, as code has SIGCHLD ignored
                status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        forking.end_group(self.process)
        return status

    def end(self) -> None:
        """Kill the process and its process group, and wait for its end, unless it has been waited for.

        Messages that have not been read are lost.
        """
        if self._lives:
            forking.end(self.process)
            self.wait()

    def _close_line(self) -> None:
        if self.line is not None:
            os.close(self.line.descriptor)
            self.line = None


def end_in_child(descriptor: int, key: bytes) -> MessageStream:
    """Return the child's end of a channel: it trusts the parent's messages (pickled), and sends data (JSON)."""
    return MessageStream(descriptor, key, encode, pickle.loads)


def _end_in_parent(descriptor: int, key: bytes, accepted: tuple[type, ...]) -> MessageStream:
    """Return the parent's end of a channel: it sends pickles, and decodes only messages of the accepted types."""
    return MessageStream(descriptor, key, pickle.dumps, partial(decode, kinds=accepted))


def end_of_command_line() -> tuple[MessageStream, list[str]]:
    """Return the child's end of the channel, and the further arguments, in a process that :meth:`Child.start` began.

    Programs that this process starts do not inherit the channel.
    """
    descriptor, key, *arguments = sys.argv[1:]
    os.set_inheritable(int(descriptor), False)
    return end_in_child(int(descriptor), bytes.fromhex(key)), arguments
