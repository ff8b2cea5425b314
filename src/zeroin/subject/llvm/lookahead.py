"""A subject's code with its state written down at the sites, and what lies ahead of these as native code over it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import llvmlite.binding as llvm

from ...model.ahead import Ahead
from ...native.machine import MachineCode, load_libraries, load_target, optimise
from ...native.words import IR
from ...term.nodes import Term
from ...term.sorts import BOOL, FLOAT32
from ...term.to_llvm import Unlowerable, lower_paths
from ...term.traversal import variables
from ..graph import Graph
from . import ir
from .read.ahead import Reader
from .read.code import Program
from .symbols import declare_ours, parse

STATE = "zeroin_state"  # an array of words: one for each value that some site's fitness needs
_OURS = re.compile(r"^(?:declare [^@\n]*@zeroin_|@zeroin_\w+ = external ).*\n", re.M)
_NAME = re.compile(r"\s*(%(?:\"[^\"]+\"|[-\w$.]+)) = ")


class Lookahead:
    """What lies ahead of each site on the way to each outcome.

    Args:
        module: the subject's, with probes.
        functions: that have them.
        graph: of the sites.
        path: the subject, for messages.
        rounds: of a loop that are followed.
        paper: see :class:`Reader`.

    Attributes:
        ahead: for a site and a target that depends on it; None where they are in different functions.
        state: the variables, in the order of their words.
        address: where runs leave these, once the code is loaded.
        seconds: that reading took.
    """

    def __init__(self, module: ir.Module, functions: Sequence[str], graph: Graph, path: Path, rounds: int = 1,
                 paper: bool = False) -> None:  # fmt: skip
        started = time.perf_counter()
        self._graph, self._path = graph, path
        self._module = parse(declare_ours(module.text()), path)
        self._program = Program(self._module)
        self._reader = Reader(self._program, functions, rounds, paper)
        self.ahead: dict[tuple[int, int], Ahead | None] = {}
        for target in range(2 * graph.sites):
            for site in {outcome >> 1 for outcome in graph.levels(target)}:
                self.ahead[site, target] = self._reader.between(site, target)
        needed: dict[int, dict[Term, None]] = {}
        for (site, _), found in self.ahead.items():
            terms = [term for way in (found.paths if found else ()) for term in way.conditions]
            needed.setdefault(site, {}).update(dict.fromkeys(variables(terms)))
        self.state = list(dict.fromkeys(one for of_site in needed.values() for one in of_site))
        self._cells = {one: cell for cell, one in enumerate(self.state)}
        self._needed = needed
        self.address, self.seconds = 0, time.perf_counter() - started

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
                lines.setdefault(str(first), []).extend(self._stores(site, needed))
        probe = re.compile(r"^  call void @zeroin_probe_\w+\(i64 (\d+), ", re.M)
        text = probe.sub(lambda found: "".join(lines.get(found[1], ())) + found[0], _OURS.sub("", str(self._module)))
        parse(declare_ours(text + self.table + IR), self._path).verify()
        return ir.read(text)

    def _stores(self, site: int, needed: Mapping[Term, None]) -> list[str]:
        found = []
        for number, one in enumerate(needed):
            function, _, slot = one.data.rpartition(":")
            code = self._program.code(function)
            assert code is not None
            word, cell = f"%zs.{site}.{number}", self._cells[one]
            found += _word(one, _name(code.values[int(slot)]), word)
            found.append(f"  store i64 {word}, ptr getelementptr (i64, ptr @{STATE}, i64 {cell})\n")
        return found

    @property
    def table(self) -> str:
        """IR of the memory for the state."""
        return f"@{STATE} = dso_local global [{max(1, len(self.state))} x i64] zeroinitializer\n"

    # ---- the fitness ----

    def compiled(self, table: str, normalisation: str) -> Fitness:
        """The path distances of all targets."""
        started = time.perf_counter()
        found = {pair: self._ways(*pair) for pair in self.ahead}
        pairs = [pair for pair, ways in found.items() if ways]
        ways = [found[pair] for pair in pairs]
        try:
            text = lower_paths(ways, self.state, table, normalisation)
        except Unlowerable:
            ways = [[_lowerable(way, self.state, table, normalisation) for way in of_one] for of_one in ways]
            text = lower_paths(ways, self.state, table, normalisation)
        load_target()
        load_libraries()
        made = llvm.parse_assembly(text.text)
        optimise(made, 1)
        code = MachineCode(made)
        return Fitness(code, {pair: n for n, pair in enumerate(pairs)}, text.kept, time.perf_counter() - started)

    def _ways(self, site: int, target: int) -> list[tuple[Sequence[Term], int]]:
        """The ways from a site to a target; where they are not known, from there to what the target depends on."""
        found = self.ahead[site, target]
        if found is not None:
            return [(way.conditions, way.dropped) for way in found.paths]
        levels = self._graph.levels(target)
        ways: list[tuple[Sequence[Term], int]] = []
        for outcome in (2 * site, 2 * site + 1):
            own = self._reader.between(site, outcome) if outcome in levels else None
            ways += [(way.conditions, way.dropped + levels[outcome]) for way in (own.paths if own else ())]
        return ways


class Fitness:
    """Path distances as machine code.

    Args:
        code: has them.
        numbers: of the functions, by site and target.
        kept: what the code refers to.
        seconds: that compiling took.
    """

    def __init__(self, code: MachineCode, numbers: Mapping[tuple[int, int], int], kept: Sequence[object],
                 seconds: float) -> None:  # fmt: skip
        self._code, self._numbers, self._kept, self.seconds = code, numbers, kept, seconds

    def addresses(self, target: int) -> dict[int, int]:
        """For each site that leads to a target the address of ``double (*)(const int64_t *state)``."""
        return {site: self._code.function(f"zeroin_path_{number}") for (site, other), number in self._numbers.items()
                if other == target}  # fmt: skip


def _lowerable(way: tuple[Sequence[Term], int], state: Sequence[Term], table: str,
               normalisation: str) -> tuple[Sequence[Term], int]:  # fmt: skip
    """Without the conditions that have no native meaning; they are counted."""
    conditions, dropped = way
    kept = []
    for condition in conditions:
        try:
            lower_paths([[([condition], 0)]], state, table, normalisation)
        except Unlowerable:
            dropped += 1
        else:
            kept.append(condition)
    return kept, dropped


def _name(value: llvm.ValueRef) -> str:
    """As instructions call it."""
    text = str(value)
    found = _NAME.match(text)
    return found[1] if found else text.split()[-1]


def _word(one: Term, name: str, word: str) -> list[str]:
    """Instructions that make a value's word."""
    sort = one.sort
    if sort.is_float and sort != FLOAT32:
        return [f"  {word} = call i64 @zeroin_word_of_double(double {name})\n"]
    if sort.is_float:
        half = f"{word}.h"
        return [f"  {half} = call i32 @zeroin_word_of_float(float {name})\n", f"  {word} = sext i32 {half} to i64\n"]
    width = 1 if sort == BOOL else sort.width
    how = "zext" if sort == BOOL else "sext"
    return [f"  {word} = {how} i{width} {name} to i64\n"] if width < 64 else [f"  {word} = add i64 {name}, 0\n"]
