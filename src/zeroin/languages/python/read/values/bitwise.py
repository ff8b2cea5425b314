"""The operators of bits: ``&``, ``|``, ``^``, ``<<`` and ``>>``. An int that bits were made an int of stays bits."""

from __future__ import annotations

import operator
from collections.abc import Callable

from .....term.core.build import conjunction, disjunction, equal, negation
from .....term.core.nodes import Op, Term, constant, make
from .....term.core.simplify import simplify_above
from .....term.core.sorts import INT, bits
from .....term.expression.typed import TRUTH, WHOLE, Typed
from .numbers import carry, number_of, plain, typed_of
from .recording import Recording

_OPS = {"&": Op.BV_AND, "|": Op.BV_OR, "^": Op.BV_XOR}
SIGNS = (*_OPS, "<<", ">>")
_PLAIN: dict[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
_MOST_SHIFTED = 1 << 12
_MOST_BITS = 256  # of numbers that stay bits


def bitwise(recording: Recording, place: int, sign: str, a: float, b: float) -> float:
    """``a sign b`` of numbers, one of which carries a term."""
    x, y = plain(a), plain(b)
    value = _PLAIN[sign]
    if isinstance(x, float) or isinstance(y, float):
        return value(x, y)  # a TypeError
    if sign in ("<<", ">>"):
        return _shifted(recording, place, sign, a, b)
    one, other = typed_of(a), typed_of(b)
    if one.type == other.type == TRUTH:
        same = equal(one.term, other.term)
        found = {"&": conjunction([one.term, other.term]), "|": disjunction([one.term, other.term]),
                 "^": negation(same)}[sign]  # fmt: skip
        return carry(recording, value(x, y), Typed(simplify_above(found, one.term, other.term), TRUTH))
    terms = [number_of(a).term, number_of(b).term]
    found = _of_known_width(sign, terms) or _of_chosen_width(recording, place, sign, terms)
    return carry(recording, value(x, y), Typed(found, WHOLE))


def _of_known_width(sign: str, terms: list[Term]) -> Term | None:
    """Of numbers that are bits, or constants."""
    ranges = [_range_of(term) for term in terms]
    positive = [width for width, signed in filter(None, ranges) if not signed]
    if sign == "&" and positive:  # the smaller one leaves no more bits
        width, signed = min(positive), False
    elif None in ranges:
        return None
    else:
        signed = len(positive) < 2
        width = max(width + (signed and not is_signed) for width, is_signed in filter(None, ranges))
    if not 0 < width <= _MOST_BITS:
        return constant(INT, 0) if width == 0 else None
    joined = make(_OPS[sign], *(_bits_of(term, width) for term in terms))
    return simplify_above(make(Op.SIGNED_TO_INT if signed else Op.BITS_TO_INT, joined), *terms)


def _of_chosen_width(recording: Recording, place: int, sign: str, terms: list[Term]) -> Term:
    """The width that they have in this run is a choice."""
    width = 8
    while True:
        low, high = constant(INT, -(1 << (width - 1))), constant(INT, (1 << (width - 1)) - 1)
        within = [make(Op.LE, end, other) for term in terms for end, other in ((low, term), (term, high))]
        if recording.holds(simplify_above(conjunction(within), *terms), f"it has {width} bits", place):
            break
        width *= 2
    joined = make(_OPS[sign], *(make(Op.INT_TO_BITS, term, data=bits(width)) for term in terms))
    return simplify_above(make(Op.SIGNED_TO_INT, joined), *terms)


def _range_of(term: Term) -> tuple[int, bool] | None:
    """How many bits a number has at most, and whether one of them is a sign; None if that is not known."""
    if term.is_constant:
        return (term.data.bit_length(), False) if term.data >= 0 else ((~term.data).bit_length() + 1, True)
    if term.op in (Op.BITS_TO_INT, Op.SIGNED_TO_INT):
        return term.args[0].sort.width, term.op is Op.SIGNED_TO_INT
    return None


def _bits_of(term: Term, width: int) -> Term:
    """The lowest bits of a number."""
    if term.is_constant or term.op not in (Op.BITS_TO_INT, Op.SIGNED_TO_INT):
        return make(Op.INT_TO_BITS, term, data=bits(width))
    (own,) = term.args
    if own.sort.width < width:
        extend = Op.BV_SIGN_EXTEND if term.op is Op.SIGNED_TO_INT else Op.BV_ZERO_EXTEND
        return make(extend, own, data=bits(width))
    return own if own.sort.width == width else make(Op.BV_EXTRACT, own, data=(width - 1, 0))


def _shifted(recording: Recording, place: int, sign: str, a: float, b: float) -> float:
    x, y = plain(a), plain(b)
    value = _PLAIN[sign]
    number, by = number_of(a).term, number_of(b).term
    negative, large = make(Op.LT, by, constant(INT, 0)), make(Op.LT, constant(INT, _MOST_SHIFTED), by)
    if recording.holds(simplify_above(negative, by), f"{sign} may raise an exception", place):
        return value(x, y)
    if recording.holds(simplify_above(large, by), "a shift by very many bits", place):
        for term in (number, by):
            recording.pin(term, "a shift is taken from the run")
        return value(x, y)
    found = _shifted_bits(sign, number, by.data) if by.is_constant else None
    if found is None:
        power = make(Op.POWER, constant(INT, 2), by)
        found = make(Op.MUL if sign == "<<" else Op.FLOOR_DIV, number, power)
    return carry(recording, value(x, y), Typed(simplify_above(found, number, by), WHOLE))


def _shifted_bits(sign: str, number: Term, by: int) -> Term | None:
    """Of a number that is bits."""
    if number.op not in (Op.BITS_TO_INT, Op.SIGNED_TO_INT):
        return None
    (own,) = number.args
    width = own.sort.width
    if sign == ">>":
        at = min(by, width - 1)
        if at < by and number.op is Op.BITS_TO_INT:
            return constant(INT, 0)
        return make(number.op, make(Op.BV_EXTRACT, own, data=(width - 1, at)))
    if not by or width + by > _MOST_BITS:
        return number if not by else None
    return make(number.op, make(Op.BV_CONCAT, own, constant(bits(by), 0)))
