"""What is known of a run while its way is followed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....model.memory import Unreadable
from ....model.path import PathCondition, SideConstraint, Step, Truth
from ....term.core.build import FALSE, TRUE, equal, negation
from ....term.core.evaluate import evaluate, signed
from ....term.core.nodes import Op, Term, constant, intern, make
from ....term.core.simplify import simpler
from ....term.core.sorts import BOOL, Sort
from ....term.core.traversal import rebuild

_PATTERN = 0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA


class Record:
    """The decisions of a run, and what else holds along its way.

    Args:
        inputs: what the variables were in the run.
    """

    def __init__(self, inputs: Mapping[str, object]) -> None:
        self.inputs = inputs
        self.steps: list[Step] = []
        self.asides: list[SideConstraint] = []
        self.truths: list[Truth] = []
        self._known: dict[Term, Any] = {}
        self._unset, self._filled = 0, (dict[Term, Term](), dict[Term, Term]())

    def note(self, constraint: Term, why: str, pins: bool = False) -> None:
        """Something that holds along the path without being a decision."""
        constraint = simpler(constraint)
        if constraint is not TRUE:
            self.asides.append(SideConstraint(constraint, len(self.steps), why, pins))

    def choose(self, condition: Term, place: int, stack: tuple[int, ...], why: str) -> bool:
        """A condition that has no site, at this place: whether it held. One that depends on no input, which it may
        where a value was taken from the run, is noted, too: runs with the same choices come to the same places."""
        self.check(condition)
        holds = bool(self.value(condition))
        constraint = condition if holds else negation(condition)
        self.asides.append(SideConstraint(constraint, len(self.steps), why, False, place, stack, holds))
        return holds

    def path(self, ended: str) -> PathCondition:
        """All that was noted, and why no more was; empty if that is all."""
        return PathCondition(tuple(self.steps), tuple(self.asides), self.inputs, ended, tuple(self.truths))

    def unset(self, sort: Sort | None) -> Term | None:
        """What a variable holds that is not set, another value each time; None of what is no number."""
        if sort is None:
            return None
        self._unset += 1
        nothing, one, other = FALSE, TRUE, TRUE
        if sort != BOOL:
            patterns = (pattern & ((1 << sort.width) - 1) for pattern in (0, -1, _PATTERN))
            nothing, one, other = (intern(Op.CONSTANT, (), pattern, sort) for pattern in patterns)
        made = make(Op.OPEN, nothing, data=f"an uninitialised variable ({self._unset})")
        self._filled[0][made], self._filled[1][made] = one, other
        return made

    def check(self, term: Term, was: object = None) -> None:
        """Complain where it matters to a run what a variable held that was never set: nobody knows what that was.

        Args:
            term: by which the run goes on.
            was: its value in the run, if that is known.

        Raises:
            Unreadable: it does.
        """
        if self._unset:
            now = self.value(term)
            others = (evaluate(rebuild(term, simpler, filled), self.inputs) for filled in self._filled)
            if (was is not None and was != now) or any(other != now for other in others):
                raise Unreadable("an uninitialised value is used")

    def value(self, term: Term) -> Any:
        """What a term was in the run."""
        return evaluate(term, self.inputs, self._known)

    def pinned(self, offset: Term) -> int:
        """A number that has to be known: what it was in the run."""
        if offset.is_constant:
            return signed(offset.data, offset.sort.width)
        self.check(offset)
        number = self.value(offset)
        self.note(equal(offset, constant(offset.sort, number)), "an address is taken from the run", pins=True)
        return signed(number, offset.sort.width)
