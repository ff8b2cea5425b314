"""Comparisons as residuals: ``left - right``, with the sign that satisfies the comparison."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..term.core.build import RNE, conjuncts, negation
from ..term.core.nodes import Op, Term, make
from ..term.core.sorts import INT, REAL

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
    """Return the residuals of all conjuncts that have one.

    These are comparisons of floats, Ints and Reals, also negated ones, except ``!=``. See :func:`comparison` for NaN.
    """
    found = []
    for number, conjunct in enumerate(conjuncts):
        sides = comparison(conjunct)
        if sides is not None:
            left, right, wanted = sides
            found.append(Residual(number, _difference(left, right), wanted))
    return found


def comparison(conjunct: Term) -> tuple[Term, Term, int] | None:
    """Split a comparison of floats, Ints or Reals into its sides.

    A negated inequality becomes the opposite one with its sides swapped, as if no operand were NaN.

    Returns:
        The left side, the right side, and the required sign of ``left - right``: ``ZERO``, ``NOT_POSITIVE`` or
        ``NEGATIVE``. None for other conditions and for ``!=``.
    """
    negated = conjunct.op is Op.NOT
    inside = conjunct.args[0] if negated else conjunct
    if inside.op not in _WANTED or not _numeric(inside.args[0]):
        return None
    left, right = inside.args
    wanted = _WANTED[inside.op]
    if not negated:
        return left, right, wanted
    return None if wanted == ZERO else (right, left, NEGATIVE if wanted == NOT_POSITIVE else NOT_POSITIVE)


def alternatives(conjunct: Term) -> list[list[tuple[Term, int]]]:
    """Return the disjuncts of a conjunct that consist of comparisons; others are left out.

    A conjunct that is no disjunction is its only disjunct.

    Returns:
        For each such disjunct, its comparisons: the difference ``left - right`` and its required sign. Empty if there
        is no such disjunct.
    """
    return [found for disjunct in _disjuncts(conjunct) if (found := _all_compared(disjunct))]


def _disjuncts(term: Term) -> list[Term]:
    """Return the parts of a disjunction, also of a nested one or of a negated conjunction; else the term alone."""
    if term.op is Op.OR:
        return [part for arg in term.args for part in _disjuncts(arg)]
    if term.op is Op.NOT and term.args[0].op is Op.AND:
        return [part for arg in term.args[0].args for part in _disjuncts(negation(arg))]
    return [term]


def _all_compared(disjunct: Term) -> list[tuple[Term, int]] | None:
    """Return the comparisons of a conjunction; None if a part of it is no comparison."""
    sides = [comparison(part) for part in conjuncts([disjunct])]
    if any(side is None for side in sides):
        return None
    return [(_difference(left, right), wanted) for left, right, wanted in filter(None, sides)]


_WANTED = {Op.FP_EQ: ZERO, Op.EQUAL: ZERO, Op.FP_LE: NOT_POSITIVE, Op.LE: NOT_POSITIVE, Op.FP_LT: NEGATIVE,
           Op.LT: NEGATIVE}  # fmt: skip


def _numeric(term: Term) -> bool:
    """Whether a term is a float, an Int or a Real."""
    return term.sort.is_float or term.sort in (INT, REAL)


def _difference(left: Term, right: Term) -> Term:
    """Return the term ``left - right``; for floats, rounded to nearest."""
    if left.sort.is_float:
        return make(Op.FP_SUB, RNE, left, right)
    return make(Op.SUB, left, right)
