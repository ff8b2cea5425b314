"""Control flow of IR functions: loops, reachable blocks, and the graph from site to site, across calls."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

from ....subject.graph import ControlFlow, Graph
from .debug_info import DebugInfo
from .ir import Block, Function, bare, location, mentioned

_NAME = r'(?:"[^"]+"|[-\w$.]+)'
_CALL = re.compile(r"^\s*(?:%\S+ = )?(?:(?:tail|musttail|notail) )?(?:call|invoke) ")
_CLAUSE = re.compile(r"\s*(?:catch|filter|cleanup)\b")  # a clause of a landing pad, on its own line
_CALLED = re.compile(rf"([@%]{_NAME})\(")


def add_fuel(function: Function) -> None:
    """Insert a call that burns one unit of fuel at the function's entry and at every loop header, in place."""
    for label in {function.blocks[0].label, *_loop_headers(function)}:
        block = next(b for b in function.blocks if b.label == label)
        at = next(n for n, line in enumerate(block.lines) if " = phi " not in line and " landingpad " not in line)
        block.lines.insert(at, "  call void @zeroin_burn()")


def live_blocks(function: Function) -> list[Block]:
    """Return the blocks that are reachable from the entry block, in the function's order.

    A branch on a constant, such as ``sizeof x == 4 ? ... : ...``, leaves blocks that are not.
    """
    blocks = {b.label: b for b in function.blocks}
    seen, queue = {function.blocks[0].label}, [function.blocks[0].label]
    while queue:
        for target in live_successors(blocks[queue.pop()]):
            if target not in seen:
                seen.add(target)
                queue.append(target)
    return [b for b in function.blocks if b.label in seen]


def places_of(function: Function, debug: DebugInfo, file: str, line: int) -> dict[str, int]:
    """Find the blocks where execution of one source line begins.

    Args:
        function: the function to look at.
        debug: debug info of the function's module.
        file: path of the source file.
        line: line number from 1; 0 finds nothing.

    Returns:
        For each such block, its label and the position of the line's first instruction in it. A block is left out if
        every path to it passes through another block with code of the line.
    """
    found: dict[str, int] = {}
    for block in live_blocks(function) if line else ():
        for position, text in enumerate(block.lines):
            if any(word in text for word in (" = phi ", " landingpad ", " = alloca ", "#dbg_")) or _CLAUSE.match(text):
                continue
            place = debug.position(location(text))
            if place.line == line and _real(place.file) == _real(file):
                found[block.label] = position
                break
    return {label: position for label, position in found.items() if _comes_to(function, label, found.keys())}


_real = cache(os.path.realpath)


def _comes_to(function: Function, label: str, others: Collection[str]) -> bool:
    """Whether some path from the entry reaches the block ``label`` without passing any other block of ``others``."""
    blocks, seen, todo = {b.label: b for b in function.blocks}, set[str](), [function.blocks[0].label]
    while todo:
        at = todo.pop()
        if at == label:
            return True
        if at not in seen and at not in others:
            todo += live_successors(blocks[at])
        seen.add(at)
    return False


def live_successors(block: Block) -> list[str]:
    """Return the labels of the blocks that may follow this one; a branch on a constant has one successor only."""
    constant = re.search(r"br i1 (true|false), ", block.terminator)
    if not constant:
        return block.successors
    return block.successors[:1] if constant[1] == "true" else block.successors[1:]


def _loop_headers(function: Function) -> set[str]:
    """Return the labels of the targets of back edges: edges to a block on the current depth-first path."""
    blocks = {b.label: b for b in function.blocks}
    headers, state = set(), dict.fromkeys(blocks, 0)
    stack: list[tuple[str, Iterable[str]]] = []

    def enter(label: str) -> None:
        state[label] = 1
        stack.append((label, iter(blocks[label].successors)))

    enter(function.blocks[0].label)
    while stack:
        label, successors = stack[-1]
        following = next(iter(successors), None)
        if following is None:
            state[label] = 2
            stack.pop()
        elif state[following] == 1:
            headers.add(following)
        elif state[following] == 0:
            enter(following)
    return headers


# ---- from site to site ----


@dataclass(frozen=True)
class Call:
    """A call instruction.

    Attributes:
        callee: name of the called function, without ``@``; None for a call through a pointer.
        mentions: names of globals in the arguments.
        passes_pointer: whether some argument is a pointer.
    """

    callee: str | None
    mentions: frozenset[str]
    passes_pointer: bool


def read_call(line: str) -> Call | None:
    """Parse a call or invoke; return None for other instructions, LLVM's intrinsics and inline assembly."""
    called = _CALLED.search(line) if _CALL.match(line) else None
    if not called:
        return None
    callee = bare(called[1][1:]) if called[1][0] == "@" else None
    if callee and callee.startswith("llvm."):
        return None
    arguments = line[called.end() :]
    return Call(callee, frozenset(mentioned(arguments)), re.search(r"\bptr\b", arguments) is not None)


@dataclass
class FunctionFlow:
    """The sites and calls in the blocks of one function.

    Attributes:
        function: the IR function.
        events: for each block label, the block's site numbers and calls in order of execution.
        jumps: for each branch number (``2*site`` or ``2*site + 1``) that ends its block, the label of the next block.
            After any other branch, execution continues in the same block.
    """

    function: Function
    events: dict[str, list[int | Call]] = field(default_factory=dict)
    jumps: dict[int, str] = field(default_factory=dict)

    def note(self, block: Block, event: int | Call) -> None:
        """Append a site number or a call to a block's events."""
        self.events.setdefault(block.label, []).append(event)

    def calls(self) -> Iterable[Call]:
        """Yield the calls among the events, block by block."""
        return (event for events in self.events.values() for event in events if isinstance(event, Call))


def connect(functions: Sequence[FunctionFlow], sites: int, tables: Set[str] = frozenset(),
            again: bool = False, first: Collection[str] = ()) -> Graph:  # fmt: skip
    """Build the graph that says which sites may follow each branch.

    A call through a pointer may run any function whose address is taken. So may a call of an unknown function
    that gets a pointer as an argument.

    Args:
        functions: the instrumented functions, the entry function first.
        sites: number of sites.
        tables: names of functions in the initial values of global variables; their addresses are taken.
        again: whether the entry function may be called again after it returned (a call sequence).
        first: names of functions that may run before each call of the entry function.
    """
    connection = _Connection(functions, sites, tables)
    for function in functions:
        connection.add(function)
    begin, steps = connection.flow.point(), connection.flow.steps
    for name in [functions[0].function.name] if functions else []:
        steps[begin].add(connection.ends[name][0])
        steps[connection.ends[name][1]].update([begin] * again)
    for starts, returns, _ in (ends for name, ends in connection.ends.items() if name in first):
        steps[begin].add(starts)
        steps[returns].add(begin)
    return connection.flow.graph(begin, connection.outcomes)


class _Connection:
    """The control-flow points of all functions; see :func:`connect`.

    Attributes:
        flow: the builder of the graph.
        outcomes: the point of each branch; -1 until its site is added.
        ends: for each function, the points where it starts, returns, and ends with an exception.
        pointed: the functions whose addresses are taken.
    """

    def __init__(self, functions: Sequence[FunctionFlow], sites: int, tables: Set[str]) -> None:
        self.flow = ControlFlow()
        self.outcomes = [-1] * (2 * sites)
        point = self.flow.point
        self.ends = {f.function.name: (point(), point(), point()) for f in functions}  # starts, returns, unwinds
        self.pointed = (_pointed(functions) | tables) & self.ends.keys()

    def add(self, function: FunctionFlow) -> None:
        """Add the points and steps of one function, and of its calls to the others; see :class:`.ControlFlow`."""
        entry, leave, fail = self.ends[function.function.name]
        blocks = live_blocks(function.function)
        starts = {block.label: self.flow.point() for block in blocks}
        self.flow.steps[entry].add(starts[blocks[0].label])
        for block in blocks:
            unwinds = " invoke " in f" {block.terminator.strip()}"
            *normal, unwound = live_successors(block) if unwinds else [*live_successors(block), ""]
            at: int = starts[block.label]
            events = function.events.get(block.label, [])
            for event in events:
                if isinstance(event, Call):
                    to = starts[unwound] if unwinds and event is events[-1] else fail
                    at = self._call(event, at, to)
                else:
                    at = self._decision(event, at, function.jumps, starts)
            if not events or not isinstance(events[-1], int) or 2 * events[-1] not in function.jumps:
                self.flow.steps[at].update(starts[label] for label in normal)
                kind = block.terminator.split()[0]
                self.flow.steps[at].update({"ret": [leave], "resume": [fail]}.get(kind, []))

    def _decision(self, site: int, at: int, jumps: dict[int, str], starts: dict[str, int]) -> int:
        """Add a site after the point ``at``; return the point where its block continues."""
        pair = self.flow.decision(site, at)
        self.outcomes[2 * site : 2 * site + 2] = pair
        after = self.flow.point()
        for outcome, point in zip((2 * site, 2 * site + 1), pair, strict=True):
            self.flow.steps[point].add(starts[jumps[outcome]] if outcome in jumps else after)
        return after

    def _call(self, call: Call, at: int, unwound: int) -> int:
        """Add a call at the point ``at``; return the point where its block continues."""
        after = self.flow.point()
        if call.callee in self.ends:
            called = {call.callee}
        else:
            self.flow.steps[at] |= {after, unwound}
            called = self.pointed if call.callee is None or call.passes_pointer else set()
        for name in called:
            entry, leave, fail = self.ends[name]
            self.flow.call(at, entry, (leave, after), (fail, unwound))
        return after


def _pointed(functions: Sequence[FunctionFlow]) -> set[str]:
    """Return the names of globals that are used other than as the callee of a direct call."""
    found = {name for function in functions for call in function.calls() for name in call.mentions}
    for function in functions:
        for block in function.function.blocks:
            found.update(name for line in block.lines if not _CALL.match(line) for name in mentioned(line))
    return found
