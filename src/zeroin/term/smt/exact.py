"""SMT-LIB text of comparisons of an Int with a float, of Python's operators, and of some functions of C's math library.

A function becomes an uninterpreted function with facts about its values if SMT-LIB can not express it exactly. In an
abstract text, this is also done where solvers would take too long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..core.nodes import Op, Term
from ..core.sorts import INT
from .text import absolute, power_of_two

if TYPE_CHECKING:
    from .writer import Writer

_MOST = 1024  # the largest constant exponent of a power that is written as products
_RELATIONS = {Op.EXACT_EQ: "=", Op.EXACT_LT: "<", Op.EXACT_LE: "<="}


def _as_real(t: Term, text: str) -> str:
    return f"(to_real {text})" if t.sort == INT else text


def _comparison(w: Writer, t: Term, a: str, b: str) -> str:
    """Write an exact comparison as one of Reals. An infinity is beyond all Reals."""
    flipped = t.args[0].sort.is_float
    x = w.named(str(t.args[not flipped].sort), a if flipped else b)
    sides = [f"(fp.to_real {x})" if part.sort.is_float else _as_real(part, text)
             for part, text in zip(t.args, (a, b), strict=True)]  # fmt: skip
    beyond = "false" if t.op is Op.EXACT_EQ else f"(fp.is{'Negative' if flipped else 'Positive'} {x})"
    finite = f"({_RELATIONS[t.op]} {' '.join(sides)})"
    return f"(and (not (fp.isNaN {x})) (ite (fp.isInfinite {x}) {beyond} {finite}))"


def _comparison_of_reals(w: Writer, t: Term, a: str, b: str) -> str:
    return f"({_RELATIONS[t.op]} {_as_real(t.args[0], a)} {_as_real(t.args[1], b)})"


def _quotient(w: Writer, t: Term, a: str, b: str) -> str:
    exponent, digits = t.sort.sizes
    value = w.named(str(t.sort), f"((_ to_fp {exponent} {digits}) RNE (/ (to_real {a}) (to_real {b})))")
    zeros = f"(ite (xor (< {a} 0) (< {b} 0)) (_ -zero {exponent} {digits}) (_ +zero {exponent} {digits}))"
    return f"(ite (= {b} 0) (_ NaN {exponent} {digits}) (ite (fp.isZero {value}) {zeros} {value}))"


def _power(w: Writer, t: Term, a: str, b: str) -> str:
    exponent = t.args[1]
    if not exponent.is_constant or exponent.data > _MOST:
        unknown: str = w.uninterpreted(t, a, b)
        return unknown
    if exponent.data <= 0:
        return "0" if exponent.data else "1"
    result = a
    for digit in f"{exponent.data:b}"[1:]:
        result = w.named("Int", f"(* {result} {result} {a})" if digit == "1" else f"(* {result} {result})")
    return result


def _fmod(w: Writer, t: Term, a: str, b: str) -> str:
    """Write C's ``fmod``: the remainder of the absolute values, with the sign of the dividend.

    While the quotient is below 2**precision, rounding it towards zero gives its exact integer part, and one fused
    multiplication gives the exact remainder. For larger quotients, an abstract text has only bounds of the remainder:
    solvers take too long for the exact one.
    """
    sort, (exponent, digits) = str(t.sort), t.sort.sizes
    x, y = w.named(sort, f"(fp.abs {a})"), w.named(sort, f"(fp.abs {b})")
    quotient = w.named(sort, f"(fp.div RTZ {x} {y})")
    near = w.named("Bool", f"(fp.lt {quotient} {power_of_two(t.sort, digits)})")
    rest = f"(fp.fma RNE (fp.neg (fp.roundToIntegral RTZ {quotient})) {y} {x})"
    zero = f"(_ +zero {exponent} {digits})"
    defined = w.named("Bool", f"(not (or (fp.isNaN {x}) (fp.isInfinite {x}) (fp.isNaN {y}) (fp.isZero {y})))")
    if w.abstract:
        far = w.named(sort, w.uninterpreted(t, x, y))
        bounds = f"(and (fp.leq {zero} {far}) (fp.lt {far} {y}))"
        w.lines.append(f"(assert (=> {defined} (or {near} {bounds})))")
    else:
        signed = w.named(sort, f"(fp.rem {x} {y})")
        far = f"(ite (fp.lt {signed} {zero}) (fp.add RNE {signed} {y}) {signed})"
    size = w.named(sort, f"(ite (fp.isInfinite {y}) {x} (ite {near} {rest} {far}))")
    return f"(ite {defined} (ite (fp.isNegative {a}) (fp.neg {size}) {size}) (_ NaN {exponent} {digits}))"


def _floor_division(w: Writer, t: Term, a: str, b: str) -> str:
    """Write CPython's ``//`` of floats.

    While the quotient is small, the result is the floor of the exact quotient, which is also the floor of the quotient
    rounded down. For larger quotients, an abstract text has only a bound of its size.
    """
    sort, (exponent, digits) = str(t.sort), t.sort.sizes
    a, b = w.named(sort, a), w.named(sort, b)
    quotient = w.named(sort, f"(fp.div RTN {a} {b})")
    bound = power_of_two(t.sort, digits - 3)
    near = w.named("Bool", f"(fp.lt (fp.abs {quotient}) {bound})")
    defined = f"(not (or (fp.isNaN {a}) (fp.isInfinite {a}) (fp.isNaN {b}) (fp.isZero {b})))"
    opposed = w.named("Bool", f"(xor (fp.isNegative {a}) (fp.isNegative {b}))")
    zero, minus = f"(_ +zero {exponent} {digits})", f"(_ -zero {exponent} {digits})"
    beyond = f"(ite {opposed} (ite (fp.isZero {a}) {minus} (fp.neg {power_of_two(t.sort, 0)})) {zero})"
    if w.abstract:
        far = w.named(sort, w.uninterpreted(t, a, b))
        w.lines.append(
            f"(assert (or {near} (and (fp.leq {bound} (fp.abs {far})) (= (fp.isNegative {far}) {opposed}))))"
        )
    else:
        far = _large_quotient(w, t, a, b)
    value = f"(ite {near} (fp.roundToIntegral RTN {quotient}) {far})"
    return f"(ite {defined} (ite (fp.isInfinite {b}) {beyond} {value}) (_ NaN {exponent} {digits}))"


def _large_quotient(w: Writer, t: Term, a: str, b: str) -> str:
    """Write CPython's ``//`` of floats for results other than 0."""
    sort, one = str(t.sort), power_of_two(t.sort, 0)
    rest = w.named(sort, _fmod(w, t, a, b))
    lower = f"(and (not (fp.isZero {rest})) (xor (fp.isNegative {rest}) (fp.isNegative {b})))"
    quotient = w.named(sort, f"(fp.div RNE (fp.sub RNE {a} {rest}) {b})")
    quotient = w.named(sort, f"(ite {lower} (fp.sub RNE {quotient} {one}) {quotient})")
    below = w.named(sort, f"(fp.roundToIntegral RTN {quotient})")
    up = f"(fp.lt {power_of_two(t.sort, -1)} (fp.sub RNE {quotient} {below}))"
    return f"(ite {up} (fp.add RNE {below} {one}) {below})"


def _copysign(w: Writer, t: Term, a: str, b: str) -> str:
    """Write ``copysign``. It becomes an uninterpreted function if the second argument is NaN, whose sign is unknown."""
    size = f"(fp.abs {a})"
    return f"(ite (fp.isNaN {b}) {w.uninterpreted(t, a, b)} (ite (fp.isNegative {b}) (fp.neg {size}) {size}))"


def _pow(w: Writer, t: Term, a: str, b: str) -> str:
    """Write ``pow`` as an uninterpreted function. For a base of at least 1, the text says on which side of 1 it is."""
    sort, exponent = str(t.sort), t.sort.sizes
    power: str = w.named(sort, w.uninterpreted(t, a, b))
    b = w.named(sort, b)
    zero, one = f"(_ +zero {exponent[0]} {exponent[1]})", power_of_two(t.sort, 0)
    below = f"(=> (fp.leq {b} {zero}) (and (fp.leq {zero} {power}) (fp.leq {power} {one})))"
    above = f"(=> (fp.leq {zero} {b}) (fp.leq {one} {power}))"
    w.lines.append(f"(assert (=> (fp.leq {one} {a}) (and {below} {above})))")
    return power


def _fmod_of_reals(w: Writer, t: Term, a: str, b: str) -> str:
    quotient = w.named("Real", f"(/ {absolute(a, '0.0')} {absolute(b, '0.0')})")
    size = w.named("Real", f"(- {absolute(a, '0.0')} (* (to_real (to_int {quotient})) {absolute(b, '0.0')}))")
    return f"(ite (<= 0.0 {a}) {size} (- {size}))"


Special = Callable[..., str]  # takes the writer, the term and the texts of its arguments
SPECIAL: dict[Op, Special] = dict.fromkeys(_RELATIONS, _comparison)
SPECIAL |= {Op.POWER: _power, Op.QUOTIENT: _quotient, Op.FP_FLOOR_DIV: _floor_division}
ON_REALS: dict[Op, Special] = dict.fromkeys(_RELATIONS, _comparison_of_reals)
ON_REALS |= {Op.QUOTIENT: lambda w, t, a, b: f"(/ (to_real {a}) (to_real {b}))"}
ON_REALS |= {Op.FP_FLOOR_DIV: lambda w, t, a, b: f"(to_real (to_int (/ {a} {b})))"}
MATH: dict[str, Special] = {"fmod": _fmod, "copysign": _copysign, "pow": _pow}
MATH_ON_REALS: dict[str, Special] = {"fmod": _fmod_of_reals}
