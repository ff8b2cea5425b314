"""The checks for faults as terms; in numbers, see :mod:`zeroin.languages.python.run.probes.fault_checks`."""

from __future__ import annotations

from .....distance import EQ, GE, GT, LE, LT, UNORDERED
from .....term.core.build import FALSE, RNE, conjunction, disjunction, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.sorts import FLOAT64, INT
from .....term.expression.typed import DOUBLE, WHOLE, Typed
from ...run.probes.fault_checks import EPSILON, MOST_EXACT, NOT_BELOW, Check, is_whole
from .numbers import numeric
from .operations import comparison_of_terms

_SIGNS = {EQ: "==", LT: "<", LE: "<=", GT: ">", GE: ">="}


def fails(check: Check, value: Typed) -> Term:
    """Return the condition under which a number makes the operation fail."""
    return fails_at(check.op, check.size, check.limit, value)


def fails_at(op: int, size: bool, limit: float, value: Typed) -> Term:
    """Return the condition ``value op limit``; if ``size``, of the absolute value."""
    number = numeric(value)
    if op == UNORDERED:
        return make(Op.FP_IS_NAN, number.term) if number.type == DOUBLE else FALSE
    if op == NOT_BELOW:
        return negation(_compared("<", size, limit, number))
    return _compared(_SIGNS[op], size, limit, number)


def _compared(sign: str, size: bool, limit: float, number: Typed) -> Term:
    whole = number.type == WHOLE and is_whole(limit)
    bound = Typed(constant(INT, int(limit)), WHOLE) if whole else Typed(constant(FLOAT64, limit), DOUBLE)
    if not size:
        return comparison_of_terms(sign, number, bound)
    if number.type == DOUBLE:
        return comparison_of_terms(sign, Typed(make(Op.FP_ABS, number.term), DOUBLE), bound)
    opposite = Typed(make(Op.NEG, number.term), WHOLE)
    both = [comparison_of_terms(sign, one, bound) for one in (number, opposite)]
    return disjunction(both) if sign in (">", ">=", "==") else negation(disjunction(map(negation, both)))


def is_wrong(kind: str, sign: str, a: Typed, b: Typed, result: Typed) -> Term:
    """Return the condition under which a float that an operation returns is wrong, though its operands are not.

    Args:
        kind: a key of :data:`zeroin.languages.python.run.probes.fault_checks.RESULTS`.
        sign: the operator.
        a, b: the operands.
        result: the result, a float.
    """
    floats = [one.term for one in (a, b) if one.type == DOUBLE]
    if kind == "nan":
        return conjunction([make(Op.FP_IS_NAN, result.term), *(negation(make(Op.FP_IS_NAN, x)) for x in floats)])
    finite = [negation(make(test, x)) for x in floats for test in (Op.FP_IS_NAN, Op.FP_IS_INF)]
    if kind == "overflow":
        return conjunction([make(Op.FP_IS_INF, result.term), *finite])
    if kind == "precision":
        whole = [numeric(one) for one in (a, b) if one.type != DOUBLE]
        if not whole or (len(whole) == 2 and sign != "/"):
            return FALSE
        bound = constant(INT, MOST_EXACT)
        return disjunction(make(Op.LT, bound, term) for one in whole for term in (one.term, make(Op.NEG, one.term)))
    size = Typed(make(Op.FP_ABS, result.term), DOUBLE)
    lost = [comparison_of_terms("<=", size, _last_digit(x)) for x in floats]
    nonzero = [negation(make(Op.FP_IS_ZERO, x)) for x in floats]
    return conjunction([disjunction(lost), *finite, *nonzero]) if len(floats) == 2 else FALSE


def _last_digit(x: Term) -> Typed:
    """Return the size of a float times 2**-52: at most one ULP of it, unless it is subnormal."""
    return Typed(make(Op.FP_MUL, RNE, make(Op.FP_ABS, x), constant(FLOAT64, EPSILON)), DOUBLE)


def outside(index: Term, count: int) -> Term:
    """Return the condition under which an index is outside of a sequence of ``count`` items."""
    return disjunction([make(Op.LT, index, constant(INT, -count)), make(Op.LE, constant(INT, count), index)])
