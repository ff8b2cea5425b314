"""C's operations as terms. Where the C standard leaves a result undefined, the value is open (:mod:`.open_values`).

Symbolic execution uses these functions for division, remainder, shifts and the bits of floats. All other operations
are plain terms. For an input float, :func:`bits_of` gives its own bits, with the sign and payload of a NaN.
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
    """Return the value as a term that is open where ``wrong`` holds.

    Args:
        wrong: a condition of sort Bool.
        value: the value; evaluation uses it also where ``wrong`` holds.
        what: the reason why the value is open, for people. Terms with equal value and reason are one open value, so
            use different reasons where a program may have different values.
    """
    wrong = simpler(wrong)
    if wrong.is_constant:
        return make(Op.OPEN, value, data=what) if wrong.data else value
    return if_else(wrong, make(Op.OPEN, value, data=what), value)


def with_open_replaced(value: Term, fresh: Callable[[Sort], Term]) -> Term:
    """Return the result of an operation, with each of its open values replaced by a new variable.

    As terms, two equal operations have one and the same open value. In a program, each may compute another value. So
    call this for each operation on its own.

    Args:
        value: a value, as :func:`open_where` returns it. Open values inside its operands are not replaced.
        fresh: returns a new variable of a sort. It is called once for each open value.
    """
    if value.op is Op.OPEN:
        return fresh(value.sort)
    if value.op is Op.ITE and value.args[1].op is Op.OPEN:
        return if_else(value.args[0], fresh(value.sort), with_open_replaced(value.args[2], fresh))
    return value


def c_operation(op: Op, a: Term, b: Term) -> Term:
    """Return ``a op b`` as C computes it on bit vectors.

    The value is open for a division by zero, for the quotient of the least number and -1, and for a shift by the width
    or more.
    """
    sort = a.sort
    if op in (Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR):
        far = folded(Op.BV_ULE, constant(sort, sort.width), b)
        low = make(Op.BV_AND, b, constant(sort, 63 if sort.width > 32 else 31))  # x86 uses only these bits of the count
        return open_where(far, make(op, a, if_else(far, low, b)), SHIFT) if far is not FALSE else make(op, a, b)
    value = make(op, a, b)
    if op in (Op.BV_SDIV, Op.BV_SREM):
        least = make(Op.AND, equal(a, constant(sort, 1 << (sort.width - 1))), equal(b, constant(sort, -1)))
        value = open_where(least, value, OVERFLOW)
    if op in (Op.BV_UDIV, Op.BV_UREM, Op.BV_SDIV, Op.BV_SREM):
        value = open_where(equal(b, constant(sort, 0)), value, ZERO_DIVISION)
    return value


def bits_of(term: Term) -> Term:
    """Return the bits of a float as they are in memory.

    Operations that only move a float, or change its sign, keep the payload of a NaN. The bits of a computed NaN are
    open.
    """
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
    """Return the arguments whose bits a term takes over."""
    if term.op is Op.ITE:
        return term.args[1:]
    moves = term.op in (Op.FP_NEG, Op.FP_ABS) or (term.op is Op.MATH and term.data in ("fabs", "copysign"))
    return term.args if moves else ()


def _bits(term: Term, carried: list[Term]) -> Term:
    """Return the bits of a float, given those of the arguments that it takes over."""
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
