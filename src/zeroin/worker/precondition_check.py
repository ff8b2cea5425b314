"""Preconditions of a target, checked right after loading: whether any input satisfies them, and which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..config import Budget, InputOptions
from ..errors import OptionError
from ..languages.registry import LANGUAGES
from ..subject.base import Words
from ..subject.subject import Subject
from ..words import encode

if TYPE_CHECKING:
    from ..solvers.base import Answer, Unsat
    from ..subject.precondition_syntax import Condition
    from ..subject.preconditions import Preconditions
    from ..term.core.nodes import Term

_WORK, _LONGEST = 3.0, 30.0  # limits of solvers: seconds of work (see zeroin.solvers.work_clock), and real seconds


def set_preconditions(subject: Subject, options: InputOptions, function: str) -> None:
    """Set the preconditions of a subject, which then runs only inputs that satisfy them.

    Args:
        subject: the subject.
        options: ``assume`` has the conditions; ``finite`` excludes NaNs and infinities.
        function: the name of the target's function.

    Raises:
        OptionError: a condition is invalid, or no input satisfies all of them.
    """
    if not options.assume and not options.finite:
        return
    from ..subject.preconditions import preconditions_of

    assumed = preconditions_of(LANGUAGES[subject.language].names(subject.signature), options, function)
    if assumed is not None:
        subject.assume(replace(assumed, start=_start(assumed)))


def _start(assumed: Preconditions) -> Words:
    """Return an input that satisfies all preconditions; empty if none is found.

    Raises:
        OptionError: it is proved that there is none.
    """
    limits = zip(assumed.signature.kinds, assumed.signature.ranges(), strict=True)
    plain = tuple(min(max(encode(kind, 0), low), high) for kind, (low, high) in limits)
    if assumed.holds(plain):
        return plain
    from ..solvers.base import Sat, Unsat
    from ..subject.precondition_syntax import words_within

    ranges = words_within(assumed.leaves, assumed.signature.ranges())
    answer = _asked(assumed.conditions, ranges)
    if isinstance(answer, Unsat):
        raise OptionError(_contradiction(assumed.conditions, ranges, answer))
    if not isinstance(answer, Sat):
        return ()
    found = list(plain)
    for at, leaf in assumed.leaves.items():
        if (value := answer.model.get(leaf.variable.data)) is not None:
            low, high = assumed.signature.ranges()[at]
            found[at] = min(max(leaf.word_of(value), low), high)
    return words if assumed.holds(words := tuple(found)) else ()


def _asked(conditions: Sequence[Condition], ranges: Sequence[Term]) -> Answer:
    """Let a chain of solvers find values that satisfy the conditions and ranges, for at most 30 seconds."""
    from ..solvers.base import Query
    from ..solvers.chain import thorough_exploration_solver

    query = Query((*(one.term for one in conditions), *ranges))
    return thorough_exploration_solver(0).solve(query, Budget(seconds=_LONGEST, work=_WORK))


def _contradiction(conditions: Sequence[Condition], ranges: Sequence[Term], answer: Unsat) -> str:
    """Return the message that names conditions which contradict each other.

    Conditions are left out one after the other as long as the rest is unsatisfiable.

    Args:
        conditions: conditions that are unsatisfiable together with the ranges.
        ranges: the ranges of the words as terms.
        answer: the solver's answer for the conditions and ranges.
    """
    from ..solvers.base import Unsat

    needed = list(conditions)
    for one in conditions:
        fewer = [other for other in needed if other is not one]
        if fewer and isinstance(found := _asked(fewer, ranges), Unsat):
            needed, answer = fewer, found
    texts = ", ".join(dict.fromkeys(one.text for one in needed))
    alone = "" if isinstance(_asked(needed, ()), Unsat) else " within the assumed ranges"
    return f'--assume "{texts}": no input satisfies that{alone} (proved by {answer.by})'
