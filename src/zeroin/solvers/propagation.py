"""Propagation-based local search (Niemetz, Preiner and Biere, Propagation based local search for bit-precise reasoning,
FMSD 2017).

A move repairs the first constraint that is false under the current model. The wanted value of a term determines a
wanted value of one of its arguments, while the other arguments keep their values (:mod:`zeroin.term.core.inverse`).
This goes down to a variable, which gets the wanted value.

The search needs no objective and compiles nothing: a move costs one evaluation of the query in Python. Most queries
near a known model need only a few moves.
"""

from __future__ import annotations

import random

from ..config import Budget
from ..term.core.evaluate import NoValue, first_false
from ..term.core.inverse import inverse
from ..term.core.nodes import Op, Term
from ..term.core.traversal import postorder
from .base import Query, Search, SearchSolver
from .work_clock import VALUE, Deadline, worked

_MOVES = 12  # moves from one start before the search goes on from the next one


class Propagation(SearchSolver):
    """Search for a model by moves that start at known models. Each move counts as one evaluation.

    Args:
        seed: the seed of the random choices.
    """

    name = "propagation"
    misses = frozenset(("int", "real", "string"))

    def search(self, query: Query, budget: Budget) -> Search:
        """Yield models until the budget is used up; see :class:`.base.SearchSolver`.

        It also ends if a constraint can not be evaluated.
        """
        deadline = Deadline(budget)
        starts = [*query.starts, {}]
        order, conditions = postorder(query.constraints), frozenset(query.constraints)
        rng = random.Random(self.seed << 32 | len(order))  # so that similar queries get different random choices
        for number in range(budget.evaluations):
            if deadline.is_over:
                return "the time budget is used up"
            if number % _MOVES == 0:
                model = query.completed(starts[number // _MOVES % len(starts)])
            values: dict[Term, object] = {}
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


def _propagated(term: Term, values: dict[Term, object], rng: random.Random) -> tuple[Term, object] | None:
    """Return a variable and a value for it that help to make a condition true.

    Args:
        term: the false condition.
        values: the current values of all terms.
        rng: the random choices.

    Returns:
        The variable and its value; None if the propagation reached no variable.
    """
    wanted: object = True
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
