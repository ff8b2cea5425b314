"""Path conditions: what an input has to satisfy so that its run takes a path (Xie et al. 2009, section 2; Dinges & Agha
2014, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..term.core.build import negation
from ..term.core.evaluate import evaluate
from ..term.core.nodes import Flat, Term, flattened


@dataclass(frozen=True)
class Step:
    """A decision of a path: the site's condition, read as a term over the inputs.

    Attributes:
        site: its number.
        holds: what the run decided.
        condition: a Bool.
        left: what a probe saw on the left of the comparison, a float or a bit vector,
        right: and on its right.
        stack: the calls that it was made in, the outermost first; equal numbers mean equal places.
    """

    site: int
    holds: bool
    condition: Term
    left: Term
    right: Term
    stack: tuple[int, ...] = ()

    @property
    def constraint(self) -> Term:
        """What holds of an input that decides here as the run did, if it came here."""
        return self.condition if self.holds else negation(self.condition)


@dataclass(frozen=True)
class Aside:
    """What holds along the path without being a decision at a site: an index that lies in its array, a condition that
    has no site, or a value that was taken from the run.

    Attributes:
        constraint: a Bool.
        before: the number of decisions that come before it.
        why: for people.
        pins: the value was taken from the run: other inputs that take the path are left out.
        place: of a condition that has no site, a number for its place in the code; else -1.
        stack: of such a condition, see :class:`Step`.
        holds: what such a condition was.
    """

    constraint: Term
    before: int
    why: str
    pins: bool = False
    place: int = -1
    stack: tuple[int, ...] = ()
    holds: bool = True


@dataclass(frozen=True)
class Choice:
    """Something that the run decided, at a site or elsewhere.

    Attributes:
        site: its number; of a condition that has no site, a negative number for its place.
        holds: what the run decided.
        constraint: what holds of an input that decides so.
        stack: see :class:`Step`.
        before: how many constraints come before it.
    """

    site: int
    holds: bool
    constraint: Term
    stack: tuple[int, ...]
    before: int


@dataclass(frozen=True)
class Truth:
    """A comparison that was evaluated, as numbers.

    Attributes:
        key: a site; or the place of an expression with a truth value that is no site: its function, block and
            instruction.
        holds: what it was.
        op: which relations satisfy it, see :mod:`zeroin.distance`.
        left: its left operand.
        right: its right one.
    """

    key: int | tuple[str, int, int]
    holds: bool
    op: int
    left: float
    right: float


@dataclass(frozen=True)
class PathCondition:
    """The conjunction that holds for the inputs that take a path.

    Every input that satisfies it takes the path, as far as it was followed. Unless something is pinned, every input
    that takes the path satisfies it.

    Attributes:
        steps: the decisions, in order.
        asides: what else holds, in order.
        inputs: the variables, and what they were in the run.
        ended: why the path was not followed to its end; empty if it was.
        truths: the expressions with a truth value that are no sites, as they were evaluated.
    """

    steps: tuple[Step, ...]
    asides: tuple[Aside, ...]
    inputs: Mapping[str, Any]
    ended: str = ""
    truths: tuple[Truth, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether every input that takes the path satisfies it."""
        return not any(aside.pins for aside in self.asides)

    def __reduce__(self) -> Any:
        """What the terms share is written once."""
        terms = [term for s in self.steps for term in (s.condition, s.left, s.right)] + [
            aside.constraint for aside in self.asides]  # fmt: skip
        steps = [(s.site, s.holds, s.stack) for s in self.steps]
        asides = [(a.before, a.why, a.pins, a.place, a.stack, a.holds) for a in self.asides]
        return _restored, (flattened(terms), steps, asides, self.inputs, self.ended, self.truths)

    def constraints(self) -> list[Term]:
        """All of them, in the order of the run."""
        return [one.constraint for one in self._entries]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """All that the run decided, in order."""
        found = []
        for before, one in enumerate(self._entries):
            if isinstance(one, Step):
                found.append(Choice(one.site, one.holds, one.constraint, one.stack, before))
            elif one.place >= 0:
                found.append(Choice(~one.place, one.holds, one.constraint, one.stack, before))
        return tuple(found)

    def otherwise(self, choice: Choice) -> list[Term]:
        """What an input satisfies that takes the path up to a choice, and decides that one otherwise."""
        return [*(one.constraint for one in self._entries[: choice.before]), negation(choice.constraint)]

    def is_exact_before(self, choice: Choice) -> bool:
        """Whether every input that takes the path up to a choice satisfies what comes before it."""
        return not any(isinstance(one, Aside) and one.pins for one in self._entries[: choice.before])

    @cached_property
    def _entries(self) -> list[Step | Aside]:
        placed = list[Step | Aside]()
        done = 0
        for aside in self.asides:
            placed += self.steps[done : aside.before]
            placed.append(aside)
            done = aside.before
        return [*placed, *self.steps[done:]]

    def holds(self, inputs: Mapping[str, Any]) -> bool:
        """Whether an input satisfies it. A constraint counts only if those before it hold."""
        memo: dict[Term, Any] = {}
        return all(evaluate(term, inputs, memo) for term in self.constraints())


def _restored(flat: Flat, steps: list[tuple[int, bool, tuple[int, ...]]], asides: list[tuple[Any, ...]],
              inputs: Mapping[str, Any], ended: str, truths: tuple[Truth, ...]) -> PathCondition:  # fmt: skip
    terms = iter(flat.terms())
    decided = tuple(Step(site, holds, next(terms), next(terms), next(terms), stack) for site, holds, stack in steps)
    beside = tuple(Aside(next(terms), *rest) for rest in asides)
    return PathCondition(decided, beside, inputs, ended, truths)
