"""A clock that goes with what solvers do, and stands still while they wait for a processor.

What is decided by it is decided alike again, on another machine and beside other jobs. Whoever works says how many
steps that took: evaluations, boxes, or what an SMT solver counts. To compare them, a step is worth about the seconds
that it takes on one machine; how nearly, bench/RESULTS-work.md says. Nothing is measured when a solver runs.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ..config import Budget
from ..term.core.traversal import postorder

if TYPE_CHECKING:
    from .base import Query

# Seconds that a step is worth, most of them for each part of a query.
READ = 3.0e-5  # of a program
SIMPLIFIED = 1.5e-5
VALUE = 1.0e-6  # worked out by Python
COMPILED, EVALUATION = 1.0e-4, 2.0e-9  # by native code
TAPE, BOX = 8.0e-6, 3.0e-8
SCRIPT, CHARACTER = 3.0e-3, 1.5e-6  # written, and read by an SMT solver
CALL, CALL_CHARACTER = 3.0e-6, 5.0e-9  # Bitwuzla's asking whether to stop: it is longer at work for a long script
RESOURCE_OF_CVC5, RESOURCE_OF_Z3 = 1.0e-6, 6.0e-7  # their own unit

_done = 0.0


def done() -> float:
    """Seconds that all of this process's solvers have worked so far."""
    return _done


def worked(seconds: float) -> None:
    """Note work."""
    global _done
    _done += seconds


def compiled(query: Query) -> int:
    """The parts of a query that is compiled, which is work, too."""
    size = len(postorder(query.constraints))
    worked(COMPILED * size)
    return size


class Deadline:
    """When a budget is used up: by time, or by work.

    Args:
        budget: from now on.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._time, self._work = time.monotonic() + budget.seconds, done() + budget.work

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._time or done() >= self._work

    @property
    def left(self) -> Budget | None:
        """What is left of the budget, with all of its evaluations; None if nothing is."""
        seconds, work = self._time - time.monotonic(), self._work - done()
        return replace(self._budget, seconds=seconds, work=work) if seconds > 0 and work > 0 else None
