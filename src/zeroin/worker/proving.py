"""The prover as a process: it has the subject loaded and never runs it. The search, which does run it, sends requests
and gets conclusions. The parent takes proofs from the prover only."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial

from ..config import Options
from ..generate.proof_requests import Conclusion, ProofRequest, Refute, Vouch
from ..limits import limit_memory
from ..solvers import work
from ..subject.subject import Subject
from .attending import Aide
from .line import Line
from .messages import OF_THE_PROVER, AideEnded, Proved

_GRACE = 1.0  # seconds beyond those of a request


@dataclass(frozen=True)
class Asked:
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
    return Aide(partial(_serve, subject, options), (Asked,), OF_THE_PROVER)


def _serve(subject: Subject, options: Options, task: Line, parent: Line) -> None:
    """Answer requests of a task, and tell proofs to the parent first."""
    from ..generate.prover import BranchProver

    limit_memory(2 * options.memory + (1 << 30))
    prover = BranchProver(subject, lambda outcome, proof: parent.send(Proved(outcome, proof)))
    while True:
        asked: Asked = task.receive()
        before = work.done()
        conclusion = prover.ask(asked.request)
        task.send(Answered(asked.number, conclusion, work.done() - before))


class RemoteProver:
    """The prover, seen from the search.

    Args:
        line: to it.
    """

    def __init__(self, line: Line) -> None:
        self._line, self._asked, self._careful = line, 0, False

    def ask(self, request: ProofRequest) -> Conclusion:
        """Answer a request, as :meth:`zeroin.generate.prover.BranchProver.ask` does. When its process ends, it is asked
        once more, and from then on asks solvers in processes of their own."""
        try:
            answer = self._answer(request)
            if answer is None and not self._careful:
                self._careful = True
                answer = self._answer(request)
        except (EOFError, OSError):
            return Conclusion(why="the process that proves has ended too often")
        return answer or Conclusion()

    def _answer(self, request: ProofRequest) -> Conclusion | None:
        """None if the prover's process ends; nothing is concluded if it does not answer in time."""
        if self._careful and not isinstance(request, Vouch):
            request = replace(request, careful=True)
        self._asked += 1
        self._line.send(Asked(self._asked, request))
        until = time.monotonic() + request.budget.seconds + _GRACE if isinstance(request, Refute) else None
        while True:
            answer: Answered | AideEnded | None = self._line.receive(
                None if until is None else max(0.0, until - time.monotonic())
            )
            if answer is None:
                return Conclusion()
            if isinstance(answer, AideEnded):
                return None
            if answer.number == self._asked:
                work.worked(answer.work)
                return answer.conclusion
