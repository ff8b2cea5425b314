"""How a run of a Python function ended that did not return."""

from __future__ import annotations

import dis
from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import NamedTuple

from ....subject.base import Termination, Words
from ....words import Kind
from ..front.contracts import Contracts, documentation_in, named_in
from ..front.signature import Unset
from ..values.constant_functions import CODE
from .audit_hook import Forbidden
from .input_errors import excuse
from .probes.shared_state import Hung

_RAISE = dis.opmap["RAISE_VARARGS"]
# What the interpreter itself raises where a `raise` has nothing that can be raised.
_MISUSES = ("exceptions must derive from BaseException", "exception causes must derive from BaseException",
            "No active exception to reraise")  # fmt: skip
RaisePoint = tuple[type, str, int]


class Ending(NamedTuple):
    """How a run ended that raised.

    Attributes:
        outcome: ``RETURNED`` for an exception that is as good as a result.
        place: where it is from.
        is_one: whether a run that ends so is told from those that return.
        documented: whether the code's documentation tells of it. It is as good as a result, too, but a search goes on
            for runs that have one.
        precondition: the assertion at the top of the function that the arguments do not satisfy, and its line.
    """

    outcome: Termination
    place: RaisePoint
    is_one: bool = True
    documented: bool = False
    precondition: str = ""


class Judged(NamedTuple):
    """An exception that ended a replay: see :class:`zeroin.subject.base.Replay`."""

    outcome: Termination
    uncounted: str
    place: str


class Endings:
    """Tells an exception that the code raised on purpose from one that happened to it, and one end from another.

    Args:
        contracts: for each file of the code under test what its functions say.
        entries: the functions that runs may begin with.

    Attributes:
        expected: exceptions that are as good as those that the code raises on purpose.
        met: one more than the number of the place that was asked for last.
    """

    def __init__(self, contracts: Mapping[str, Contracts], entries: Collection[FunctionType]) -> None:
        self._contracts = contracts
        self._entries = {_written_at(function.__code__) for function in entries}
        self.expected: tuple[type[BaseException], ...] = ()
        self.met = 0
        self._known: dict[RaisePoint, int] = {}
        self._raises: dict[int, tuple[CodeType, bytes]] = {}
        self._named: dict[int, tuple[CodeType, frozenset[str]]] = {}

    def classify(self, error: BaseException) -> Ending:
        """``RETURNED`` is what is expected, what the code raised on purpose, or a function that it was given, and what
        callers have to see to: an assertion at the top of the function. ``REFUSED``: there was no input."""
        if isinstance(error, Hung):
            return Ending(Termination.HUNG, (Hung, "", 0))
        if isinstance(error, Forbidden):
            return Ending(Termination.FORBIDDEN, (Forbidden, "", 0))
        if isinstance(error, Unset):
            return Ending(Termination.REFUSED, (Unset, "", 0))
        is_expected = isinstance(error, self.expected)
        traces = _traces(error)
        if not traces:
            return Ending(Termination.RETURNED if is_expected else Termination.RAISED, (type(error), "", 0))
        code, line = traces[-1].tb_frame.f_code, traces[-1].tb_lineno or 0
        place = (type(error), code.co_filename, line)
        outcome = Termination.RETURNED if is_expected else self._outcome(error, traces[-1])
        if outcome is Termination.RETURNED:
            return Ending(outcome, place, is_expected)
        if outcome is Termination.ASSERTED and (unmet := self._precondition(traces)):
            return Ending(Termination.RETURNED, place, precondition=f'"{unmet}" (line {line})')
        told = outcome is not Termination.MEMORY and self._documented(
            error, traces
        )  # there may be no memory to read it
        return Ending(outcome, place, documented=told)

    def judge(self, kinds: Sequence[Kind], words: Words, error: BaseException) -> Judged:
        """What a replay with these words says of the exception that ended it."""
        ending, place = self.classify(error), self._line_of(error)
        if ending.precondition:
            why = f"fails {ending.precondition}, which stands at the top: a precondition"
            return Judged(ending.outcome, why, place)
        if ending.documented:
            return Judged(Termination.RETURNED, "", place)
        return Judged(ending.outcome, excuse(ending.outcome, error, kinds, words), place)

    def _line_of(self, error: BaseException) -> str:
        """The file and line of the code under test that raised the exception, or called what raised it."""
        frames = [(trace.tb_frame.f_code.co_filename, trace.tb_lineno) for trace in _traces(error)]
        own = [(file, line) for file, line in frames if file in self._contracts] or frames
        return f"{PurePath(own[-1][0]).name}:{own[-1][1]}" if own else ""

    def _outcome(self, error: BaseException, last: TracebackType) -> Termination:
        """``RETURNED`` for what the code raised on purpose."""
        code, line = last.tb_frame.f_code, last.tb_lineno or 0
        if isinstance(error, SystemExit):
            return Termination.EXITED
        if isinstance(error, MemoryError):
            return Termination.MEMORY
        if code is CODE:
            return Termination.RETURNED
        if code.co_filename not in self._contracts or self._instructions(code)[last.tb_lasti] != _RAISE:
            return Termination.RAISED
        if error.args and type(error.args[0]) is str and error.args[0] in _MISUSES:
            return Termination.RAISED
        asserted = isinstance(error, AssertionError) and line in self._contracts[code.co_filename].assert_lines
        return Termination.ASSERTED if asserted else Termination.RETURNED

    def _documented(self, error: BaseException, traces: list[TracebackType]) -> bool:
        """Whether a function of the user's that it came out of names its class, or a base of that."""
        classes = {base.__name__ for base in type(error).__mro__[:-1]}
        return any(not classes.isdisjoint(self._named_by(trace.tb_frame.f_code)) for trace in traces)

    def _named_by(self, code: CodeType) -> frozenset[str]:
        known = self._named.get(id(code))  # to compare code takes long
        if known is None:
            own = self._contracts.get(code.co_filename)
            said = documentation_in(code) if own is None else own.documentation(code)
            known = self._named[id(code)] = code, named_in(said)
        return known[1]

    def _precondition(self, traces: list[TracebackType]) -> str:
        """The assertion that failed, if it stands at the top of the function that the run began with: it is none of
        another function that this calls, or of itself when it is called again."""
        entered = next((trace for trace in traces if _written_at(trace.tb_frame.f_code) in self._entries), None)
        if entered is not traces[-1]:
            return ""
        code = entered.tb_frame.f_code
        return self._contracts[code.co_filename].precondition(code, entered.tb_lineno or 0)

    def place_of(self, error: type, frame: FrameType | None) -> RaisePoint:
        """The place of an end that came in this frame: in the code under test, if that called it."""
        while frame is not None and frame.f_code.co_filename not in self._contracts:
            frame = frame.f_back
        return (error, "", 0) if frame is None else (error, frame.f_code.co_filename, frame.f_lineno)

    def number(self, place: RaisePoint) -> tuple[int, bool]:
        """The number of a place, and whether it is new."""
        new = place not in self._known
        number = self._known.setdefault(place, len(self._known))
        self.met = number + 1
        return number, new

    def _instructions(self, code: CodeType) -> bytes:
        known = self._raises.get(id(code))  # to compare code takes long
        if known is None:
            known = self._raises[id(code)] = code, code.co_code
        return known[1]


def _traces(error: BaseException) -> list[TracebackType]:
    """The outermost first."""
    found, trace = list[TracebackType](), error.__traceback__
    while trace is not None:
        found.append(trace)
        trace = trace.tb_next
    return found


def _written_at(code: CodeType) -> tuple[str, str, int]:
    """The same for all code that is made of a function."""
    return code.co_filename, code.co_qualname, code.co_firstlineno
