"""The prover as a process of its own, which has loaded the subject and never runs it.

The search, which does run the subject, sends requests and receives conclusions. The parent accepts proofs only from the
prover, whose memory the subject can not have damaged.
"""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..config import Budget, SandboxOptions
from ..generate.proof_requests import LEAST, Conclusion, Finish, Prepare, ProofRequest, Refute
from ..limits import limit_memory
from ..process.descriptors import poll
from ..process.message_stream import Garbled, MessageStream
from ..solvers import work_clock
from ..solvers.base import Answer, Proof, Unknown, Unsat
from ..subject.subject import Subject
from .messages import OF_THE_PROVER, AideEnded, Proved, Withdrawn
from .task_supervisor import Aide

if TYPE_CHECKING:
    from ..generate.prover import Unconfirmed
    from ..solvers.solver_processes import Racer

_GRACE = 1.0  # seconds to wait beyond the time limit of a request


@dataclass(frozen=True)
class ProofOrder:
    """A request with its number, which is unique for the search process and counts from 1."""

    number: int
    request: ProofRequest


@dataclass(frozen=True)
class Answered:
    """The prover's answer to a request.

    Attributes:
        number: the number of the request.
        conclusion: the answer.
        work: the work of its solvers, in seconds of the work clock (:mod:`zeroin.solvers.work_clock`).
    """

    number: int
    conclusion: Conclusion
    work: float


ANSWERS = (Answered, AideEnded)


def aide_of(subject: Subject, options: SandboxOptions) -> Aide:
    """Return the prover of a subject as an aide, which the job starts for its search task."""

    def serve(task: MessageStream, parent: MessageStream) -> None:
        limit_memory(2 * options.memory + (1 << 30))
        Server(subject, task, parent).serve()

    return Aide(serve, (ProofOrder,), OF_THE_PROVER)


class Server:
    """The prover's main loop. While it waits for a request, a second solver confirms its proofs.

    Args:
        subject: the subject, which is analysed and never run.
        task: the channel to the search.
        parent: the channel to the parent, for proofs.
    """

    def __init__(self, subject: Subject, task: MessageStream, parent: MessageStream) -> None:
        from ..generate.prover import BranchProver

        self._task, self._parent = task, parent
        self._prover = BranchProver(subject, self._tell, confirms=False)
        self._confirming: tuple[Unconfirmed, Racer] | None = None

    def _tell(self, outcome: int, proof: Proof) -> None:
        self._parent.send(Proved(outcome, proof))

    def serve(self) -> None:
        """Answer requests until the search ends.

        Raises:
            EOFError: the search has closed its channel.
        """
        try:
            while True:
                self._serve_one()
        finally:
            if self._confirming is not None:
                self._confirming[1].stop()

    def _serve_one(self) -> None:
        """Answer the next request, or let a solver confirm a proof until a request arrives."""
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
        """Return whether a proof is being confirmed; start with the next proof if none is."""
        while self._confirming is None and self._prover.unconfirmed:
            self._start(self._prover.unconfirmed.pop(0))
        return self._confirming is not None

    def _start(self, one: Unconfirmed) -> None:
        """Start the other installed solvers on a proof's query, if there are any and time is left; else do nothing."""
        from ..solvers.confirm import ENOUGH, decides
        from ..solvers.smt import installed
        from ..solvers.solver_processes import Race, Racer

        others = [prover for prover in installed() if prover.name != one.proof.solver]
        seconds = one.until - time.monotonic()
        if others and seconds > LEAST:
            racer = Racer(Race(*others, decides=decides), one.query, Budget(seconds=seconds, work=ENOUGH))
            self._confirming = one, racer

    def _wait(self, seconds: float, *others: int) -> None:
        """Wait until the confirmation ends, a further descriptor is readable, or the time is over.

        A confirmation must be running. If it ends, its result is sent to the parent.

        Args:
            seconds: the time limit.
            others: the further descriptors.
        """
        assert self._confirming is not None
        one, racer = self._confirming
        if racer.descriptor in poll([racer.descriptor, *others], seconds):
            self._confirming = None
            answer = racer.answer().answer
            racer.stop()
            self._judge(one, answer)

    def _judge(self, one: Unconfirmed, answer: Answer) -> None:
        """Send a proof to the parent again, with its confirmation or the reason for none; withdraw it if it is
        contradicted."""
        from ..solvers.confirm import judged

        told = judged(one.proof, answer)
        if isinstance(told, Unsat):
            self._tell(one.outcome, told.proof)
        elif isinstance(told, Unknown):
            self._parent.send(Withdrawn(one.outcome, told.reason))

    def _finish(self, until: float) -> None:
        """Confirm the remaining proofs until a point in time, by ``time.monotonic``."""
        while self._confirms_more() and (left := until - time.monotonic()) > 0:
            self._wait(left)


class RemoteProver:
    """The search's side of the prover process.

    Args:
        line: the channel to it.
    """

    def __init__(self, line: MessageStream) -> None:
        self._line, self._asked, self._careful = line, 0, False
        self._begun = 0  # number of the request to prepare whose answer is still open; 0: none

    def begin(self, request: Prepare) -> None:
        """Let the prover load solvers and read code, without waiting for it. A broken channel is ignored.

        If the next request to :meth:`ask` is a :class:`Prepare`, that call only waits until the solvers are loaded.
        """
        with contextlib.suppress(OSError):
            self._begun = self._send(replace(request, outcome=None))
            self._send(request)

    def ask(self, request: ProofRequest) -> Conclusion:
        """Answer a request as :meth:`zeroin.generate.prover.BranchProver.ask` does.

        If the process ends for the first time, the request is repeated, and from then on solvers run in processes of
        their own. The conclusion is empty if there is no answer in time, or if the process ends again. If the channel
        is broken, its ``why`` says so.
        """
        try:
            begun, self._begun = self._begun, 0
            answer = self._answer(begun if isinstance(request, Prepare) and begun else self._send(request), request)
            if answer is None and not self._careful:
                self._careful = True
                answer = self._answer(self._send(request), request)
        except (EOFError, OSError, Garbled):
            return Conclusion(why="the prover's process died twice")
        return answer or Conclusion()

    def _send(self, request: ProofRequest) -> int:
        """Send a request and return its number. After the prover has died once, its solvers get processes of their own.

        Raises:
            OSError: the channel is broken.
        """
        if self._careful and isinstance(request, Prepare | Refute):
            request = replace(request, careful=True)
        self._asked += 1
        self._line.send(ProofOrder(self._asked, request))
        return self._asked

    def _answer(self, number: int, request: ProofRequest) -> Conclusion | None:
        """Return the conclusion for a request: an empty one after the time limit, None if the prover has ended."""
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
    """Return the seconds that a request may take; None: no limit."""
    if isinstance(request, Refute):
        return request.within
    return request.seconds if isinstance(request, Finish) else None
