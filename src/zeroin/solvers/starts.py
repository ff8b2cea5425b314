"""The starting points of searches for a model, and the dictionary of values for each variable.

Searches work on ordered words: 64-bit integers in the order of the values that they encode (:mod:`zeroin.words`).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..minimize import Domain
from ..minimize.dictionary import derived, special
from ..objective.condition import Condition, range_of, word_of
from ..subject.base import Words
from ..subject.constant import Constant
from ..term.core.evaluate import default
from ..term.core.nodes import Op, Term
from ..term.core.sorts import INT, REAL
from ..term.core.traversal import postorder
from ..words import Kind
from .base import Query


def domain_of(condition: Condition) -> Domain:
    """Return the full ranges of the variables' sorts, with a dictionary for each variable.

    A dictionary has the special values of the variable's type, and values derived from all constants in the condition.
    Values outside the variable's range are left out. Words are in the order of ``condition.variables``.
    """
    constants = list(dict.fromkeys(_constants(condition.conjuncts)))
    pools = []
    for v in condition.variables:
        low, high = range_of(v.sort)
        kind = Kind.F64 if v.sort == REAL else condition.domain.kinds[condition.variables.index(v)]
        found = [*special(kind), *(w for c in constants for w in derived(kind, c))]
        pools.append(tuple(w for w in dict.fromkeys(found) if low <= w <= high))
    plain = condition.domain
    return Domain(plain.kinds, plain.ranges, tuple(pools))


def _constants(roots: Iterable[Term]) -> Iterable[Constant]:
    """Yield the numeric constants in terms, but no integers of more than 64 bits, and none too large for a double."""
    for term in postorder(roots):
        if term.op is not Op.CONSTANT:
            continue
        if term.sort.is_float or term.sort == REAL:
            try:
                yield Constant.of_float(float(term.value))
            except OverflowError:  # a rational beyond the range of doubles
                continue
        elif term.sort.is_bits and term.sort.width <= 64:
            yield Constant.of_integer(term.data, term.sort.width)
        elif term.sort == INT and -(1 << 63) <= term.data < 1 << 63:
            yield Constant.of_integer(term.data)


def starts_of(query: Query, condition: Condition) -> list[Words]:
    """Return the words of the query's starts, followed by those of the sorts' default values: at least one input.

    Variables that a start lacks get their default values. Words are in the order of ``condition.variables``.
    """
    models = [*query.starts, {}]
    return [
        tuple(word_of(v.sort, model[v.data] if v.data in model else default(v.sort)) for v in condition.variables)
        for model in models
    ]
