"""A subject's code with its state written down at the sites, and what lies ahead of these as native code over it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import llvmlite.binding as llvm

from ....model.ahead import Ahead, PartialPath, are_never_further, next_steps
from ....model.distances import Distance, Distances
from ....subject.graph import Graph
from ....term.core.nodes import Term
from ....term.core.sorts import BOOL, FLOAT32, Sort
from ....term.core.traversal import variables
from ..front.symbols import declare_ours, parse
from ..llvm_ir import ir
from ..read.ahead import Reader, SitePosition
from ..read.code import Code, Instruction, Program, Slot

STATE = "zeroin_state"  # an array of words: one for each value that some site's fitness needs
_OURS = re.compile(r"^(?:declare [^@\n]*@zeroin_|@zeroin_\w+ = external ).*\n", re.M)
_NAME = re.compile(r"\s*(%(?:\"[^\"]+\"|[-\w$.]+)) = ")


class LlvmLookahead:
    """What lies ahead of each site on the way to each outcome.

    Args:
        module: the subject's, with probes.
        functions: that have them.
        graph: of the sites.
        path: the subject, for messages.
        rounds: of a loop that are followed.
        paper: see :class:`Reader`.

    Attributes:
        ahead: for a site and a target that depends on it; None where they are in different functions. Without sites
            that runs come to only after one that is whole, see :class:`zeroin.model.ahead.Ahead`.
        state: the variables, in the order of their words.
        address: where runs leave these, once the code is loaded.
        seconds: of this thread that reading took.
    """

    def __init__(self, module: ir.Module, functions: Sequence[str], graph: Graph, path: Path, rounds: int = 1,
                 paper: bool = False) -> None:  # fmt: skip
        started = time.thread_time()
        self._graph, self._path = graph, path
        self._module = parse(declare_ours(module.text()), path)
        self._program = Program(self._module)
        ends: dict[int, set[int]] = {}
        for target in range(2 * graph.sites):
            for outcome in graph.levels(target):
                ends.setdefault(outcome >> 1, set()).add(target >> 1)
        self._reader = Reader(self._program, functions, ends, rounds, paper)
        self.ahead: dict[tuple[int, int], Ahead | None] = {}
        for target in range(2 * graph.sites):
            self._read(target)
        self._ways = self._fresh_ways()
        self._superfluous = self._nearer_next()
        needed: dict[int, dict[Term, None]] = {}
        for (site, _), ways in self._ways.items():
            terms = [term for way in ways for term in way.conditions]
            needed.setdefault(site, {}).update(dict.fromkeys(variables(terms)))
        self.state = list(dict.fromkeys(one for of_site in needed.values() for one in of_site))
        self._cells = {one: cell for cell, one in enumerate(self.state)}
        self._needed = needed
        self.address, self.seconds = 0, time.thread_time() - started

    def _read(self, target: int) -> None:
        """What lies ahead of the sites that say more than those before them."""
        whole: list[int] = []
        for site in self._reader.in_order({outcome >> 1 for outcome in self._graph.levels(target)}):
            if not any(self._reader.is_always_before(before, site) for before in whole):
                found = self.ahead[site, target] = self._reader.between(site, target)
                whole += [site] if found is not None and found.whole else []

    # ---- the code that writes the state down ----

    def module(self) -> ir.Module:
        """The subject's module, in which each site's state is written down before its probe.

        Raises:
            RuntimeError: a value is written down where it is none; LLVM would crash.
        """
        lines: dict[str, list[str]] = {}
        for site, needed in self._needed.items():
            place = self._reader.places.get(site)
            if place is not None:
                first = site - place.part
                lines.setdefault(str(first), []).extend(self._stores(site, place, needed))
        probe = re.compile(r"^  call void @zeroin_probe_\w+\(i64 (\d+), ", re.M)
        text = probe.sub(lambda found: "".join(lines.get(found[1], ())) + found[0], _OURS.sub("", str(self._module)))
        parse(declare_ours(text + self.table), self._path).verify()
        return ir.read(text)

    def _stores(self, site: int, place: SitePosition, needed: Mapping[Term, None]) -> list[str]:
        found, code = [], self._program.code(place.function)
        assert code is not None
        differences = _difference(code, place)
        for number, one in enumerate(needed):
            slot = int(one.data.rpartition(":")[2])
            there = f"ptr getelementptr (i64, ptr @{STATE}, i64 {self._cells[one]})"
            if slot in differences:
                found.append(f"  store i64 {_name(code.values[differences[slot]])}, {there}\n")
            else:
                found += _stored(one.sort, _name(code.values[slot]), f"%zs.{site}.{number}", there)
        return found

    @property
    def table(self) -> str:
        """IR of the memory for the state."""
        return f"@{STATE} = dso_local global [{max(1, len(self.state))} x i64] zeroinitializer\n"

    # ---- the fitness ----

    def compiled(self, table: str) -> LlvmFitness:
        """The distances of all conditions as native code, by a table of :mod:`zeroin.distance`."""
        distances = Distances(self.state, table, bare=True)
        distances.compile(part for ways in self._ways.values() for way in ways for part in way.conditions)
        return LlvmFitness(self._ways, self._superfluous, distances)

    def _fresh_ways(self) -> dict[tuple[int, int], list[PartialPath]]:
        """The ways from each site to each target, without those that a site has, too, which runs come to before it:
        they are as far from there, as what the state says of them has not changed since."""
        found: dict[tuple[int, int], list[PartialPath]] = {}
        met: dict[tuple[int, PartialPath], list[int]] = {}
        for site, target in self.ahead:  # of each target in the order of runs
            fresh = found[site, target] = []
            for way in self._known_ways(site, target):
                before = met.setdefault((target, way), [])
                if not any(self._reader.is_always_before(one, site) for one in before):
                    before.append(site)
                    fresh.append(way)
        return found

    def _nearer_next(self) -> dict[int, set[int]]:
        """For each target the outcomes after which runs come to a site at once that is never further from it."""
        found: dict[int, set[int]] = {}
        for (site, target), ways in self._ways.items():
            for outcome in (2 * site, 2 * site + 1):
                then = self._reader.next_site(outcome) if ways and outcome >> 1 != target >> 1 else None
                nearer = self._ways.get((then, target)) if then is not None else None
                if nearer and are_never_further(nearer, ways):
                    found.setdefault(target, set()).add(outcome)
        return found

    def _known_ways(self, site: int, target: int) -> list[PartialPath]:
        """The ways from a site to a target; where they are not known, from there to what the target depends on."""
        found = self.ahead[site, target]
        if found is not None:
            return list(found.paths)
        return next_steps(site, self._graph.levels(target), self._reader.between)


class LlvmFitness:
    """What lies ahead, with conditions as machine code.

    Args:
        ways: from each site to each target.
        superfluous: see :meth:`superfluous`.
        distances: of their conditions.

    Attributes:
        seconds: of this thread that compiling took.
    """

    def __init__(self, ways: Mapping[tuple[int, int], Sequence[PartialPath]], superfluous: Mapping[int, set[int]],
                 distances: Distances) -> None:  # fmt: skip
        self._ways, self._superfluous = ways, superfluous
        self._distances, self.seconds = distances, distances.seconds

    def ahead(self, target: int) -> dict[int, list[tuple[list[Distance], int]]]:
        """For each site that leads to a target its ways: their conditions' distances, and how many were dropped."""
        return {site: [self._distances.of(way) for way in ways] for (site, other), ways in self._ways.items()
                if other == target and ways}  # fmt: skip

    def superfluous(self, target: int) -> set[int]:
        """Outcomes at which the ways of the site need not be asked: the next site is as near, whatever the state."""
        return self._superfluous.get(target, set())

    def levels(self, target: int) -> dict[int, int]:
        """None: whatever a site compares is known there."""
        return {}


def _difference(code: Code, place: SitePosition) -> dict[int, int]:
    """The slot of what ``strcmp`` or a relative has returned, where the site compares that, and the one of what its
    probe says instead: it has the sign of that, and says how much is alike."""
    body = code.blocks[place.block].body
    probe = body[place.at]
    for said in body[: place.at]:
        if said.more == "zeroin_difference" and said.result == _slot(probe, 2):
            made = (instruction for block in code.blocks for instruction in block.body)
            return {_slot(one, 0): said.result for one in made if one.result == _slot(probe, 4)}
    return {}


def _slot(instruction: Instruction, number: int) -> int:
    """Of an operand; -1 if that is no slot."""
    operand = instruction.operands[number]
    return operand.number if isinstance(operand, Slot) else -1


def _name(value: llvm.ValueRef) -> str:
    """As instructions call it."""
    text = str(value)
    found = _NAME.match(text)
    return found[1] if found else text.split()[-1]


def _stored(sort: Sort, name: str, word: str, there: str) -> list[str]:
    """Instructions that store a value: a float as it is, anything else as a word."""
    if sort.is_float:
        return [f"  store {'float' if sort == FLOAT32 else 'double'} {name}, {there}\n"]
    width = 1 if sort == BOOL else sort.width
    if width == 64:
        return [f"  store i64 {name}, {there}\n"]
    how = "zext" if sort == BOOL else "sext"
    return [f"  {word} = {how} i{width} {name} to i64\n", f"  store i64 {word}, {there}\n"]
