"""SMT-LIB text of operations whose value is open for some arguments (:mod:`zeroin.term.core.open_values`).

A fresh constant stands for the open value. So a proof depends on no choice, neither the solver's nor ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.nodes import Op, Term
from ..core.open_values import CAST, NAN_BITS, NO_NUMBER, ZERO_DIVISION, ZEROS
from ..core.sorts import INT
from .text import power_of_two

if TYPE_CHECKING:
    from .writer import Writer


def extreme(word: str) -> Callable[..., str]:
    """Return the function that writes the SMT-LIB text of a minimum ("lt") or maximum ("gt"), given the comparison.

    If one float is NaN, the result is the other one. For 0.0 and -0.0, it is open which one it is.
    """

    def special(w: Writer, t: Term, a: str, b: str) -> str:
        second = f"(fp.{word} {b} {a})"
        if not any(arg.is_constant and arg.value != 0 for arg in t.args):
            zeros = f"(fp.isZero {a}) (fp.isZero {b}) (not (= {a} {b}))"
            second = f"(or {second} (and {zeros} {w.open(ZEROS, 'Bool')}))"
        return f"(ite (or (fp.isNaN {a}) {second}) {b} {a})"

    return special


def float_to_bits(w: Writer, t: Term, a: str) -> str:
    """Write a float's bits as a constant that converts to this float; a NaN has any of its bit patterns.

    The bits of a variable are added to the writer's symbols, so that a model gives their value. Other bits are open.
    """
    (arg,) = t.args
    known = w.fresh(w.sort(t.sort))
    w.lines.append(f"(assert (= ((_ to_fp {arg.sort.sizes[0]} {arg.sort.sizes[1]}) {known}) {a}))")
    if arg.op is Op.VARIABLE:
        w.symbols[known] = t
    else:
        w.opened[NAN_BITS] = None
    return known


def float_to_integer(w: Writer, t: Term, mode: str, a: str) -> str:
    """Write a cast from a float to a bit vector. The value is open where the rounded float does not fit."""
    width, sort, is_signed = t.sort.width, t.args[1].sort, t.op is Op.FP_TO_SIGNED
    value = w.named(str(sort), f"(fp.roundToIntegral {mode} {a})")
    high = power_of_two(sort, width - is_signed)
    low = power_of_two(sort, width - 1, 1) if is_signed else f"(_ +zero {sort.sizes[0]} {sort.sizes[1]})"
    tests = [f"(not (fp.isNaN {value}))", f"(not (fp.isInfinite {value}))"]
    tests += [f"(fp.lt {value} {high})"] if high else []
    tests += [f"(fp.leq {low} {value})"] if low else []
    cast = f"((_ fp.to_{'s' if is_signed else 'u'}bv {width}) RTZ {value})"
    return f"(ite (and {' '.join(tests)}) {cast} {w.open(CAST, w.sort(t.sort))})"


def float_to_number(number: str) -> Callable[..., str]:
    """Return the writer of a cast to Real or Int, given its text for finite floats with ``{}`` for the float."""

    def special(w: Writer, t: Term, a: str) -> str:
        value = w.open(NO_NUMBER, w.sort(t.sort))
        return f"(ite (or (fp.isNaN {a}) (fp.isInfinite {a})) {value} {number.format(a)})"

    return special


def division(make: Callable[[str, str], str]) -> Callable[..., str]:
    """Return the writer of a division of Ints or Reals; ``make`` writes it for a divisor other than zero."""

    def special(w: Writer, t: Term, a: str, b: str) -> str:
        divisor = t.args[1]
        if divisor.is_constant and divisor.data:
            return make(a, b)
        value, zero = w.open(ZERO_DIVISION, w.sort(t.sort)), "0" if t.sort == INT else "0.0"
        return value if divisor.is_constant else f"(ite (= {b} {zero}) {value} {make(a, b)})"

    return special
