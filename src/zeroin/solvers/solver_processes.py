"""Solvers in processes of their own: the first answer wins, and one that runs away or crashes harms nobody."""

from __future__ import annotations

import contextlib
import faulthandler
import math
import os
import pickle
import signal
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, Pipe, wait

from ..config import Budget
from ..errors import ZeroinError
from ..limits import limit_memory
from ..sandbox import forking
from .base import Answer, Query, Solver, Unknown, is_known
from .decorators import Composite
from .work_clock import Deadline, done, worked

GRACE = 0.5  # seconds after the budget, or as many as it has, in which a solver may still answer by itself
_SHORT_GRACE = 0.1  # seconds, where work is limited: then the time that is over is that of a search
_SHARES = 0.0625, 0.25, 1.0  # of the work of a race: limits one after the other
MEMORY = 6 << 30  # bytes of addresses that one solver may use beyond what there is


class Racer:
    """One solver at work in a child process.

    Attributes:
        solver: which.
        connection: readable once it has answered, or is gone.
    """

    def __init__(self, solver: Solver, query: Query, budget: Budget) -> None:
        self.solver, self.budget = solver, budget
        self.connection, theirs = Pipe(duplex=False)
        self._child = forking.fork()
        if self._child == 0:
            self.connection.close()
            _answer(solver, query, budget, theirs)
        theirs.close()

    def answer(self) -> tuple[Answer, float]:
        """What it sent, and the work that it took; only when ``connection`` is ready."""
        try:
            answer: tuple[Answer, float] = self.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return Unknown(f"{self.solver.name}: its process ended without an answer"), 0.0
        return answer

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        forking.end(self._child)
        with contextlib.suppress(ChildProcessError):  # it has been reaped by somebody else
            os.waitpid(self._child, 0)


def race(solvers: Sequence[Solver], query: Query, budget: Budget, jobs: int,
         decides: Callable[[Answer], bool] = is_known) -> Answer:  # fmt: skip
    """Ask all the solvers, so many at the same time, in their order.

    Returns:
        The first answer that decides, or why each solver does not know. Where work is limited, and not time alone, it
        is no matter who is first to answer: of those that decide within the same work, the first of ``solvers`` counts.
        So that nobody waits long for that one, all are asked with little work at first, then again with more.
    """
    if math.isinf(budget.work):
        return _Heat(solvers, query, budget, decides, in_order=False).run(jobs)
    deadline = Deadline(budget)
    for share in _SHARES if len(solvers) > 1 else (1.0,):
        answer: Answer = Unknown("the time budget is used up")
        if (left := deadline.left) is not None:
            limited = replace(left, work=min(left.work, share * budget.work))
            answer = _Heat(solvers, query, limited, decides, in_order=True).run(jobs)
        if decides(answer):
            break
    return answer


class _Heat:
    """Several solvers at a query, each with the same budget.

    Args:
        in_order: whether who decides waits for those before it.
    """

    def __init__(self, solvers: Sequence[Solver], query: Query, budget: Budget, decides: Callable[[Answer], bool],
                 in_order: bool) -> None:  # fmt: skip
        self._solvers, self._query, self._budget, self._decides = solvers, query, budget, decides
        self._in_order = in_order
        self._waiting, self._racing = [*range(len(solvers))], dict[int, Racer]()
        self._answers = dict[int, tuple[Answer, float]]()

    def run(self, jobs: int) -> Answer:
        """So many at the same time."""
        grace = min(_SHORT_GRACE if self._in_order else GRACE, self._budget.seconds)
        deadline = time.monotonic() + self._budget.seconds
        try:
            while self._waiting or self._racing:
                left = deadline - time.monotonic()
                while self._waiting and len(self._racing) < jobs and left > 0:
                    place = self._waiting.pop(0)
                    self._racing[place] = Racer(self._solvers[place], self._query, replace(self._budget, seconds=left))
                if not self._racing or left + grace <= 0:
                    break
                self._listen(left + grace)
        finally:
            late = [*self._waiting, *self._racing]
            self._dismiss(range(len(self._solvers)))
        return self._outcome(late)

    def _outcome(self, late: list[int]) -> Answer:
        """The answer that counts. Who was asked at the same time worked as long as the others, or shorter."""
        answers = sorted(self._answers.items())
        last = next((place for place, (answer, _) in answers if self._decides(answer)), len(self._solvers))
        worked(max((spent for place, (_, spent) in answers if place <= last), default=0.0))
        if last in self._answers:
            return self._answers[last][0]
        reasons = [answer.reason for _, (answer, _) in answers if isinstance(answer, Unknown)]
        reasons += [f"{self._solvers[place].name}: the time budget is used up" for place in late]
        return Unknown("; ".join(reasons) or "no solver was asked")

    def _listen(self, seconds: float) -> None:
        """Take the answers that come first; for whom nobody waits then is dismissed."""
        ready = wait([racer.connection for racer in self._racing.values()], timeout=seconds)
        for place, racer in [*self._racing.items()]:
            if racer.connection in ready and place in self._racing:
                self._answers[place] = racer.answer()
                self._racing.pop(place).stop()
                if self._decides(self._answers[place][0]):
                    self._dismiss({other for other in range(len(self._solvers)) if other > place or not self._in_order})

    def _dismiss(self, places: Container[int]) -> None:
        self._waiting = [place for place in self._waiting if place not in places]
        for place in [place for place in self._racing if place in places]:
            self._racing.pop(place).stop()


class Race(Composite):
    """Solvers, each in a process of its own, in the order in which they are started; as many at the same time as there
    are cores, and at least two.

    Args:
        parts: the solvers.
        decides: which answer ends the race.
    """

    def __init__(self, *parts: Solver, decides: Callable[[Answer], bool] = is_known) -> None:
        super().__init__(*parts)
        self._decides = decides

    def solve(self, query: Query, budget: Budget) -> Answer:
        return race(self.parts, query, budget, max(2, os.cpu_count() or 2), self._decides)


def _answer(solver: Solver, query: Query, budget: Budget, connection: Connection) -> None:
    """In the child: solve, send, and end without running anybody's exit handlers."""
    code = 1
    try:
        forking.end_with_parent()  # a racer that starts a race of its own must not leave its racers behind
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        faulthandler.disable()  # a crash is told by the missing answer
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silence, descriptor)
        limit_memory(MEMORY)
        before = done()
        connection.send((_solved(solver, query, budget), done() - before))
        code = 0
    finally:
        os._exit(code)


def _solved(solver: Solver, query: Query, budget: Budget) -> Answer:
    try:
        return solver.solve(query, budget)
    except ZeroinError as error:
        return Unknown(f"{solver.name}: {error}")
    except MemoryError:
        return Unknown(f"{solver.name}: out of memory")
    except Exception as error:
        return Unknown(f"{solver.name} failed: {type(error).__name__}: {error}")
