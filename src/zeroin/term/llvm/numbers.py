"""Ints, Reals and calls of functions in LLVM IR.

An Int is computed in 64 bits; after an overflow the objective is never zero. A Real is computed as a double: this is
good enough to find a candidate, which is then checked exactly.
"""

from __future__ import annotations

from collections.abc import Callable

from ..core import evaluate
from ..core.nodes import Op, Opaque, Term
from ..core.sorts import FLOAT32, REAL
from .exact import c_function, power
from .values import Write, Writer, ir_constant, ir_type, to_float


def _arithmetic(name: str) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of ``add``, ``sub`` or ``mul``."""

    def write(w: Writer, t: Term, args: list[str]) -> str:
        if t.sort == REAL:
            return w.put(f"f{name} double {args[0]}, {args[1]}")
        return w.checked(f"s{name}", args[0], args[1])

    return write


def _negation(w: Writer, t: Term, args: list[str]) -> str:
    return w.put(f"fneg double {args[0]}") if t.sort == REAL else w.checked("ssub", "0", args[0])


def _size(w: Writer, t: Term, args: list[str]) -> str:
    if t.sort == REAL:
        return w.call("double", "llvm.fabs.f64", ("double", args[0]))
    negative = w.put(f"icmp slt i64 {args[0]}, 0")
    return w.put(f"select i1 {negative}, i64 {w.checked('ssub', '0', args[0])}, i64 {args[0]}")


def _comparison(name: str) -> Callable[[Writer, Term, list[str]], str]:
    def write(w: Writer, t: Term, args: list[str]) -> str:
        if t.args[0].sort == REAL:
            return w.put(f"fcmp o{name} double {args[0]}, {args[1]}")
        return w.put(f"icmp s{name} i64 {args[0]}, {args[1]}")

    return write


def _quotient(w: Writer, t: Term, args: list[str]) -> str:
    zero = w.put(f"fcmp oeq double {args[1]}, 0.0")
    plain = w.put(f"fdiv double {args[0]}, {args[1]}")
    return w.put(f"select i1 {zero}, double 0.0, double {plain}")


def _division(style: str, remainder: bool) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of an integer division.

    Args:
        style: ``floor`` rounds the quotient down (Python), ``trunc`` rounds it towards zero (C), and ``euclid`` leaves
            no negative remainder (SMT-LIB).
        remainder: whether to write the remainder instead of the quotient.
    """

    def write(w: Writer, t: Term, args: list[str]) -> str:
        a, b = args
        zero = w.put(f"icmp eq i64 {b}, 0")
        hazard = w.put(f"or i1 {zero}, {w.put(f'icmp eq i64 {b}, -1')}")
        safe = w.put(f"select i1 {hazard}, i64 1, i64 {b}")
        quotient, rest = w.put(f"sdiv i64 {a}, {safe}"), w.put(f"srem i64 {a}, {safe}")
        if style != "trunc":
            wrong = w.put(f"icmp slt i64 {rest}, 0")
            if style == "floor":
                opposed = w.put(f"icmp slt i64 {w.put(f'xor i64 {rest}, {safe}')}, 0")
                wrong = w.put(f"and i1 {opposed}, {w.put(f'icmp ne i64 {rest}, 0')}")
            step = "-1"
            if style == "euclid":
                step = w.put(f"select i1 {w.put(f'icmp sgt i64 {safe}, 0')}, i64 -1, i64 1")
            size = safe if style == "floor" else w.call("i64", "llvm.abs.i64", ("i64", safe), ("i1 immarg", "false"))
            quotient = w.put(f"select i1 {wrong}, i64 {w.put(f'add i64 {quotient}, {step}')}, i64 {quotient}")
            rest = w.put(f"select i1 {wrong}, i64 {w.put(f'add i64 {rest}, {size}')}, i64 {rest}")
        if remainder:
            return w.put(f"select i1 {zero}, i64 {a}, i64 {rest}")  # for the divisor -1, it is 0 as for 1
        smallest = w.put(f"icmp eq i64 {a}, {-(1 << 63)}")
        minus_one = w.put(f"icmp eq i64 {b}, -1")
        w.overflows.append(w.put(f"and i1 {smallest}, {minus_one}"))
        by_one = w.put(f"select i1 {hazard}, i64 {w.put(f'sub i64 0, {a}')}, i64 {quotient}")
        return w.put(f"select i1 {zero}, i64 0, i64 {by_one}")

    return write


def _power(w: Writer, t: Term, args: list[str]) -> str:
    """Write a power. A small constant exponent becomes multiplications."""
    exponent = t.args[1]
    if not exponent.is_constant or exponent.data > 64:
        return power(w, args)
    if exponent.data < 0:
        return "0"
    result, square, left = "1", args[0], exponent.data
    while left:
        if left & 1:
            result = square if result == "1" else w.checked("smul", result, square)
        left >>= 1
        if left:
            square = w.checked("smul", square, square)
    return result


def _to_int(w: Writer, value: str) -> str:
    """Write the code that converts a double with an integral value to 64 bits.

    The flag that says whether the value is out of range is added to ``w.overflows``.
    """
    above = w.put(f"fcmp oge double {value}, 0xC3E0000000000000")
    below = w.put(f"fcmp olt double {value}, 0x43E0000000000000")
    fits = w.put(f"and i1 {above}, {below}")
    safe = w.put(f"select i1 {fits}, double {value}, double 0.0")
    w.overflows.append(w.put(f"xor i1 {fits}, true"))
    return w.put(f"fptosi double {safe} to i64")


def _float_to_int(w: Writer, t: Term, args: list[str]) -> str:
    """Write a float cast to an Int; 0 for NaN and infinities."""
    wide = args[0] if t.args[0].sort != FLOAT32 else w.put(f"fpext float {args[0]} to double")
    finite = w.call("i1", "llvm.is.fpclass.f64", ("double", wide), ("i32 immarg", "504"))
    kept = w.put(f"select i1 {finite}, double {wide}, double 0.0")
    return _to_int(w, w.call("double", "llvm.trunc.f64", ("double", kept)))


def _real_to_int(w: Writer, t: Term, args: list[str]) -> str:
    return _to_int(w, w.call("double", "llvm.floor.f64", ("double", args[0])))


def _float_to_real(w: Writer, t: Term, args: list[str]) -> str:
    """Write a float cast to a Real; 0 for NaN and infinities."""
    wide = args[0] if t.args[0].sort != FLOAT32 else w.put(f"fpext float {args[0]} to double")
    finite = w.call("i1", "llvm.is.fpclass.f64", ("double", wide), ("i32 immarg", "504"))
    return w.put(f"select i1 {finite}, double {wide}, double 0.0")


def _real_to_float(w: Writer, t: Term, args: list[str]) -> str:
    return args[1] if t.sort != FLOAT32 else w.put(f"fptrunc double {args[1]} to float")


def _bits_to_int(w: Writer, t: Term, args: list[str]) -> str:
    """Write a bit vector as an Int. An unsigned one of 64 bits may set a flag in ``overflows``."""
    width = t.args[0].sort.width
    if width < 64:
        return w.put(f"{'sext' if t.op is Op.SIGNED_TO_INT else 'zext'} i{width} {args[0]} to i64")
    if t.op is Op.BITS_TO_INT:
        w.overflows.append(w.put(f"icmp slt i64 {args[0]}, 0"))
    return args[0]


def _int_to_bits(w: Writer, t: Term, args: list[str]) -> str:
    return args[0] if t.sort.width == 64 else w.put(f"trunc i64 {args[0]} to i{t.sort.width}")


def _math(w: Writer, t: Term, args: list[str]) -> str:
    """Write a call of C's math function by its address, so that LLVM can not replace it by its own implementation."""
    if all(a.is_constant for a in t.args):
        return ir_constant(t.sort, evaluate.evaluate(t, {}))
    name, kind = "remainder" if t.op is Op.FP_REM else t.data, ir_type(t.sort)
    address = c_function(name, len(args), t.sort == FLOAT32)
    return w.indirect(kind, address, *((kind, a) for a in args))


def _call(w: Writer, t: Term, args: list[str]) -> str:
    """Write the call of an opaque function: native code, or a callback to Python."""
    opaque: Opaque = t.data
    if opaque.address is not None:
        kinds = [ir_type(s) for s in opaque.parameters]
        return w.indirect(ir_type(t.sort), opaque.address, *zip(kinds, args, strict=True))
    return w.callback(t, args)


NUMBERS: dict[Op, Write] = {
    Op.ADD: _arithmetic("add"), Op.SUB: _arithmetic("sub"), Op.MUL: _arithmetic("mul"), Op.NEG: _negation,
    Op.ABS: _size, Op.DIVIDE: _quotient, Op.LT: _comparison("lt"), Op.LE: _comparison("le"), Op.POWER: _power,
    Op.FLOOR_DIV: _division("floor", False), Op.FLOOR_MOD: _division("floor", True),
    Op.TRUNC_DIV: _division("trunc", False), Op.TRUNC_MOD: _division("trunc", True),
    Op.EUCLID_DIV: _division("euclid", False), Op.EUCLID_MOD: _division("euclid", True),
    Op.FP_TO_INT: _float_to_int, Op.FP_TO_REAL: _float_to_real, Op.REAL_TO_FP: _real_to_float,
    Op.REAL_TO_INT: _real_to_int, Op.INT_TO_REAL: lambda w, t, args: w.put(f"sitofp i64 {args[0]} to double"),
    Op.BITS_TO_INT: _bits_to_int, Op.SIGNED_TO_INT: _bits_to_int, Op.INT_TO_BITS: _int_to_bits,
    Op.INT_TO_FP: to_float("sitofp"), Op.MATH: _math, Op.FP_REM: _math, Op.CALL: _call,
}  # fmt: skip
