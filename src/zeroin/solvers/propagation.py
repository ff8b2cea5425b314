"""Propagation-based local search, on terms that are evaluated rather than compiled (Niemetz, Preiner and Biere,
Propagation based local search for bit-precise reasoning, FMSD 2017).

The first constraint that a model does not satisfy should be true. What that asks of one of its arguments, the others
being what they are, is asked of that argument in turn, until it is asked of a variable, which gets the value. This
needs no score, and a move costs one evaluation; a query that is near a known model is mostly solved by a few.
"""

from __future__ import annotations

import random
from typing import Any

from ..config import Budget
from ..term.core.evaluate import NoValue, first_false
from ..term.core.inverse import inverse
from ..term.core.nodes import Op, Term
from ..term.core.traversal import postorder
from .base import Query, Search, SearchSolver
from .work_clock import VALUE, Deadline, worked

_MOVES = 12  # from a start, before the next one


class Propagation(SearchSolver):
    """Moves from known models."""

    name = "propagation"
    misses = frozenset(("int", "real", "string"))

    def search(self, query: Query, budget: Budget) -> Search:
        """See the module; ends with the budget."""
        deadline = Deadline(budget)
        starts = [*query.starts, {}]
        order, conditions = postorder(query.constraints), frozenset(query.constraints)
        rng = random.Random(self.seed << 32 | len(order))  # or alike queries would be answered alike
        for number in range(budget.evaluations):
            if deadline.is_over:
                return "the time budget is used up"
            if number % _MOVES == 0:
                model = query.completed(starts[number // _MOVES % len(starts)])
            values: dict[Term, Any] = {}
            worked(VALUE * len(order))
            try:
                wrong = first_false(order, conditions, model, values)
            except NoValue as error:
                return str(error)
            if wrong is None:
                yield dict(model)
            else:
                move = _propagated(wrong, values, rng)
                if move is not None:
                    model[move[0].data] = move[1]
        return "the evaluation budget is used up"


def _propagated(term: Term, values: dict[Term, Any], rng: random.Random) -> tuple[Term, Any] | None:
    """A variable and a value for it that help to make a condition true; None where the way ended before."""
    wanted: Any = True
    while term.op is not Op.VARIABLE:
        known = [values[a] for a in term.args]
        places = [n for n, a in enumerate(term.args) if not a.is_constant]
        rng.shuffle(places)
        for place in places:
            found = inverse(term, place, wanted, known, rng)
            if found is not None:
                term, wanted = term.args[place], found
                break
        else:
            return None
    return term, wanted
