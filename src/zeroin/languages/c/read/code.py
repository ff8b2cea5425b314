"""The code of an LLVM module, decoded once into the form that symbolic execution uses."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import llvmlite.binding as llvm

from ....model.memory import MemoryValue, Unreadable
from ....native import machine
from ....term.core.nodes import Term
from ....term.core.sorts import Sort
from ..front.set_up import ENTRY as SET_UP
from ..llvm_ir.instructions import BINARY
from ..llvm_ir.ir import mentioned, switch_cases
from .constant_variables import changed, leaving
from .operations import FREE
from .strings import TYPES
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
    """The result of an instruction, or a parameter, by its number in the function."""

    number: int


Operand: TypeAlias = "Slot | MemoryValue | None"  # None: undefined


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    Attributes:
        opcode: LLVM's name of the operation, or ``UNREADABLE`` or ``UNKNOWN``.
        type: the type of the result; None if there is none.
        operands: the operands without blocks. The last one of a call is the called function.
        result: the number of the slot for the result. Instructions without a result have one, too.
        more: further data. For a comparison: the predicate and the operands' type. ``switch``: its cases.
            ``getelementptr``: its steps (:meth:`.access.Access.address`). ``load``: whether it is volatile or atomic.
            ``alloca`` and ``store``: the type of the variable or value. ``extractvalue`` and ``insertvalue``: the path
            to the part. Casts: the operand's type. ``call`` and ``invoke``: the name of the function; None for a call
            by address or assembly. ``UNREADABLE`` and ``UNKNOWN``: the reason. Otherwise None.
        is_free: whether compiler flags allow another result than IEEE 754 defines.
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
        phis: for each phi, the number of its slot, and its operand for each preceding block.
        body: the other instructions; the last one ends the block.
        targets: the indices of the blocks that may come next. ``br`` has the one for a true condition first, ``switch``
            the default and then one for each case.
    """

    phis: list[tuple[int, dict[int, Operand]]] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)
    targets: tuple[int, ...] = ()


@dataclass
class Code:
    """The code of a function.

    Attributes:
        name: the name of the function.
        parameters: the number of parameters. They are the first slots.
        slots: the number of slots.
        blocks: the blocks; the first one is the entry.
        probed: the slots of the conditions that probes report.
        sorts: the sort of each slot; None if it is no number.
        values: LLVM's value of each slot.
        by_value: the parameters that point to a copy of a structure that belongs to the callee, by index, each with the
            structure's size in bytes; 0 if it is unknown.
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
    """The functions and global variables of a module.

    Args:
        module: the module. It must live as long as this object, and is changed (:meth:`code`).
        library: the functions of the C library that it defines.

    Attributes:
        library: the functions of the C library that the module defines, for reading only.
        is_free: whether compiler flags allow another result than IEEE 754 defines for some instruction.
        made: a cache for all runs, by the ids of an instruction and of its operands: the result and the operands. It
            keeps the operands alive, so that their ids stay valid.
    """

    def __init__(self, module: llvm.ModuleRef, library: Collection[str] = ()) -> None:
        self._module, self.library = module, frozenset(library)
        self._named = dict(_NAMED.findall("\n".join(map(str, module.struct_types))))
        self._functions = {function.name: function for function in module.functions}
        self._variables = {variable.name: variable for variable in module.global_variables}
        self._code: dict[str, Code] = {}
        self._types: dict[str, Type] = {}
        self._places: dict[tuple[str, int, int, int], int] = {}
        self.is_free = _FREE.search(str(module)) is not None
        self.made: dict[tuple[int, ...], tuple[MemoryValue | None, list[MemoryValue | None]]] = {}

    def place(self, function: str, block: int, at: int, part: int = 0) -> int:
        """Return a number that identifies a place in the code.

        Args:
            function: the name of the function.
            block: the index of the block.
            at: the index of the instruction.
            part: distinguishes several places in one instruction, such as the cases of a switch.
        """
        return self._places.setdefault((function, block, at, part), len(self._places))

    def code(self, name: str) -> Code | None:
        """Return the code of a function; None if the module does not define it.

        At the first call, LLVM's ``sroa`` pass moves the function's variables from memory into values, which changes
        the module. An instruction that can not be expressed in terms has the opcode ``UNREADABLE`` or ``UNKNOWN``.
        """
        function = self._functions.get(name)
        if function is None or function.is_declaration:
            return None
        if name not in self._code:
            self._in_values(function)
            self._code[name] = _Decoder(self, function).code()
        return self._code[name]

    def _in_values(self, function: llvm.ValueRef) -> None:
        """Move a function's variables from memory into values, where that is possible. The module is changed."""
        passes = llvm.create_new_function_pass_manager()
        passes.add_sroa_pass()
        passes.run(function, self._builder)

    @cached_property
    def _builder(self) -> llvm.PassBuilder:
        return llvm.create_pass_builder(machine.target_machine(), llvm.create_pipeline_tuning_options())

    def variables(self) -> Globals:
        """Return new objects for the global variables, with their initial values. Each run changes its own."""
        return Globals(self)

    def reader(self, text: str, variables: Globals) -> Reader:
        """Return a reader of a text, in which global names stand for these variables."""
        return Reader(text, self._named, variables.named)

    @cached_property
    def places(self) -> Globals:
        """The objects that operands in the code point to. A run replaces them by its own."""
        return Globals(self)

    def type(self, text: str) -> Type:
        """Return the type that LLVM writes like this.

        Raises:
            Unreadable: the type is not supported.
        """
        if text not in self._types:
            self._types[text] = self.reader(text, self.places).type()
        return self._types[text]

    def initial(self, name: str) -> tuple[str, bool] | None:
        """Return the text of a variable's type and initial value, and whether the variable is defined here.

        None if there is no such variable.
        """
        variable = self._variables.get(name)
        if variable is None:
            return None
        found = _GLOBAL.match(str(variable))
        return (found[1], not variable.is_declaration) if found else None

    def is_constant(self, name: str) -> bool:
        """Return whether a variable keeps its initial value, as far as the code of the module decides.

        False if it is not defined here, or the linker may replace it.
        """
        variable = self._variables.get(name)
        if variable is None or variable.is_declaration or self.is_replaceable(name):
            return False
        return self._is_marked_constant(name) or name not in self._changed

    def may_be_set(self, name: str) -> bool:
        """Return whether code outside of the module may set a variable, because it is neither static nor constant."""
        if name not in self._variables:  # another name of a variable
            return True
        return self._variables[name].linkage not in _OWN and not self._is_marked_constant(name)

    def may_be_pointed_to(self, name: str) -> bool:
        """Return whether a caller may have the address of a variable: it is not static, or its address escapes."""
        return name not in self._variables or self._variables[name].linkage not in _OWN or name in self._leaving

    def _is_marked_constant(self, name: str) -> bool:
        """Return whether a variable is defined as ``constant``."""
        found = _GLOBAL_KIND.search(str(self._variables[name]))
        return found is not None and found[1] == "constant"

    @cached_property
    def _changed(self) -> set[str]:
        """The variables that code of the module may change."""
        return changed(self._text, self._variables)

    @cached_property
    def _leaving(self) -> set[str]:
        """The variables whose addresses code of the module may give to other code."""
        return leaving(self._text, self._variables)

    @cached_property
    def _text(self) -> str:
        """The IR of the module without the function that sets up runs: what that does, code outside may do as well."""
        text = str(self._module)
        return text.replace(str(self._functions[SET_UP]), "") if SET_UP in self._functions else text

    def keeps_state(self, name: str) -> bool:
        """Return whether a variable changes from call to call, and only by its name, or by pointers of the caller."""
        is_here = name in self._variables and (self.initial(name) or ("", False))[1]
        return is_here and not (self.is_constant(name) or self.is_replaceable(name) or name in self._leaving)

    def is_called_from_outside(self, name: str) -> bool:
        """Return whether code outside of the module may call a function of it, by its name or its address."""
        return self._functions[name].linkage not in _OWN or name in self.addressed

    def mentioned(self, name: str) -> set[str]:
        """Return the names of functions and variables in the code of a function, or in a variable's initial value."""
        known = self._functions if name in self._functions else self._variables
        return set(mentioned(str(known[name]))) & (self._functions.keys() | self._variables.keys())

    def defined(self) -> list[str]:
        """Return the names of the functions that the module defines."""
        return [name for name, function in self._functions.items() if not function.is_declaration]

    @cached_property
    def addressed(self) -> list[str]:
        """The names of the defined functions that are used in another way than by a direct call."""
        text = self._text
        return [name for name in self.defined() if re.search(rf"@\"?{re.escape(name)}\"?(?![-\w$.\"(])", text)]

    def is_replaceable(self, name: str) -> bool:
        """Return whether the linker may replace a function or variable by another one with the same name."""
        found = self._functions.get(name) or self._variables.get(name)
        return found is not None and found.linkage in _REPLACEABLE

    def has_volatile(self, name: str) -> bool:
        """Return whether a function has volatile loads or stores, whose memory may change at any time."""
        return _VOLATILE.search(str(self._functions[name])) is not None

    def has_type(self, name: str, type_: str) -> bool:
        """Return whether a function is defined here, or is declared with a type as LLVM writes it."""
        found = self._functions[name]
        return not found.is_declaration or str(found.global_value_type) == type_

    def is_function(self, name: str) -> bool:
        """Return whether the module defines or declares a function with this name."""
        return name in self._functions


class _Decoder:
    """Decodes one function."""

    def __init__(self, program: Program, function: llvm.ValueRef) -> None:
        self._program, self._function = program, function
        self._slots: dict[int, int] = {}
        self._sorts: list[Sort | None] = []
        self._values: list[llvm.ValueRef] = []
        self._blocks: dict[int, int] = {}

    def code(self) -> Code:
        """Return the decoded function."""
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
        """Return the size of a type in bytes; 0 if it is unknown."""
        try:
            return self._program.type(type_).size
        except Unreadable:
            return 0

    def _add_slot(self, value: llvm.ValueRef) -> None:
        """Give a parameter or an instruction the next slot."""
        self._slots[_key(value)] = len(self._slots)
        self._values.append(value)
        written = str(value.type)
        self._sorts.append(self._program.type(written).sort if _NUMBER.fullmatch(written) else None)

    def _block(self, body: Sequence[llvm.ValueRef]) -> Block:
        """Return the decoded block with these instructions."""
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
        """Return the blocks that may come next, in the order of :attr:`Block.targets`."""
        found = [self._blocks[key] for key in map(_key, operands) if key in self._blocks]
        return iter(found[::-1] if opcode == "br" else found)

    def _operand(self, value: llvm.ValueRef) -> Operand:
        """Return an operand; None for metadata, assembly, and constants without a value.

        Raises:
            Unreadable: it is a constant that can not be expressed.
        """
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
        """Return the decoded instruction; one with the opcode ``UNREADABLE`` or ``UNKNOWN`` if that fails."""
        try:
            return self._instruction(instruction, operands)
        except _NOT_UNDERSTOOD as error:
            opcode = UNKNOWN if instruction.opcode in _PURE else UNREADABLE
            return Instruction(opcode, None, (), self._slots[_key(instruction)], _reason(error))

    def _instruction(self, instruction: llvm.ValueRef, operands: list[llvm.ValueRef]) -> Instruction:
        """Return the decoded instruction.

        Raises:
            Unreadable: it can not be expressed.
            ValueError: its text is not as expected.
            LookupError: it contains an unknown name.
        """
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
            more = _VOLATILE.match(text) is not None or " = load atomic " in text
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
            if more in TYPES and not self._program.has_type(more, TYPES[more]):
                more = f"{more} of another type"  # some other function
        return Instruction(opcode, type_, values, self._slots[_key(instruction)], more, self._is_free(instruction))

    def _is_free(self, instruction: llvm.ValueRef) -> bool:
        """Return whether compiler flags allow another result than IEEE 754 defines."""
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
    """Return whether a function is a probe of a comparison. False for the probe of a switch, and for None."""
    return name is not None and name.startswith("zeroin_probe_") and name != PROBE_SWITCH


PROBE_SWITCH = "zeroin_probe_switch"


def _steps(type_: Type, indices: list[Operand]) -> Iterator[tuple[int, int, Operand]]:
    """Yield the steps of an address: the bytes to add, the bytes to multiply an index by, and the index.

    Raises:
        Unreadable: the index of a structure's member is no constant.
    """
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
    """Return the reason why zeroin can not read an instruction, for people."""
    return str(error) if isinstance(error, Unreadable) else f"zeroin can not read an instruction ({error!r})"


def _search(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """Return the first match of a pattern.

    Raises:
        Unreadable: there is none.
    """
    found = pattern.search(text)
    if found is None:
        raise Unreadable(f"zeroin can not read {text.strip()[:80]}")
    return found


def _key(value: llvm.ValueRef) -> int:
    """Return the address of LLVM's object, which identifies a value or a block."""
    return ctypes.cast(value._ptr, ctypes.c_void_p).value or 0
