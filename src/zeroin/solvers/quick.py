"""Quick refutations for readers of code: interval arithmetic with a limit on the size of all questions together."""

from __future__ import annotations

from ..config import Budget
from ..term.core.build import FALSE
from ..term.core.nodes import Term
from ..term.core.traversal import postorder
from .base import Query, Unsat
from .intervals import Intervals

_BOXES = 20  # of interval arithmetic for one question
_MOST_TERMS = 25_000  # of all questions together


class QuickRefuter:
    """Finds out whether conditions never hold, as long as the terms of all questions together are not too many."""

    def __init__(self) -> None:
        self._intervals, self._left = Intervals(), _MOST_TERMS

    def refutes(self, condition: Term) -> bool:
        """Return whether a condition surely never holds; False also where that is not clear at once."""
        if condition.is_constant or self._left <= 0:
            return condition is FALSE
        self._left -= len(postorder([condition]))
        answer = self._intervals.solve(Query((condition,)), Budget(_BOXES, 1.0))
        return isinstance(answer, Unsat) and not answer.proof.assumptions
