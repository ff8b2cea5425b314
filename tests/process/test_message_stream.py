"""Messages on a line arrive whole and in order, whatever else is written to it."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroin.process import message_stream as module
from zeroin.process.message_stream import KEY_BYTES, Garbled, MessageStream

KEY = bytes(range(1, KEY_BYTES + 1))


def line(descriptor: int) -> MessageStream:
    return MessageStream(descriptor, KEY, pickle.dumps, pickle.loads)


class Pipe:
    """Both ends of a line."""

    def __init__(self) -> None:
        reading, self.writing = os.pipe()
        self.there, self.here = line(self.writing), line(reading)

    def close(self) -> None:
        os.close(self.here.descriptor)
        os.close(self.writing)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


def frame(message: object) -> bytes:
    reading, writing = os.pipe()
    line(writing).send(message)
    data = os.read(reading, 1 << 16)
    os.close(reading)
    os.close(writing)
    return data


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_messages_arrive_whole_and_in_order(messages: list[bytes]) -> None:
    pipe = Pipe()
    for message in messages:
        pipe.there.send(message)
    assert [pipe.here.receive(1.0) for _ in messages] == messages
    assert pipe.here.receive(0.0) is None
    pipe.close()


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6))
def test_nothing_is_lost_between_pieces(cuts: list[int]) -> None:
    pipe, data = Pipe(), frame("first") + frame("second")
    for cut in cuts:
        os.write(pipe.writing, data[:cut])
        data = data[cut:]
        assert pipe.here.receive(0.0) in (None, "first", "second")
    os.write(pipe.writing, data)
    rest = [pipe.here.receive(0.0), pipe.here.receive(0.0)]
    assert rest in (["first", "second"], ["second", None], [None, None])
    pipe.close()


def test_more_than_a_pipe_holds(pipe: Pipe) -> None:
    message = os.urandom(3_000_000)
    sender = threading.Thread(target=pipe.there.send, args=(message,))
    sender.start()
    assert pipe.here.receive(20.0) == message
    sender.join()


@given(st.binary(min_size=1, max_size=100))
def test_what_is_no_message_is_told_after_those_before(noise: bytes) -> None:
    pipe = Pipe()
    pipe.there.send("before")
    os.write(pipe.writing, noise)
    assert pipe.here.receive(0.0) == "before"
    if KEY.startswith(noise[:KEY_BYTES]):  # what has come could still become one
        assert pipe.here.receive(0.0) is None
    else:
        with pytest.raises(Garbled):
            pipe.here.receive(0.0)
        with pytest.raises(Garbled):
            pipe.here.receive(0.0)
    pipe.close()


@given(st.integers(0, 10**6), st.integers(1, 255))
def test_a_damaged_message_is_none(at: int, change: int) -> None:
    data = bytearray(frame(["a message", 1.5]))
    data[at % len(data)] ^= change
    pipe = Pipe()
    os.write(pipe.writing, data)
    os.close(pipe.writing)
    with pytest.raises((Garbled, EOFError)):  # at the end where the damage makes it longer than it is
        pipe.here.receive()
    os.close(pipe.here.descriptor)


def test_half_a_message_keeps_nobody_waiting(pipe: Pipe) -> None:
    os.write(pipe.writing, frame("never")[:-1])
    started = time.monotonic()
    assert pipe.here.receive(0.05) is None
    assert time.monotonic() - started < 5.0


def test_an_absurd_length_is_none(pipe: Pipe) -> None:
    os.write(pipe.writing, module._HEAD.pack(KEY, 1 << 60, 0))
    with pytest.raises(Garbled):
        pipe.here.receive(0.0)


def test_what_can_not_be_read_is_none(pipe: Pipe) -> None:
    pipe.there.forward(pickle.dumps("text")[:-2])
    with pytest.raises(Garbled):
        pipe.here.receive(0.0)


def test_the_end_is_told_after_what_was_sent(pipe: Pipe) -> None:
    reading, writing = os.pipe()
    line(writing).send("last")
    os.close(writing)
    here = line(reading)
    assert here.receive() == "last"
    with pytest.raises(EOFError):
        here.receive()
    os.close(reading)
