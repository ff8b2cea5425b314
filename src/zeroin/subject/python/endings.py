"""How a run of a Python function ended that did not return."""

from __future__ import annotations

import dis
from collections.abc import Mapping
from types import CodeType, FrameType

from ..base import Outcome
from .guard import Forbidden
from .probes.probing import Hung
from .values.returning import CODE

_RAISE = dis.opmap["RAISE_VARARGS"]
# What the interpreter itself raises where a `raise` has nothing that can be raised.
_MISUSES = ("exceptions must derive from BaseException", "exception causes must derive from BaseException",
            "No active exception to reraise")  # fmt: skip
Place = tuple[type, str, int]


class Endings:
    """Tells an exception that the code raised on purpose from one that happened to it, and one end from another.

    Args:
        asserts: for each file of the code under test the lines of its assertions.

    Attributes:
        expected: exceptions that are as good as those that the code raises on purpose.
        met: one more than the number of the place that was asked for last.
    """

    def __init__(self, asserts: Mapping[str, frozenset[int]]) -> None:
        self._asserts = asserts
        self.expected: tuple[type[BaseException], ...] = ()
        self.met = 0
        self._known: dict[Place, int] = {}
        self._raises: dict[int, tuple[CodeType, bytes]] = {}

    def classify(self, error: BaseException) -> tuple[Outcome, Place]:
        """The outcome (``RETURNED`` for an exception that is expected or raised on purpose, by the code or by a
        function that it was given) and the place that the exception is from."""
        if isinstance(error, Hung):
            return Outcome.HUNG, (Hung, "", 0)
        if isinstance(error, Forbidden):
            return Outcome.FORBIDDEN, (Forbidden, "", 0)
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        is_expected = isinstance(error, self.expected)
        if trace is None:
            return Outcome.RETURNED if is_expected else Outcome.RAISED, (type(error), "", 0)
        code, line = trace.tb_frame.f_code, trace.tb_lineno or 0
        place = (type(error), code.co_filename, line)
        if is_expected:
            return Outcome.RETURNED, place
        if isinstance(error, SystemExit):
            return Outcome.EXITED, place
        if isinstance(error, MemoryError):
            return Outcome.MEMORY, place
        if code is CODE:
            return Outcome.RETURNED, place
        if code.co_filename not in self._asserts or self._instructions(code)[trace.tb_lasti] != _RAISE:
            return Outcome.RAISED, place
        if error.args and type(error.args[0]) is str and error.args[0] in _MISUSES:
            return Outcome.RAISED, place
        asserted = isinstance(error, AssertionError) and line in self._asserts[code.co_filename]
        return (Outcome.ASSERTED if asserted else Outcome.RETURNED), place

    def is_one(self, outcome: Outcome, error: BaseException) -> bool:
        """Whether a run that ends so is told from those that return."""
        return outcome is not Outcome.RETURNED or isinstance(error, self.expected)

    def place_of(self, error: type, frame: FrameType | None) -> Place:
        """The place of an end that came in this frame: in the code under test, if that called it."""
        while frame is not None and frame.f_code.co_filename not in self._asserts:
            frame = frame.f_back
        return (error, "", 0) if frame is None else (error, frame.f_code.co_filename, frame.f_lineno)

    def number(self, place: Place) -> tuple[int, bool]:
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
