"""Generate all mutants of functions in one copy of their code (mutant schemata, Untch et al. 1993).

Behind each operation come its replacements. The variable ``zeroin_mutant`` selects the result that counts::

    before   %9 = fadd double %7, %8, !dbg !20
    after    %zm.4.is = icmp eq i64 %zm, 4
             %zm.4.by = fsub double %7, %8
             %zm.0 = fadd double %7, %8, !dbg !20
             %9 = select i1 %zm.4.is, double %zm.4.by, double %zm.0
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ....subject.constant import Constant
from ....subject.mutants import Mutant
from ..llvm_ir.control_flow import live_blocks
from ..llvm_ir.debug_info import DebugInfo, Position
from ..llvm_ir.instructions import BINARY, Instruction, depths, instruction
from ..llvm_ir.ir import Block, Function, Module, bare, location, switch_cases
from ..llvm_ir.signedness import Signs
from .alternatives import Alternative, changed, computed, constant, divided, instead, shown, swapped

_DEFINES = re.compile(r"^\s+(%\S+) = (.*)$")
_BRANCH = re.compile(r"^\s+br i1 (%\S+), label")
_SWITCH = re.compile(r"^\s+switch (i\d+) (\S+), label")
_WRITTEN = r"(-?\d+(?:\.\d+e[+-]\d+)?|0x[0-9A-F]{16})"
_CONSTANT = re.compile(
    r"(?<![\w.%@])(double|float|i8|i16|i32|i64)(?: noundef| signext| zeroext)* " + _WRITTEN + r"(?=[,)\s]|$)"
)
_CALLED = re.compile(r"@(?:\"[^\"]+\"|[-\w$.]+)\(|%[-\w$.]+\(")
_REWRITTEN = {*BINARY, "icmp", "fcmp", "fneg", "phi", "getelementptr"}
_MADE = re.compile(r"@llvm\.|@__cxa_|@_Z(?:n[wa]|d[la])")  # calls whose constants are not in the source
_INDEXED = re.compile(r"\[.*\]|double|float|i\d+|ptr")  # element types whose constant indices are in the source
_HOLDS_CONSTANTS = re.compile(r"^\s+(?:%\S+ = )?(?:ret |store |(?:tail )?call |select )")
_TABLE = re.compile(r"^@(\"[^\"]+\"|[-\w$.]+) = internal (unnamed_addr )?constant (.*)$")
_NUMBER = re.compile(
    r"(?<![\w.%@x] )\b(double|float|i8|i16|i32|i64) (-?\d+(?:\.\d+e[+-]\d+)?|0x[0-9A-F]{16})(?=[,\] })])"
)
_HOLES = re.compile(r"zeroinitializer|undef|poison|ptr |null|c\"")
_SIZES = {"double": 8, "float": 4, "i8": 1, "i16": 2, "i32": 4, "i64": 8}
_LARGEST_TABLE = 64  # numbers

# The replacements of each operator. A few are enough, as tests that kill these mutants mostly kill those with other
# operators, too. For comparisons, these are the mutants that no other one subsumes (Kaminski, Ammann & Offutt 2011).
_ARITHMETIC = {"add": ("sub", "mul"), "sub": ("add", "mul"), "mul": ("div", "add"), "div": ("mul", "rem"),
               "rem": ("mul", "div")}  # fmt: skip
_BITS = {"and": ("or", "xor"), "or": ("and", "xor"), "xor": ("and", "or")}
_RELATIONS = {"lt": ("le", "ne", "ge"), "le": ("lt", "eq", "gt"), "gt": ("ge", "ne", "le"), "ge": ("gt", "eq", "lt"),
              "eq": ("ne", "le", "ge"), "ne": ("eq", "lt", "gt")}  # fmt: skip
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "shl": "<<", "shr": ">>", "and": "&", "or": "|",
          "xor": "^", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}  # fmt: skip


@dataclass
class Mutated:
    """The mutants that were put into functions.

    Attributes:
        mutants: the mutants, in the order of their numbers, which begin with 1.
        constants: the constants in the functions and in their tables, also those that they compare with.
    """

    mutants: list[Mutant] = field(default_factory=list)
    constants: set[Constant] = field(default_factory=set)


def mutate(module: Module, names: Sequence[str], debug: DebugInfo) -> Mutated:
    """Put all mutants of some functions into their code, in place; constant tables of these functions become writable.

    Args:
        module: the module of the functions.
        names: the functions' names in IR.
        debug: the module's debug info.
    """
    result = Mutated()
    for name in names:
        function = module.functions[name]
        writer = _Writer(function, debug, result)
        writer.write()
        for number, part in enumerate(module.parts):
            if isinstance(part, str) and (table := _TABLE.match(part)) and _belongs(table[1], name):
                module.parts[number] = writer.table(part, table)
    return result


def _belongs(variable: str, function: str) -> bool:
    """Whether a static variable was defined inside a function."""
    return bare(variable).startswith(f"{function}.")


class _Writer:
    """Puts the mutants of one function into it.

    Args:
        function: the function, which :meth:`write` changes.
        debug: the debug info of its module.
        found: gets the mutants and constants. Mutants are numbered in the order in which they are added.
    """

    def __init__(self, function: Function, debug: DebugInfo, found: Mutated) -> None:
        self.function, self.debug = function, debug
        self.mutants, self.constants = found.mutants, found.constants
        self.signs = Signs(debug, function.subprogram, self._right)
        self.values = function.definitions()
        self.names = 0
        self.before: dict[str, list[str]] = {}  # lines to insert before the terminators of blocks

    def write(self) -> None:
        """Put the mutants into the function's reachable blocks, in place. Call it once."""
        live = live_blocks(self.function)
        for block in live:
            lines = list[str]()
            for line in block.lines[:-1]:
                lines += self._instruction(line)
            block.lines[:-1] = lines
        for block in live:
            block.lines[-1:] = [*self._terminator(block)]
        for block in self.function.blocks:
            block.lines[-1:-1] = self.before.get(block.label, ())

    # ---- parts ----

    def _right(self, value: str) -> str:
        """Return the right-hand side of a value's definition before the change; the value itself if it has none."""
        return self.values.get(bare(value[1:]), ("", value))[1]

    def _name(self) -> str:
        """Return a new name for a value, with ``%``; names that begin with it and a dot are new, too."""
        self.names += 1
        return f"%zm.{self.names}"

    def _chosen(self, line: str, type_: str, value: str, alternatives: Sequence[Alternative],
                result: str = "") -> tuple[list[str], str]:  # fmt: skip
        """Add a mutant for each replacement of a value.

        Args:
            line: the instruction, for its position in the source.
            type_: the type of the value.
            value: the value.
            alternatives: its replacements.
            result: the name for the selected value; empty: choose a new name.

        Returns:
            The lines that select the value or the replacement of the running mutant, and the name of the selected one.
            Without replacements, there are no lines, and the name is the value itself.
        """
        place = self._position(line)
        lines = list[str]()
        for number, one in enumerate(alternatives):
            self.mutants.append(Mutant(len(self.mutants) + 1, self.function.name, place.file, place.line, place.column,
                                       one.change))  # fmt: skip
            name = self._name()
            which, is_it, new = f"{name}.of", f"{name}.is", f"{name}.by"
            last = result and number == len(alternatives) - 1
            chosen = result if last else f"{name}.or"
            lines += [
                f"  {which} = load i64, ptr @zeroin_mutant",
                f"  {is_it} = icmp eq i64 {which}, {len(self.mutants)}",
                *one.lines(is_it, new),
                f"  {chosen} = select i1 {is_it}, {type_} {new}, {type_} {value}",
            ]
            value = chosen
        return lines, value

    def _position(self, line: str) -> Position:
        """Return the position in the source of an instruction, or of a variable's definition."""
        place = self.debug.position(location(line))
        if place.line or not line.startswith("@"):
            return place
        variable = self.debug.fields(self.debug.fields(location(line)).get("var"))
        file = self.debug.fields(variable.get("file")).get("filename", "")
        return Position(file, int(variable.get("line", 0)), 1)

    def _has_place(self, line: str) -> bool:
        """Whether an instruction has a position in the source, or the function has no debug info."""
        return bool(self.debug.position(location(line)).line) or not self.function.subprogram

    # ---- instructions ----

    def _instruction(self, line: str) -> list[str]:
        """Return an instruction with its mutants, as lines. An instruction that the compiler made stays as it is."""
        if not self._has_place(line) or _MADE.search(line):
            return [line]
        defines = _DEFINES.match(line)
        right = defines[2] if defines else ""
        if (made := instruction(right) if right else None) is not None and made.opcode in _REWRITTEN:
            return self._rewritten(line, made)
        return self._constants(line) if _HOLDS_CONSTANTS.match(line) else [line]

    def _rewritten(self, line: str, made: Instruction) -> list[str]:
        """Return an operation with its mutants, as lines. An operation on vectors stays as it is."""
        opcode, type_, values = made.opcode, made.type, made.values
        if type_[0] == "<":  # the source's operators behind vector instructions are not known
            return [line]
        if opcode == "phi":
            return [self._incoming(line, made)] if type_ in _SIZES else [line]
        if opcode == "getelementptr":
            return self._index(line, made)
        if opcode == "fneg":
            return self._operation(line, "", "", type_, lambda *_: [instead("- -> +", type_, values[0])])
        first, second = values
        if opcode in BINARY:
            return self._operation(line, first, second, type_, lambda a, b: self._binary(opcode, type_, a, b))
        if type_ == "ptr":
            return self._operation(line, "", "", "i1", lambda *_: self._relation(made, first, second))
        return self._operation(line, first, second, type_, lambda a, b: self._relation(made, a, b), "i1")

    def _operation(self, line: str, left: str, right: str, type_: str,
                   alternatives: Callable[[str, str], list[Alternative]], of: str = "") -> list[str]:  # fmt: skip
        """Return an operation with its replacements, and with the replacements of its constant operands, as lines.

        Each replacement is added as a mutant. The lines define the same value as ``line``.

        Args:
            line: the operation.
            left, right: its operands; both empty: the operands have no replacements and stay as they are.
            type_: the type of the operands.
            alternatives: returns the operation's replacements, given the selected operands.
            of: the type of the result if it is not ``type_``.
        """
        lines, operands = list[str](), [left, right]
        head, _, tail = line.partition(" = ")
        own = (tail.startswith("sub ") and left == "0", tail.startswith("xor ") and right in ("-1", "true"))
        for at in (1, 0):
            if operands[at] and not own[at]:  # the constants in -x, ~x and !x are not in the source
                more, operands[at] = self._constant(line, type_, operands[at])
                lines += more
        if left:
            at = tail.index(f" {left}, {right}")
            tail = f"{tail[:at]} {operands[0]}, {operands[1]}{tail[at + len(left) + len(right) + 3 :]}"
        others = alternatives(operands[0], operands[1])
        if not others:
            return [*lines, f"{head} = {tail}"]
        plain = self._name()
        chosen, _ = self._chosen(line, of or type_, plain, others, head.strip())
        return [*lines, f"  {plain} = {tail}", *chosen]

    def _binary(self, word: str, type_: str, left: str, right: str) -> list[Alternative]:
        """Return the replacements of a binary operation; none for a bitwise one of truth values, except for ``!``."""
        if word == "xor" and right in ("-1", "true"):
            return [instead("~ -> " if right == "-1" else "! -> ", type_, left)]
        if word == "shl":
            signed = self.signs.of_both(left, left)
            return [computed("<< -> >>", f"{'lshr' if signed is False else 'ashr'} {type_} {left}, {right}")]
        if word in ("ashr", "lshr"):
            return [computed(">> -> <<", f"shl {type_} {left}, {right}")]
        if word in _BITS:
            return [computed(f"{_SIGNS[word]} -> {_SIGNS[new]}", f"{new} {type_} {left}, {right}")
                    for new in _BITS[word]] if type_ != "i1" else []  # fmt: skip
        is_float, base = word[0] == "f", word.lstrip("f") if word[0] == "f" else word[-3:]
        unsigned = word[0] == "u" or self.signs.of_both(left, right) is False
        found = list[Alternative]()
        for new in _ARITHMETIC[base]:
            change = f"{_SIGNS[base]} -> {_SIGNS[new]}"
            if is_float:
                if new != "rem":
                    found.append(computed(change, f"f{new} {type_} {left}, {right}"))
            elif new in ("div", "rem"):
                found.append(divided(change, ("u" if unsigned else "s") + new, type_, left, right))
            else:
                found.append(computed(change, f"{new} {type_} {left}, {right}"))
        return found

    def _relation(self, made: Instruction, left: str, right: str) -> list[Alternative]:
        """Return the replacements of a comparison; none for a predicate that is no operator of C, such as ``uno``."""
        what, predicate, type_, (first, second) = made.opcode, made.predicate, made.type, made.values
        base = predicate[-2:]
        if base not in _RELATIONS or (what == "fcmp" and predicate not in ("une", f"o{base}")):
            return []
        if predicate in ("eq", "ne"):
            signs = "u" if type_ == "ptr" or self.signs.of_both(first, second) is False else "s"
        else:
            signs = predicate[0]
        others: Sequence[str] = _RELATIONS[base]
        if base in ("eq", "ne") and (type_ in ("ptr", "i1") or second in ("0", "null")):
            others = ("ne",) if base == "eq" else ("eq",)  # truth values, tests for 0
        found = []
        for new in others:
            named = new if what == "icmp" and new in ("eq", "ne") else signs + new if what == "icmp" else (
                "une" if new == "ne" else f"o{new}")  # fmt: skip
            found.append(computed(f"{_SIGNS[base]} -> {_SIGNS[new]}", f"{what} {named} {type_} {left}, {right}"))
        return found

    def _index(self, line: str, made: Instruction) -> list[str]:
        """Return an array access with replacements of its constant index; not of 0, which every array's address has."""
        last = made.operands[-1]
        if len(made.operands) < 2 or not re.fullmatch(r"-?\d+", last.value) or not _INDEXED.fullmatch(made.type):
            return [line]
        number, (before, _, after) = int(last.value), line.rpartition(f", {last.type} {last.value}")
        others = [instead(f"[{number}] -> [{n}]", last.type, str(n)) for n in (number + 1, number - 1) if number]
        lines, value = self._chosen(line, last.type, str(number), others)
        return [*lines, f"{before}, {last.type} {value}{after}"]

    # ---- constants ----

    def _constant(self, line: str, type_: str, operand: str) -> tuple[list[str], str]:
        """Return the lines that select a constant or its replacement, and the name of the selected value.

        If the operand is no constant, there are no lines, and the name is the operand itself.
        """
        others = list(changed(type_, operand))
        if (known := constant(type_, operand)) is not None:
            self.constants.add(known)
        if not others:
            return [], operand
        changes = [instead(f"{shown(type_, operand)} -> {shown(type_, new)}", type_, new) for new in others]
        return self._chosen(line, type_, operand, changes)

    def _constants(self, line: str) -> list[str]:
        """Return an instruction with replacements of the constants in it, after the lines that select them.

        Parts of aggregates and of constant expressions are left out. Each replacement becomes a mutant.
        """
        before = list[str]()
        code, mark, rest = line.partition(", !dbg")
        called = _CALLED.search(code)
        first, deep = (called.end(), depths(code)[called.end() - 1]) if called else (0, 0)
        outside = depths(code)  # to leave out parts of aggregate constants and of constant expressions
        for match in reversed(list(_CONSTANT.finditer(code))):
            if match.start() < first or outside[match.start()] != deep:
                continue
            if " align " in code[match.start() - 8 : match.start() + 1]:
                continue
            more, value = self._constant(line, match[1], match[2])
            before += more
            code = f"{code[: match.start(2)]}{value}{code[match.end(2) :]}"
        return [*before, code + mark + rest]

    def _incoming(self, line: str, made: Instruction) -> str:
        """Return a phi with replacements of its constants (``c ? 1 : 2``); the preceding blocks select them."""
        ways = []
        for one in made.operands:
            lines, value = self._constant(line, made.type, one.value)
            self.before.setdefault(bare(one.block), []).extend(lines)
            ways.append(f"[ {value}, %{one.block} ]")
        head, mark, rest = line.partition(", !")
        return f"{head.partition(' = ')[0]} = phi {made.type} {', '.join(ways)}{mark}{rest}"

    def table(self, line: str, match: re.Match[str]) -> str:
        """Return the definition of a constant table, made writable.

        At its beginning, the function writes the replacements of the running mutant into the table. Call this after
        :meth:`write`. A table is returned unchanged if it has strings, pointers, ``zeroinitializer``, numbers of
        different sizes, or more than 64 numbers.

        Args:
            line: the definition.
            match: its parts.
        """
        name, content = match[1], match[3]
        numbers = _NUMBER.findall(content)
        sizes = {_SIZES[type_] for type_, _ in numbers}
        if len(sizes) != 1 or len(numbers) > _LARGEST_TABLE or _HOLES.search(content):
            return line
        lines, size = list[str](), sizes.pop()
        for at, (type_, operand) in enumerate(numbers):
            more, value = self._constant(line, type_, operand)
            if more:
                place = self._name()
                lines += [*more, f"  {place} = getelementptr i8, ptr @{name}, i64 {at * size}",
                          f"  store {type_} {value}, ptr {place}, align 1"]  # fmt: skip
        first = self.function.blocks[0]
        allocas = sum(" = alloca " in one for one in first.lines)
        first.lines[allocas:allocas] = lines
        return line.replace(" constant ", " global ", 1) if lines else line

    # ---- terminators ----

    def _terminator(self, block: Block) -> Iterator[str]:
        """Yield the lines of a terminator with its mutants."""
        line = block.terminator
        if not self._has_place(line):
            yield line
        elif match := _BRANCH.match(line):
            others = [instead(f"condition -> {value}", "i1", value) for value in ("true", "false")]
            lines, value = self._chosen(line, "i1", match[1], others)
            yield from lines
            yield line.replace(f"br i1 {match[1]},", f"br i1 {value},", 1)
        elif match := _SWITCH.match(line):
            lines, value = self._switch(line, match[1], match[2])
            yield from lines
            yield line.replace(f"switch {match[1]} {match[2]},", f"switch {match[1]} {value},", 1)
        else:
            yield from self._constants(line)

    def _switch(self, line: str, type_: str, value: str) -> tuple[list[str], str]:
        """Select a switch's operand. In each mutant, one case value is one more, unless that is another case."""
        cases = [case for case, _ in switch_cases(line)]
        most = 1 << int(type_[1:]) - 1
        free = next(n for n in range(len(cases) + 1, -1, -1) if n not in cases)
        others = [swapped(case, free, type_, value) for case in cases
                  if case + 1 not in cases and case + 1 < most and free < most]  # fmt: skip
        return self._chosen(line, type_, value, others)
