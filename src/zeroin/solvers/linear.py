"""The linear constraints of a condition, and a point inside their polytope (Dinges & Agha 2014, section 3.1).

Float arithmetic is treated as arithmetic of reals, and that of bit vectors as arithmetic of integers, under the
condition that nothing wraps around. The caller has to check that a point also satisfies the constraints themselves.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..term.core.evaluate import signed
from ..term.core.nodes import Op, Term
from ..term.core.sorts import INT, REAL
from ..term.core.traversal import fold, postorder
from .residuals import NEGATIVE, NOT_POSITIVE, ZERO, comparison

_ONE = None  # the key of the constant in a form
_ADDING, _SUBTRACTING = (Op.FP_ADD, Op.ADD, Op.BV_ADD), (Op.FP_SUB, Op.SUB, Op.BV_SUB)
_CONVERTING = (
    Op.FP_TO_FP, Op.INT_TO_FP, Op.REAL_TO_FP, Op.INT_TO_REAL, Op.FP_TO_REAL, Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP,
    Op.SIGNED_TO_INT, Op.BITS_TO_INT, Op.BV_SIGN_EXTEND, Op.BV_ZERO_EXTEND,
)  # fmt: skip
_READ_UNSIGNED = (Op.BITS_TO_INT, Op.UNSIGNED_TO_FP, Op.BV_ZERO_EXTEND)
_WRAPPING = (Op.BV_ADD, Op.BV_SUB, Op.BV_NEG, Op.BV_MUL, Op.BV_SHL, Op.BV_EXTRACT)
Form = dict[Term | None, Fraction]  # a linear form: the coefficient of each variable
_PLACES = (0, 3, 10, 20, 40)  # binary places to which coordinates are rounded
_BOUNDS = (10.0, 1e3, 1e6, 1e12)  # bounds on a point's coordinates; the least one that leaves a point is used


@dataclass(frozen=True)
class Linear:
    """A linear constraint on ``sum(coefficient * variable) + constant``.

    Attributes:
        conjunct: the constraint's index in the list of conjuncts; -1 if it is none of them.
        coefficients: the coefficients by variable, none of them zero.
        constant: the constant.
        wanted: the required sign of the sum: ``ZERO``, ``NOT_POSITIVE`` or ``NEGATIVE`` (:mod:`.residuals`).
        within: the conditions under which the sum is that of the conjunct: no operation on bit vectors wraps around.
    """

    conjunct: int
    coefficients: dict[Term, Fraction]
    constant: Fraction
    wanted: int
    within: tuple[Linear, ...] = ()


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
        part = _constraint(number, combine(left, right, -1), sides[2], tuple(_unwrapped(sides[:2])))
        if part.coefficients:
            found.append(part)
    return found


def _constraint(conjunct: int, form: Form, wanted: int, within: tuple[Linear, ...] = ()) -> Linear:
    """Return the constraint that a linear form has the wanted sign."""
    coefficients = {v: c for v, c in form.items() if v is not None and c}
    return Linear(conjunct, coefficients, form.get(_ONE, Fraction(0)), wanted, within)


def _unwrapped(sides: Sequence[Term]) -> Iterator[Linear]:
    """Yield the conditions under which no operation on bit vectors in linear terms wraps around.

    Signed numbers stay in the range of their width. A number that is read as unsigned, or extended by zeros, is not
    negative. But both sides of a comparison may be negative, as signed numbers: they are if one is a constant that is.
    Conditions that hold for all values of the variables are left out.
    """
    constants = [side.args[0] for side in sides if side.op is Op.BITS_TO_INT and side.args[0].is_constant]
    are_negative = any(signed(one.value, one.sort.width) < 0 for one in constants)
    low: float
    high: float
    for part in postorder(sides):
        if part.op in _READ_UNSIGNED:
            low, high = (-math.inf, -1) if are_negative and part in sides else (0, math.inf)
        elif part.op in _WRAPPING:
            low, high = _ends(part)
        else:
            continue
        form = form_of(part.args[-1] if part.op in _READ_UNSIGNED else part)
        if form is None:
            continue
        least, most = _range(form)
        if least < low:
            yield _constraint(-1, combine({_ONE: Fraction(low)}, form, -1), NOT_POSITIVE)
        if most > high:
            yield _constraint(-1, combine(form, {_ONE: Fraction(high)}, -1), NOT_POSITIVE)


def _range(form: Form) -> tuple[Fraction, Fraction]:
    """Return the least and the largest value of a linear form of bit vectors, which are signed."""
    least = most = form.get(_ONE, Fraction(0))
    for v, c in form.items():
        if v is not None:
            ends = [c * end for end in _ends(v)]
            least, most = least + min(ends), most + max(ends)
    return least, most


def _ends(v: Term) -> tuple[int, int]:
    """Return the least and the largest value of a bit vector, which is signed."""
    return -(1 << v.sort.width - 1), (1 << v.sort.width - 1) - 1


def form_of(term: Term) -> Form | None:
    """Return the linear form of a numeric term; None if the term is not linear. The key None has the constant."""
    return fold(term, linear_form)


def linear_form(term: Term, args: list[Form | None]) -> Form | None:
    """Return the linear form of a term, given the forms of its arguments; None if the term is not linear.

    The form of a constant that is no number, such as a rounding mode, is empty. NaN and infinities have no form.
    """
    numeric = term.sort.is_float or term.sort.is_bits or term.sort in (INT, REAL)
    if not numeric:
        return {} if term.is_constant else None  # a rounding mode
    if term.is_constant:
        value = signed(term.value, term.sort.width) if term.sort.is_bits else term.value
        return {_ONE: Fraction(value)} if math.isfinite(value) else None
    if term.op is Op.VARIABLE:
        return {term: Fraction(1)}
    if any(a is None for a in args):
        return None
    forms = [a for a in args if a is not None]
    if term.op in _ADDING or term.op in _SUBTRACTING:
        return combine(forms[-2], forms[-1], 1 if term.op in _ADDING else -1)
    if term.op in (Op.FP_NEG, Op.NEG, Op.BV_NEG):
        return combine({}, forms[0], -1)
    if term.op in _CONVERTING or (term.op is Op.BV_EXTRACT and term.data[1] == 0):
        return forms[-1]
    if term.op in (Op.FP_MUL, Op.MUL, Op.BV_MUL):
        return _product(forms[-2], forms[-1])
    if term.op is Op.BV_SHL and set(forms[1]) == {_ONE} and 0 <= forms[1][_ONE] < term.sort.width:
        return combine({}, forms[0], 1 << int(forms[1][_ONE]))
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

    SciPy's HiGHS solves this, without a time limit. Integer variables get whole values, and bit vectors signed ones;
    variables that occur in no constraint are 0. The point may violate a constraint by a rounding error.

    Args:
        parts: the linear constraints. Their conditions ``within`` hold, too.
        variables: the variables whose values are returned, in this order.

    Returns:
        The values of the variables; None if no point is found whose coordinates are from -1e12 to 1e12.
    """
    if not parts:
        return [0.0] * len(variables)
    rows = [*parts, *(condition for part in parts for condition in part.within)]
    mentioned = list(dict.fromkeys(v for part in parts for v in part.coefficients))
    for bound in _BOUNDS:
        point = _inner_point(rows, mentioned, bound)
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
    whole = [v.sort == INT or v.sort.is_bits for v in variables]
    ends = [_ends(v) if v.sort.is_bits else (-bound, bound) for v in variables]
    box = Bounds(np.array([*(max(-bound, end[0]) for end in ends), 0.0]),
                 np.array([*(min(bound, end[1]) for end in ends), 1.0]))  # fmt: skip
    found = milp(aim, constraints=LinearConstraint(rows, low, high), integrality=[*whole, False], bounds=box)
    if found.x is None:
        return None
    if found.x[n] <= 0 and any(part.wanted == NEGATIVE for part in parts):
        return None
    return [float(round(value)) if is_whole else float(value) for is_whole, value in zip(whole, found.x, strict=False)]


def restored(parts: Sequence[Linear], variables: Sequence[Term], point: Sequence[float]) -> Iterator[list[float]]:
    """Yield points near a point at which all linear equations hold over the rationals, until a rounding to doubles.

    The coordinates are rounded, first to few binary places. Then each equation determines one of its variables.

    Args:
        parts: the linear constraints; inequalities are ignored.
        variables: the variables of the point.
        point: the point.
    """
    equations = [{**part.coefficients, _ONE: part.constant} for part in parts if part.wanted == ZERO]
    solved = _echelon(equations)
    for places in _PLACES:
        values = {v: Fraction(round(Fraction(value) * (1 << places)), 1 << places)
                  for v, value in zip(variables, point, strict=True) if math.isfinite(value)}  # fmt: skip
        for variable, form in reversed(solved):  # its own coefficient is 1
            rest = sum((c * values.get(v, Fraction(0)) for v, c in form.items() if v not in (_ONE, variable)),
                       form.get(_ONE, Fraction(0)))  # fmt: skip
            values[variable] = -rest
        if all(values[v].denominator == 1 for v, _ in solved if v.sort == INT or v.sort.is_bits):
            yield [to_float(values.get(v, Fraction(0))) for v in variables]


def _echelon(equations: Iterable[Form]) -> list[tuple[Term, Form]]:
    """Return equations, each with a variable that the later ones do not have and whose coefficient is 1 (Gauss).

    Equations without variables are left out.
    """
    solved = list[tuple[Term, Form]]()
    for equation in equations:
        form = equation
        for known, other in solved:
            form = combine(form, other, -form.get(known, Fraction(0)))
        pivot = next((v for v, c in form.items() if v is not None and c), None)
        if pivot is not None:
            solved.append((pivot, combine({}, form, 1 / form[pivot])))
    return solved


def to_float(value: Fraction) -> float:
    """Return the nearest float; 1e300 or -1e300 for a value beyond the range of floats."""
    try:
        return float(value)
    except OverflowError:
        return 1e300 if value > 0 else -1e300
