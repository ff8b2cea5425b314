"""A channel for messages from a process that the code under test may have damaged.

Each message is preceded by a random key, its length and a checksum. So stray writes of the code under test are told
apart from messages. A reader never blocks on an incomplete message.

Messages to a child are pickled. Messages from it are data (:mod:`zeroin.process.serialisation`), because the code
under test may have written them.
"""

from __future__ import annotations

import math
import os
import struct
import time
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any

from .descriptors import poll

_HEAD = struct.Struct("<8sQI")  # key, length, checksum
_LONGEST = 1 << 26  # bytes of one message
KEY_BYTES = 8


class Garbled(Exception):
    """Invalid data has arrived."""


class MessageStream:
    """One end of a channel.

    Args:
        descriptor: a pipe or socket; this object does not close it.
        key: eight bytes, the same at both ends.
        encode: converts a message to bytes.
        decode: converts bytes to a message; it may raise anything.
    """

    def __init__(
        self, descriptor: int, key: bytes, encode: Callable[[object], bytes], decode: Callable[[bytes], object]
    ) -> None:
        self.descriptor, self.key, self._encode, self._decode = descriptor, key, encode, decode
        self._coming = bytearray()
        self._come: deque[bytes] = deque()

    def send(self, message: object) -> None:
        """Send a message. It arrives even if this process dies right afterwards.

        It waits while the channel is full. The other end refuses messages of more than 64 MiB.

        Raises:
            OSError: the other end is closed.
            Exception: whatever ``encode`` raises.
        """
        self.forward(self._encode(message))

    def forward(self, message: bytes) -> None:
        """Send an encoded message; see :meth:`send`."""
        frame = memoryview(_HEAD.pack(self.key, len(message), zlib.crc32(message)) + message)
        while frame:
            frame = frame[os.write(self.descriptor, frame) :]

    def receive(self, seconds: float | None = None) -> Any:
        """Return the next message.

        Args:
            seconds: the time limit; None: no limit.

        Returns:
            The message; None if none arrives in time.

        Raises:
            EOFError, ConnectionResetError: the other end is closed.
            Garbled: invalid data has arrived, or the message can not be decoded.
        """
        deadline = time.monotonic() + (math.inf if seconds is None else seconds)
        while not self._come:
            if self.is_garbled:
                raise Garbled
            if not poll([self.descriptor], deadline - time.monotonic()):
                return None
            self._come.extend(self.read())
        message = self._come.popleft()
        try:
            return self._decode(message)
        except Exception as error:  # the sender is damaged or hostile
            raise Garbled from error

    def read(self) -> list[bytes]:
        """Read once, and return the messages that are complete then, still encoded; empty if none is.

        Call it when the descriptor is readable; otherwise it waits. It does not return messages that :meth:`receive`
        has read ahead.

        Raises:
            EOFError, ConnectionResetError: the other end is closed.
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
                self._coming[:KEY_BYTES] = bytes(KEY_BYTES)  # a stray write that looked like a message: mark as garbled
                break
            messages.append(message)
            del self._coming[:end]
        return messages

    @property
    def is_garbled(self) -> bool:
        """Whether the data after the last message can not be the beginning of a message. No message follows then."""
        head = bytes(self._coming[: _HEAD.size])
        if not self.key.startswith(head[:KEY_BYTES]):
            return True
        return len(head) == _HEAD.size and _HEAD.unpack(head)[1] > _LONGEST
