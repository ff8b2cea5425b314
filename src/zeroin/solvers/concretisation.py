"""Concretisation, as in DART and jCUTE: the baseline of the concolic walk (Dinges & Agha 2014).

This solver solves linear constraints only. Other terms are evaluated at a point and replaced by their values there,
such as a factor of a product, or the call of a function. The variables of a replaced term are fixed to their values
at the point. This keeps the result sound, but often makes the linear constraints unsatisfiable.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ..config import Budget
from ..minimize import random_state
from ..minimize.base import random_unit
from ..term.core.evaluate import NoValue, evaluate
from ..term.core.nodes import Op, Term
from ..term.core.sorts import INT, REAL
from ..term.core.traversal import fold, variables
from .base import Model, Query, Search, SearchSolver
from .linear import Form, Linear, combine, inner_point, linear_form, linear_parts
from .residuals import ZERO, comparison
from .work_clock import Deadline


class Concretisation(SearchSolver):
    """Solve linear approximations of a query at concrete points.

    Args:
        seed: the seed of the random points. The first point is not random; it satisfies the linear constraints.
        tries: the number of points; the mixed solving of Symbolic PathFinder uses 3.
    """

    name = "concretisation"
    misses = frozenset(("bits", "bool", "nan", "string"))

    def __init__(self, seed: int = 0, tries: int = 3) -> None:
        super().__init__(seed)
        self.tries = tries

    def search(self, query: Query, budget: Budget) -> Search:
        """Yield each point, and the solution of the linear approximation there; see :class:`.base.SearchSolver`."""
        deadline = Deadline(budget)
        unfit = next((v for v in query.variables if not (v.sort.is_float or v.sort in (INT, REAL))), None)
        if unfit is not None:
            return f"a variable of sort {unfit.sort} is nothing for a linear solver"
        parts = query.conjuncts
        point = inner_point(linear_parts(parts), query.variables)
        if point is None:
            return "the linear part has no solution over the reals"
        rng = random_state([self.seed, 3])
        for _ in range(self.tries):
            if deadline.is_over:
                return "the time budget is used up"
            model = _typed(query, point)
            yield model
            found = inner_point(concretised(parts, model), query.variables)
            if found is not None:
                yield _typed(query, found)
            point = [(2.0 * random_unit(rng) - 1.0) * 100.0 for _ in query.variables]
        return f"no linear approximation at {self.tries} points has a solution that holds"


def concretised(parts: Sequence[Term], model: Model) -> list[Linear]:
    """Return the linear approximation of a conjunction at a point.

    Conjuncts are left out if they are no comparisons, are constant at the point, or have a part without a finite value
    there. The variables of replaced parts are fixed by equations whose ``conjunct`` is -1.

    Args:
        parts: the conjuncts.
        model: the point, with a value for every variable.
    """
    found, tied = list[Linear](), dict[Term, None]()
    memo: dict[Term, object] = {}
    for number, part in enumerate(parts):
        sides = comparison(part)
        if sides is None:
            continue
        left, right = (_approximate(side, model, memo, tied) for side in sides[:2])
        if left is None or right is None:
            continue
        difference = combine(left, right, -1)
        constant = difference.pop(None, Fraction(0))
        found.append(Linear(number, {v: c for v, c in difference.items() if v is not None and c}, constant, sides[2]))
    pinned = [Linear(-1, {v: Fraction(1)}, -Fraction(model[v.data]), ZERO) for v in tied]
    return [part for part in found if part.coefficients] + pinned


def _approximate(term: Term, model: Model, memo: dict[Term, object], tied: dict[Term, None]) -> Form | None:
    """Return the linear form of a term, with values at the point in place of parts that are not linear.

    Args:
        term: the term.
        model: the point.
        memo: values that are known already.
        tied: receives the variables of the replaced parts.

    Returns:
        The linear form; None if a part has no finite value at the point.
    """

    def value(part: Term) -> Form | None:
        try:
            number = evaluate(part, model, memo)
        except NoValue:
            return None
        if not math.isfinite(number):
            return None
        tied.update(dict.fromkeys(variables([part])))
        return {None: Fraction(number)}

    def visit(part: Term, args: list[Form | None]) -> Form | None:
        form = linear_form(part, args)
        if form is not None or not (part.sort.is_float or part.sort in (INT, REAL)):
            return form
        if part.op in (Op.FP_MUL, Op.MUL) and args[-2] is not None:
            return linear_form(part, [*args[:-2], value(part.args[-2]), args[-1]])
        return value(part)

    return fold(term, visit)


def _typed(query: Query, point: Sequence[float]) -> Model:
    """Return a point as a model; Ints and floats of 32 bits are rounded to nearest."""
    return {
        v.data: round(value) if v.sort == INT else Fraction(value) if v.sort == REAL else np.float32(value).item()
        if v.sort.width == 32 else value
        for v, value in zip(query.variables, point, strict=True)
    }  # fmt: skip
