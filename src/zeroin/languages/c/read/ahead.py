"""Look-ahead in compiled code: the ways from a site to a target (Baars et al. 2011, Algorithm 1).

The ways are terms over the state at the site, and need no run. The state is what the code has computed when it reaches
the site: one variable for each value. Unknown are values that are loaded from memory after the site, results of calls
other than known math functions, and values that loops may have changed.
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
from .calls import CHECKS
from .code import PROBE_SWITCH, Code, Instruction, Operand, Program, Slot, is_probe
from .condition_values import QUIET, Deciding, arguments, as_step

MOST_PATHS = 16  # from one site to one target

_Onwards: TypeAlias = dict[int, list[PartialPath | None]]  # the ways to each outcome; None for an impossible one


@dataclass(frozen=True)
class SitePosition:
    """The place in the code where a site is evaluated.

    Attributes:
        function: the name of the function.
        block: the index of the block in the function.
        at: the index of the probe's call in the body of the block.
        part: for a switch, the index of the site's case; otherwise 0.
    """

    function: str
    block: int
    at: int
    part: int = 0


class Reader:
    """Finds the ways from sites to branches in a program.

    Args:
        program: the code, with probes.
        functions: the names of the functions that have probes.
        ends: for each site, the sites to whose branches :meth:`between` finds ways.
        rounds: the number of rounds of a loop on a way. After more rounds, the values that the loop changes are
            unknown.
        paper: whether conditions stay as they are, as in the paper. If not, a variable that one condition fixes to a
            constant is replaced in the others, so that these contradict each other less often.

    Attributes:
        places: the position of each site in these functions.
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
        """Return the ways from a site to a branch; None if the two are not in the same function.

        The site of the branch must be one of the site's ``ends``. The result is cached.
        """
        here, there = self.places.get(site), self.places.get(target >> 1)
        if here is None or there is None or here.function != there.function:
            return None
        if site not in self._from:
            self._from[site] = self._onwards(self._functions[here.function], here, self._ends[site])
        if (site, target) not in self._between:
            self._between[site, target] = self._ahead(self._from[site][target])
        return self._between[site, target]

    def in_order(self, sites: Iterable[int]) -> list[int]:
        """Return the sites in an order in which each comes after the sites that a run must have evaluated before it."""

        def key(site: int) -> tuple[int, int, int]:
            place = self.places.get(site)
            return (len(self._above(place)), place.at, place.part) if place else (0, 0, 0)

        return sorted(sites, key=key)

    def is_always_before(self, one: int, other: int) -> bool:
        """Return whether a run that evaluates the site ``other`` has evaluated ``one`` before in the same call."""
        first, then = self.places.get(one), self.places.get(other)
        if first is None or then is None or first.function != then.function:
            return False
        if first.block == then.block:
            return (first.at, first.part) < (then.at, then.part)
        return first.block in self._above(then)

    def next_site(self, outcome: int) -> int | None:
        """Return the site that every run evaluates next after a branch; None if this is not certain.

        It is not certain if the run may take several ways, end, call a function or access memory before. A run that a
        check for undefined behaviour ends does not count.
        """
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
        """Return the blocks that dominate a place's block, the nearest first, without that block itself."""
        found, dominators = list[int](), self._functions[place.function].dominators
        at = place.block
        while dominators.get(at, EXIT) != EXIT:
            at = dominators[at]
            found.append(at)
        return found

    def _onwards(self, function: _Function, here: SitePosition, sites: Iterable[int]) -> _Onwards:
        """Return the ways from a place to the branches of these sites. Their common beginnings are followed once."""
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
        """Return the look-ahead for these ways, without the impossible ones.

        Unless ``paper`` is set, only the nearest ways are checked for contradictions. This leaves out conditions that
        the paper's distances count, but makes no impossible way look possible.
        """
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
    """Return whether an instruction may belong to a check for undefined behaviour. Every ``extractvalue`` may."""
    called = instruction.more if instruction.opcode == "call" and isinstance(instruction.more, str) else ""
    is_check = called.startswith(CHECKS) or ".with.overflow." in called
    return is_check or instruction.opcode == "extractvalue"


class _Function:
    """The blocks of a function as a graph.

    Args:
        code: the code of the function.
        simple: the simplified form of known terms; new ones are added.
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
        """Return the paths from one block to another; empty if there is none. The result is cached.

        Beyond ``MOST_PATHS``, paths are merged into ones with unknown parts.
        """
        if (start, end) not in self._words:
            found = self._steps.expression(start, end)
            self._words[start, end] = list(found.limited(MOST_PATHS).words(self._rounds)) if found else []
        return self._words[start, end]

    @cached_property
    def dominators(self) -> dict[int, int]:
        """For each block, the last block before it that every way to it passes; ``EXIT`` for the entry."""
        return post_dominators(self._before)


def _places(name: str, code: Code) -> Iterator[tuple[int, SitePosition]]:
    """Yield each site of a function with its position."""
    for number, block in enumerate(code.blocks):
        for at, instruction in enumerate(block.body):
            if instruction.opcode == "call" and instruction.more == PROBE_SWITCH:
                first, count = (_number(instruction.operands[n]) for n in (0, 2))
                for part in range(count):
                    yield first + part, SitePosition(name, number, at, part)
            elif instruction.opcode == "call" and is_probe(instruction.more):
                yield _number(instruction.operands[0]), SitePosition(name, number, at)


def _number(operand: Operand) -> int:
    """Return the number that a constant operand is."""
    assert isinstance(operand, Term)
    return int(operand.data)


@dataclass
class _Way:
    """The state along one way, which the methods change.

    Attributes:
        deciding: the conditions of the function.
        values: the values computed on the way, by slot; None: unknown. A slot without an entry has its value in the
            state at the site.
        conditions: the known conditions that the way requires.
        dropped: the number of its conditions that are not known.
        impossible: whether no state takes the way.
    """

    deciding: Deciding
    values: dict[int, Term | None] = field(default_factory=dict)
    conditions: list[Term] = field(default_factory=list)
    dropped: int = 0
    impossible: bool = False

    def copy(self) -> _Way:
        """Return an independent copy."""
        return _Way(self.deciding, {**self.values}, [*self.conditions], self.dropped, self.impossible)

    def follow(self, item: Label | Destroyed, here: SitePosition | None) -> None:
        """Take the next step of the way.

        Args:
            item: an edge between blocks, or an unknown part.
            here: the site where the way begins, if this is its first step; otherwise None.
        """
        if isinstance(item, Destroyed):
            self.dropped += item.dropped
            self.values.update(self.deciding.lost(item.labels))
        else:
            block, number = as_step(item)
            self.leave(block, number, here)
            self.enter(block, self.deciding.code.blocks[block].targets[number])

    def to(self, there: SitePosition, holds: bool, here: SitePosition | None) -> PartialPath | None:
        """Return the way with a branch at its end; None if it is impossible. The way itself stays as it is.

        Args:
            there: the site of the branch.
            holds: whether the branch is the true side.
            here: the site where the way begins, if the branch is in the same block; otherwise None.
        """
        end = _Way(self.deciding, self.values, [*self.conditions], self.dropped)
        end.decide(there, holds, here)
        return None if end.impossible else PartialPath(tuple(end.conditions), end.dropped)

    # ---- straight code ----

    def begin(self, here: SitePosition) -> None:
        """Begin the way at a site.

        What its block computes before the site is expressed by its operands, as far as possible. What it computes after
        the site is unknown if it can not be expressed.
        """
        needed = self.deciding.needed[here.block]
        self.values.update((slot, None) for at, slot in needed.unknown if at > here.at)
        for at, instruction in needed.body:
            value = self._computed(instruction)
            if value is not None or at > here.at:
                self.values[instruction.result] = value

    def enter(self, before: int, block: int) -> None:
        """Go from the block ``before`` to a block, and compute the values of that block."""
        needed = self.deciding.needed[block]
        self.values.update([(slot, self.value(values[before])) for slot, values in needed.phis])
        self.values.update((slot, None) for _, slot in needed.unknown)
        for _, instruction in needed.body:
            self.values[instruction.result] = self._computed(instruction)

    # ---- conditions ----

    def require(self, condition: Term | None, holds: bool = True) -> None:
        """Add a condition that holds, or does not hold if ``holds`` is False. None: a condition that is not known."""
        if condition is None:
            self.dropped += 1
            return
        for part in self.deciding.parts(condition, holds):
            self.impossible |= part is FALSE or is_denied(part, self.conditions)
            self.conditions.append(part)

    def decide(self, there: SitePosition, holds: bool, here: SitePosition | None) -> None:
        """Add the condition for one side of a site. The arguments are those of :meth:`to`."""
        probe = self.deciding.code.blocks[there.block].body[there.at]
        if probe.more == PROBE_SWITCH:
            self._decide_case(there.block, there.part, holds, here.part if here else 0)
        else:
            self.require(self.value(probe.operands[4]), holds)

    def leave(self, number: int, way: int, here: SitePosition | None) -> None:
        """Add the condition under which a block goes on to one of its targets.

        Args:
            number: the index of the block.
            way: the index of the target.
            here: the site where the way begins, if it is in this block. The cases of a switch before it did not fit.
        """
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
        """Add the condition that a case of a switch fits; or that none fits from case ``first`` to this one."""
        value = self.value(self.deciding.code.blocks[number].body[-1].operands[0])
        self.require(None if value is None else self.deciding.case(value, number, part, holds, first))

    # ---- values ----

    def value(self, operand: Operand) -> Term | None:
        """Return the value of an operand as a term over the state; None if it is unknown."""
        if not isinstance(operand, Slot):
            return operand if isinstance(operand, Term) else None
        if operand.number in self.values:
            return self.values[operand.number]
        return self.deciding.state(operand.number)

    def _computed(self, instruction: Instruction) -> Term | None:
        """Return the result of an instruction as a term over the state; None if it is unknown."""
        values = []
        for operand in arguments(instruction):
            value = self.value(operand)
            if value is None:
                return None
            values.append(value)
        return self.deciding.result(instruction, values)
