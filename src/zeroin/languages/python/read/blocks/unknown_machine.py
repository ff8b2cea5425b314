"""The part of the proof machine that does not depend on what values are: unknown values, exceptions and their handlers,
and functions inside."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from types import FunctionType, ModuleType

from .....model.blocks import Edge, Guard
from .....term.core.build import FALSE, TRUE
from .....term.core.nodes import Op, Term, make, variable
from .....term.core.simplify import simplify
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Choice, Typed
from .code import Code, Instruction
from .frame import OF_OBJECTS, Frame
from .instances import raised_by
from .kinds import IMMUTABLE, MAYBE, Row, changed, forgotten, holds_code, is_defined_in, is_plain, is_strange, leads_to
from .known_exceptions import Kinds
from .known_results import NATURAL
from .machine import Machine
from .partial import pops
from .premises import Premises
from .values import (
    NONE,
    UNKNOWN,
    BlockValue,
    Bound,
    Caught,
    Closure,
    Data,
    Items,
    Listed,
    Mapped,
    Method,
    Static,
    Unread,
)

_MOST_BLOCKS = 800
_ACCEPTED: Mapping[type, tuple[type, ...]] = {int: (int, bool), float: (float, int, bool)}
# Hidden variables of the outermost call: code that is not read ran; an attribute was deleted, or got a value of another
# type than declared (the name follows).
RAN, OTHER = f"{OF_OBJECTS}code that is not read ran", f"{OF_OBJECTS}other than declared:"
# Instructions that do not look at the values that they move.
_MOVING = frozenset((
    "annotated", "aside", "below", "beside", "closure", "collect", "copies", "copy", "data", "either", "forget",
    "gather", "gathered", "generator", "global", "hashed", "held", "jump", "keep", "leave", "load", "matches", "next",
    "outer", "partly", "pop", "report", "reraise", "return", "store", "store_global", "swap", "tuple", "value", "yield",
))  # fmt: skip
# Those that take tuples and lists apart, or count their items.
_OF_PARTS = frozenset(("choose", "item", "slice", "iterate", "unpack", "spread", "truth"))
# Instructions after which a function inside of another one is still where proofs see it.
_KEEPING = _MOVING - {"pop", "store_global"} | {
    "call", "choose", "compare", "equal", "item", "iterate", "known", "truth", "unpack"}  # fmt: skip
_LOOKING = frozenset(("compare", "equal", "known", "truth"))
_OF_TUPLES = (any, all, len, list, max, min, sum, tuple)  # functions that do with a list what they do with a tuple


class TooManyBlocks(Unread):
    """The function has too many blocks for a proof."""


class UnknownMachine(Machine):
    """Makes blocks with unknown values, for :class:`.proof_machine.ProofMachine`.

    Args:
        codes: of the functions that are read.
        premises: collects what is taken for granted.
        deepest: how many calls inside of each other are read.
        lists: whether the items of short lists are known; loops over these are unrolled.

    Attributes:
        wild: why code that is not read may call functions of the user; empty if none does.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], premises: Premises, deepest: int, lists: bool) -> None:
        super().__init__(codes, premises)
        self._premises: Premises = premises
        self._classes: dict[type, int] = {}
        self._deepest, self._lists = deepest, lists
        self.wild = ""
        self._asks = any(one.asks_kinds for code in codes.values() for one in code.whole)
        self._numbers = count(1)
        self._has_run = False  # code that is not read ran in this instruction
        self._texts: dict[tuple[type, object], int] = {}
        self._before: list[Frame] = []

    def _edge(self, frames: list[Frame]) -> Edge:
        if len(self.blocks) >= _MOST_BLOCKS:
            raise TooManyBlocks(f"it has more than {_MOST_BLOCKS:,} blocks")
        return super()._edge(frames)

    # ---- one instruction ----

    def _carry_out(self, frame: Frame, step: Instruction) -> bool:
        self._before = [one.copy() for one in self._frames]
        self._kinds = None
        block, guards, free = self._block, list(self._block.guards), list(self._block.free)
        taken = pops(step)
        given = frame.values[len(frame.values) - taken :] if taken else []
        if step.op == "unread":
            raise Unread(step.argument)
        why, operands = "", given
        is_read = step.op in _MOVING or self._is_read(given, step)
        moved = frame.values[-2:] if step.op == "collect" else frame.values[-1:] if step.op == "store_global" else given
        has_code = any(map(holds_code, moved))
        if has_code and step.op not in _KEEPING:
            self._escapes(step, frame)
        if taken and not is_read:
            frame.values[-taken:] = operands = _as_tuples(step, given)
        if is_read or not any(map(is_strange, _looked_at(step, operands))):
            try:
                ended = super()._carry_out(frame, step)
                if has_code and step.op in ("data", "collect"):
                    made = frame.values[-1] if step.op == "data" else frame.variables[step.argument[1]]
                    if not holds_code(made):
                        self._escapes(step, frame)
                return ended
            except TooManyBlocks:
                raise
            except Unread as error:
                why = str(error)
                self._frames = [one.copy() for one in self._before]
                block.guards, block.free, block.edges, block.decision = guards, free, (), None
        frame = self._frames[-1]
        if taken:
            del frame.values[len(frame.values) - taken :]
        self._doing = f"an {step.op}"
        if step.op not in _LOOKING and any(map(holds_code, given)):
            self._escapes(step, frame)
        return self._blindly(frame, step, [*map(forgotten, given)], why)

    def _is_read(self, operands: Sequence[BlockValue], step: Instruction) -> bool:
        """Whether this calls a function that is read."""
        called = operands[0] if step.op == "call" else None
        if isinstance(called, Closure):
            return True
        if isinstance(called, Bound):
            return called.function in self._codes
        return isinstance(called, Static) and isinstance(called.value, FunctionType) and called.value in self._codes

    def _frame(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
               stack: tuple[int, ...]) -> Frame:  # fmt: skip
        code = self._codes[function]
        self._premises.code(function)
        if code.body and code.body[0].op == "unread":
            raise Unread(code.body[0].argument)
        if len(stack) > self._deepest:
            raise Unread(f"calls are nested more than {self._deepest} deep")
        return super()._frame(function, positional, named, stack)

    def _call(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        count_, names = step.argument
        at = len(frame.values) - count_ - len(names) - 1
        called, arguments = frame.values[at], frame.values[at + 1 :]
        if isinstance(called, Static) and called.value is builtins.print:
            if self._premises.is_redirected:
                raise Unread(f"line {step.line}: a call of print")
            self._may_raise(step)
        if not isinstance(called, Bound | Closure):
            return super()._call(frame, step, raised)
        del frame.values[at:]
        named = dict(zip(names, arguments[count_:], strict=True))
        if isinstance(called, Closure):
            self._frames.append(self._frame_of(called, arguments[:count_], named, (*frame.stack, step.place)))
            return self._go_on()
        return self._entered(called.function, [called.of, *arguments[:count_]], named, frame, step)

    def _entered(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
                 frame: Frame, step: Instruction, discards: bool = False) -> bool:  # fmt: skip
        made = self._frame(function, positional, named, (*frame.stack, step.place))
        made.discards = discards
        self._frames.append(made)
        return self._go_on()

    # ---- functions inside ----

    def _closure(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        code, names, _ = step.argument
        at = len(frame.values) - len(names)
        defaults = tuple(frame.values[at:])
        del frame.values[at:]
        frame.values.append(Closure(code, frame.stack, names, defaults))
        return False

    def _frame_of(self, called: Closure, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
                  stack: tuple[int, ...]) -> Frame:  # fmt: skip
        """A call of a function that is defined inside of a call."""
        code = called.code
        if code.body and code.body[0].op == "unread":
            raise Unread(code.body[0].argument)
        if code.is_generator:
            raise Unread(f"{code.name} is a generator")
        if len(stack) > self._deepest or any(frame.code is code for frame in self._frames):
            raise Unread(f"{code.name} calls itself")
        values = dict(zip(called.names, called.defaults, strict=True))
        given = dict(zip(code.parameters[: code.positional], positional, strict=False))
        fits = len(positional) <= code.positional and set(named) <= {*code.parameters[code.unnamed :]} - {*given}
        values |= given | dict(named)
        if not fits or set(values) != set(code.parameters):
            raise Unread(f"a call of {code.name} with other arguments")
        self.entered.add(code)
        return Frame(code, self._around(called.outer).globals, stack, 0, values, outer=called.outer)

    def _outer(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        """Load a variable of a function around, or store one."""
        name, level, stores = step.argument
        at = frame
        for _ in range(level):
            at = self._around(at.outer)
        if stores:
            at.variables[name] = frame.values.pop()
        elif name not in at.variables:
            self._kinds = (NameError,)
            raised.append(TRUE)
            return True
        else:
            frame.values.append(at.variables[name])
            if frame.values[-1] is MAYBE:
                frame.values[-1] = UNKNOWN
                self._may_raise(step, (NameError,))
        return False

    def _around(self, stack: tuple[int, ...] | None) -> Frame:
        """The call that a function was defined in, if it is still under way."""
        found = next((one for one in self._frames if one.stack == stack), None)
        if found is None:
            raise Unread("a function that was defined in a call that is over")
        return found

    def _return(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        left = frame.stack
        if leads_to(frame.values[-1], left):
            frame.values[-1] = UNKNOWN
            self._runs(f"line {step.line}: a function inside is returned", frame)
        for one in self._frames[:-1]:
            one.variables = {name: UNKNOWN if leads_to(held, left) else held for name, held in one.variables.items()}
        return super()._return(frame, step, raised)

    # ---- what nobody knows ----

    def _free(self, sort: Sort) -> Term:
        """A variable for a value that nobody knows."""
        made = variable(f"?free {next(self._numbers)}", sort)
        self._block.free.append(made)
        return made

    def _any(self, kind: object, name: str = "", of: tuple[type | None, ...] = ()) -> BlockValue:
        """Any value of a type; with a name, the same one everywhere."""

        def term(sort: Sort) -> Term:
            return variable(f"?{name}" if sort == INT else f"?{name} {sort}", sort) if name else self._free(sort)

        if kind is int:
            return Typed(term(INT), WHOLE)
        if kind == NATURAL:
            return Typed(make(Op.ABS, term(INT)), WHOLE)
        if kind is bool:
            return Typed(term(BOOL), TRUTH)
        if kind is float:
            return Typed(term(FLOAT64), DOUBLE)
        if kind is type(None):
            return NONE
        if isinstance(kind, type) and issubclass(kind, Row):
            return Items(tuple(map(self._element, kind.kinds)))
        if kind in (str, bytes, list, tuple, dict, set, frozenset):
            own = (int,) if kind is bytes else (str,) if kind is str else of or (None,) * (1 + (kind is dict))
            return Data(kind, own, name if kind in IMMUTABLE else "")
        return UNKNOWN

    def _element(self, kind: type | None, name: str = "") -> BlockValue:
        """Any item of a container whose items are of a type."""
        if kind is float and not self._asks:
            self._premises.said["containers of floats hold no ints"] = None
        return self._number_of(kind, name)

    def _accepted(self, kind: type) -> tuple[type, ...]:
        """The types of values that stand for one of a type, as far as the code can tell them apart."""
        return _ACCEPTED.get(kind, (kind,)) if self._asks else (kind,)

    def _number_of(self, kind: type | None, name: str = "") -> BlockValue:
        """Any value of a type, or, if the code asks for types, of one that stands for it."""
        if kind is None or len(accepted := self._accepted(kind)) == 1:
            return self._any(kind, name)
        made = self._any(accepted[-1], name and f"{name} as {accepted[-1].__name__}")
        for one in reversed(accepted[:-1]):
            named = name and f"{name} as {one.__name__}"
            is_one = variable(f"?{named} or not", BOOL) if named else self._free(BOOL)
            then = self._any(one, named)
            assert isinstance(then, Typed)
            assert isinstance(made, Typed | Choice)
            made = Choice(is_one, then, made)
        return made

    def _either(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        """Nobody knows which way control goes."""
        return self._decide(step, (self._free(BOOL), TRUE, TRUE), (None, None))

    def _runs(self, why: str, frame: Frame) -> None:
        """Code that is not read runs: it may call what it likes, and change what others can see."""
        self.wild = self.wild or why or "code that is not read"
        self._has_run = True
        self._changes()
        for frames in (self._frames, self._before):
            first = frames[0]
            first.variables = {name: one for name, one in first.variables.items()
                               if not name.startswith(OF_OBJECTS) or name.startswith(OTHER)}  # fmt: skip
            first.variables[RAN] = NONE
            for one in frames:
                one.variables |= dict.fromkeys(one.code.shared, MAYBE)

    def _escapes(self, step: Instruction, frame: Frame) -> None:
        """A function inside of another one is kept where proofs do not see it: other code may call it at any time."""
        self._runs(f"line {step.line}: a function inside is kept elsewhere", frame)

    def _changes(self, kind: type | None = None, added: Sequence[type | None] = ()) -> None:
        """Some container is changed; arguments as of :func:`.kinds.changed`."""
        before = self._count_code()
        for frames in (self._frames, self._before):
            for frame in frames:
                frame.variables = {name: changed(value, kind, added) for name, value in frame.variables.items()}
                frame.values[:] = [changed(value, kind, added) for value in frame.values]
        if before > self._count_code():
            self._runs("a function inside is in a list that is changed", self._frames[-1])

    def _count_code(self) -> int:
        """How many variables and values on the stack have functions inside in them."""
        return sum(
            map(holds_code, (one for frame in self._frames for one in (*frame.variables.values(), *frame.values)))
        )

    # ---- exceptions ----

    def _guard(self, condition: Term, step: Instruction) -> None:
        target = self._handled(self._kinds)
        edge = None if target is None else self._edge(target)
        self._block.guards.append(Guard(condition, f"{self._doing} may raise an exception", step.place, edge))

    def _handled(self, kinds: tuple[type, ...] | None) -> list[Frame] | None:
        """The frames where an exception is handled that is raised now; None if it ends the run."""
        for number in range(len(self._before) - 1, -1, -1):
            frame = self._before[number]
            handler = frame.code.body[frame.at - 1].handler
            if handler is not None:
                found = [one.copy() for one in self._before[: number + 1]]
                label, depth = handler
                found[-1].values = [*found[-1].values[:depth], Caught(kinds)]
                found[-1].at = label.at
                calls = {one.stack for one in found}
                for one in found:  # functions that were defined in the calls that end
                    one.variables = {name: held if is_defined_in(held, calls) else UNKNOWN
                                     for name, held in one.variables.items()}  # fmt: skip
                return found
        return None

    def _may_raise(
        self, step: Instruction, kinds: tuple[type, ...] | None = None, condition: Term | None = None
    ) -> None:
        """It may raise an exception of some classes, any one for None; without a condition, nobody knows when."""
        if condition is None:
            if kinds == () or self._handled(kinds) is None:
                return
            condition = self._free(BOOL)
        condition = simplify(condition)
        if condition is not FALSE:
            self._kinds = kinds
            self._guard(condition, step)

    def _raise(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        super()._raise(frame, step, raised)
        _, found, has_keywords, count_ = step.argument
        held = (value for one in self._frames for value in one.variables.values())
        if (count_ or has_keywords) and any(map(holds_code, held)):
            raise Unread(f"line {step.line}: an exception may have a function inside")
        if isinstance(found, str):
            name = found
            found = frame.globals.get(name, vars(builtins).get(name))
            self._premises.variable(frame.globals, name, frame.globals.get(name), name)
        kinds = raised_by(found, has_keywords, count_) if isinstance(found, type) else ()
        own = [one for one in found.__mro__ if one.__module__ != "builtins"] if kinds else []
        is_changed = any(self._premises.may_change(one)(name) for one in own for name in ("__init__", "__new__"))
        if not kinds or is_changed or self._premises.changes_class(found):
            raise Unread(f"line {step.line}: an exception is made")
        self._kinds = kinds
        raised.append(TRUE)
        return True

    def _reraise(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values.pop()
        self._kinds = value.kinds if isinstance(value, Caught) else None
        raised.append(TRUE)
        return True

    def _report(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if step.site < 0:
            return False
        return self._decide(step, (TRUE if step.argument else FALSE, TRUE, TRUE), (None, None))

    def _partly(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False

    def _forget(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.variables |= dict.fromkeys(step.argument, MAYBE)
        return False

    def _load(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._kinds = (NameError, UnboundLocalError)
        ended = super()._load(frame, step, raised)
        if not ended and frame.values[-1] is MAYBE:
            frame.values[-1] = UNKNOWN
            self._may_raise(step, (NameError, UnboundLocalError))
        return ended

    def _blindly(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        """Carry out an instruction whose operands are off the stack, without knowing all of them."""
        blind = getattr(self, f"_blind_{step.op}", None)
        if blind is None:
            raise Unread(why or f"line {step.line}: an {step.op}")
        self._has_run = False
        ended: bool = blind(frame, step, operands, why)
        if self._has_run and not ended and step.op in ("item", "slice", "call") and self._frames[-1] is frame:
            top = frame.values[-1]
            is_part = step.op != "call" or isinstance(operands[0], Method)
            frame.values[-1] = UNKNOWN if is_part else changed(top, None, ())  # what was known of operands is not true
        return ended

    def _of_objects(self, frame: Frame, step: Instruction, operands: Iterable[BlockValue], why: str = "",
                    kinds: Kinds | None = None) -> None:  # fmt: skip
        """An operation that may raise an exception, and runs code of the user if an operand is an object.

        Args:
            kinds: what it raises if it runs no code of the user; None if nobody knows.
        """
        if not all(map(is_plain, operands)):
            self._runs(why or f"line {step.line}: an operation on an object", frame)
            kinds = None
        self._may_raise(step, kinds)

    def _annotated(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        names = step.argument or ()
        known = [frame.globals.get(name, vars(builtins).get(name)) for name in names]
        plain = all(type(one) in (type, ModuleType) or type(one).__module__ in ("typing", "types") for one in known)
        if not plain or any(name in frame.variables for name in names):
            self._runs(f"line {step.line}: an annotation", frame)
        self._may_raise(step)
        return False

    def _aside(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False


def _as_tuples(step: Instruction, operands: Sequence[BlockValue]) -> list[BlockValue]:
    """The operands of an instruction, with tuples for lists whose items are known, where that is the same."""
    alike: tuple[int, ...] = ()
    if step.op in _OF_PARTS:
        alike = (0,)
    elif step.op == "compare" and step.argument in ("in", "not in"):
        alike = (1,)
    elif step.op == "compare" and step.argument in ("==", "!=") and all(isinstance(one, Listed) for one in operands):
        alike = (0, 1)
    elif step.op == "call" and len(operands) == 2 and isinstance(operands[0], Static):
        alike = (1,) if any(operands[0].value is one for one in _OF_TUPLES) else ()
    return [_as_tuple(step, operands[0], one) if n in alike else forgotten(one) for n, one in enumerate(operands)]


def _as_tuple(step: Instruction, called: BlockValue, value: BlockValue) -> BlockValue:
    """A list, dict or set as a tuple of its items; a dict or set that is asked for a key stays what it is."""
    if isinstance(value, Listed) and value.passed < 0:
        return Items(value.items)
    if not isinstance(value, Mapped) or step.op in ("item", "compare"):
        return value
    in_order = step.op == "iterate" or called in (Static(list), Static(tuple))
    is_open = in_order and value.kind is not dict  # the order of a set depends on the process
    return Items(value.keys) if step.op in ("iterate", "truth", "call") and not is_open else forgotten(value)


def _looked_at(step: Instruction, operands: Sequence[BlockValue]) -> list[BlockValue]:
    """What an instruction looks at: the parts of a tuple that is taken apart are only moved."""
    asks = step.op == "item" or (step.op == "compare" and step.argument in ("in", "not in"))
    if step.op == "choose" or (asks and any(isinstance(one, Mapped) for one in operands)):
        return []  # it knows texts, too
    parts = step.op in _OF_PARTS or (step.op == "call" and operands[0] in (Static(list), Static(tuple)))
    return [one for one in operands if not (parts and isinstance(one, Items))]
