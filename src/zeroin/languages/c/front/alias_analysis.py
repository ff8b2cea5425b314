"""Which pointer parameters of a function may lead to the same memory, and whether the code can tell.

Three facts decide: which objects C's effective type rules allow behind each pointer, what the code writes through them,
and which addresses it compares.

An address is identified by its origin: a pointer parameter (by its position), a variable in memory (by its name), or
:data:`ANY` if the origin is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations

from ..llvm_ir.debug_info import DebugInfo
from ..llvm_ir.ir import Function, Module, bare
from .debug_info_types import RECORDS, is_pointer

_LOAD = re.compile(r"^\s+(%\S+) = load (?:volatile |atomic )?([^,]+), ptr ([^\s,]+)")
_STORE = re.compile(r"^\s+store (?:volatile |atomic )?(.*), ptr ([^\s,]+|getelementptr .*?\)|\S+ \(.*?\))(?:,| \w+|$)")
_ADDRESS = re.compile(r"^\s+(%\S+) = getelementptr (?:(?:inbounds|nuw|nusw) )*.+?, ptr ([^\s,]+)")
_CHOICE = re.compile(r"^\s+(%\S+) = (?:phi|select) ")
_MADE = re.compile(r"^\s+(%\S+) = alloca ")
_COMPARED = re.compile(r"^\s+%\S+ = icmp (?:samesign )?(\w+) ptr ([^\s,]+), ([^\s,]+)")
_NUMBER = re.compile(r"^\s+%\S+ = ptrtoint ptr ([^\s,]+) to")
_CALL = re.compile(r"\b(?:call|invoke) [^@]*@(\"[^\"]+\"|[-\w$.]+)\((.*)\)")
_INDIRECT = re.compile(r"\b(?:call|invoke) [^@(]*%\S+?\((.*)\)")
_VALUE = re.compile(r"[%@][-\w$.\"]+")
_POINTER = re.compile(r"\bptr (?:[a-z]+(?:\([^()]*\))? |align \d+ )*([%@][-\w$.]+|null)")
_WRITES_FIRST = re.compile(r"llvm\.mem(cpy|move|set)\b.*|mem(cpy|move|set)")
_ONLY_READS = re.compile(
    r"llvm\.(?:lifetime|dbg|assume|experimental|donothing|prefetch|stack|invariant|sideeffect|objectsize|va_|launder|strip"
    r"|threadlocal|is\.constant|expect|annotation|ptr\.annotation|eh\.typeid|returnaddress|frameaddress).*"
    r"|zeroin_.*|strlen|strn?cmp|mem(cmp|chr)|strr?chr|strstr"
)
_ALTERS = re.compile(r"^\s+%\S+ = (?:atomicrmw|cmpxchg) [^%@]*?ptr ([^\s,]+)")
ANY = "?"  # the origin of an address is unknown


@dataclass(frozen=True)
class PointeeTypes:
    """The types of objects that may lie behind a pointer.

    Attributes:
        numbers: kinds and sizes in bytes of the numbers in the object: ``f8``, ``i4``, ``p8``. Signed and unsigned
            integers are the same; a union has those of all members.
        records: the object's structure type and all structure types inside it.
        record: the object's structure type; for an array, that of its elements; empty for numbers.
        is_any: whether any object may lie there, because the pointer is a ``char *`` or ``void *``.
        is_alone: whether the pointer is ``restrict``: an object that is changed is reached by this pointer only.
    """

    numbers: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    record: str = ""
    is_any: bool = False
    is_alone: bool = False

    def meets(self, other: PointeeTypes) -> bool:
        """Whether C's effective type rules allow both pointers to access the same bytes."""
        if self.is_any or other.is_any:
            return True
        if self.record and other.record:
            return self.record in other.records or other.record in self.records
        return bool(self.numbers & other.numbers)

    def shares(self, other: PointeeTypes) -> bool:
        """Whether a change through one pointer may be visible through the other one."""
        return self.meets(other) and not (self.is_alone or other.is_alone)


NOTHING = PointeeTypes()


def behind(debug: DebugInfo, pointer: str | None) -> PointeeTypes:
    """Return the types of objects that may lie behind a pointer or reference type.

    Args:
        debug: debug info of the module.
        pointer: ref of the type, with or without typedefs and qualifiers. For None, any object may lie there.
    """
    ref, is_alone = pointer, False
    while debug.kind(ref) == "DIDerivedType" and not is_pointer(debug, ref):
        is_alone |= debug.fields(ref).get("tag") == "DW_TAG_restrict_type"
        ref = debug.fields(ref).get("baseType")
    target = debug.fields(ref).get("baseType")
    base, _ = debug.resolve(target)
    if base in (None, "null"):
        return PointeeTypes(is_any=True, is_alone=is_alone)
    numbers, records = set[str](), set[str]()
    _collect(debug, base, numbers, records)
    while debug.fields(base).get("tag") == "DW_TAG_array_type":
        base, _ = debug.resolve(debug.fields(base).get("baseType"))
    is_record = debug.fields(base).get("tag") in RECORDS
    return PointeeTypes(frozenset(numbers), frozenset(records), _record(debug, base) if is_record else "",
                  not is_record and "i1" in numbers, is_alone)  # fmt: skip


def _collect(debug: DebugInfo, ref: str | None, numbers: set[str], records: set[str]) -> None:
    """Add the numbers and structures inside a type to the sets."""
    base, _ = debug.resolve(ref)
    fields = debug.fields(base)
    tag = fields.get("tag", "")
    size = str(int(fields.get("size", "0") or 0) // 8)
    if tag in RECORDS:
        own = _record(debug, base)
        if own not in records:
            records.add(own)
            for member in debug.items(fields.get("elements")):
                described = debug.fields(member)
                if described.get("tag") in ("DW_TAG_member", "DW_TAG_inheritance"):
                    _collect(debug, described.get("baseType"), numbers, records)
    elif tag == "DW_TAG_array_type":
        _collect(debug, fields.get("baseType"), numbers, records)
    elif is_pointer(debug, base):
        numbers.add("p8")
    elif fields.get("encoding") == "DW_ATE_boolean":
        numbers.add("b1")
    else:
        numbers.add(("f" if fields.get("encoding") == "DW_ATE_float" else "i") + size)


def _record(debug: DebugInfo, ref: str | None) -> str:
    """Return the name and the ref of a structure type, a text that identifies the type in its module."""
    return f"{debug.spelled(ref)} {ref}"


@dataclass
class AddressUses:
    """What code does with addresses. Addresses are given by their origins, see the module.

    Attributes:
        written: origins of the addresses that the code writes to.
        compared: pairs whose addresses the code compares.
        related: pairs that it compares for more than equality of the original pointers: order, or after arithmetic.
    """

    written: set[int | str] = field(default_factory=set)
    compared: set[tuple[int | str, int | str]] = field(default_factory=set)
    related: set[tuple[int | str, int | str]] = field(default_factory=set)

    def compares(self, one: int, other: int) -> bool:
        """Whether code may compare addresses of two parameters, given by position.

        An address of unknown origin counts as that of any parameter.
        """
        return _has(self.compared, one, other)

    def relates(self, one: int, other: int) -> bool:
        """Whether :meth:`compares` holds for more than equality, see :attr:`related`."""
        return _has(self.related, one, other)

    def writes(self, number: int) -> bool:
        """Whether code may write through a pointer parameter, given by position, or through an unknown address."""
        return bool(self.written & {number, ANY})


def _has(pairs: set[tuple[int | str, int | str]], one: int, other: int) -> bool:
    """Whether a pair stands for two parameters, in either order; :data:`ANY` stands for every parameter."""
    return any({one, ANY} & {a} and {other, ANY} & {b} for pair in pairs for a, b in (pair, pair[::-1]))


def used(function: Function, module: Module, known: dict[str, AddressUses | None] | None = None) -> AddressUses:
    """Analyse what a function compiled at -O0, and the functions that it calls, do with addresses.

    Args:
        function: the IR function.
        module: its module.
        known: finished analyses by function name; None for functions whose analysis is under way (recursion). It gets
            the analyses of all functions that are called. By default it is empty.
    """
    known = {} if known is None else known
    known[function.name] = None
    found = known[function.name] = _Reader(function, module, known).read()
    return found


class _Reader:
    """The analysis of one function; the arguments are those of :func:`used`."""

    def __init__(self, function: Function, module: Module, known: dict[str, AddressUses | None]) -> None:
        self._lines = [line for block in function.blocks for line in block.lines]
        self._module, self._functions, self._known = module, module.functions, known
        self._parameters = {f"%{name}": number for number, name in enumerate(function.parameters)}
        self._slots: dict[str, list[str]] = {}  # local variable -> pointers stored in it
        self._made: dict[str, tuple[str, str]] = {}
        for line in self._lines:
            if match := _MADE.match(line):
                self._slots[match[1]] = []
        for line in self._lines:
            self._note(line)
        self._found, self._steps = AddressUses(), 0  # steps of address arithmetic since the counter was reset

    def _note(self, line: str) -> None:
        """Record which address a line defines, and which pointers it stores in local variables."""
        if line.lstrip().startswith(";"):  # a comment, such as the one that marks a variable without a value
            return
        if match := _LOAD.match(line):
            self._made[match[1]] = "load" if match[2] == "ptr" else "", match[3]
        elif match := _ADDRESS.match(line):
            self._made[match[1]] = "address", match[2]
        elif match := _CHOICE.match(line):
            self._made[match[1]] = "choice", line.partition("=")[2]
        if match := _STORE.match(line):
            if match[2] in self._slots and match[1].startswith("ptr "):
                self._slots[match[2]].append(match[1].removeprefix("ptr "))
            self._escape(match[1])
        elif not (_LOAD.match(line) or _MADE.match(line)) and "#dbg" not in line:
            self._escape(line)

    def _escape(self, text: str) -> None:
        """Mark local variables in a text as unknown: their addresses are used, so any code may change them."""
        for name in _VALUE.findall(text):
            if name in self._slots:
                self._slots[name].append(ANY)

    def read(self) -> AddressUses:
        """Return what the function does with addresses."""
        for line in self._lines:
            if match := _STORE.match(line):
                self._found.written |= self._of(match[2])
            elif match := _ALTERS.match(line):
                self._found.written |= self._of(match[1])
            elif match := _COMPARED.match(line):
                self._steps = 0
                one, other = self._of(match[2]), self._of(match[3])
                self._compare(one, other, match[1] not in ("eq", "ne") or self._steps > 0)
            elif match := _NUMBER.match(line):
                self._compare(self._of(match[1]), {ANY}, True)
            elif match := _CALL.search(line):
                self._call(bare(match[1]), match[2])
            elif match := _INDIRECT.search(line):
                given = self._given(match[1], {ANY})
                self._found.written |= given
                self._compare(given, given, True)
        return self._found

    def _compare(self, one: set[int | str], other: set[int | str], is_related: bool) -> None:
        """Record a comparison of two addresses, each given by its possible origins."""
        found = {(a, b) for a in one for b in other if a != b or a == ANY}
        self._found.compared |= found
        self._found.related |= found if is_related else set()

    def _of(self, value: str, seen: frozenset[str] = frozenset()) -> set[int | str]:
        """Return the possible origins of an address; empty for NULL. Each step of address arithmetic is counted."""
        if value in self._parameters:
            return {self._parameters[value]}
        if value == "null" or value in seen:
            return set()
        if value in self._slots or value.startswith("@"):
            return {value}
        how, of = self._made.get(value, ("", ""))
        within = seen | {value}
        if how == "address":
            self._steps += 1
            return self._of(of, within)
        if how == "load" and of in self._slots and of not in within:
            values = self._slots[of]
            return {ANY} if ANY in values else {one for each in values for one in self._of(each, within | {of})}
        if how == "load" and of in within:
            return set()
        if how == "choice":
            return {one for each in _choices(of) for one in self._of(each, within)}
        return {ANY}

    def _given(self, arguments: str, otherwise: set[int | str]) -> set[int | str]:
        """Return the origins of the addresses among a call's arguments; ``otherwise`` if they can not be parsed."""
        found = [self._of(value) for value in _POINTER.findall(arguments)]
        return set().union(*found) if found else otherwise if "ptr" in arguments else set()

    def _call(self, name: str, arguments: str) -> None:
        """Record what a call does; an unknown function may write through all its arguments."""
        if name in self._functions:
            self._call_of_ours(self._functions[name], arguments)
        elif _WRITES_FIRST.fullmatch(name):
            self._found.written |= self._given(arguments.partition(",")[0], {ANY})
        elif not _ONLY_READS.fullmatch(name):
            self._found.written |= self._given(arguments, {ANY})

    def _call_of_ours(self, callee: Function, text: str) -> None:
        """Record what a call of a function in the module does; a recursive call may do anything."""
        self._steps = 0
        arguments = [self._given(one, {ANY}) for one in _split(text)]
        theirs = self._known[callee.name] if callee.name in self._known else used(callee, self._module, self._known)
        if theirs is None or len(arguments) != len(callee.parameters):  # a recursive call
            anything = set[int | str]().union(*arguments)
            self._found.written |= anything
            return self._compare(anything, anything, True)

        def ours(one: int | str) -> set[int | str]:
            """Return the origins in the caller of an origin in the callee; empty for a local variable."""
            if isinstance(one, int):
                return arguments[one]
            return {one} if one == ANY or one.startswith("@") else set()

        for one in theirs.written:
            self._found.written |= ours(one)
        for pair in theirs.compared:
            self._compare(ours(pair[0]), ours(pair[1]), pair in theirs.related or self._steps > 0)
        return None


def _choices(text: str) -> list[str]:
    """Return the named values that a phi or select may choose; constants such as ``null`` are left out."""
    found = _VALUE.findall(text)
    if text.lstrip().startswith("phi"):
        return [value for value in re.findall(r"\[ ([^,]+),", text) if value.startswith(("%", "@"))]
    return [value for value in found[1:] if value.startswith(("%", "@"))]


def _split(text: str) -> Iterator[str]:
    """Yield the arguments in a text, which may go on after the parenthesis that ends the call."""
    depth, current = 0, ""
    for character in text:
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0:
            yield current
            current = ""
        else:
            current += character
    if current.strip():
        yield current


@dataclass(frozen=True)
class AliasPairs:
    """Which pointer parameters of a function may share memory.

    Attributes:
        pairs: pairs of names that may lead to the same memory, with an effect that the code can notice. In each pair,
            the earlier parameter comes first. The object of a member function has the name ``this``.
        written: names of the pointers that the code may write through, in the order of the parameters.
        compares_others: whether the code may compare addresses of objects that no parameter points to.
        compared: pairs of names whose addresses the code may compare.
        related: pairs of names that it may compare for more than equality.
    """

    pairs: tuple[tuple[str, str], ...] = ()
    written: tuple[str, ...] = ()
    compares_others: bool = False
    compared: tuple[tuple[str, str], ...] = ()
    related: tuple[tuple[str, str], ...] = ()


APART = AliasPairs()


def sharing(pointers: Mapping[int, tuple[str, PointeeTypes]], code: AddressUses) -> AliasPairs:
    """Decide which pointer parameters may share memory.

    Args:
        pointers: name and possible objects of each pointer parameter, by its position in the IR function.
        code: what the function does with addresses.
    """
    numbers = sorted(pointers)
    every = [(a, b, (pointers[a][0], pointers[b][0])) for a, b in combinations(numbers, 2)]
    changed = {names for a, b, names in every
               if pointers[a][1].shares(pointers[b][1]) and (code.writes(a) or code.writes(b))}  # fmt: skip
    compared = tuple(names for a, b, names in every if code.compares(a, b))
    pairs = tuple(names for *_, names in every if names in changed or names in compared)
    related = tuple(names for a, b, names in every if code.relates(a, b))
    written = tuple(pointers[number][0] for number in numbers if code.writes(number))
    others = any(one not in pointers and one != ANY for pair in code.compared for one in pair)
    return AliasPairs(pairs, written, others or (ANY, ANY) in code.compared, compared, related)
