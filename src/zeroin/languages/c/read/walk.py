"""Symbolic execution along the path of one run.

Probes have recorded the run's decisions at sites, so nothing is decided here. A condition without a probe is evaluated
for the inputs of the run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ....model.memory import (
    ADDRESS,
    NULL,
    Diverged,
    Function,
    MemoryValue,
    Object,
    Pointer,
    Unreadable,
    as_sort,
    load,
)
from ....model.path import PathCondition, Step, Truth
from ....subject.base import Decision
from ....term.core.build import FALSE, TRUE, equal, if_else, negation
from ....term.core.evaluate import NoValue
from ....term.core.nodes import Op, Term, constant, make
from ....term.core.simplify import simpler
from ....term.core.sorts import bits
from .access import PARTS, Access, difference, in_order, number, parts_of, passed, pointer, recast
from .calls import CHECKS, ERRNO, JUMPS, SET_JUMPS, call_library, may_set_errno
from .code import CASTS, PROBE_SWITCH, UNKNOWN, UNREADABLE, Code, Instruction, Operand, Program, Slot, is_probe
from .operations import BINARY, RELATIONS, as_number, binary, cast, compare, freed
from .run_record import Record

MOST_BLOCKS, DEEPEST = 20_000, 400
MOST_MADE = 100_000  # terms that are kept for later runs


@dataclass(frozen=True)
class _Mark:
    """A call of ``setjmp``: where a jump goes.

    Attributes:
        depth: the number of calls on the stack.
        frame: the innermost of them, the caller.
        block: the index of its block.
        at: the index of the next instruction in this block.
        result: the slot of the result.
    """

    depth: int
    frame: _Frame
    block: int
    at: int
    result: int


@dataclass
class _Frame:
    """A call on the stack of the run."""

    code: Code
    values: list[MemoryValue | None]
    block: int = 0
    before: int = -1
    at: int = 0
    result: int = -1  # the slot of the caller
    then: int = -1  # the block where the caller goes on
    stack: tuple[int, ...] = ()  # the calls that led here
    is_switched: bool = False  # a probe has reported the cases of the switch that follows
    decided: dict[int, bool] = field(default_factory=dict)  # truth values that a probe has reported, by slot
    objects: list[Object] = field(default_factory=list)


class Walk:
    """The symbolic execution of one run. Use each object for one run only.

    Args:
        program: the code.
        inputs: the values of the input variables in the run, by name.
        decisions: the decisions that the probes recorded, in order.
        truncated: whether the run took more decisions, which were not recorded.

    Attributes:
        record: the path condition so far.
        variables: the global variables of this run.
    """

    def __init__(self, program: Program, inputs: Mapping[str, object], decisions: Sequence[Decision],
                 truncated: bool = False) -> None:  # fmt: skip
        self.program, self.record = program, Record(inputs)
        self._access = Access(self.record)
        self._decisions, self._truncated = decisions, truncated
        self.variables = program.variables()
        self._frames: list[_Frame] = []
        self._marks: dict[Pointer, _Mark] = {}

    def path(self, entry: str, arguments: Sequence[MemoryValue | None]) -> PathCondition:
        """Follow the run from the call of a function; return its path condition.

        If some code can not be expressed, or the run is too long, the path condition ends there (``ended`` has the
        reason).

        Args:
            entry: the name of the function.
            arguments: the values of its arguments.

        Raises:
            Diverged: symbolic execution does not take the path of the run.
        """
        ended = ""
        try:
            self.enter(entry, arguments, -1)
            for _ in range(MOST_BLOCKS):
                if not self._frames:
                    break
                self._step()
            else:
                ended = f"it takes more than {MOST_BLOCKS:,} blocks of code"
        except Unreadable as error:
            if isinstance(error, Diverged):
                raise
            ended = str(error)
        except NoValue as error:
            ended = str(error)
        if not ended and len(self.record.steps) < len(self._decisions):
            raise Diverged(f"the run takes {len(self._decisions)} decisions, its model {len(self.record.steps)}")
        return self.record.path(ended)

    # ---- frames ----

    def enter(self, name: str, arguments: Sequence[MemoryValue | None], result: int) -> bool:
        """Begin the call of a function; return False if it is not defined here.

        Args:
            name: the name of the function.
            arguments: the values of its arguments.
            result: the number of the caller's slot for the result; -1: none.

        Raises:
            Unreadable: calls are nested too deeply, or a structure that is passed by value is unknown.
        """
        code = self.program.code(name)
        if code is None:
            return False
        if len(self._frames) >= DEEPEST:
            raise Unreadable(f"calls are nested more than {DEEPEST} deep")
        values: list[MemoryValue | None] = [None] * code.slots
        given = arguments[: code.parameters]  # a call with ... may have less, or more
        values[: len(given)] = given
        for at, size in code.by_value.items():
            address = values[at]
            target = address.to if isinstance(address, Pointer) else None
            if not size:
                raise Unreadable("a structure of unknown size is passed by value")
            values[at] = Pointer(passed(address, size, target), NULL.offset)
        self._frames.append(_Frame(code, values, result=result, stack=self._stack()))
        return True

    def _stack(self) -> tuple[int, ...]:
        """Return the places of the calls on the stack, the outermost first, with the call that begins now."""
        if not self._frames:
            return ()
        caller = self._frames[-1]
        return *caller.stack, self.program.place(caller.code.name, caller.block, caller.at)

    def _leave(self, value: MemoryValue | None) -> None:
        """Return from the innermost call: its variables may not be used any more, and the caller gets the value."""
        frame = self._frames.pop()
        for local in frame.objects:
            local.is_live = False
        if not self._frames:
            return
        caller = self._frames[-1]
        if frame.result >= 0:
            caller.values[frame.result] = value
            caller.decided.pop(frame.result, None)
        if frame.then >= 0:
            self._go(caller, frame.then)

    def _step(self) -> None:
        """Execute instructions until control leaves the block."""
        frame = self._frames[-1]
        block = frame.code.blocks[frame.block]
        if frame.at == 0 and block.phis:
            incoming = [(slot, self.operand(frame, values[frame.before])) for slot, values in block.phis]
            for slot, value in incoming:
                frame.values[slot] = value
                frame.decided.pop(slot, None)
        while frame.at < len(block.body):
            instruction = block.body[frame.at]
            frame.at += 1
            if self._carry_out(frame, instruction):
                return

    def operand(self, frame: _Frame, operand: Operand) -> MemoryValue | None:
        """Return the current value of an operand; None if it is undefined."""
        if isinstance(operand, Slot):
            return frame.values[operand.number]
        if isinstance(operand, Pointer) and operand.to is not None:  # the program's; a run has its own
            return Pointer(self.variables.object(operand.to.name), operand.offset)
        return operand

    def _carry_out(self, frame: _Frame, instruction: Instruction) -> bool:
        """Execute one instruction; return whether control has left the block.

        Raises:
            Unreadable: the instruction can not be expressed.
        """
        opcode = instruction.opcode
        values = [self.operand(frame, operand) for operand in instruction.operands]
        if opcode in ("call", "invoke"):
            return self._call(frame, instruction, values)
        if opcode in ("br", "switch", "ret", "unreachable"):
            self._end_block(frame, instruction, values)
            return True
        if opcode in (UNREADABLE, UNKNOWN):
            raise Unreadable(instruction.more)
        frame.decided.pop(instruction.result, None)
        frame.values[instruction.result] = freed(self._value(frame, instruction, values), instruction.is_free)
        return False

    # ---- control ----

    def _go(self, frame: _Frame, target: int) -> None:
        """Go on at the beginning of a block."""
        frame.before, frame.block, frame.at = frame.block, target, 0

    def _end_block(self, frame: _Frame, instruction: Instruction, values: list[MemoryValue | None]) -> None:
        """Execute the last instruction of a block.

        Raises:
            Unreadable: the run does not return.
        """
        targets = frame.code.blocks[frame.block].targets
        if instruction.opcode == "ret":
            self._leave(values[0] if values else None)
        elif instruction.opcode == "unreachable":
            raise Unreadable("the run does not return")
        elif len(targets) == 1 and instruction.opcode == "br":
            self._go(frame, targets[0])
        elif instruction.opcode == "br":
            holds = self.decide(frame, instruction.operands[0], values[0])
            self._go(frame, targets[0] if holds else targets[1])
        else:
            self._switch(frame, instruction, number(values[0]), targets)

    def decide(self, frame: _Frame, operand: Operand, value: MemoryValue | None) -> bool:
        """Return whether a condition held in the run. One that no probe has reported is recorded as a choice."""
        if isinstance(operand, Slot) and operand.number in frame.decided:
            return frame.decided[operand.number]
        return self._choose(frame, number(value), "a condition without a probe")

    def _choose(self, frame: _Frame, condition: Term, why: str, part: int = 0) -> bool:
        """Record a condition without a probe; return whether it held in the run."""
        place = self.program.place(frame.code.name, frame.block, frame.at, part)
        return self.record.choose(condition, place, frame.stack, why)

    def _switch(self, frame: _Frame, instruction: Instruction, value: Term, targets: tuple[int, ...]) -> None:
        """Go on at the case that the run took. Without a probe, each comparison with a case is recorded as a choice."""
        now, probed = self.record.value(value), frame.is_switched
        frame.is_switched = False
        for part, (case, target) in enumerate(zip(instruction.more, targets[1:], strict=True)):
            one = constant(value.sort, case)
            if one.data == now if probed else self._choose(frame, simpler(equal(value, one)), "a switch", part):
                return self._go(frame, target)
        return self._go(frame, targets[0])

    # ---- calls ----

    def _call(self, frame: _Frame, instruction: Instruction, values: list[MemoryValue | None]) -> bool:
        """Execute or begin a call; return whether control has left the block.

        Raises:
            Unreadable: the called function is unknown.
        """
        name, arguments = instruction.more, values[:-1]
        if name is None:
            called = values[-1]
            if not isinstance(called, Function):
                raise Unreadable("an unknown function is called")
            name = called.name
        if name == PROBE_SWITCH or is_probe(name):
            self._probe(frame, name, instruction.operands, arguments)
            return False
        if name.startswith(CHECKS):
            self.record.note(negation(number(arguments[3])), "nothing undefined is done")
            return False
        if name in JUMPS and self.program.code(name) is None:
            self._jump(arguments)
            return True
        if name in SET_JUMPS and self.program.code(name) is None:
            mark = _Mark(len(self._frames), frame, frame.block, frame.at, instruction.result)
            self._marks[pointer(arguments[0])] = mark
            frame.values[instruction.result] = constant(bits(32), 0)
            return False
        then = frame.code.blocks[frame.block].targets[0] if instruction.opcode == "invoke" else -1
        if self.enter(name, arguments, instruction.result):
            self._frames[-1].then = then
            return True
        frame.decided.pop(instruction.result, None)
        value = call_library(self.record, name, arguments, instruction.type)
        if may_set_errno(name) and self.program.initial(ERRNO) is not None:
            self.variables.object(ERRNO).cells.clear()
        frame.values[instruction.result] = freed(value, instruction.is_free)
        if then >= 0:
            self._go(frame, then)
        return then >= 0

    def _jump(self, arguments: Sequence[MemoryValue | None]) -> None:
        """Execute ``longjmp``: the call of ``setjmp`` that it leads to returns again.

        Raises:
            Unreadable: that call is not known, or its caller has returned.
        """
        mark = self._marks.get(pointer(arguments[0]))
        if mark is None or len(self._frames) < mark.depth or self._frames[mark.depth - 1] is not mark.frame:
            raise Unreadable("it jumps to an unknown place")
        for left in self._frames[mark.depth :]:
            for local in left.objects:
                local.is_live = False
        del self._frames[mark.depth :]
        mark.frame.block, mark.frame.at = mark.block, mark.at
        mark.frame.decided.pop(mark.result, None)
        value, zero = number(arguments[1]), constant(bits(32), 0)
        mark.frame.values[mark.result] = simpler(if_else(equal(value, zero), constant(bits(32), 1), value))

    def _probe(self, frame: _Frame, name: str, operands: Sequence[Operand], values: list[MemoryValue | None]) -> None:
        """Record the decisions that a probe reports."""
        if name == PROBE_SWITCH:
            self._probe_switch(_constant(values[0]), number(values[1]), _constant(values[2]), values[3])
            frame.is_switched = True
            return
        site, condition = _constant(values[0]), number(values[4])
        left, right = (_seen(value) for value in values[2:4])
        holds = self._decided(site, condition, left, right)
        if isinstance(operands[4], Slot):
            frame.decided[operands[4].number] = holds

    def _probe_switch(self, first: int, value: Term, count: int, table: MemoryValue | None) -> None:
        """Record the decisions for the cases of a switch, up to the first one that fits."""
        assert isinstance(table, Pointer)
        assert table.to is not None
        for n in range(count):
            case = as_sort(load(table.to, 8 * n, 8), bits(64))
            if self._decided(first + n, simpler(equal(value, case)), value, case):
                return

    def _decided(self, site: int, condition: Term, left: Term, right: Term) -> bool:
        """Record the next decision of the run; return whether its condition held.

        Raises:
            Unreadable: no more decisions were recorded.
            Diverged: the run took its next decision at another site.
        """
        number = len(self.record.steps)
        if number >= len(self._decisions):
            if self._truncated:
                raise Unreadable(f"only its first {number:,} decisions were recorded")
            raise Unreadable("the run ended here")
        decision = self._decisions[number]
        if decision.site != site:
            raise Diverged(f"decision {number} of the run is at site {decision.site}, of its model at {site}")
        self.record.check(condition, decision.holds)
        self.record.steps.append(Step(site, decision.holds, condition, left, right, self._frames[-1].stack))
        return decision.holds

    # ---- values ----

    def _value(self, frame: _Frame, instruction: Instruction, values: list[MemoryValue | None]) -> MemoryValue | None:
        """Return the result of an instruction; None if there is none or it is undefined.

        Raises:
            Unreadable: it can not be expressed.
        """
        opcode = instruction.opcode
        if opcode in BINARY:
            return self._made(instruction, values)
        if opcode in ("icmp", "fcmp"):
            compared = number(self._made(instruction, values))
            if instruction.result not in frame.code.probed:
                self._note_truth(frame, instruction, compared, values)
            return compared
        if opcode == "select":
            return self._select(frame, instruction, values)
        if opcode == "fneg":
            return make(Op.FP_NEG, number(values[0]))
        if opcode == "freeze":
            return values[0]
        if opcode == "alloca":
            return self._alloca(frame, instruction, values)
        if opcode == "load":
            assert instruction.type is not None
            return self._access.load(values[0], instruction.type)
        if opcode == "store":
            self._access.store(values[1], instruction.more, values[0])
            return None
        if opcode == "getelementptr":
            return self._access.address(instruction.more, values)
        if opcode in PARTS:
            return parts_of(opcode, instruction.type, values, instruction.more)
        return self._made(instruction, values)

    def _made(self, instruction: Instruction, values: list[MemoryValue | None]) -> MemoryValue | None:
        """Return the result of an instruction. If all operands are terms, the cache of all runs is used."""
        if not all(isinstance(value, Term) for value in values):
            return self._computed(instruction, values)
        known, key = self.program.made, (id(instruction), *map(id, values))
        found = known.get(key)
        if found is None:
            if len(known) >= MOST_MADE:
                known.clear()
            found = known[key] = (self._computed(instruction, values), values)
        return found[0]

    def _computed(self, instruction: Instruction, values: list[MemoryValue | None]) -> MemoryValue | None:
        """Return the result of an arithmetic instruction, a comparison or a cast.

        Raises:
            Unreadable: it can not be expressed.
        """
        opcode = instruction.opcode
        if opcode in BINARY:
            one, other = values
            if opcode == "sub" and isinstance(one, Pointer) and isinstance(other, Pointer):
                return difference(one, other)
            if isinstance(one, Pointer) or isinstance(other, Pointer):
                raise Unreadable("an address is converted to a number")
            return binary(opcode, number(one), number(other))
        if opcode in ("icmp", "fcmp"):
            return self._compare(opcode, instruction.more[0], values[0], values[1])
        return self._cast(instruction, values[0])

    def _alloca(self, frame: _Frame, instruction: Instruction, values: list[MemoryValue | None]) -> Pointer:
        """Return the address of a new local variable.

        If its size depends on the inputs, it is the size in the run. No constraint says so.
        """
        count = self.record.value(number(values[0])) if values and values[0] is not None else 1
        local = Object("a variable", instruction.more.size * count)
        frame.objects.append(local)
        return Pointer(local, NULL.offset)

    def _cast(self, instruction: Instruction, value: MemoryValue | None) -> MemoryValue | None:
        """Return the result of a cast. An address stays an address when it becomes an integer of 8 bytes.

        Raises:
            Unreadable: it can not be expressed.
        """
        opcode, to = instruction.opcode, instruction.type
        if to is None or opcode not in CASTS:
            raise Unreadable(f"zeroin can not read the instruction {opcode}")
        if opcode == "ptrtoint":
            if to.size != 8:
                raise Unreadable("a part of an address is used")
            return value.offset if value == NULL else value  # else compared, or made a pointer again
        if opcode == "inttoptr":
            if isinstance(value, Pointer):
                return value
            address = number(value)
            if not address.is_constant:
                raise Unreadable("a number is converted to an address")
            return Pointer(None, address)
        if value is not None and (isinstance(value, tuple) or to.vector):
            return recast(value, instruction.more, to)
        return cast(opcode, number(value), to)

    def _compare(self, opcode: str, predicate: str, a: MemoryValue | None, b: MemoryValue | None) -> Term:
        """Return the result of a comparison of numbers or addresses.

        Raises:
            Unreadable: the order of addresses in different objects is compared.
        """
        if isinstance(a, Term) and isinstance(b, Term):
            return compare(opcode, predicate, a, b)
        if isinstance(a, Function) or isinstance(b, Function):
            return TRUE if (a == b) == (predicate == "eq") else FALSE
        one, other = pointer(a), pointer(b)
        if one.to is other.to:
            return in_order(opcode, predicate, one, other)
        if predicate in ("eq", "ne"):  # addresses of different objects
            null = _null(one, other)
            if null is not None:
                return null if predicate == "eq" else negation(null)
            return FALSE if predicate == "eq" else TRUE
        raise Unreadable("addresses of different objects are compared")

    def _note_truth(
        self, frame: _Frame, instruction: Instruction, compared: Term, values: list[MemoryValue | None]
    ) -> None:
        """Record a comparison that is not at a site: whether it held, and the values of its operands in the run.

        In a function with probes, also one whose truth is constant on this path: the path may decide the operands, as
        a counter.
        """
        (a, b), predicate = values, instruction.more[0]
        is_decided = compared.is_constant and not frame.code.probed
        if is_decided or not isinstance(a, Term) or not isinstance(b, Term):
            return
        left, right = (as_number(self.record.value(v), v.sort, predicate) for v in (a, b))
        key = (frame.code.name, frame.block, frame.at)
        self.record.truths.append(Truth(key, bool(self.record.value(compared)), RELATIONS[predicate], left, right))

    def _select(self, frame: _Frame, instruction: Instruction, values: list[MemoryValue | None]) -> MemoryValue | None:
        """Return one of two values by a condition: an if-then-else of numbers, otherwise the value in the run."""
        _, one, other = values
        known = isinstance(instruction.operands[0], Slot) and instruction.operands[0].number in frame.decided
        if not known and isinstance(one, Term) and isinstance(other, Term):
            return if_else(number(values[0]), one, other)
        return one if self.decide(frame, instruction.operands[0], values[0]) else other


def _constant(value: MemoryValue | None) -> int:
    """Return the number that a constant is."""
    return int(number(value).data)


def _null(one: Pointer, other: Pointer) -> Term | None:
    """Return the condition that a pointer is NULL, if it is compared with NULL; None if it never is, or for others."""
    if one.to is None:
        one, other = other, one
    compared = one.to is not None and other.to is None and one.offset is NULL.offset and other.offset is NULL.offset
    return one.to.null if compared and one.to is not None else None


def _seen(value: MemoryValue | None) -> Term:
    """Return an operand as a probe sees it. An address is an open value, unless it is relative to NULL."""
    if isinstance(value, Pointer) and value.to is None:
        return value.offset
    return (
        make(Op.OPEN, constant(ADDRESS, 1), data="an address")
        if isinstance(value, Pointer | Function)
        else number(value)
    )
