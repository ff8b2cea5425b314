"""Bit vectors in LLVM IR."""

from __future__ import annotations

from collections.abc import Callable

from ..core.nodes import Op, Term
from .values import Writer, ir_type


def _division(instruction: str) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of SMT-LIB's division, which is defined for all operands, also for zero and for least / -1."""
    signed, remainder = instruction[0] == "s", instruction.endswith("rem")

    def write(w: Writer, t: Term, args: list[str]) -> str:
        if t.sort.width > 1:
            return total(w, ir_type(t.sort), *args)
        wide = [w.put(f"{'sext' if signed else 'zext'} i1 {a} to i8") for a in args]  # a signed i1 has no 1
        return w.put(f"trunc i8 {total(w, 'i8', *wide)} to i1")

    def total(w: Writer, kind: str, a: str, b: str) -> str:
        zero = w.put(f"icmp eq {kind} {b}, 0")
        hazard = zero
        if signed:
            hazard = w.put(f"or i1 {zero}, {w.put(f'icmp eq {kind} {b}, -1')}")
        safe = w.put(f"select i1 {hazard}, {kind} 1, {kind} {b}")
        plain = w.put(f"{instruction} {kind} {a}, {safe}")
        if not signed:
            return w.put(f"select i1 {zero}, {kind} {a if remainder else -1}, {kind} {plain}")
        minus = w.put(f"select i1 {hazard}, {kind} {'0' if remainder else w.put(f'sub {kind} 0, {a}')}, {kind} {plain}")
        if remainder:
            return w.put(f"select i1 {zero}, {kind} {a}, {kind} {minus}")
        negative = w.put(f"icmp slt {kind} {a}, 0")
        at_zero = w.put(f"select i1 {negative}, {kind} 1, {kind} -1")
        return w.put(f"select i1 {zero}, {kind} {at_zero}, {kind} {minus}")

    return write


def _smod(w: Writer, t: Term, args: list[str]) -> str:
    kind, (a, b) = ir_type(t.sort), args
    rest = _division("srem")(w, t, args)
    other = w.put(f"icmp slt {kind} {w.put(f'xor {kind} {rest}, {b}')}, 0")
    adjust = w.put(f"and i1 {other}, {w.put(f'icmp ne {kind} {rest}, 0')}")
    fixed = w.put(f"select i1 {adjust}, {kind} {w.put(f'add {kind} {rest}, {b}')}, {kind} {rest}")
    return w.put(f"select i1 {w.put(f'icmp eq {kind} {b}, 0')}, {kind} {a}, {kind} {fixed}")


def _shift(instruction: str) -> Callable[[Writer, Term, list[str]], str]:
    def write(w: Writer, t: Term, args: list[str]) -> str:
        kind, (a, b) = ir_type(t.sort), args
        far = w.put(f"icmp uge {kind} {b}, {t.sort.width}")
        near = w.put(f"select i1 {far}, {kind} 0, {kind} {b}")
        shifted = w.put(f"{instruction} {kind} {a}, {near}")
        gone = "0"
        if instruction == "ashr":
            negative = w.put(f"icmp slt {kind} {a}, 0")
            gone = w.put(f"select i1 {negative}, {kind} -1, {kind} 0")
        return w.put(f"select i1 {far}, {kind} {gone}, {kind} {shifted}")

    return write


def _concat(w: Writer, t: Term, args: list[str]) -> str:
    kind, low = ir_type(t.sort), t.args[1].sort.width
    high = w.put(f"zext {ir_type(t.args[0].sort)} {args[0]} to {kind}")
    return w.put(f"or {kind} {w.put(f'shl {kind} {high}, {low}')}, {w.put(f'zext i{low} {args[1]} to {kind}')}")


def _extract(w: Writer, t: Term, args: list[str]) -> str:
    source, target = ir_type(t.args[0].sort), ir_type(t.sort)
    moved = w.put(f"lshr {source} {args[0]}, {t.data[1]}")
    return moved if source == target else w.put(f"trunc {source} {moved} to {target}")


def _extend(instruction: str) -> Callable[[Writer, Term, list[str]], str]:
    def write(w: Writer, t: Term, args: list[str]) -> str:
        source, target = ir_type(t.args[0].sort), ir_type(t.sort)
        return args[0] if source == target else w.put(f"{instruction} {source} {args[0]} to {target}")

    return write


WRITERS: dict[Op, Callable[[Writer, Term, list[str]], str]] = {
    Op.BV_NOT: lambda w, t, args: w.put(f"xor {ir_type(t.sort)} {args[0]}, -1"),
    Op.BV_NEG: lambda w, t, args: w.put(f"sub {ir_type(t.sort)} 0, {args[0]}"),
    Op.BV_UDIV: _division("udiv"), Op.BV_UREM: _division("urem"), Op.BV_SDIV: _division("sdiv"),
    Op.BV_SREM: _division("srem"), Op.BV_SMOD: _smod, Op.BV_SHL: _shift("shl"), Op.BV_LSHR: _shift("lshr"),
    Op.BV_ASHR: _shift("ashr"), Op.BV_CONCAT: _concat, Op.BV_EXTRACT: _extract, Op.BV_ZERO_EXTEND: _extend("zext"),
    Op.BV_SIGN_EXTEND: _extend("sext"),
}  # fmt: skip
