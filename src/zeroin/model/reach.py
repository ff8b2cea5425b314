"""What holds for every input that takes a branch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..term.core.build import conjunction, disjunction, negation
from ..term.core.nodes import Term
from .invariants import Loop


@dataclass(frozen=True)
class Reached:
    """A condition that every input satisfies which takes a branch, and others may, too.

    Attributes:
        condition: over the inputs, and over variables for what is not known. What satisfies it may not take the branch.
        inputs: the inputs, with some value of each.
        assumptions: what it takes for granted of them beside their types, each in words.
        loops: those whose variables the condition may have, and all that these depend on.
        further: makes the same of inputs of other types that the parameters accept, too, of each combination of types;
            None where there are none.
        without: what is assumed, in words, unless all of these are refuted as well.
    """

    condition: Term
    inputs: Mapping[str, Any]
    assumptions: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    further: Callable[[], Iterable[Reached]] | None = None
    without: tuple[str, ...] = ()


Hits = Mapping[int, Sequence[tuple[Term, Term]]]  # by site: what holds where it is evaluated, and its condition


def taken(hits: Hits, outcome: int) -> Term:
    """What holds for every input that takes a branch."""
    holds = outcome % 2 == 0
    return disjunction(conjunction([guard, condition if holds else negation(condition)])
                       for guard, condition in hits.get(outcome >> 1, ()))  # fmt: skip
