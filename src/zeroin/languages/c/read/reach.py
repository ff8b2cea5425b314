"""Reach conditions of compiled code: what every input satisfies that takes a branch. All ways to the branch are merged.

Each unknown value is a variable of its own, which may have any value: what loops change, what is loaded from memory
that others may have written, what unknown functions return. So every run that takes the branch satisfies the condition,
but other runs may, too. If nothing satisfies it, no input takes the branch. A model of it is a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from ....model.invariants import Loop, Way
from ....model.memory import (
    MOST_IN_TABLE,
    NULL,
    Function,
    MemoryValue,
    Object,
    Pointer,
    Unreadable,
    as_sort,
    chosen,
    load,
    places,
    runs,
    store,
)
from ....model.merging import Memory, joined, merged
from ....solvers.quick import QuickRefuter
from ....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else, negation
from ....term.core.nodes import Op, Term, constant, make, variable
from ....term.core.simplify import simpler
from ....term.core.sorts import BOOL, Sort, bits
from ....term.core.undefined import with_open_replaced
from ..front.alias_analysis import PointeeTypes
from .access import PARTS, Access, beyond, difference, is_multiple, of_memory, parts_of, passed, recast
from .c_library import OPEN
from .call_state import CallState, call_state, may_call_back
from .calls import ERRNO, NOTHING, SET_JUMPS, may_set_errno, value_of, written
from .code import PROBE_SWITCH, UNKNOWN, UNREADABLE, Code, Instruction, Operand, Program, Slot, is_probe
from .copied_memory import moved
from .effects import HARMLESS, Effects
from .frames import Frame, Mark, Shape
from .operations import computed, freed
from .overlaps import MOST_PLACES, Overlaps
from .run_record import Record
from .strings import STRINGS, StringsOfAll
from .types import Type, sort_of, type_of
from .uninitialised import FORGET

MOST_BLOCKS = 4_000  # that are carried out, with calls in place; what is called after that is called with anything
_MOST_CALLS = 16  # of a recursive function, inside each other, that are executed one by one
_MOST_IN_LOOP, _MOST_IN_VAIN = 600, 3_000  # blocks of all turns of one loop; of all turns that came to no end
_MOST_IN_TABLES = 256  # places of a constant table, where an access may be
_CHANGING = ("fesetround", "fesetenv", "feupdateenv", "feholdexcept", "llvm.set.rounding", "llvm.set.fpenv",
             "llvm.reset.fpenv", "llvm.x86.sse.ldmxcsr")  # fmt: skip
_RETURNS_TWICE = (*SET_JUMPS, "llvm.eh.sjlj.setjmp", "getcontext", "vfork")


class _TooDeep(Exception):
    """A recursion does not end within the calls that are executed one by one; the argument is the function's name."""


class Reach:
    """The evaluations of a program's sites, for any input.

    Args:
        program: the code, with probes.
        given: the names of functions whose addresses other code has, so that it may call them.
        pointed: the objects behind parameters, each with the types of objects that may lie there. None: there are none.
        written: whether there may be stores to objects behind parameters.
        keeps: whether variables that only code outside may set are assumed to keep their initial value.

    Attributes:
        hits: for each site, its evaluations: a condition that holds if it is evaluated, and the site's condition.
        loops: the loops, each with the variables for what it changes.
        unset: the global variables that are assumed to keep their initial value, although code outside may set them.
        unread: the names of the called functions without code; None stands for calls by address.
        effects: says which code may change memory.
    """

    def __init__(
        self,
        program: Program,
        given: Iterable[str] = (),
        pointed: Mapping[Object, PointeeTypes] | None = None,
        written: bool = True,
        keeps: bool = True,
    ) -> None:
        self.program, self.hits, self.loops = program, dict[int, list[tuple[Term, Term]]](), list[Loop]()
        self.unset, self.unread, self._given = set[str](), set[str | None](), tuple(given)
        self._variables, self._access = program.variables(), Access(Record({}))
        self._constants, self._shapes = set[Object](), dict[str, Shape]()
        self._opened = set[tuple[str, bool]]()  # names, each with whether it stands for calls by known code
        self._count = self._blocks = self._in_vain = 0
        self._endless, self._quick = set[tuple[str, int]](), QuickRefuter()
        self._does_anything, self._state = False, CallState()
        self._pointed, self._keeps = pointed or {}, keeps
        self.effects = Effects(program)
        self._overlaps = Overlaps(program, self._pointed, written, self._anything)

    @property
    def is_wild(self) -> bool:
        """Whether code may write to an unknown address."""
        return self._overlaps.is_wild

    @property
    def is_punned(self) -> bool:
        """Whether code accesses an object behind a parameter as a number of another type."""
        return self._overlaps.is_punned

    def beginning(self) -> Term:
        """Return a condition on the objects behind parameters: those at the same address have the same contents.

        Variables that such a pointer may lead to are included.
        """
        return self._overlaps.beginning({**{one: one for one in self._pointed}, **self._state.objects})

    def read(
        self,
        entry: str,
        arguments: Sequence[MemoryValue | None],
        given: Term,
        objects: Iterable[Object],
        first: Iterable[str] = (),
    ) -> None:
        """Execute a function, and add the evaluations of all sites.

        Functions that unknown code may call are executed as well, with unknown arguments.

        Args:
            entry: the name of the function, which the program must define.
            arguments: the values of its arguments.
            given: a condition on the inputs that may be assumed.
            objects: the objects whose cells are known at the beginning.
            first: the names of functions that tests may call first. They take branches, too.

        Raises:
            Unreadable: the code does something about which too little is known, such as to change how floats are
                rounded.
        """
        changing = [name for name in _CHANGING if self.program.is_function(name)]
        if changing:
            raise Unreadable(f"{changing[0]} may be called")
        code = self.program.code(entry)
        assert code is not None
        self._state = call_state(self.program, self._variables, entry, self._keeps)
        self._overlaps.variables |= {cell.of: cell.of.name for cell in self._state.cells}
        done = self._called(code, arguments, given, self._state.memory(objects), ())
        for name in first:
            setter = self.program.code(name)
            assert setter is not None
            self._called(setter, [None] * setter.parameters, TRUE, self._state.memory(()), ())
        calls = self._read_calls(Memory() if done is None else done[1])
        before = -1
        while before != len(self._opened):
            before = len(self._opened)
            anything = self.program.defined() if self._does_anything else ()
            for name in anything or ((*self.program.addressed, *self._given) if self.unread else ()):
                self._open(name)
        if not any(may_call_back(name) for name in self.unread):  # it may call the function in the middle of a call
            self.loops += calls
            self.unset |= {name for name in self._state.names if calls and self.program.may_be_set(name)}

    def _read_calls(self, left: Memory) -> list[Loop]:
        """Return the loop of all calls, one after the other; nothing if the function keeps no state between them.

        Args:
            left: the contents of memory at the end of the function.
        """
        if not self._state.cells:
            return []
        turns, before = [(self.beginning(), left)], self.mark()
        for name in self._state.callers:
            code = self.program.code(name)
            assert code is not None
            done = self._called(code, [None] * code.parameters, TRUE, self._state.memory(()), ())
            turns.append((TRUE, Memory() if done is None else done[1]))
        self._drop_hits(before)
        ways = [Way(guard, tuple(self.number_of(cell.value.sort, self._state.left(cell, memory))
                                 for cell in self._state.cells)) for guard, memory in turns]  # fmt: skip
        return [self._state.loop(ways)]

    # ---- functions ----

    def _open(self, name: str) -> None:
        """Execute a function with unknown arguments and memory, unless this was done before: anything may call it."""
        code = self.program.code(name)
        if code is None or (name, False) in self._opened:
            return
        self._opened.add((name, False))
        self._called(code, [None] * code.parameters, TRUE, Memory(), ())

    def _open_here(self, code: Code, arguments: Sequence[MemoryValue | None]) -> None:
        """Do the same for a call by known code. What it writes through its arguments belongs to the caller.

        So such a store is no store to an unknown address, if the arguments point to variables that only code of the
        program sets.
        """
        addresses = [n for n in range(code.parameters) if str(code.values[n].type) == "ptr"]
        known = [arguments[n] if n < len(arguments) else None for n in addresses]
        self._overlaps.is_wild |= not all(map(self._overlaps.is_own, known))
        if (code.name, True) in self._opened:
            return
        self._opened.add((code.name, True))
        given: list[MemoryValue | None] = [None] * code.parameters
        for number in addresses:
            given[number] = self._overlaps.from_caller()
        self._called(code, given, TRUE, Memory(), ())

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
            self._shapes[code.name] = Shape(code)
        values: list[MemoryValue | None] = [None] * code.slots
        given = arguments[: code.parameters]  # a call with ... may have less, or more
        values[: len(given)] = given
        for at, size in code.by_value.items():
            values[at] = self._passed(values[at], size, memory) if size else None
        frame = Frame(self, self._shapes[code.name], values, guard, callers, memory)
        frame.execute(frame.regions.order)
        if not frame.ends:
            return None, Memory()
        return (merged([(way, value) for way, value, _ in frame.ends]),
                joined([(way, left) for way, _, left in frame.ends]))  # fmt: skip

    def carry_out(self, frame: Frame, block: int, memory: Memory) -> None:
        """Execute the instructions of a block, in a memory, which is changed."""
        self._blocks += 1
        for instruction in frame.code.blocks[block].body:
            self._carry_out(frame, block, instruction, memory)

    # ---- loops and recursion, turn by turn ----

    def may_try(self, loop: tuple[str, int]) -> bool:
        """Return whether turns of a loop, or calls of a recursive function, should be executed one by one.

        Args:
            loop: the name of the function, and the header of the loop; -1 for calls.
        """
        return loop not in self._endless and self._in_vain <= _MOST_IN_VAIN

    def is_never(self, condition: Term) -> bool:
        """Return whether a condition surely never holds. The answer is quick, and False where that is not clear."""
        return self._quick.refutes(condition)

    def mark(self) -> Mark:
        """Return how far the execution has come."""
        hits = {site: len(several) for site, several in self.hits.items()}
        return Mark(hits, len(self.loops), self._blocks, frozenset(self._opened))

    def is_too_far(self, mark: Mark) -> bool:
        """Return whether the turns of one loop, which began at a mark, take too long."""
        return self._blocks - mark.blocks > _MOST_IN_LOOP

    def return_to(self, mark: Mark, loop: tuple[str, int]) -> None:
        """Undo what was done behind a mark: this loop, or recursion, comes to no end."""
        self._in_vain += self._blocks - mark.blocks
        self._blocks = mark.blocks
        del self.loops[mark.loops :]
        self._drop_hits(mark)
        self._endless.add(loop)

    def _drop_hits(self, mark: Mark) -> None:
        """Drop the evaluations of sites behind a mark, and forget which functions were executed there with anything."""
        self._opened &= mark.opened
        for site in list(self.hits):
            del self.hits[site][mark.hits.get(site, 0) :]

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

    def operand(self, frame: Frame, operand: Operand) -> MemoryValue | None:
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
            return with_open_replaced(value, self.number_of)
        if isinstance(value, tuple):
            parts = tuple(part for part in map(self._here, value) if part is not None)
            return parts if len(parts) == len(value) else None
        if not isinstance(value, Pointer) or value.to is None:
            return value
        target = self._variables.object(value.to.name)
        self._overlaps.variables[target] = value.to.name
        name = value.to.name
        is_new = target not in self._constants and self.program.is_constant(name)
        is_set = self.program.may_be_set(name)
        if is_new and not self._overlaps.may_change(name) and (self._keeps or not is_set):
            self._constants.add(target)
            self.unset |= {name} if is_set else set()
        return Pointer(target, value.offset)

    def number_of(self, sort: Sort, value: MemoryValue | None = None) -> Term:
        """Return the value if it is a number of this sort; otherwise a new variable."""
        found = value if isinstance(value, Term) and value.sort == sort else self._fresh(sort)
        assert found is not None
        return found

    def _truth(self, value: MemoryValue | None) -> Term:
        """Return the value if it is a Bool; otherwise a new variable."""
        return self.number_of(BOOL, value)

    # ---- instructions ----

    def _carry_out(self, frame: Frame, block: int, instruction: Instruction, memory: Memory) -> None:
        """Execute one instruction: set its result, and change ``memory``."""
        values = [self.operand(frame, operand) for operand in instruction.operands]
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
            value = with_open_replaced(freed(value, instruction.is_free), self.number_of)
        if frame.code.blocks[block].targets:
            self._leave(frame, block, instruction, values)
        frame.values[instruction.result] = value if value is not None else self._unknown(instruction.type)

    def _leave(self, frame: Frame, block: int, instruction: Instruction, values: list[MemoryValue | None]) -> None:
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
            if instruction.more:  # other threads and handlers of signals may have run
                memory.objects.clear()
                return None
            return self._load(values[0], type_, memory)
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
        elif opcode == "ptrtoint" and type_ is not None and type_.size == 8:
            return values[0] if isinstance(values[0], Pointer) else None
        elif opcode == "sub" and isinstance(values[0], Pointer) and isinstance(values[1], Pointer):
            return difference(values[0], values[1])
        elif all(isinstance(value, Term) for value in values) and values:
            return computed(opcode, type_, [value for value in values if isinstance(value, Term)])
        elif opcode not in HARMLESS and opcode != UNKNOWN:
            self._does_anything |= opcode == UNREADABLE
            self._overlaps.is_wild = True
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
        self._overlaps.accessed(address.to, type_)
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
        if type_.name == "ptr" and not isinstance(value, Term):
            return self._here(value) if is_constant else value
        return of_memory(value, type_)

    def _load_any(self, target: Object, offset: Term, type_: Type, is_constant: bool) -> MemoryValue | None:
        """Return the number at an offset that depends on the inputs; None if too many places are possible.

        At any other place, it may be anything.
        """
        size, sort = type_.stored, sort_of(type_)
        found = places(target, offset, size, size, MOST_IN_TABLE if is_constant else MOST_PLACES)
        if sort is None or not found:
            return None
        sort = bits(8) if sort == BOOL else sort
        try:
            values = [as_sort(load(target, at, size), sort) if is_constant
                      else self._overlaps.known(target, at, size, sort) for at in found]  # fmt: skip
        except Unreadable:
            return None
        begins = len(runs(values))
        if 2 * begins > len(values) or not is_multiple(offset, size):
            few = begins <= _MOST_IN_TABLES and len(values) <= _MOST_IN_TABLES
            return of_memory(chosen(offset, found, values, self._anything(sort)), type_) if few else None
        first, last = (constant(offset.sort, at) for at in (found[0], found[-1]))
        within = conjunction([make(Op.BV_ULE, first, offset), make(Op.BV_ULE, offset, last)])
        value = if_else(within, chosen(offset, found, values, values[-1]), self._anything(sort))
        return of_memory(value, type_)

    # ---- calls ----

    def _call(self, frame: Frame, block: int, instruction: Instruction, values: list[MemoryValue | None],
              memory: Memory) -> MemoryValue | None:  # fmt: skip
        """Execute a call; return its result, or None if it is unknown or there is none.

        Raises:
            Unreadable: assembly is called, or a function that may return again later.
        """
        name, arguments = instruction.more, values[:-1]
        if name is None and instruction.operands[-1] is None:
            raise Unreadable("assembly may change how floats are rounded")
        name = values[-1].name if name is None and isinstance(values[-1], Function) else name
        if name == PROBE_SWITCH or is_probe(name):
            self._probe(name, arguments, frame.here(block))
            return None
        if name in _RETURNS_TWICE and self.program.code(name) is None:
            raise Unreadable(f"{name} may be called")
        is_read = name is not None and not (name in OPEN and name in self.program.library)
        code = self.program.code(name) if name is not None and is_read else None
        if name == FORGET:
            self._overlaps.store(memory, values[0], Type("i8"), None)
        if code is None and name in STRINGS:
            try:
                return STRINGS[name](StringsOfAll(partial(self._load, memory=memory)), arguments)
            except Unreadable:
                return None  # it writes nothing
        if name is not None and name.startswith(("zeroin_", *NOTHING)):
            return None
        if code is not None and self.program.is_replaceable(code.name):
            self._open(code.name)
            code = name = None  # it need not do what one of the C library's with this name does
        if code is not None and self._blocks < MOST_BLOCKS:
            known = self._called(code, arguments, frame.here(block), memory, frame.callers)
            if known is not None:
                value, memory.objects = known[0], known[1].objects
                return value
        if code is not None:
            self._open_here(code, arguments)
        elif name is not None:
            if may_set_errno(name):
                memory.objects.pop(self._variables.object(ERRNO), None)
            computed_ = value_of(name, arguments, instruction.type)
            if computed_ is not None:
                return computed_
            if (both := written(name, arguments)) is not None:
                value, stored = both
                stored = with_open_replaced(stored, self.number_of)
                self._overlaps.store(memory, arguments[-1], type_of(stored.sort), stored)
                return value
            if moved(name, arguments, memory, self._constants):
                self._overlaps.changed(memory, arguments[0])
                return arguments[0]
        self.unread |= {name} if code is None else set()
        self._overlaps.is_wild |= code is None and None in arguments
        memory.objects.clear()
        return None

    def _called(self, code: Code, arguments: Sequence[MemoryValue | None], guard: Term, memory: Memory,
                callers: tuple[str, ...]) -> tuple[MemoryValue | None, Memory] | None:  # fmt: skip
        """Execute a call of a function, and its recursive calls one by one; see :meth:`_run`.

        The result is None if the call is recursive and can not be executed, because the recursion is too deep.
        """
        depth, name = callers.count(code.name), (code.name, -1)
        if depth and name in self._endless:
            return None
        if depth and self.is_never(guard):
            return None, Memory()
        if depth > _MOST_CALLS or (depth and self._in_vain > _MOST_IN_VAIN):
            raise _TooDeep(code.name)
        before = self.mark()
        try:
            return self._run(code, arguments, guard, memory.copy(), callers)
        except _TooDeep as error:
            if depth or error.args != (code.name,):
                raise
            self.return_to(before, name)
            return self._run(code, arguments, guard, memory.copy(), callers)

    def _probe(self, name: str, values: list[MemoryValue | None], guard: Term) -> None:
        """Execute a call of a probe: note when its site is evaluated, and when the site's condition holds.

        The probe of a ``switch`` stands for several sites, one for each case.

        Args:
            name: the name of the probe.
            values: the arguments of the call; None: unknown.
            guard: the condition under which the call is executed.
        """
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
