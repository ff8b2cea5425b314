"""Terms: interned, typed, and as deep as one likes."""

from __future__ import annotations

import copy
import gc
import math
import pickle
import threading
from enum import IntEnum
from fractions import Fraction
from typing import Any

import pytest

from term.strategies import names_of, signatures, special
from zeroin.errors import ZeroinError
from zeroin.objective.condition import Condition
from zeroin.term.core import nodes
from zeroin.term.core.build import FALSE, RNE, TRUE, conjunction, equal, if_else
from zeroin.term.core.evaluate import evaluate
from zeroin.term.core.nodes import (
    Op,
    Opaque,
    Rounding,
    SortError,
    Term,
    bits_of_float,
    constant,
    float_constant,
    float_of_bits,
    make,
    variable,
)
from zeroin.term.core.simplify import simplify, simplify_all
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, INT, REAL, ROUNDING, STRING, Sort, array, bits
from zeroin.term.core.text import show
from zeroin.term.core.traversal import fold, postorder, rebuild, size, substitute, variables
from zeroin.term.core.typing_rules import MATH

X, Y, _ = names_of(FLOAT64)
M, N, _ = names_of(INT)
B = names_of(BOOL)[0]
DEEP = 20_000
QUAD = Sort("FloatingPoint", (15, 113))


def deep(op: Op, depth: int = DEEP, first: Term = M, second: Term = N) -> Term:
    term = first
    for _ in range(depth):
        term = make(op, term, second)
    return term


# ---- equal terms are the same object ----


def test_equal_terms_are_one_object() -> None:
    assert variable("x", FLOAT64) is variable("x", FLOAT64)
    assert make(Op.ADD, M, N) is make(Op.ADD, M, N)
    assert make(Op.ADD, M, N) is not make(Op.ADD, N, M)
    assert variable("x", FLOAT64) is not variable("x", FLOAT32)
    assert make(Op.MATH, X, data="sin") is not make(Op.MATH, X, data="cos")
    v = variable("v", bits(8))
    assert make(Op.BV_EXTRACT, v, data=(3, 0)) is not make(Op.BV_EXTRACT, v, data=(4, 1))


def test_constants_are_kept_apart() -> None:
    sorts = (INT, REAL, bits(1), bits(8), FLOAT32, FLOAT64)
    same_number = [*(constant(sort, 1) for sort in sorts), constant(BOOL, True), constant(STRING, "1")]
    assert len(set(map(id, same_number))) == len(same_number)
    assert constant(FLOAT64, 0.0) is not constant(FLOAT64, -0.0)
    assert constant(BOOL, False) is FALSE is not TRUE
    assert constant(FLOAT64, math.nan) is constant(FLOAT64, -math.nan) is float_constant(FLOAT64, 0xFFF0000000000001)
    assert constant(FLOAT32, math.nan) is float_constant(FLOAT32, 0x7F800001)
    assert float_constant(FLOAT64, 0x7FF0000000000000) is constant(FLOAT64, math.inf)
    assert float_constant(FLOAT32, 0x80000000) is constant(FLOAT32, -0.0)


def test_subclasses_of_values_make_no_other_constants() -> None:
    class Number(IntEnum):
        TWO = 2

    class Text(str):
        pass

    assert constant(INT, Number.TWO) is constant(INT, 2)
    assert type(constant(INT, Number.TWO).value) is int
    assert constant(STRING, Text("a")) is constant(STRING, "a")
    assert variable(Text("a"), INT) is variable("a", INT)
    assert constant(bits(8), Number.TWO) is constant(bits(8), 2)
    assert constant(REAL, 2) is constant(REAL, Fraction(4, 2))


def test_values_of_constants() -> None:
    assert constant(bits(8), -1).value == 255
    assert constant(FLOAT32, 0.1).value == 0.10000000149011612
    assert constant(FLOAT32, 1e39).value == math.inf
    assert constant(FLOAT32, -1e39).value == -math.inf
    assert math.copysign(1, constant(FLOAT64, -0.0).value) == -1
    assert constant(FLOAT64, 10**400).value == math.inf
    assert constant(FLOAT32, (1 << 60) + (1 << 36) + 1).value == 2.0**60 + 2.0**37  # not rounded to a double before
    assert constant(ROUNDING, Rounding.RTZ).value is Rounding.RTZ
    for sort in (FLOAT32, FLOAT64):
        for x in special(sort):
            assert bits_of_float(sort, float_of_bits(sort, bits_of_float(sort, x))) == bits_of_float(sort, x)


@pytest.mark.parametrize(
    ("sort", "value"),
    [(BOOL, 1), (INT, True), (INT, 1.0), (REAL, 0.5), (REAL, True), (STRING, 1), (ROUNDING, "RNE"), (FLOAT64, "1"),
     (bits(8), 1.0), (array(INT, INT), 0), (QUAD, 1.0)],
)  # fmt: skip
def test_values_of_other_sorts_are_refused(sort: Sort, value: Any) -> None:
    with pytest.raises(SortError, match=" is no "):
        constant(sort, value)


def test_threads_make_the_same_terms() -> None:
    found: list[list[Term]] = []

    def work() -> None:
        found.append([make(Op.ADD, M, constant(INT, n)) for n in range(2000)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(a is b for other in found for a, b in zip(found[0], other, strict=True))


def test_terms_nobody_has_are_forgotten() -> None:
    gc.collect()
    before = len(nodes._known)
    term = deep(Op.ADD, 1000)
    assert len(nodes._known) == before + 1000
    del term
    assert len(nodes._known) == before


# ---- copies ----


def test_pickling_and_copying_give_the_same_object() -> None:
    term = if_else(make(Op.FP_LT, X, constant(FLOAT64, math.nan)), constant(REAL, Fraction(1, 3)), constant(REAL, 0))
    both = make(Op.EQUAL, term, term)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(both, protocol)) is both
    assert copy.deepcopy([both])[0] is copy.copy(both) is both
    call = make(Op.CALL, X, data=Opaque("f", (FLOAT64,), FLOAT64, function=math.sin))
    assert copy.deepcopy(call) is call
    again = pickle.loads(pickle.dumps(call))
    assert (again.op, again.args, again.data.name, again.data.function) == (Op.CALL, (X,), "f", math.sin)


def test_a_term_that_is_gone_comes_back_from_its_pickle() -> None:
    stored = pickle.dumps(make(Op.SUB, variable("only here", INT), constant(INT, -5)))
    gc.collect()
    assert repr(pickle.loads(stored)) == "(- only here -5)"


def test_using_a_term_does_not_change_it() -> None:
    term = if_else(B, make(Op.ADD, M, constant(INT, 0)), N)
    parts = (term.op, term.args, term.data, term.sort)
    simplify(term)
    substitute(term, {M: N})
    evaluate(term, {M.data: 1, N.data: 2, B.data: True})
    assert (term.op, term.args, term.data, term.sort) == parts
    with pytest.raises(AttributeError):
        term.extra = 1  # type: ignore[attr-defined]


# ---- sorts ----


def test_every_operation_has_a_rule() -> None:
    for op in Op:
        if op not in (Op.VARIABLE, Op.CONSTANT):
            with pytest.raises(SortError, match=rf"{op.name}.* does not take \(\)"):
                make(op)


@pytest.mark.parametrize(
    ("op", "args", "data", "message"),
    [
        (Op.ADD, (M, X), None, r"ADD does not take \(Int, \(_ FloatingPoint 11 53\)\)"),
        (Op.ADD, (M,), None, r"ADD does not take \(Int\)"),
        (Op.FP_ADD, (X, Y), None, "FP_ADD does not take"),
        (Op.FP_ADD, (RNE, X, variable("s", FLOAT32)), None, "FP_ADD does not take"),
        (Op.FP_TO_FP, (RNE, X), None, "FP_TO_FP does not take"),
        (Op.FP_TO_FP, (RNE, X), QUAD, r"FP_TO_FP \[\(_ FloatingPoint 15 113\)\] does not take"),
        (Op.FP_TO_SIGNED, (RNE, X), FLOAT64, "FP_TO_SIGNED"),
        (Op.FP_FROM_BITS, (variable("v", bits(32)),), FLOAT64, "FP_FROM_BITS"),
        (Op.FP_ABS, (variable("h", QUAD),), None, "FP_ABS"),
        (Op.BV_ADD, (variable("v", bits(8)), variable("w", bits(16))), None, "BV_ADD"),
        (Op.BV_EXTRACT, (variable("v", bits(8)),), (8, 0), "BV_EXTRACT"),
        (Op.BV_EXTRACT, (variable("v", bits(8)),), (0, 1), "BV_EXTRACT"),
        (Op.BV_EXTRACT, (variable("v", bits(8)),), None, "BV_EXTRACT"),
        (Op.BV_ZERO_EXTEND, (variable("v", bits(8)),), bits(7), "BV_ZERO_EXTEND"),
        (Op.ITE, (B, M, X), None, "ITE"),
        (Op.ITE, (M, M, M), None, "ITE"),
        (Op.EQUAL, (M, variable("r", REAL)), None, "EQUAL"),
        (Op.NOT, (M,), None, "NOT"),
        (Op.AND, (B, M), None, "AND"),
        (Op.MATH, (X,), "sine", r"MATH \[sine\] does not take"),
        (Op.MATH, (X,), "pow", r"MATH \[pow\]"),
        (Op.CALL, (X,), Opaque("f", (INT,), INT), r"CALL \[f\] does not take"),
        (Op.DIVIDE, (M, N), None, "DIVIDE"),
        (Op.SELECT, (variable("a", array(INT, BOOL)), B), None, "SELECT"),
        (Op.STORE, (variable("a", array(INT, BOOL)), M, M), None, "STORE"),
        (Op.FILLED, (B,), array(INT, INT), "FILLED"),
        (Op.FILLED, (B,), None, "FILLED"),
        (Op.STR_AT, (variable("s", STRING), B), None, "STR_AT"),
        (Op.VARIABLE, (), "x", "VARIABLE"),
    ],
)
def test_wrong_sorts(op: Op, args: tuple[Term, ...], data: Any, message: str) -> None:
    with pytest.raises(SortError, match=message) as caught:
        make(op, *args, data=data)
    assert isinstance(caught.value, ZeroinError)


def test_sorts_of_results() -> None:
    v, w, a = variable("v", bits(8)), variable("w", bits(7)), variable("a", array(INT, BOOL))
    s = variable("s", STRING)
    assert make(Op.BV_CONCAT, v, w).sort == bits(15)
    assert make(Op.BV_EXTRACT, v, data=(5, 2)).sort == bits(4)
    assert make(Op.FP_TO_BITS, X).sort == bits(64)
    assert make(Op.SELECT, a, M).sort == BOOL
    assert make(Op.STORE, a, M, B).sort == array(INT, BOOL)
    assert make(Op.STR_LENGTH, s).sort == INT
    assert make(Op.STR_AT, s, M).sort == STRING
    assert {make(Op.MATH, *[X] * count, data=name).sort for name, count in MATH.items()} == {FLOAT64}
    assert str(array(INT, bits(8))) == "(Array Int (_ BitVec 8))"


def test_variables_are_replaced_all_at_once() -> None:
    term = make(Op.SUB, M, make(Op.MUL, N, N))
    assert substitute(term, {M: N, N: M}) is make(Op.SUB, N, make(Op.MUL, M, M))
    assert substitute(term, {M: make(Op.ADD, M, M)}) is make(Op.SUB, make(Op.ADD, M, M), term.args[1])
    with pytest.raises(SortError, match="which is Int"):
        substitute(term, {M: X})


# ---- text ----


def test_text() -> None:
    v = variable("v", bits(8))
    assert show(make(Op.FP_LT, make(Op.MATH, X, data="sin"), constant(FLOAT64, 0.5))) == f"(fp.lt (sin {X.data}) 0.5)"
    assert show(make(Op.FP_LE, X, X)) == f"(fp.leq {X.data} {X.data})"
    assert show(make(Op.BV_ZERO_EXTEND, v, data=bits(16))) == "((_ bvzero_extend (_ BitVec 16)) v)"
    assert show(make(Op.BV_EXTRACT, v, data=(3, 0))) == "((_ bvextract 3 0) v)"
    assert show(make(Op.BV_ADD, v, constant(bits(8), 10))) == "(bvadd v #x0a)"
    assert [show(constant(bits(3), 5)), show(TRUE), show(RNE), show(constant(REAL, Fraction(1, 3)))] == [
        "#b101", "true", "RNE", "1/3"]  # fmt: skip
    assert show(make(Op.CALL, M, data=Opaque("f", (INT,), INT))) == f"(f {M.data})"
    assert all(show(make(op, *(variable("p", s) for s in sorts), data=data)) for op, sorts, data in signatures())


def test_the_text_of_a_large_term_is_short() -> None:
    assert show(deep(Op.ADD)) == f"(+ ... {DEEP + 2} parts)"
    doubled = M
    for _ in range(300):  # 301 parts, which 2**300 would be written out
        doubled = make(Op.ADD, doubled, doubled)
    assert show(doubled) == "(+ ... 301 parts)"


# ---- depth ----


def test_deep_terms_can_be_worked_with() -> None:
    term = deep(Op.ADD)
    model = {M.data: 5, N.data: 2}
    assert len(postorder([term])) == size([term]) == DEEP + 2
    assert variables([term]) == [M, N]
    assert fold(term, lambda part, depths: 1 + max(depths, default=0)) == DEEP + 1
    assert rebuild(term, lambda part: part) is term
    assert substitute(term, {M: N}) is deep(Op.ADD, first=N)
    assert simplify(term) is term
    assert simplify(substitute(term, {M: constant(INT, 5), N: constant(INT, 2)})).value == 5 + 2 * DEEP
    assert evaluate(term, model) == 5 + 2 * DEEP
    assert pickle.loads(pickle.dumps(term)) is term


@pytest.mark.parametrize("kind", ["and", "or", "ite"])
def test_chains_of_conditions_are_not_copied_for_each_link(kind: str) -> None:
    depth = 10_000
    term: Term = B
    for n in range(depth):
        less = make(Op.LT, M, constant(INT, n))
        choice = if_else(less, FALSE, term)
        term = {"and": make(Op.AND, less, term), "or": make(Op.OR, less, term), "ite": choice}[kind]
    memo: dict[Term, Term] = {}
    simpler = simplify(term, memo)
    assert sum(len(part.args) for part in memo.values()) < 20 * depth
    assert len(simplify_all([term])) == (1 if kind == "or" else depth + 1)
    for model in ({M.data: -1, B.data: True}, {M.data: depth, B.data: True}, {M.data: depth, B.data: False}):
        assert evaluate(simpler, model) is evaluate(term, model)


def test_deep_terms_are_deleted() -> None:
    term = deep(Op.SUB)
    below = term.args[0].args[0].args[0]
    del term
    gc.collect()
    assert size([below]) == DEEP - 1
    del below
    gc.collect()
    assert len(conjunction([equal(M, N), B]).args) == 2


def test_deep_terms_are_lowered() -> None:
    depth = 10_000
    term = make(Op.FP_LT, constant(FLOAT64, 1.0), X)
    value = X
    for _ in range(depth):
        value = make(Op.FP_ADD, RNE, value, Y)
    for _ in range(depth):
        term = make(Op.NOT, make(Op.AND, term, B))
    condition = Condition([term], values=[value])
    assert condition.variables == [X, B, Y]


def test_equal_sorts_are_the_same_object() -> None:
    assert Sort("FloatingPoint", (11, 53)) is FLOAT64 is pickle.loads(pickle.dumps(FLOAT64)) is copy.deepcopy(FLOAT64)
    assert array(bits(64), FLOAT64) is Sort("Array", parts=(Sort("BitVec", (64,)), FLOAT64))
    assert bits(8) != bits(16)
    with pytest.raises(AttributeError, match="a sort is what it is"):
        FLOAT64.width = 3
