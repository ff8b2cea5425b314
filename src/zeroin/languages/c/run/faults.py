"""Faults of operations, which a search looks for with ``--find``.

The kinds are these:

``overflow``: A floating-point result is infinite, though the operands are finite.
``nan``: The result is NaN, though no operand is.
``divzero``: A number is divided by zero.
``cancel``: A sum or a difference loses all digits by cancellation.
``cast``: A float is cast to an integer type that can not hold it.
``intoverflow``: A signed integer overflows.
``bounds``: An array index is out of bounds.
``shift``: A shift by a negative amount, or by the width of the type or more.
``wrap``: An unsigned result is too large, or below zero, so that it wraps around. The C standard defines that.

Each possible fault becomes a site. Its condition is computed in IR, beside the operation.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction

from .... import distance as d
from ....words import Kind, readable, word_from_bits
from ..llvm_ir.instructions import Instruction, Operand, instruction
from ..llvm_ir.ir import Function
from .boundaries import constant_of
from .fault_conditions import INFINITY, NEGATIVE_INFINITY, Condition, Conditions

_REALS = ("double", "float")
_MOST_TOLD = 3  # the most values (operands and the result) that a run records at a fault
_ACCESSES = re.compile(r"^\s*(?:%\S+ = )?(?:load|store|getelementptr) ")
_FLOATS, _WHOLE = ("fadd", "fsub", "fmul", "fdiv", "frem"), ("add", "sub", "mul")
_SHIFTS = ("shl", "lshr", "ashr")
_DIVISIONS = ("sdiv", "srem", "udiv", "urem")
_SIGNS = {"fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/", "frem": "%", "add": "+", "sub": "-", "mul": "*",
          "sdiv": "/", "udiv": "/", "srem": "%", "urem": "%", "shl": "<<", "lshr": ">>", "ashr": ">>"}  # fmt: skip
_INEXACT = ("fadd", "fsub", "fmul", "fdiv", "frem", "fptrunc", "call")
_RECORD = re.compile(r"%\"?(?:struct|class|union)\.")
_ARRAY = re.compile(r"\[(\d+) x (.*)\]")
_ABSOLUTE = {"abs": "i32", "labs": "i64", "llabs": "i64"}
# Functions of the C library that may return NaN for arguments that are none: for which first arguments they do.
_OUTSIDE_ONE, _NEGATIVE, _INFINITE = "outside [-1, 1]", "negative", "infinite"
_DOMAINS = {
    **dict.fromkeys(("asin", "acos", "atanh"), _OUTSIDE_ONE),
    **dict.fromkeys(("sqrt", "log", "log2", "log10", "pow", "tgamma"), _NEGATIVE),
    **dict.fromkeys(("sin", "cos", "tan"), _INFINITE),
    **dict.fromkeys(("log1p", "acosh", "fmod", "remainder", "exp", "exp2", "expm1", "sinh", "cosh", "tanh", "atan",
                     "atan2", "hypot", "cbrt", "fma", "ldexp", "scalbn", "lgamma", "erf", "erfc", "asinh"), ""),
}  # fmt: skip
_OVERLOAD = re.compile(r"_Z(?:St|NSt3__16__math)(\d+)(\w+)")  # in libstdc++ and libc++, such as std::acos(float)


@dataclass(frozen=True)
class FaultMessage:
    """Formats an operation with its operands for people. Call it with the recorded values, as 64-bit integers.

    Attributes:
        kind: the kind of the fault, one of :data:`zeroin.config.FAULTS`.
        text: the operation, with ``{}`` for each operand, and for the result if the message shows it.
        types: the IR types of these values, with ``u`` in front of those of unsigned integers.
    """

    kind: str
    text: str
    types: tuple[str, ...]

    @property
    def is_silent(self) -> bool:
        """Whether the run goes on with an infinity, a NaN or a number that is not exact."""
        return self.kind in ("overflow", "nan", "cancel") or (self.kind == "divzero" and self.types[0] in _REALS)

    def __call__(self, words: tuple[int, ...]) -> str:
        return self.text.format(*(_value(type_, word) for type_, word in zip(self.types, words, strict=False)))


@dataclass
class Fault:
    """A fault that an operation may have.

    Attributes:
        shown: its kind and its message.
        operands: up to three IR values for the message.
        condition: writes the IR of the fault's condition.
        after: whether the condition needs the operation's result, so that it must come behind the operation.
        is_meant: whether the source makes it on purpose, as ``x * 0x1p1023`` and ``huge * huge`` overflow.
    """

    shown: FaultMessage
    operands: tuple[str, ...]
    condition: Callable[[Conditions], Condition]
    after: bool = False
    is_meant: bool = False


@dataclass
class Operations:
    """The operations of one function, and the faults that each may have.

    Attributes:
        right_of: returns the instruction that defines a value.
        stored: the floats that are stored in each stack variable.
        accessed: addresses that are loaded from, stored to, or base addresses of other elements.
        defined: names of the functions that the subject's own file defines.
        strange: collects the types of operations that are not supported.
        is_constant: whether a global variable, as ``@huge``, is constant.
    """

    right_of: Callable[[str], str]
    stored: dict[str, list[str]]
    accessed: set[str]
    defined: Set[str]
    strange: set[str]
    is_constant: Callable[[str], bool] = lambda name: False

    def faults(self, line: str) -> Iterator[Fault]:
        """Yield the faults that an instruction, given as a line of IR, may have.

        Nothing is yielded for an instruction without a result. The type of an operation that is not supported is added
        to ``strange``.
        """
        made = instruction(line)
        if made is None or not made.result:
            return
        name, opcode, type_, values = made.result, made.opcode, made.type, made.values
        of = made.operands[0].type if made.operands else ""
        if opcode in _FLOATS and of in ("double", "float"):
            yield from self._of_floats(name, opcode, type_, *values)
        elif opcode in _WHOLE and of[0] == "i" and "nsw" in made.flags:
            yield from self._of_signed(opcode, type_, *values)
        elif opcode in _WHOLE and of[0] == "i" and made.flags.isdisjoint({"nsw", "nuw"}):
            yield from self._of_unsigned(opcode, type_, *values)
        elif opcode in _SHIFTS and of[0] == "i":
            yield from self._of_shift(opcode, type_, *values)
        elif opcode in _DIVISIONS and of[0] == "i":
            yield from self._of_division(opcode, type_, *values)
        elif opcode in ("fptosi", "fptoui") and of in ("double", "float") and type_[0] == "i":
            yield _cast(opcode == "fptosi", of, values[0], int(type_[1:]))
        elif opcode == "fptrunc" and (of, type_) == ("double", "float"):
            shown = FaultMessage("overflow", "(float) {} = {}", ("double", "float"))
            yield _overflow(shown, name, (("double", values[0]),), "float")
        elif opcode == "call" and type_ in ("double", "float", "i32", "i64") and made.callee[0] == "@":
            yield from self._of_call(name, type_, made.callee[1:], made.operands)
        elif opcode == "getelementptr":
            yield from self._of_index(made)
        elif opcode in (*_FLOATS, "fptosi", "fptoui"):
            self.strange.add(of)

    # ---- floats ----

    def _of_floats(self, name: str, op: str, type_: str, one: str, other: str) -> Iterator[Fault]:
        """Yield the faults of an operation on floats, without those that a constant operand makes impossible."""
        arguments, types = ((type_, one), (type_, other)), (type_,) * 3
        text = f"{{}} {_SIGNS[op]} {{}}"
        whole, divides = text + " = {}", op in ("fdiv", "frem")

        def is_nan(c: Conditions) -> Condition:
            a, b, r = (c.double(type_, value) for value in (one, other, name))
            return _nan_of(c, (a, b), r, _makes_nan(c, op, a, b))

        def divides_by_zero(c: Conditions) -> Condition:
            return c.where(c.is_number(c.double(type_, one)), c.is_zero(c.double(type_, other)))

        def cancels(c: Conditions) -> Condition:
            return _cancels(c, type_, one, other, name)

        all_three = (one, other, name)
        overflow = _overflow(FaultMessage("overflow", whole, types), name, arguments, type_, other if divides else "")
        faults = [replace(overflow, is_meant=self._is_meant(type_, one, other)),
                  Fault(FaultMessage("nan", whole, types), all_three, is_nan, after=True)]  # fmt: skip
        if divides:
            faults.append(Fault(FaultMessage("divzero", text, types[:2]), (one, other), divides_by_zero))
        if op in ("fadd", "fsub") and (self._rounded(one) or self._rounded(other)):
            faults.append(Fault(FaultMessage("cancel", whole, types), all_three, cancels, after=True))
        yield from (f for f in faults if not _never(f.shown.kind, op, constant_of(one), constant_of(other)))

    def _is_meant(self, type_: str, one: str, other: str) -> bool:
        """Whether an operation overflows on purpose: an operand is a huge constant, or both are constant."""
        huge = 2.0**512 if type_ == "double" else 2.0**64
        several = [constant_of(value) for value in (one, other)]
        fixed = [known is not None or self._is_fixed(value) for known, value in zip(several, (one, other), strict=True)]
        return all(fixed) or any(known is not None and abs(known) >= huge for known in several)

    def _is_fixed(self, value: str) -> bool:
        """Return whether a value is loaded from a constant global variable."""
        loaded = re.search(r" load .*, ptr (@[\w.$]+)", " " + self.right_of(value).lstrip())
        return loaded is not None and self.is_constant(loaded[1])

    def _rounded(self, value: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a value may have been rounded. Inputs and constants are exact: cancelling them loses no digits."""
        text = self.right_of(value) if value.startswith("%") else value
        made = None if value in seen or text == value else instruction(text)
        if made is None:
            return False
        seen |= {value}
        opcode, values = made.opcode, made.values
        if opcode == "load":
            return values[0] not in self.stored or any(self._rounded(one, seen) for one in self.stored[values[0]])
        if opcode in ("fneg", "fpext"):
            return self._rounded(values[0], seen)
        if opcode in ("phi", "select"):
            return any(self._rounded(one, seen) for one in values)
        if opcode in ("sitofp", "uitofp"):
            return made.operands[0].type == "i64"
        return opcode in _INEXACT and not made.callee.startswith(("@llvm.fabs", "@fabs"))

    def _of_call(self, name: str, returned: str, called: str, given: Sequence[Operand]) -> Iterator[Fault]:
        """Yield the faults of a call of ``abs`` or a mathematical function; none if the file defines that function."""
        arguments = tuple((one.type, one.value) for one in given)
        overloaded = _overloaded(called)
        plain = overloaded or re.sub(r"^llvm\.(\w+)\.f(?:32|64)$", r"\1", called)
        is_own = called in self.defined and not overloaded  # a header defines the overloads, in each file
        wanted = returned if overloaded else _ABSOLUTE.get(plain, "")
        if plain in _ABSOLUTE and not is_own and returned[0] == "i" and [t for t, _ in arguments] == [wanted]:
            type_, value = arguments[0]
            lowest = -(1 << int(type_[1:]) - 1)
            shown = FaultMessage("intoverflow", f"{plain}({{}})", (type_,))
            yield Fault(shown, (value,), lambda c: c.is_integer(type_, value, lowest))
            return
        plain = plain.removesuffix("f") if plain not in _DOMAINS and returned == "float" else plain
        known = plain in _DOMAINS and not is_own and returned in ("double", "float")
        if not known or any(t not in ("double", "float", "i32") for t, _ in arguments):
            return
        told = [*arguments, (returned, name)][:_MOST_TOLD]  # the result of fma does not fit
        text = f"{plain}({', '.join('{}' for _ in arguments)})" + " = {}" * (len(told) > len(arguments))
        types, values = tuple(t for t, _ in told), tuple(value for _, value in told)
        yield _overflow(FaultMessage("overflow", text, types), name, arguments, returned)

        def is_nan(c: Conditions) -> Condition:
            doubles = tuple(c.put(f"sitofp i32 {value} to double") if t == "i32" else c.double(t, value)
                            for t, value in arguments)  # fmt: skip
            return _nan_of(c, doubles, c.double(returned, name), _outside(c, plain, doubles))

        yield Fault(FaultMessage("nan", text, types), values, is_nan, after=True)

    # ---- integers ----

    def _of_signed(self, op: str, type_: str, one: str, other: str) -> Iterator[Fault]:
        """Yield the overflow of a signed addition, subtraction or multiplication; none for more than 64 bits."""
        width = int(type_[1:])
        if width > 64:
            self.strange.add(type_)
            return
        wide = "i128" if width > 32 else "i64"

        def overflows(c: Conditions) -> Condition:
            a, b = (c.widened(type_, value, wide, signed=True) for value in (one, other))
            exact = c.put(f"{op} {wide} {a}, {b}")
            return c.beyond(wide, exact, -(1 << width - 1), (1 << width - 1) - 1)

        yield Fault(FaultMessage("intoverflow", f"{{}} {_SIGNS[op]} {{}}", (type_,) * 2), (one, other), overflows)

    def _of_unsigned(self, op: str, type_: str, one: str, other: str) -> Iterator[Fault]:
        """Yield the wrap-around of an unsigned operation of 32 or 64 bits; none where a pointer is made a number."""
        width = int(type_[1:])
        computed = [self.right_of(value) for value in (one, other) if value[0] == "%"]
        if width not in (32, 64) or any("ptrtoint" in right for right in computed):
            return
        wide = "i128" if width > 32 else "i64"

        def wraps(c: Conditions) -> Condition:
            a, b = (c.widened(type_, value, wide, signed=False) for value in (one, other))
            return c.beyond(wide, c.put(f"{op} {wide} {a}, {b}"), 0, (1 << width) - 1)

        yield Fault(FaultMessage("wrap", f"{{}} {_SIGNS[op]} {{}}", (f"u{type_}",) * 2), (one, other), wraps)

    def _of_shift(self, op: str, type_: str, one: str, other: str) -> Iterator[Fault]:
        """Yield the shift by a negative amount, or by the width or more; none if the amount is a constant in range."""
        width = int(type_[1:])
        if width > 64 or (other[0] != "%" and 0 <= int(other) < width):
            return
        shown = FaultMessage("shift", f"{{}} {_SIGNS[op]} {{}}", (type_,) * 2)

        def is_too_far(c: Conditions) -> Condition:
            return c.beyond("i64", c.widened(type_, other, "i64", signed=True), 0, width - 1)

        yield Fault(shown, (one, other), is_too_far)

    def _of_division(self, op: str, type_: str, one: str, other: str) -> Iterator[Fault]:
        """Yield the faults of an integer division, without those that a constant divisor makes impossible."""
        if int(type_[1:]) > 64:
            self.strange.add(type_)
            return
        own = ("u" if op[0] == "u" else "") + type_
        text, operands = f"{{}} {_SIGNS[op]} {{}}", (one, other)
        if other == "0" or other.startswith("%"):
            yield Fault(FaultMessage("divzero", text, (own,) * 2), operands, lambda c: c.is_integer(type_, other, 0))
        if op[0] == "s" and (other == "-1" or other.startswith("%")):
            lowest = -(1 << int(type_[1:]) - 1)
            yield Fault(FaultMessage("intoverflow", text, (own,) * 2), operands, lambda c: c.both(
                c.is_integer(type_, one, lowest), c.is_integer(type_, other, -1)))  # fmt: skip

    # ---- arrays ----

    def _of_index(self, made: Instruction) -> Iterator[Fault]:
        """Yield the fault of an array index; none for a constant in bounds, and for an array of unknown size."""
        name, found = made.result, self._indexed(made)
        if found is None:
            return
        count, index = found
        highest = count - 1 if name in self.accessed else count  # the address one past the end is valid
        if re.fullmatch(r"-?\d+", index) and 0 <= int(index) <= highest:
            return
        shown = FaultMessage("bounds", f"index {{}} of {count} elements", ("i64",))
        yield Fault(shown, (index,), lambda c: c.beyond("i64", index, 0, highest))

    def _indexed(self, made: Instruction) -> tuple[int, str] | None:
        """Return the array's element count, and the index as an IR value; None if the array's size is not known."""
        base, *indices = made.values
        if "inbounds" not in made.flags or not indices or made.operands[-1].type != "i64":
            return None
        if (own := _ARRAY.fullmatch(made.type)) and len(indices) == 2 and indices[0] == "0":
            in_structure = _RECORD.search(self.right_of(base)) is not None
            return None if int(own[1]) <= in_structure else (int(own[1]), indices[1])  # s->rest[1] may have more
        start = instruction(self.right_of(base)) if len(indices) == 1 and base[0] == "%" else None
        if start is None or not (array := _ARRAY.fullmatch(start.type)) or array[2] != made.type or int(array[1]) < 2:
            return None
        first = start.opcode == "getelementptr" and "inbounds" in start.flags and start.values[1:] == ("0", "0")
        return (int(array[1]), indices[0]) if first or (start.opcode == "alloca" and not start.operands) else None


def _overloaded(called: str) -> str:
    """Return the mathematical function of which C++'s ``<cmath>`` defines an overload, also for int; else nothing."""
    found = _OVERLOAD.fullmatch(called)
    if found is None:
        return ""
    name, parameters = found[2][: int(found[1])], found[2][int(found[1]) :]
    return name if re.fullmatch(r"(?:B\d+\w+?)?(?:(?:IiE)?E?[dfilx]+|I[dfi]+Tn\w+)", parameters) else ""


def operations_of(function: Function, right_of: Callable[[str], str], defined: Set[str], strange: set[str],
                  is_constant: Callable[[str], bool] = lambda name: False) -> Operations:  # fmt: skip
    """Collect the operations of a function.

    Args:
        function: the function, in IR.
        right_of: returns the instruction that defines a value.
        defined: names of the functions that the subject's own file defines.
        strange: gets the types of operations that are not supported.
        is_constant: whether a global variable is constant.
    """
    stored: dict[str, list[str]] = {}
    accessed = set()
    for line in (line for block in function.blocks for line in block.lines):
        made = instruction(line) if _ACCESSES.search(line) else None
        if made is not None and made.opcode == "store":
            accessed.add(made.values[1])
            if made.type in ("double", "float"):
                stored.setdefault(made.values[1], []).append(made.values[0])
        elif made is not None and made.operands:
            accessed.add(made.values[0])
    return Operations(right_of, stored, accessed, defined, strange, is_constant)


def probe_of(fault: Fault, number: int, suffix: str, measured: bool) -> list[str]:
    """Return the IR of a fault's probe: it reports whether the operation has the fault, and how far it is from it.

    Args:
        fault: the fault.
        number: the number of its site.
        suffix: the end of the probe functions' names.
        measured: whether to compute the distance and to record the operands.
    """
    ir = Conditions(f"%zi.{number}")
    condition = fault.condition(ir)
    holds, far = f"i1 zeroext {condition.holds}", "0"
    told = []
    if measured:
        far = ir.distance(condition)
        words = [ir.word(*given) for given in zip(fault.shown.types, fault.operands, strict=True)]
        operands = ", ".join(f"i64 {word}" for word in [*words, "0", "0"][:_MOST_TOLD])
        told = [f"  call void @zeroin_operands(i64 {number}, {operands}, {holds})"]
    probe = f"  call void @zeroin_probe_int{suffix}(i64 {number}, i64 {d.EQ}, i64 {far}, i64 0, {holds})"
    return [*(ir.lines if measured else ir.needed(condition.holds)), *told, probe]


def _overflow(shown: FaultMessage, name: str, arguments: tuple[tuple[str, str], ...], returned: str,
              nonzero: str = "") -> Fault:  # fmt: skip
    """Return the fault that a floating-point result is infinite, though all floating-point arguments are finite.

    Args:
        shown: its kind and its message.
        name: the result.
        arguments: types and values of the operands; integers do not matter.
        returned: the type of the result.
        nonzero: the operand that must not be 0, since that is another fault; empty: there is none.
    """

    def overflows(c: Conditions) -> Condition:
        found = c.is_infinite(c.double(returned, name))
        for type_, value in arguments:
            if type_ in ("double", "float"):
                wide = c.double(type_, value)
                found = c.where(c.is_finite(wide), found)
                if value == nonzero:
                    found = c.where(c.put(f"fcmp une double {wide}, 0.0"), found)
        return found

    told = (*(value for _, value in arguments), name)[:_MOST_TOLD]
    return Fault(shown, told, overflows, after=True)


def _never(kind: str, op: str, left: float | None, right: float | None) -> bool:
    """Whether an operation with a constant operand can never have a fault. ``left`` or ``right`` is the constant."""
    some = left if right is None else right
    if some is None or not math.isfinite(some):
        return False
    divisor = 0.0 if right is None else right
    if kind == "overflow":
        return (op == "fmul" and abs(some) <= 1) or (op == "fdiv" and right is not None and not 0 < abs(right) < 1)
    if kind == "nan":
        return op in ("fadd", "fsub") or (op in ("fmul", "fdiv") and some != 0)
    return kind == "divzero" and divisor != 0


def _nan_of(c: Conditions, operands: tuple[str, ...], result: str, near: Condition | None) -> Condition:
    """Return the condition that the result is NaN and no operand is. ``near`` gives the distance; None: unknown."""
    found = c.is_nan(result)
    if near is not None:
        found = Condition(found.holds, c.within(near, 62))
    for operand in operands:
        found = c.where(c.is_number(operand), found)
    return found


def _makes_nan(c: Conditions, op: str, a: str, b: str) -> Condition:
    """Return the condition under which operands that are no NaN give NaN."""
    if op in ("fadd", "fsub"):
        infinities = (INFINITY, NEGATIVE_INFINITY)
        others = infinities if op == "fsub" else infinities[::-1]
        pairs = [
            c.both(c.is_value(a, one), c.is_value(b, other)) for one, other in zip(infinities, others, strict=True)
        ]
    elif op == "fmul":
        pairs = [c.both(c.is_zero(a), c.is_infinite(b)), c.both(c.is_infinite(a), c.is_zero(b))]
    elif op == "fdiv":
        pairs = [c.both(c.is_zero(a), c.is_zero(b)), c.both(c.is_infinite(a), c.is_infinite(b))]
    else:
        pairs = [c.is_zero(b), c.is_infinite(a)]
    return c.either(*pairs)


def _outside(c: Conditions, name: str, operands: tuple[str, ...]) -> Condition | None:
    """Return the condition under which a library function returns NaN; None if it is not known."""
    domain = _DOMAINS[name]
    if domain == _OUTSIDE_ONE:
        return c.either(c.above(operands[0], "1.0"), c.below(operands[0], "-1.0"))
    if domain == _NEGATIVE:
        return c.below(operands[0], "0.0")
    if domain == _INFINITE:
        return c.is_infinite(operands[0])
    return {
        "log1p": lambda: c.below(operands[0], "-1.0"),
        "acosh": lambda: c.below(operands[0], "1.0"),
        "fmod": lambda: c.either(c.is_zero(operands[1]), c.is_infinite(operands[0])),
        "remainder": lambda: c.either(c.is_zero(operands[1]), c.is_infinite(operands[0])),
    }.get(name, lambda: None)()


def _cancels(c: Conditions, type_: str, one: str, other: str, result: str) -> Condition:
    """Return the condition that a sum or difference loses all digits, though both operands are finite and not 0."""
    a, b, r = (c.double(type_, value) for value in (one, other, result))
    found = c.loses_all(type_, a, r)
    for value in (a, b):
        found = c.where(c.is_finite(value), c.where(c.put(f"fcmp une double {value}, 0.0"), found))
    return found


def _cast(signed: bool, type_: str, value: str, width: int) -> Fault:
    """Return the fault that a cast's operand is NaN, or out of the range of an integer type of ``width`` bits."""
    low = -(1 << width - 1) if signed else 0
    high = 1 << width - signed  # the first number that is too high; it is a float, as low is
    first = low - 1 if Fraction(_nearest(type_, low - 1)) == low - 1 else low

    def is_outside(c: Conditions) -> Condition:
        wide = c.double(type_, value)
        under = c.below(wide, _constant(float(first)), or_equal=first != low)
        outside = c.either(under, c.above(wide, _constant(float(high)), or_equal=True))
        return Condition(c.put(f"or i1 {outside.holds}, {c.is_nan(wide).holds}"), outside.far, outside.bits)

    target = f"{'' if signed else 'u'}int{width}_t"
    return Fault(FaultMessage("cast", f"({target}) {{}}", (type_,)), (value,), is_outside)


def _nearest(type_: str, value: int) -> float:
    """Return the value of a float type that is nearest to an integer."""
    number = float(value)
    return number if type_ == "double" else float(struct.unpack("<f", struct.pack("<f", number))[0])


def _constant(value: float) -> str:
    """Return a double as IR writes it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def _value(type_: str, word: int) -> str:
    """Format a recorded value for people. The types are those of :class:`FaultMessage`."""
    if type_ == "double":
        return readable(Kind.F64, word_from_bits(Kind.F64, word & (1 << 64) - 1))
    if type_ == "float":
        return readable(Kind.F32, word_from_bits(Kind.F32, word & (1 << 32) - 1))
    if type_.startswith("u"):
        return str(word & (1 << int(type_[2:])) - 1)
    return str(word)
