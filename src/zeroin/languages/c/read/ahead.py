"""What lies ahead of a site: the code on the ways to a target in terms of the state at the site, without a run (Baars
et al. 2011, Algorithm 1).

The state is what the code has computed when it comes to the site: variables, one for each value. What is loaded from
memory or returned by a call after that is not known, nor is what loops have destroyed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from ....model.ahead import Ahead, PartialPath, is_denied, nearest, solved
from ....model.path_expression import Destroyed, Graph, Label, Word
from ....subject.control_dependence import EXIT, post_dominators
from ....term.core.build import FALSE
from ....term.core.nodes import Term
from ....term.core.simplify import Conjunctions
from .code import PROBE_SWITCH, Code, Instruction, Operand, Program, Slot, is_probe
from .condition_values import QUIET, Deciding, arguments, as_step

MOST_PATHS = 16  # from one site to one target

_Onwards: TypeAlias = dict[int, list[PartialPath | None]]  # the ways to each outcome; None for an impossible one


@dataclass(frozen=True)
class SitePosition:
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
        self.places = dict[int, SitePosition]()
        simple = dict[Term, Term]()
        self._conjunctions = Conjunctions(simple)
        self._functions = dict[str, _Function]()
        self._solved = dict[PartialPath, PartialPath | None]()
        self._from = dict[int, _Onwards]()
        self._between = dict[tuple[int, int], Ahead]()
        for name in functions:
            code = program.code(name)
            if code is not None:
                self._functions[name] = _Function(code, simple, rounds)
                self.places.update(_places(name, code))

    def between(self, site: int, target: int) -> Ahead | None:
        """All ways from where a site is evaluated to an outcome; None if they are not in one function."""
        here, there = self.places.get(site), self.places.get(target >> 1)
        if here is None or there is None or here.function != there.function:
            return None
        if site not in self._from:
            self._from[site] = self._onwards(self._functions[here.function], here, self._ends[site])
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

    def next_site(self, outcome: int) -> int | None:
        """The site that every run evaluates next after an outcome; None if there is none, or a run may end before. One
        that ends as undefined counts for nothing, however near it was."""
        place = self.places.get(outcome >> 1)
        if place is None:
            return None
        blocks = self._functions[place.function].deciding.code.blocks
        number, at, probe = place.block, place.at + 1, blocks[place.block].body[place.at]
        for _ in blocks:
            *body, end = blocks[number].body[at:]
            for instruction in body:
                if instruction.opcode == "call" and is_probe(instruction.more):
                    return _number(instruction.operands[0])
                if instruction.opcode not in QUIET and not _is_of_check(instruction):
                    return None
            targets = blocks[number].targets
            if end.opcode != "br" or (len(targets) == 2 and (at == 0 or end.operands[0] != probe.operands[4])):
                return None
            number, at = targets[outcome & 1 if len(targets) == 2 else 0], 0
        return None

    def _above(self, place: SitePosition) -> list[int]:
        """The blocks that every way to a place's block passes, from there to the entry."""
        found, dominators = list[int](), self._functions[place.function].dominators
        at = place.block
        while dominators.get(at, EXIT) != EXIT:
            at = dominators[at]
            found.append(at)
        return found

    def _onwards(self, function: _Function, here: SitePosition, sites: Iterable[int]) -> _Onwards:
        """The ways to the outcomes of these sites. What they have in common is followed once."""
        way = _Way(function.deciding)
        way.begin(here)
        ends = [site for site in sites if site in self.places and self.places[site].function == here.function]
        words = [(word, end) for end in ends for word in function.words(here.block, self.places[end].block)]
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
                        found[target].append(way.to(there, holds, None if at else here))
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
                self._solved[way] = solved(way, self._conjunctions, self._paper)
        possible = [way for way in map(self._solved.__getitem__, few) if way is not None]
        rejected = len(ways) - len(found) + len(few) - len(possible)
        left = possible if possible == few and not self._paper else nearest(possible)
        return Ahead(tuple(left), rejected, not any(way.dropped for way in found))


def _is_of_check(instruction: Instruction) -> bool:
    """Whether it belongs to a check for undefined behaviour."""
    called = instruction.more if instruction.opcode == "call" and isinstance(instruction.more, str) else ""
    is_check = called.startswith(("zeroin_check", "zeroin_forbid")) or ".with.overflow." in called
    return is_check or instruction.opcode == "extractvalue"


class _Function:
    """What is known of a function.

    Args:
        code: its code.
        simple: terms that have been simplified; more are added.
        rounds: see :class:`Reader`.
    """

    def __init__(self, code: Code, simple: dict[Term, Term], rounds: int) -> None:
        self.deciding = Deciding(code, simple)
        self._rounds, self._words = rounds, dict[tuple[int, int], list[Word]]()
        steps = [(number, target, (number, way)) for number, block in enumerate(code.blocks)
                 for way, target in enumerate(block.targets)]  # fmt: skip
        self._steps = Graph(steps)
        self._before: dict[int, list[int]] = {EXIT: [], **{number: [] for number in range(len(code.blocks))}}
        for one, two, _ in steps:
            self._before[two].append(one)
        self._before[0].append(EXIT)

    def words(self, start: int, end: int) -> list[Word]:
        """The ways from one block to another."""
        if (start, end) not in self._words:
            found = self._steps.expression(start, end)
            self._words[start, end] = list(found.limited(MOST_PATHS).words(self._rounds)) if found else []
        return self._words[start, end]

    @cached_property
    def dominators(self) -> dict[int, int]:
        """For each block the last one that every way to it passes."""
        return post_dominators(self._before)


def _places(name: str, code: Code) -> Iterator[tuple[int, SitePosition]]:
    for number, block in enumerate(code.blocks):
        for at, instruction in enumerate(block.body):
            if instruction.opcode == "call" and instruction.more == PROBE_SWITCH:
                first, count = (_number(instruction.operands[n]) for n in (0, 2))
                for part in range(count):
                    yield first + part, SitePosition(name, number, at, part)
            elif instruction.opcode == "call" and is_probe(instruction.more):
                yield _number(instruction.operands[0]), SitePosition(name, number, at)


def _number(operand: Operand) -> int:
    assert isinstance(operand, Term)
    return int(operand.data)


@dataclass
class _Way:
    """The state along one way.

    Attributes:
        deciding: the conditions of the function.
        values: of what these need, by slot; None for what is not known, and what is not there is the state's.
        conditions: that it takes,
        dropped: and how many that are not known.
        impossible: no state takes it.
    """

    deciding: Deciding
    values: dict[int, Term | None] = field(default_factory=dict)
    conditions: list[Term] = field(default_factory=list)
    dropped: int = 0
    impossible: bool = False

    def copy(self) -> _Way:
        """The same so far."""
        return _Way(self.deciding, {**self.values}, [*self.conditions], self.dropped, self.impossible)

    def follow(self, item: Label | Destroyed, here: SitePosition | None) -> None:
        """Go on; ``here`` is the site where the way begins, if this is its first step."""
        if isinstance(item, Destroyed):
            self.dropped += item.dropped
            self.values.update(self.deciding.lost(item.labels))
        else:
            block, number = as_step(item)
            self.leave(block, number, here)
            self.enter(block, self.deciding.code.blocks[block].targets[number])

    def to(self, there: SitePosition, holds: bool, here: SitePosition | None) -> PartialPath | None:
        """What the way takes, with the outcome of the site at its end; None if it is impossible."""
        end = _Way(self.deciding, self.values, [*self.conditions], self.dropped)
        end.decide(there, holds, here)
        return None if end.impossible else PartialPath(tuple(end.conditions), end.dropped)

    # ---- straight code ----

    def begin(self, here: SitePosition) -> None:
        """At a site: what its block has computed before is said in terms of what that was computed from."""
        needed = self.deciding.needed[here.block]
        self.values.update((slot, None) for at, slot in needed.unknown if at > here.at)
        for at, instruction in needed.body:
            value = self._computed(instruction)
            if value is not None or at > here.at:
                self.values[instruction.result] = value

    def enter(self, before: int, block: int) -> None:
        """Come from one block to another, and carry it out."""
        needed = self.deciding.needed[block]
        self.values.update([(slot, self.value(values[before])) for slot, values in needed.phis])
        self.values.update((slot, None) for _, slot in needed.unknown)
        for _, instruction in needed.body:
            self.values[instruction.result] = self._computed(instruction)

    # ---- conditions ----

    def require(self, condition: Term | None, holds: bool = True) -> None:
        """One more condition, that it does or does not hold."""
        if condition is None:
            self.dropped += 1
            return
        for part in self.deciding.parts(condition, holds):
            self.impossible |= part is FALSE or is_denied(part, self.conditions)
            self.conditions.append(part)

    def decide(self, there: SitePosition, holds: bool, here: SitePosition | None) -> None:
        """The outcome of a site."""
        probe = self.deciding.code.blocks[there.block].body[there.at]
        if probe.more == PROBE_SWITCH:
            self._decide_case(there.block, there.part, holds, here.part if here else 0)
        else:
            self.require(self.value(probe.operands[4]), holds)

    def leave(self, number: int, way: int, here: SitePosition | None) -> None:
        """A block is left that way; of a switch, after the cases before ``here`` did not fit."""
        block = self.deciding.code.blocks[number]
        end = block.body[-1]
        if end.opcode == "br" and len(block.targets) == 2:
            self.require(self.value(end.operands[0]), way == 0)
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
        value = self.value(self.deciding.code.blocks[number].body[-1].operands[0])
        self.require(None if value is None else self.deciding.case(value, number, part, holds, first))

    # ---- values ----

    def value(self, operand: Operand) -> Term | None:
        """What an operand is; None if that is not known."""
        if not isinstance(operand, Slot):
            return operand if isinstance(operand, Term) else None
        if operand.number in self.values:
            return self.values[operand.number]
        return self.deciding.state(operand.number)

    def _computed(self, instruction: Instruction) -> Term | None:
        """The result of an instruction; None if that is not known."""
        values = []
        for operand in arguments(instruction):
            value = self.value(operand)
            if value is None:
                return None
            values.append(value)
        return self.deciding.result(instruction, values)
