"""C's operations as terms: where the standard leaves a result undefined, its value is open.

A reader of programs takes these for division, remainder, shifts and the bits of floats; all other operations are terms
as they are. An input float is a variable: :func:`bits_of` gives its own bits, NaN's with sign and payload.
"""

from __future__ import annotations

from collections.abc import Callable

from .build import FALSE, equal, if_else
from .nodes import Op, Term, constant, make
from .open_values import ZERO_DIVISION
from .simplify import folded, simpler
from .sorts import Sort, bits

SHIFT = "a shift by the width or more"
OVERFLOW = "a quotient that does not fit"


def open_where(wrong: Term, value: Term, what: str) -> Term:
    """The value, which is open where ``wrong`` holds.

    Args:
        wrong: a condition.
        value: what a search takes it for there.
        what: leaves it open, for people. Where a program may have two values for one term, give two reasons.
    """
    wrong = simpler(wrong)
    if wrong.is_constant:
        return make(Op.OPEN, value, data=what) if wrong.data else value
    return if_else(wrong, make(Op.OPEN, value, data=what), value)


def settled(value: Term, anything: Callable[[Sort], Term]) -> Term:
    """The value that an operation gives this time, with what ``anything`` makes in place of what is open of it: two
    operations that are alike need not give the same."""
    if value.op is Op.OPEN:
        return anything(value.sort)
    if value.op is Op.ITE and value.args[1].op is Op.OPEN:
        return if_else(value.args[0], anything(value.sort), settled(value.args[2], anything))
    return value


def c_operation(op: Op, a: Term, b: Term) -> Term:
    """``a op b`` as C computes it on bit vectors: a division by zero, the quotient of the least number by -1, and a
    shift by the width or more are open."""
    sort = a.sort
    if op in (Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR):
        far = folded(Op.BV_ULE, constant(sort, sort.width), b)
        low = make(Op.BV_AND, b, constant(sort, 63 if sort.width > 32 else 31))  # what x86 looks at
        return open_where(far, make(op, a, if_else(far, low, b)), SHIFT) if far is not FALSE else make(op, a, b)
    value = make(op, a, b)
    if op in (Op.BV_SDIV, Op.BV_SREM):
        least = make(Op.AND, equal(a, constant(sort, 1 << (sort.width - 1))), equal(b, constant(sort, -1)))
        value = open_where(least, value, OVERFLOW)
    if op in (Op.BV_UDIV, Op.BV_UREM, Op.BV_SDIV, Op.BV_SREM):
        value = open_where(equal(b, constant(sort, 0)), value, ZERO_DIVISION)
    return value


def bits_of(term: Term) -> Term:
    """The bits of a float as they lie in memory: what only moves them, or changes the sign, keeps those of a NaN; the
    bits of a NaN that was computed are open."""
    known: dict[Term, Term] = {}
    stack = [term]
    while stack:
        part = stack[-1]
        waiting = [a for a in _carried(part) if a not in known]
        if not waiting:
            known[part] = _bits(part, [known[a] for a in _carried(part)])
            stack.pop()
        stack += waiting
    return known[term]


def _carried(term: Term) -> tuple[Term, ...]:
    """The floats whose bits are in those of the term."""
    if term.op is Op.ITE:
        return term.args[1:]
    moves = term.op in (Op.FP_NEG, Op.FP_ABS) or (term.op is Op.MATH and term.data in ("fabs", "copysign"))
    return term.args if moves else ()


def _bits(term: Term, carried: list[Term]) -> Term:
    if term.op is Op.FP_FROM_BITS:
        return term.args[0]
    if not carried:
        number = term.is_constant and term.value == term.value
        return constant(bits(term.sort.width), term.data) if number else make(Op.FP_TO_BITS, term)
    if term.op is Op.ITE:
        return if_else(term.args[0], *carried)
    sort = carried[0].sort
    sign, rest = constant(sort, 1 << (sort.width - 1)), constant(sort, (1 << (sort.width - 1)) - 1)
    if term.op is Op.FP_NEG:
        return make(Op.BV_XOR, carried[0], sign)
    size = make(Op.BV_AND, carried[0], rest)
    return size if len(carried) == 1 else make(Op.BV_OR, size, make(Op.BV_AND, carried[1], sign))
