"""``&``, ``|``, ``^``, ``<<`` and ``>>`` of ints without a width, as arithmetic on them."""

from __future__ import annotations

from .....term.core.build import equal, if_else
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify
from .....term.core.sorts import INT, bits

_MOST_SHIFTED = 256
_MOST_SHIFTS = 64  # amounts of a shift that are told apart
_WIDEST = 64  # bits of two numbers of which neither is a constant
_MOST_FIELDS = 8  # runs of ones in a mask
_ZERO = constant(INT, 0)


def bits_of_integers(sign: str, a: Term, b: Term) -> Term | None:
    """Return ``a sign b`` of two Int terms; None if it can not be said.

    A mask is arithmetic: ``x & 7`` is ``x % 8`` in Python, also for negative numbers.
    """
    if sign in ("<<", ">>"):
        return _shifted(sign, a, b)
    if a.is_constant:
        a, b = b, a
    if not b.is_constant:
        common = _and(a, b)
    elif b.data >= 0:
        common = _masked(a, int(b.data))
    else:
        rest = _masked(a, ~int(b.data))
        common = None if rest is None else make(Op.SUB, a, rest)
    if common is None or sign == "&":
        return common
    total = make(Op.ADD, a, b)
    return make(Op.SUB, total, common if sign == "|" else make(Op.MUL, constant(INT, 2), common))


def _masked(number: Term, mask: int) -> Term | None:
    """``number & mask``: the sum of its fields under each run of ones."""
    found, at = _ZERO, 0
    for _ in range(_MOST_FIELDS):
        if not mask:
            return simplify(found)
        zeros = (mask & -mask).bit_length() - 1
        at, mask = at + zeros, mask >> zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        field = make(Op.FLOOR_MOD, make(Op.FLOOR_DIV, number, constant(INT, 1 << at)), constant(INT, 1 << ones))
        found = make(Op.ADD, found, make(Op.MUL, field, constant(INT, 1 << at)))
        at, mask = at + ones, mask >> ones
    return simplify(found) if not mask else None


def _and(a: Term, b: Term) -> Term | None:
    """``a & b`` of two numbers that are not negative and have few bits."""
    largest = [most(term) for term in (a, b)]
    if None in largest:
        return None
    width = max(1, *(number.bit_length() for number in largest if number is not None))
    if width > _WIDEST:
        return None
    return make(Op.BITS_TO_INT, make(Op.BV_AND, *(make(Op.INT_TO_BITS, term, data=bits(width)) for term in (a, b))))


def _shifted(sign: str, number: Term, by: Term) -> Term | None:
    op = Op.MUL if sign == "<<" else Op.FLOOR_DIV
    if by.is_constant:
        return make(op, number, constant(INT, 1 << by.data)) if 0 <= by.data < _MOST_SHIFTED else None
    largest = most(by)
    if largest is None or largest > _MOST_SHIFTS:
        return None
    found = make(op, number, constant(INT, 1 << largest))
    for amount in range(largest - 1, -1, -1):
        found = if_else(equal(by, constant(INT, amount)), make(op, number, constant(INT, 1 << amount)), found)
    return found


def most(term: Term) -> int | None:
    """Return a bound above a term that is never negative; None if it may be negative, or no bound is known."""
    match term.op:
        case Op.CONSTANT:
            return int(term.data) if term.data >= 0 else None
        case Op.FLOOR_MOD if term.args[1].is_constant and term.args[1].data > 0:
            return int(term.args[1].data) - 1
        case Op.BITS_TO_INT:
            return (1 << term.args[0].sort.width) - 1
        case Op.ADD | Op.MUL:
            return _combined(term.op is Op.ADD, [most(part) for part in term.args])
        case Op.FLOOR_DIV if term.args[1].is_constant and term.args[1].data > 0:
            above = most(term.args[0])
            return None if above is None else above // int(term.args[1].data)
        case Op.ITE:
            parts = [most(part) for part in term.args[1:]]
            return None if None in parts else max(part for part in parts if part is not None)
    return None


def _combined(adds: bool, parts: list[int | None]) -> int | None:
    found = 0 if adds else 1
    for part in parts:
        if part is None:
            return None
        found = found + part if adds else found * part
    return found
