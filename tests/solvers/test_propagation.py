"""Propagation-based local search: a few evaluations for what is near a known model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from float_terms import number
from zeroin.config import Budget
from zeroin.solvers.base import Query, Sat, Unknown
from zeroin.solvers.propagation import Propagation
from zeroin.term.core.build import RNE, RTZ, equal, negation
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import FLOAT64, bits
from zeroin.term.core.undefined import bits_of

X, Y = variable("x", FLOAT64), variable("y", FLOAT64)
N, M = variable("n", bits(32)), variable("m", bits(32))


def integer(value: int) -> Term:
    return constant(bits(32), value)


def high_word(x: Term) -> Term:
    return make(Op.BV_EXTRACT, make(Op.BV_LSHR, bits_of(x), constant(bits(64), 32)), data=(31, 0))


def low_word(x: Term) -> Term:
    return make(Op.BV_EXTRACT, bits_of(x), data=(31, 0))


IX = make(Op.BV_AND, high_word(X), integer(0x7FFFFFFF))  # as in fdlibm
NEAR: dict[str, tuple[list[Term], Mapping[str, Any]]] = {
    "ix < 0x3e400000": ([make(Op.BV_SLT, IX, integer(0x3E400000))], {"x": 1.0}),
    "between two others": ([
        make(Op.BV_SLT, integer(0x3E400000), IX), make(Op.BV_SLT, IX, integer(0x3FF00000)),
        make(Op.BV_SLT, high_word(X), integer(0))], {"x": 0.5}),
    "a NaN": ([make(Op.BV_SLT, integer(0x7FF00000), IX)], {"x": 0.5}),
    "ix | lx": ([equal(make(Op.BV_OR, IX, low_word(X)), integer(0))], {"x": 2.5}),
    "exponents apart": ([
        make(Op.BV_SLT, integer(60), make(Op.BV_ASHR, make(
            Op.BV_SUB, IX, make(Op.BV_AND, high_word(Y), integer(0x7FFFFFFF))), integer(20)))], {"x": 1.0, "y": 1.0}),
    "x * x == 2.25": ([make(Op.FP_EQ, make(Op.FP_MUL, RNE, X, Y), number(2.25))], {"x": 1.0, "y": 1.0}),
    "(int)x == 77": ([equal(make(Op.FP_TO_SIGNED, RTZ, X, data=bits(32)), integer(77))], {"x": 0.0}),
    "sum": ([equal(make(Op.BV_ADD, make(Op.BV_MUL, N, integer(3)), M), integer(7)), make(Op.BV_SLT, M, N)], {}),
    "log": ([make(Op.FP_LT, make(Op.MATH, X, data="log"), number(-50.0))], {"x": 1.0}),
}  # fmt: skip


@pytest.mark.parametrize("name", NEAR)
def test_a_few_evaluations(name: str) -> None:
    """For ten seeds of ten."""
    constraints, start = NEAR[name]
    query = Query(tuple(constraints), (start,))
    answers = [Propagation(seed).solve(query, Budget(100, 60.0)) for seed in range(10)]
    assert [type(answer) for answer in answers] == [Sat] * 10


def test_a_model_that_is_known_is_the_answer() -> None:
    query = Query((negation(make(Op.FP_EQ, X, number(0.0))),), ({"x": 3.0},))
    answer = Propagation(0).solve(query, Budget(1, 60.0))
    assert isinstance(answer, Sat)
    assert answer.model == {"x": 3.0}


def test_the_same_seed_is_the_same_search() -> None:
    constraints, start = NEAR["sum"]
    query = Query(tuple(constraints), (start,))
    one, other = (Propagation(3).solve(query, Budget(100, 60.0)) for _ in range(2))
    assert one == other


def test_it_ends() -> None:
    impossible = Query((make(Op.FP_LT, X, number(1.0)), make(Op.FP_LT, number(2.0), X)))
    answer = Propagation(0).solve(impossible, Budget(100, 60.0))
    assert isinstance(answer, Unknown)
    assert "evaluation budget" in answer.reason
