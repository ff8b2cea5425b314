"""The prover, as the search sees it: in a process of its own, which may die, be late, or be gone."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.generate.proof_requests import Conclusion, Effort, Finish, Prepare, ProofRequest, Refute, Vouch
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.process.message_stream import MessageStream
from zeroin.process.serialisation import decode, encode
from zeroin.solvers import smt, work_clock
from zeroin.solvers.base import Answer, CompleteSolver, Proof, Prover, Query, Unknown, Unsat
from zeroin.subject.subject import Subject
from zeroin.worker import prover_process
from zeroin.worker.messages import OF_THE_PROVER, AideEnded, Proved, Withdrawn
from zeroin.worker.prover_process import ANSWERS, Answered, ProofOrder, RemoteProver, Server

REQUEST = Refute(4, Effort.SOLVERS, Budget(seconds=0.2, work=0.05), 0.2, 0.2)
FOUND = Conclusion(words=(1, -2), is_possible=True)
KEY = b"12345678"


class Magic(Prover):
    name = "magic"


@contextmanager
def answering(answer: Callable[[ProofOrder], list[Any]]) -> Iterator[tuple[RemoteProver, list[ProofOrder]]]:
    """A prover that sends these messages for what it is asked; and what that was."""
    ours, theirs = socket.socketpair()
    asked = list[ProofOrder]()

    def serve() -> None:
        line = MessageStream(theirs.fileno(), KEY, encode, partial(decode, kinds=(ProofOrder,)))
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
        yield RemoteProver(MessageStream(ours.fileno(), KEY, encode, partial(decode, kinds=ANSWERS))), asked
    thread.join()


def test_its_work_counts_here() -> None:
    before = work_clock.done()
    with answering(lambda asked: [Answered(asked.number, FOUND, 0.75)]) as (prover, asked):
        assert prover.ask(REQUEST) == FOUND
    assert work_clock.done() - before == pytest.approx(0.75)
    assert [one.request for one in asked] == [REQUEST]


def test_one_that_dies_is_asked_again_and_is_careful_from_then_on() -> None:
    def answer(asked: ProofOrder) -> list[Any]:
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
    def answer(asked: ProofOrder) -> list[Any]:
        late = Answered(asked.number - 1, Conclusion(why="late"), 0.0)
        return [] if asked.number == 1 else [late, Answered(asked.number, FOUND, 0.0)]

    with pytest.MonkeyPatch.context() as patch, answering(answer) as (prover, _):
        patch.setattr(prover_process, "_GRACE", 0.0)
        assert prover.ask(REQUEST) == Conclusion(), "it does not answer in time"
        assert prover.ask(REQUEST) == FOUND


def test_one_that_is_gone_proves_nothing() -> None:
    with answering(lambda asked: ["close"]) as (prover, _):
        for _ in range(2):
            assert "died twice" in prover.ask(REQUEST).why


def test_what_is_begun_is_waited_for_when_it_is_needed() -> None:
    prepare = Prepare(Effort.SOLVERS, outcome=3)
    with answering(lambda asked: [Answered(asked.number, Conclusion(), 0.0)]) as (prover, asked):
        prover.begin(prepare)
        assert prover.ask(Prepare(Effort.SOLVERS)) == Conclusion()
        assert prover.ask(Prepare(Effort.SOLVERS)) == Conclusion()
    assert [one.request for one in asked] == [Prepare(Effort.SOLVERS), prepare, Prepare(Effort.SOLVERS)]


def test_what_was_begun_and_has_died_is_asked_for_again() -> None:
    def answer(asked: ProofOrder) -> list[Any]:
        return [AideEnded()] if asked.number == 1 else [Answered(asked.number, FOUND, 0.0)]

    with answering(answer) as (prover, asked):
        prover.begin(Prepare(Effort.SOLVERS))
        assert prover.ask(Prepare(Effort.SOLVERS)) == FOUND
    assert isinstance(asked[-1].request, Prepare)
    assert asked[-1].request.careful


# ---- the prover's process ----

NEVER = "int f(int x, int y) { if (x * 2u + 4u * y == 7u) return 1; return 0; }"


class Answers(CompleteSolver):
    """A solver that says the same to everything; without an answer it does not come to an end."""

    def __init__(self, answer: Answer | None) -> None:
        self.name, self._answer = "second", answer

    def solve(self, query: Query, budget: Budget) -> Answer:
        if self._answer is None:
            time.sleep(60.0)
        return self._answer or Unknown("it gave up")


def children() -> set[str]:
    """The ids of the processes that this one has started and not waited for."""
    return {child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()}


def told(subject: Subject, answer: Answer | None, *requests: ProofRequest) -> list[Any]:
    """What the parent is told during these requests, where this is what other solvers answer."""
    before = children()
    (task, theirs), (parent, heard) = socket.socketpair(), socket.socketpair()
    with task, theirs, parent, heard, pytest.MonkeyPatch.context() as patch:
        own = partial(MessageStream, theirs.fileno(), KEY, encode, partial(decode, kinds=(ProofOrder,)))
        server = Server(subject, own(), MessageStream(parent.fileno(), KEY, encode, partial(decode, kinds=())))
        server._prover.ask(Prepare(Effort.SOLVERS))  # with the solvers that there are
        patch.setattr(smt, "installed", lambda: [Answers(answer)])

        def ask() -> None:
            prover = RemoteProver(MessageStream(task.fileno(), KEY, encode, partial(decode, kinds=ANSWERS)))
            for request in requests:
                prover.ask(request)
            task.shutdown(socket.SHUT_RDWR)

        asking = threading.Thread(target=ask)
        asking.start()
        with pytest.raises(EOFError):
            server.serve()
        asking.join()
        assert children() <= before, "no process is left behind"
        line = MessageStream(heard.fileno(), KEY, encode, partial(decode, kinds=OF_THE_PROVER))
        messages = []
        while (message := line.receive(0.0)) is not None:
            messages.append(message)
        return messages


ENOUGH = Refute(0, Effort.SOLVERS, Budget(seconds=20.0, work=2.0), 20.0, 2.0)


def test_a_proof_is_told_at_once_and_again_when_another_solver_agrees(programs: Programs) -> None:
    agrees = Unsat(Proof(Magic(), "by heart"))
    first, second = told(programs.load(NEVER), agrees, ENOUGH, Finish(20.0))
    assert (first.outcome, first.proof.confirmed_by) == (0, ())
    assert first.proof.unconfirmed == "no time was left to ask another solver"
    assert second.proof.confirmed_by == (agrees.proof,)
    assert (second.outcome, second.proof.unconfirmed) == (0, None)
    assert second.proof.assumptions == first.proof.assumptions


def test_why_no_solver_agrees_is_told(programs: Programs) -> None:
    _, second = told(programs.load(NEVER), Unknown("it gave up"), ENOUGH, Finish(20.0))
    assert second.proof.unconfirmed == "it gave up"


def test_a_proof_that_another_solver_contradicts_is_withdrawn(programs: Programs) -> None:
    first, second = told(programs.load(NEVER), Unknown("it has one", claims_model=True), ENOUGH, Finish(20.0))
    assert isinstance(first, Proved)
    assert isinstance(second, Withdrawn)
    assert second.outcome == 0
    assert "one of them is wrong" in second.why


def test_without_time_a_proof_stays_as_it_is(programs: Programs) -> None:
    (only,) = told(programs.load(NEVER), None, ENOUGH, Finish(0.0))
    assert only.proof.unconfirmed == "no time was left to ask another solver"


def test_what_refutes_a_guess_is_told_to_nobody(tmp_path: Path) -> None:
    (tmp_path / "guessed.py").write_text("def f(x):\n    if x * x == -1:\n        return 1\n    return 0\n")
    subject = PythonSubject(f"{tmp_path}/guessed.py", "f")
    assert subject.guesses
    assert told(subject, None, ENOUGH, Finish(20.0)) == []


def test_what_runs_show_is_handed_on() -> None:
    vouch = Vouch((1, 3), Proof(Magic(), "by magic"), True)
    with answering(lambda asked: [Answered(asked.number, Conclusion(proof=vouch.proof), 0.0)]) as (prover, asked):
        assert prover.ask(vouch) == Conclusion(proof=vouch.proof)
    assert asked[0].request == vouch
