"""Makes the blocks of a function for proofs: what can not be read is unknown, and exceptions go to their handlers.

Nothing is left out: where nobody knows what code does, its value may be any, what it may have changed is unknown from
there on, and it may raise an exception.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
from abc import ABCMeta
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from itertools import count
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from .....model.blocks import Edge, Guard
from .....term.core.build import FALSE, TRUE, conjunction, disjunction, equal, if_else, negation
from .....term.core.nodes import Op, Term, constant, make, variable
from .....term.core.simplify import simplify
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .....term.expression.typed import DOUBLE, TRUTH, WHOLE, Choice, Typed
from ..values.numbers import numeric
from . import operators
from .code import LOOSE, Code, Instruction
from .frame import OF_OBJECTS, Frame
from .instances import (
    Field,
    Getter,
    generated_fields,
    has_own,
    is_assigned_plainly,
    is_simple,
    lookup,
    makes_plainly,
    raises_exactly,
    returns_values,
)
from .kinds import (
    IMMUTABLE,
    MAYBE,
    NEVER,
    OF_TYPED,
    PLAIN_KINDS,
    SURE,
    are_classes,
    changed,
    chosen_kind,
    common,
    common_kind,
    is_calm,
    is_constant,
    is_defined_in,
    is_hashable,
    is_plain,
    is_strange,
    item_kind,
    joined,
    kind_of,
    leads_to,
    of_arithmetic,
    shown,
)
from .known_results import ADDED, CHANGING, COMPARING, FUNCTIONS, ITEM, NATURAL, PURE, REMOVING, SAME
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
    Instance,
    Items,
    Method,
    Range,
    Static,
    Unread,
    of_python,
)

_ZERO = constant(INT, 0)
_MOST_BLOCKS = 800
_EQUAL = {set, frozenset}, {int, bool, float}  # kinds whose values may equal each other
_ACCEPTED: Mapping[type, tuple[type, ...]] = {int: (int, bool), float: (float, int, bool)}
_CLASS = "class "
_RAN, _SET = f"{OF_OBJECTS}code that is not read ran", f"{OF_OBJECTS}set:"
_OTHER = f"{OF_OBJECTS}other than declared:"  # an attribute that was deleted, or got a value of another type
# Instructions that do not look at the values that they move.
_MOVING = {"annotated", "aside", "below", "beside", "closure", "collect", "copies", "copy", "either", "forget",
           "gather", "gathered", "global", "hashed", "held", "jump", "keep", "load", "matches", "next", "outer",
           "partly", "pop", "report", "reraise", "return", "store", "swap", "tuple", "value"}  # fmt: skip
_EVALUATED = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator,
              ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)  # fmt: skip
_CONSUMING = (sum, any, all, sorted, list, tuple, set, frozenset, min, max)  # that take all of a generator at once
_LOOKING = (list, tuple, len, any, all, enumerate, zip, reversed, iter, next)
_OF_TEXT = {str: (str,), bytes: (int,)}
_MADE = (ast.ListComp, list), (ast.SetComp, set), (ast.DictComp, dict), (ast.JoinedStr, str)


class TooManyBlocks(Unread):
    """The function has too many blocks for a proof."""


class ProofMachine(Machine):
    """Makes the blocks of a function for proofs.

    Args:
        codes: of the functions that are read.
        premises: collects what is taken for granted.
        deepest: how many calls inside of each other are read.

    Attributes:
        wild: why code that is not read may call functions of the user; empty if none does.
    """

    def __init__(self, codes: Mapping[FunctionType, Code], premises: Premises, deepest: int) -> None:
        super().__init__(codes, premises)
        self._premises: Premises = premises
        self._classes: dict[type, int] = {}
        self._deepest = deepest
        self.wild = ""
        self._asks = any(one.asks_kinds for code in codes.values() for one in code.whole)
        self._numbers = count(1)
        self._has_run = False  # code that is not read ran in this instruction
        self._texts: dict[tuple[type, Any], int] = {}
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
        operands = frame.values[len(frame.values) - taken :] if taken else []
        if step.op == "unread":
            raise Unread(step.argument)
        why = ""
        if step.op in _MOVING or not any(map(is_strange, operands)) or self._is_read(operands, step):
            try:
                return super()._carry_out(frame, step)
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
        return self._blindly(frame, step, operands, why)

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

    # ---- objects ----

    def _field(self, name: str, attribute: str, kind: type | None) -> BlockValue:
        """What an attribute of an object holds.

        Raises:
            Unread: nobody knows; reading it may run code.
        """
        known, key = self._frames[0].variables, f"{OF_OBJECTS}{name}.{attribute}"
        if name and key in known:
            return known[key]
        if f"{_OTHER} {attribute}" in known:
            raise Unread(f"the attribute {attribute}, which was deleted, or is of several types")
        if kind is None:
            return UNKNOWN
        of = name.removeprefix(_CLASS).partition(":")[0] or "each new object"
        kinds = " or ".join(one.__name__ for one in self._accepted(kind))
        self._premises.said[f"type({of}.{attribute}) is {kinds}"] = None
        if not name:
            return self._number_of(kind)
        changed_ = _RAN in known or f"{_SET} {attribute}" in known
        known[key] = self._number_of(kind, "" if changed_ else f"{name}.{attribute}")
        return known[key]

    def _set_field(self, of: Instance | Static, attribute: str, value: BlockValue) -> None:
        """An attribute is assigned to; another parameter may be the same object, unless it is a new one."""
        known, name = self._frames[0].variables, self._name_of(of)
        cls = of.cls if isinstance(of, Instance) else of.value
        if kind_of(value) is not self._premises.attribute_type(cls, attribute, False):
            known[f"{_OTHER} {attribute}"] = NONE
        if not name:
            return
        own = f"{OF_OBJECTS}{name}.{attribute}"
        for key, before in list(known.items()):
            if key.startswith(OF_OBJECTS) and key.endswith(f".{attribute}") and key != own:
                known[key] = self._maybe_same(key, own, before, value)
        known[own] = value
        known[f"{_SET} {attribute}"] = NONE

    def _name_of(self, value: Instance | Static) -> str:
        """What stands for an object in the names of variables, with its class; empty for a new object."""
        cls = value.cls if isinstance(value, Instance) else value.value
        number = self._classes.setdefault(cls, len(self._classes))
        if isinstance(value, Static):
            return f"{_CLASS}{cls.__name__}:{number}"
        return f"{value.name}:{number}" if value.name else ""

    def _has(self, cls: type, *names: str) -> bool:
        """Whether a class has one of these methods itself, or may get it from the user's code."""
        return has_own(cls, *names) or any(map(self._premises.may_change(cls), names))

    def _maybe_same(self, key: str, own: str, before: BlockValue, value: BlockValue) -> BlockValue:
        """What an attribute of another parameter is after an assignment."""
        (one, cls), (other, another) = (each.partition(".")[0][1:].split(":") for each in (key, own))
        is_class, of_class = one.startswith(_CLASS), other.startswith(_CLASS)
        if not is_class and not of_class and cls != another:
            return before
        if (
            isinstance(before, Typed)
            and isinstance(value, Typed)
            and before.type == value.type
            and not is_class
            and not of_class
        ):
            return Typed(if_else(self._same(one, other), value.term, before.term), value.type)
        return self._any(kind_of(before)) if kind_of(before) is kind_of(value) else UNKNOWN

    def _same(self, one: str, other: str) -> Term:
        """Whether two parameters are one object."""
        return variable(f"?{' is '.join(sorted((one, other)))}", BOOL)

    def _blind_assign(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        value, of = operands
        name, _ = step.argument
        cls = of.cls if isinstance(of, Instance) else of.value if isinstance(of, Static) else None
        is_known = isinstance(cls, type) and type(cls) in (type, ABCMeta) and self._is_simple(cls)
        if (
            is_known
            and isinstance(of, Instance)
            and is_assigned_plainly(of.cls, name)
            and (not self._has(of.cls, "__setattr__"))
        ) or (is_known and isinstance(of, Static) and is_plain(value)):
            self._set_field(of, name, value)
        else:
            self._frames[0].variables[f"{_OTHER} {name}"] = NONE
            self._changes()
            self._of_objects(frame, step, [UNKNOWN], why)
        return False

    def _is_simple(self, cls: type) -> bool:
        return is_simple(cls) and not any(map(self._premises.may_change(cls), ("__getattribute__", "__getattr__")))

    def _blind_drop(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (of,), (name, _) = operands, step.argument
        known = self._frames[0].variables
        for key in [key for key in known if key.startswith(OF_OBJECTS) and key.endswith(f".{name}")]:
            del known[key]
        known[f"{_OTHER} {name}"] = NONE
        if (
            isinstance(of, Instance)
            and self._is_simple(of.cls)
            and is_assigned_plainly(of.cls, name)
            and (not self._has(of.cls, "__delattr__"))
        ):
            self._may_raise(step)
        else:
            self._changes()
            self._of_objects(frame, step, [UNKNOWN], why)
        return False

    def _attribute_of(self, frame: Frame, step: Instruction, of: Instance | Static) -> bool:
        """Read an attribute of an object or a class; whether the block ends."""
        found = lookup(of, step.argument)
        cls = of.cls if isinstance(of, Instance) else of.value
        if not self._is_simple(cls):
            raise Unread(f"the attribute {step.argument}")
        if not isinstance(found, Field):
            self._premises.attribute(cls, step.argument)
        if isinstance(found, Getter):
            if found.function not in self._codes:
                raise Unread(f"the property {step.argument}")
            return self._entered(found.function, [of], {}, frame, step)
        if isinstance(found, Field):
            kind = self._premises.attribute_type(cls, step.argument, _RAN in self._frames[0].variables)
            found = self._field(self._name_of(of), step.argument, kind)
            self._may_raise(step, (AttributeError,))
        frame.values.append(found)
        return False

    # ---- what nobody knows ----

    def _free(self, sort: Sort) -> Term:
        """A variable for a value that nobody knows."""
        made = variable(f"?free {next(self._numbers)}", sort)
        self._block.free.append(made)
        return made

    def _any(self, kind: Any, name: str = "", of: tuple[type | None, ...] = ()) -> BlockValue:
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
                               if not name.startswith(OF_OBJECTS) or name.startswith(_OTHER)}  # fmt: skip
            first.variables[_RAN] = NONE
            for one in frames:
                one.variables |= dict.fromkeys(one.code.shared, MAYBE)

    def _changes(self, kind: type | None = None, added: Sequence[type | None] = ()) -> None:
        """Some container is changed; arguments as of :func:`.kinds.changed`."""
        for frames in (self._frames, self._before):
            for frame in frames:
                frame.variables = {name: changed(value, kind, added) for name, value in frame.variables.items()}
                frame.values[:] = [changed(value, kind, added) for value in frame.values]

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
        """It may raise an exception; without a condition, nobody knows when."""
        if condition is None:
            if self._handled(kinds) is None:
                return
            condition = self._free(BOOL)
        condition = simplify(condition)
        if condition is not FALSE:
            self._kinds = kinds
            self._guard(condition, step)

    def _raise(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        super()._raise(frame, step, raised)
        found = step.argument[1]
        if isinstance(found, str):
            name = found
            found = frame.globals.get(name, vars(builtins).get(name))
            self._premises.variable(frame.globals, name, frame.globals.get(name), name)
        if not (isinstance(found, type) and raises_exactly(found)) or self._premises.changes_class(found):
            raise Unread(f"line {step.line}: an exception is made")
        self._kinds = (found,)
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

    def _gather(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        said, node = step.argument
        called = frame.values[-1] if isinstance(node, ast.GeneratorExp) else None
        if called is None or (isinstance(called, Static) and any(called.value is one for one in _CONSUMING)):
            return False
        (end,) = step.labels  # nobody knows when its parts are evaluated
        self.passed_over.update(one.site for one in frame.code.body[frame.at : end.at])
        self._runs(said, frame)
        self._may_raise(step)
        frame.values.append(UNKNOWN)
        frame.at = end.at
        return False

    def _collect(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, name = step.argument
        number = 2 if kind is dict else 1
        items = frame.values[-number:]
        del frame.values[-number:]
        if kind is not list:  # it is hashed, or looked at before the next one is made
            self._of_objects(frame, step, items)
        before = frame.variables.get(name)
        of = before.of if isinstance(before, Data) else (NEVER,) * number
        frame.variables[name] = Data(tuple, tuple(map(joined, of, map(kind_of, items))))
        return False

    def _gathered(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kind, name = step.argument
        found = frame.variables.pop(name, None)
        of = found.of if isinstance(found, Data) else (NEVER,) * (1 + (kind is dict))
        frame.values.append(Data(list, of, "", True) if kind is None else self._any(kind, of=of))
        return False

    def _hashed(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        value = frame.values[-1]
        if not is_calm(value):
            self._of_objects(frame, step, [value])
        elif kind_of(value) is not set and not is_hashable(value):  # a set is looked for as a frozenset
            self._kinds = (TypeError,)
            raised.append(TRUE)
            return True
        return False

    def _annotated(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._may_raise(step)
        return False

    def _aside(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False

    def _held(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        frame.values.append(of_python(step.argument))
        if frame.variables.pop(LOOSE, None) is not None:
            frame.values[-1] = UNKNOWN
        return False

    def _binary(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._kinds = of_arithmetic(step.argument, frame.values[-2:])
        if step.argument in ("**", "<<"):
            self._may_raise(step)  # a number may need more memory than there is
        return super()._binary(frame, step, raised)

    _augmented = _binary

    def _item(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        self._kinds = (IndexError,)
        return super()._item(frame, step, raised)

    def _unpack(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if step.argument < 0:
            raise Unread("an assignment with *")
        self._kinds = (ValueError,)
        return super()._unpack(frame, step, raised)

    def _next(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        over = frame.variables[step.argument]
        if isinstance(over, Items | Range):
            return super()._next(frame, step, raised)
        item: BlockValue = UNKNOWN
        if isinstance(over, Data):
            item = self._item_of(over, "", 0)
            if over.kind in (dict, set):
                self._may_raise(step, (RuntimeError,))  # it was changed
        else:
            self._runs("a loop over an object", frame)
            self._may_raise(step)
        return self._decide(step, (self._free(BOOL), TRUE, TRUE), (lambda f: f.values.append(item), None))

    # ---- blindly ----

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

    def _of_objects(self, frame: Frame, step: Instruction, operands: Iterable[BlockValue], why: str = "") -> None:
        """An operation that may raise an exception, and runs code of the user if an operand is an object."""
        if not all(map(is_plain, operands)):
            self._runs(why or f"line {step.line}: an operation on an object", frame)
        self._may_raise(step)

    def _blind_global(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._may_raise(step, (NameError,))
        frame.values.append(UNKNOWN)
        return False

    def _attribute(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        of = frame.values[-1]
        member = of.value if isinstance(of, Static) and isinstance(of.value, Enum) else None
        if member is not None and self._premises.changes_members(type(member)):
            raise Unread(f"the {step.argument} of an enumeration, which may be changed")
        return super()._attribute(frame, step, raised)

    def _blind_attribute(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        if isinstance(value, Data | Typed) and not (isinstance(value, Data) and value.turns):
            frame.values.append(Method(step.argument, value))
            kind = value.kind if isinstance(value, Data) else OF_TYPED[value.type]
            if not hasattr(kind, step.argument):
                self._may_raise(step, (AttributeError,), TRUE)
                return True
            return False
        if isinstance(value, Instance) or (isinstance(value, Static) and type(value.value) in (type, ABCMeta)):
            try:
                return self._attribute_of(frame, step, value)
            except TooManyBlocks:
                raise
            except Unread as error:
                why = str(error)
        if isinstance(value, Static) and isinstance(value.value, str | bytes):
            if not hasattr(value.value, step.argument):
                self._may_raise(step, (AttributeError,), TRUE)
                return True
            frame.values.append(
                Method(step.argument, Data(type(value.value), _OF_TEXT[type(value.value)], repr(value.value)))
            )
            return False
        if value == NONE and not hasattr(None, step.argument):
            self._may_raise(step, (AttributeError,), TRUE)
            return True
        module = value.value if isinstance(value, Static) and type(value.value) is ModuleType else None
        if module is None or "__getattr__" in vars(module):
            self._of_objects(frame, step, [UNKNOWN], why)
        else:
            self._may_raise(step, (AttributeError,))
        frame.values.append(UNKNOWN)
        return False

    def _blind_unary(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._of_objects(frame, step, operands, why)
        frame.values.append(UNKNOWN)
        return False

    def _blind_binary(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        self._of_objects(frame, step, operands, why)
        sign, kinds = step.argument, [kind_of(one) for one in operands]
        made: BlockValue = UNKNOWN
        if sign in ("&", "|", "^", "<<", ">>") and set(kinds) <= {int, bool}:
            made = self._any(None if set(kinds) == {bool} else int)
        elif kinds[0] in (str, bytes) and sign == "%" and is_plain(b):
            made = self._any(kinds[0])
        elif kinds[0] == kinds[1] and sign == "+" and kinds[0] in (str, bytes, list, tuple):
            made = self._any(kinds[0], of=(common(map(item_kind, operands)),))
        elif kinds[0] is kinds[1] is set and sign in ("&", "|", "^", "-"):
            made = self._any(set, of=(common(map(item_kind, operands[:1] if sign == "-" else operands)),))
        elif sign == "*" and {int, bool} & {*kinds} and {str, bytes, list, tuple} & {*kinds}:
            whole = a if kinds[1] in (int, bool) else b
            made = self._any(kind_of(whole), of=(item_kind(whole),))
        frame.values.append(made)
        return False

    def _blind_augmented(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        is_list = kind_of(a) is list and step.argument == "+" and isinstance(b, Data | Items | Range)
        if not isinstance(a, Typed) and kind_of(a) not in IMMUTABLE:
            self._changes(*((list, (item_kind(b),)) if is_list else ()))
        ended = self._blind_binary(frame, step, operands, why)
        if is_list:  # whatever is iterated over
            frame.values[-1] = self._any(list, of=(common(map(item_kind, operands)),))
        return ended

    def _blind_data(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        kind, _, _ = step.argument
        if kind is not list:  # items are hashed, or made a text
            self._of_objects(frame, step, operands, why)
        of = (common_kind(operands),) if kind is not dict else (common_kind(operands[::2]), common_kind(operands[1::2]))
        is_exact = kind is not str or all(map(is_plain, operands))
        frame.values.append(self._any(kind, of=of) if is_exact else UNKNOWN)
        return False

    def _blind_slice(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        whole, low, high = operands
        self._of_objects(frame, step, operands, why)
        kind = kind_of(whole)
        named = isinstance(whole, Data) and whole.origin and all(is_constant(one) for one in (low, high))
        name = f"{shown(whole)}[{shown(low)}:{shown(high)}]" if named and kind in IMMUTABLE else ""
        frame.values.append(self._any(kind if kind in (str, bytes, list, tuple) else None, name, (item_kind(whole),)))
        return False

    def _blind_item(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        container, index = operands
        if not isinstance(container, Data) or container.turns or not is_plain(index):
            self._of_objects(frame, step, operands, why)
            frame.values.append(UNKNOWN)
            return False
        name = ""
        if container.kind in (str, bytes, list, tuple) and isinstance(index, Typed) and index.type != DOUBLE:
            at, length = numeric(index).term, self._length(container)
            outside = disjunction([make(Op.LE, length, at), make(Op.LT, at, make(Op.NEG, length))])
            if container.origin:
                self._may_raise(step, (IndexError,), outside)
                at = simplify(at)
                name = f"{container.origin}[{at.data}]" if at.is_constant else ""
            else:
                self._may_raise(step, (IndexError,))
        elif container.kind is dict and container.of[0] not in PLAIN_KINDS:
            self._of_objects(frame, step, [UNKNOWN])
        elif container.kind is dict:
            self._may_raise(step, (KeyError,) if kind_of(index) in (str, bytes, int, float, bool) else None)
        else:
            self._may_raise(step)
        frame.values.append(self._item_of(container, name))
        return False

    def _item_of(self, container: Data, name: str, of: int = -1) -> BlockValue:
        """An item, or, of a dict, a value or (``of`` is 0) a key."""
        kind = container.of[of] if container.of else None
        if container.kind is bytes:
            number = self._any(int, name)
            assert isinstance(number, Typed)
            return Typed(make(Op.FLOOR_MOD, number.term, constant(INT, 256)), WHOLE)
        return self._any(str, name) if container.kind is str else self._element(kind, name)

    def _length(self, value: Data) -> Term:
        return make(Op.ABS, variable(f"?len({value.origin})", INT) if value.origin else self._free(INT))

    def _blind_unknown(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        said, node = step.argument
        made: BlockValue = UNKNOWN
        if not isinstance(node, ast.Lambda):
            if not self._is_harmless(frame, node):
                self._runs(said, frame)
            self._may_raise(step)
        if isinstance(node, ast.expr):
            made = next((self._any(kind) for made_by, kind in _MADE if isinstance(node, made_by)), UNKNOWN)
        frame = self._frames[-1]
        frame.values.append(made)
        return False

    def _is_harmless(self, frame: Frame, node: ast.AST | None) -> bool:
        """Whether what is not read runs no code of the user, and changes nothing: it has plain values and operators."""
        return node is not None and all(
            isinstance(part, _EVALUATED)
            and (not isinstance(part, ast.Name) or is_plain(frame.variables.get(part.id, UNKNOWN)))
            for part in ast.walk(node)
        )

    def _blind_altered(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        _, _, is_first, is_slice = step.argument
        value, container, index = (
            (operands[0], operands[1], operands[2:]) if is_first else (operands[-1], operands[0], operands[1:-1])
        )
        asked = [*index] if kind_of(container) is list else [container, *index]
        if kind_of(container) is list and not is_slice and kind_of(index[0]) in (int, bool):
            self._changes(list, (kind_of(value),))
        elif kind_of(container) is dict and not is_slice:
            self._changes(dict, (kind_of(index[0]), kind_of(value)))
        else:
            self._changes()
            asked.append(value)
        self._of_objects(frame, step, asked, why)
        return False

    def _blind_delete(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._changes(kind_of(operands[0]) if isinstance(operands[0], Data) else None)
        self._of_objects(frame, step, operands, why)
        return False

    def _blind_shown(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._of_objects(frame, step, operands, why)
        return False

    def _blind_raise(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._runs(why, frame)
        self._may_raise(step, None, TRUE)
        return True

    def _blind_manager(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._runs(f"line {step.line}: a context manager", frame)
        self._may_raise(step)
        return False

    def _manager(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        raise Unread("a context manager")

    def _blind_iterate(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        if isinstance(value, Data):
            of = (str,) if value.kind is str else (int,) if value.kind is bytes else value.of[:1]
            frame.values.append(Data(value.kind, of, "", True))
            return False
        self._of_objects(frame, step, operands, why)
        frame.values.append(UNKNOWN)
        return False

    def _blind_unpack(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        self._of_objects(frame, step, operands, why)
        known = value if isinstance(value, Data) and step.argument > 0 and value.of else None
        frame.values += [UNKNOWN if known is None else self._item_of(known, "", 0) for _ in range(abs(step.argument))]
        return False

    # ---- conditions ----

    def _blind_truth(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        return self._decide(step, (self._holds(frame, step, operands[0]), TRUE, TRUE), (None, None))

    def _blind_known(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        (value,) = operands
        pushes = [lambda f: f.values.append(value)] * 2
        return self._decide(step, (self._holds(frame, step, value), TRUE, TRUE), pushes)

    def _holds(self, frame: Frame, step: Instruction, value: BlockValue) -> Term:
        """Whether a value is true."""
        if isinstance(value, Data) and not value.turns:
            return negation(equal(self._length(value), _ZERO))
        is_object = isinstance(value, Instance) and not self._has(value.cls, "__bool__", "__len__")
        if is_object or isinstance(value, Closure):
            return TRUE
        self._of_objects(frame, step, [value])
        return self._free(BOOL)

    def _blind_equal(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        a, b = operands
        is_class = step.argument == "isinstance"
        found = self._is_instance(frame, step, a, b) if is_class else self._compared(frame, step, step.argument, a, b)
        frame.values.append(Typed(found, TRUTH))
        return False

    def _is_instance(self, frame: Frame, step: Instruction, value: BlockValue, classes: BlockValue) -> Term:
        parts = classes.items if isinstance(classes, Items) else (classes,)
        kind, known = kind_of(value), [one.value for one in parts if isinstance(one, Static)]
        if not are_classes(classes):
            self._of_objects(frame, step, [UNKNOWN])
        elif kind is not None:
            return TRUE if issubclass(kind, tuple(known)) else FALSE
        return self._free(BOOL)

    def _blind_compare(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        return self._decide(step, (self._compared(frame, step, step.argument, *operands), TRUE, TRUE), (None, None))

    def _compared(self, frame: Frame, step: Instruction, sign: str, a: BlockValue, b: BlockValue) -> Term:
        """``a sign b``."""
        if sign in ("!=", "is not", "not in"):
            positive = {"!=": "==", "is not": "is", "not in": "in"}[sign]
            return negation(self._compared(frame, step, positive, a, b))
        kinds = kind_of(a), kind_of(b)
        objects = [value for value in (a, b) if isinstance(value, Instance)]
        if sign == "is" or (sign == "==" and objects and all(map(self._is_compared_by_identity, (a, b)))):
            if None not in kinds and kinds[0] is not kinds[1]:
                return FALSE
            if len(objects) == 2 and all(one.name for one in objects):
                return TRUE if a == b else self._same(objects[0].name, objects[1].name)
            if len(objects) == 2 and any(one.name for one in objects):
                return FALSE
            return self._free(BOOL)
        if sign == "==" and is_calm(a) and is_calm(b):
            return self._are_equal(a, b)
        if sign == "in" and isinstance(b, Items) and b.passed < 0 and is_calm(a) and is_calm(b):
            return disjunction(self._are_equal(a, item) for item in b.items)
        ordered = kinds[0] is kinds[1] and kinds[0] in (str, bytes, set, frozenset)
        if sign in ("<", "<=", ">", ">=") and ordered and is_plain(a) and is_plain(b):
            return self._free(BOOL)
        self._of_objects(frame, step, (a, b))
        if not (is_plain(a) and is_plain(b)):
            frame.variables[LOOSE] = UNKNOWN
        return self._free(BOOL)

    def _is_compared_by_identity(self, value: BlockValue) -> bool:
        return value == NONE or (isinstance(value, Instance) and not self._has(value.cls, "__eq__", "__ne__"))

    def _are_equal(self, a: BlockValue, b: BlockValue) -> Term:
        """Whether two plain values are equal."""
        kinds = kind_of(a), kind_of(b)
        if isinstance(a, Typed) and isinstance(b, Typed):
            return self._free(BOOL) if a.type == b.type == DOUBLE else operators.compare("==", a, b)[0]
        if isinstance(a, Static) and isinstance(b, Static):
            return TRUE if a.value == b.value else FALSE
        if None not in kinds and kinds[0] is not kinds[1] and not any({*kinds} <= one for one in _EQUAL):
            return FALSE
        number, another = self._number(a), self._number(b)
        if kinds[0] in (str, bytes) and number is not None and another is not None:
            found = [equal(number, another)]
            for one, other in ((a, b), (b, a)):
                if isinstance(one, Data) and isinstance(other, Data):
                    found.append(equal(self._length(one), self._length(other)))
                if isinstance(one, Data) and isinstance(other, Static):
                    found.append(equal(self._length(one), constant(INT, len(other.value))))
                    if not other.value:
                        return found[-1]
            return conjunction(found)
        return self._free(BOOL)

    def _number(self, value: BlockValue) -> Term | None:
        """A number that stands for a text: equal ones have the same, and others do not."""
        if isinstance(value, Static) and isinstance(value.value, str | bytes):
            return constant(INT, self._texts.setdefault((type(value.value), value.value), len(self._texts)))
        if isinstance(value, Data) and value.origin and value.kind in (str, bytes):
            return variable(f"?text {value.origin}", INT)
        return None

    def _matches(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        kinds, caught = frame.values.pop(), frame.values.pop()
        classes = [one.value for one in kinds.items if isinstance(one, Static)] if isinstance(kinds, Items) else (
            [kinds.value] if isinstance(kinds, Static) else [])  # fmt: skip
        found: Term = self._free(BOOL)
        whole = len(classes) == (len(kinds.items) if isinstance(kinds, Items) else 1)
        are_known = all(isinstance(one, type) and issubclass(one, BaseException) for one in classes)
        if not whole or not are_known or any(map(self._premises.changes_class, classes)):
            self._may_raise(step, (TypeError,))
        elif isinstance(caught, Caught):
            if BaseException in classes:
                found = TRUE
            elif caught.kinds is not None:
                are = {any(one in kind.__mro__ for one in classes) for kind in caught.kinds}
                found = TRUE if are == {True} else FALSE if are == {False} else found
        return self._decide(step, (found, TRUE, TRUE), (None, None))

    # ---- calls ----

    def _blind_call(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        called, *arguments = operands
        names = step.argument[1]
        function = called.value if isinstance(called, Static) else None
        self._doing = getattr(function, "__name__", "a call")
        if isinstance(function, type) and makes_plainly(function) and not self._premises.changes_class(function):
            return self._constructed(frame, step, function, arguments)
        if isinstance(called, Method):
            frame.values.append(self._method(frame, step, called, arguments, bool(names)))
            return False
        if (
            function is builtins.len
            and len(arguments) == 1
            and isinstance(arguments[0], Data)
            and not arguments[0].turns
        ):
            frame.values.append(Typed(self._length(arguments[0]), WHOLE))
            return False
        if function is builtins.isinstance and len(arguments) == 2 and not names:
            frame.values.append(Typed(self._is_instance(frame, step, *arguments), TRUTH))
            return False
        if function is builtins.type and len(arguments) == 1 and kind_of(arguments[0]) is not None:
            kind = kind_of(arguments[0])
            frame.values.append(of_python(kind))
            return False
        is_math = isinstance(function, BuiltinFunctionType) and vars(math).get(function.__name__) is function
        is_read = is_math or (isinstance(function, BuiltinFunctionType | type) and function in FUNCTIONS)
        calm = is_calm if function in _LOOKING else is_plain
        is_read &= function is not builtins.print or not self._premises.is_redirected
        if not is_read or not all(map(calm, arguments)):
            self._runs(why or f"line {step.line}: a call of {self._doing}", frame)
            self._may_raise(step)
            frame.values.append(self._any(function if function in SURE else None))
            return False
        parses = function in (builtins.int, builtins.float) and len(arguments) == 1 and not names
        self._may_raise(step, (ValueError,) if parses and kind_of(arguments[0]) in (str, bytes) else None)
        result = FUNCTIONS.get(function) if isinstance(function, BuiltinFunctionType | type) else None
        chosen = None if names else chosen_kind(arguments)
        if result == ITEM:
            result = chosen
        if function is builtins.sum and len(arguments) == 1:
            result = int if chosen in (int, bool, NEVER) else None
        if function in (builtins.sorted, builtins.list, builtins.tuple, builtins.set, builtins.frozenset):
            item = item_kind(arguments[0]) if arguments else NEVER
            frame.values.append(self._any(result, of=(item,)))
        elif result in (int, bool, float) and function in (builtins.min, builtins.max, builtins.next):
            frame.values.append(self._element(result))
        else:
            frame.values.append(self._any(result))
        return False

    def _constructed(self, frame: Frame, step: Instruction, cls: type, arguments: list[BlockValue]) -> bool:
        """Make an object of a class of the user."""
        count_, names = step.argument
        frame.values.append(Instance(cls, ""))
        made = inspect.getattr_static(cls, "__init__")
        is_read = isinstance(made, FunctionType) and made in self._codes and not returns_values(self._codes[made].node)
        named = dict(zip(names, arguments[count_:], strict=True))
        if any(map(self._premises.may_change(cls), ("__init__", "__new__"))):
            self._runs(f"line {step.line}: a call of {cls.__name__}", frame)
        elif isinstance(made, FunctionType) and is_read:
            before = len(self._frames)
            try:
                given = [Instance(cls, ""), *arguments[:count_]]
                return self._entered(made, given, named, frame, step, discards=True)
            except TooManyBlocks:
                raise
            except Unread as error:
                del self._frames[before:]
                self._runs(str(error), frame)
        elif isinstance(made, FunctionType) and (fields := generated_fields(cls, made)) is not None:
            for name, value in (*zip(fields, arguments[:count_], strict=False), *named.items()):
                self._set_field(Instance(cls, ""), name, value)
        elif isinstance(made, FunctionType):
            self._runs(f"line {step.line}: a call of {cls.__name__}", frame)
            for name in vars(cls).get("__dataclass_fields__", ()):  # some are made by functions
                self._frames[0].variables[f"{_OTHER} {name}"] = NONE
        self._may_raise(step)
        return False

    def _method(self, frame: Frame, step: Instruction, called: Method, arguments: list[BlockValue],
                named: bool) -> BlockValue:  # fmt: skip
        """The result of a method of a number, text or container."""
        of, name = called.of, called.name
        kind = of.kind if isinstance(of, Data) else OF_TYPED[of.type]
        pure = PURE.get(kind, {})
        if name not in pure and isinstance(of, Data) and kind not in IMMUTABLE:
            places = None if named else ADDED.get(name, () if name in REMOVING else None)
            if places is None or any(place >= len(arguments) for place in places):
                self._changes()
            else:
                self._changes(kind, [kind_of(arguments[place]) for place in places])
        compares = isinstance(of, Data) and not is_plain(of) and name in COMPARING
        is_known = name in pure or name in CHANGING.get(kind, {})
        calm = is_plain if name in ("join", "format") else is_calm
        if compares or not is_known or not all(map(calm, arguments)):
            self._of_objects(frame, step, [UNKNOWN], f"line {step.line}: a call of {name}")
        else:
            self._may_raise(step)
        result = pure[name] if name in pure else CHANGING.get(kind, {}).get(name)
        if not isinstance(of, Data):
            return self._any(result)
        if result == ITEM:
            return self._item_of(of, "")
        named_alike = of.origin and is_plain(of) and not named and name in pure and all(map(is_constant, arguments))
        origin = f"{of.origin}.{name}({', '.join(map(shown, arguments))})" if named_alike else ""
        items: tuple[type | None, ...] = ()
        if name == "copy" or (result is set and name == "difference"):
            items = of.of
        elif result is set:
            items = (common([*of.of, *map(item_kind, arguments)]),)
        elif kind in (str, bytes) and result in (list, tuple):
            items = (kind,)
        return self._any(kind if result == SAME else result, origin if result is not None else "", items)
