"""Solvers in processes of their own: the first answer wins, and one that runs away or crashes harms nobody."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Pipe, wait

from .. import forking
from ..config import Budget
from ..errors import ZeroinError
from ..limits import limit_memory
from .base import Answer, Query, Solver, Unknown
from .decorators import Composite

GRACE = 0.5  # seconds after the budget, or as many as it has, in which a solver may still answer by itself
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

    def answer(self) -> Answer:
        """What it sent; only when ``connection`` is ready."""
        try:
            answer: Answer = self.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return Unknown(f"{self.solver.name}: its process ended without an answer")
        return answer

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        forking.end(self._child)
        with contextlib.suppress(ChildProcessError):  # it has been reaped by somebody else
            os.waitpid(self._child, 0)


def is_known(answer: Answer) -> bool:
    """Whether it is a model or a proof."""
    return not isinstance(answer, Unknown)


def race(solvers: Sequence[Solver], query: Query, budget: Budget, jobs: int,
         decides: Callable[[Answer], bool] = is_known) -> Answer:  # fmt: skip
    """Ask all the solvers, so many at the same time, in their order, each with all the time that is left: the first
    answer that decides, or why each solver does not know."""
    deadline, grace = time.monotonic() + budget.seconds, min(GRACE, budget.seconds)
    waiting, racing, reasons = list(solvers), list[Racer](), list[str]()
    try:
        while waiting or racing:
            left = deadline - time.monotonic()
            while waiting and len(racing) < jobs and left > 0:
                racing.append(Racer(waiting.pop(0), query, Budget(budget.evaluations, left)))
            if not racing or left + grace <= 0:
                break
            ready = wait([r.connection for r in racing], timeout=left + grace)
            for racer in [r for r in racing if r.connection in ready]:
                answer = racer.answer()
                racing.remove(racer)
                racer.stop()
                if decides(answer):
                    return answer
                reasons += [answer.reason] if isinstance(answer, Unknown) else []
    finally:
        for racer in racing:
            racer.stop()
    late = [*waiting, *(r.solver for r in racing)]
    reasons += [f"{solver.name}: the time budget is used up" for solver in late]
    return Unknown("; ".join(reasons) or "no solver was asked")


class Race(Composite):
    """Solvers, each in a process of its own, in the order in which they are started; as many at the same time as there
    are cores, and at least two."""

    def solve(self, query: Query, budget: Budget) -> Answer:
        return race(self.parts, query, budget, max(2, os.cpu_count() or 2))


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
        connection.send(_solved(solver, query, budget))
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
