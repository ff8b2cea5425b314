"""The values of terms in LLVM IR: one function for each operation writes its code."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from ...errors import ZeroinError
from ..core import evaluate
from ..core.nodes import Op, Rounding, Term, bits_of_float, computed_nan
from ..core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, Sort


class Unlowerable(ZeroinError):
    """Native code can not compute a part of a term. The message names it."""


def ir_type(sort: Sort) -> str:
    """Return the LLVM type of a sort.

    Raises:
        Unlowerable: the sort is an array, String, RoundingMode, or a bit vector of more than 64 bits.
    """
    if sort in (FLOAT32, FLOAT64):
        return "float" if sort == FLOAT32 else "double"
    if sort.is_bits and sort.width <= 64:
        return f"i{sort.width}"
    found = {BOOL: "i1", INT: "i64", REAL: "double"}.get(sort)
    if found is None:
        raise Unlowerable(f"{sort} is not searched")
    return found


def ir_constant(sort: Sort, value: Any) -> str:
    """Return the text of a constant in LLVM IR.

    Raises:
        Unlowerable: an Int needs more than 64 bits, or a Real is too large for a double.
    """
    if sort.is_float or sort == REAL:
        try:
            number = float(value)
        except OverflowError:
            raise Unlowerable("a Real beyond the doubles is not searched") from None
        return f"0x{bits_of_float(FLOAT64, number):016X}"
    if sort == INT and not -(1 << 63) <= value < 1 << 63:
        raise Unlowerable(f"the integer {value} has more than 64 bits")
    return str(int(value)) if sort != BOOL else str(bool(value)).lower()


class Writer:
    """Collects the instructions of one function. The names of values are numbered.

    Attributes:
        lines: the instructions.
        declared: the IR of functions that the instructions use, as keys.
        approximate: whether Reals are computed in doubles.
        kept: Python objects whose addresses are in the code. They must live as long as the code.
        overflows: the names of i1 values. If one is true, a computation overflowed or failed, and its value is wrong.
        failed: a cell that each callback sets: to 1 if it failed, otherwise to 0.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declared: dict[str, None] = {}
        self.approximate = False
        self.kept: list[object] = []
        self.overflows: list[str] = []
        self.failed = ctypes.c_int64(0)
        self._count = 0

    def put(self, text: str) -> str:
        """Add an instruction and return the name of its value."""
        self._count += 1
        self.lines.append(f"  %t{self._count} = {text}")
        return f"%t{self._count}"

    def call(self, result: str, function: str, *arguments: tuple[str, str]) -> str:
        """Add a call of an external function, declare the function, and return the name of the result.

        Args:
            result: the LLVM type of the result.
            function: the name of the function.
            arguments: pairs of an LLVM type and a value.
        """
        kinds = ", ".join(kind for kind, _ in arguments)
        self.declared[f"declare {result} @{function}({kinds})"] = None
        return self.put(f"call {result} @{function}({', '.join(f'{k} {v}' for k, v in arguments)})")

    def indirect(self, result: str, address: int, *arguments: tuple[str, str]) -> str:
        """Add a call of the function at an address and return the name of the result. Arguments are as in ``call``."""
        passed = ", ".join(f"{kind}{_extension(kind)} {value}" for kind, value in arguments)
        return self.put(f"call {result} inttoptr (i64 {address} to ptr)({passed})")

    def checked(self, function: str, a: str, b: str) -> str:
        """Add signed 64-bit arithmetic and return the name of the result. The overflow flag goes to ``overflows``.

        Args:
            function: the name of LLVM's intrinsic: ``sadd``, ``ssub`` or ``smul``.
            a: the first operand.
            b: the second operand.
        """
        name = f"llvm.{function}.with.overflow.i64"
        self.declared[f"declare {{i64, i1}} @{name}(i64, i64)"] = None
        pair = self.put(f"call {{i64, i1}} @{name}(i64 {a}, i64 {b})")
        self.overflows.append(self.put(f"extractvalue {{i64, i1}} {pair}, 1"))
        return self.put(f"extractvalue {{i64, i1}} {pair}, 0")

    def callback(self, term: Term, args: list[str]) -> str:
        """Add a call of the Python function that evaluates an operation; return the name of the result.

        This is slow. A failure of the function sets a flag in ``overflows``.

        Raises:
            Unlowerable: the operation takes or returns a Real.
        """
        operands = [a for a in term.args if a.sort != ROUNDING]
        if any(a.sort == REAL for a in (term, *operands)):
            raise Unlowerable(f"{term.op.name.lower()} of Real is not searched")
        modes = [a.data for a in term.args if a.sort == ROUNDING]
        values = [v for v, a in zip(args, term.args, strict=True) if a.sort != ROUNDING]
        meaning, failed = evaluate.MEANING[term.op], self.failed

        def function(*numbers: object) -> object:
            failed.value = 0
            try:
                value = meaning(term, *modes, *numbers)
            except Exception:
                failed.value = 1
                return 0
            if term.sort == INT and not -(1 << 63) <= value < 1 << 63:
                failed.value = 1
            return value

        pointer = ctypes.CFUNCTYPE(_c_type(term.sort), *(_c_type(a.sort) for a in operands))(function)
        self.kept.append(pointer)
        passed = []
        for value, a in zip(values, operands, strict=True):
            kind = ir_type(a.sort)
            wide = a.sort.is_bits and a.sort.width < 64
            passed.append(("i64", self.put(f"zext {kind} {value} to i64")) if wide else (kind, value))
        result = ir_type(term.sort)
        narrow = term.sort.is_bits and term.sort.width < 64
        found = self.indirect("i64" if narrow else result, ctypes.cast(pointer, ctypes.c_void_p).value or 0, *passed)
        cell = f"inttoptr (i64 {ctypes.addressof(failed)} to ptr)"
        self.overflows.append(self.put(f"icmp ne i64 {self.put(f'load volatile i64, ptr {cell}')}, 0"))
        return self.put(f"trunc i64 {found} to {result}") if narrow else found


def _extension(kind: str) -> str:
    """Return the attribute of a small integer argument: C's calling convention extends it."""
    return " zeroext" if kind.startswith("i") and int(kind[1:]) < 64 else ""


def _c_type(sort: Sort) -> Any:
    if sort.is_float:
        return ctypes.c_float if sort == FLOAT32 else ctypes.c_double
    if sort == BOOL:
        return ctypes.c_bool
    return ctypes.c_int64 if sort == INT else ctypes.c_uint64


def write_value(writer: Writer, term: Term, args: list[str]) -> str:
    """Write the computation of a term from the names of its arguments' values; return the name of its value.

    Raises:
        Unlowerable: native code can not compute the operation.
    """
    ir_type(term.sort)
    if term.op is Op.CONSTANT:
        return ir_constant(term.sort, term.value)
    if term.sort == REAL or any(a.sort == REAL for a in term.args):
        writer.approximate = True
    if term.op in _SIMPLE:
        return writer.put(f"{_SIMPLE[term.op]} {ir_type(term.args[0].sort)} {', '.join(args)}")
    if term.op in _ROUNDED:
        return _rounded(writer, term, args)
    if term.op not in WRITERS:
        raise Unlowerable(f"{term.op.name.lower()} is not searched")
    return WRITERS[term.op](writer, term, args)


_SIMPLE = {
    Op.FP_EQ: "fcmp oeq", Op.FP_LT: "fcmp olt", Op.FP_LE: "fcmp ole", Op.FP_NEG: "fneg",
    Op.BV_AND: "and", Op.BV_OR: "or", Op.BV_XOR: "xor", Op.BV_ADD: "add", Op.BV_SUB: "sub", Op.BV_MUL: "mul",
    Op.BV_ULT: "icmp ult", Op.BV_ULE: "icmp ule", Op.BV_SLT: "icmp slt", Op.BV_SLE: "icmp sle",
}  # fmt: skip

_ROUNDED = {Op.FP_ADD: "fadd", Op.FP_SUB: "fsub", Op.FP_MUL: "fmul", Op.FP_DIV: "fdiv", Op.FP_SQRT: "sqrt",
            Op.FP_FMA: "fma"}  # fmt: skip
_INTEGRAL = {Rounding.RNE: "roundeven", Rounding.RNA: "round", Rounding.RTP: "ceil", Rounding.RTN: "floor",
             Rounding.RTZ: "trunc"}  # fmt: skip


def _mode(term: Term) -> Rounding:
    """Return the rounding mode of an operation.

    Raises:
        Unlowerable: it is a variable.
    """
    mode = term.args[0]
    if not mode.is_constant:
        raise Unlowerable("a rounding mode that is a variable is not searched")
    return mode.data  # type: ignore[no-any-return]


def _rounded(w: Writer, t: Term, args: list[str]) -> str:
    """Write arithmetic that rounds: machine instructions to nearest even, a callback to Python in other modes."""
    if _mode(t) is not Rounding.RNE:
        return w.callback(t, args)
    kind, operands = ir_type(t.sort), args[1:]
    if t.op in (Op.FP_SQRT, Op.FP_FMA):
        return _intrinsic(w, _ROUNDED[t.op], kind, *operands)
    return w.put(f"{_ROUNDED[t.op]} {kind} {', '.join(operands)}")


def _intrinsic(w: Writer, name: str, kind: str, *arguments: str) -> str:
    """Write a call of an LLVM intrinsic, whose arguments and result have one type."""
    suffix = "f32" if kind == "float" else "f64" if kind == "double" else kind
    return w.call(kind, f"llvm.{name}.{suffix}", *((kind, a) for a in arguments))


def _round(w: Writer, t: Term, args: list[str]) -> str:
    return _intrinsic(w, _INTEGRAL[_mode(t)], ir_type(t.sort), args[1])


def _not(w: Writer, t: Term, args: list[str]) -> str:
    return w.put(f"xor i1 {args[0]}, true")


def _joined(operation: str, nothing: str) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of ``and`` or ``or`` of any number of values. ``nothing`` is the result of none."""

    def write(w: Writer, t: Term, args: list[str]) -> str:
        result = nothing
        for a in args:
            result = w.put(f"{operation} i1 {result}, {a}")
        return result

    return write


def _ite(w: Writer, t: Term, args: list[str]) -> str:
    kind = ir_type(t.sort)
    return w.put(f"select i1 {args[0]}, {kind} {args[1]}, {kind} {args[2]}")


def as_bits(w: Writer, kind: str, value: str) -> tuple[str, str]:
    """Write a float's bits, where every NaN has the bits of a computed NaN; return their LLVM type and name."""
    bits, nan = ("i32", computed_nan(FLOAT32)) if kind == "float" else ("i64", computed_nan(FLOAT64))
    unordered = w.put(f"fcmp uno {kind} {value}, {value}")
    raw = w.put(f"bitcast {kind} {value} to {bits}")
    return bits, w.put(f"select i1 {unordered}, {bits} {nan}, {bits} {raw}")


def _equal(w: Writer, t: Term, args: list[str]) -> str:
    kind = ir_type(t.args[0].sort)
    if t.args[0].sort.is_float:
        (bits, a), (_, b) = as_bits(w, kind, args[0]), as_bits(w, kind, args[1])
        return w.put(f"icmp eq {bits} {a}, {b}")
    return w.put(f"{'fcmp oeq' if kind == 'double' else 'icmp eq'} {kind} {args[0]}, {args[1]}")


def _is(w: Writer, t: Term, args: list[str]) -> str:
    kind, a = ir_type(t.args[0].sort), args[0]
    classes = {Op.FP_IS_NAN: 0x003, Op.FP_IS_INF: 0x204, Op.FP_IS_ZERO: 0x060, Op.FP_IS_NORMAL: 0x108,
               Op.FP_IS_SUBNORMAL: 0x090, Op.FP_IS_NEGATIVE: 0x03C, Op.FP_IS_POSITIVE: 0x3C0}  # fmt: skip
    suffix = "f32" if kind == "float" else "f64"
    return w.call("i1", f"llvm.is.fpclass.{suffix}", (kind, a), ("i32 immarg", str(classes[t.op])))


def _abs(w: Writer, t: Term, args: list[str]) -> str:
    return _intrinsic(w, "fabs", ir_type(t.sort), args[0])


def _extreme(comparison: str) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of a minimum or maximum, given the comparison."""

    def write(w: Writer, t: Term, args: list[str]) -> str:
        kind, (a, b) = ir_type(t.sort), args
        nan = w.put(f"fcmp uno {kind} {a}, {a}")
        better = w.put(f"fcmp {comparison} {kind} {b}, {a}")
        second = w.put(f"or i1 {nan}, {better}")
        return w.put(f"select i1 {second}, {kind} {b}, {kind} {a}")

    return write


def _convert(w: Writer, t: Term, args: list[str]) -> str:
    source, target, mode = ir_type(t.args[1].sort), ir_type(t.sort), _mode(t)
    if source == target:
        return args[1]
    if source == "float":
        return w.put(f"fpext float {args[1]} to double")
    return w.put(f"fptrunc double {args[1]} to float") if mode is Rounding.RNE else w.callback(t, args)


def to_float(instruction: str) -> Callable[[Writer, Term, list[str]], str]:
    """Return the writer of a conversion from an integer to a float, which rounds once."""

    def write(w: Writer, t: Term, args: list[str]) -> str:
        if _mode(t) is not Rounding.RNE:
            return w.callback(t, args)
        return w.put(f"{instruction} {ir_type(t.args[1].sort)} {args[1]} to {ir_type(t.sort)}")

    return write


def _to_integer(w: Writer, t: Term, args: list[str]) -> str:
    """Write a cast from a float to an integer; see :func:`.evaluate.machine_cast`."""
    kind, (width, low, high) = ir_type(t.args[1].sort), evaluate.machine_cast(t)
    whole = _intrinsic(w, _INTEGRAL[_mode(t)], kind, args[1])
    above = w.put(f"fcmp oge {kind} {whole}, {ir_constant(FLOAT64, low)}")
    below = w.put(f"fcmp olt {kind} {whole}, {ir_constant(FLOAT64, high)}")
    fits = w.put(f"and i1 {above}, {below}")
    safe = w.put(f"select i1 {fits}, {kind} {whole}, {kind} {ir_constant(FLOAT64, 0.0)}")
    if high == -low:
        number = w.put(f"fptosi {kind} {safe} to i{width}")
    else:  # fptoui is not defined for negative numbers
        size = w.put(f"fptoui {kind} {_intrinsic(w, 'fabs', kind, safe)} to i{width}")
        negative = w.put(f"fcmp olt {kind} {safe}, {ir_constant(FLOAT64, 0.0)}")
        number = w.put(f"select i1 {negative}, i{width} {w.put(f'sub i{width} 0, {size}')}, i{width} {size}")
    cast = w.put(f"select i1 {fits}, i{width} {number}, i{width} {low}")
    return cast if width == t.sort.width else w.put(f"trunc i{width} {cast} to {ir_type(t.sort)}")


def _from_bits(w: Writer, t: Term, args: list[str]) -> str:
    return w.put(f"bitcast {ir_type(t.args[0].sort)} {args[0]} to {ir_type(t.sort)}")


def _to_bits(w: Writer, t: Term, args: list[str]) -> str:
    """Write the bits of a float. A NaN has its own bits in a variable, and those of a computed NaN otherwise."""
    kind = ir_type(t.args[0].sort)
    if t.args[0].op is Op.VARIABLE:
        return w.put(f"bitcast {kind} {args[0]} to {ir_type(t.sort)}")
    return as_bits(w, kind, args[0])[1]


Write = Callable[[Writer, Term, list[str]], str]
WRITERS: dict[Op, Write] = {
    Op.NOT: _not, Op.AND: _joined("and", "true"), Op.OR: _joined("or", "false"), Op.ITE: _ite, Op.EQUAL: _equal,
    Op.FP_ROUND: _round, Op.FP_ABS: _abs, Op.FP_MIN: _extreme("olt"), Op.FP_MAX: _extreme("ogt"),
    Op.FP_TO_FP: _convert, Op.SIGNED_TO_FP: to_float("sitofp"), Op.UNSIGNED_TO_FP: to_float("uitofp"),
    Op.FP_TO_SIGNED: _to_integer, Op.FP_TO_UNSIGNED: _to_integer, Op.OPEN: lambda w, t, args: args[0],
    Op.FP_FROM_BITS: _from_bits, Op.FP_TO_BITS: _to_bits,
}  # fmt: skip
WRITERS |= {op: _is for op in Op if op.name.startswith("FP_IS_")}
