"""What is left open: where it is, what rests on it, and that no proof does."""

from __future__ import annotations

import math
from typing import Any

import pytest

from zeroin.config import Budget
from zeroin.solvers import Answer, Query, Sat, Unknown, Unsat, solve
from zeroin.solvers.smt import Z3, Bitwuzla, Cvc5, SmtSolver
from zeroin.term.core.build import FALSE, RNE, RTZ, TRUE, conjunction, disjunction, equal, if_else, negation
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import Op, Term, computed_nan, constant, float_of_bits, make, own_bits, variable
from zeroin.term.core.open_values import CAST, NAN_BITS, ZERO_DIVISION, ZEROS, resting_on
from zeroin.term.core.simplify import simplify
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, Sort, bits
from zeroin.term.core.undefined import OVERFLOW, SHIFT, bits_of, c_operation, open_where
from zeroin.term.expression.parser import parse
from zeroin.term.smt.reader import read

WHEELS = (Z3, Bitwuzla, Cvc5)
BUDGET = Budget(seconds=20.0)
X, Y, S = variable("x", FLOAT64), variable("y", FLOAT64), variable("s", FLOAT32)
A, B = variable("a", bits(32)), variable("b", bits(32))
N, M, P = variable("n", INT), variable("m", INT), variable("p", BOOL)


def fp(op: Op, *args: Term) -> Term:
    return make(op, RNE, *args)


def number(value: float, sort: Sort = FLOAT64) -> Term:
    return constant(sort, value)


def word(value: int, width: int = 32) -> Term:
    return constant(bits(width), value)


def signed(term: Term) -> Term:
    """That the highest bit is set."""
    top = term.sort.width - 1
    return equal(make(Op.BV_EXTRACT, term, data=(top, top)), constant(bits(1), 1))


COMPUTED = fp(Op.FP_DIV, X, X)
NAN_INPUT = make(Op.FP_IS_NAN, X)
CAST_OF_X = make(Op.FP_TO_SIGNED, RTZ, X, data=bits(8))
BEYOND = make(Op.FP_LT, number(1000.0), X)
BY_ZERO = equal(B, word(0))
ZERO_AND_ZERO = [equal(X, number(-0.0)), equal(Y, number(0.0))]

# Conditions of which each holds or not as the machine likes: no prover may refute them, nor their negation.
FREE: dict[str, tuple[list[Term], Term]] = {
    "sign of a NaN that came in": ([NAN_INPUT], signed(bits_of(X))),
    "payload of a NaN that came in": ([NAN_INPUT], equal(bits_of(X), word(0xFFF0000000000001, 64))),
    "sign of a computed NaN": ([equal(X, number(0.0))], signed(bits_of(COMPUTED))),
    "sign of a single": ([make(Op.FP_IS_NAN, S)], signed(bits_of(make(Op.FP_NEG, S)))),
    "two NaNs": ([NAN_INPUT, make(Op.FP_IS_NAN, Y)], equal(bits_of(X), bits_of(Y))),
    "sign of NaN by a function": ([NAN_INPUT, make(Op.FP_IS_NAN, Y)], equal(
        *(make(Op.MATH, number(1.0), a, data="copysign") for a in (X, Y)))),
    "cast": ([BEYOND], equal(CAST_OF_X, word(5, 8))),
    "unsigned cast": ([make(Op.FP_LT, X, number(-1.0))],
                      equal(make(Op.FP_TO_UNSIGNED, RTZ, X, data=bits(64)), word(5, 64))),
    "cast of NaN": ([NAN_INPUT], equal(CAST_OF_X, word(0, 8))),
    "quotient by zero": ([BY_ZERO], equal(c_operation(Op.BV_UDIV, A, B), word(77))),
    "remainder by zero": ([BY_ZERO], equal(c_operation(Op.BV_SREM, A, B), A)),
    "quotient that does not fit": ([equal(A, word(1 << 31)), equal(B, word(-1))],
                                   equal(c_operation(Op.BV_SDIV, A, B), A)),
    "shift": ([make(Op.BV_ULE, word(32), B)], equal(c_operation(Op.BV_SHL, A, B), word(0))),
    "shift to the right": ([make(Op.BV_ULE, word(32), B)], equal(c_operation(Op.BV_ASHR, A, B), A)),
    "least": (ZERO_AND_ZERO, equal(make(Op.FP_MIN, X, Y), X)),
    "greatest": (ZERO_AND_ZERO, equal(make(Op.FP_MAX, Y, X), X)),
    "whim": ([], make(Op.OPEN, P, data="a whim")),
    "folded cast": ([TRUE], equal(make(Op.FP_TO_SIGNED, RTZ, number(300.0), data=bits(8)), word(44, 8))),
    "sine of a constant": ([P], make(Op.FP_LT, number(0.5), make(Op.MATH, number(1.0), data="sin"))),
}  # fmt: skip
NUMBERS: dict[str, tuple[list[Term], Term]] = {
    "real of infinity": ([make(Op.FP_IS_INF, X)], equal(make(Op.FP_TO_REAL, X), constant(REAL, 3))),
    "two infinities": ([make(Op.FP_IS_INF, X), make(Op.FP_IS_INF, Y)],
                       make(Op.LT, make(Op.FP_TO_REAL, X), make(Op.FP_TO_REAL, Y))),
    "int of NaN": ([NAN_INPUT], equal(make(Op.FP_TO_INT, X), constant(INT, 3))),
    "constant quotient": ([], equal(make(Op.DIVIDE, constant(REAL, 1), constant(REAL, 0)), constant(REAL, 7))),
} | {
    op.name: ([equal(M, constant(INT, 0))], equal(make(op, N, M), constant(INT, 7)))
    for op in Op if op.name.endswith(("_DIV", "_MOD")) and op.name[:2] not in ("FP", "BV")
}  # fmt: skip


@pytest.mark.parametrize("name", [*FREE, *NUMBERS])
def test_no_prover_refutes_what_is_open(name: str) -> None:
    given, free = (FREE | NUMBERS)[name]
    for condition in (free, negation(free)):
        constraints = [*given, condition]
        assert simplify(conjunction(constraints)) is not FALSE
        for wheel in WHEELS if name in FREE else (Z3, Cvc5):
            answer = wheel().solve(Query(tuple(constraints)), BUDGET)
            assert not isinstance(answer, Unsat), wheel.name
            assert isinstance(answer, Sat) or "time" not in answer.reason
        assert not isinstance(solve(constraints, Budget(seconds=5.0)), Unsat)


def both(name: str) -> list[Answer]:
    given, free = FREE[name]
    return [solve([*given, condition], Budget(seconds=5.0)) for condition in (free, negation(free))]


def test_a_nan_that_comes_in_may_have_any_bits() -> None:
    for name in ("sign of a NaN that came in", "payload of a NaN that came in", "two NaNs", "sign of a single"):
        for answer in both(name):
            assert isinstance(answer, Sat)
            assert answer.open == ()
    negative, positive = both("sign of a NaN that came in")
    assert isinstance(negative, Sat)
    assert isinstance(positive, Sat)
    assert math.copysign(1.0, negative.model["x"]) < 0 < math.copysign(1.0, positive.model["x"])


@pytest.mark.parametrize("wheel", WHEELS)
def test_a_prover_finds_the_bits(wheel: type[SmtSolver]) -> None:
    for sort, pattern in ((FLOAT32, 0xFF800001), (FLOAT64, 0xFFF0000000000123)):
        v = variable("v", sort)
        answer = wheel().solve(Query((equal(bits_of(v), constant(bits(sort.width), pattern)),)), BUDGET)
        assert isinstance(answer, Sat)
        assert own_bits(sort, answer.model["v"]) == pattern


def test_of_the_machines_values_one_is_a_model() -> None:
    for name in ("sign of a computed NaN", "cast of NaN", "quotient by zero", "least"):
        sat, other = sorted(both(name), key=lambda answer: isinstance(answer, Unknown))
        assert isinstance(sat, Sat)
        assert sat.open
        assert isinstance(other, Unknown)


PROVABLE = {
    "NaN stays NaN": [equal(X, number(0.0)), negation(make(Op.FP_IS_NAN, COMPUTED))],
    "the bits are a NaN's": [make(Op.FP_IS_NAN, COMPUTED), negation(
        make(Op.FP_IS_NAN, make(Op.FP_FROM_BITS, bits_of(COMPUTED), data=FLOAT64)))],
    "a sign is changed": [equal(bits_of(X), bits_of(make(Op.FP_NEG, X)))],
    "bits there and back": [negation(equal(bits_of(make(Op.FP_FROM_BITS, A, data=FLOAT32)), A))],
    "bits of a choice": [negation(signed(bits_of(if_else(P, make(Op.FP_NEG, make(Op.FP_ABS, X)), number(-1.0)))))],
    "a cast that fits": [equal(X, number(-7.9)), negation(equal(CAST_OF_X, word(-7, 8)))],
    "SMT-LIB's own": [BY_ZERO, negation(equal(make(Op.BV_UREM, A, B), A))],
    "a shift that fits": [equal(B, word(31)), make(Op.BV_ULT, word(1), c_operation(Op.BV_LSHR, A, B))],
    "one value for one term": [BEYOND, make(Op.BV_ULT, CAST_OF_X, CAST_OF_X)],
    "the least is one of them": [*ZERO_AND_ZERO, negation(make(Op.FP_IS_ZERO, make(Op.FP_MIN, X, Y)))],
}  # fmt: skip


@pytest.mark.parametrize("name", PROVABLE)
def test_what_holds_for_every_choice_is_proved(name: str) -> None:
    for wheel in WHEELS:
        assert isinstance(wheel().solve(Query(tuple(PROVABLE[name])), BUDGET), Unsat), wheel.name


@pytest.mark.parametrize(("script", "answer"), [
    ("(assert (fp.isNaN x)) (assert (distinct (fp.to_ieee_bv x) (fp.to_ieee_bv (fp.neg x))))", Unsat),
    ("(assert (and (fp.isNaN x) (fp.isNaN y) (distinct (fp.to_ieee_bv x) (fp.to_ieee_bv y))))", Unsat | Unknown),
    ("(assert (= x ((_ to_fp 11 53) b))) (assert (distinct (fp.to_ieee_bv x) b))", Sat),
    ("(assert (fp.isNaN x)) (assert (= ((_ extract 63 63) (fp.to_ieee_bv x)) #b1))", Unknown),
    ("(assert (fp.isInfinite x)) (assert (= (fp.to_real x) 1.0))", Unknown),
    ("(assert (= (bvudiv b #x0000000000000000) #x0000000000000000))", Unsat),
    ("(assert (= (bvurem b #x0000000000000000) (bvnot b)))", Unsat),
    ("(assert (distinct (bvshl b #x0000000000000040) #x0000000000000000))", Unsat),
])  # fmt: skip
def test_scripts(script: str, answer: Any) -> None:
    declared = "(declare-const x Float64) (declare-const y Float64) (declare-const b (_ BitVec 64))"
    assert isinstance(solve(read(declared + script).constraints, Budget(seconds=5.0)), answer)


@pytest.mark.parametrize(("text", "kind"), [
    ("a << b != 0 and b == 40", "i32"), ("a >> b != 0 and b == 40", "u32"),
    ("a / b == 5 and a == -128 and b == -1", "i8"), ("i8(x) == 5 and x == 300", "i8"), ("u8(x) == 5 and x < -1", "u8"),
])  # fmt: skip
def test_expressions_prove_nothing_where_c_leaves_it_open(text: str, kind: str) -> None:
    from zeroin.term.expression.typed import TYPES

    condition = parse(text, {"a": TYPES[kind], "b": TYPES[kind]}, default=TYPES["float"])
    assert not isinstance(solve([condition], Budget(seconds=5.0)), Unsat)


def test_what_a_value_rests_on() -> None:
    model = {"a": 9, "b": 0, "p": True, "x": 1e9, "y": 0.0}
    quotient, cast = c_operation(Op.BV_SDIV, A, B), equal(CAST_OF_X, word(0, 8))
    division = equal(quotient, word(-1))
    assert resting_on([quotient, cast], model) == (CAST, ZERO_DIVISION)
    assert resting_on([disjunction([P, cast])], model) == ()
    assert resting_on([conjunction([P, cast])], model) == (CAST,)
    assert resting_on([conjunction([negation(P), cast])], model) == ()
    assert resting_on([if_else(P, P, cast), if_else(negation(P), cast, P)], model) == ()
    assert resting_on([if_else(cast, P, P)], model) == (CAST,)
    assert resting_on([disjunction([division, cast])], model) in ((ZERO_DIVISION,), (CAST,))
    assert resting_on([equal(c_operation(Op.BV_SHL, A, A), A), division], model | {"b": 3}) == ()
    assert resting_on([c_operation(Op.BV_SHL, A, B)], model | {"b": 32}) == (SHIFT,)
    assert resting_on([quotient], model | {"a": 1 << 31, "b": (1 << 32) - 1}) == (OVERFLOW,)
    assert resting_on([make(Op.FP_TO_BITS, X), make(Op.MATH, Y, X, data="copysign")], {"x": math.nan, "y": 1.0}) == ()
    assert resting_on([make(Op.FP_TO_BITS, COMPUTED)], {"x": 0.0}) == (NAN_BITS,)
    assert resting_on([make(Op.MATH, X, COMPUTED, data="copysign")], {"x": 0.0}) == (NAN_BITS,)
    assert resting_on([make(Op.MATH, X, Y, data="fmax")], {"x": 0.0, "y": -0.0}) == (ZEROS,)
    assert resting_on([make(Op.FP_MIN, X, Y)], {"x": 0.0, "y": 0.0}) == ()


def test_evaluation_takes_one_value() -> None:
    assert evaluate(make(Op.FP_TO_BITS, COMPUTED), {"x": 0.0}) == computed_nan(FLOAT64)
    assert (
        evaluate(bits_of(make(Op.FP_ABS, X)), {"x": float_of_bits(FLOAT64, 0xFFF0000000000123)}) == 0x7FF0000000000123
    )
    assert evaluate(open_where(BY_ZERO, A, "a reason"), {"a": 5, "b": 0}) == 5
    shifted = c_operation(Op.BV_SHL, A, B)
    assert [evaluate(shifted, {"a": 3, "b": n}) for n in (0, 31, 32, 33)] == [3, 1 << 31, 3, 6]
    assert open_where(FALSE, A, "a reason") is A
    assert c_operation(Op.BV_SHL, A, word(31)) is make(Op.BV_SHL, A, word(31))
    assert c_operation(Op.BV_UDIV, A, word(31)) is make(Op.BV_UDIV, A, word(31))
