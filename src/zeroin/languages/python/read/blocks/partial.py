"""Blocks of code that can be read in part. Values that are not known are followed as unknown values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import FunctionType

from .....model.blocks import Block, Edge
from .....term.core.build import TRUE
from .....term.core.nodes import Term, variable
from .....term.core.sorts import BOOL, Sort
from .code import Code, Instruction
from .machine import Frame, Machine
from .values import UNKNOWN, BlockValue, Items, Static, Unread

MOST_BLOCKS = 400
_DEEPEST = 8  # calls inside of each other


_MARK = "?"  # names of variables that nobody knows begin so

# What instructions pop, and how many of these they push.
_EFFECTS = {"attribute": (1, 1), "unary": (1, 1), "binary": (2, 1), "augmented": (2, 1), "item": (2, 1),
            "equal": (2, 1), "iterate": (1, 1), "unknown": (0, 1), "assign": (2, 0), "shown": (1, 0),
            "drop": (1, 0), "slice": (3, 1), "choose": (2, 1)}  # fmt: skip


@dataclass(frozen=True)
class Beginning:
    """A block at whose beginning a condition is about to be evaluated.

    Attributes:
        block: it.
        variables: of the function that it is in, and what they hold there.
        top: of the stack of values, if there is any.
    """

    block: Block
    variables: Mapping[str, BlockValue]
    top: BlockValue | None


def unknown(sort: Sort, name: str) -> Term:
    """A variable that nobody knows; the same name is the same one."""
    return variable(_MARK + name, sort)


def is_unknown(one: Term) -> bool:
    """Whether a variable is one of these."""
    return str(one.data).startswith(_MARK)


class PartialMachine(Machine):
    """Makes the blocks of a function, as far as it can.

    Code that it can not read ends a block. What is computed from an unknown value is unknown, and a condition on one
    may hold or not. A block begins where the evaluation of a site's condition does.

    Args:
        codes: of the functions that are read.
        changing: names of globals whose values are unknown.

    Attributes:
        beginnings: for each site the blocks that begin with it.
        missing: why there are not all blocks, for people; empty if there are.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], changing: Collection[str] = ()) -> None:
        super().__init__(codes)
        self._changing = changing
        self._has_callees = sum(bool(code.starts) for code in codes.values()) > 1
        self._left = False
        self.beginnings: dict[int, list[Beginning]] = {}
        self.missing = ""
        self._nowhere = Block(())
        self._numbers = count(1)
        self._starts = {code: _by_place(code) for code in codes.values()}

    def _fresh(self, frames: list[Frame]) -> Block:
        if len(self.blocks) >= MOST_BLOCKS:
            self.missing = self.missing or f"it has more than {MOST_BLOCKS:,} blocks"
            return self._nowhere
        block, last = super()._fresh(frames), frames[-1]
        for site in self._starts[last.code].get(last.at, ()):
            beginning = Beginning(block, dict(last.variables), last.values[-1] if last.values else None)
            self.beginnings.setdefault(site, []).append(beginning)
        return block

    def _edge(self, frames: list[Frame]) -> Edge:
        edge = super()._edge(frames)
        return Edge(edge.to, edge.values if edge.to is not self._nowhere else ())

    # ---- what is not known ----

    def _carry_out(self, frame: Frame, step: Instruction) -> bool:
        before, frames, why = list(frame.values), list(self._frames), ""
        operands = before[len(before) - pops(step) :] if pops(step) else []
        if self._is_read(step, operands) or not any(map(_has_unknown, operands)):
            try:
                return super()._carry_out(frame, step)
            except Unread as error:
                why = str(error)
                frame.values, self._frames = before, frames
        return self._carried_out_blindly(frame, step, why)

    def _is_read(self, step: Instruction, operands: Sequence[BlockValue]) -> bool:
        """Whether this calls a function that is read."""
        called = operands[0] if step.op == "call" else None
        return isinstance(called, Static) and isinstance(called.value, FunctionType) and called.value in self._codes

    def _carried_out_blindly(self, frame: Frame, step: Instruction, why: str) -> bool:
        """Do what can be done without knowing the operands; whether the block ends with it."""
        values, taken = frame.values, pops(step)
        self._left = True
        if step.op == "next":
            return self._decide(step, self._either, (lambda f: f.values.append(UNKNOWN), None))
        if step.op == "gather":
            values.append(UNKNOWN)
            frame.at = step.labels[0].at
            return False
        top = values[-1] if values else UNKNOWN
        del values[len(values) - taken :]
        if step.op in ("compare", "truth"):
            return self._decide(step, self._either, (None, None))
        if step.op == "known":
            return self._decide(step, self._either, [lambda f: f.values.append(top)] * 2)
        if step.op == "unpack":
            values += [UNKNOWN] * step.argument
        elif step.op in ("call", "global", "data", "closure"):
            values.append(UNKNOWN)
        elif step.op in ("altered", "delete"):
            pass  # what is in a container is not known anyway
        elif step.op in _EFFECTS:
            values += [UNKNOWN] * _EFFECTS[step.op][1]
        else:
            self.missing = self.missing or why
            return True
        return False

    @property
    def whole(self) -> bool:
        """Nothing is missing, nor may code that is not followed evaluate conditions that have sites."""
        return not self.missing and not (self._left and self._has_callees)

    def _global(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if step.argument in self._changing:
            raise Unread(f"{step.argument} changes")
        return super()._global(frame, step, raised)

    @property
    def _either(self) -> tuple[Term, Term, Term]:
        """A condition that may hold or not."""
        return unknown(BOOL, str(next(self._numbers))), TRUE, TRUE

    def _next(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if _has_unknown(frame.variables[step.argument]):
            raise Unread("a loop over an unknown value")
        return super()._next(frame, step, raised)

    def _frame(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
               stack: tuple[int, ...]) -> Frame:  # fmt: skip
        if len(stack) > _DEEPEST:
            raise Unread(f"calls are nested more than {_DEEPEST} deep")
        return super()._frame(function, positional, named, stack)


def _by_place(code: Code) -> dict[int, list[int]]:
    """The sites that begin at each instruction."""
    found: dict[int, list[int]] = {}
    for site, start in code.starts.items():
        found.setdefault(start.at, []).append(site)
    return found


def pops(step: Instruction) -> int:
    """How many values an instruction takes off the stack and looks at."""
    if step.op == "call":
        count_, names = step.argument
        return 1 + int(count_) + len(names)
    if step.op == "manager":
        return int(step.argument)
    if step.op == "data":
        return int(step.argument[1])
    if step.op == "closure":
        return len(step.argument[1])
    if step.op in ("altered", "delete"):
        return int(step.argument[1]) + (2 if step.op == "altered" else 1)
    if step.op in ("compare", "truth", "known", "unpack", "spread"):
        return 2 if step.op == "compare" else 1
    return _EFFECTS[step.op][0] if step.op in _EFFECTS else 0


def _has_unknown(value: object) -> bool:
    return value is UNKNOWN or (isinstance(value, Items) and any(map(_has_unknown, value.items)))
