"""Queries over floats of a few bits, against all their inputs; and the scripts of reports about other solvers."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from zeroin.config import Budget
from zeroin.solvers.base import Query, Sat, Unknown, Unsat
from zeroin.solvers.chain import SOLVERS, solver_named
from zeroin.term.core.nodes import Op, Rounding, Term, constant, float_constant, float_of_bits, make, variable
from zeroin.term.core.sorts import FLOAT32, ROUNDING, Sort, float_sort
from zeroin.term.smt.reader import read

_MODES = [constant(ROUNDING, mode) for mode in Rounding]
_COUNTS = {Op.FP_ADD: 2, Op.FP_SUB: 2, Op.FP_MUL: 2, Op.FP_DIV: 2, Op.FP_REM: 2, Op.FP_FMA: 3, Op.FP_SQRT: 1,
           Op.FP_ROUND: 1, Op.FP_ABS: 1, Op.FP_NEG: 1, Op.FP_TO_FP: 1}  # fmt: skip


def a_term(draw: random.Random, sort: Sort, depth: int, inputs: list[Term]) -> Term:
    if depth == 0 or draw.random() < 0.15:
        return draw.choice(inputs) if draw.random() < 0.75 else float_constant(sort, draw.randrange(1 << sort.width))
    op = draw.choice(list(_COUNTS))
    args = [a_term(draw, sort, depth - 1, inputs) for _ in range(_COUNTS[op])]
    if op is Op.FP_TO_FP:
        there = make(op, draw.choice(_MODES), *args, data=draw.choice((FLOAT32, float_sort(4, 3), float_sort(3, 4))))
        return make(op, draw.choice(_MODES), there, data=sort)
    return make(op, *([] if op in (Op.FP_REM, Op.FP_ABS, Op.FP_NEG) else [draw.choice(_MODES)]), *args)


def a_query(draw: random.Random) -> tuple[Query, Sort]:
    sort = float_sort(*draw.choice([(3, 5), (2, 6), (4, 4), (3, 3), (2, 3)]))
    inputs = [variable(name, sort) for name in ("xy" if sort.width < 7 else "x")]
    conditions = [make(draw.choice((Op.FP_IS_SUBNORMAL, Op.FP_IS_ZERO, Op.FP_IS_INF)), a_term(draw, sort, 2, inputs))]
    for _ in range(draw.choice((1, 2))):
        sides = a_term(draw, sort, 2, inputs), a_term(draw, sort, 1, inputs)
        condition = make(draw.choice((Op.EQUAL, Op.FP_EQ, Op.FP_LT, Op.FP_LE)), *sides)
        conditions.append(make(Op.NOT, condition) if draw.random() < 0.4 else condition)
    return Query(tuple(conditions)), sort


@pytest.mark.parametrize("number", range(20))
def test_answers_are_those_of_all_inputs(number: int) -> None:
    query, sort = a_query(random.Random(number))
    every = [float_of_bits(sort, pattern) for pattern in range(1 << sort.width)]
    names = [v.data for v in query.variables]
    has_model = any(
        query.holds(dict(zip(names, some, strict=True))) for some in itertools.product(every, repeat=len(names))
    )
    answer = solver_named("portfolio").solve(query, Budget(seconds=20))
    assert isinstance(answer, Sat if has_model else Unsat)


@pytest.mark.parametrize("name", sorted(set(SOLVERS) - {"portfolio", "z3"}))
def test_a_solver_without_these_floats_says_so(name: str) -> None:
    """None proposes a double as the value of such a float."""
    sort = float_sort(3, 5)
    x = variable("x", sort)
    third = make(Op.FP_EQ, make(Op.FP_MUL, _MODES[0], x, constant(sort, 3.0)), constant(sort, 1.0))
    answer = solver_named(name).solve(Query((third,)), Budget(2000, 2.0))
    assert isinstance(answer, Unknown) or (
        isinstance(answer, Sat) and constant(sort, answer.model["x"]).value == answer.model["x"]
    )


REPORTS: dict[str, tuple[str, Any]] = {
    "remainder": ("""(declare-const a (_ FloatingPoint 3 5))(declare-const m (_ FloatingPoint 3 5))
        (assert (fp.isInfinite (fp.rem a m)))""", Unsat),
    "rounded twice": ("""(declare-const v (_ FloatingPoint 3 24))(declare-const mode RoundingMode)
        (assert (not (= (fp.roundToIntegral mode v) (fp.roundToIntegral mode (fp.roundToIntegral mode v)))))""", Unsat),
    "half precision": ("""(declare-const n Float16)(declare-const d Float16)
        (assert (= d (fp #b1 #b00000 #b0000000001)))(assert (fp.isPositive n))
        (assert (= (fp #b1 #b00000 #b0000000000) (fp.rem n d)))""", Unsat),
    "three floats": ("""(declare-const x (_ FloatingPoint 2 6))(declare-const y (_ FloatingPoint 2 6))
        (assert (fp.lt x y))(assert (= x (fp.roundToIntegral RTZ y)))(assert (not (fp.isZero x)))""", Sat),
    "brain float": ("""(declare-const x (_ FloatingPoint 8 8))
        (assert (fp.eq (fp.mul RNE x x) ((_ to_fp 8 8) RNE 2.25)))""", Sat),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTS)
def test_scripts_have_their_answers(name: str) -> None:
    text, kind = REPORTS[name]
    answer = solver_named("portfolio").solve(Query(read(text).constraints), Budget(seconds=20))
    assert isinstance(answer, kind)
