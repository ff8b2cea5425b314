"""Look ahead from sites to targets (Baars et al. 2011, section III).

A *way* is a path from a site to a target, given by its conditions (:class:`zeroin.model.ahead.PartialPath`).
At a site, a run stores its state: the values that the conditions on the ways from the site to a target depend on.
Native code computes from the state how far it is from satisfying these conditions.
"""

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

STATE = "zeroin_state"  # an array of 64-bit integers: one for each value that the fitness at some site needs
_OURS = re.compile(r"^(?:declare [^@\n]*@zeroin_|@zeroin_\w+ = external ).*\n", re.M)
_NAME = re.compile(r"\s*(%(?:\"[^\"]+\"|[-\w$.]+)) = ")


class LlvmLookahead:
    """The ways from each site to each branch that is a target.

    Args:
        module: the subject's module, with probes.
        functions: the names of the functions that have probes.
        graph: the graph of the sites.
        path: the subject's file, for messages.
        rounds: how many rounds of a loop the ways may take.
        paper: whether to follow the paper exactly; see :class:`zeroin.languages.c.read.ahead.Reader`.

    Attributes:
        ahead: by ``(site, target)``, the ways from a site to a branch that depends on it; None if the two are in
            different functions. A pair is left out if runs always come to another site first from which all ways are
            known (``whole`` in :class:`zeroin.model.ahead.Ahead`).
        state: the values of the state as variables of terms, in the order in which runs store them.
        address: the address of the stored state; 0 until the code is loaded and the address is set.
        seconds: the CPU time that the analysis took in this thread.
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
        """Find the ways to a target from all sites that add information to the sites before them."""
        whole: list[int] = []
        for site in self._reader.in_order({outcome >> 1 for outcome in self._graph.levels(target)}):
            if not any(self._reader.is_always_before(before, site) for before in whole):
                found = self.ahead[site, target] = self._reader.between(site, target)
                whole += [site] if found is not None and found.whole else []

    # ---- the code that stores the state ----

    def module(self) -> ir.Module:
        """Return a new module: the subject's, with code that stores the state in front of each probe.

        It does not define the memory for the state (:attr:`table`).

        Raises:
            RuntimeError: the IR is invalid, since a value is stored where it is not defined; LLVM would crash.
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
        """Return the instructions that store the values which the conditions on the ways from a site need."""
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
        """The IR that defines the memory for the state."""
        return f"@{STATE} = dso_local global [{max(1, len(self.state))} x i64] zeroinitializer\n"

    # ---- the fitness ----

    def compiled(self, table: str) -> LlvmFitness:
        """Compile the distances of all conditions to native code.

        Args:
            table: the name of a table of distances in :mod:`zeroin.distance`.
        """
        distances = Distances(self.state, table, bare=True)
        distances.compile(part for ways in self._ways.values() for way in ways for part in way.conditions)
        return LlvmFitness(self._ways, self._superfluous, distances)

    def _fresh_ways(self) -> dict[tuple[int, int], list[PartialPath]]:
        """Return the ways from each site to each target, by ``(site, target)``, without those that an earlier site has.

        The earlier site is one that every run evaluates before, in the same call. The way has the same distance there:
        the values that it depends on do not change in between. A pair without other ways has an empty list. If the ways
        are unknown, those to the branches that the target depends on count.
        """
        found: dict[tuple[int, int], list[PartialPath]] = {}
        met: dict[tuple[int, PartialPath], list[int]] = {}
        for site, target in self.ahead:  # for each target, in the order in which runs come to the sites
            fresh = found[site, target] = []
            for way in self._known_ways(site, target):
                before = met.setdefault((target, way), [])
                if not any(self._reader.is_always_before(one, site) for one in before):
                    before.append(site)
                    fresh.append(way)
        return found

    def _nearer_next(self) -> dict[int, set[int]]:
        """Return, for each target, the branches whose next site is never further from the target."""
        found: dict[int, set[int]] = {}
        for (site, target), ways in self._ways.items():
            for outcome in (2 * site, 2 * site + 1):
                then = self._reader.next_site(outcome) if ways and outcome >> 1 != target >> 1 else None
                nearer = self._ways.get((then, target)) if then is not None else None
                if nearer and are_never_further(nearer, ways):
                    found.setdefault(target, set()).add(outcome)
        return found

    def _known_ways(self, site: int, target: int) -> list[PartialPath]:
        """Return the ways from a site to a target; if unknown, the ways to those of its own branches that lead to the
        target.

        The approach levels of these branches count as dropped conditions (:func:`zeroin.model.ahead.next_steps`).

        Args:
            site: the number of the site.
            target: the number of the branch. The pair is a key of ``ahead``.
        """
        found = self.ahead[site, target]
        if found is not None:
            return list(found.paths)
        return next_steps(site, self._graph.levels(target), self._reader.between)


class LlvmFitness:
    """The ways to targets, with the distances of their conditions as machine code.

    It implements the protocol :class:`zeroin.subject.subject.WaysAhead`.

    Args:
        ways: the ways from each site to each target.
        superfluous: for each target, the branches that :meth:`superfluous` returns.
        distances: the distances of the ways' conditions.

    Attributes:
        seconds: the CPU time that compiling took in this thread.
    """

    def __init__(self, ways: Mapping[tuple[int, int], Sequence[PartialPath]], superfluous: Mapping[int, set[int]],
                 distances: Distances) -> None:  # fmt: skip
        self._ways, self._superfluous = ways, superfluous
        self._distances, self.seconds = distances, distances.seconds

    def ahead(self, target: int) -> dict[int, list[tuple[list[Distance], int]]]:
        """Return, for each site that leads to a target, its ways.

        A way consists of the distances of its known conditions, and of the number of its other conditions.
        """
        return {site: [self._distances.of(way) for way in ways] for (site, other), ways in self._ways.items()
                if other == target and ways}  # fmt: skip

    def superfluous(self, target: int) -> set[int]:
        """Return the branches at which the site's ways need not be computed: the next site is always as near."""
        return self._superfluous.get(target, set())

    def levels(self, target: int) -> dict[int, int]:
        """Return nothing: in C, the operands of every site are known, so no site needs approach levels."""
        return {}


def _difference(code: Code, place: SitePosition) -> dict[int, int]:
    """Find the measured difference that a site's probe compares instead of the result of ``strcmp``.

    See :func:`zeroin.languages.c.run.predicates.difference`.

    Returns:
        The slot of the call's result, mapped to the slot of the difference; empty if the site compares no such result.
    """
    body = code.blocks[place.block].body
    probe = body[place.at]
    for said in body[: place.at]:
        if said.more == "zeroin_difference" and said.result == _slot(probe, 2):
            made = (instruction for block in code.blocks for instruction in block.body)
            return {_slot(one, 0): said.result for one in made if one.result == _slot(probe, 4)}
    return {}


def _slot(instruction: Instruction, number: int) -> int:
    """Return the slot of an operand; -1 if the operand is no slot."""
    operand = instruction.operands[number]
    return operand.number if isinstance(operand, Slot) else -1


def _name(value: llvm.ValueRef) -> str:
    """Return a value's name, as instructions use it."""
    text = str(value)
    found = _NAME.match(text)
    return found[1] if found else text.split()[-1]


def _stored(sort: Sort, name: str, word: str, there: str) -> list[str]:
    """Return the instructions that store a value: a float as it is, anything else widened to an i64.

    Args:
        sort: the value's sort.
        name: the value's name in the IR.
        word: a new name for the widened value, if it must be widened.
        there: the address as an operand, ``ptr ...``.
    """
    if sort.is_float:
        return [f"  store {'float' if sort == FLOAT32 else 'double'} {name}, {there}\n"]
    width = 1 if sort == BOOL else sort.width
    if width == 64:
        return [f"  store i64 {name}, {there}\n"]
    how = "zext" if sort == BOOL else "sext"
    return [f"  {word} = {how} i{width} {name} to i64\n", f"  store i64 {word}, {there}\n"]
