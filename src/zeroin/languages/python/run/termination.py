"""Classify the exceptions that end runs of a Python function.

An exception that the code raises on purpose is a result of the function, as good as a returned value. Any other
exception is a finding, unless it says more about the input than about the function.
"""

from __future__ import annotations

import dis
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
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
# The interpreter's own errors for a `raise` statement whose operand can not be raised.
_MISUSES = ("exceptions must derive from BaseException", "exception causes must derive from BaseException",
            "No active exception to reraise")  # fmt: skip
RaisePoint = tuple[type, str, int]  # the exception's class, the file and the line that raised it

_OURS = str(Path(__file__).parents[3]) + os.sep


class Ending(NamedTuple):
    """The classification of an exception that ended a run.

    Attributes:
        outcome: the termination; ``RETURNED`` for an exception that is as good as a result.
        place: the class of the exception, and the file and line that raised it; empty and 0 if unknown.
        is_one: whether the search treats this termination as different from a plain return.
        documented: whether the code's documentation names the exception. In a replay it is as good as a result, but
            the search still treats it as a termination of its own.
        precondition: the assertion at the top of the function that the arguments do not satisfy, with its line; empty
            if there is none.
    """

    outcome: Termination
    place: RaisePoint
    is_one: bool = True
    documented: bool = False
    precondition: str = ""


class Judged(NamedTuple):
    """The judgement of an exception that ended a replay; fields as in :class:`zeroin.subject.base.Replay`."""

    outcome: Termination
    uncounted: str
    place: str


class TerminationClassifier:
    """Distinguishes exceptions that the code raises on purpose from errors, and numbers the places that raise.

    Args:
        contracts: for each file of the code under test, the contracts (assertions and documentation) of its functions.
        entries: the functions that a run may begin with.

    Attributes:
        expected: exception classes that the user expects. They count like those that the code raises on purpose.
        met: one more than the place number that :meth:`number` returned last; 0 if it was reset since.
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
        """Classify an exception that ended a run.

        The termination is ``RETURNED`` for an expected exception, for one that the code or a function argument raised
        on purpose, and for a failed assertion at the top of the function, which is a precondition. It is ``REFUSED``
        if a setter that is called before the function raised, so that the words are no input.
        """
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
        )  # after a MemoryError there may be no memory to read the documentation
        return Ending(outcome, place, documented=told)

    def judge(self, kinds: Sequence[Kind], words: Words, error: BaseException) -> Judged:
        """Judge whether the exception that ended a replay is a result of the function, a finding, or neither.

        An exception that the documentation names is a result. It is no finding if the input fails a precondition. The
        same is true if the input is to blame, because a number in it is too large or not finite.

        Args:
            kinds: the kinds of the words.
            words: the input of the replay, as ordered words.
            error: the exception.

        Returns:
            The termination; the reason why it is no finding, empty if there is none; and ``path:line`` in the code
            under test.
        """
        ending, place = self.classify(error), self._line_of(error)
        if ending.precondition:
            why = f"fails {ending.precondition}, which stands at the top: a precondition"
            return Judged(ending.outcome, why, place)
        if ending.documented:
            return Judged(Termination.RETURNED, "", place)
        return Judged(ending.outcome, excuse(ending.outcome, error, kinds, words), place)

    def _line_of(self, error: BaseException) -> str:
        """Return the path and line of the innermost frame of the code under test; empty if there is no traceback."""
        frames = [(trace.tb_frame.f_code.co_filename, trace.tb_lineno) for trace in _traces(error)]
        own = [(file, line) for file, line in frames if file in self._contracts] or frames
        return f"{own[-1][0]}:{own[-1][1]}" if own else ""

    def _outcome(self, error: BaseException, last: TracebackType) -> Termination:
        """Return the termination; ``RETURNED`` if a ``raise`` statement of the code raised the exception."""
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
        """Whether the documentation of a function in the traceback names the exception's class, or a base of it."""
        classes = {base.__name__ for base in type(error).__mro__[:-1]}
        return any(not classes.isdisjoint(self._named_by(trace.tb_frame.f_code)) for trace in traces)

    def _named_by(self, code: CodeType) -> frozenset[str]:
        """Return the names of exceptions in a function's documentation. They are kept for each code object."""
        known = self._named.get(id(code))  # by identity, as comparing code objects is slow
        if known is None:
            own = self._contracts.get(code.co_filename)
            if own is not None:
                said = own.documentation(code)
            else:  # of a library; zeroin's own functions, which call the code under test, have no say
                said = "" if code.co_filename.startswith(_OURS) else documentation_in(code)
            known = self._named[id(code)] = code, named_in(said)
        return known[1]

    def _precondition(self, traces: list[TracebackType]) -> str:
        """Return the failed assertion if it is at the top of the function that the run began with; else empty.

        Assertions of a callee, or of a recursive call, do not count: their arguments are not the input.
        """
        entered = next((trace for trace in traces if _written_at(trace.tb_frame.f_code) in self._entries), None)
        if entered is not traces[-1]:
            return ""
        code = entered.tb_frame.f_code
        return self._contracts[code.co_filename].precondition(code, entered.tb_lineno or 0)

    def place_of(self, error: type, frame: FrameType | None) -> RaisePoint:
        """Return the place of a termination in this frame: the innermost caller in the code under test.

        Without one, or without a frame, the file is empty and the line is 0.
        """
        while frame is not None and frame.f_code.co_filename not in self._contracts:
            frame = frame.f_back
        return (error, "", 0) if frame is None else (error, frame.f_code.co_filename, frame.f_lineno)

    def number(self, place: RaisePoint) -> tuple[int, bool]:
        """Return the number of a place that raises, and whether the place is new. Set ``met``.

        Places are numbered from 0, in the order in which they are met.
        """
        new = place not in self._known
        number = self._known.setdefault(place, len(self._known))
        self.met = number + 1
        return number, new

    def _instructions(self, code: CodeType) -> bytes:
        """Return the bytecode of a code object."""
        known = self._raises.get(id(code))  # by identity, as comparing code objects is slow
        if known is None:
            known = self._raises[id(code)] = code, code.co_code
        return known[1]


def _traces(error: BaseException) -> list[TracebackType]:
    """Return the traceback's entries, the outermost first; empty if the exception has no traceback."""
    found, trace = list[TracebackType](), error.__traceback__
    while trace is not None:
        found.append(trace)
        trace = trace.tb_next
    return found


def _written_at(code: CodeType) -> tuple[str, str, int]:
    """Return a key that all code objects made from one function share: plain, instrumented and mutated."""
    return code.co_filename, code.co_qualname, code.co_firstlineno
