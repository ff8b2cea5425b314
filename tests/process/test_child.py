"""Child processes: their messages, their ends, and what they may not send."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from zeroin.emit.trial_order import Entry, Order
from zeroin.process.child import Child
from zeroin.process.descriptors import poll
from zeroin.process.message_stream import MessageStream

Body = Callable[[MessageStream], None]


@dataclass(frozen=True)
class Foreign:
    """Of no class of zeroin's, so it can not be sent."""


def says(*names: str) -> Body:
    def body(line: MessageStream) -> None:
        for name in names:
            line.send(Entry(name, None))

    return body


def fails(line: MessageStream) -> None:
    line.send(Entry("before", ""))
    raise ValueError("the child prints nothing of it")


def dies(line: MessageStream) -> None:
    line.send(Entry("before", ""))
    os.kill(os.getpid(), signal.SIGKILL)


def stays(line: MessageStream) -> None:
    line.send(Entry("before", None))
    time.sleep(1000)


def floods(line: MessageStream) -> None:
    for number in range(5000):  # far more than a pipe holds
        line.send(Entry(f"{number}{'x' * 100}", None))


@pytest.mark.parametrize(
    ("body", "status", "names"),
    [
        (says("a", "b"), 0, ["a", "b"]),
        (says(), 0, []),
        (fails, 1, ["before"]),
        (dies, -signal.SIGKILL, ["before"]),
        (floods, 0, [f"{number}{'x' * 100}" for number in range(5000)]),
    ],
    ids=["messages", "none", "an exception", "a signal", "many messages"],
)
def test_the_end_and_all_messages_arrive(body: Body, status: int, names: list[str]) -> None:
    ended, messages = Child.fork(body, (Entry,)).until_end()
    assert (ended, [message.test for message in messages]) == (status, names)


def test_a_child_that_does_not_end_is_ended() -> None:
    child = Child.fork(stays, (Entry,))
    process = child.process
    assert child.until_end(0.2) == (None, [Entry("before", None)])
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    child.end()  # does nothing more: another process may have the id by now


@pytest.mark.parametrize(
    "body",
    [
        lambda line: line.send(Order("os:getcwd", (), Path(), frozenset(), (), False)),
        lambda line: os.write(line.descriptor, b"print"),
        lambda line: line.forward(b'["r", "os:system", "true"]'),
        lambda line: line.send(Foreign()),
        lambda line: None,
    ],
    ids=["another type", "a stray write", "a call", "what can not be sent", "nothing"],
)
def test_what_is_not_accepted_is_no_answer(body: Body) -> None:
    child = Child.fork(body, (Entry,))
    assert child.answer() is None
    child.end()
    assert Child.fork(body, (Entry,)).until_end()[1] == []


def test_an_answer_is_read_while_the_child_lives() -> None:
    child = Child.fork(stays, (Entry,))
    assert child.answer() == Entry("before", None)
    child.end()


def test_a_child_closes_what_it_is_told_to() -> None:
    reading, writing = os.pipe()

    def body(line: MessageStream) -> None:
        os.write(writing, b"x")

    assert Child.fork(body, (Entry,), closes=[writing]).until_end()[0] == 1
    assert Child.fork(body, (Entry,)).until_end()[0] == 0
    os.close(reading)
    os.close(writing)


SERVER = """
import subprocess, sys
from zeroin.emit.trial_order import Entry
from zeroin.process.child import end_of_command_line
line, arguments = end_of_command_line()
order = line.receive()
line.send(Entry(order.call, " ".join(arguments)))
again = subprocess.run([sys.executable, "-c", f"import os; os.write({line.descriptor}, b'x')"], close_fds=False)
sys.exit(3 if again.returncode else 4)
"""


def test_a_new_process_gets_orders_and_keeps_the_channel_to_itself(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "own_server.py").write_text(SERVER)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    child = Child.start("own_server", ["a", "b"], (Entry,), environment)
    assert child.line is not None
    child.line.send(Order("the order", (), tmp_path, frozenset(), (), False))
    assert child.until_end(60.0) == (3, [Entry("the order", "a b")])
    assert "Bad file descriptor" in capfd.readouterr().err


def test_waiting_takes_any_limit() -> None:
    reading, writing = os.pipe()
    assert poll([reading], 0.0) == []
    assert poll([reading], -1.0) == []
    os.write(writing, b"x")
    for seconds in (0.0, 1e9, 1e300, float("inf")):
        assert poll([reading], seconds) == [reading]
    os.close(writing)
    assert poll([], 1.0, ending=reading) == [reading]
    os.close(reading)
