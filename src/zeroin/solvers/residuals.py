"""Comparisons as residuals: ``left - right``, with the sign that satisfies the comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..term.core.build import RNE, conjuncts, negation
from ..term.core.nodes import Op, Term, make
from ..term.core.sorts import FLOAT64, INT, REAL

# The required sign of a residual.
ZERO, NOT_POSITIVE, NEGATIVE = 0, 1, 2


@dataclass(frozen=True)
class Residual:
    """The residual of a conjunct that compares numbers.

    Attributes:
        conjunct: the conjunct's index in the list of conjuncts.
        difference: the term ``left - right``.
        wanted: the required sign: ``ZERO``, ``NOT_POSITIVE`` or ``NEGATIVE``.
    """

    conjunct: int
    difference: Term
    wanted: int


def residuals(conjuncts: Iterable[Term]) -> list[Residual]:
    """Return the residuals of all conjuncts that have one, except those of bit vectors.

    These are comparisons of floats, Ints and Reals, also negated ones, except ``!=``. See :func:`comparison` for NaN.
    """
    found = []
    for number, conjunct in enumerate(conjuncts):
        sides = comparison(conjunct)
        if sides is not None and sides[0].op not in _OF_BITS:
            left, right, wanted = sides
            found.append(Residual(number, _difference(left, right), wanted))
    return found


def comparison(conjunct: Term) -> tuple[Term, Term, int] | None:
    """Split a comparison of floats, Ints, Reals or bit vectors into its sides.

    A negated inequality becomes the opposite one with its sides swapped, as if no operand were NaN. The sides of a
    comparison of bit vectors are converted to Ints, as the comparison reads them: signed or unsigned.

    Returns:
        The left side, the right side, and the required sign of ``left - right``: ``ZERO``, ``NOT_POSITIVE`` or
        ``NEGATIVE``. None for other conditions and for ``!=``.
    """
    negated = conjunct.op is Op.NOT
    inside = conjunct.args[0] if negated else conjunct
    if inside.op not in _WANTED or not _numeric(inside.args[0]):
        return None
    left, right = inside.args
    if left.sort.is_bits:
        read = Op.BITS_TO_INT if inside.op in _UNSIGNED else Op.SIGNED_TO_INT
        left, right = make(read, left), make(read, right)
    wanted = _WANTED[inside.op]
    if not negated:
        return left, right, wanted
    return None if wanted == ZERO else (right, left, NEGATIVE if wanted == NOT_POSITIVE else NOT_POSITIVE)


def alternatives(conjunct: Term) -> list[list[tuple[Term, int]]]:
    """Return the comparisons of each disjunct of a conjunct. A disjunct without comparisons is left out.

    A conjunct that is no disjunction is its only disjunct.

    Returns:
        For each such disjunct, its comparisons: the difference ``left - right`` and its required sign. Empty if there
        is no such disjunct.
    """
    return [found for disjunct in _disjuncts(conjunct) if (found := _compared(disjunct))]


def _disjuncts(term: Term) -> list[Term]:
    """Return the parts of a disjunction, also of a nested one or of a negated conjunction; else the term alone."""
    if term.op is Op.OR:
        return [part for arg in term.args for part in _disjuncts(arg)]
    if term.op is Op.NOT and term.args[0].op is Op.AND:
        return [part for arg in term.args[0].args for part in _disjuncts(negation(arg))]
    return [term]


def _compared(disjunct: Term) -> list[tuple[Term, int]]:
    """Return the comparisons of a conjunction. Other parts are left out, such as "``exp(x)`` does not overflow"."""
    sides = filter(None, map(comparison, conjuncts([disjunct])))
    return [(_difference(left, right), wanted) for left, right, wanted in sides]


_WANTED = {Op.FP_EQ: ZERO, Op.EQUAL: ZERO, Op.FP_LE: NOT_POSITIVE, Op.LE: NOT_POSITIVE, Op.BV_SLE: NOT_POSITIVE,
           Op.BV_ULE: NOT_POSITIVE, Op.FP_LT: NEGATIVE, Op.LT: NEGATIVE, Op.BV_SLT: NEGATIVE,
           Op.BV_ULT: NEGATIVE}  # fmt: skip
_UNSIGNED = (Op.BV_ULE, Op.BV_ULT)
_OF_BITS = {Op.SIGNED_TO_INT: Op.SIGNED_TO_FP, Op.BITS_TO_INT: Op.UNSIGNED_TO_FP}


def _numeric(term: Term) -> bool:
    """Whether a term is a float, an Int, a Real or a bit vector."""
    return term.sort.is_float or term.sort.is_bits or term.sort in (INT, REAL)


def _difference(left: Term, right: Term) -> Term:
    """Return the term ``left - right``; for floats, rounded to nearest.

    That of bit vectors is a double, because the difference of Ints may have more than 64 bits.
    """
    if left.op in _OF_BITS and right.op in _OF_BITS:
        left, right = (make(_OF_BITS[side.op], RNE, side.args[0], data=FLOAT64) for side in (left, right))
    if left.sort.is_float:
        return make(Op.FP_SUB, RNE, left, right)
    return make(Op.SUB, left, right)
