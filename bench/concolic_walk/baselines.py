"""What exploration asks in the evaluation of the Concolic Walk paper instead of our solvers: SMT solvers alone, SMT
solvers after concretisation, and the concolic walk, alone and behind SMT solvers; and our own without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zeroin import Budget
from zeroin.solvers import PAPER, ConcolicWalk, Query, Race, Sat, Solver, Unknown, Walk
from zeroin.solvers.base import Answer, Unsat
from zeroin.solvers.chain import checked, quick_stages, ready
from zeroin.solvers.decorators import Around, Limited, Stages
from zeroin.solvers.mathematical_execution import MathematicalExecution
from zeroin.solvers.smt import installed
from zeroin.term import BOOL, Op, Term, constant
from zeroin.term.core.evaluate import NoValue, evaluate
from zeroin.term.core.nodes import intern
from zeroin.term.core.traversal import rebuild

# What stays; the values of conversions between integers and floats count as linear, too.
_LINEAR = {
    Op.VARIABLE, Op.CONSTANT, Op.NOT, Op.AND, Op.OR, Op.ITE, Op.EQUAL, Op.OPEN, Op.FP_EQ, Op.FP_LT, Op.FP_LE,
    Op.FP_IS_NAN, Op.FP_IS_INF, Op.FP_IS_ZERO, Op.FP_IS_NEGATIVE, Op.FP_IS_POSITIVE, Op.FP_ADD, Op.FP_SUB, Op.FP_NEG,
    Op.FP_ABS, Op.FP_TO_FP, Op.SIGNED_TO_FP, Op.UNSIGNED_TO_FP, Op.BV_NEG, Op.BV_ADD, Op.BV_SUB, Op.BV_ZERO_EXTEND,
    Op.BV_SIGN_EXTEND, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE,
}  # fmt: skip
_PRODUCTS = {Op.FP_MUL, Op.BV_MUL}
_BY_THE_LAST = {Op.FP_DIV, Op.BV_SHL}  # linear where the last argument is a constant


# The paper's algorithm, with one parameter or part of it changed; our default at the end.
ABLATIONS: dict[str, Walk] = {
    "the paper's algorithm": PAPER,
    "no tabu": replace(PAPER, tabu=0.0, most_tabu=0),
    "no bisection": replace(PAPER, bisection=False),
    "50 steps": replace(PAPER, steps=50),
    "500 steps": replace(PAPER, steps=500),
    "1 neighbour": replace(PAPER, neighbors=1),
    "5 neighbours": replace(PAPER, neighbors=5),
    "50 neighbours": replace(PAPER, neighbors=50),
    "s = 0.1": replace(PAPER, s=0.1),
    "s = 1": replace(PAPER, s=1.0),
    "s = 10": replace(PAPER, s=10.0),
    "s = 100": replace(PAPER, s=100.0),
    "T = max(0.5 n, 3)": replace(PAPER, least_tabu=3, most_tabu=None),
    "overshoot": replace(PAPER, overshoot=2.5),
    "disjunctions": replace(PAPER, disjunctions=True),
    "cached errors": replace(PAPER, cached=True),
    "again until the time is over": replace(PAPER, again=True),
    "all of the last five, the default": Walk(),
}


def smt_only(seed: int) -> Solver:
    """The SMT solvers of :func:`zeroin.solvers.chain.exploring`, without its searches; the seed is not used."""
    return ready(checked(_smt()))


def concretisation(seed: int) -> Solver:
    """SMT solvers, asked about linear approximations."""
    return ready(Concretising(checked(_smt())))


def walk(seed: int, options: Walk | None = None) -> Solver:
    """The concolic walk alone, with our parameters if there are no others."""
    return ready(checked(ConcolicWalk(seed, options)))


def walk_behind_smt(seed: int) -> Solver:
    """The concolic walk, where the SMT solvers do not know: they get half of the time."""
    return ready(checked(Stages(Limited(_smt(), share=0.5), ConcolicWalk(seed))))


def without_walk(seed: int) -> Solver:
    """The solvers of :func:`zeroin.solvers.chain.exploring_further`, without the concolic walk."""
    first, *others = installed()
    here = Limited(first, share=0.25, seconds=0.1, size=400)
    racing = Race(first, Limited(MathematicalExecution(seed + 1), share=0.35), *others)
    return ready(checked(Stages(*quick_stages(seed, wary=False), here, racing)))


def _smt() -> Solver:
    first, *others = installed()
    return Stages(Limited(first, share=0.25, seconds=0.1, size=400), Race(first, *others))


class Concretising(Around):
    """Asks about a linear approximation at the start, the inputs of the run that is known, as jCUTE does: of a product
    one factor, and the whole of what else is not linear, has its value there. What it finds need not be a model, and
    that it finds none is no proof.

    Args:
        inner: who is asked.
    """

    def solve(self, query: Query, budget: Budget) -> Answer:
        approximation = [linear(term, query.starts[0]) for term in query.constraints]
        answer = self.inner.solve(query.restricted(approximation), budget)
        if isinstance(answer, Sat):
            return Sat(query.completed({**query.starts[0], **answer.model}), answer.by)
        if isinstance(answer, Unsat) and tuple(approximation) != query.constraints:
            return Unknown("the linear approximation has no solution")
        return answer


def linear(term: Term, inputs: Mapping[str, Any]) -> Term:
    """The linear approximation of a term at inputs for which all its parts have values."""
    values: dict[Term, Any] = {}

    def change(part: Term) -> Term:
        if part.op in _LINEAR or all(argument.is_constant for argument in part.args):
            return part
        if part.op in _PRODUCTS:
            *first, left, right = part.args
            if left.is_constant or right.is_constant:
                return part
            return intern(part.op, (*first, valued(left), right), part.data, part.sort)
        if part.op in _BY_THE_LAST:
            return intern(part.op, (*part.args[:-1], valued(part.args[-1])), part.data, part.sort)
        return valued(part)

    def valued(part: Term) -> Term:
        if not (part.sort.is_float or part.sort.is_bits or part.sort == BOOL):
            return part
        try:
            return constant(part.sort, evaluate(part, inputs, values))
        except NoValue:
            return part

    return rebuild(term, change)
