"""Constructors of common terms: negation, conjunction, disjunction, if-then-else, equality."""

from __future__ import annotations

from collections.abc import Iterable

from .nodes import Op, Rounding, Term, constant, make
from .sorts import BOOL, ROUNDING

TRUE, FALSE = constant(BOOL, True), constant(BOOL, False)
RNE, RNA, RTP, RTN, RTZ = (constant(ROUNDING, mode) for mode in Rounding)


def negation(term: Term) -> Term:
    """Return ``not term``, without a double negation."""
    if term.is_constant:
        return FALSE if term.data else TRUE
    return term.args[0] if term.op is Op.NOT else make(Op.NOT, term)


def conjunction(terms: Iterable[Term]) -> Term:
    """Return a term that holds where all the terms hold. Of no terms, it is ``TRUE``."""
    return _joined(Op.AND, terms, FALSE, TRUE)


def disjunction(terms: Iterable[Term]) -> Term:
    """Return a term that holds where at least one of the terms holds. Of no terms, it is ``FALSE``."""
    return _joined(Op.OR, terms, TRUE, FALSE)


def _joined(op: Op, terms: Iterable[Term], decides: Term, nothing: Term) -> Term:
    """Return a conjunction or disjunction without repeated parts and ``nothing``; ``decides`` if that is a part."""
    parts: dict[Term, None] = {}
    for term in terms:
        for part in term.args if term.op is op else (term,):
            if part is decides:
                return decides
            if part is not nothing:
                parts[part] = None
    return make(op, *parts) if len(parts) > 1 else next(iter(parts), nothing)


def conjuncts(terms: Iterable[Term]) -> list[Term]:
    """Return a list with the same conjunction, in which each conjunction is split into its parts.

    A negated disjunction is split, too. Repeated parts and ``TRUE`` are left out.
    """
    found: dict[Term, None] = {}
    waiting = list(terms)[::-1]
    while waiting:
        term = waiting.pop()
        if term.op is Op.AND:
            waiting += term.args[::-1]
        elif term.op is Op.NOT and term.args[0].op is Op.OR:
            waiting += [negation(part) for part in term.args[0].args[::-1]]
        elif term is not TRUE:
            found[term] = None
    return list(found)


def if_else(condition: Term, then: Term, other: Term) -> Term:
    """Return the term ``then if condition else other``."""
    return make(Op.ITE, condition, then, other)


def equal(a: Term, b: Term) -> Term:
    """Return a term that holds where both values are identical: NaN equals NaN, -0.0 is not 0.0."""
    return make(Op.EQUAL, a, b)
