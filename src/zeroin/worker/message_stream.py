"""A line of messages from a process that may go mad. A key that it hardly writes by chance stands before each message,
and a checksum, so that what it writes besides is told from them; and nothing waits for the rest of half a message.

To the worker messages are pickled. From the worker they are data (:mod:`.wire`): the code under test runs there, and
may have written them.
"""

from __future__ import annotations

import os
import select
import struct
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any

_HEAD = struct.Struct("<8sQI")  # key, length, checksum
_LONGEST = 1 << 26  # bytes
KEY_BYTES = 8


class Garbled(Exception):
    """Something else than messages came."""


class MessageStream:
    """One end of a line.

    Args:
        descriptor: of a pipe or socket; it is not closed with this object.
        key: the same at both ends.
        encode: makes bytes of a message.
        decode: makes a message of bytes; it may raise anything.
    """

    def __init__(
        self, descriptor: int, key: bytes, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
    ) -> None:
        self.descriptor, self.key, self._encode, self._decode = descriptor, key, encode, decode
        self._coming = bytearray()
        self._come: deque[bytes] = deque()

    def send(self, message: object) -> None:
        """Send a message; it arrives even if this process dies right after."""
        self.forward(self._encode(message))

    def forward(self, message: bytes) -> None:
        """Send a message that is encoded already."""
        frame = memoryview(_HEAD.pack(self.key, len(message), zlib.crc32(message)) + message)
        while frame:
            frame = frame[os.write(self.descriptor, frame) :]

    def receive(self, seconds: float | None = None) -> Any:
        """The next message, or None when none comes in that time; without a time, wait.

        Raises:
            EOFError: nobody is there to send any more.
            Garbled: see there.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        ready = select.poll()
        ready.register(self.descriptor, select.POLLIN)
        while not self._come:
            if self.is_garbled:
                raise Garbled
            left = None if deadline is None else 1000.0 * max(0.0, deadline - time.monotonic())
            if not ready.poll(left):
                return None
            self._come.extend(self.read())
        message = self._come.popleft()
        try:
            return self._decode(message)
        except Exception as error:  # made by a process that is damaged, or hostile
            raise Garbled from error

    def read(self) -> list[bytes]:
        """The messages, still encoded, that have come whole; to be called when there is something to read.

        Raises:
            EOFError: see :meth:`receive`.
        """
        data = os.read(self.descriptor, 1 << 20)
        if not data:
            raise EOFError
        self._coming += data
        messages = []
        while len(self._coming) >= _HEAD.size and not self.is_garbled:
            _, length, checksum = _HEAD.unpack_from(self._coming)
            end = _HEAD.size + length
            if len(self._coming) < end:
                break
            message = bytes(self._coming[_HEAD.size : end])
            if zlib.crc32(message) != checksum:
                self._coming[:KEY_BYTES] = bytes(KEY_BYTES)  # not ours, although it looked so
                break
            messages.append(message)
            del self._coming[:end]
        return messages

    @property
    def is_garbled(self) -> bool:
        """Whether what has come after the last message is none, and no part of one."""
        head = bytes(self._coming[: _HEAD.size])
        if not self.key.startswith(head[:KEY_BYTES]):
            return True
        return len(head) == _HEAD.size and _HEAD.unpack(head)[1] > _LONGEST
