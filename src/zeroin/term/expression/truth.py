"""Python's ``and``, ``or``, ``not`` and ``if`` for operands that may raise an exception instead of having a value.

As in Python, operands are evaluated from left to right, and only as far as the result needs them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.build import FALSE, conjunction, disjunction, negation
from ..core.nodes import Term
from .cases import choose
from .typed import TRUTH, TypedValue, convert, truth, type_of


@dataclass(frozen=True)
class Read:
    """A part of an expression.

    Attributes:
        value: its value where it raises no exception.
        fails: a term of sort Bool that holds where it raises an exception.
        yes: for a condition, a term that holds where it is true without an exception; not set for other types.
        no: for a condition, a term that holds where it is false without an exception; not set for other types.
    """

    value: TypedValue
    fails: Term = FALSE
    yes: Term = field(init=False)
    no: Term = field(init=False)

    def __post_init__(self) -> None:
        if type_of(self.value) == TRUTH:
            holds = convert(self.value, TRUTH)
            object.__setattr__(self, "yes", conjunction([holds, negation(self.fails)]))
            object.__setattr__(self, "no", conjunction([negation(holds), negation(self.fails)]))


def _known(yes: Term, no: Term) -> Read:
    """Return the condition that is true where ``yes`` holds, false where ``no`` holds, and raises an exception
    elsewhere."""
    read = Read(truth(yes), negation(disjunction([yes, no])))
    object.__setattr__(read, "yes", yes)
    object.__setattr__(read, "no", no)
    return read


def all_of(parts: Sequence[Read]) -> Read:
    """Return Python's ``and`` of conditions."""
    yes = conjunction(part.yes for part in parts)
    if all(part.fails is FALSE for part in parts):
        return Read(truth(yes))
    no = FALSE
    for part in reversed(parts):
        no = disjunction([part.no, no if part.fails is FALSE else conjunction([part.yes, no])])
    return _known(yes, no)


def any_of(parts: Sequence[Read]) -> Read:
    """Return Python's ``or`` of conditions."""
    if all(part.fails is FALSE for part in parts):
        return Read(truth(disjunction(part.yes for part in parts)))
    return opposite(all_of([opposite(part) for part in parts]))


def opposite(part: Read) -> Read:
    """Return Python's ``not`` of a condition."""
    if part.fails is FALSE:
        return Read(truth(negation(part.yes)))
    return _known(part.no, part.yes)


def picked(test: Read, then: Read, other: Read) -> Read:
    """Return Python's ``then if test else other``."""
    value = choose(convert(test.value, TRUTH), then.value, other.value)
    if test.fails is FALSE and then.fails is FALSE and other.fails is FALSE:
        return Read(value)
    cases = [conjunction([test.yes, then.fails]), conjunction([test.no, other.fails])]
    return Read(value, disjunction([test.fails, *cases]))
