"""What one run of a plain Python function did, in a form that another process can read without the user's modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...subject.base import Replay, Termination
from .values.object_uses import Steps
from .values.pictures import Picture, named, picture, same


@dataclass(frozen=True)
class PythonReplay(Replay):
    """One run of the plain function.

    Attributes:
        arguments: what it was called with, pictured before the call.
        value: what it returned; None when it raised.
        raised: class of the exception, as ``module:QualName``; empty when it returned.
        message: ``str`` of the exception.
        results: of a class, what each use of its object returned; None if there was no object.
        caught_as: the nearest base of that class that can be imported, in the same form; empty when it can itself.
        after: the arguments after the call; None for one that the call did not change.
        repeatable: a second run did the same.
    """

    arguments: tuple[Picture, ...] = ()
    value: Picture | None = None
    raised: str = ""
    message: str = ""
    after: tuple[Picture | None, ...] = ()
    repeatable: bool = True
    caught_as: str = ""
    results: tuple[Picture, ...] | None = None

    def varying(self, cause: str) -> PythonReplay | None:
        is_left = self.repeatable and self.outcome is Termination.RETURNED and not self.raised
        return replace(self, repeatable=False, varies=cause) if is_left else None

    def is_like(self, other: PythonReplay) -> bool:
        """Whether the other run did the same, bit for bit; one NaN is as good as another."""
        if (self.outcome, self.raised, self.message) != (other.outcome, other.raised, other.message):
            return False
        if len(self.results or ()) != len(other.results or ()):
            return False
        pairs = [(self.value, other.value), *zip(self.after, other.after, strict=False),
                 *zip(self.results or (), other.results or (), strict=True)]  # fmt: skip
        return all(_same(one, another) for one, another in pairs)


def _same(one: Picture | None, other: Picture | None) -> bool:
    return one is other or (one is not None and other is not None and same(one, other))


def run_once(call: Callable[[Sequence[Any]], Any], values: Sequence[Any], arguments: tuple[Picture, ...],
             judge: Callable[[BaseException], tuple[Termination, str, str]]) -> PythonReplay:  # fmt: skip
    """Call a function and write down what it did.

    Args:
        call: takes the values.
        arguments: pictures of the values.
        judge: how a run ended that raised, why that is no finding, and the place it came from.
    """
    before = tuple(None if type(value) in _FIXED else picture(value) for value in values)
    value, raised, message, caught_as, detail, uncounted, place = None, "", "", "", "", "", ""
    outcome = Termination.RETURNED
    made: list[Picture] = []  # pictures of what came of the object and of its uses, when it came: it may change later
    if values and isinstance(values[0], Steps):
        values[0].watch = lambda result: made.append(picture(result))
    try:
        value = picture(call(values))
    except BaseException as error:
        outcome, uncounted, place = judge(error)
        if outcome is not Termination.HUNG:
            raised, message = _path(type(error)), _message(error)
            base = next(kind for kind in type(error).__mro__ if _is_importable(kind))
            caught_as = "" if base is type(error) else _path(base)
            detail = f"{type(error).__name__}: {message}" if message else type(error).__name__
    after = tuple(None if old is None else _changed(old, value) for old, value in zip(before, values, strict=True))
    results = tuple(made[1:]) if made else None
    return PythonReplay(outcome, arguments, value, raised, message, after, caught_as=caught_as, detail=detail,
                        results=results, uncounted=uncounted, place=place)  # fmt: skip


_FIXED = (float, int, bool, str, type(None))  # of these no call changes one


def _changed(before: Picture, value: Any) -> Picture | None:
    after = picture(value)
    return None if same(before, after) else after


def _path(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _is_importable(kind: type) -> bool:
    return named(_path(kind)) is kind


def _message(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return ""  # it says where the limit was met, which is not the same in every run
    try:
        return str(error)
    except Exception:  # the class's own method fails
        return ""
