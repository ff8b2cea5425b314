"""A simplified term has the same value everywhere."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling import examples
from term.strategies import SORTS, models, names_of, some_models, terms
from zeroin.term.core.build import FALSE, RNE, TRUE, conjunction, disjunction, equal, if_else, negation
from zeroin.term.core.evaluate import NoValue, evaluate, same
from zeroin.term.core.nodes import Op, Opaque, Term, constant, make
from zeroin.term.core.simplify import folded, simpler, simplify, simplify_all
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, Sort, array, bits
from zeroin.term.core.traversal import size

A, B, C = names_of(BOOL)
X, Y, Z = names_of(FLOAT64)
M, N, K = names_of(INT)


def number(n: int) -> Term:
    return constant(INT, n)


def double(x: float) -> Term:
    return constant(FLOAT64, x)


def holds(parts: list[Term], model: dict[str, Any]) -> bool | None:
    """Whether all parts hold; None where a callable raises."""
    try:
        values = [evaluate(part, model) for part in parts]
    except NoValue:
        return None
    return all(values)


@pytest.mark.parametrize("sort", SORTS, ids=str)
@examples(20)
@given(data=st.data())
def test_the_value_stays(sort: Sort, data: st.DataObject) -> None:
    term = data.draw(terms(sort))
    simpler = simplify(term)
    assert simpler.sort == sort
    assert size([simpler]) <= size([term]) + 2  # an ite may become a disjunction with a negation
    for model in (data.draw(models()), *some_models(5)):
        try:
            value = evaluate(term, model)
        except NoValue:
            continue
        assert same(evaluate(simpler, model), value), (term, simpler, model)


def equations() -> st.SearchStrategy[Term]:
    """Parts that fix a variable, likely ones that contradict each other."""
    fixed = [equal(v, constant(v.sort, x)) for v, x in ((M, 1), (M, 2), (N, 1), (X, 0.0), (X, -0.0), (Y, math.nan))]
    compared = [make(Op.FP_EQ, v, double(x)) for v, x in ((X, 0.0), (X, -0.0), (Y, math.nan), (X, 1.5), (Y, math.inf))]
    return st.sampled_from([*fixed, *compared, A, negation(A), B, negation(B), equal(number(2), N)])


@given(
    parts=st.lists(st.one_of(equations(), terms(BOOL, 3)), min_size=1, max_size=6),
    model=models(),
    fixed=st.fixed_dictionaries({M.data: st.sampled_from([1, 2]), X.data: st.sampled_from([0.0, -0.0, 1.5])}),
)
def test_conjunctions_hold_where_they_held(parts: list[Term], model: dict[str, Any], fixed: dict[str, Any]) -> None:
    simpler = simplify_all(parts)
    assert all(part.sort == BOOL for part in simpler)
    common = {N.data: 1, Y.data: math.nan, A.data: True, B.data: False}
    for values in (model, {**model, **fixed}, {**model, **fixed, **common}, *some_models(5)):
        before = holds(parts, values)
        if before is not None:
            assert holds(simpler, values) == before, (simpler, values)


@pytest.mark.parametrize(
    "parts",
    [
        [FALSE],
        [A, negation(A)],
        [equal(M, number(1)), equal(number(2), M)],
        [equal(M, number(1)), make(Op.LT, M, number(0))],
        [equal(X, double(0.0)), equal(X, double(-0.0))],
        [equal(X, double(0.0)), make(Op.FP_IS_NEGATIVE, X)],
        [conjunction([A, make(Op.LT, M, N)]), negation(disjunction([make(Op.LT, M, N), B]))],
        [equal(M, number(1)), equal(N, make(Op.ADD, M, number(1))), equal(K, make(Op.MUL, N, N)),
         make(Op.LT, K, number(4))],
        [disjunction([A, B]), negation(A), negation(B)],
        [equal(A, negation(A)), A],
    ],
    ids=str,
)  # fmt: skip
def test_contradictions(parts: list[Term]) -> None:
    assert simplify_all(parts) == [FALSE]


def test_constants_spread() -> None:
    one = equal(M, number(1))
    after = simplify_all([equal(N, make(Op.ADD, M, number(1))), one, make(Op.LT, N, K)])
    assert after == [equal(N, number(2)), one, make(Op.LT, number(2), K)]


def test_an_ieee_comparison_with_zero_fixes_nothing() -> None:
    parts = [make(Op.FP_EQ, X, double(0.0)), make(Op.FP_IS_NEGATIVE, X)]
    assert simplify_all(parts) == parts


def test_an_ieee_comparison_with_another_number_fixes_the_variable() -> None:
    seven = make(Op.FP_EQ, double(7.0), X)
    rest = make(Op.MATH, X, double(2.5), data="fmod")
    assert simplify_all([seven, make(Op.FP_EQ, rest, double(2.0)), make(Op.FP_LT, X, Y)]) == [
        seven,
        make(Op.FP_LT, double(7.0), Y),
    ]


def test_nothing_left() -> None:
    assert simplify_all([TRUE, disjunction([A, negation(A)]), equal(X, X)]) == []
    assert simplify_all([]) == []


@pytest.mark.parametrize(
    ("term", "simpler"),
    [
        (make(Op.NOT, make(Op.NOT, A)), A),
        (make(Op.AND, A, TRUE, A), A),
        (make(Op.AND, A, FALSE), FALSE),
        (make(Op.OR, A, TRUE), TRUE),
        (make(Op.OR, A, make(Op.NOT, A)), TRUE),
        (make(Op.AND, make(Op.AND, A, B), C), make(Op.AND, A, B, C)),
        (if_else(TRUE, X, Y), X),
        (if_else(FALSE, X, Y), Y),
        (if_else(A, X, X), X),
        (if_else(A, TRUE, B), make(Op.OR, A, B)),
        (if_else(A, B, FALSE), make(Op.AND, A, B)),
        (if_else(A, FALSE, B), make(Op.AND, make(Op.NOT, A), B)),
        (if_else(A, B, TRUE), make(Op.OR, make(Op.NOT, A), B)),
        (if_else(A, TRUE, FALSE), A),
        (equal(X, X), TRUE),
        (make(Op.FP_EQ, X, X), make(Op.FP_EQ, X, X)),  # not of NaN
        (make(Op.FP_ADD, RNE, double(0.1), double(0.2)), double(0.30000000000000004)),
        (make(Op.FP_ADD, RNE, constant(FLOAT32, 0.1), constant(FLOAT32, 0.2)), constant(FLOAT32, 0.1 + 0.2)),
        (make(Op.FP_MUL, RNE, double(-1.0), double(0.0)), double(-0.0)),
        (make(Op.FP_DIV, RNE, double(0.0), double(0.0)), double(math.nan)),
    ],
    ids=str,
)
def test_simplifications(term: Term, simpler: Term) -> None:
    assert simplify(term) is simpler


def test_what_is_left_alone() -> None:
    def boom(_: int) -> int:
        raise AssertionError("called")

    call = make(Op.CALL, number(1), data=Opaque("boom", (INT,), INT, function=boom))
    power = make(Op.POWER, number(7), number(1 << 14))
    endless = make(Op.POWER, number(7), number(1 << 60))
    filled = make(Op.FILLED, number(0), data=array(INT, INT))
    for term in (call, power, endless, filled, make(Op.STORE, filled, number(1), number(2))):
        assert simplify(term) is term


@pytest.mark.parametrize("op", [
    Op.BV_ADD, Op.BV_SUB, Op.BV_MUL, Op.BV_AND, Op.BV_OR, Op.BV_XOR, Op.BV_SHL, Op.BV_LSHR, Op.BV_ASHR, Op.BV_ULT,
    Op.BV_ULE, Op.BV_SLT, Op.BV_SLE, Op.BV_UDIV, Op.BV_SDIV])  # fmt: skip
def test_constants_are_folded_as_if_the_term_had_been_made(op: Op) -> None:
    """What is open, a division by zero, stays a term."""
    byte = bits(8)
    for a in (0, 1, 7, 8, 127, 128, 200, 255):
        for b in (0, 1, 7, 8, 127, 128, 200, 255):
            one, other = constant(byte, a), constant(byte, b)
            assert folded(op, one, other) is simpler(make(op, one, other))


@pytest.mark.parametrize(("op", "data"), [
    (Op.BV_EXTRACT, (6, 3)), (Op.BV_ZERO_EXTEND, bits(12)), (Op.BV_SIGN_EXTEND, bits(12))])  # fmt: skip
def test_bits_are_folded_likewise(op: Op, data: Any) -> None:
    for a in range(256):
        assert folded(op, constant(bits(8), a), data=data) is simpler(make(op, constant(bits(8), a), data=data))
