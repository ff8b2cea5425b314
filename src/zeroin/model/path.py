"""Path conditions: what an input has to satisfy so that its run takes a path (Xie et al. 2009, section 2; Dinges & Agha
2014, section 2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..term.build import negation
from ..term.evaluate import evaluate
from ..term.nodes import Flat, Term, flattened


@dataclass(frozen=True)
class Step:
    """A decision of a path: the site's condition, read as a term over the inputs.

    Attributes:
        site: its number.
        holds: what the run decided.
        condition: a Bool.
        left: what a probe saw on the left of the comparison, a float or a bit vector,
        right: and on its right.
    """

    site: int
    holds: bool
    condition: Term
    left: Term
    right: Term

    @property
    def constraint(self) -> Term:
        """What holds of an input that decides here as the run did, if it came here."""
        return self.condition if self.holds else negation(self.condition)


@dataclass(frozen=True)
class Aside:
    """What holds along the path without being a decision of the source: an index that lies in its array, a condition
    that has no site, or a value that was taken from the run.

    Attributes:
        constraint: a Bool.
        before: the number of decisions that come before it.
        why: for people.
        pins: the value was taken from the run: other inputs that take the path are left out.
    """

    constraint: Term
    before: int
    why: str
    pins: bool = False


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
    """

    steps: tuple[Step, ...]
    asides: tuple[Aside, ...]
    inputs: Mapping[str, Any]
    ended: str = ""

    @property
    def is_exact(self) -> bool:
        """Whether every input that takes the path satisfies it."""
        return not any(aside.pins for aside in self.asides)

    def __reduce__(self) -> Any:
        """What the terms share is written once."""
        terms = [term for s in self.steps for term in (s.condition, s.left, s.right)] + [
            aside.constraint for aside in self.asides]  # fmt: skip
        steps = [(s.site, s.holds) for s in self.steps]
        asides = [(a.before, a.why, a.pins) for a in self.asides]
        return _restored, (flattened(terms), steps, asides, self.inputs, self.ended)

    def constraints(self, length: int | None = None) -> list[Term]:
        """Those of the first so many decisions (all of them without a number), in the order of the run."""
        return [term for _, term in self._ordered(len(self.steps) if length is None else length)]

    def flipped(self, number: int) -> list[Term]:
        """What an input satisfies that takes the path up to a decision, and decides that one otherwise."""
        return [*self._up_to(number), negation(self.steps[number].constraint)]

    def holds(self, inputs: Mapping[str, Any]) -> bool:
        """Whether an input satisfies it. A constraint counts only if those before it hold."""
        memo: dict[Term, Any] = {}
        return all(evaluate(term, inputs, memo) for term in self.constraints())

    def _up_to(self, number: int) -> list[Term]:
        """The constraints that a run meets before it decides a decision."""
        return [term for place, term in self._ordered(number + 1) if place != (number, 1)]

    def _ordered(self, length: int) -> Iterator[tuple[tuple[int, int], Term]]:
        placed = [((n, 1), step.constraint) for n, step in enumerate(self.steps[:length])]
        last = length if length == len(self.steps) else length - 1
        placed += [((aside.before, 0), aside.constraint) for aside in self.asides if aside.before <= last]
        return iter(sorted(placed, key=lambda item: item[0]))


def _restored(flat: Flat, steps: list[tuple[int, bool]], asides: list[tuple[int, str, bool]],
              inputs: Mapping[str, Any], ended: str) -> PathCondition:  # fmt: skip
    terms = iter(flat.terms())
    decided = tuple(Step(site, holds, next(terms), next(terms), next(terms)) for site, holds in steps)
    beside = tuple(Aside(next(terms), *rest) for rest in asides)
    return PathCondition(decided, beside, inputs, ended)
