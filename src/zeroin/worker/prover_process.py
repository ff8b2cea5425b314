"""The prover as a process: it has the subject loaded and never runs it. The search, which does run it, sends requests
and gets conclusions. The parent takes proofs from the prover only."""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from ..config import Budget, Options
from ..generate.proof_requests import LEAST, Conclusion, Finish, Prepare, ProofRequest, Refute
from ..limits import limit_memory
from ..solvers import work_clock
from ..solvers.base import Answer, Proof, Unknown, Unsat
from ..subject.subject import Subject
from .message_stream import MessageStream
from .messages import OF_THE_PROVER, AideEnded, Proved, Withdrawn
from .task_supervisor import Aide

if TYPE_CHECKING:
    from ..generate.prover import Unconfirmed
    from ..solvers.solver_processes import Racer

_GRACE = 1.0  # seconds beyond those of a request


@dataclass(frozen=True)
class ProofOrder:
    """A request, with a number of its own."""

    number: int
    request: ProofRequest


@dataclass(frozen=True)
class Answered:
    """What the prover says to the request of this number, and the work that its solvers did."""

    number: int
    conclusion: Conclusion
    work: float


ANSWERS = (Answered, AideEnded)


def aide_of(subject: Subject, options: Options) -> Aide:
    """The prover of a subject, as a process."""

    def serve(task: MessageStream, parent: MessageStream) -> None:
        limit_memory(2 * options.memory + (1 << 30))
        Server(subject, task, parent).serve()

    return Aide(serve, (ProofOrder,), OF_THE_PROVER)


class Server:
    """The prover at work. While it waits for a request, another solver confirms the proofs that it has made.

    Args:
        subject: it is read, and never run.
        task: where requests come from.
        parent: who is told proofs.
    """

    def __init__(self, subject: Subject, task: MessageStream, parent: MessageStream) -> None:
        from ..generate.prover import BranchProver

        self._task, self._parent = task, parent
        self._prover = BranchProver(subject, self._tell, confirms=False)
        self._confirming: tuple[Unconfirmed, Racer] | None = None

    def _tell(self, outcome: int, proof: Proof) -> None:
        self._parent.send(Proved(outcome, proof))

    def serve(self) -> None:
        """Answer requests.

        Raises:
            EOFError: there will be no more.
        """
        try:
            while True:
                self._serve_one()
        finally:
            if self._confirming is not None:
                self._confirming[1].stop()

    def _serve_one(self) -> None:
        """Answer the next request, or have a proof confirmed until there is one."""
        asked: ProofOrder | None = self._task.receive(None if not self._confirms_more() else 0.0)
        if asked is None:
            self._wait(math.inf, self._task.descriptor)
            return
        before = work_clock.done()
        if isinstance(asked.request, Finish):
            self._finish(time.monotonic() + asked.request.seconds)
        conclusion = self._prover.ask(asked.request)
        self._task.send(Answered(asked.number, conclusion, work_clock.done() - before))

    def _confirms_more(self) -> bool:
        """Whether some proof is being confirmed, or can be; has the next one confirmed."""
        while self._confirming is None and self._prover.unconfirmed:
            self._start(self._prover.unconfirmed.pop(0))
        return self._confirming is not None

    def _start(self, one: Unconfirmed) -> None:
        from ..solvers.confirm import ENOUGH, decides
        from ..solvers.smt import installed
        from ..solvers.solver_processes import Race, Racer

        others = [prover for prover in installed() if prover.name != one.proof.solver]
        seconds = one.until - time.monotonic()
        if others and seconds > LEAST:
            racer = Racer(Race(*others, decides=decides), one.query, Budget(seconds=seconds, work=ENOUGH))
            self._confirming = one, racer

    def _wait(self, seconds: float, *others: int) -> None:
        """Until a proof is confirmed, or not, or there is something to read from others."""
        assert self._confirming is not None
        one, racer = self._confirming
        ready = wait([racer.connection, *others], None if math.isinf(seconds) else max(0.0, seconds))
        if racer.connection in ready:
            self._confirming = None
            answer, _ = racer.answer()
            racer.stop()
            self._judge(one, answer)

    def _judge(self, one: Unconfirmed, answer: Answer) -> None:
        from ..solvers.confirm import judged

        told = judged(one.proof, answer)
        if isinstance(told, Unsat):
            self._tell(one.outcome, told.proof)
        elif isinstance(told, Unknown):
            self._parent.send(Withdrawn(one.outcome, told.reason))

    def _finish(self, until: float) -> None:
        while self._confirms_more() and (left := until - time.monotonic()) > 0:
            self._wait(left)


class RemoteProver:
    """The prover, seen from the search.

    Args:
        line: to it.
    """

    def __init__(self, line: MessageStream) -> None:
        self._line, self._asked, self._careful = line, 0, False
        self._begun = 0  # the number of the request to prepare that nobody has waited for

    def begin(self, request: Prepare) -> None:
        """Have it prepare and read, without waiting for it."""
        with contextlib.suppress(OSError):
            self._begun = self._send(replace(request, outcome=None))
            self._send(request)

    def ask(self, request: ProofRequest) -> Conclusion:
        """Answer a request, as :meth:`zeroin.generate.prover.BranchProver.ask` does. When its process ends, it is asked
        once more, and from then on asks solvers in processes of their own."""
        try:
            begun, self._begun = self._begun, 0
            answer = self._answer(begun if isinstance(request, Prepare) and begun else self._send(request), request)
            if answer is None and not self._careful:
                self._careful = True
                answer = self._answer(self._send(request), request)
        except (EOFError, OSError):
            return Conclusion(why="the process that proves has ended too often")
        return answer or Conclusion()

    def _send(self, request: ProofRequest) -> int:
        """The number that the request gets."""
        if self._careful and isinstance(request, Prepare | Refute):
            request = replace(request, careful=True)
        self._asked += 1
        self._line.send(ProofOrder(self._asked, request))
        return self._asked

    def _answer(self, number: int, request: ProofRequest) -> Conclusion | None:
        """None if the prover's process ends; nothing is concluded if it does not answer in time."""
        seconds = _longest(request)
        until = None if seconds is None else time.monotonic() + seconds + _GRACE
        while True:
            left = None if until is None else max(0.0, until - time.monotonic())
            answer: Answered | AideEnded | None = self._line.receive(left)
            if answer is None:
                return Conclusion()
            if isinstance(answer, AideEnded):
                return None
            if answer.number == number:
                work_clock.worked(answer.work)
                return answer.conclusion


def _longest(request: ProofRequest) -> float | None:
    """Seconds that a request may take; None: as long as it likes."""
    if isinstance(request, Refute):
        return request.within
    return request.seconds if isinstance(request, Finish) else None
