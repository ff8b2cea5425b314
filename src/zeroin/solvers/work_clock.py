"""A deterministic clock: it advances with the steps of solvers, not with time.

Decisions that depend on this clock are reproducible on other machines and under any load. Solvers report the steps
that they have made: evaluations, boxes, or an SMT solver's own unit. Each kind of step has a price in nominal
seconds, close to the time that it takes on one machine. (bench/RESULTS-work.md says how close.) No time is measured
while a solver runs.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ..config import Budget
from ..term.core.traversal import postorder

if TYPE_CHECKING:
    from .base import Query

# Prices of steps in seconds; most are per term of a query.
READ = 3.0e-5  # to read a part of the program as terms
SIMPLIFIED = 1.5e-5
VALUE = 1.0e-6  # to evaluate in Python
COMPILED, EVALUATION = 1.0e-4, 2.0e-9  # to compile to native code, and to evaluate that
TAPE, BOX = 8.0e-6, 3.0e-8  # interval propagation: to make the tape, and to process one box
SCRIPT, CHARACTER = 3.0e-3, 1.5e-6  # to write a script and have an SMT solver parse it: for each, and per character
# A call by which Bitwuzla asks whether to stop: for each, and per character, as calls are rarer for long scripts.
CALL, CALL_CHARACTER = 3.0e-6, 5.0e-9
RESOURCE_OF_CVC5, RESOURCE_OF_Z3 = 1.0e-6, 6.0e-7  # the resource units that these solvers count

_done = 0.0


def done() -> float:
    """Return the seconds of work that this process's solvers have done so far.

    Races in child processes are included, each with the most work of one solver.
    """
    return _done


def worked(seconds: float) -> None:
    """Add to the work done by this process, in nominal seconds."""
    global _done
    _done += seconds


def compiled(query: Query) -> int:
    """Note the work of compiling a query to native code, and return the number of its different terms."""
    size = len(postorder(query.constraints))
    worked(COMPILED * size)
    return size


class Deadline:
    """The end of a budget that starts now: when its time or its work is used up. Evaluations are not counted.

    Args:
        budget: the budget.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._time, self._work = time.monotonic() + budget.seconds, done() + budget.work

    @property
    def is_over(self) -> bool:
        """Whether the budget is used up."""
        return time.monotonic() >= self._time or done() >= self._work

    @property
    def left(self) -> Budget | None:
        """The rest of the budget, with all of its evaluations; None if it is used up."""
        seconds, work = self._time - time.monotonic(), self._work - done()
        return replace(self._budget, seconds=seconds, work=work) if seconds > 0 and work > 0 else None
