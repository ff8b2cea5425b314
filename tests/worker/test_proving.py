"""The prover, as the search sees it: in a process of its own, which may die, be late, or be gone."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

from zeroin.config import Budget
from zeroin.generate.proof_requests import Conclusion, Effort, Refute, Vouch
from zeroin.solvers import work
from zeroin.solvers.base import Proof, Prover
from zeroin.worker import proving
from zeroin.worker.line import Line
from zeroin.worker.messages import AideEnded
from zeroin.worker.proving import ANSWERS, Answered, Asked, RemoteProver
from zeroin.worker.wire import decode, encode

REQUEST = Refute(4, Effort.SOLVERS, Budget(seconds=0.2, work=0.05), 0.2)
FOUND = Conclusion(words=(1, -2), is_possible=True)
KEY = b"12345678"


class Magic(Prover):
    name = "magic"


@contextmanager
def answering(answer: Callable[[Asked], list[Any]]) -> Iterator[tuple[RemoteProver, list[Asked]]]:
    """A prover that sends these messages for what it is asked; and what that was."""
    ours, theirs = socket.socketpair()
    asked = list[Asked]()

    def serve() -> None:
        line = Line(theirs.fileno(), KEY, encode, partial(decode, kinds=(Asked,)))
        with theirs:
            while True:
                try:
                    asked.append(line.receive())
                except EOFError:
                    return
                messages = answer(asked[-1])
                if messages == ["close"]:
                    return
                for message in messages:
                    line.send(message)

    thread = threading.Thread(target=serve)
    thread.start()
    with ours:
        yield RemoteProver(Line(ours.fileno(), KEY, encode, partial(decode, kinds=ANSWERS))), asked
    thread.join()


def test_its_work_counts_here() -> None:
    before = work.done()
    with answering(lambda asked: [Answered(asked.number, FOUND, 0.75)]) as (prover, asked):
        assert prover.ask(REQUEST) == FOUND
    assert work.done() - before == pytest.approx(0.75)
    assert [one.request for one in asked] == [REQUEST]


def test_one_that_dies_is_asked_again_and_is_careful_from_then_on() -> None:
    def answer(asked: Asked) -> list[Any]:
        return [AideEnded()] if asked.number == 1 else [Answered(asked.number, FOUND, 0.0)]

    with answering(answer) as (prover, asked):
        assert prover.ask(REQUEST) == FOUND
        assert prover.ask(REQUEST) == FOUND
    careful = [one.request.careful for one in asked if isinstance(one.request, Refute)]
    assert careful == [False, True, True]


def test_where_it_dies_again_nothing_is_concluded() -> None:
    with answering(lambda asked: [AideEnded()]) as (prover, asked):
        assert prover.ask(REQUEST) == Conclusion()
    assert len(asked) == 2


def test_what_it_says_to_an_earlier_request_is_ignored() -> None:
    def answer(asked: Asked) -> list[Any]:
        late = Answered(asked.number - 1, Conclusion(why="late"), 0.0)
        return [] if asked.number == 1 else [late, Answered(asked.number, FOUND, 0.0)]

    with pytest.MonkeyPatch.context() as patch, answering(answer) as (prover, _):
        patch.setattr(proving, "_GRACE", 0.0)
        assert prover.ask(REQUEST) == Conclusion(), "it does not answer in time"
        assert prover.ask(REQUEST) == FOUND


def test_one_that_is_gone_proves_nothing() -> None:
    with answering(lambda asked: ["close"]) as (prover, _):
        for _ in range(2):
            assert "ended too often" in prover.ask(REQUEST).why


def test_what_runs_show_is_handed_on() -> None:
    vouch = Vouch((1, 3), Proof(Magic(), "by magic"), True)
    with answering(lambda asked: [Answered(asked.number, Conclusion(proof=vouch.proof), 0.0)]) as (prover, asked):
        assert prover.ask(vouch) == Conclusion(proof=vouch.proof)
    assert asked[0].request == vouch
