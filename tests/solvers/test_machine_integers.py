"""Bit vectors in the concolic walk: linear over the integers, as long as nothing wraps around."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from float_terms import add, number, times
from zeroin.config import Budget
from zeroin.solvers.base import Query, Sat
from zeroin.solvers.concolic_walk import PAPER, ConcolicWalk, Walk
from zeroin.solvers.linear import Linear, inner_point, linear_parts, restored
from zeroin.solvers.residuals import NEGATIVE, NOT_POSITIVE, ZERO, alternatives, comparison
from zeroin.term.core.build import RNE, negation
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import FLOAT64, INT, bits

BYTE = bits(8)
A, B = variable("a", BYTE), variable("b", BYTE)
X, Y, Z = (variable(name, FLOAT64) for name in "xyz")
VALUES = {-128, -127, -100, -65, -64, -63, -33, -2, -1, 0, 1, 2, 31, 32, 42, 63, 64, 100, 126, 127}


def byte(value: int) -> Term:
    return constant(BYTE, value % 256)


@pytest.mark.parametrize(
    ("op", "conversion", "wanted"),
    [
        (Op.BV_SLT, Op.SIGNED_TO_INT, NEGATIVE),
        (Op.BV_SLE, Op.SIGNED_TO_INT, NOT_POSITIVE),
        (Op.BV_ULT, Op.BITS_TO_INT, NEGATIVE),
        (Op.BV_ULE, Op.BITS_TO_INT, NOT_POSITIVE),
        (Op.EQUAL, Op.SIGNED_TO_INT, ZERO),
    ],
)
def test_comparisons_of_bits_are_of_ints(op: Op, conversion: Op, wanted: int) -> None:
    a, b = make(conversion, A), make(conversion, B)
    assert comparison(make(op, A, B)) == (a, b, wanted)
    opposite = {NEGATIVE: (b, a, NOT_POSITIVE), NOT_POSITIVE: (b, a, NEGATIVE), ZERO: None}[wanted]
    assert comparison(negation(make(op, A, B))) == opposite


def test_differences_of_64_bits_do_not_overflow() -> None:
    x, y = variable("x", bits(64)), variable("y", bits(64))
    [[(difference, _)]] = alternatives(make(Op.BV_SLT, x, y))
    assert evaluate(difference, {"x": (1 << 63) - 1, "y": 1 << 63}) == 2.0**64
    [[(difference, _)]] = alternatives(make(Op.BV_ULT, x, y))
    assert evaluate(difference, {"x": (1 << 63) - 1, "y": 1 << 63}) == 0.0  # doubles: 1 is lost beside 2**63


def _extended(op: Op, a: Term) -> Term:
    return make(op, a, data=bits(16))


TERMS = st.recursive(
    st.sampled_from([A, B]) | st.integers(-128, 127).map(byte),
    lambda inner: st.one_of(
        st.builds(make, st.sampled_from([Op.BV_ADD, Op.BV_SUB]), inner, inner),
        st.builds(make, st.just(Op.BV_NEG), inner),
        st.builds(lambda a, c: make(Op.BV_MUL, byte(c), a), inner, st.integers(-3, 3)),
        st.builds(lambda a, c: make(Op.BV_SHL, a, byte(c)), inner, st.integers(0, 3)),
        st.builds(lambda op, a: make(Op.BV_EXTRACT, make(Op.BV_ADD, _extended(op, a), constant(bits(16), 3)),
                                     data=(7, 0)), st.sampled_from([Op.BV_SIGN_EXTEND, Op.BV_ZERO_EXTEND]), inner),
    ),
    max_leaves=5,
)  # fmt: skip
COMPARISONS = st.sampled_from([Op.EQUAL, Op.BV_SLT, Op.BV_SLE, Op.BV_ULT, Op.BV_ULE])


def holds(part: Linear, point: dict[Term, int]) -> bool:
    total = sum((c * point[v] for v, c in part.coefficients.items()), part.constant)
    return total == 0 if part.wanted == ZERO else total < 0 if part.wanted == NEGATIVE else total <= 0


@given(COMPARISONS, TERMS, TERMS, st.booleans())
def test_without_a_wrap_around_a_linear_part_is_its_conjunct(op: Op, a: Term, b: Term, negated: bool) -> None:
    """Of all conditions and points: where the conditions hold, the sum has the wanted sign where the conjunct holds."""
    conjunct = make(op, a, b)
    conjunct = negation(conjunct) if negated else conjunct
    for part in linear_parts([conjunct]):
        for x, y in product(VALUES, VALUES):
            if all(holds(one, {A: x, B: y}) for one in part.within):
                assert holds(part, {A: x, B: y}) == evaluate(conjunct, {"a": x % 256, "b": y % 256})


def test_a_sum_in_range_has_no_condition() -> None:
    wide = make(Op.BV_ADD, make(Op.BV_SIGN_EXTEND, A, data=bits(16)), make(Op.BV_SIGN_EXTEND, B, data=bits(16)))
    [part] = linear_parts([make(Op.BV_SLT, wide, constant(bits(16), 7))])
    assert part.within == ()
    [part] = linear_parts([make(Op.BV_SLT, make(Op.BV_ADD, A, B), byte(7))])
    assert len(part.within) == 2  # not above 127, not below -128


def test_points_are_in_the_range_of_their_sort() -> None:
    parts = linear_parts([make(Op.BV_SLT, byte(100), A), make(Op.BV_ULT, B, A), make(Op.BV_ULT, byte(90), B)])
    a, b = inner_point(parts, [A, B]) or [0.0, 0.0]
    assert (a, b) == (int(a), int(b))
    assert 127 >= a > 100
    assert 90 < b < a


WORD = bits(32)
P, Q, R = (variable(name, WORD) for name in "pqr")


def word(value: int) -> Term:
    return constant(WORD, value % (1 << 32))


def product_of(*factors: Term) -> Term:
    first, *others = factors
    for other in others:
        first = make(Op.BV_MUL, first, other)
    return first


MACHINE = {
    "a cube": [make(Op.BV_SLE, word(3), P), make(Op.EQUAL, product_of(P, P, P), Q)],
    "a line and a product": [
        make(Op.EQUAL, make(Op.BV_ADD, product_of(word(2), P), product_of(word(3), Q)), word(12)),
        make(Op.EQUAL, make(Op.BV_SUB, P, Q), word(1)),
        make(Op.EQUAL, product_of(P, R), word(27)),
    ],
    "a cube that wraps around": [make(Op.BV_SLE, product_of(P, P, P), word(0)), make(Op.BV_SLT, word(0), P)],
    "unsigned numbers with their top bit": [
        make(Op.BV_ULT, word(0xF0000000), P),
        make(Op.EQUAL, product_of(Q, Q), word(49)),
    ],
}


@pytest.mark.parametrize("options", [PAPER, Walk()], ids=["paper", "default"])
@pytest.mark.parametrize("name", MACHINE)
def test_machine_integers_are_walked(name: str, options: Walk) -> None:
    for seed in range(10):
        answer = ConcolicWalk(seed, options).solve(Query(tuple(MACHINE[name])), Budget(200_000, 60.0))
        assert isinstance(answer, Sat), seed
        assert all(evaluate(part, answer.model) for part in MACHINE[name])


# ---- starts beside the polytope ----


def line(a: float, b: float, c: float) -> Term:
    return make(Op.FP_EQ, add(times(number(a), X), times(number(b), Y)), number(c))


@pytest.mark.parametrize("options", [PAPER, Walk()], ids=["paper", "default"])
@pytest.mark.parametrize("c", [12.0, 7.3])
def test_a_start_beside_the_polytope_is_no_end(c: float, options: Walk) -> None:
    """The linear solver's point violates an equation by a rounding error; then no step along an axis is inside."""
    parts = (line(2.0, 3.0, c), make(Op.FP_EQ, make(Op.FP_SUB, RNE, X, Y), number(1.0)),
             make(Op.FP_EQ, times(X, Z), number(2.7)))  # fmt: skip
    answers = [ConcolicWalk(seed, options).solve(Query(parts), Budget(200_000, 60.0)) for seed in range(10)]
    assert all(isinstance(answer, Sat) for answer in answers) or c == 7.3  # which may have no solution in doubles
    for answer in answers:
        assert not isinstance(answer, Sat) or all(evaluate(part, answer.model) for part in parts)


def test_points_are_restored_over_the_rationals() -> None:
    parts = linear_parts([line(2.0, 3.0, 12.0), make(Op.FP_EQ, make(Op.FP_SUB, RNE, X, Y), number(1.0))])
    assert [3.0, 2.0, 0.5] in restored(parts, [X, Y, Z], [2.9999999999999996, 2.0, 0.5])
    whole = [variable(name, INT) for name in "mn"]
    sums = linear_parts([make(Op.EQUAL, make(Op.ADD, *whole), constant(INT, 7))])
    assert [4.0, 3.0] in restored(sums, whole, [4.2, 3.1])
    halves = linear_parts([make(Op.EQUAL, make(Op.ADD, whole[0], whole[0]), constant(INT, 7))])
    assert list(restored(halves, whole, [3.5, 0.0])) == []
