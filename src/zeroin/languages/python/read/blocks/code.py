"""Functions as instructions for a stack of values."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}


class Label:
    """A place in the code that is not known yet."""

    at: int


@dataclass
class Instruction:
    """One step.

    Values: ``value`` pushes a constant, ``held`` the truth value of a condition, ``load`` and ``global`` what a name
    stands for, ``outer`` likewise in a function around, ``closure`` a function inside; ``store`` and ``store_global``
    pop. ``copy`` pushes the top again, ``copies`` the two on top, ``below`` what lies beneath the top; ``keep`` puts a
    copy of the top below that, ``swap`` exchanges two, ``pop`` drops one.

    Operations pop their operands and push what they make: ``attribute``, ``unary``, ``binary``, ``augmented`` (the
    ``binary`` of ``a += b``), ``tuple``, ``item``, ``slice`` (a container and two bounds), ``equal``, ``call``, and
    ``data`` (a list, set, dict or text of items). ``unpack`` pops a tuple and pushes its items, the first one on top.
    ``unknown`` pushes what nobody knows. ``assign`` pops a value and the object of whose attribute it is, ``altered`` a
    value, a container and an index, ``delete`` a container and an index, ``drop`` an object. ``shown`` pops what is
    made a text, ``hashed`` looks at what is hashed.

    Control: ``check`` decides whether the top, or the two on top, make an operation fail, if they are numbers, and goes
    on; ``wrong`` likewise whether the result on top is wrong, of the two operands below it; ``beside`` decides whether
    the two on top are at a boundary of their comparison, if they are numbers, and goes on; ``compare`` pops two and
    decides, ``truth`` pops one and decides, ``known`` likewise and pushes it again. ``iterate`` makes an iterator,
    ``next`` pushes its next item, or finds that there is none. ``return``, ``raise`` and ``unread`` end the run, or say
    that it can not be followed.

    Only proofs read what lies between ``aside`` and its label, and what follows ``partly``. ``gather`` begins a
    comprehension, ``collect`` pops an item of it, and ``gathered`` pushes the whole. ``matches`` pops classes and an
    exception, and decides whether the exception is of one of them. ``reraise`` pops an exception and raises it.
    ``report`` decides a site whose outcome is known, ``either`` one whose outcome is unknown. ``manager`` pops a
    context manager that is entered or left. ``forget`` makes variables unknown. ``annotated`` evaluates annotations.

    Attributes:
        op: its name.
        argument: what else it needs.
        line: in the source.
        place: a number of its own, in all functions.
        site: of a condition; -1 without one.
        labels: where control may go on, instead of after it: where a condition holds, and where not.
        handler: where control goes when it raises an exception in the body of a ``try``, and how many values are on the
            stack there, below the exception; None outside.
    """

    op: str
    argument: Any
    line: int
    place: int
    site: int = -1
    labels: tuple[Label, ...] = ()
    handler: tuple[Label, int] | None = None


@dataclass(frozen=True)
class Start:
    """Where the evaluation of a condition begins.

    Attributes:
        at: the first instruction.
        stores: the variables that the condition assigns to.
        keeps: it is a later one of ``a < b < c``, which assigns to nothing: what it compares on the left is on top of
            the stack.
    """

    at: int
    stores: frozenset[str] = frozenset()
    keeps: bool = False


@dataclass(eq=False)
class Code:
    """A function.

    Attributes:
        name: for people.
        parameters: their names; those that have a value by position first.
        positional: how many of them do.
        unnamed: how many of them have no value by name.
        body: its instructions.
        literal: the parameters whose defaults are written as constants.
        shared: the variables that functions inside of it assign to.
        captured: the names that functions inside of it use.
        inner: the code of the functions inside of it.
        node: its syntax tree.
        starts: of its sites.
        is_generator: whether a call makes a generator.
        globals: what its global names stand for.
    """

    name: str
    parameters: tuple[str, ...]
    positional: int
    unnamed: int = 0
    literal: frozenset[str] = frozenset()
    shared: frozenset[str] = frozenset()
    captured: frozenset[str] = frozenset()
    inner: list[Code] = field(default_factory=list)
    node: ast.AST | None = None
    body: list[Instruction] = field(default_factory=list)
    starts: dict[int, Start] = field(default_factory=dict)
    is_generator: bool = False
    globals: Mapping[str, object] = field(default_factory=dict, repr=False)

    @property
    def whole(self) -> list[Code]:
        """It, and the code of all functions inside."""
        return [self, *(code for one in self.inner for code in one.whole)]

    @property
    def asks_kinds(self) -> bool:
        """Whether it might tell a truth value from the int that is equal to it."""
        return any(map(self._asks, [None, *self.body], self.body))

    def _asks(self, before: Instruction | None, step: Instruction) -> bool:
        """Whether an instruction asks for a class, or whether two values are the same, and neither is None."""
        if step.op == "global":
            return step.argument in _ASKING or any(self.globals.get(step.argument) is one for one in _ASKING.values())
        if step.op == "attribute":
            return step.argument in _ASKING or step.argument == "__class__"
        is_same = step.op in ("compare", "equal") and step.argument in ("is", "is not") and not _is_none(before)
        return is_same or (step.op == "equal" and step.argument == "isinstance")

    @cached_property
    def live(self) -> list[frozenset[str]]:
        """The variables that are read at each instruction or later, before they get another value."""
        live = [frozenset[str]()] * (len(self.body) + 1)
        changed = True
        while changed:
            changed = False
            for at in range(len(self.body) - 1, -1, -1):
                step = self.body[at]
                after = frozenset[str]().union(*(live[label.at] for label in step.labels))
                if step.op not in ENDS and step.op != "jump" and len(step.labels) < 2:
                    after |= live[at + 1]
                if step.op in ("load", "next"):
                    after |= {step.argument}
                elif step.op in ("collect", "gathered"):
                    after |= {step.argument[1], *(step.argument[2] if step.op == "collect" else ())}
                elif step.op == "leave":
                    after |= {step.argument}
                elif step.op == "held":
                    after |= {LOOSE}
                elif step.op == "store":
                    after -= {step.argument}
                if step.handler is not None:
                    after |= live[step.handler[0].at]
                if after != live[at]:
                    live[at], changed = after, True
        return live


LOOSE = "a comparison that may be anything"  # a hidden variable: there if objects were compared
ENDS = ("return", "raise", "unread", "reraise")
_ASKING = {"isinstance": isinstance, "issubclass": issubclass, "type": type}


def _is_none(step: Instruction | None) -> bool:
    return step is not None and step.op == "value" and step.argument is None
