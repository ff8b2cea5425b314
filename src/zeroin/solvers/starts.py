"""Where searches for a model start: the words of known models, and values worth trying for each variable."""

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
    """The ranges of the variables, with pools of special values and of what the constants may mean."""
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
    for term in postorder(roots):
        if term.op is not Op.CONSTANT:
            continue
        if term.sort.is_float or term.sort == REAL:
            try:
                yield Constant.of_float(float(term.value))
            except OverflowError:  # a rational beyond the doubles
                continue
        elif term.sort.is_bits and term.sort.width <= 64:
            yield Constant.of_integer(term.data, term.sort.width)
        elif term.sort == INT and -(1 << 63) <= term.data < 1 << 63:
            yield Constant.of_integer(term.data)


def starts_of(query: Query, condition: Condition) -> list[Words]:
    """The words of the query's starts, and at last those of plain values."""
    models = [*query.starts, {}]
    return [
        tuple(word_of(v.sort, model[v.data] if v.data in model else default(v.sort)) for v in condition.variables)
        for model in models
    ]
