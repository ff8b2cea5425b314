"""Elimination of variables that an equation defines.

A search need not look for their values: each is replaced by its definition, and computed from the found model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..term.core.build import TRUE, conjuncts, negation
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Op, Term, make
from ..term.core.sorts import BOOL
from ..term.core.traversal import substitute, variables
from .base import Model, Query

Definitions = list[tuple[Term, Term]]  # a variable and its definition


def eliminated(query: Query) -> tuple[Query, Definitions]:
    """Eliminate the variables that equations define.

    ``x = t`` defines x by t. The comparison ``x == t`` of floats does so, too; then t must not be NaN, and x gets
    t's sign of zero. Every model of the new query, extended by the definitions, satisfies the old query. Only models
    that differ in the sign of a zero are lost.

    Returns:
        The query without the defined variables; and their definitions over the other variables, in the order in which
        to compute them. The same query and an empty list if no equation defines a variable.
    """
    parts = query.conjuncts
    chosen = _acyclic([_definition(part) for part in parts])
    if not chosen:
        return query, []
    known: dict[Term, Term] = {}
    memo: dict[Term, Term] = {}
    definitions: Definitions = []
    for number, v, term in chosen:
        known[v] = substitute(term, known, memo)
        definitions.append((v, known[v]))
        parts[number] = _remainder(parts[number], known[v])
    done = {number for number, _, _ in chosen}
    rest = [part if n in done else substitute(part, known, memo) for n, part in enumerate(parts)]
    return Query(tuple(conjuncts(rest)), query.starts), definitions


def completed(model: Mapping[str, object], definitions: Sequence[tuple[Term, Term]], query: Query) -> Model:
    """Return a new model: the given one, extended by the defined variables.

    Variables that occur only in definitions get the default values of their sorts.

    Args:
        model: a model of the query without the defined variables.
        definitions: the definitions, as :func:`eliminated` returned them.
        query: the query as it was before the elimination.

    Raises:
        NoValue: a definition can not be evaluated.
    """
    whole = dict(model)
    memo: dict[Term, object] = {}
    for v in variables([term for _, term in definitions]):
        if v.data not in whole:  # only definitions use it
            whole |= query.completed(whole)
            break
    for v, term in definitions:
        whole[v.data] = evaluate(term, whole, memo)
    return whole


def _definition(part: Term) -> tuple[Term, Term] | None:
    """Return the variable and the term that defines it; None if the conjunct is no definition."""
    if part.op is Op.VARIABLE and part.sort == BOOL:
        return None
    if part.op in (Op.EQUAL, Op.FP_EQ):
        for v, term in (part.args, part.args[::-1]):
            if v.op is Op.VARIABLE and v is not term:
                return v, term
    return None


def _remainder(part: Term, term: Term) -> Term:
    """Return the constraint that remains of a definition by this term: a compared float is not NaN."""
    if part.op is Op.FP_EQ:
        return negation(make(Op.FP_IS_NAN, term))
    return TRUE


def _acyclic(found: Sequence[tuple[Term, Term] | None]) -> list[tuple[int, Term, Term]]:
    """Choose at most one definition per variable, without cycles, sorted so that dependencies come first.

    Args:
        found: for each conjunct, the variable and the term that defines it; None for a conjunct that is no definition.

    Returns:
        The conjunct's index, the variable and the term of each chosen definition.
    """
    first: dict[Term, tuple[int, Term]] = {}
    for number, pair in enumerate(found):
        if pair is not None:
            first.setdefault(pair[0], (number, pair[1]))
    uses = {v: [u for u in variables([term]) if u in first] for v, (_, term) in first.items()}
    state: dict[Term, int] = {}  # 1: in progress, 2: done
    order: list[Term] = []
    dropped: set[Term] = set()
    for root in first:
        stack = [(root, 0)]
        while stack:
            v, at = stack.pop()
            if state.get(v) == 2 or v in dropped:
                continue
            state[v] = 1
            needs = [u for u in uses[v][at:] if state.get(u) != 2 and u not in dropped]
            if any(state.get(u) == 1 for u in needs):
                dropped.add(v)  # it stays a variable
                state[v] = 2
            elif needs:
                stack += [(v, 0), (needs[0], 0)]
            else:
                state[v] = 2
                order.append(v)
    return [(first[v][0], v, first[v][1]) for v in order]
