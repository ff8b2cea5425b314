"""The path condition of a run during symbolic execution."""

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

_PATTERN = 0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA


class Record:
    """The decisions of a run, and the other constraints along its path.

    Args:
        inputs: the values of the input variables in the run, by name.

    Attributes:
        steps: the decisions at sites so far.
        asides: the other constraints so far.
        truths: the comparisons so far that are not at a site.
    """

    def __init__(self, inputs: Mapping[str, object]) -> None:
        self.inputs = inputs
        self.steps: list[Step] = []
        self.asides: list[SideConstraint] = []
        self.truths: list[Truth] = []
        self._known: dict[Term, Any] = {}
        self._unset, self._filled = 0, (dict[Term, Any](), dict[Term, Any]())  # values with two other contents

    def note(self, constraint: Term, why: str, pins: bool = False) -> None:
        """Add a constraint that is no decision. One that is always true is left out.

        Args:
            constraint: the constraint, a Bool.
            why: a description for people.
            pins: whether it fixes a value to that of the run (concretisation).
        """
        constraint = simpler(constraint)
        if constraint is not TRUE:
            self.asides.append(SideConstraint(constraint, len(self.steps), why, pins))

    def choose(self, condition: Term, place: int, stack: tuple[int, ...], why: str) -> bool:
        """Add a condition without a probe; return whether it held in the run.

        A condition that depends on no input is added, too, so that runs with the same choices reach the same places.
        Such a condition may come from a value that was taken from the run.

        Args:
            condition: the condition, a Bool.
            place: a number that identifies the place in the code.
            stack: the places of the calls around it, the outermost first.
            why: a description for people.

        Raises:
            Unreadable: the condition depends on an uninitialised value.
            NoValue: it can not be evaluated.
        """
        self.check(condition)
        holds = bool(self.value(condition))
        constraint = condition if holds else negation(condition)
        self.asides.append(SideConstraint(constraint, len(self.steps), why, False, place, stack, holds))
        return holds

    def path(self, ended: str) -> PathCondition:
        """Return the path condition so far. ``ended`` is the reason why the path goes no further; empty at its end."""
        return PathCondition(tuple(self.steps), tuple(self.asides), self.inputs, ended, tuple(self.truths))

    def unset(self, sort: Sort | None) -> Term | None:
        """Return the value of an uninitialised variable, another open value in each call; None if the sort is None."""
        if sort is None:
            return None
        self._unset += 1
        nothing, one, other = FALSE, TRUE, TRUE
        if sort != BOOL:
            patterns = (pattern & ((1 << sort.width) - 1) for pattern in (0, -1, _PATTERN))
            nothing, one, other = (intern(Op.CONSTANT, (), pattern, sort) for pattern in patterns)
        made = make(Op.OPEN, nothing, data=f"an uninitialised variable ({self._unset})")
        self._filled[0][made], self._filled[1][made] = (evaluate(of, {}) for of in (one, other))
        return made

    def check(self, term: Term, was: object = None) -> None:
        """Check that a value on which the run depends does not depend on uninitialised variables.

        Args:
            term: the value.
            was: the value in the run; None: not known.

        Raises:
            Unreadable: it depends on them.
        """
        if self._unset:
            now = self.value(term)
            others = (evaluate(term, self.inputs, known) for known in self._filled)
            if (was is not None and was != now) or any(other != now for other in others):
                raise Unreadable("an uninitialised value is used")

    def value(self, term: Term) -> Any:
        """Return the value of a term in the run.

        Raises:
            NoValue: the term can not be evaluated.
        """
        return evaluate(term, self.inputs, self._known)

    def pinned(self, offset: Term) -> int:
        """Return a bit vector as a signed number, fixed to its value in the run by a constraint (concretisation).

        A constant needs no constraint.

        Raises:
            Unreadable: it depends on an uninitialised value.
        """
        if offset.is_constant:
            return signed(offset.data, offset.sort.width)
        self.check(offset)
        number = self.value(offset)
        self.note(equal(offset, constant(offset.sort, number)), "an address is taken from the run", pins=True)
        return signed(number, offset.sort.width)
