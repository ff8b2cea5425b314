"""Solvers in processes of their own: the first answer wins, and one that runs away or crashes harms nobody."""

from __future__ import annotations

import ctypes
import faulthandler
import os
import pickle
import signal
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from ..config import Budget
from ..errors import ZeroinError
from ..limits import limit_memory
from .base import Answer, CompleteSolver, Query, Sat, Solver, Unknown, Unsat

GRACE = 0.5  # seconds after the budget in which a solver may still answer by itself
_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG
MEMORY = 6 << 30  # bytes of addresses that one solver may use beyond what there is


class _Prover(CompleteSolver):
    """Stands for the solver that proved something in a child process, where that was checked to be a complete one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def solve(self, query: Query, budget: Budget) -> Answer:
        return Unknown(f"{self.name} answered in a process that is gone")


class Racer:
    """One solver at work in a child process.

    Attributes:
        solver: which.
        connection: readable once it has answered, or is gone.
    """

    def __init__(self, solver: Solver, query: Query, budget: Budget) -> None:
        self.solver, self.budget = solver, budget
        self.connection, theirs = Pipe(duplex=False)
        self._child = os.fork()
        if self._child == 0:
            self.connection.close()
            _answer(solver, query, budget, theirs)
        theirs.close()

    def answer(self) -> Answer:
        """What it sent; only when ``connection`` is ready."""
        try:
            kind, payload = self.connection.recv()
        except (EOFError, OSError, pickle.UnpicklingError):
            return Unknown(f"{self.solver.name}: its process ended without an answer")
        if kind == "sat":
            return Sat(*payload)
        return Unsat(_Prover(payload)) if kind == "unsat" else Unknown(*payload)

    def stop(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        try:
            os.kill(self._child, signal.SIGKILL)
        except ProcessLookupError:  # it has been reaped by somebody else
            return
        os.waitpid(self._child, 0)


def is_known(answer: Answer) -> bool:
    """Whether it is a model or a proof."""
    return not isinstance(answer, Unknown)


def race(solvers: Sequence[Solver], query: Query, budget: Budget, jobs: int,
         decides: Callable[[Answer], bool] = is_known) -> tuple[Answer, dict[str, str]]:  # fmt: skip
    """Ask all the solvers, so many at the same time, in their order, each with all the time that is left, until an
    answer decides.

    Returns:
        The first answer that does, or ``Unknown``; and by solver the reason why it does not know.
    """
    deadline = time.monotonic() + budget.seconds
    waiting, racing = list(solvers), list[Racer]()
    reasons: dict[str, str] = {}
    try:
        while waiting or racing:
            left = deadline - time.monotonic()
            while waiting and len(racing) < jobs and left > 0:
                racing.append(Racer(waiting.pop(0), query, Budget(budget.evaluations, left)))
            if not racing or left + GRACE <= 0:
                break
            ready = wait([r.connection for r in racing], timeout=left + GRACE)
            for racer in [r for r in racing if r.connection in ready]:
                answer = racer.answer()
                racing.remove(racer)
                racer.stop()
                if decides(answer):
                    return answer, reasons
                reasons[racer.solver.name] = answer.reason if isinstance(answer, Unknown) else ""
    finally:
        for racer in racing:
            racer.stop()
    for solver in [*waiting, *(r.solver for r in racing)]:
        reasons[solver.name] = f"{solver.name}: the time budget is used up"
    return Unknown("; ".join(reasons.values()) or "no solver was asked"), reasons


def _answer(solver: Solver, query: Query, budget: Budget, connection: Connection) -> None:
    """In the child: solve, send, and end without running anybody's exit handlers."""
    code = 1
    try:
        _end_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        faulthandler.disable()  # a crash is told by the missing answer
        silence = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(silence, descriptor)
        limit_memory(MEMORY)
        connection.send(_message(solver, query, budget))
        code = 0
    finally:
        os._exit(code)


def _end_with_parent() -> None:
    """A racer that starts a race of its own, and is ended, must not leave its racers behind (Linux only)."""
    set_option = getattr(ctypes.CDLL(None), "prctl", None)
    if set_option is not None:
        set_option(_END_WITH_PARENT, signal.SIGKILL)


def _message(solver: Solver, query: Query, budget: Budget) -> tuple[str, Any]:
    try:
        answer = solver.solve(query, budget)
    except ZeroinError as error:
        answer = Unknown(f"{solver.name}: {error}")
    except MemoryError:
        answer = Unknown(f"{solver.name}: out of memory")
    except Exception as error:
        answer = Unknown(f"{solver.name} failed: {type(error).__name__}: {error}")
    if isinstance(answer, Sat):
        return "sat", (answer.model, answer.by)
    return ("unsat", answer.by.name) if isinstance(answer, Unsat) else ("unknown", (answer.reason, answer.claims_model))
