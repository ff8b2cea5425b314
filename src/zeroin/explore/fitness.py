"""How close a path has come to a target (Xie et al. 2009, sections 4.1.1 to 4.1.3)."""

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
FitnessTarget = tuple[GoalKey, bool]  # it has to be true, or false
Fitness = Mapping[FitnessTarget, float]  # a target that is missing was never evaluated


def of_predicate(op: int, a: float, b: float) -> float:
    """The fitness of a predicate that should hold (Table 1): 0 where it does.

    Args:
        op: which of the relations EQ, LT, GT and UNORDERED satisfy it, as a bit set.
        a: its left operand.
        b: its right one.
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
    return WORST if math.isnan(distance) else min(float(distance), WORST)


def both(one: float, other: float) -> float:
    """The fitness of a conjunction (Table 1)."""
    return _bounded(one + other)


def either(one: float, other: float) -> float:
    """The fitness of a disjunction (Table 1)."""
    return one * other / (one + other) if one and other else 0.0


_RELATIONS = {Op.EQUAL: EQ, Op.FP_EQ: EQ, Op.FP_LT: LT, Op.FP_LE: LT | EQ, Op.LT: LT, Op.LE: LT | EQ, Op.BV_ULT: LT,
              Op.BV_ULE: LT | EQ, Op.BV_SLT: LT, Op.BV_SLE: LT | EQ}  # fmt: skip


def of_condition(term: Term, wanted: bool, value: Callable[[Term], Any]) -> float:
    """The fitness of a condition that should be true, or false.

    Args:
        term: a Bool.
        wanted: what it should be.
        value: of terms, in the run.
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
    """Whether it is made of conditions by "and" or "or"."""
    return term.op in (Op.AND, Op.OR)


def of_path(
    evaluated: Iterable[Truth], steps: Sequence[Step], value: Callable[[Term], Any]
) -> dict[FitnessTarget, float]:
    """The best fitness of each target's occurrences, from the values that were compared.

    Args:
        evaluated: all comparisons.
        steps: the sites among them. A condition that is made of several is taken as such, and not for the comparison of
            its truth value.
        value: of terms, in the run.
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
    return term.args[0] if term.op is Op.NOT else term


class Gains:
    """What flipping a branch has been worth, on average, for each target."""

    def __init__(self) -> None:
        self._sums: dict[tuple[FitnessTarget, tuple[int, bool]], tuple[float, int]] = {}

    def learn(self, branch: tuple[int, bool], before: Fitness, after: Fitness) -> None:
        """A node of this branch was flipped: a path of the one fitness led to one of the other."""
        for target in {**before, **after}:
            gain = before.get(target, WORST) - after.get(target, WORST)
            total, count = self._sums.get((target, branch), (0.0, 0))
            self._sums[target, branch] = total + gain, count + 1

    def of(self, target: FitnessTarget, branch: tuple[int, bool]) -> float:
        """0 for a branch that was never flipped."""
        total, count = self._sums.get((target, branch), (0.0, 1))
        return total / count
