"""Python's operations on ints and floats in LLVM IR: exact comparisons and their distances, divisions, powers.

In LLVM IR a Real is a double, so a Real and a float are compared as doubles.
"""

from __future__ import annotations

import ctypes

from ...native.words import INFINITY
from ..core.evaluate import libm
from ..core.nodes import Op, Term
from ..core.sorts import FLOAT32, REAL
from .values import Write, Writer, ir_type

RELATIONS = {Op.EXACT_EQ: "eq", Op.EXACT_LT: "lt", Op.EXACT_LE: "le"}

# The distance of an Int n and a double x in steps: the ULP steps between x and the double nearest to n, and 1/2048 for
# each integer between n and that double. There are at most 512 such integers, so the distance grows with every step
# that n makes away from x.
_HELPERS = """
define internal double @zeroin_beside(i64 %n) alwaysinline {
  %d = sitofp i64 %n to double
  %back = call i64 @llvm.fptosi.sat.i64.f64(double %d)
  %rest = sub i64 %n, %back
  %beside = sitofp i64 %rest to double
  ret double %beside
}
define internal double @zeroin_exact_steps(i64 %n, double %x) alwaysinline {
  %d = sitofp i64 %n to double
  %beside = call double @zeroin_beside(i64 %n)
  %part = fmul double %beside, 0x3F40000000000000
  %wn = call i64 @zeroin_word_of_double(double %d)
  %wx = call i64 @zeroin_word_of_double(double %x)
  %steps = call double @zeroin_steps(i64 %wn, i64 %wx)
  %above = icmp sge i64 %wn, %wx
  %back = fneg double %part
  %shift = select i1 %above, double %part, double %back
  %sum = fadd double %steps, %shift
  %minus = fneg double %sum
  %less = fcmp olt double %sum, 0.0
  %size = select i1 %less, double %minus, double %sum
  %some = fcmp ogt double %size, 0.0
  %cost = select i1 %some, double %size, double 0x3F40000000000000
  ret double %cost
}
define internal double @zeroin_exact_gap(i64 %n, double %x) alwaysinline {
  %d = sitofp i64 %n to double
  %beside = call double @zeroin_beside(i64 %n)
  %rounded = fsub double %d, %x
  %minus = fneg double %beside
  %gap = call double @zeroin_gap(double %rounded, double %minus)
  ret double %gap
}
"""
_POWER = """
define internal {i64, i1} @zeroin_power(i64 %base, i64 %exponent) {
entry:
  %negative = icmp slt i64 %exponent, 0
  br i1 %negative, label %none, label %loop
none:
  ret {i64, i1} zeroinitializer
loop:
  %a = phi i64 [%base, %entry], [%square, %on]
  %left = phi i64 [%exponent, %entry], [%half, %on]
  %result = phi i64 [1, %entry], [%next, %on]
  %wrong = phi i1 [false, %entry], [%bad, %on]
  %odd = trunc i64 %left to i1
  %factor = select i1 %odd, i64 %a, i64 1
  %pair = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %result, i64 %factor)
  %next = extractvalue {i64, i1} %pair, 0
  %over = extractvalue {i64, i1} %pair, 1
  %worse = or i1 %wrong, %over
  %half = lshr i64 %left, 1
  %done = icmp eq i64 %half, 0
  br i1 %done, label %end, label %on
on:
  %pair2 = call {i64, i1} @llvm.smul.with.overflow.i64(i64 %a, i64 %a)
  %square = extractvalue {i64, i1} %pair2, 0
  %over2 = extractvalue {i64, i1} %pair2, 1
  %bad = or i1 %worse, %over2
  br label %loop
end:
  %some = insertvalue {i64, i1} undef, i64 %next, 0
  %all = insertvalue {i64, i1} %some, i1 %worse, 1
  ret {i64, i1} %all
}
"""


def c_function(name: str, count: int, single: bool) -> int:
    """Return the address of C's math function. A call by address keeps LLVM from using its own implementation.

    Args:
        name: the name of the variant for double.
        count: the number of arguments.
        single: whether to return the variant for float.
    """
    return ctypes.cast(libm(name, count, single), ctypes.c_void_p).value or 0


def wide(w: Writer, term: Term, value: str) -> str:
    """Convert a float or a Real to a double; return the name of its value. ``value`` is the name of the present one."""
    return w.put(f"fpext float {value} to double") if term.sort == FLOAT32 else value


def cost(w: Writer, term: Term, args: list[str], table: str, wanted: bool) -> str:
    """Write the distance of an Int and a float whose comparison does not have the wanted truth value.

    Args:
        w: collects the instructions.
        term: the comparison, an exact one.
        args: the names of the operands' values.
        table: the branch distance: ``ulp``, ``korel`` or ``squared``.
        wanted: the wanted truth value.

    Returns:
        The name of the distance.
    """
    w.declared["declare i64 @llvm.fptosi.sat.i64.f64(double)"] = None
    w.declared[_HELPERS] = None
    n, x, _ = _in_order(w, term, args)
    strict = (term.op is Op.EXACT_LT) == wanted  # equal operands do not give the wanted truth value
    if table != "ulp":
        return of_gap(w, w.put(f"call double @zeroin_exact_gap(i64 {n}, double {x})"), table, strict)
    steps = w.put(f"call double @zeroin_exact_steps(i64 {n}, double {x})")
    if strict:
        steps = w.put(f"fadd double {steps}, 1.0")
    if not wanted:  # a comparison with NaN is false, as wanted: NaN needs no case of its own
        return steps
    nan = w.put(f"fcmp uno double {x}, {x}")
    word = w.put(f"call i64 @zeroin_word_of_double(double {x})")
    away = w.put(f"call double @zeroin_from_nan(i1 {nan}, i64 {word}, i64 {INFINITY})")
    return w.put(f"select i1 {nan}, double {w.put(f'fadd double {away}, 1.0')}, double {steps}")


def of_gap(w: Writer, gap: str, table: str, strict: bool) -> str:
    """Write the ``korel`` or ``squared`` distance for ``|a - b|``; return its name.

    Args:
        w: collects the instructions.
        gap: the name of ``|a - b|``.
        table: ``korel`` or ``squared``.
        strict: whether equal operands do not give the wanted truth value.
    """
    if table == "squared":
        gap = w.put(f"call double @zeroin_square(double {gap})")
    if strict:
        return w.put(f"fadd double {gap}, 1.0")
    return w.put(f"select i1 {w.put(f'fcmp ogt double {gap}, 0.0')}, double {gap}, double 0x0000000000000001")


def _in_order(w: Writer, term: Term, args: list[str]) -> tuple[str, str, bool]:
    """Return the names of the Int and of the double, and whether the double is the left operand."""
    flipped = term.args[0].sort.is_float
    n, x = args[::-1] if flipped else args
    return n, wide(w, term.args[not flipped], x), flipped


def _comparison(w: Writer, t: Term, args: list[str]) -> str:
    """Write an exact comparison."""
    relation = RELATIONS[t.op]
    if REAL in (t.args[0].sort, t.args[1].sort):
        a, b = (wide(w, part, value) for part, value in zip(t.args, args, strict=True))
        return w.put(f"fcmp o{relation} double {a}, {b}")
    n, x, flipped = _in_order(w, t, args)
    # An Int can be compared with the rounded double instead: n < x is n < ceil(x), and so on.
    up = relation != "eq" and (relation == "lt") != flipped
    whole = w.call("double", f"llvm.{'ceil' if up else 'floor'}.f64", ("double", x))
    low = w.put(f"fcmp oge double {whole}, 0xC3E0000000000000")
    high = w.put(f"fcmp olt double {whole}, 0x43E0000000000000")
    fits = w.put(f"and i1 {low}, {high}")
    safe = w.put(f"fptosi double {w.put(f'select i1 {fits}, double {whole}, double 0.0')} to i64")
    left, right = (safe, n) if flipped else (n, safe)
    inside = w.put(f"icmp {'eq' if relation == 'eq' else f's{relation}'} i64 {left}, {right}")
    if relation == "eq":
        same = w.put(f"fcmp oeq double {whole}, {x}")
        return w.put(f"and i1 {fits}, {w.put(f'and i1 {inside}, {same}')}")
    beyond = w.put(f"fcmp {'olt' if flipped else 'ogt'} double {x}, 0.0")  # false for NaN
    return w.put(f"select i1 {fits}, i1 {inside}, i1 {beyond}")


def _quotient(w: Writer, t: Term, args: list[str]) -> str:
    """Write the quotient of two Ints. One that no double holds exactly sets a flag in ``overflows``."""
    doubles = []
    for a in args:
        d = w.put(f"sitofp i64 {a} to double")
        back = w.call("i64", "llvm.fptosi.sat.i64.f64", ("double", d))
        w.overflows.append(w.put(f"icmp ne i64 {back}, {a}"))
        w.overflows.append(w.put(f"icmp eq i64 {a}, {(1 << 63) - 1}"))
        doubles.append(d)
    zero = w.put(f"icmp eq i64 {args[1]}, 0")
    plain = w.put(f"fdiv double {doubles[0]}, {doubles[1]}")
    return w.put(f"select i1 {zero}, double 0x7FF8000000000000, double {plain}")


def _floor_division(w: Writer, t: Term, args: list[str]) -> str:
    """Write CPython's ``//`` of floats, the same as :func:`zeroin.term.core.rounding.floor_divide`."""
    kind, suffix, (a, b) = ir_type(t.sort), "f32" if t.sort == FLOAT32 else "f64", args

    def select(condition: str, then: str, other: str) -> str:
        return w.put(f"select i1 {condition}, {kind} {then}, {kind} {other}")

    rest = w.indirect(kind, c_function("fmod", 2, t.sort == FLOAT32), (kind, a), (kind, b))
    divided = w.put(f"fdiv {kind} {a}, {b}")
    quotient = w.put(f"fdiv {kind} {w.put(f'fsub {kind} {a}, {rest}')}, {b}")
    signs = [w.put(f"fcmp olt {kind} {x}, 0.0") for x in (b, rest)]
    some = w.put(f"fcmp one {kind} {rest}, 0.0")
    lower = w.put(f"and i1 {some}, {w.put(f'xor i1 {signs[0]}, {signs[1]}')}")
    quotient = select(lower, w.put(f"fsub {kind} {quotient}, 1.0"), quotient)
    below = w.call(kind, f"llvm.floor.{suffix}", (kind, quotient))
    up = w.put(f"fcmp ogt {kind} {w.put(f'fsub {kind} {quotient}, {below}')}, 0.5")
    whole = select(up, w.put(f"fadd {kind} {below}, 1.0"), below)
    signed = w.call(kind, f"llvm.copysign.{suffix}", (kind, "0.0"), (kind, divided))
    whole = select(w.put(f"fcmp oeq {kind} {quotient}, 0.0"), signed, whole)
    return select(w.put(f"fcmp oeq {kind} {b}, 0.0"), "0x7FF8000000000000", whole)


def power(w: Writer, args: list[str]) -> str:
    """Write the power of two Ints, by repeated squaring; return its name. It is 0 for a negative exponent.

    An overflow sets a flag in ``overflows``.
    """
    w.declared["declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)"] = None
    w.declared[_POWER] = None
    pair = w.put(f"call {{i64, i1}} @zeroin_power(i64 {args[0]}, i64 {args[1]})")
    w.overflows.append(w.put(f"extractvalue {{i64, i1}} {pair}, 1"))
    return w.put(f"extractvalue {{i64, i1}} {pair}, 0")


EXACT: dict[Op, Write] = {Op.QUOTIENT: _quotient, Op.FP_FLOOR_DIV: _floor_division}
EXACT |= dict.fromkeys(RELATIONS, _comparison)
