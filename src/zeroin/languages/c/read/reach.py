"""Reach conditions of compiled code: what every input satisfies that takes a branch. All ways to the branch are merged.

Each unknown value is a variable of its own, which may have any value: what loops change, what is loaded from memory
that others may have written, what unknown functions return. So every run that takes the branch satisfies the condition,
but other runs may, too. If nothing satisfies it, no input takes the branch. A model of it is a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ....model.invariants import Loop, Way
from ....model.memory import NULL, Function, MemoryValue, Object, Pointer, Unreadable, as_sort, load, places, store
from ....model.merging import Memory, joined, merged
from ....subject.acyclic_regions import Regions, regions
from ....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else, negation
from ....term.core.nodes import Term, constant, variable
from ....term.core.simplify import simpler
from ....term.core.sorts import BOOL, Sort, bits
from ....term.core.undefined import with_open_replaced
from ..front.alias_analysis import PointeeTypes
from .access import PARTS, Access, beyond, of_memory, parts_of, passed, recast
from .calls import NOTHING, value_of, written
from .code import PROBE_SWITCH, UNKNOWN, UNREADABLE, Code, Instruction, Operand, Program, Slot, is_probe
from .copied_memory import moved
from .effects import HARMLESS, may_write
from .operations import computed, freed
from .overlaps import MOST_PLACES, Overlaps
from .run_record import Record
from .strings import STRINGS
from .types import Type, sort_of, type_of
from .uninitialised import FORGET

MOST_BLOCKS = 4_000  # that are carried out, with calls in place; what is called after that is called with anything
_MOST_IN_TABLES = 256  # places of a constant table, where an access may be
_CHANGING = ("fesetround", "fesetenv", "feupdateenv", "feholdexcept", "llvm.set.rounding", "llvm.set.fpenv",
             "llvm.reset.fpenv", "llvm.x86.sse.ldmxcsr", "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
             "llvm.eh.sjlj.setjmp")  # fmt: skip


@dataclass
class _Frame:
    """A call during symbolic execution.

    Attributes:
        code: the code of the function.
        shape: the order of its blocks.
        values: the value of each slot; None: not known yet.
        guard: a condition that holds if the call is made.
        callers: the names of the functions on the stack, with this one at the end.
        local: for each block, a condition that holds if a run goes on to it from its immediate dominator.
        edges: for each pair of a block and a target, the condition that the block goes on to the target.
        after: for each block, the known contents of memory at its end.
    """

    code: Code
    shape: Regions
    values: list[MemoryValue | None]
    guard: Term
    callers: tuple[str, ...]
    local: dict[int, Term] = field(default_factory=dict)  # holds if a run goes on from a block's dominator to it
    edges: dict[tuple[int, int], Term] = field(default_factory=dict)
    after: dict[int, Memory] = field(default_factory=dict)

    def between(self, block: int, dominator: int) -> Term:
        """Return a condition that holds if a run goes on to a block from a block that dominates it."""
        return self.shape.between(self.local, block, dominator)


class Reach:
    """The evaluations of a program's sites, for any input.

    Args:
        program: the code, with probes.
        given: the names of functions whose addresses other code has, so that it may call them.
        pointed: the objects behind parameters, each with the types of objects that may lie there. None: there are none.
        written: whether there may be stores to objects behind parameters.

    Attributes:
        hits: for each site, its evaluations: a condition that holds if it is evaluated, and the site's condition.
        loops: the loops, each with the variables for what it changes.
        unset: the global variables that are assumed to keep their initial value, although code outside may set them.
        unread: the names of the called functions without code; None stands for calls by address.
    """

    def __init__(
        self,
        program: Program,
        given: Iterable[str] = (),
        pointed: Mapping[Object, PointeeTypes] | None = None,
        written: bool = True,
    ) -> None:
        self.program, self.hits, self.loops = program, dict[int, list[tuple[Term, Term]]](), list[Loop]()
        self.unset, self.unread, self._given = set[str](), set[str | None](), tuple(given)
        self._variables, self._access = program.variables(), Access(Record({}))
        self._constants, self._opened, self._shapes = set[Object](), set[str](), dict[str, Regions]()
        self._count = self._blocks = 0
        self._does_anything = False
        self._pointed = pointed or {}
        self._overlaps = Overlaps(program, self._pointed, written, self._anything)

    def beginning(self) -> Term:
        """Return a condition on the objects behind parameters: those at the same address have the same contents."""
        return self._overlaps.beginning({one: one for one in self._pointed})

    def read(self, entry: str, arguments: Sequence[MemoryValue | None], given: Term, objects: Iterable[Object]) -> None:
        """Execute a function, and add the evaluations of all sites.

        Functions that unknown code may call are executed as well, with unknown arguments.

        Args:
            entry: the name of the function, which the program must define.
            arguments: the values of its arguments.
            given: a condition on the inputs that may be assumed.
            objects: the objects whose cells are known at the beginning.

        Raises:
            Unreadable: the code does something about which too little is known, such as to change how floats are
                rounded.
        """
        changing = [name for name in _CHANGING if self.program.is_function(name)]
        if changing:
            raise Unreadable(f"{changing[0]} may be called")
        code = self.program.code(entry)
        assert code is not None
        self._run(code, arguments, given, Memory({one: one for one in objects}).copy(), ())
        before = -1
        while before != len(self._opened):
            before = len(self._opened)
            anything = self.program.defined() if self._does_anything else ()
            for name in anything or ((*self.program.addressed(), *self._given) if self.unread else ()):
                self._open(name)

    # ---- functions ----

    def _open(self, name: str) -> None:
        """Execute a function with unknown arguments and memory, unless this was done before: anything may call it."""
        code = self.program.code(name)
        if code is None or name in self._opened:
            return
        self._opened.add(name)
        self._run(code, [None] * code.parameters, TRUE, Memory(), (name,))

    def _run(self, code: Code, arguments: Sequence[MemoryValue | None], guard: Term, memory: Memory,
             callers: tuple[str, ...]) -> tuple[MemoryValue | None, Memory]:  # fmt: skip
        """Execute a function.

        Args:
            code: the code of the function.
            arguments: the values of its arguments.
            guard: a condition that holds if the call is made.
            memory: the known contents of memory, which are changed.
            callers: the names of the functions on the stack.

        Returns:
            The result, and the contents of memory after the call. The result is None if it is unknown or there is none.
        """
        if code.name not in self._shapes:
            targets = [tuple(dict.fromkeys(block.targets)) for block in code.blocks]
            self._shapes[code.name] = regions(targets, code.name)
        shape = self._shapes[code.name]
        values: list[MemoryValue | None] = [None] * code.slots
        values[: code.parameters] = arguments[: code.parameters]
        for at, size in code.by_value.items():
            values[at] = self._passed(values[at], size, memory) if size else None
        frame = _Frame(code, shape, values, guard, (*callers, code.name))
        ends: list[tuple[Term, MemoryValue | None, Memory]] = []
        for block in shape.order:
            self._blocks += 1
            here = self._enter(frame, block, memory)
            for instruction in code.blocks[block].body:
                self._carry_out(frame, block, instruction, here)
            frame.after[block] = here
            last = code.blocks[block].body[-1]
            if last.opcode in ("ret", UNREADABLE) and not code.blocks[block].targets:
                value = self._operand(frame, last.operands[0]) if last.operands else None
                ends.append((frame.between(block, 0), value, here))
        self.loops += [self._loop(frame, header) for header in shape.loops]
        if not ends:
            return None, Memory()
        return merged([(way, value) for way, value, _ in ends]), joined([(w, m) for w, _, m in ends])

    def _enter(self, frame: _Frame, block: int, memory: Memory) -> Memory:
        """Return the contents of memory at the beginning of a block, merged from all ways to it; set the block's phis.

        In the header of a loop, all that the loop may change is unknown.
        """
        if block == 0:
            frame.local[0] = TRUE
            return memory
        shape = frame.shape
        ways = [(one, conjunction([frame.between(one, shape.dominator[block]), frame.edges[one, block]]))
                for one in shape.before[block]]  # fmt: skip
        frame.local[block] = TRUE if block in shape.always else disjunction(way for _, way in ways)
        here = joined([(way, frame.after[one]) for one, way in ways])
        is_loop = block in shape.loops
        if is_loop and any(may_write(frame.code, inside) for inside in shape.loops[block]):
            here.objects.clear()
        found = []
        for slot, incoming in frame.code.blocks[block].phis:
            values = [(way, self._operand(frame, incoming[one])) for one, way in ways]
            found.append((slot, None if is_loop else merged(values)))
        for slot, value in found:
            frame.values[slot] = value
        return here

    def _loop(self, frame: _Frame, header: int) -> Loop:
        """Return a loop of an executed function, for the search for invariants."""
        shape, sorts = frame.shape, frame.code.sorts
        phis = [(Slot(slot), sort, before) for slot, before in frame.code.blocks[header].phis
                if (sort := sorts[slot]) is not None and sort.is_bits]  # fmt: skip
        variables = [self._number(frame, slot, sort) for slot, sort, _ in phis]

        def way(one: int, *guards: Term) -> Way:
            values = tuple(self._number(frame, before[one], sort) for _, sort, before in phis)
            return Way(conjunction([frame.guard, *guards, frame.edges[one, header]]), values)

        entries = [way(one, frame.between(one, 0)) for one in shape.before[header]]
        turns = [way(one, frame.between(header, 0), frame.between(one, header))
                 for one in sorted(shape.loops[header]) if (one, header) in frame.edges]  # fmt: skip
        return Loop(tuple(variables), tuple(entries), tuple(turns))

    def _passed(self, address: MemoryValue | None, size: int, memory: Memory) -> Pointer:
        """Return the address of a new copy of a structure, with its known contents. ``memory`` gets the copy."""
        target = address.to if isinstance(address, Pointer) else None
        known = target if target is None or target in self._constants else memory.of(target)
        try:
            made = passed(address, size, known)
        except Unreadable:
            made = Object("a structure that was passed", size)
        memory.objects[made] = made
        return Pointer(made, NULL.offset)

    # ---- values ----

    def _fresh(self, sort: Sort | None) -> Term | None:
        """Return a new variable of a sort; None if the sort is None."""
        return None if sort is None else self._anything(sort)

    def _anything(self, sort: Sort) -> Term:
        """Return a new variable of a sort."""
        self._count += 1
        return variable(f"?{self._count}", sort)

    def _unknown(self, type_: Type | None) -> Term | None:
        """Return a new variable for a value of a type; None if it is no number."""
        return self._fresh(sort_of(type_))

    def _operand(self, frame: _Frame, operand: Operand) -> MemoryValue | None:
        """Return the value of an operand; None if it is unknown. An unknown number becomes a new variable."""
        if isinstance(operand, Slot):
            if frame.values[operand.number] is None:
                frame.values[operand.number] = self._fresh(frame.code.sorts[operand.number])
            return frame.values[operand.number]
        return self._here(operand)

    def _here(self, value: MemoryValue | None) -> MemoryValue | None:
        """Return a constant of the code, with a new variable for each open value.

        Addresses in it point to the objects of this execution. The result is None if a part of the constant is unknown.
        """
        if isinstance(value, Term):
            return with_open_replaced(value, self._number_of)
        if isinstance(value, tuple):
            parts = tuple(part for part in map(self._here, value) if part is not None)
            return parts if len(parts) == len(value) else None
        if not isinstance(value, Pointer) or value.to is None:
            return value
        target = self._variables.object(value.to.name)
        self._overlaps.variables[target] = value.to.name
        is_new = target not in self._constants and self.program.is_constant(value.to.name)
        if is_new and not self._overlaps.may_change(value.to.name):
            self._constants.add(target)
            self.unset |= {value.to.name} if self.program.may_be_set(value.to.name) else set()
        return Pointer(target, value.offset)

    def _number(self, frame: _Frame, operand: Operand, sort: Sort) -> Term:
        """Return the value of an operand as a number of a sort; a new variable if it is not one."""
        return self._number_of(sort, self._operand(frame, operand))

    def _number_of(self, sort: Sort, value: MemoryValue | None = None) -> Term:
        """Return the value if it is a number of this sort; otherwise a new variable."""
        found = value if isinstance(value, Term) and value.sort == sort else self._fresh(sort)
        assert found is not None
        return found

    def _truth(self, value: MemoryValue | None) -> Term:
        """Return the value if it is a Bool; otherwise a new variable."""
        return self._number_of(BOOL, value)

    # ---- instructions ----

    def _carry_out(self, frame: _Frame, block: int, instruction: Instruction, memory: Memory) -> None:
        """Execute one instruction: set its result, and change ``memory``."""
        values = [self._operand(frame, operand) for operand in instruction.operands]
        if instruction.opcode in ("call", "invoke"):
            value = self._call(frame, block, instruction, values, memory)
            if instruction.opcode == "invoke":  # what is called may have ended anywhere
                memory.objects.clear()
        else:
            try:
                value = self._value(instruction, values, memory)
            except Unreadable:
                value = None
        if isinstance(value, Term):
            value = with_open_replaced(freed(value, instruction.is_free), self._number_of)
        if frame.code.blocks[block].targets:
            self._leave(frame, block, instruction, values)
        frame.values[instruction.result] = value if value is not None else self._unknown(instruction.type)

    def _leave(self, frame: _Frame, block: int, instruction: Instruction, values: list[MemoryValue | None]) -> None:
        """Set the conditions for the next blocks, if the instruction is the last one of its block."""
        made, targets = frame.code.blocks[block], frame.code.blocks[block].targets
        if instruction is not made.body[-1]:
            return
        ways, rest = list[tuple[int, Term]](), TRUE
        for target in targets:  # one of them, and nobody knows which
            one = rest if target is targets[-1] else self._truth(None)
            ways.append((target, conjunction([rest, one])))
            rest = conjunction([rest, negation(one)])
        if instruction.opcode == "br" and len(targets) == 2:
            holds = self._truth(values[0])
            ways = [(targets[0], holds), (targets[1], negation(holds))]
        elif instruction.opcode == "switch" and isinstance(values[0], Term):
            value = values[0]
            fits = [simpler(equal(value, constant(value.sort, case))) for case in instruction.more]
            ways = [(targets[0], conjunction(map(negation, fits))), *zip(targets[1:], fits, strict=True)]
        for target, way in ways:
            frame.edges[block, target] = disjunction([frame.edges.get((block, target), FALSE), way])

    def _value(self, instruction: Instruction, values: list[MemoryValue | None], memory: Memory) -> MemoryValue | None:
        """Return the result of an instruction other than a call; None if it is unknown. Stores change ``memory``.

        Raises:
            Unreadable: the result can not be expressed.
        """
        opcode, type_ = instruction.opcode, instruction.type
        if opcode == "load":
            return None if instruction.more else self._load(values[0], type_, memory)
        if opcode == "store":
            self._overlaps.store(memory, values[1], instruction.more, values[0])
        elif opcode == "alloca":
            count = values[0] if values else None
            known = count is None or (isinstance(count, Term) and count.is_constant)
            times = int(count.data) if isinstance(count, Term) and known else 1
            return Pointer(Object("a variable", instruction.more.size * times), NULL.offset) if known else None
        elif opcode == "getelementptr":
            return self._access.address(instruction.more, values)
        elif opcode == "select":
            return merged([(self._truth(values[0]), values[1]), (TRUE, values[2])])
        elif opcode == "freeze":
            return values[0]
        elif opcode in PARTS:
            is_known = values[0] is not None or not isinstance(instruction.operands[0], Slot)  # or has no value yet
            is_known = is_known and None not in values[1:]
            return parts_of(opcode, type_, values, instruction.more) if is_known else None
        elif opcode == "bitcast" and type_ is not None and (type_.vector or isinstance(values[0], tuple)):
            return recast(values[0], instruction.more, type_) if values[0] is not None else None
        elif opcode in ("icmp", "fcmp"):
            return self._overlaps.compared(opcode, instruction.more[0], values[0], values[1])
        elif all(isinstance(value, Term) for value in values) and values:
            return computed(opcode, type_, [value for value in values if isinstance(value, Term)])
        elif opcode not in HARMLESS and opcode != UNKNOWN:
            self._does_anything |= opcode == UNREADABLE
            memory.objects.clear()
        return None

    def _load(self, address: MemoryValue | None, type_: Type | None, memory: Memory) -> MemoryValue | None:
        """Return the value at an address; None if it is unknown.

        An unknown number in a known place becomes a new variable. It is stored there, so that the next load returns it.
        """
        if type_ is None or not isinstance(address, Pointer) or address.to is None:
            return None
        if not type_.is_scalar:
            parts = tuple(self._load(beyond(address, at), inner, memory) for inner, at in type_.members)
            return None if None in parts else tuple(part for part in parts if part is not None)
        is_constant = address.to in self._constants
        target = address.to if is_constant else memory.of(address.to)
        if not address.offset.is_constant:
            return None if type_.name == "ptr" else self._load_any(target, address.offset, type_, is_constant)
        at = address.offset.data
        try:
            value = load(target, at, type_.stored)
        except Unreadable:
            sort = sort_of(type_)
            anything = self._fresh(bits(8) if sort == BOOL else sort)
            if is_constant or anything is None or not 0 <= at <= target.size - type_.stored:
                return None
            store(target, at, type_.stored, anything)  # the same when it is read again
            value = anything
        return value if type_.name == "ptr" and not isinstance(value, Term) else of_memory(value, type_)

    def _load_any(self, target: Object, offset: Term, type_: Type, is_constant: bool) -> MemoryValue | None:
        """Return the number at an offset that depends on the inputs; None if too many places are possible.

        At any other place, it may be anything.
        """
        most, sort = _MOST_IN_TABLES if is_constant else MOST_PLACES, sort_of(type_)
        found = places(target, offset, type_.stored, type_.stored, most)
        if sort is None or not found:
            return None
        sort = bits(8) if sort == BOOL else sort
        value = self._anything(sort)
        try:
            for at in reversed(found):
                here = (as_sort(load(target, at, type_.stored), sort) if is_constant
                        else self._overlaps.known(target, at, type_.stored, sort))  # fmt: skip
                value = if_else(equal(offset, constant(offset.sort, at)), here, value)
        except Unreadable:
            return None
        return of_memory(value, type_)

    # ---- calls ----

    def _call(self, frame: _Frame, block: int, instruction: Instruction, values: list[MemoryValue | None],
              memory: Memory) -> MemoryValue | None:  # fmt: skip
        """Execute a call; return its result, or None if it is unknown or there is none.

        Raises:
            Unreadable: assembly is called.
        """
        name, arguments = instruction.more, values[:-1]
        if name is None and instruction.operands[-1] is None:
            raise Unreadable("assembly may change how floats are rounded")
        name = values[-1].name if name is None and isinstance(values[-1], Function) else name
        if name == PROBE_SWITCH or is_probe(name):
            guard = conjunction([frame.guard, frame.between(block, 0)])
            self._probe(name, arguments, guard)
            return None
        code = self.program.code(name) if name is not None else None
        looks = code is None and name in STRINGS  # and writes nothing
        if name == FORGET:
            self._overlaps.store(memory, values[0], Type("i8"), None)
        if looks or (name is not None and name.startswith(("zeroin_", *NOTHING))):
            return None
        if code is not None and self.program.is_replaceable(code.name):
            self._open(code.name)
            code = name = None  # it need not do what one of the C library's with this name does
        if code is not None and code.name not in frame.callers and self._blocks < MOST_BLOCKS:
            guard = conjunction([frame.guard, frame.between(block, 0)])
            value, left = self._run(code, arguments, guard, memory.copy(), frame.callers)
            memory.objects = left.objects
            return value
        if code is not None:
            self._open(code.name)
        elif name is not None:
            known = value_of(name, arguments, instruction.type)
            if known is not None:
                return known
            if (both := written(name, arguments)) is not None:
                value, stored = both
                stored = with_open_replaced(stored, self._number_of)
                self._overlaps.store(memory, arguments[-1], type_of(stored.sort), stored)
                return value
            if moved(name, arguments, memory, self._constants):
                self._overlaps.changed(memory, arguments[0])
                return arguments[0]
        self.unread |= {name} if code is None else set()
        memory.objects.clear()
        return None

    def _probe(self, name: str, values: list[MemoryValue | None], guard: Term) -> None:
        """Add the evaluations of sites that a probe reports."""
        if name != PROBE_SWITCH:
            self._hit(_constant(values[0]), guard, self._truth(values[4]))
            return
        value, table = values[1], values[3]
        for part in range(_constant(values[2])):
            fits = self._truth(None)
            if isinstance(value, Term) and isinstance(table, Pointer) and table.to is not None:
                fits = simpler(equal(value, as_sort(load(table.to, 8 * part, 8), bits(64))))
            self._hit(_constant(values[0]) + part, guard, fits)
            guard = conjunction([guard, negation(fits)])

    def _hit(self, site: int, guard: Term, condition: Term) -> None:
        """Add an evaluation of a site."""
        self.hits.setdefault(site, []).append((guard, condition))


def _constant(value: MemoryValue | None) -> int:
    """Return the number that a constant is."""
    assert isinstance(value, Term)
    return int(value.data)
