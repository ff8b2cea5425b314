"""What lies ahead of a site: the code on the ways to a target in terms of the state at the site, without a run (Baars
et al. 2011, Algorithm 1, row SE2).

The state is what the code has computed when it comes to the site: variables, one for each value. What is loaded from
memory or returned by a call after that is not known, nor is what loops have destroyed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ....model.ahead import Ahead, PartialPath, is_denied, nearest, solved
from ....model.memory import Unreadable
from ....model.path_expression import Destroyed, Label, Word, path_expression
from ....term.build import FALSE, conjunction, conjuncts, equal, if_else, negation
from ....term.nodes import Op, Term, constant, make, variable
from ....term.smaller import simpler, simplify
from ....term.sorts import Sort
from ...dependence import EXIT, post_dominators
from .code import CASTS, PROBE_SWITCH, Code, Instruction, Operand, Program, Slot, is_probe
from .operations import BINARY, binary, cast, compare, function

MOST_PATHS = 16  # from one site to one target

_Step: TypeAlias = tuple[int, int]  # a block, and which of its targets
_Onwards: TypeAlias = dict[int, list[PartialPath | None]]  # the ways to each outcome; None for an impossible one


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
    return None if sort is None or _is_wide(sort) else variable(f"{function}:{slot}", sort)


def _is_wide(sort: Sort) -> bool:
    """Whether a word has no room for such a value: no distance can be computed with it."""
    return sort.is_bits and sort.width > 64


class Reader:
    """Reads what lies ahead in a program.

    Args:
        program: with probes.
        functions: that have them.
        ends: for each site those to whose outcomes ways are read from there.
        rounds: of a loop that are followed before what it changes is destroyed.
        paper: conditions are left as they stand. Otherwise, what one of them says to be constant is so in the others:
            they pull apart less often.
    """

    def __init__(self, program: Program, functions: Sequence[str], ends: Mapping[int, Collection[int]],
                 rounds: int = 1, paper: bool = False) -> None:  # fmt: skip
        self._program, self._rounds, self._paper, self._ends = program, rounds, paper, ends
        self.places = dict[int, Place]()
        self._simple = dict[Term, Term]()
        self._known = dict[tuple[str, int, int], list[Word]]()
        self._solved = dict[PartialPath, PartialPath | None]()
        self._from = dict[int, _Onwards]()
        self._between = dict[tuple[int, int], Ahead]()
        self._dominators = dict[str, dict[int, int]]()
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
        if site not in self._from:
            self._from[site] = self._onwards(code, here, self._ends[site])
        if (site, target) not in self._between:
            self._between[site, target] = self._ahead(self._from[site][target])
        return self._between[site, target]

    def in_order(self, sites: Iterable[int]) -> list[int]:
        """The sites, so that each comes after those that runs must have evaluated before it."""

        def key(site: int) -> tuple[int, int, int]:
            place = self.places.get(site)
            return (len(self._above(place)), place.at, place.part) if place else (0, 0, 0)

        return sorted(sites, key=key)

    def is_always_before(self, one: int, other: int) -> bool:
        """Whether a run that evaluates the other site has evaluated the one in the same call before."""
        first, then = self.places.get(one), self.places.get(other)
        if first is None or then is None or first.function != then.function:
            return False
        if first.block == then.block:
            return (first.at, first.part) < (then.at, then.part)
        return first.block in self._above(then)

    def _above(self, place: Place) -> list[int]:
        """The blocks that every way to a place's block passes, from there to the entry."""
        if place.function not in self._dominators:
            code = self._program.code(place.function)
            assert code is not None
            self._dominators[place.function] = _dominators(code)
        found, dominators = list[int](), self._dominators[place.function]
        at = place.block
        while dominators.get(at, EXIT) != EXIT:
            at = dominators[at]
            found.append(at)
        return found

    def _onwards(self, code: Code, here: Place, sites: Iterable[int]) -> _Onwards:
        """The ways to the outcomes of these sites. What they have in common is followed once."""
        way = _Way(code, self._simple)
        way.begin(here)
        ends = [site for site in sites if site in self.places and self.places[site].function == here.function]
        words = [(word, end) for end in ends for word in self._words(code, here.block, self.places[end].block)]
        found: _Onwards = {2 * end + side: [] for end in ends for side in (0, 1)}
        todo = [(way, words, 0)]
        while todo:
            way, words, at = todo.pop()
            groups: dict[Label, list[tuple[Word, int]]] = {}
            for word, end in words:
                there = self.places[end]
                if at < len(word):
                    groups.setdefault(word[at], []).append((word, end))
                elif at or (there.at, there.part) >= (here.at, here.part):  # not behind it in the same block
                    for target, holds in ((2 * end, True), (2 * end + 1, False)):
                        path = way.copy().to(there, holds, None if at else here)
                        found[target].append(path)
            for item, group in groups.items():
                further = way.copy()
                further.follow(item, None if at else here)
                if further.impossible:
                    for _, end in group:
                        found[2 * end].append(None)
                        found[2 * end + 1].append(None)
                else:
                    todo.append((further, group, at + 1))
        return found

    def _ahead(self, ways: Sequence[PartialPath | None]) -> Ahead:
        """Without those that are impossible. Ours look for these among few: what is impossible makes no other way seem
        possible that is not, but leaves out conditions that the paper's distances count."""
        found = [way for way in ways if way is not None]
        few = found if self._paper else nearest(found)
        for way in few:
            if way not in self._solved:
                self._solved[way] = solved(way, self._simple, self._paper)
        possible = [way for way in map(self._solved.__getitem__, few) if way is not None]
        rejected = len(ways) - len(found) + len(few) - len(possible)
        return Ahead(tuple(nearest(possible)), rejected, not any(way.dropped for way in found))

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


def _dominators(code: Code) -> dict[int, int]:
    """For each block the last one that every way to it passes."""
    before: dict[int, list[int]] = {EXIT: [], **{number: [] for number in range(len(code.blocks))}}
    for one, two, _ in _edges(code):
        before[two].append(one)
    before[0].append(EXIT)
    return post_dominators(before)


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
        for part in conjuncts([simplify(condition, self.simple)]):
            self.impossible |= part is FALSE or is_denied(part, self.conditions)
            self.conditions.append(part)

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
        elif len(block.targets) > 1 and (end.opcode != "invoke" or way):
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
            return None if found is None or _is_wide(found.sort) else simplify(found, self.simple)
        except Unreadable:
            return None


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
