"""Reach conditions: necessary conditions on the inputs that take a branch. Proofs of infeasibility refute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..term.core.build import conjunction, disjunction, negation
from ..term.core.nodes import Term
from .invariants import Loop


@dataclass(frozen=True)
class ReachCondition:
    """A necessary condition for a branch: every input that takes the branch satisfies it, but not only those.

    Attributes:
        condition: a Bool over the inputs, and over variables for unknown values. A model need not take the branch.
        inputs: the input variables, each with some value.
        assumptions: the assumptions about the inputs in addition to their types, for people.
        loops: the loops whose variables occur in the condition, and the loops that these depend on.
        further: returns the conditions for inputs of other types that the parameters also accept, one for each
            combination of types. None if there are no other types.
        without: the assumptions, for people, that a proof needs unless all conditions of ``further`` are refuted, too.
    """

    condition: Term
    inputs: Mapping[str, object]
    assumptions: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    further: Callable[[], Iterable[ReachCondition]] | None = None
    without: tuple[str, ...] = ()


# For each site, its evaluations: a necessary condition for the evaluation, and the condition that the site evaluates.
Hits = Mapping[int, Sequence[tuple[Term, Term]]]


def taken(hits: Hits, outcome: int) -> Term:
    """Return a necessary condition for a branch; ``FALSE`` if its site has no evaluation.

    Args:
        hits: the evaluations of each site, by its number.
        outcome: the branch: twice the site's number if its condition holds, one more if it does not.
    """
    holds = outcome % 2 == 0
    return disjunction(conjunction([guard, condition if holds else negation(condition)])
                       for guard, condition in hits.get(outcome >> 1, ()))  # fmt: skip
