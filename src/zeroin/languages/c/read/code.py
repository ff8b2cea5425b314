"""The code of a module, taken apart once: what each instruction needs, in the form in which it is carried out."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import llvmlite.binding as llvm

from ....model.memory import MemoryValue, Unreadable
from ....native import machine
from ....term.core.nodes import Term
from ....term.core.sorts import Sort
from ..llvm_ir.instructions import BINARY
from ..llvm_ir.ir import switch_cases
from .constant_variables import changed, leaving
from .operations import FREE
from .types import Reader, Type
from .variables import Globals

_NAMED = re.compile(r"^(%(?:\"[^\"]+\"|[-\w$.]+)) = type (.*)$", re.M)
_GLOBAL = re.compile(r"^@(?:\"[^\"]*\"|[-\w$.]+) = .*?\b(?:global|constant) (.*)$", re.S)
_GLOBAL_KIND = re.compile(r" (global|constant) ")
_GEP = re.compile(r"getelementptr (?:(?:inbounds|nuw|nusw) )*(.*)$", re.S)
_BY_VALUE = re.compile(r"\bbyval\((.*?)\)(?: |$)")
_PREDICATE = re.compile(r"[if]cmp (?:(?:samesign|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) )*(\w+)")
_NUMBER = re.compile(r"double|float|i\d+")
_INDEX = re.compile(r"(?:, (\d+))+\s*(?:, !.*)?$")
_VOLATILE = re.compile(r"^ .*\b(?:load|store|cmpxchg|atomicrmw)(?: atomic)? volatile\b", re.M)
_OWN = (llvm.Linkage.internal, llvm.Linkage.private)
_REPLACEABLE = (llvm.Linkage.weak_any, llvm.Linkage.linkonce_any, llvm.Linkage.external_weak)

_FREE = re.compile(r" = (?:(?:must|no)?tail )?[a-z]+ (?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc) ")
UNREADABLE = "unreadable"  # an opcode of ours: an instruction of which nothing is known
UNKNOWN = "unknown"  # another one: it gives something, and changes nothing
_WRITTEN = {"icmp", "fcmp", "switch", "getelementptr", "load", "alloca", "extractvalue", "insertvalue"}  # and so read


@dataclass(frozen=True)
class Slot:
    """The result of an instruction, or a parameter, of the function that runs."""

    number: int


Operand: TypeAlias = "Slot | MemoryValue | None"  # None: undefined


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    Attributes:
        opcode: LLVM's name.
        type: of its result.
        operands: without blocks.
        result: where the result goes.
        more: what else it needs: the predicate of a comparison, the steps of an address, the name that a call calls,
            whether a load is volatile.
        is_free: whether flags let the compiler compute another float than it says.
    """

    opcode: str
    type: Type | None
    operands: tuple[Operand, ...]
    result: int
    more: Any = None
    is_free: bool = False


@dataclass
class Block:
    """Straight code.

    Attributes:
        phis: of each, the result and the operand for each block before.
        body: the other instructions; the last one ends it.
        targets: where it may go on: for ``br`` where the condition holds and where not; for ``switch`` the default,
            and then one for each case.
    """

    phis: list[tuple[int, dict[int, Operand]]] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)
    targets: tuple[int, ...] = ()


@dataclass
class Code:
    """A function.

    Attributes:
        parameters: how many; they are the first slots.
        slots: how many in all.
        blocks: by number, the first one first.
        probed: the slots of truth values that a probe reports.
        sorts: of the slots; None for what is no number.
        values: of the slots, for LLVM.
        by_value: parameters that point to a copy of a structure that only the callee has, and its size.
    """

    name: str
    parameters: int
    slots: int
    blocks: list[Block]
    probed: frozenset[int]
    sorts: list[Sort | None]
    values: list[llvm.ValueRef]
    by_value: dict[int, int] = field(default_factory=dict)


class Program:
    """The functions and variables of a module.

    Args:
        module: which must live as long as this.

    Attributes:
        is_free: whether some instruction may compute another float than it says.
        made: what instructions have made of terms, in all runs, by the ids of both; the terms, so that they keep these.
    """

    def __init__(self, module: llvm.ModuleRef) -> None:
        self._module = module
        self._named = dict(_NAMED.findall("\n".join(map(str, module.struct_types))))
        self._functions = {function.name: function for function in module.functions}
        self._variables = {variable.name: variable for variable in module.global_variables}
        self._code: dict[str, Code] = {}
        self._types: dict[str, Type] = {}
        self._places: dict[tuple[str, int, int, int], int] = {}
        self.is_free = _FREE.search(str(module)) is not None
        self.made: dict[tuple[int, ...], tuple[MemoryValue | None, list[MemoryValue | None]]] = {}

    def place(self, function: str, block: int, at: int, part: int = 0) -> int:
        """A number for a place in the code."""
        return self._places.setdefault((function, block, at, part), len(self._places))

    def code(self, name: str) -> Code | None:
        """A function's code; None if it is not defined here.

        Raises:
            Unreadable: something in it can not be said in terms.
        """
        function = self._functions.get(name)
        if function is None or function.is_declaration:
            return None
        if name not in self._code:
            self._in_values(function)
            self._code[name] = _Decoder(self, function).code()
        return self._code[name]

    def _in_values(self, function: llvm.ValueRef) -> None:
        """Have its variables in values rather than in memory, as far as that is possible."""
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.run(function, self._builder)

    @cached_property
    def _builder(self) -> llvm.PassBuilder:
        return llvm.create_pass_builder(machine.target_machine(), llvm.create_pipeline_tuning_options())

    def variables(self) -> Globals:
        """New objects for its variables, with their initial values."""
        return Globals(self)

    def reader(self, text: str, variables: Globals) -> Reader:
        return Reader(text, self._named, variables.named)

    @cached_property
    def places(self) -> Globals:
        """The objects that operands of the code point to; a run has its own."""
        return Globals(self)

    def type(self, text: str) -> Type:
        if text not in self._types:
            self._types[text] = self.reader(text, self.places).type()
        return self._types[text]

    def initial(self, name: str) -> tuple[str, bool] | None:
        """The text of a variable's type and initial value, and whether it has one."""
        variable = self._variables.get(name)
        if variable is None:
            return None
        found = _GLOBAL.match(str(variable))
        return (found[1], not variable.is_declaration) if found else None

    def is_constant(self, name: str) -> bool:
        """Whether a variable is always as it is defined: no code that is read here changes it."""
        variable = self._variables.get(name)
        if variable is None or variable.is_declaration or self.is_replaceable(name):
            return False
        return self._is_marked_constant(name) or name not in self._changed

    def may_be_set(self, name: str) -> bool:
        """Whether code that is not read may change such a variable: it is neither static nor constant."""
        return self._variables[name].linkage not in _OWN and not self._is_marked_constant(name)

    def may_be_pointed_to(self, name: str) -> bool:
        """Whether who calls a function may have the address of such a variable."""
        return self._variables[name].linkage not in _OWN or name in leaving(str(self._module), self._variables)

    def _is_marked_constant(self, name: str) -> bool:
        found = _GLOBAL_KIND.search(str(self._variables[name]))
        return found is not None and found[1] == "constant"

    @cached_property
    def _changed(self) -> set[str]:
        return changed(str(self._module), self._variables)

    def defined(self) -> list[str]:
        """The functions that are."""
        return [name for name, function in self._functions.items() if not function.is_declaration]

    def addressed(self) -> list[str]:
        """The functions that are used otherwise than by a call of their name."""
        text = str(self._module)
        return [name for name in self.defined() if re.search(rf"@\"?{re.escape(name)}\"?(?![-\w$.\"(])", text)]

    def is_replaceable(self, name: str) -> bool:
        """Whether linking may put another one of this name in the place of a function or variable."""
        found = self._functions.get(name) or self._variables.get(name)
        return found is not None and found.linkage in _REPLACEABLE

    def has_volatile(self, name: str) -> bool:
        """Whether a function reads or writes what others may change meanwhile."""
        return _VOLATILE.search(str(self._functions[name])) is not None

    def is_function(self, name: str) -> bool:
        return name in self._functions


class _Decoder:
    """Takes one function apart."""

    def __init__(self, program: Program, function: llvm.ValueRef) -> None:
        self._program, self._function = program, function
        self._slots: dict[int, int] = {}
        self._sorts: list[Sort | None] = []
        self._values: list[llvm.ValueRef] = []
        self._blocks: dict[int, int] = {}

    def code(self) -> Code:
        arguments = list(self._function.arguments)
        for argument in arguments:
            self._add_slot(argument)
        blocks = list(self._function.blocks)
        self._blocks = {_key(block): number for number, block in enumerate(blocks)}
        bodies = [list(block.instructions) for block in blocks]
        for body in bodies:
            for instruction in body:
                self._add_slot(instruction)
        decoded = [self._block(body) for body in bodies]
        probes = [i for block in decoded for i in block.body if i.opcode == "call" and is_probe(i.more)]
        probed = frozenset(i.operands[4].number for i in probes if isinstance(i.operands[4], Slot))
        found = ((at, _BY_VALUE.search(b" ".join(one.attributes).decode())) for at, one in enumerate(arguments))
        by_value = {at: self._size(match[1]) for at, match in found if match}
        return Code(self._function.name, len(arguments), len(self._slots), decoded, probed, self._sorts, self._values,
                    by_value)  # fmt: skip

    def _size(self, type_: str) -> int:
        """Of a type in bytes; 0 where that is not known."""
        try:
            return self._program.type(type_).size
        except Unreadable:
            return 0

    def _add_slot(self, value: llvm.ValueRef) -> None:
        self._slots[_key(value)] = len(self._slots)
        self._values.append(value)
        written = str(value.type)
        self._sorts.append(self._program.type(written).sort if _NUMBER.fullmatch(written) else None)

    def _block(self, body: Sequence[llvm.ValueRef]) -> Block:
        made = Block()
        for instruction in body:
            operands = list(instruction.operands)
            if instruction.opcode == "phi":
                incoming = [self._blocks[_key(before)] for before in instruction.incoming_blocks]
                slot = self._slots[_key(instruction)]
                try:
                    if self._is_free(instruction):
                        raise Unreadable(FREE)
                    made.phis.append((slot, dict(zip(incoming, map(self._operand, operands), strict=True))))
                except _NOT_UNDERSTOOD as error:
                    made.body.append(Instruction(UNKNOWN, None, (), slot, _reason(error)))
            else:
                made.targets = tuple(self._targets(instruction.opcode, operands))
                made.body.append(self._readable(instruction, operands))
        return made

    def _targets(self, opcode: str, operands: list[llvm.ValueRef]) -> Iterator[int]:
        found = [self._blocks[key] for key in map(_key, operands) if key in self._blocks]
        return iter(found[::-1] if opcode == "br" else found)

    def _operand(self, value: llvm.ValueRef) -> Operand:
        slot = self._slots.get(_key(value))
        if slot is not None:
            return Slot(slot)
        kind = value.value_kind.name
        if kind in ("function", "global_variable"):
            return self._program.places.named(f"@{value.name}")
        if kind in ("metadata_as_value", "inline_asm"):
            return None
        return self._program.reader(str(value), self._program.places).typed()[1]

    def _readable(self, instruction: llvm.ValueRef, operands: list[llvm.ValueRef]) -> Instruction:
        """The instruction; if it can not be said in terms, one that says so where a run comes to it."""
        try:
            return self._instruction(instruction, operands)
        except _NOT_UNDERSTOOD as error:
            opcode = UNKNOWN if instruction.opcode in _PURE else UNREADABLE
            return Instruction(opcode, None, (), self._slots[_key(instruction)], _reason(error))

    def _instruction(self, instruction: llvm.ValueRef, operands: list[llvm.ValueRef]) -> Instruction:
        opcode = instruction.opcode
        text = str(instruction) if opcode in _WRITTEN else ""
        values = tuple(self._operand(operand) for operand in operands if _key(operand) not in self._blocks)
        written = str(instruction.type)
        type_ = None if written in ("void", "token", "label") else self._program.type(written)
        more: Any = None
        if opcode in ("icmp", "fcmp"):
            more = _search(_PREDICATE, text)[1], self._type_of(operands[0])
        elif opcode == "switch":
            more = tuple(case for case, _ in switch_cases(text.partition("[")[2]))
        elif opcode == "getelementptr":
            source = self._program.reader(_search(_GEP, text)[1], self._program.places).type()
            more = tuple(_steps(source, list(values[1:])))
        elif opcode == "load":
            more = _VOLATILE.match(text) is not None
        elif opcode == "alloca":
            more = self._program.type(text.partition("alloca ")[2])
        elif opcode == "store":
            more = self._type_of(operands[0])
        elif opcode in ("extractvalue", "insertvalue"):
            more = tuple(map(int, re.findall(r", (\d+)", _search(_INDEX, text)[0])))
        elif opcode in CASTS:
            more = self._type_of(operands[0])
        elif opcode in ("call", "invoke"):
            called = operands[-1]
            more = called.name if called.value_kind.name == "function" else None
        return Instruction(opcode, type_, values, self._slots[_key(instruction)], more, self._is_free(instruction))

    def _is_free(self, instruction: llvm.ValueRef) -> bool:
        """Whether flags let the compiler compute something else. The text is not made where no instruction has some."""
        return self._program.is_free and _FREE.search(str(instruction)) is not None

    def _type_of(self, value: llvm.ValueRef) -> Type:
        return self._program.type(str(value.type))


# Taking text apart: what is not as it is expected to be, an unknown value or name.
_NOT_UNDERSTOOD = (Unreadable, ValueError, LookupError)
CASTS = {"trunc", "zext", "sext", "fptosi", "fptoui", "sitofp", "uitofp", "fptrunc", "fpext", "bitcast", "ptrtoint",
          "inttoptr"}  # fmt: skip
_PURE = {*CASTS, *BINARY, "fneg", "icmp", "fcmp", "extractvalue", "insertvalue", "extractelement", "insertelement",
         "shufflevector", "select", "freeze", "getelementptr", "load", "addrspacecast", "ptrtoaddr"}  # fmt: skip


def is_probe(name: str | None) -> bool:
    """Whether it is one of those that report a comparison."""
    return name is not None and name.startswith("zeroin_probe_") and name != PROBE_SWITCH


PROBE_SWITCH = "zeroin_probe_switch"


def _steps(type_: Type, indices: list[Operand]) -> Iterator[tuple[int, int, Operand]]:
    """Of an address: bytes that are added, bytes that an index is taken times, and the index."""
    for number, index in enumerate(indices):
        if number == 0:
            yield 0, type_.size, index
        elif type_.count is not None:
            type_ = type_.parts[0]
            yield 0, type_.size, index
        else:
            if not isinstance(index, Term):
                raise Unreadable("an unknown member of a structure is used")
            type_, offset = type_.member(index.data)
            yield offset, 0, None


def _reason(error: Exception) -> str:
    """Why zeroin can not read an instruction, in words."""
    return str(error) if isinstance(error, Unreadable) else f"zeroin can not read an instruction ({error!r})"


def _search(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.search(text)
    if found is None:
        raise Unreadable(f"zeroin can not read {text.strip()[:80]}")
    return found


def _key(value: llvm.ValueRef) -> int:
    return ctypes.cast(value._ptr, ctypes.c_void_p).value or 0
