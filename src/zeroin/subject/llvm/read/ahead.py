"""What lies ahead of a site: the code on the ways to a target in terms of the state at the site, without a run (Baars
et al. 2011, Algorithm 1, row SE2).

The state is what the code has computed when it comes to the site: variables, one for each value. What is loaded from
memory or returned by a call after that is not known, nor is what loops have destroyed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ....model.ahead import Ahead, PartialPath, nearest
from ....model.memory import Unreadable
from ....model.path_expression import Destroyed, Label, Word, path_expression
from ....term.build import FALSE, TRUE, conjunction, equal, if_else, negation
from ....term.nodes import Op, Term, constant, make, variable
from ....term.smaller import simpler, simplify, simplify_all
from .code import CASTS, PROBE_SWITCH, Code, Instruction, Operand, Program, Slot, is_probe
from .operations import BINARY, binary, cast, compare, function

MOST_PATHS = 16  # from one site to one target

_Step: TypeAlias = tuple[int, int]  # a block, and which of its targets


@dataclass(frozen=True)
class Place:
    """Where a site is evaluated.

    Attributes:
        function: in which.
        block: in which block,
        at: and by which of its instructions.
        part: which of the cases, where that is a switch.
    """

    function: str
    block: int
    at: int
    part: int = 0


def state_variable(function: str, slot: int, code: Code) -> Term | None:
    """The variable for a value; None for what is no number of at most 64 bits."""
    sort = code.sorts[slot]
    if sort is None or (sort.is_bits and sort.width > 64):
        return None
    return variable(f"{function}:{slot}", sort)


class Reader:
    """Reads what lies ahead in a program.

    Args:
        program: with probes.
        functions: that have them.
        rounds: of a loop that are followed before what it changes is destroyed.
        paper: conditions are left as they stand. Otherwise, what one of them says to be constant is so in the others:
            they pull apart less often.
    """

    def __init__(self, program: Program, functions: Sequence[str], rounds: int = 1, paper: bool = False) -> None:
        self._program, self._rounds, self._paper = program, rounds, paper
        self.places = dict[int, Place]()
        self._simple = dict[Term, Term]()
        self._known = dict[tuple[str, int, int], list[Word]]()
        self._between = dict[tuple[int, int], tuple[Ahead, Ahead]]()
        for name in functions:
            code = program.code(name)
            for site, place in _places(name, code) if code is not None else ():
                self.places[site] = place

    def between(self, site: int, target: int) -> Ahead | None:
        """All ways from where a site is evaluated to an outcome; None if they are not in one function."""
        here, there = self.places.get(site), self.places.get(target >> 1)
        code = self._program.code(here.function) if here else None
        if here is None or there is None or code is None or here.function != there.function:
            return None
        pair = site, target >> 1
        if pair not in self._between:
            self._between[pair] = self._both(code, here, there)
        return self._between[pair][target & 1]

    def _both(self, code: Code, here: Place, there: Place) -> tuple[Ahead, Ahead]:
        """Where the site at the end holds, and where not. What ways have in common is followed once."""
        way = _Way(code, self._simple)
        way.begin(here)
        found: tuple[list[PartialPath], list[PartialPath]] = ([], [])
        rejected = [0, 0]
        todo = [(way, self._words(code, here.block, there.block), 0)]
        while todo:
            way, words, at = todo.pop()
            groups: dict[Label, list[Word]] = {}
            for word in words:
                if at < len(word):
                    groups.setdefault(word[at], []).append(word)
                elif at or there.at >= here.at:  # not behind it in the same block
                    for side, holds in enumerate((True, False)):
                        path = way.copy().to(there, holds, None if at else here)
                        if path is None:
                            rejected[side] += 1
                        else:
                            found[side].append(path)
            for item, group in groups.items():
                further = way.copy()
                further.follow(item, None if at else here)
                if further.impossible:
                    rejected = [number + len(group) for number in rejected]
                else:
                    todo.append((further, group, at + 1))
        return self._ahead(found[0], rejected[0]), self._ahead(found[1], rejected[1])

    def _ahead(self, ways: list[PartialPath], rejected: int) -> Ahead:
        """Without those that are impossible. Ours look for these among few: what is impossible makes no other way seem
        possible that is not, but leaves out conditions that the paper's distances count."""
        few = ways if self._paper else nearest(ways)
        possible = [way for way in (_solved(way, self._paper) for way in few) if way is not None]
        return Ahead(tuple(nearest(possible)), rejected + len(few) - len(possible))

    def _words(self, code: Code, start: int, end: int) -> list[Word]:
        """The ways from one block to another."""
        key = code.name, start, end
        if key not in self._known:
            found = path_expression(_edges(code), start, end)
            self._known[key] = list(found.limited(MOST_PATHS).words(self._rounds)) if found else []
        return self._known[key]


def _places(name: str, code: Code) -> Iterator[tuple[int, Place]]:
    for number, block in enumerate(code.blocks):
        for at, instruction in enumerate(block.body):
            if instruction.opcode == "call" and instruction.more == PROBE_SWITCH:
                first, count = (_number(instruction.operands[n]) for n in (0, 2))
                for part in range(count):
                    yield first + part, Place(name, number, at, part)
            elif instruction.opcode == "call" and is_probe(instruction.more):
                yield _number(instruction.operands[0]), Place(name, number, at)


def _number(operand: Operand) -> int:
    assert isinstance(operand, Term)
    return int(operand.data)


def _step(label: Label) -> _Step:
    assert isinstance(label, tuple)
    block, number = label
    return block, number


def _edges(code: Code) -> list[tuple[int, int, _Step]]:
    return [(number, target, (number, way)) for number, block in enumerate(code.blocks)
            for way, target in enumerate(block.targets)]  # fmt: skip


@dataclass
class _Way:
    """The state along one way.

    Attributes:
        simple: terms that have been simplified.
        values: what is computed on it, by slot; None for what is not known.
        conditions: that it takes,
        dropped: and how many that are not known.
        impossible: no state takes it.
    """

    code: Code
    simple: dict[Term, Term]
    values: dict[int, Term | None] = field(default_factory=dict)
    conditions: list[Term] = field(default_factory=list)
    dropped: int = 0
    impossible: bool = False

    def copy(self) -> _Way:
        """The same so far."""
        return _Way(self.code, self.simple, {**self.values}, [*self.conditions], self.dropped, self.impossible)

    def follow(self, item: Label | Destroyed, here: Place | None) -> None:
        """Go on; ``here`` is the site where the way begins, if this is its first step."""
        if isinstance(item, Destroyed):
            self.destroy(item)
        else:
            block, number = _step(item)
            self.leave(block, number, here)
            self.enter(block, self.code.blocks[block].targets[number])

    def to(self, there: Place, holds: bool, here: Place | None) -> PartialPath | None:
        """What the way takes, with the site at its end; None if it is impossible."""
        self.decide(there, holds, here)
        return None if self.impossible else PartialPath(tuple(self.conditions), self.dropped)

    # ---- straight code ----

    def begin(self, here: Place) -> None:
        """At a site: what its block has computed before is said in terms of what that was computed from."""
        for instruction in self.code.blocks[here.block].body[: here.at]:
            value = self._computed(instruction)
            if value is not None:
                self.values[instruction.result] = value
        self._go_on(here.block, here.at + 1)

    def enter(self, before: int, block: int) -> None:
        """Come from one block to another, and carry it out."""
        phis = self.code.blocks[block].phis
        incoming = [(slot, self.value(values[before])) for slot, values in phis]
        self.values.update(incoming)
        self._go_on(block, 0)

    def _go_on(self, block: int, at: int) -> None:
        for instruction in self.code.blocks[block].body[at:]:
            self.values[instruction.result] = self._computed(instruction)

    def destroy(self, what: Destroyed) -> None:
        """What these ways have computed is not known any further."""
        self.dropped += what.dropped
        for number, way in map(_step, what.labels):
            block = self.code.blocks[self.code.blocks[number].targets[way]]
            self.values.update(dict.fromkeys([slot for slot, _ in block.phis]))
            self.values.update(dict.fromkeys([instruction.result for instruction in block.body]))

    # ---- conditions ----

    def require(self, condition: Term | None) -> None:
        """One more condition."""
        if condition is None:
            self.dropped += 1
            return
        condition = simplify(condition, self.simple)
        if condition is not TRUE:
            self.impossible |= condition is FALSE or negation(condition) in self.conditions
            self.conditions.append(condition)

    def decide(self, there: Place, holds: bool, here: Place | None) -> None:
        """The outcome of a site."""
        probe = self.code.blocks[there.block].body[there.at]
        if probe.more == PROBE_SWITCH:
            self._decide_case(there.block, there.part, holds, here.part if here else 0)
        else:
            condition = self.value(probe.operands[4])
            self.require(condition if condition is None or holds else simpler(negation(condition)))

    def leave(self, number: int, way: int, here: Place | None) -> None:
        """A block is left that way; of a switch, after the cases before ``here`` did not fit."""
        block = self.code.blocks[number]
        end = block.body[-1]
        if end.opcode == "br" and len(block.targets) == 2:
            condition = self.value(end.operands[0])
            self.require(condition if condition is None or way == 0 else simpler(negation(condition)))
        elif end.opcode == "switch":
            first = here.part if here and block.body[here.at].more == PROBE_SWITCH else 0
            if way == 0:
                self._decide_case(number, len(end.more) - 1, False, first)
            else:
                self._decide_case(number, way - 1, True, first)
        elif end.opcode == "invoke" and way:
            self.require(None)

    def _decide_case(self, number: int, part: int, holds: bool, first: int) -> None:
        """Whether a case of a switch fits, after those before it did not."""
        end = self.code.blocks[number].body[-1]
        value = self.value(end.operands[0])
        if value is None:
            return self.require(None)
        fits = [simpler(equal(value, constant(value.sort, case))) for case in end.more]
        if holds:
            self.require(fits[part])
        else:
            self.require(conjunction([negation(one) for one in fits[first : part + 1]]))

    # ---- values ----

    def value(self, operand: Operand) -> Term | None:
        """What an operand is; None if that is not known."""
        if not isinstance(operand, Slot):
            return operand if isinstance(operand, Term) else None
        if operand.number not in self.values:
            self.values[operand.number] = state_variable(self.code.name, operand.number, self.code)
        return self.values[operand.number]

    def _computed(self, instruction: Instruction) -> Term | None:
        """The result of an instruction; None if that is not known."""
        opcode, known = instruction.opcode, [self.value(operand) for operand in instruction.operands]
        if opcode == "call":
            known = known[:-1]
        values = [value for value in known if value is not None]
        if not values or len(values) < len(known):
            return None
        try:
            found = _result(instruction, values)
            return None if found is None else simplify(found, self.simple)
        except Unreadable:
            return None


def _solved(way: PartialPath, paper: bool) -> PartialPath | None:
    """With what one condition says to be constant in its place, or as it stands; None if it is impossible."""
    if len(way.conditions) < 2 or not any(map(_is_fixing, way.conditions)):
        return way
    solved = simplify_all(way.conditions)
    if solved == [FALSE]:
        return None
    return way if paper else PartialPath(tuple(solved), way.dropped)


def _is_fixing(condition: Term) -> bool:
    """Whether it says that something is a constant: then the others may be impossible."""
    return condition.op in (Op.EQUAL, Op.FP_EQ) and any(one.is_constant for one in condition.args)


def _result(instruction: Instruction, values: list[Term]) -> Term | None:
    opcode, type_ = instruction.opcode, instruction.type
    if opcode in BINARY:
        return binary(opcode, *values)
    if opcode in ("icmp", "fcmp"):
        return compare(opcode, instruction.more[0], *values)
    if opcode == "select":
        return simpler(if_else(*values))
    if opcode == "fneg":
        return make(Op.FP_NEG, values[0])
    if opcode == "freeze":
        return values[0]
    if opcode in CASTS and type_ is not None and opcode not in ("ptrtoint", "inttoptr"):
        return cast(opcode, values[0], type_)
    if opcode == "call" and instruction.more and not is_probe(instruction.more):
        found = function(instruction.more, values[:1] if instruction.more.startswith("llvm.abs") else values)
        return found if found is not None and type_ is not None and found.sort == type_.sort else None
    return None
