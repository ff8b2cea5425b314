"""Open values: where a term has a value that the language does not define, and what depends on it.

SMT-LIB lets a solver choose the value of ``(/ x 0.0)`` or ``(fp.to_real (_ +oo 11 53))``. C leaves three values to the
machine: ``x / 0``, a cast that does not fit, and the bits of a computed NaN. Evaluation uses one fixed value, listed
in :class:`.nodes.Op`; so a search can find inputs, and models can be checked. A proof has to hold for all values:
:mod:`zeroin.term.smt.writer` writes a fresh constant for an open value, and :mod:`.simplify` does not fold it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from .evaluate import evaluate
from .nodes import Op, Rounding, Term
from .rounding import to_integer
from .traversal import fold

ZERO_DIVISION, CAST, NO_NUMBER = "a division by zero", "a cast that does not fit", "the number of NaN or an infinity"
NAN_BITS, ZEROS = "the bits of NaN", "the least or greatest of -0.0 and 0.0"


def why_open(term: Term, values: Sequence[object]) -> str | None:
    """Return the reason why a term's value is open, given the values of its arguments; None if it is not open."""
    if term.op is Op.OPEN:
        return str(term.data)
    what, test = (_MATH.get(term.data) if term.op is Op.MATH else _WHERE.get(term.op)) or ("", None)
    return what if test is not None and test(term, *values) else None


def resting_on(terms: Iterable[Term], model: Mapping[str, object]) -> tuple[str, ...]:
    """Return the open values that the terms' values may depend on under a model.

    Args:
        terms: any terms.
        model: the values of the variables by name.

    Returns:
        The reasons of these open values, such as "a division by zero", sorted; empty if there are none.

    Raises:
        NoValue: a term can not be evaluated.
    """
    values: dict[Term, object] = {}
    known: dict[Term, frozenset[str]] = {}
    found: set[str] = set()

    def visit(part: Term, args: list[frozenset[str]]) -> frozenset[str]:
        return _causes(part, args, values)

    for term in terms:
        evaluate(term, model, values)
        causes: frozenset[str] = fold(term, visit, known)
        found |= causes
    return tuple(sorted(found))


def _causes(term: Term, args: list[frozenset[str]], values: Mapping[Term, object]) -> frozenset[str]:
    """Return the reasons of the open values that a term depends on, given those of its arguments.

    An ``ite`` depends on its condition and the chosen case; ``and`` and ``or`` on one argument that decides them.
    """
    if term.op is Op.ITE:
        return args[0] | (args[1] if values[term.args[0]] else args[2])
    decides = {Op.AND: False, Op.OR: True}.get(term.op)
    if decides is not None and values[term] is decides:
        return min((a for part, a in zip(term.args, args, strict=True) if values[part] is decides), key=len)
    own = why_open(term, [values[a] for a in term.args])
    return frozenset().union(*args, [] if own is None else [own])


def _does_not_fit(t: Term, mode: Rounding, a: float) -> bool:
    """Return whether a float, rounded, does not fit the bit vector to which it is cast."""
    value, width, is_signed = to_integer(mode, a), t.sort.width, t.op is Op.FP_TO_SIGNED
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
    return value is None or not low <= value < high


def _no_number(t: Term, a: float) -> bool:
    return not math.isfinite(a)


def _two_zeros(t: Term, a: float, b: float) -> bool:
    """Return whether the arguments are zeros of different signs."""
    return a == b == 0 and math.copysign(1, a) != math.copysign(1, b)


def _by_zero(t: Term, a: object, b: object) -> bool:
    return bool(b == 0)


Where = tuple[str, Callable[..., bool]]  # the reason, and a test: does it apply to a term and its arguments' values?
_WHERE: dict[Op, Where] = {
    Op.FP_MIN: (ZEROS, _two_zeros), Op.FP_MAX: (ZEROS, _two_zeros),
    Op.FP_TO_SIGNED: (CAST, _does_not_fit), Op.FP_TO_UNSIGNED: (CAST, _does_not_fit),
    Op.FP_TO_BITS: (NAN_BITS, lambda t, a: a != a and t.args[0].op is not Op.VARIABLE),
    Op.FP_TO_REAL: (NO_NUMBER, _no_number), Op.FP_TO_INT: (NO_NUMBER, _no_number),
}  # fmt: skip
_DIVISIONS = (Op.DIVIDE, Op.FLOOR_DIV, Op.FLOOR_MOD, Op.TRUNC_DIV, Op.TRUNC_MOD, Op.EUCLID_DIV, Op.EUCLID_MOD)
_WHERE |= dict.fromkeys(_DIVISIONS, (ZERO_DIVISION, _by_zero))
_MATH: dict[str, Where] = {
    "fmin": (ZEROS, _two_zeros), "fmax": (ZEROS, _two_zeros),
    "copysign": (NAN_BITS, lambda t, a, b: b != b and t.args[1].op is not Op.VARIABLE),
}  # fmt: skip
