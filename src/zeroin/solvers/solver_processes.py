"""Solvers in child processes: several race for the first answer, and hangs and crashes do no harm."""

from __future__ import annotations

import faulthandler
import math
import os
import signal
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..config import Budget
from ..errors import ZeroinError
from ..limits import limit_memory
from ..process.child import Child
from ..process.descriptors import poll
from ..process.message_stream import MessageStream
from .base import Answer, Query, Solver, Unknown, is_known
from .decorators import Composite
from .work_clock import Deadline, done, worked

# Seconds after the budget in which a solver may still answer by itself; at most the budget's own seconds.
GRACE = 0.5
_SHORT_GRACE = 0.1  # the same if work is limited: then the extra time is lost for the search
_SHARES = 0.0625, 0.25, 1.0  # a race is run with these shares of its work, one after the other
MEMORY = 6 << 30  # bytes of address space that a solver may use in addition to those of its parent


@dataclass(frozen=True)
class Answered:
    """The message of a solver's process: its answer, and the work that it took, in seconds of the work clock."""

    answer: Answer
    work: float


class Racer:
    """A child process in which one solver works on a query. It is forked when this object is made.

    Attributes:
        solver: the solver.
        budget: the solver's budget.
        child: the process.
    """

    def __init__(self, solver: Solver, query: Query, budget: Budget) -> None:
        self.solver, self.budget = solver, budget
        self.child = Child.fork(partial(_answer, solver, query, budget), (Answered,), leads=False)

    @property
    def descriptor(self) -> int:
        """A descriptor that is readable once the solver has answered or its process has ended."""
        return self.child.descriptors[-1]

    def answer(self) -> Answered:
        """Return the answer; ``Unknown`` if the process ended without one. Call :meth:`stop` afterwards.

        Call this only when ``descriptor`` is readable; otherwise it waits.
        """
        answered: Answered | None = self.child.answer()
        if answered is None:
            return Answered(Unknown(f"{self.solver.name}: its process ended without an answer"), 0.0)
        return answered

    def stop(self) -> None:
        """Kill the process, if it still runs, and wait for its end."""
        self.child.end()


def race(solvers: Sequence[Solver], query: Query, budget: Budget, jobs: int,
         decides: Callable[[Answer], bool] = is_known) -> Answer:  # fmt: skip
    """Run solvers on the same query in parallel child processes.

    If the budget limits work, the result does not depend on timing. Of the solvers that decide within the same work,
    the first in ``solvers`` counts. To keep the wait for that one short, the race is run with little work first, and
    again with more.

    It may take ``GRACE`` seconds more than the budget. All child processes have ended when it returns. A solver that
    crashes, raises an error or exceeds the memory limit counts as ``Unknown``.

    Args:
        solvers: the solvers, in the order in which they start.
        query: the query.
        budget: the budget of the race; its evaluations are those of each solver.
        jobs: the largest number of parallel processes, at least 1.
        decides: whether an answer ends the race.

    Returns:
        The first answer that decides; otherwise ``Unknown``, with the reason of each solver.
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
    """One round of a race: each solver works on the query with the same budget. An object runs one round only.

    Args:
        in_order: whether a decision counts only once all solvers before it in the order have answered.
    """

    def __init__(self, solvers: Sequence[Solver], query: Query, budget: Budget, decides: Callable[[Answer], bool],
                 in_order: bool) -> None:  # fmt: skip
        self._solvers, self._query, self._budget, self._decides = solvers, query, budget, decides
        self._in_order = in_order
        self._waiting, self._racing = [*range(len(solvers))], dict[int, Racer]()
        self._answers = dict[int, Answered]()

    def run(self, jobs: int) -> Answer:
        """Run the round with at most ``jobs`` processes in parallel, and return the answer that counts.

        If none decides, that is ``Unknown`` with the reason of each solver. All processes are stopped at the end.
        """
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
        """Return the answer that counts.

        The round costs the most work of any solver up to the deciding one, because the solvers run in parallel.
        """
        answers = sorted(self._answers.items())
        last = next((place for place, one in answers if self._decides(one.answer)), len(self._solvers))
        worked(max((one.work for place, one in answers if place <= last), default=0.0))
        if last in self._answers:
            return self._answers[last].answer
        reasons = [one.answer.reason for _, one in answers if isinstance(one.answer, Unknown)]
        reasons += [f"{self._solvers[place].name}: the time budget is used up" for place in late]
        return Unknown("; ".join(reasons) or "no solver was asked")

    def _listen(self, seconds: float) -> None:
        """Wait for answers. After a deciding one, stop the solvers whose answers can not count any more."""
        ready = poll([racer.descriptor for racer in self._racing.values()], seconds)
        for place, racer in [*self._racing.items()]:
            if place in self._racing and racer.descriptor in ready:
                self._answers[place] = racer.answer()
                self._racing.pop(place).stop()
                if self._decides(self._answers[place].answer):
                    self._dismiss({other for other in range(len(self._solvers)) if other > place or not self._in_order})

    def _dismiss(self, places: Container[int]) -> None:
        """Stop the solvers at these places in the order, or do not start them."""
        self._waiting = [place for place in self._waiting if place not in places]
        for place in [place for place in self._racing if place in places]:
            self._racing.pop(place).stop()


class Race(Composite):
    """Run solvers in parallel child processes: as many at once as there are cores, and at least two; see :func:`race`.

    Args:
        parts: the solvers, in the order in which they start.
        decides: whether an answer ends the race.
    """

    def __init__(self, *parts: Solver, decides: Callable[[Answer], bool] = is_known) -> None:
        super().__init__(*parts)
        self._decides = decides

    def solve(self, query: Query, budget: Budget) -> Answer:
        return race(self.parts, query, budget, max(2, os.cpu_count() or 2), self._decides)


def _answer(solver: Solver, query: Query, budget: Budget, line: MessageStream) -> None:
    """In the child: solve the query, and send the answer and its work.

    It silences the process, limits its memory, and has it ignore SIGINT.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    faulthandler.disable()  # the parent notices a crash by the missing answer
    silence = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(silence, descriptor)
    limit_memory(MEMORY)
    before = done()
    line.send(Answered(_solved(solver, query, budget), done() - before))


def _solved(solver: Solver, query: Query, budget: Budget) -> Answer:
    """Return the solver's answer; ``Unknown`` with the reason if it raises an exception."""
    try:
        return solver.solve(query, budget)
    except ZeroinError as error:
        return Unknown(f"{solver.name}: {error}")
    except MemoryError:
        return Unknown(f"{solver.name}: out of memory")
    except Exception as error:
        return Unknown(f"{solver.name} failed: {type(error).__name__}: {error}")
