"""What is known of a run while its way is followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....model.path import Aside, PathCondition, Step, Truth
from ....term.build import TRUE, equal, negation
from ....term.evaluate import evaluate, signed
from ....term.nodes import Term, constant
from ....term.smaller import simpler


class Record:
    """The decisions of a run, and what else holds along its way.

    Args:
        inputs: what the variables were in the run.
    """

    def __init__(self, inputs: Mapping[str, Any]) -> None:
        self.inputs = inputs
        self.steps: list[Step] = []
        self.asides: list[Aside] = []
        self.truths: list[Truth] = []
        self._known: dict[Term, Any] = {}

    def note(self, constraint: Term, why: str, pins: bool = False) -> None:
        """Something that holds along the path without being a decision."""
        constraint = simpler(constraint)
        if constraint is not TRUE:
            self.asides.append(Aside(constraint, len(self.steps), why, pins))

    def choose(self, condition: Term, place: int, stack: tuple[int, ...], why: str) -> bool:
        """A condition that has no site, at this place: whether it held. One that depends on no input, which it may
        where a value was taken from the run, is noted, too: runs with the same choices come to the same places."""
        holds = bool(self.value(condition))
        constraint = condition if holds else negation(condition)
        self.asides.append(Aside(constraint, len(self.steps), why, False, place, stack, holds))
        return holds

    def path(self, ended: str) -> PathCondition:
        """All that was noted, and why no more was; empty if that is all."""
        return PathCondition(tuple(self.steps), tuple(self.asides), self.inputs, ended, tuple(self.truths))

    def value(self, term: Term) -> Any:
        """What a term was in the run."""
        return evaluate(term, self.inputs, self._known)

    def pinned(self, offset: Term) -> int:
        """A number that has to be known: what it was in the run."""
        if offset.is_constant:
            return signed(offset.data, offset.sort.width)
        number = self.value(offset)
        self.note(equal(offset, constant(offset.sort, number)), "an address is taken from the run", pins=True)
        return signed(number, offset.sort.width)
