"""Values that are left open: where a term has one, and what depends on it.

SMT-LIB lets a solver choose what ``(/ x 0.0)`` or ``(fp.to_real (_ +oo 11 53))`` is; C leaves ``x / 0``, a cast that
does not fit and the bits of a computed NaN to the machine. Evaluation takes one such value (:class:`.nodes.Op` says
which), so that a search has something to find and a model can be checked. A proof has to hold for all of them:
:mod:`.to_smt` writes a fresh constant, and :mod:`.simplify` leaves such a term alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from .evaluate import evaluate
from .nodes import Op, Rounding, Term
from .rounding import to_integer
from .traversal import fold

ZERO_DIVISION, CAST, NO_NUMBER = "a division by zero", "a cast that does not fit", "the number of NaN or an infinity"
NAN_BITS, ZEROS = "the bits of NaN", "the least or greatest of -0.0 and 0.0"


def why_open(term: Term, values: Sequence[Any]) -> str | None:
    """What leaves the value of a term open, given the values of its arguments; None where it is not."""
    if term.op is Op.OPEN:
        return str(term.data)
    what, test = (_MATH.get(term.data) if term.op is Op.MATH else _WHERE.get(term.op)) or ("", None)
    return what if test is not None and test(term, *values) else None


def resting_on(terms: Iterable[Term], model: Mapping[str, Any]) -> tuple[str, ...]:
    """What the values of terms may depend on that is left open, for a model.

    Raises:
        NoValue: a term has no value.
    """
    values: dict[Term, Any] = {}
    known: dict[Term, frozenset[str]] = {}
    found: set[str] = set()

    def visit(part: Term, args: list[frozenset[str]]) -> frozenset[str]:
        return _causes(part, args, values)

    for term in terms:
        evaluate(term, model, values)
        causes: frozenset[str] = fold(term, visit, known)
        found |= causes
    return tuple(sorted(found))


def _causes(term: Term, args: list[frozenset[str]], values: Mapping[Term, Any]) -> frozenset[str]:
    """What a value rests on: of an ``ite`` on the case that is taken, of ``and`` and ``or`` on what decides."""
    if term.op is Op.ITE:
        return args[0] | (args[1] if values[term.args[0]] else args[2])
    decides = {Op.AND: False, Op.OR: True}.get(term.op)
    if decides is not None and values[term] is decides:
        return min((a for part, a in zip(term.args, args, strict=True) if values[part] is decides), key=len)
    own = why_open(term, [values[a] for a in term.args])
    return frozenset().union(*args, [] if own is None else [own])


def _does_not_fit(t: Term, mode: Rounding, a: float) -> bool:
    value, width, is_signed = to_integer(mode, a), t.sort.width, t.op is Op.FP_TO_SIGNED
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
    return value is None or not low <= value < high


def _no_number(t: Term, a: float) -> bool:
    return not math.isfinite(a)


def _two_zeros(t: Term, a: float, b: float) -> bool:
    return a == b == 0 and math.copysign(1, a) != math.copysign(1, b)


def _by_zero(t: Term, a: Any, b: Any) -> bool:
    return bool(b == 0)


Where = tuple[str, Callable[..., bool]]  # what it is, and whether a term has it for the values of its arguments
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
