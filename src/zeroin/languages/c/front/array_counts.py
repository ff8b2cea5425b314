"""Find the integer parameters that give the lengths of arrays, from how the code uses both.

The code is IR that Clang makes at -O0, where each variable is a slot in memory. A parameter is given by its position in
the IR function.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from ....subject.constant import MOST_APART, most_apart
from ..llvm_ir.ir import Function, Module, bare
from .array_lengths import size_of

_LOAD = re.compile(r"load (?:volatile )?(\S+), ptr (%\S+?)(?:,|$)")
_STORE = re.compile(r"^\s+store (?:volatile )?(\S+) (\S+?), ptr (%\S+?)(?:,|$)")
_WIDENED = re.compile(r"(?:sext|zext|trunc)(?: (?:nneg|nuw|nsw))* i\d+ (\S+) to ")
_COMPUTED = re.compile(r"(add|sub|mul|shl|sdiv|udiv|lshr|ashr)(?: (?:nuw|nsw|exact))* i\d+ (\S+), ([^\s,]+)")
_COMPARED = re.compile(r"icmp(?: samesign)? (\w+) i\d+ (\S+), ([^\s,]+)")
_ADDRESS = re.compile(r"getelementptr (?:(?:inbounds|nuw|nusw) )*(.+?), ptr (%\S+?), i\d+ ([^\s,]+)")
_INDEX = re.compile(r", i\d+ (%[-\w$.]+)")
_CHOICE = re.compile(r"\[ ([^\s,]+), ")
_KEPT = re.compile(r"(?: store ptr |icmp \w+ ptr |icmp \w+ ptr \S+, )(%[-\w$.]+)")
_CALL = re.compile(r"(?:call|invoke) [^@]*@(\"[^\"]+\"|[-\w$.]+)\((.*)\)")
_VALUE = re.compile(r"(%[-\w$.]+|-?\d+)$")
# Library functions with (pointer, size) pairs of argument positions: the size argument says how many bytes are used
# behind the pointer argument; for qsort and bsearch, how many elements.
_SIZED = {"memcpy": ((0, 2), (1, 2)), "memmove": ((0, 2), (1, 2)), "memset": ((0, 2),), "memcmp": ((0, 2), (1, 2)),
          "memchr": ((0, 2),), "snprintf": ((0, 1),), "vsnprintf": ((0, 1),), "strncpy": ((0, 2),), "fgets": ((0, 1),),
          "strftime": ((0, 1),), "qsort": ((0, 1),), "bsearch": ((1, 2),)}  # fmt: skip
_OF_ELEMENTS = ("qsort", "bsearch")
_MOST_STEPS, _DEEPEST = 12, 3  # limits for chains of dependent values, and for nested calls

# A polynomial over slots: from each product of slots to its coefficient; () is the constant term.
Polynomial = dict[tuple[str, ...], int]


@dataclass(frozen=True)
class ArrayUse:
    """How far the code uses an array: ``step`` times the product of ``counts``.

    Attributes:
        counts: positions of the integer parameters; empty for a constant length.
        step: factor of the product, or the constant length.
        is_last: whether the element with index ``step * product`` is used, too.
        size: size in bytes of each counted item; 0 if unknown.
    """

    counts: tuple[int, ...]
    step: int = 1
    is_last: bool = False
    size: int = 0


class PointerOffset(NamedTuple):
    """An address that is computed from a pointer parameter.

    Attributes:
        pointer: position of the parameter.
        element: index of the element as a polynomial; None if the code moves the pointer or the index is unknown.
        size: size of an element in bytes; 0 if unknown.
    """

    pointer: int
    element: Polynomial | None
    size: int = 0


@dataclass
class ParameterUses:
    """How the code uses the parameters of an IR function; all parameters are positions.

    Attributes:
        sized: for each pointer, how far it is used, the strongest evidence first.
        indices: integers that are used as an index themselves, so they are no lengths.
        compared: for each integer, the constants that it is compared with, or that variables bounded by it are.
        moved: pointers that the code moves (``p++``).
        indexed: pointers to structures of which the code uses others than the first.
        types: for each pointer, the IR types that are read and written through it.
        apart: how often a loop may have to count, see :func:`zeroin.subject.constant.most_apart`.
    """

    sized: dict[int, list[ArrayUse]] = field(default_factory=dict)
    indices: set[int] = field(default_factory=set)
    compared: dict[int, set[int]] = field(default_factory=dict)
    moved: set[int] = field(default_factory=set)
    indexed: set[int] = field(default_factory=set)
    types: dict[int, set[str]] = field(default_factory=dict)
    apart: int = 0


def uses(function: Function, module: Module) -> ParameterUses:
    """Analyse how a function compiled at -O0, and the functions of the module that it calls, use its parameters.

    Calls are followed three levels deep; what happens below is ignored.
    """
    return _Reader(function, module.functions, {}, 0).read()


class _Reader:
    """The analysis of one function.

    Args:
        function: the function.
        functions: all functions of the module, by name.
        known: finished analyses, by function name and call depth; gets those of the functions that are called.
        depth: depth of this call; 0 for the function under test.
    """

    def __init__(
        self,
        function: Function,
        functions: Mapping[str, Function],
        known: dict[tuple[str, int], ParameterUses],
        depth: int,
    ) -> None:
        self._lines = [line for block in function.blocks for line in block.lines]
        self._functions, self._known, self._depth = functions, known, depth
        self._made = {f"%{name}": right for name, (_, right) in function.definitions().items()}
        position = {f"%{name}": number for number, name in enumerate(function.parameters)}
        self._stored: dict[str, list[str]] = {}
        self._given: dict[str, int] = {}  # slots that are initialised with a parameter, and its position
        for line in self._lines:
            if match := _STORE.match(line):
                if match[2] in position and match[3] not in self._given:
                    self._given[match[3]] = position[match[2]]
                else:
                    self._stored.setdefault(match[3], []).append(match[2])
        self._bounds: dict[str, list[tuple[Polynomial, bool]]] = {}
        self._numbers: dict[str, set[int]] = {}  # with which slots are compared
        self._found = ParameterUses()

    def read(self) -> ParameterUses:
        """Analyse the function and return how it uses its parameters; to be called once."""
        for right in self._made.values():
            if match := _COMPARED.match(right):
                self._compare(match[1], match[2], match[3])
        for line in self._lines:
            for type_, address in _accessed(line):
                place = self._address(address)
                self._note_place(place, True)
                if place is not None:
                    self._found.types.setdefault(place.pointer, set()).add(type_)
        for line in self._lines:  # addresses that are only compared or stored, such as the end of an array
            for address in _KEPT.findall(line):
                self._note_place(self._address(address), False)
        for line in self._lines:
            if match := _CALL.search(line):
                self._call(bare(match[1]), _arguments(match[2]))
        for pointer in self._found.moved - self._found.sized.keys():
            self._note(pointer, *(ArrayUse((count,)) for count in self._turns()))
        self._note_constants()
        self._found.apart = max(self._found.apart, most_apart(self._numbers.values()), self._most_counted())
        return self._found

    # ---- values ----

    def _polynomial(self, value: str, depth: int = 0) -> Polynomial | None:
        """Express an integer value as a polynomial over slots; None if that is not possible.

        Divisions and right shifts are ignored, since only an upper bound is needed.
        """
        if value.lstrip("-").isdigit():
            return {(): int(value)}
        right = self._made.get(value, "")
        if match := _LOAD.match(right):
            return {(match[2],): 1} if match[1] != "ptr" else None
        if match := _WIDENED.match(right):
            return self._polynomial(match[1], depth)
        match = _COMPUTED.match(right)
        if match is None or depth > _MOST_STEPS:
            return None
        left, other = self._polynomial(match[2], depth + 1), self._polynomial(match[3], depth + 1)
        if left is None or other is None:
            return None
        return _combined(match[1], left, other)

    def _address(self, value: str, depth: int = 0) -> PointerOffset | None:
        """Express an address as an offset from a pointer parameter; None if that is not possible."""
        right = self._made.get(value, "")
        if depth > _MOST_STEPS:
            return None
        if match := _ADDRESS.match(right):
            base = self._address(match[2], depth + 1)
            if base is None or match[3] == "0":
                return base
            return _beyond(base, self._polynomial(match[3]), size_of(match[1]))
        match = _LOAD.match(right)
        if match is None or match[1] != "ptr":
            return None
        slot, values = match[2], self._stored.get(match[2], [])
        if slot in self._given:
            return PointerOffset(self._given[slot], {(): 0} if all(map(self._is_of_field, values)) else None)
        found = [self._address(one, depth + 1) for one in values if self._made_of(one) != slot]
        bases = {place.pointer for place in found if place is not None}
        if len(bases) != 1 or None in found:
            return None
        return found[0] if len(values) == 1 else PointerOffset(bases.pop(), None)

    def _is_of_field(self, value: str) -> bool:
        """Return whether a pointer is loaded from a field or an element, so that it leads to another object."""
        right = self._made.get(value, "")
        if right.startswith("phi ptr "):
            return all(map(self._is_of_field, _CHOICE.findall(right)))
        loaded = _LOAD.match(right)
        return loaded is not None and _ADDRESS.match(self._made.get(loaded[2], "")) is not None

    def _made_of(self, value: str) -> str:
        """Return the slot that a pointer is computed from; empty if there is none."""
        while match := _ADDRESS.match(self._made.get(value, "")):
            value = match[2]
        loaded = _LOAD.match(self._made.get(value, ""))
        return loaded[2] if loaded else ""

    # ---- what bounds what ----

    def _compare(self, how: str, left: str, right: str) -> None:
        """Record the bounds that a comparison of two values implies, on either branch."""
        one, other = self._polynomial(left), self._polynomial(right)
        if one is None or other is None:
            return
        strict = how[-1] != "e" or how == "ne"  # whether the bound excludes equality, on either branch
        self._bound(one, other, strict if how[1:2] == "l" or how == "ne" else how[-1] == "e")
        self._bound(other, one, strict if how[1:2] == "g" or how == "ne" else how[-1] == "e")

    def _bound(self, one: Polynomial, other: Polynomial, strict: bool) -> None:
        """Record ``other`` as a bound of ``one``, if this is a single slot plus a constant; else do nothing."""
        variables = [term for term in one if term]
        if len(variables) == 1 and len(variables[0]) == 1 and one[variables[0]] == 1:
            slot = variables[0][0]
            if not any(other):
                self._numbers.setdefault(slot, set()).add(other.get((), 0) - one.get((), 0))
            if not any(slot in term for term in other):
                self._bounds.setdefault(slot, []).append((_combined("sub", other, {(): one.get((), 0)}), strict))

    def _most(self, slot: str, seen: frozenset[str]) -> list[tuple[tuple[int, ...], int, bool]]:
        """Return upper bounds of a slot's value in the form of :meth:`_lead`, those by parameters first."""
        if slot in seen or len(seen) > _MOST_STEPS:
            return []
        within = seen | {slot}
        found = [(counts, number - (strict and not counts), is_last and not strict)
                 for polynomial, strict in self._bounds.get(slot, ())
                 for counts, number, is_last in self._lead(polynomial, within)]  # fmt: skip
        if slot in self._given:
            return [one for one in found if one[0]]
        if not any(counts for counts, *_ in found):
            values = (self._polynomial(value) for value in self._stored.get(slot, ()))
            found += [one for value in values if value is not None for one in self._lead(value, within) if one[0]]
        return sorted(found, key=lambda one: not one[0])

    def _lead(self, polynomial: Polynomial, seen: frozenset[str] = frozenset(),
              is_index: bool = False) -> list[tuple[tuple[int, ...], int, bool]]:  # fmt: skip
        """Return an upper bound of a polynomial as a list of one item; empty if there is none.

        The item is (parameters, number, reached). The bound is the number times the product of the parameters;
        ``reached`` says whether the value may equal it.
        """
        constant, leads = polynomial.get((), 0), list[tuple[tuple[int, ...], int, bool]]()
        for term, times in polynomial.items():
            if not term or times < 0:
                continue
            factors = [self._factor(slot, seen, is_index and constant >= 0 and len(term) == 1) for slot in term]
            if not all(factors):
                return []
            leads.append(_product([choices[0] for choices in factors], times))
        if not leads:
            return [((), constant, True)] if not any(polynomial) or constant else []
        highest = max(leads, key=lambda lead: len(lead[0]))
        if any(lead[0] and not set(lead[0]) <= set(highest[0]) for lead in leads):
            return []
        if not highest[0]:
            return [((), sum(number for _, number, _ in leads) + constant, True)]
        return [(*highest[:2], highest[2] and constant >= 0)]

    def _factor(self, slot: str, seen: frozenset[str], is_index: bool) -> list[tuple[tuple[int, ...], int, bool]]:
        """Return upper bounds of a slot in a product, in the form of :meth:`_lead`; a parameter bounds itself."""
        most = self._most(slot, seen)
        if slot not in self._given:
            return most
        return most[:1] if is_index and most else [((self._given[slot],), 1, True)]

    def _turns(self) -> list[int]:
        """Return the integer parameters that count a loop's iterations: counted down, or bounds of loop counters."""
        found = dict[int, None]()
        for slot, number in self._given.items():
            values = (self._polynomial(value) for value in self._stored.get(slot, ()))
            if any(value is not None and value.get((slot,)) == 1 and value.get((), 0) < 0 for value in values):
                found[number] = None
        for slot in self._bounds.keys() - self._given.keys():
            found.update((counts[0], None) for counts, number, _ in self._most(slot, frozenset()) if len(counts) == 1)
        return list(found)

    def _most_counted(self) -> int:
        """Return how often loops may have to count until all counters are constants that they are compared with.

        Variables that are indices do not count, and neither does what needs more than ``MOST_APART`` turns. 0: there is
        no counter.
        """
        turns = list[int]()
        addresses = (right for right in self._made.values() if right.startswith("getelementptr"))
        used = (self._polynomial(index) or {} for right in addresses for index in _INDEX.findall(right))
        indices = {slot for index in used for term in index for slot in term}
        for slot in self._numbers.keys() - self._given.keys() - indices:
            values = [value for one in self._stored.get(slot, ()) if (value := self._polynomial(one)) is not None]
            steps = [abs(step) for value in values if (step := value.get((), 0)) and value == {(slot,): 1, (): step}]
            starts = [value.get((), 0) for value in values if not any(value)] or [0]
            if steps:
                mine = (abs(number - start) // min(steps) for number in self._numbers[slot] for start in starts)
                turns.append(max((one for one in mine if one <= MOST_APART), default=0))
        return sum(turns) if sum(turns) <= MOST_APART else max(turns)

    # ---- what is used ----

    def _note_place(self, place: PointerOffset | None, is_read: bool) -> None:
        """Record what an address says about the length of its array.

        Args:
            place: the address; None is ignored.
            is_read: whether memory is accessed there; else the address may be the end of the array.
        """
        if place is None:
            return
        pointer, index, size = place
        if index is None:
            self._found.moved.add(pointer)
            return
        variables = [term for term in index if term]
        if not size and index != {(): 0}:
            self._found.indexed.add(pointer)
        direct = [self._given[s] for term in variables for s in term if s in self._given and len(term) == 1]
        for counts, number, is_last in self._lead(index, is_index=is_read):
            if not counts:
                if is_read and number >= 0:
                    self._note(pointer, ArrayUse((), number + 1, size=size))
            elif is_read and len(variables) == 1 and list(counts) == direct and index.get((), 0) >= 0:
                self._found.indices.add(direct[0])
            else:
                self._note(pointer, ArrayUse(counts, number, is_last and is_read, size))

    def _note(self, pointer: int, *found: ArrayUse) -> None:
        """Record how far a pointer is used; what is known already is not repeated."""
        known = self._found.sized.setdefault(pointer, [])
        known += [one for one in found if one not in known]
        if not known:
            del self._found.sized[pointer]

    def _call(self, name: str, arguments: list[str]) -> None:
        """Record what a call says about arrays; unknown functions say nothing."""
        if name in self._functions:
            self._call_of_ours(self._functions[name], arguments)
            return
        plain = (
            re.sub(r"^(?:llvm\.)?(\w+).*", r"\1", name)
            if name.startswith("llvm.")
            else name.strip("_").removesuffix("_chk")
        )
        for pointer, count in _SIZED.get(plain, ()):
            if max(pointer, count) >= len(arguments):
                continue
            there, size = self._address(arguments[pointer]), self._polynomial(arguments[count])
            if there is None or size is None:
                continue
            for counts, number, _ in self._lead(size):
                if counts:
                    self._note(there.pointer, ArrayUse(counts, number, size=plain not in _OF_ELEMENTS))

    def _call_of_ours(self, callee: Function, arguments: list[str]) -> None:
        """Record how a function of the module uses its arguments, unless the call is nested too deeply."""
        if self._depth >= _DEEPEST or len(callee.parameters) != len(arguments):
            return
        key = callee.name, self._depth + 1
        if key not in self._known:
            self._known[key] = _Reader(callee, self._functions, self._known, self._depth + 1).read()
        theirs = self._known[key]
        self._found.apart = max(self._found.apart, theirs.apart)
        for pointer, several in theirs.sized.items():
            there = self._address(arguments[pointer])
            if there is None or there.element != {(): 0}:
                continue
            for one in several:
                sizes = [self._polynomial(arguments[count]) for count in one.counts]
                leads = [self._lead(size) if size is not None else [] for size in sizes]
                if all(leads) and all(lead[0][0] for lead in leads):
                    counts, number, _ = _product([lead[0] for lead in leads], one.step)
                    self._note(there.pointer, ArrayUse(counts, number, one.is_last, one.size))
        for pointer in theirs.moved:
            there = self._address(arguments[pointer])
            if there is not None:
                self._found.moved.add(there.pointer)

    def _note_constants(self) -> None:
        """Record the constants that integer parameters, and variables bounded by them, are compared with."""
        for slot, bounds in self._bounds.items():
            numbers = [self._given[slot]] if slot in self._given else [
                count for counts, *_ in self._most(slot, frozenset()) for count in counts]  # fmt: skip
            constants = {polynomial.get((), 0) for polynomial, _ in bounds if set(polynomial) <= {()}}
            for number in numbers:
                self._found.compared.setdefault(number, set()).update(constants)


def _beyond(base: PointerOffset | None, index: Polynomial | None, size: int) -> PointerOffset | None:
    """Add an index to an address; None if the address is unknown."""
    if base is None:
        return None
    further = None if base.element is None or index is None else _combined("add", base.element, index)
    return PointerOffset(base.pointer, further, size)


def _combined(how: str, left: Polynomial, right: Polynomial) -> Polynomial:
    """Return a new polynomial for an operation; divisions, and shifts by a variable or to the right, keep ``left``."""
    if how in ("add", "sub"):
        sign, found = (1, Counter(left)) if how == "add" else (-1, Counter(left))
        for term, times in right.items():
            found[term] += sign * times
    elif how == "mul":
        found = Counter()
        for (one, times), (other, more) in product(left.items(), right.items()):
            found[tuple(sorted(one + other))] += times * more
    elif how == "shl" and set(right) <= {()} and 0 <= right.get((), 0) < 64:
        found = Counter({term: times << right.get((), 0) for term, times in left.items()})
    else:
        found = Counter(left)
    return {term: times for term, times in found.items() if times or not term}


def _product(factors: list[tuple[tuple[int, ...], int, bool]], times: int) -> tuple[tuple[int, ...], int, bool]:
    """Multiply upper bounds in the form of :meth:`_Reader._lead` with each other and with ``times``."""
    counts = tuple(count for factor in factors for count in factor[0])
    number = times
    for own, value, _ in factors:
        number *= value if own or not counts else value + 1
    return counts, number, len(factors) == 1 and factors[0][2] and times == 1


def _accessed(line: str) -> Iterator[tuple[str, str]]:
    """Yield the IR type and the address that a load or store accesses; nothing for other instructions."""
    if match := _STORE.match(line):
        yield match[1], match[3]
    elif match := _LOAD.search(line):
        yield match[1], match[2]


def _arguments(text: str) -> list[str]:
    """Return the values of a call's arguments; "" for an argument that is neither a named value nor an integer."""
    parts, depth, current = list[str](), 0, ""
    for character in text:
        depth += {"(": 1, ")": -1, "{": 1, "}": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    parts += [current] if current.strip() else []
    return [match[1] if (match := _VALUE.search(part.strip())) else "" for part in parts]


def constants_of(found: Mapping[int, set[int]], count: int, most: int) -> int:
    """Return the largest positive constant, at most ``most``, that a length is compared with; 0 if there is none.

    Args:
        found: :attr:`ParameterUses.compared`.
        count: position of the length among the function's parameters.
        most: larger constants are ignored.
    """
    return max((number for number in found.get(count, ()) if 0 < number <= most), default=0)
