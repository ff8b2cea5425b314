"""Replay: run the plain function once and record its behaviour.

The record holds snapshots: Python values as data, which another process can read without the user's modules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...subject.base import Replay, Termination
from .values.object_uses import Steps
from .values.snapshots import Snapshot, named, same, snapshot


@dataclass(frozen=True)
class PythonReplay(Replay):
    """The record of one run of the plain function.

    Attributes:
        arguments: snapshots of the arguments before the call. Those that the call omits are ``missing``.
        value: a snapshot of the result; None if the run did not return a value.
        raised: the class of the exception as ``module:QualName``; empty if the run returned, hung, or was stopped.
        message: ``str`` of the exception; empty if that fails, and for RecursionError, whose message varies.
        results: snapshots of the results of a call sequence, one for each use of the object that returned. None if the
            target is no class, or its constructor raised.
        caught_as: the nearest importable base of the exception's class, as ``module:QualName``; empty if the class
            itself can be imported.
        after: snapshots of the arguments after the call; None for an argument that the call did not change. Empty if
            the function was not called.
        repeatable: whether a second run did the same; true if there was no second run.
    """

    arguments: tuple[Snapshot, ...] = ()
    value: Snapshot | None = None
    raised: str = ""
    message: str = ""
    after: tuple[Snapshot | None, ...] = ()
    repeatable: bool = True
    caught_as: str = ""
    results: tuple[Snapshot, ...] | None = None

    def varying(self, cause: str) -> PythonReplay | None:
        is_left = self.repeatable and self.outcome is Termination.RETURNED and not self.raised
        return replace(self, repeatable=False, varies=cause) if is_left else None

    def is_like(self, other: PythonReplay) -> bool:
        """Whether the other run did the same, bit for bit. All NaNs count as equal.

        The termination, the exception with its message, the results and the changed arguments are compared.
        """
        if (self.outcome, self.raised, self.message) != (other.outcome, other.raised, other.message):
            return False
        if len(self.results or ()) != len(other.results or ()):
            return False
        pairs = [(self.value, other.value), *zip(self.after, other.after, strict=False),
                 *zip(self.results or (), other.results or (), strict=True)]  # fmt: skip
        return all(_same(one, another) for one, another in pairs)


def _same(one: Snapshot | None, other: Snapshot | None) -> bool:
    """Whether two snapshots are the same; None is the same as None only."""
    return one is other or (one is not None and other is not None and same(one, other))


def run_once(call: Callable[[Sequence[object]], object], values: Sequence[object], arguments: tuple[Snapshot, ...],
             judge: Callable[[BaseException], tuple[Termination, str, str]]) -> PythonReplay:  # fmt: skip
    """Call a function and return the record of this run.

    Every exception of the call is recorded, also SystemExit and KeyboardInterrupt; none passes through.

    Args:
        call: calls the function; it takes ``values``.
        values: the arguments as objects, which the call may change. If the first one is a call sequence
            (:class:`.values.object_uses.Steps`), its ``watch`` is set.
        arguments: snapshots of the arguments, for the record.
        judge: classifies an exception. It returns the termination, the reason why the exception is no finding (empty
            if it is one or is a result), and the place that raised it, as ``file:line``.

    Returns:
        The record. Its ``repeatable`` is true, as there was only one run.
    """
    before = tuple(None if type(value) in _FIXED else snapshot(value) for value in values)
    value, raised, message, caught_as, detail, uncounted, place = None, "", "", "", "", "", ""
    outcome = Termination.RETURNED
    made: list[Snapshot] = []  # of the object and of each result, taken at once: later calls may change them
    if values and isinstance(values[0], Steps):
        values[0].watch = lambda result: made.append(snapshot(result))
    try:
        value = snapshot(call(values))
    except BaseException as error:
        outcome, uncounted, place = judge(error)
        if outcome is not Termination.HUNG:
            raised, message = _path(type(error)), _message(error)
            base = next(kind for kind in type(error).__mro__ if _is_importable(kind))
            caught_as = "" if base is type(error) else _path(base)
            detail = f"{type(error).__name__}: {message}" if message else type(error).__name__
    after: tuple[Snapshot | None, ...] = (None,) * len(values)
    try:  # a snapshot may run probed code, such as properties, and there may be no fuel left for it
        if outcome is not Termination.HUNG:
            after = tuple(None if old is None else _changed(old, now) for old, now in zip(before, values, strict=True))
    except BaseException as error:
        outcome, uncounted, place = judge(error)
        if outcome is not Termination.HUNG:
            raise
        value, raised, message, caught_as, detail = None, "", "", "", ""
    results = tuple(made[1:]) if made else None
    return PythonReplay(outcome, arguments, value, raised, message, after, caught_as=caught_as, detail=detail,
                        results=results, uncounted=uncounted, place=place)  # fmt: skip


_FIXED = (float, int, bool, str, type(None))  # immutable


def _changed(before: Snapshot, value: object) -> Snapshot | None:
    """Return the snapshot of a value now; None if it is the same as the snapshot ``before``."""
    after = snapshot(value)
    return None if same(before, after) else after


def _path(kind: type) -> str:
    """Return the path of a class, as ``module:QualName``."""
    return f"{kind.__module__}:{kind.__qualname__}"


def _is_importable(kind: type) -> bool:
    """Whether the class can be found by its path in a loaded module."""
    return named(_path(kind)) is kind


def _message(error: BaseException) -> str:
    """Return the text of an exception; empty if it may differ between runs, or can not be made."""
    if isinstance(error, RecursionError):
        return ""  # its message depends on where the limit was met, which differs between runs
    try:
        return str(error)
    except Exception:  # the user's class may define a ``__str__`` that fails
        return ""
