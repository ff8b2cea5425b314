"""The fitness of a path: how close it came to a target (Xie et al. 2009, sections 4.1.1 to 4.1.3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, TypeAlias

from ..distance import EQ, GT, LT, UNORDERED
from ..model.path import Step, Truth
from ..term.core.evaluate import signed
from ..term.core.nodes import Op, Term
from ..term.core.sorts import BOOL

WORST = 2.0**31 - 1
K = 1.0  # the failure constant
_ANY = EQ | LT | GT | UNORDERED

GoalKey: TypeAlias = "int | tuple[str, int, int]"  # a site, or the place of a boolean expression
FitnessTarget = tuple[GoalKey, bool]  # the goal, and the truth value that it should have
Fitness = Mapping[FitnessTarget, float]  # targets without an entry were never evaluated


def of_predicate(op: int, a: float, b: float) -> float:
    """Return the fitness of a comparison that should hold (Table 1): 0 if it does, and else up to ``WORST``.

    It is ``WORST`` if an operand is NaN and the comparison does not hold.

    Args:
        op: the relations (EQ, LT, GT and UNORDERED) that satisfy it, as a bit set.
        a: the left operand.
        b: the right operand.
    """
    relation = LT if a < b else GT if a > b else EQ if a == b else UNORDERED
    if op & relation:
        return 0.0
    if relation == UNORDERED:
        return WORST
    if op & EQ:  # ==, <=, >=
        return _bounded(abs(a - b))
    if relation == EQ:  # <, >, !=
        return K
    return _bounded(abs(a - b) + K) if op & (LT | GT) else WORST


def _bounded(distance: float) -> float:
    """Return the distance, but at most ``WORST``; ``WORST`` for NaN."""
    return WORST if math.isnan(distance) else min(float(distance), WORST)


def both(one: float, other: float) -> float:
    """Return the fitness of a conjunction (Table 1)."""
    return _bounded(one + other)


def either(one: float, other: float) -> float:
    """Return the fitness of a disjunction (Table 1)."""
    return one * other / (one + other) if one and other else 0.0


_RELATIONS = {Op.EQUAL: EQ, Op.FP_EQ: EQ, Op.FP_LT: LT, Op.FP_LE: LT | EQ, Op.LT: LT, Op.LE: LT | EQ, Op.BV_ULT: LT,
              Op.BV_ULE: LT | EQ, Op.BV_SLT: LT, Op.BV_SLE: LT | EQ}  # fmt: skip


def of_condition(term: Term, wanted: bool, value: Callable[[Term], Any]) -> float:
    """Return the fitness of a condition that should have the truth value ``wanted``.

    Comparisons of numbers have a distance. For other conditions, such as Bool variables, it is 0 or ``K``.

    Args:
        term: the condition, a term of sort Bool.
        wanted: the truth value that it should have.
        value: returns the value of a term in the run.
    """
    if term.op is Op.NOT:
        return of_condition(term.args[0], not wanted, value)
    if is_composite(term):
        together = both if (term.op is Op.AND) is wanted else either
        return reduce(together, [of_condition(part, wanted, value) for part in term.args])
    if term.op in _RELATIONS and term.args[0].sort != BOOL:
        op = _RELATIONS[term.op]
        unsigned = term.op not in (Op.BV_SLT, Op.BV_SLE)
        a, b = (v if unsigned or not arg.sort.is_bits else signed(v, arg.sort.width)
                for arg in term.args for v in (value(arg),))  # fmt: skip
        return of_predicate(op if wanted else _ANY & ~op, a, b)
    return 0.0 if bool(value(term)) is wanted else K


def is_composite(term: Term) -> bool:
    """Return whether a term is a conjunction or a disjunction."""
    return term.op in (Op.AND, Op.OR)


def of_path(
    evaluated: Iterable[Truth], steps: Sequence[Step], value: Callable[[Term], object]
) -> dict[FitnessTarget, float]:
    """Return the best fitness of each target over all its evaluations in a run; 0 for a target that the run met.

    Targets that the run did not evaluate have no entry.

    Args:
        evaluated: all comparisons of the run, with the values of their operands.
        steps: the decisions at sites. For a composite condition, the fitness is that of its parts, not that of the
            comparison of its truth value.
        value: returns the value of a term in the run.
    """
    best: dict[FitnessTarget, float] = {}

    def note(target: FitnessTarget, fitness: float) -> None:
        best[target] = min(fitness, best.get(target, WORST))

    composite = {step.site: None for step in steps if is_composite(_bare(step.condition))}
    for truth in evaluated:
        if truth.key not in composite:
            for wanted, op in ((True, truth.op), (False, _ANY & ~truth.op)):
                met = truth.holds is wanted
                note((truth.key, wanted), 0.0 if met else of_predicate(op, truth.left, truth.right))
    for step in steps:
        if step.site in composite:
            for wanted in (True, False):
                met = step.holds is wanted
                note((step.site, wanted), 0.0 if met else of_condition(step.condition, wanted, value))
    return best


def _bare(term: Term) -> Term:
    """Return a term without a negation around it."""
    return term.args[0] if term.op is Op.NOT else term


class Gains:
    """The average improvement of each target's fitness by flips of a branch (FGain)."""

    def __init__(self) -> None:
        self._sums: dict[tuple[FitnessTarget, tuple[int, bool]], tuple[float, int]] = {}

    def learn(self, branch: tuple[int, bool], before: Fitness, after: Fitness) -> None:
        """Note that the flip of a node with this branch changed the fitness from ``before`` to ``after``.

        A target that only one of them has an entry for has the fitness ``WORST`` in the other.
        """
        for target in {**before, **after}:
            gain = before.get(target, WORST) - after.get(target, WORST)
            total, count = self._sums.get((target, branch), (0.0, 0))
            self._sums[target, branch] = total + gain, count + 1

    def of(self, target: FitnessTarget, branch: tuple[int, bool]) -> float:
        """Return the average gain: positive if the fitness became smaller; 0 for a branch that was never flipped.

        Args:
            target: the target.
            branch: a node's branch, as the run before the flip took it.
        """
        total, count = self._sums.get((target, branch), (0.0, 1))
        return total / count
