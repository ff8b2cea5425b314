"""The part of the proof machine for functions that are not read at each call: those that call themselves, or lie too
deep, and generators. One summary of such a function holds for all calls with arguments of these classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType, GeneratorType

from .....model.blocks import BlockCall, Callee
from .....term.core.build import TRUE
from .....term.core.nodes import Term
from .....term.core.sorts import BOOL, FLOAT64, INT, Sort
from .....term.expression.typed import Typed
from .code import Code, Instruction
from .frame import Frame
from .kinds import NEVER, common, kind_of, row_or_kind
from .object_machine import ObjectMachine
from .premises import Premises
from .unknown_machine import RAN
from .values import NONE, UNKNOWN, BlockValue, Data, Instance, Static, Unread

_PLAIN = (int, float, bool, str, bytes, type(None))  # the arguments' classes: nobody changes such arguments
_Call = tuple[FunctionType, tuple[type, ...], tuple[str, ...]]  # the function, its arguments' classes, the last names
_SORTS: dict[type | None, Sort] = {int: INT, bool: BOOL, float: FLOAT64}


@dataclass(frozen=True)
class Summary:
    """What is known of all calls of a function. They run only code that is read, and have no effect on others.

    Attributes:
        kind: the class of the result, or of what a generator gives; None if it is unknown, NEVER if there is none.
        sites: that a call may evaluate, with any values.
        entered: the code that a call may run.
    """

    kind: type | None
    sites: frozenset[int] = frozenset()
    entered: frozenset[Code] = frozenset()


class SummaryMachine(ObjectMachine):
    """Makes blocks with summaries of functions, for :class:`.proof_machine.ProofMachine`."""

    def __init__(self, codes: Mapping[FunctionType, Code], premises: Premises, deepest: int, lists: bool) -> None:
        super().__init__(codes, premises, deepest, lists)
        self._summaries: dict[_Call, Summary | None] = {}
        self._callees: dict[_Call, Callee] = {}
        self._result: BlockValue = UNKNOWN  # of the last call that can be executed
        self._results: list[type | None] | None = None  # of the function that is summarised now
        self._knows_results = True  # as terms
        self._effect = ""  # that it has beside

    def _frame(self, function: FunctionType, positional: Sequence[BlockValue], named: Mapping[str, BlockValue],
               stack: tuple[int, ...]) -> Frame:  # fmt: skip
        if self._codes[function].is_generator and (stack or self._results is None):
            raise Unread(f"{function.__name__} is a generator")
        made = super()._frame(function, positional, named, stack)
        if not stack and self._results is not None:  # the callers may have done anything before
            made.variables[RAN] = NONE
        return made

    def _may_raise(
        self, step: Instruction, kinds: tuple[type, ...] | None = None, condition: Term | None = None
    ) -> None:
        if condition is None and self._results is not None:  # a caller may handle it
            condition = self._free(BOOL)
        super()._may_raise(step, kinds, condition)

    def _summarised(self, frame: Frame, step: Instruction, function: FunctionType,
                    arguments: Sequence[BlockValue]) -> bool | None:  # fmt: skip
        """Push what a call of a function gives; whether the block ends. None if nothing is known of all calls."""
        count, names = step.argument
        kinds = [kind_of(one) for one in arguments]
        classes = tuple(kind for kind in kinds if kind in _PLAIN and kind is not None)
        if len(classes) < len(kinds):
            return None
        found = self._summary(function, classes, count, names)
        if found is None:
            return None
        self.entered |= found.entered
        if self._codes[function].is_generator:
            if not self._generates(frame, step, function, found, arguments):
                self.passed_over |= found.sites
                frame.values.append(Data(GeneratorType, (found.kind,), "", True))
            return False
        if self._executed(step, (function, classes, names), found, arguments):
            frame.values.append(self._result)
            return False
        self.passed_over |= found.sites
        self._may_raise(step, None, TRUE if found.kind is NEVER else None)
        frame.values.append(self._any(found.kind))
        return found.kind is NEVER

    def _executed(self, step: Instruction, call: _Call, found: Summary, arguments: Sequence[BlockValue]) -> bool:
        """Add a call to the block whose result can be computed; whether that is possible."""
        given = [_term_of(one) for one in arguments if kind_of(one) is not type(None)]
        terms = tuple(one for one in given if one is not None)
        callee = self._callees.get(call)
        if callee is None or found.kind not in _SORTS or len(terms) < len(given):
            return False
        result = self._any(found.kind)
        term, raises = _term_of(result), self._free(BOOL)
        assert term is not None
        self._block.calls.append(BlockCall(callee, terms, term, raises, len(self._block.guards)))
        self._may_raise(step, None, raises)
        self._result = result
        return True

    def _generates(self, frame: Frame, step: Instruction, function: FunctionType, found: Summary,
                   arguments: Sequence[BlockValue]) -> bool:  # fmt: skip
        """Push a generator that can be executed; whether that is possible."""
        return False

    def _summary(self, function: FunctionType, kinds: tuple[type, ...], count: int,
                 names: tuple[str, ...]) -> Summary | None:  # fmt: skip
        """Return the summary of a function for arguments of these classes; None if there is none.

        A call of the function in itself gives what is known so far: at first nothing, so that it never returns. What is
        found so is right if it is found again on its own assumption.
        """
        key = function, kinds, names
        if key not in self._summaries:
            before = dict(self._summaries)
            assumed: Summary | None = Summary(NEVER)
            callee = self._callees[key] = Callee(function.__name__)
            for _ in range(3):
                self._summaries = before | {key: assumed}
                found = self._read_alone(function, kinds, count, names, callee)
                if found is None or found == assumed:
                    break
                assumed = found
            else:
                found = None
            self._summaries = before | {key: found}
        return self._summaries[key]

    def _read_alone(self, function: FunctionType, kinds: Sequence[type], count: int, names: Sequence[str],
                    callee: Callee) -> Summary | None:  # fmt: skip
        """Read a function for any arguments of these classes, and set its blocks in ``callee``.

        Returns:
            Its summary; None if it has effects, or is too large.
        """
        machine = type(self)(self._codes, self._premises, min(self._deepest, 2), False)
        machine._summaries, machine._callees, machine._results = self._summaries, self._callees, []
        callee.entry = None
        given = [machine._any(kind) for kind in kinds]
        try:
            entry = machine.entry(function, given[:count], dict(zip(names, given[count:], strict=True)))
        except Unread:
            return None
        if machine._effect:
            return None
        sites = {step.site for code in machine.entered for step in code.body if step.site >= 0}
        kind = common(machine._results)
        callee.parameters = tuple(term for one in given if (term := _term_of(one)) is not None)
        callee.blocks, callee.unread = machine.blocks, frozenset(machine.passed_over)
        callee.sites = frozenset(sites | machine.passed_over)
        sorts = {block.result.sort for block in machine.blocks if block.result is not None}
        if machine._knows_results and sorts == {_SORTS.get(kind)}:
            callee.entry = entry
        return Summary(kind, callee.sites, frozenset(machine.entered))

    # ---- the function that is summarised ----

    def _has_effect(self, what: str) -> None:
        """The function does something else than computing a result.

        Raises:
            Unread: it is being summarised.
        """
        if self._results is not None:
            self._effect = what
            raise Unread(what)

    def _runs(self, why: str, frame: Frame) -> None:
        self._has_effect(why)
        super()._runs(why, frame)

    def _set_field(self, of: Instance | Static, attribute: str, value: BlockValue) -> None:
        self._has_effect(f"the attribute {attribute} is set")
        super()._set_field(of, attribute, value)

    def _blind_drop(self, frame: Frame, step: Instruction, operands: list[BlockValue], why: str) -> bool:
        self._has_effect("an attribute is deleted")
        return super()._blind_drop(frame, step, operands, why)

    def _return(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if self._results is not None and len(self._frames) == 1 and not frame.code.is_generator:
            self._results.append(row_or_kind(frame.values[-1]))
            self._block.result = _term_of(frame.values[-1])
            self._knows_results &= self._block.result is not None
        return super()._return(frame, step, raised)

    def _generator(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        return False

    def _yield(self, frame: Frame, step: Instruction, raised: list[Term]) -> bool:
        if self._results is None:
            raise Unread("a value is given by a generator")
        self._results.append(row_or_kind(frame.values.pop()))
        self._may_raise(step)  # what is thrown into the generator
        frame.values.append(UNKNOWN)
        return False


def _term_of(value: BlockValue) -> Term | None:
    """The term of a number."""
    return value.term if isinstance(value, Typed) and value.rounded is None else None
