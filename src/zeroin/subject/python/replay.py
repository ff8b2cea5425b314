"""What one run of a plain Python function did, in a form that another process can read without the user's modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..base import Outcome, Replay
from .values.pictures import Value, picture, same


@dataclass(frozen=True)
class PythonReplay(Replay):
    """One run of the plain function.

    Attributes:
        arguments: what it was called with, pictured before the call.
        value: what it returned; None when it raised.
        raised: class of the exception, as ``module:QualName``; empty when it returned.
        message: ``str`` of the exception.
        after: the arguments after the call; None for one that the call did not change.
        repeatable: a second run did the same.
    """

    arguments: tuple[Value, ...] = ()
    value: Value | None = None
    raised: str = ""
    message: str = ""
    after: tuple[Value | None, ...] = ()
    repeatable: bool = True

    def is_like(self, other: PythonReplay) -> bool:
        """Whether the other run did the same, bit for bit; one NaN is as good as another."""
        if (self.outcome, self.raised, self.message) != (other.outcome, other.raised, other.message):
            return False
        return _same(self.value, other.value) and all(map(_same, self.after, other.after))


def _same(one: Value | None, other: Value | None) -> bool:
    return one is other or (one is not None and other is not None and same(one, other))


def run_once(call: Callable[[Sequence[Any]], Any], values: Sequence[Any], arguments: tuple[Value, ...],
             classify: Callable[[BaseException], Outcome]) -> PythonReplay:  # fmt: skip
    """Call a function and write down what it did.

    Args:
        call: takes the values.
        arguments: pictures of the values.
        classify: how a run ended that raised.
    """
    before = tuple(map(picture, values))
    value, raised, message, detail, outcome = None, "", "", "", Outcome.RETURNED
    try:
        value = picture(call(values))
    except BaseException as error:
        outcome = classify(error)
        if outcome is not Outcome.HUNG:
            raised, message = f"{type(error).__module__}:{type(error).__qualname__}", _message(error)
            detail = f"{type(error).__name__}: {message}" if message else type(error).__name__
    after = tuple(None if same(old, new) else new for old, new in zip(before, map(picture, values), strict=True))
    return PythonReplay(outcome, arguments, value, raised, message, after, detail=detail)


def _message(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return ""  # it says where the limit was met, which is not the same in every run
    try:
        return str(error)
    except Exception:  # the class's own method fails
        return ""
