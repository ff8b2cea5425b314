"""The boundaries of a comparison as terms; in numbers, :func:`zeroin.languages.python.run.probes.operands.beside`."""

from __future__ import annotations

import math

from .....subject.base import STEPS
from .....term.core.build import FALSE, conjunction, equal, if_else, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify_above
from .....term.core.sorts import FLOAT64, INT, bits
from .....term.expression.typed import DOUBLE, Typed
from .numbers import numeric
from .operations import comparison_of_terms

_WORD = bits(64)
_SIGN, _ZERO = constant(_WORD, 1 << 63), constant(_WORD, 0)
_SIZE = constant(_WORD, (1 << 63) - 1)


def boundaries_of(a: Typed, b: Typed, written: float | None = None) -> list[Term]:
    """Conditions: that two numbers are equal, that the left one is the next above, that it is the next below.

    Args:
        written: the value of one of the two, a float: beside it, steps are those of an int on the other side.
    """
    one, other = numeric(a), numeric(b)
    conditions = [_boundary(one, other, step, written) for step in STEPS]
    return [simplify_above(condition, a.term, b.term) for condition in conditions]


def _boundary(one: Typed, other: Typed, step: int, written: float | None) -> Term:
    floats = one.type == DOUBLE, other.type == DOUBLE
    if floats == (False, False):
        return equal(one.term, make(Op.ADD, other.term, constant(INT, step)))
    if floats[0] and floats[1]:
        ordered = [negation(make(Op.FP_IS_NAN, term)) for term in (one.term, other.term)]
        return conjunction([*ordered, equal(_place(one.term), _moved(_place(other.term), step))])
    n, x, step = (other, one, -step) if floats[0] else (one, other, step)
    if written is not None:
        return _beside_written(n.term, written, step)
    beside = _at(_moved(_place(x.term), step))
    return conjunction([negation(make(Op.FP_IS_NAN, x.term)), comparison_of_terms("==", n, Typed(beside, DOUBLE))])


def _beside_written(n: Term, written: float, step: int) -> Term:
    if not math.isfinite(written):
        return FALSE
    low = math.floor(written)
    if not step:
        return equal(n, constant(INT, low)) if low == written else FALSE
    return equal(n, constant(INT, low + 1 if step > 0 else low - (low == written)))


def _moved(place: Term, step: int) -> Term:
    return make(Op.BV_ADD, place, constant(_WORD, step % (1 << 64))) if step else place


def _place(x: Term) -> Term:
    """Of a float among all, as a number with a sign; both zeros are one."""
    pattern = make(Op.FP_TO_BITS, x)
    negative = make(Op.BV_SLT, pattern, _ZERO)
    return if_else(negative, make(Op.BV_NEG, make(Op.BV_AND, pattern, _SIZE)), pattern)


def _at(place: Term) -> Term:
    """The float at a place."""
    negative = make(Op.BV_SLT, place, _ZERO)
    return make(Op.FP_FROM_BITS, if_else(negative, make(Op.BV_OR, make(Op.BV_NEG, place), _SIGN), place), data=FLOAT64)
