"""Undefined behaviour by unsequenced accesses: an expression that changes and uses a variable, such as ``a[i] = i++``.

Clang warns of them when it compiles; the warnings are stored as comments in the IR text. Clang also warns of
``i++ + (c ? i : 0)``, which is undefined only if ``c`` holds. A warning therefore only counts if every run that makes
one of the two accesses makes the other one as well. In C++17, a call's arguments have an order, but an unspecified one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..llvm_ir.debug_info import DebugInfo, Position
from ..llvm_ir.instructions import Instruction, instruction
from ..llvm_ir.ir import Function, Module, location

# Flags that make Clang warn of unsequenced accesses, whatever other flags say about warnings.
TELLING = ("-Wunsequenced", "-Wno-error=unsequenced", "-fdiagnostics-print-source-range-info",
           "-fno-color-diagnostics")  # fmt: skip
_MARK = "; zeroin: unordered "
_RANGES = re.compile(r"^(.+:\d+:\d+:)(?:\{[\d:-]+\})+:", re.M)
_SAID = re.compile(r"^(.+):(\d+):(\d+):\{(\d+):(\d+)-(\d+):(\d+)\}.*?: warning: "
                   r"(multiple )?unsequenced modifications?(?: and access)? to '(.+)' \[", re.M)  # fmt: skip
_MAY_BE = re.compile(r"\b(?:load|store) ")
_Place = tuple[int, int]  # line and column
_Graph = Sequence[Sequence[int]]  # the blocks that may follow each block


@dataclass(frozen=True)
class _Expression:
    """An expression that Clang warns of.

    Attributes:
        file: name of the file, without folders.
        change: position where the variable is changed.
        start, end: range of the source with the second access, without ``end``; in a macro, the whole macro.
        twice: whether the second access changes the variable, too.
        name: name of the variable.
    """

    file: str
    change: _Place
    start: _Place
    end: _Place
    twice: bool
    name: str

    @property
    def what(self) -> str:
        """A description for the report."""
        return f"{self.name} is changed {'twice' if self.twice else 'and used'}, in no order"


@dataclass(frozen=True)
class _Access:
    """An instruction that changes or uses a variable.

    Attributes:
        name: name of the variable; "" if unknown.
        changes: whether the instruction changes the variable.
        file: name of the source file, without folders.
        place: line and column in the source.
        block: number of the instruction's block in the function.
        at: position of the instruction in its block.
    """

    name: str
    changes: bool
    file: str
    place: _Place
    block: int
    at: int


def marks(said: str) -> str:
    """Turn the compiler's warnings of unsequenced accesses into IR comments, as text; empty if there are none.

    Args:
        said: the compiler's output with the flags :data:`TELLING`.
    """
    lines = dict[str, None]()  # a set in order: each use of a template repeats a warning
    for file, *places, twice, name in _SAID.findall(said):
        lines[f"{_MARK}{json.dumps([Path(file).name, *map(int, places), bool(twice), name])}\n"] = None
    return "".join(lines)


def without_ranges(said: str) -> str:
    """Remove source ranges from the compiler's output, which people do not need."""
    return _RANGES.sub(r"\1", said)


def unordered(module: Module, debug: DebugInfo) -> dict[str, dict[tuple[int, int], tuple[str, Position]]]:
    """Find the instructions at which unsequenced behaviour is certain.

    Args:
        module: the IR module, with comments from :func:`marks`.
        debug: its debug info.

    Returns:
        For each function name, a map from (block number, position in the block) to a description for the report and the
        source position. Both numbers count from 0, and the position's file has no folders. Empty if Clang warned of
        nothing.
    """
    expressions = [*_marked(module)]
    if not expressions:
        return {}
    return {function.name: dict(_in_function(function, debug, expressions)) for function in module.functions.values()}


def _marked(module: Module) -> Iterator[_Expression]:
    """Yield the expressions in the comments that :func:`marks` made."""
    for part in module.parts:
        if isinstance(part, str) and part.startswith(_MARK):
            file, *numbers, twice, name = json.loads(part.removeprefix(_MARK))
            change, start, end = zip(numbers[::2], numbers[1::2], strict=True)
            yield _Expression(file, change, start, end, twice, name)


def _in_function(
    function: Function, debug: DebugInfo, expressions: Sequence[_Expression]
) -> Iterator[tuple[tuple[int, int], tuple[str, Position]]]:
    """Yield the items of :func:`unordered` for one function."""
    files = {one.file for one in expressions}
    numbers = {block.label: number for number, block in enumerate(function.blocks)}
    traps = {block.label for block in function.blocks if any("@llvm.ubsantrap(" in line for line in block.lines)}
    following = [[numbers[label] for label in block.successors if label not in traps] for block in function.blocks]
    accesses = [one for one in _accesses(function, debug) if one.file in files]
    for expression in expressions:
        own = [one for one in accesses if one.file == expression.file and one.name in ("", expression.name)]
        change = _last([one for one in own if one.changes and one.place == expression.change])
        others = [one for one in own if expression.start <= one.place < expression.end]
        use = _last([one for one in others if one.place != expression.change] or others)
        certain = _certain(following, change, use) if change and use else None
        if certain:
            yield (certain.block, certain.at), (expression.what, Position(expression.file, *expression.change))


def _last(found: Sequence[_Access]) -> _Access | None:
    """Return the last access, preferring those with a known variable; None if there is no access.

    A macro may have several at one place.
    """
    best = [one for one in found if one.name] or found
    return best[-1] if best else None


def _certain(following: _Graph, one: _Access, other: _Access) -> _Access | None:
    """Return the access at which it is certain that a run makes both; None if a run may make only one of them."""
    if one.block == other.block:
        return max(one, other, key=lambda access: access.at)
    for first, second in ((one, other), (other, one)):
        if second.block not in _reached(following, [0], first.block):
            return second
        after = following[first.block]
        reached = _reached(following, after, second.block)
        if after and first.block not in reached and all(following[block] for block in reached):
            return first
    return None


def _reached(following: _Graph, blocks: Sequence[int], without: int) -> set[int]:
    """Return the blocks reachable from ``blocks`` on paths that avoid the block ``without``."""
    seen, todo = set[int](), [*blocks]
    while todo:
        at = todo.pop()
        if at not in seen and at != without:
            seen.add(at)
            todo += following[at]
    return seen


def _accesses(function: Function, debug: DebugInfo) -> Iterator[_Access]:
    """Yield the loads and stores of a function in the order of its IR."""
    names = defaultdict[str, str](str)  # pointer -> name of the variable
    for number, block in enumerate(function.blocks):
        for at, line in enumerate(block.lines):
            made = instruction(line) if _MAY_BE.search(line) else None
            if made is None or not made.operands:
                continue
            pointer = _pointer(made)
            names[pointer] = names[pointer] or debug.variable_name(function.subprogram or "", pointer)
            if made.opcode == "load":  # the value may be a reference to the variable
                names[made.result] = names[pointer]
            place = debug.position(location(line))
            yield _Access(names[pointer], made.opcode != "load", Path(place.file).name, (place.line, place.column),
                          number, at)  # fmt: skip


def _pointer(made: Instruction) -> str:
    """Return the address that a load or store accesses."""
    return made.values[1 if made.opcode == "store" else 0]
