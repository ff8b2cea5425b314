"""What one argument has to be so that a term has a value."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from zeroin.term.core.build import RNE, if_else
from zeroin.term.core.evaluate import MEANING
from zeroin.term.core.inverse import inverse
from zeroin.term.core.nodes import Op, Rounding, Term, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, Sort, bits

W = bits(8)
A, B, P, Q = variable("a", W), variable("b", W), variable("p", BOOL), variable("q", BOOL)
X, Y, F = variable("x", FLOAT64), variable("y", FLOAT64), variable("f", FLOAT32)
BITS = [make(op, A, B) for op in (
    Op.BV_ADD, Op.BV_SUB, Op.BV_XOR, Op.BV_MUL, Op.BV_UDIV, Op.BV_UREM, Op.BV_SDIV, Op.BV_SREM, Op.BV_SHL, Op.BV_LSHR,
    Op.BV_ASHR, Op.BV_AND, Op.BV_OR)]  # fmt: skip
BITS += [make(Op.BV_NOT, A), make(Op.BV_NEG, A), make(Op.BV_EXTRACT, A, data=(6, 3)), if_else(P, A, B),
         make(Op.BV_ZERO_EXTEND, A, data=bits(12)), make(Op.BV_SIGN_EXTEND, A, data=bits(12))]  # fmt: skip
ORDERS = [make(op, A, B) for op in (Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE, Op.EQUAL)]
ORDERS += [make(op, X, Y) for op in (Op.FP_LT, Op.FP_LE, Op.FP_EQ)]
ORDERS += [make(op, X) for op in (
    Op.FP_IS_NAN, Op.FP_IS_INF, Op.FP_IS_ZERO, Op.FP_IS_NORMAL, Op.FP_IS_NEGATIVE, Op.FP_IS_POSITIVE)]  # fmt: skip
ORDERS += [make(Op.NOT, P), make(Op.FP_IS_SUBNORMAL, F)]
FLOATS = [make(op, RNE, X, Y) for op in (Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV)]
FLOATS += [make(Op.FP_SQRT, RNE, X), make(Op.FP_ABS, X), make(Op.FP_NEG, X)]
FLOATS += [make(Op.MATH, X, data=name) for name in ("exp", "log", "cbrt", "sin", "tan", "sinh", "atan", "floor")]
SPECIAL = [0.0, -0.0, 1.0, -1.5, 2.5, 1e300, 5e-324, math.inf, -math.inf, math.nan]


def value(sort: Sort, rng: random.Random) -> Any:
    if sort == BOOL:
        return rng.random() < 0.5
    if sort.is_float:
        return rng.choice([*SPECIAL, *(rng.gauss(0, 1) * 2.0 ** rng.randint(-20, 20) for _ in SPECIAL)])
    return rng.getrandbits(sort.width) if sort.is_bits else Rounding.RNE


def after(term: Term, place: int, found: Any, values: list[Any]) -> Any:
    return MEANING[term.op](term, *(found if n == place else v for n, v in enumerate(values)))


@pytest.mark.parametrize("term", BITS, ids=repr)
def test_bit_vectors(term: Term) -> None:
    """A value that some argument gives is found; and what is found gives that value."""
    rng, found = random.Random(1), 0
    for _ in range(500):
        values = [value(a.sort, rng) for a in term.args]
        place = rng.randrange(len(term.args))
        wanted = after(term, place, value(term.args[place].sort, rng), values)
        known = inverse(term, place, wanted, values, rng)
        if known is not None and (term.op is not Op.ITE or place):
            assert after(term, place, known, values) == wanted
            found += 1
    assert found > 100


@pytest.mark.parametrize("term", ORDERS, ids=repr)
def test_conditions(term: Term) -> None:
    rng, found = random.Random(2), 0
    for _ in range(500):
        values = [value(a.sort, rng) for a in term.args]
        place, wanted = rng.randrange(len(term.args)), rng.random() < 0.5
        known = inverse(term, place, wanted, values, rng)
        if known is not None:
            assert after(term, place, known, values) is wanted, (place, wanted, values, known)
            found += 1
    assert found > 300


@pytest.mark.parametrize("term", FLOATS, ids=repr)
def test_floats(term: Term) -> None:
    """Nearly, mostly."""
    rng, hits, tried = random.Random(3), 0, 0
    places = [place for place, a in enumerate(term.args) if a.sort.is_float]
    for _ in range(500):
        values = [value(a.sort, rng) for a in term.args]
        place = rng.choice(places)
        wanted = after(term, place, value(FLOAT64, rng), values)
        if math.isfinite(wanted):
            known = inverse(term, place, wanted, values, rng)
            hits += known is not None and math.isclose(after(term, place, known, values), wanted, rel_tol=1e-6)
            tried += 1
    assert hits > 0.5 * tried > 50


def test_what_is_nearest_comes_first() -> None:
    """A range is entered where it is nearest, or a little further, more often than anywhere else."""
    term, rng = make(Op.BV_ULT, A, B), random.Random(4)
    found = [inverse(term, 0, True, [200, 100], rng) for _ in range(100)]
    assert found.count(99) > 40
    assert len(set(found)) > 10


def test_there_may_be_none() -> None:
    rng = random.Random(5)
    assert inverse(make(Op.BV_ULT, A, B), 0, True, [7, 0], rng) is None
    assert inverse(make(Op.BV_MUL, A, B), 0, 5, [1, 2], rng) is None
    assert inverse(make(Op.FP_LT, X, Y), 0, True, [1.0, math.nan], rng) is None
    assert inverse(make(Op.MATH, X, data="exp"), 0, -1.0, [1.0], rng) is None
