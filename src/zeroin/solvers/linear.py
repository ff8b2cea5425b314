"""The linear constraints of a condition, and a point inside their polytope (Dinges & Agha 2014, section 3.1).

Float arithmetic is treated as arithmetic of reals. The caller has to check that a point also satisfies the constraints
in floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..term.core.nodes import Op, Term
from ..term.core.sorts import INT, REAL
from ..term.core.traversal import fold
from .residuals import NEGATIVE, ZERO, comparison

_ONE = None  # the key of the constant in a form
Form = dict[Term | None, Fraction]  # a linear form: the coefficient of each variable
_BOUNDS = (10.0, 1e3, 1e6, 1e12)  # bounds on a point's coordinates; the least one that leaves a point is used


@dataclass(frozen=True)
class Linear:
    """A linear constraint on ``sum(coefficient * variable) + constant``.

    Attributes:
        conjunct: the constraint's index in the list of conjuncts; -1 if it is none of them.
        coefficients: the coefficients by variable, none of them zero.
        constant: the constant.
        wanted: the required sign of the sum: ``ZERO``, ``NOT_POSITIVE`` or ``NEGATIVE`` (:mod:`.residuals`).
    """

    conjunct: int
    coefficients: dict[Term, Fraction]
    constant: Fraction
    wanted: int


def linear_parts(conjuncts: Iterable[Term]) -> list[Linear]:
    """Return the conjuncts that are linear comparisons with at least one variable, in order; never a ``!=``."""
    found = []
    for number, conjunct in enumerate(conjuncts):
        sides = comparison(conjunct)
        if sides is None:
            continue
        left, right = form_of(sides[0]), form_of(sides[1])
        if left is None or right is None:
            continue
        difference = combine(left, right, -1)
        constant = difference.pop(_ONE, Fraction(0))
        coefficients = {v: c for v, c in difference.items() if v is not None and c}
        if coefficients:
            found.append(Linear(number, coefficients, constant, sides[2]))
    return found


def form_of(term: Term) -> Form | None:
    """Return the linear form of a numeric term; None if the term is not linear. The key None has the constant."""
    return fold(term, linear_form)


def linear_form(term: Term, args: list[Form | None]) -> Form | None:
    """Return the linear form of a term, given the forms of its arguments; None if the term is not linear.

    The form of a constant that is no number, such as a rounding mode, is empty. NaN and infinities have no form.
    """
    numeric = term.sort.is_float or term.sort in (INT, REAL)
    if not numeric:
        return {} if term.is_constant else None  # a rounding mode
    if term.is_constant:
        return {_ONE: Fraction(term.value)} if math.isfinite(term.value) else None
    if term.op is Op.VARIABLE:
        return {term: Fraction(1)}
    if any(a is None for a in args):
        return None
    forms = [a for a in args if a is not None]
    if term.op in (Op.FP_ADD, Op.ADD, Op.FP_SUB, Op.SUB):
        return combine(forms[-2], forms[-1], 1 if term.op in (Op.FP_ADD, Op.ADD) else -1)
    if term.op in (Op.FP_NEG, Op.NEG):
        return combine({}, forms[0], -1)
    if term.op in (Op.FP_TO_FP, Op.INT_TO_FP, Op.REAL_TO_FP, Op.INT_TO_REAL, Op.FP_TO_REAL):
        return forms[-1]
    if term.op in (Op.FP_MUL, Op.MUL):
        return _product(forms[-2], forms[-1])
    if term.op in (Op.FP_DIV, Op.DIVIDE) and set(forms[-1]) == {_ONE} and forms[-1][_ONE]:
        return combine({}, forms[-2], 1 / forms[-1][_ONE])
    return None


def combine(a: Form, b: Form, factor: Fraction | int) -> Form:
    """Return ``a + factor * b`` as a new form, which may have zero coefficients."""
    result = dict(a)
    for key, value in b.items():
        result[key] = result.get(key, Fraction(0)) + factor * value
    return result


def _product(a: Form, b: Form) -> Form | None:
    """Return the product of two forms; None if none of them is constant."""
    if set(b) <= {_ONE}:
        a, b = b, a
    return combine({}, b, a.get(_ONE, Fraction(0))) if set(a) <= {_ONE} else None


def inner_point(parts: Sequence[Linear], variables: Sequence[Term]) -> list[float] | None:
    """Return a point inside the polytope, away from its faces if possible.

    SciPy's HiGHS solves this, without a time limit. Integer variables get whole values; variables that occur in no
    constraint are 0. The point may violate a constraint by a rounding error.

    Args:
        parts: the linear constraints.
        variables: the variables whose values are returned, in this order.

    Returns:
        The values of the variables; None if no point is found whose coordinates are from -1e12 to 1e12.
    """
    if not parts:
        return [0.0] * len(variables)
    mentioned = list(dict.fromkeys(v for part in parts for v in part.coefficients))
    for bound in _BOUNDS:
        point = _inner_point(parts, mentioned, bound)
        if point is not None:
            values = dict(zip(mentioned, point, strict=True))
            return [values.get(v, 0.0) for v in variables]
    return None


def _inner_point(parts: Sequence[Linear], variables: Sequence[Term], bound: float) -> list[float] | None:
    """Return a point as :func:`inner_point` does, with no coordinate beyond ``bound``; None if there is none."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    n = len(variables)
    place = {v: i for i, v in enumerate(variables)}
    rows, low, high = np.zeros((len(parts), n + 1)), np.zeros(len(parts)), np.zeros(len(parts))
    for k, part in enumerate(parts):
        for v, c in part.coefficients.items():
            rows[k, place[v]] = to_float(c)
        high[k] = -to_float(part.constant)
        low[k] = high[k] if part.wanted == ZERO else -np.inf
        if part.wanted != ZERO:
            rows[k, n] = np.linalg.norm(rows[k, :n])  # the last variable is the distance from the faces
    aim = np.zeros(n + 1)
    aim[n] = -1.0
    whole = np.array([*(float(v.sort == INT) for v in variables), 0.0])
    box = Bounds(np.array([-bound] * n + [0.0]), np.array([bound] * n + [1.0]))
    found = milp(aim, constraints=LinearConstraint(rows, low, high), integrality=whole, bounds=box)
    if found.x is None:
        return None
    if found.x[n] <= 0 and any(part.wanted == NEGATIVE for part in parts):
        return None
    return [
        float(round(value)) if v.sort == INT else float(value) for v, value in zip(variables, found.x, strict=False)
    ]


def to_float(value: Fraction) -> float:
    """Return the nearest float; 1e300 or -1e300 for a value beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        return 1e300 if value > 0 else -1e300
