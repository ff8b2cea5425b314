"""Checks for undefined behaviour, inserted in front of operations that C and C++ leave undefined for some operands.

A run that fails a check ends as undefined, and covers nothing. A check is a call in IR. Its first argument is a text
that says what was done and where, with ``{}`` for the operands::

    %zu.0.0 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %3, i32 1)
    %zu.0.1 = extractvalue { i32, i1 } %zu.0.0, 1
    call void @zeroin_check(ptr @zu.0, i64 %zu.0.2, i64 1, i1 zeroext %zu.0.1)

A division by zero and a null pointer need no check: the processor ends such a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

from ..front.unsequenced import unordered
from ..llvm_ir.constrained_float import plain
from ..llvm_ir.debug_info import DebugInfo, Position
from ..llvm_ir.instructions import Instruction, Operand, instruction
from ..llvm_ir.ir import Function, Module, bare, location
from ..undefined import UNDEFINED
from .fault_conditions import Conditions
from .faults import FaultMessage, Operations, operations_of

# A quick test for lines that may need a check, before they are parsed.
_MAY_BE = re.compile(r" (?:add|sub|mul) .*nsw | = (?:shl|lshr|ashr|fptosi|fptoui|getelementptr) |constrained\.fpto"
                     r"|@(?:l?l?abs|llvm\.ct[lt]z\.i\d+|is[a-z]+|to(?:low|upp)er)\(")  # fmt: skip
_TRAP = re.compile(r"call void @llvm\.ubsantrap\(i8 (\d+)\)")
_ENDS_BY_A_CALL = re.compile(r"\b(?:call|invoke) |^\s*resume ")
_VALUELESS = re.compile(r"\s+(%\S+) = ((?:shl|lshr|ashr)(?: nuw| nsw| exact)* (i\d+) |fpto[su]i \w+ \S+ to (i\d+))")
_OF_OPERANDS = {
    **UNDEFINED,
    "count": "an argument that a built-in function may not get",
    "character": "neither EOF nor an unsigned char, for a function of <ctype.h>",
}
_HARMLESS = ("cast", "intoverflow", "shift", "count")  # the processor yields some value, so the run can go on
_SIGNS = {"add": "+", "sub": "-", "mul": "*"}
_OF_CHECK = re.compile(r"\s+(?:%zu\.|call void @zeroin_(?:check|forbid)\()")
_INTEGER = re.compile(r"i\d+")
_WIDEST = 64  # the most bits of an operand that a message can show
# Functions of <ctype.h>, and the functions that return the tables which glibc's macros of these names read.
_CTYPE = {"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
          "isupper", "isxdigit", "tolower", "toupper"}  # fmt: skip
_CTYPE_TABLE = re.compile(r"call .*@__ctype_(?:b|tolower|toupper)_loc\(")
# Messages by the first argument of ``llvm.ubsantrap`` (``SanitizerHandler`` in Clang).
_OF_TRAPS = {
    0: "a signed overflow", 1: "code that is said to be unreachable", 3: "a division that overflows",
    5: "a cast out of range", 8: "an argument that a built-in function may not get",
    10: "a value that its type does not have", 11: "a function that ends without its result",
    12: "a signed overflow", 13: "a signed overflow", 16: "a null argument", 17: "a null result",
    18: "an index out of bounds", 19: "a pointer beyond its object", 20: "a shift by the width or more",
    21: "a signed overflow", 22: "an access beyond an object", 24: "an array without a positive size",
}  # fmt: skip


@dataclass(frozen=True)
class _Check:
    """How an instruction may be undefined.

    Attributes:
        shown: the message.
        operands: the IR values for the message.
        lines: the lines of IR that compute ``holds``.
        holds: an i1, whether the instruction is undefined.
    """

    shown: FaultMessage
    operands: tuple[str, ...]
    lines: list[str]
    holds: str


class _Writer:
    """Puts checks into the functions of a module. The arguments are those of :func:`add_checks`."""

    def __init__(self, module: Module, debug: DebugInfo, goes_on: bool = False) -> None:
        self._module, self._debug, self._defined, self._goes_on = module, debug, module.defined(), goes_on
        self._texts: dict[str, str] = {}
        self._unordered = unordered(module, debug)

    def put_in(self, function: Function) -> None:
        """Put checks into a function, in place."""
        values = {name: right for name, (_, right) in function.definitions().items()}
        operations = operations_of(function, lambda value: values.get(bare(value[1:]), value), self._defined, set())
        number, disorder = 0, self.unordered(function)
        tables = _tables_of_characters(values)
        for block_number, block in enumerate(function.blocks):
            lines = list[str]()
            for at, line in enumerate(block.lines):
                if text := disorder.get((block_number, at)):
                    lines.append(f"  call void @zeroin_check(ptr {text}, i64 0, i64 0, i1 zeroext true)")
                name = f"%zu.{number}"
                check = self._check(line, name, operations, tables, lines)
                if check is not None:
                    lines += self._call(check, name, self._debug.position(location(line)))
                    number += 1
                lines += [line] if check is None else _with_some_value(line, name)
            block.lines[:] = lines

    def _check(
        self, line: str, name: str, operations: Operations, tables: Set[str], before: list[str]
    ) -> _Check | None:
        """Return the check that an instruction needs; None if it needs none.

        Args:
            line: the instruction.
            name: a prefix for the names of new values.
            operations: the operations of the function.
            tables: the values that hold the address of a table of <ctype.h>.
            before: the lines before the instruction in its block.
        """
        if line.lstrip().startswith("unreachable") and not (before and _ENDS_BY_A_CALL.search(before[-1])):
            return _Check(FaultMessage("", _OF_TRAPS[1], ()), (), [], "true")
        made = instruction(plain(line)) if _MAY_BE.search(line) else None
        if made is None:
            return None
        if made.opcode in _SIGNS:
            return _overflow(name, made)
        if made.opcode in ("shl", "lshr", "ashr"):
            return _shift(name, made)
        if made.callee.startswith("@llvm.ct"):
            return _count(name, made)
        is_called = made.callee[1:] in _CTYPE - self._defined and made.operands
        if is_called or (made.opcode == "getelementptr" and made.values[0] in tables):
            return _character(name, made.operands[-1])
        for fault in operations.faults(plain(line)):
            if fault.shown.kind in ("cast", "bounds", "intoverflow"):
                ir = Conditions(name)
                holds = fault.condition(ir).holds
                return _Check(fault.shown, fault.operands, ir.needed(holds), holds)
        return None

    def _call(self, check: _Check, name: str, place: Position) -> list[str]:
        """Return the lines of a check: those that compute its condition and its operands, and the call."""
        ir = Conditions(f"{name}.o")
        words = [ir.word(*one) for one in zip(check.shown.types, check.operands, strict=True)]
        one, other = [*words, "0", "0"][:2]
        what = f"{_OF_OPERANDS[check.shown.kind]}: {check.shown.text}" if check.shown.kind else check.shown.text
        text = self.text(",".join(check.shown.types), what, place)
        does = "check" if check.shown.kind in _HARMLESS or (self._goes_on and check.operands) else "forbid"
        call = f"  call void @zeroin_{does}(ptr {text}, i64 {one}, i64 {other}, i1 zeroext {check.holds})"
        return [*check.lines, *ir.lines, call]

    def unordered(self, function: Function) -> dict[tuple[int, int], str]:
        """Return the messages about unsequenced accesses (:func:`zeroin.languages.c.front.unsequenced.unordered`).

        The keys are pairs of a block's number and the number of an instruction in it; the values are names of texts.
        """
        found = self._unordered.get(function.name, {})
        return {place: self.text("", *said) for place, said in found.items()}

    def text(self, types: str, what: str, place: Position) -> str:
        """Add a message to the module as a constant, unless it is there already, and return the name of the constant.

        :func:`told` fills in the operands when a check has failed.

        Args:
            types: the operands' types in the IR, separated by commas.
            what: the message, with ``{}`` where the value of an operand will stand.
            place: the position in the source, which is put at the end of the message.
        """
        where = f" ({Path(place.file).name}:{place.line})" if place.line else ""
        text = f"{types}|{what}{where}"
        if text not in self._texts:
            self._texts[text] = f"@zu.{len(self._texts)}"
            data = text.encode(errors="surrogateescape") + b"\0"
            written = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
            self._module.parts.append(f'{self._texts[text]} = private constant [{len(data)} x i8] c"{written}"')
        return self._texts[text]


def is_of_check(line: str) -> bool:
    """Whether a line of IR belongs to a check, so that its reads are not reads of the subject."""
    return _OF_CHECK.match(line) is not None


def add_checks(module: Module, debug: DebugInfo, described: bool = False, goes_on: bool = False) -> None:
    """Put checks into the functions of a module, in place.

    Args:
        module: the module.
        debug: its debug info.
        described: whether to leave out functions without debug info.
        goes_on: whether a run continues after an index out of bounds or a wrong argument of <ctype.h>; so it does if
            the search looks for faults. The run ends as undefined all the same.
    """
    writer = _Writer(module, debug, goes_on)
    for function in module.functions.values():
        if function.subprogram or not described:
            writer.put_in(function)


def catch_traps(module: Module, debug: DebugInfo) -> None:
    """Replace sanitizer traps, and unsequenced accesses, by calls that end the run as undefined, in place."""
    writer = _Writer(module, debug)
    for function in module.functions.values():
        disorder = writer.unordered(function)
        for number, block in enumerate(function.blocks):
            lines = list[str]()
            for at, line in enumerate(block.lines):
                text, trap = disorder.get((number, at)), _TRAP.search(line)
                if trap:
                    what = _OF_TRAPS.get(int(trap[1]), "what the compiler's sanitizers do not let pass")
                    text = writer.text("", what, debug.position(location(line)))
                lines += [f"  call void @zeroin_undefined(ptr {text}, i64 0, i64 0)"] if text else []
                lines += [] if trap else [line]
            block.lines[:] = lines


def told(text: str, one: int, other: int) -> str:
    """Return a failed check's message for people.

    Args:
        text: the text of the check, with the operands' types in front.
        one, other: the operands of the failed check.
    """
    types, _, what = text.partition("|")
    return FaultMessage("", what, tuple(types.split(",")) if types else ())((one, other))


def _with_some_value(line: str, name: str) -> list[str]:
    """Freeze the result of a checked operation that may be poison.

    Without that, LLVM may assume that the check never fails, and remove it.
    """
    made = _VALUELESS.match(line)
    if made is None:
        return [line]
    result, operation, shifted, cast = made.groups()
    return [f"  {name}.v = {operation}{line[made.end(2) :]}", f"  {result} = freeze {shifted or cast} {name}.v"]


def _overflow(name: str, made: Instruction) -> _Check | None:
    """Check a signed addition, subtraction or multiplication; None without ``nsw``, or for more than 64 bits."""
    width, (one, other) = _width(made.type), made.values
    if not 0 < width <= _WIDEST or "nsw" not in made.flags:
        return None
    type_, pair = made.type, f"{{ {made.type}, i1 }}"
    called = f"@llvm.s{made.opcode}.with.overflow.{type_}"
    lines = [f"  {name}.0 = call {pair} {called}({type_} {one}, {type_} {other})",
             f"  {name}.1 = extractvalue {pair} {name}.0, 1"]  # fmt: skip
    shown = FaultMessage("intoverflow", f"{{}} {_SIGNS[made.opcode]} {{}}", (type_, type_))
    return _Check(shown, (one, other), lines, f"{name}.1")


def _shift(name: str, made: Instruction) -> _Check | None:
    """Check the amount of a shift; None if it is a valid constant, or for more than 64 bits."""
    width, by = _width(made.type), made.values[1]
    if not 0 < width <= _WIDEST or (by.isdigit() and int(by) < width):
        return None
    lines = [f"  {name}.0 = icmp uge {made.type} {by}, {width}"]
    return _Check(FaultMessage("shift", f"of {width} bits by {{}}", (made.type,)), (by,), lines, f"{name}.0")


def _count(name: str, made: Instruction) -> _Check | None:
    """Check a call of ``__builtin_clz`` or ``__builtin_ctz``, whose argument must not be 0; None if it may be 0."""
    if not _width(made.type) or made.values[1] != "true":
        return None
    lines = [f"  {name}.0 = icmp eq {made.type} {made.values[0]}, 0"]
    return _Check(FaultMessage("count", "(__builtin_clz or __builtin_ctz of 0)", ()), (), lines, f"{name}.0")


def _character(name: str, given: Operand) -> _Check | None:
    """Check an argument of a function of <ctype.h>; None if it is no integer."""
    type_, value = given.type, given.value
    if not _width(type_):
        return None
    lines = [f"  {name}.0 = add {type_} {value}, 1", f"  {name}.1 = icmp ugt {type_} {name}.0, 256"]
    return _Check(FaultMessage("character", "{}", (type_,)), (value,), lines, f"{name}.1")


def _tables_of_characters(values: Mapping[str, str]) -> Set[str]:
    """Return the values, of those with these definitions, that hold the address of a table of <ctype.h>."""
    places = {f"%{name}" for name, right in values.items() if _CTYPE_TABLE.search(right)}
    loads = {name: instruction(right) for name, right in values.items() if places and right.startswith("load ")}
    return {f"%{name}" for name, made in loads.items() if made is not None and made.values[0] in places}


def _width(type_: str) -> int:
    """Return the bits of an integer type; 0 for other types."""
    return int(type_[1:]) if _INTEGER.fullmatch(type_) else 0


_OVERFLOWING = re.compile(r"\{ (i\d+), i1 \} @(llvm\.s(?:add|sub|mul)\.with\.overflow\.i\d+)\(")


def declarations(text: str) -> Iterator[str]:
    """Yield declarations of the LLVM functions that checks in this IR call, unless the IR declares them already."""
    for type_, name in dict.fromkeys(_OVERFLOWING.findall(text)):
        if not re.search(rf"^declare [^@\n]*@{re.escape(name)}\(", text, re.M):
            yield f"declare {{ {type_}, i1 }} @{name}({type_}, {type_})"
