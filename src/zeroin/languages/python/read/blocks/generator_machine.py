"""The part of the proof machine that executes generators, where these are consumed at once: by a loop, by a
comprehension, by ``in``, or by a function of Python's own."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from types import FunctionType

from .....term.core.build import FALSE, TRUE, negation
from .....term.core.nodes import Term
from .....term.expression.typed import Typed
from .code import Instruction
from .frame import Frame
from .iterating import code_of, has_code
from .kinds import kind_of
from .summary_machine import Summary, SummaryMachine
from .unknown_machine import UnknownMachine
from .values import NONE, BlockValue, Static, Suspended

_NUMBERS = (int, float, bool)
_CONTAINS = "in"


class GeneratorMachine(SummaryMachine):
    """Makes blocks with generators, for :class:`.proof_machine.ProofMachine`."""

    def _generates(self, frame: Frame, step: Instruction, function: FunctionType, found: Summary,
                   arguments: Sequence[BlockValue]) -> bool:  # fmt: skip
        """Push a generator that is not begun yet, if it is consumed at once; whether it is."""
        code, stack = self._codes[function], (*frame.stack, step.place)
        is_plain = not code.inner and not any(one.op == "yield" and one.handler is not None for one in code.body)
        is_open = any(one.code is code for one in self._frames) or len(stack) + 2 > self._deepest
        if not is_plain or is_open or not self._is_consumed(frame, found.kind):
            return False
        count, names = step.argument
        named = dict(zip(names, arguments[count:], strict=True))
        variables = UnknownMachine._frame(self, function, arguments[:count], named, stack).variables
        frame.values.append(Suspended(code, function.__globals__, 0, (*variables,), (*variables.values(),)))
        return True

    def _is_consumed(self, frame: Frame, kind: type | None) -> bool:
        """Whether the generator that is pushed next is consumed by what follows, with constants as other arguments.

        Args:
            frame: the call that pushes it.
            kind: the class of what it gives.
        """
        if kind not in _NUMBERS:
            return False
        body, at, others = frame.code.body, frame.at, 0
        while body[at].op in ("value", "forget") or (others and body[at].op == "unary"):
            others += body[at].op == "value"
            at += 1
        follows = body[at]
        if follows.op == "call":
            count, names = follows.argument
            called = frame.values[-1] if frame.values and count + len(names) == others + 1 else None
            if not isinstance(called, Static) or not has_code(called.value, others + 1):
                return False
            if called.value is builtins.sum and kind is float:  # newer versions of Python add what rounding loses
                return False
            has_default = others == 1 and called.value in (builtins.min, builtins.max)
            return bool(names == (("default",) if has_default else ()))
        if others:
            return False
        if follows.op == "compare" and follows.argument in ("in", "not in"):
            return kind_of(frame.values[-1]) in (int, bool)  # a NaN is found by its identity
        return follows.op == "iterate"

    def _call(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        count, names = step.argument
        called, *given = frame.values[len(frame.values) - count - len(names) - 1 :]
        if not given or not isinstance(given[0], Suspended):
            return super()._call(frame, step, raised)
        assert isinstance(called, Static)
        del frame.values[len(frame.values) - len(given) - 1 :]
        return self._consumes(called.value, given, frame, step)

    def _compare(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        wanted, items = frame.values[-2:]
        if not isinstance(items, Suspended):
            return super()._compare(frame, step, raised)
        del frame.values[-2:]
        return self._consumes(_CONTAINS, [items, wanted], frame, step)

    def _consumes(self, function: object, arguments: Sequence[BlockValue], frame: Frame, step: Instruction) -> bool:
        """Call the code of a function of Python's own."""
        code = code_of(function, len(arguments))
        variables = dict(zip(code.parameters, arguments, strict=True))
        self._frames.append(Frame(code, vars(builtins), (*frame.stack, step.place), 0, variables))
        return self._go_on()

    def _iterate(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False if isinstance(frame.values[-1], Suspended) else super()._iterate(frame, step, raised)

    def _next(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        over = frame.variables[step.argument]
        if not isinstance(over, Suspended):
            return super()._next(frame, step, raised)
        variables = dict(zip(over.names, over.held, strict=False))
        values, stack = [*over.held[len(variables) :]], (*frame.stack, step.place)
        self._frames.append(Frame(over.code, over.globals, stack, over.at, variables, values))
        return self._go_on()

    def _yield(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if len(self._frames) == 1:
            return super()._yield(frame, step, raised)
        item = frame.values.pop()
        frame.values.append(NONE)  # nobody sends it anything
        self._frames.pop()
        caller = self._frames[-1]
        asked = caller.code.body[caller.at - 1]
        frame.drop_dead()
        held = (*frame.variables.values(), *frame.values)
        caller.variables[asked.argument] = Suspended(frame.code, frame.globals, frame.at, (*frame.variables,), held)
        return self._decide(asked, (TRUE, TRUE, TRUE), (lambda f: f.values.append(item), None))

    def _handled(self, kinds: tuple[type, ...] | None) -> list[Frame] | None:
        stops = kinds is not None and any(issubclass(one, StopIteration) for one in kinds)
        in_generator = any(frame.code.is_generator for frame in self._before)
        return super()._handled(None if stops and in_generator else kinds)  # it leaves a generator as a RuntimeError

    def _return(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if len(self._frames) > 1 and frame.code.is_generator:
            self._frames.pop()
            caller = self._frames[-1]
            return self._decide(caller.code.body[caller.at - 1], (FALSE, TRUE, TRUE), (None, None))
        if frame.code is code_of(_CONTAINS, 2):
            found = frame.values.pop()
            assert isinstance(found, Typed)
            self._frames.pop()
            caller = self._frames[-1]
            asked = caller.code.body[caller.at - 1]
            condition = found.term if asked.argument == "in" else negation(found.term)
            return self._decide(asked, (condition, TRUE, TRUE), (None, None))
        return super()._return(frame, step, raised)
