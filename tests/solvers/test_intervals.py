"""Interval constraint propagation: nothing that a term may be is ever lost, and what is refuted has no model."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from sampling import examples
from term import strategies as random_terms
from zeroin.config import Budget
from zeroin.native import intervals as tape
from zeroin.native.pruning import prune
from zeroin.solvers.base import Query, Sat, Unsat
from zeroin.solvers.chain import query_of
from zeroin.solvers.intervals import Intervals, Tape
from zeroin.term.core.build import RNE
from zeroin.term.core.evaluate import NoValue, evaluate, signed
from zeroin.term.core.nodes import Op, Rounding, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, FLOAT32, FLOAT64, ROUNDING, Sort, bits
from zeroin.term.core.traversal import postorder


def is_in(made: Tape, at: int, value: Any) -> bool:
    """Whether a value is in the domain of a part."""
    domains = made.domains
    if isinstance(value, float) and math.isnan(value):
        return bool(domains.nan[at])
    if domains.code[at, tape.KIND] == tape.BITS:
        number = signed(value, int(domains.code[at, tape.WIDTH]))
        low, high = tape.as_signed(domains, at)
        if not float(low) <= number <= float(high):
            return False
    return bool(float(domains.low[at]) <= value <= float(domains.high[at]))


def narrow_around(made: Tape, model: dict[str, Any], draw: random.Random) -> None:
    """A random box that the model is in."""
    for v, at in zip(made._variables, made.boxes.inputs, strict=False):  # conditions are inputs, too
        value = model[v.data]
        if v.sort == BOOL or draw.random() < 0.3 or not abs(value) < 2**1000:
            continue
        kind, near = int(made.domains.code[at, tape.KIND]), float(value)
        spread = draw.choice([0.0, 1.0, abs(near) * 1e-3, abs(near), 1e30])
        is_float = kind in (tape.F32, tape.F64)
        low = near - spread if is_float else math.nextafter(math.floor(near - spread * draw.random()), -math.inf)
        high = near + spread if is_float else math.nextafter(math.ceil(near + spread), math.inf)
        tape.tighten(made.domains, int(at), float(low), float(high), draw.randint(0, 1))


def check(condition: Term, model: dict[str, Any], draw: random.Random) -> None:
    """What holds for a model is not refuted in a box that the model is in, nor is a value lost of any part."""
    values: dict[Term, Any] = {}
    try:
        holds = evaluate(condition, model, values)
    except NoValue:
        assume(False)
    query = Query((condition if holds else make(Op.NOT, condition),))
    made = Tape(query)
    narrow_around(made, model, draw)
    assert not prune(made.domains), (query, model)
    for part in postorder(query.constraints):
        at = made._place[part]
        if at >= 0:
            value = evaluate(part, model, values)
            assert is_in(made, at, value), (part, value, made.domains.low[at], made.domains.high[at], model)


@examples(2000, suppress_health_check=list(HealthCheck))
@given(random_terms.terms(BOOL, depth=4), random_terms.models(), st.randoms(use_true_random=False))
def test_no_value_is_lost(condition: Term, model: dict[str, Any], draw: random.Random) -> None:
    check(condition, model, draw)


@pytest.mark.parametrize("number", range(len(random_terms.signatures())))
def test_no_value_of_an_operation_is_lost(number: int) -> None:
    """Each operation by itself, compared with each of its values."""
    op, parameters, data = random_terms.signatures()[number]
    names: dict[Sort, int] = {}
    args = []
    for sort in parameters:
        place = names[sort] = names.get(sort, -1) + 1
        args.append(RNE if sort == ROUNDING
                    else random_terms.names_of(sort)[place])  # fmt: skip
    term, draw = make(op, *args, data=data), random.Random(number)
    for model in random_terms.some_models(60, number):
        result = variable("result", term.sort)
        try:
            value = evaluate(term, model)
        except NoValue:
            continue
        check(make(Op.EQUAL, result, term), {**model, "result": value}, draw)


_THREE = bits(3)
_BINARY = [op for op in Op if op.name.startswith("BV_") and op not in (Op.BV_CONCAT, Op.BV_EXTRACT, Op.BV_ZERO_EXTEND,
           Op.BV_SIGN_EXTEND, Op.BV_NOT, Op.BV_NEG, Op.BV_ULT, Op.BV_ULE, Op.BV_SLT, Op.BV_SLE)]  # fmt: skip
_OF_THREE_BITS: dict[str, Callable[[Term, Term], Term]] = {
    **{op.name: partial(make, op) for op in _BINARY},
    Op.BV_NOT.name: lambda a, b: make(Op.BV_NOT, a),
    Op.BV_NEG.name: lambda a, b: make(Op.BV_NEG, a),
    "square": lambda a, b: make(Op.BV_MUL, a, a),
    "nothing": lambda a, b: make(Op.BV_SUB, a, a),
    "either": lambda a, b: make(Op.ITE, make(Op.BV_SLT, a, b), a, b),
    "widened": lambda a, b: make(Op.BV_MUL, *(make(Op.BV_SIGN_EXTEND, v, data=bits(6)) for v in (a, b))),
    "low": lambda a, b: make(Op.BV_EXTRACT, make(Op.BV_CONCAT, a, b), data=(3, 1)),
    "high": lambda a, b: make(Op.BV_EXTRACT, make(Op.BV_CONCAT, a, b), data=(5, 3)),
}


@pytest.mark.parametrize("name", _OF_THREE_BITS)
def test_no_value_is_lost_in_any_box_of_three_bits(name: str) -> None:
    """Of unsigned and of signed bounds, for both operands and for the result."""
    a, b = variable("a", _THREE), variable("b", _THREE)
    term = _OF_THREE_BITS[name](a, b)
    result = variable("result", term.sort)
    table = [{"a": x, "b": y, "result": evaluate(term, {"a": x, "b": y})} for x in range(8) for y in range(8)]
    draw = random.Random(name)
    made = Tape(Query((make(Op.EQUAL, result, term), *(make(Op.EQUAL, v, v) for v in (a, b)))))
    parts = [made._place[v] for v in (a, b, result)]
    fresh = [some.copy() for some in made.domains]
    for _ in range(1500):
        for own, first in zip(made.domains, fresh, strict=True):
            own[:] = first
        bounds = []
        for v, at in zip((a, b, result), parts, strict=True):
            whole = 1 << v.sort.width
            shift = draw.choice((0, whole // 2))
            low, high = sorted(draw.randrange(whole) - shift for _ in range(2))
            if v is result and draw.random() < 0.5:
                low, high = -shift, whole - 1 - shift
            if shift:
                tape.tighten_signed(made.domains, at, low, high)
            else:
                tape.tighten(made.domains, at, low, high, 0)
            bounds.append((v, low, high, shift))
        inside = [
            model for model in table
            if all(low <= (signed(model[v.data], v.sort.width) if shift else model[v.data]) <= high
                   for v, low, high, shift in bounds)
        ]  # fmt: skip
        empty = bool(made.domains.state[1]) or prune(made.domains)
        assert not (empty and inside), (bounds, inside[0])
        for model in inside:
            assert all(is_in(made, at, model[v.data]) for v, at in zip((a, b, result), parts, strict=True)), model


def test_bounds_of_signed_operations_are_the_best_ones() -> None:
    """Of a product of sign-extended numbers, a quotient by a positive one, and a shift, in all signed boxes."""
    a, b = variable("a", _THREE), variable("b", _THREE)
    wide = [make(Op.BV_SIGN_EXTEND, v, data=bits(6)) for v in (a, b)]
    terms = [make(Op.BV_MUL, *wide), make(Op.BV_SDIV, *wide), make(Op.BV_ASHR, wide[0], constant(bits(6), 1)),
             make(Op.BV_ADD, *wide), make(Op.BV_SUB, *wide)]  # fmt: skip
    for term in terms:
        made = Tape(Query((make(Op.EQUAL, term, term),)))
        for low in range(-4, 4):
            for high in range(low, 4):
                for other, last in ((1, 3), (2, 2), (1, 1)):
                    for own, first in zip(made.domains[1:], made.boxes.first[1:], strict=True):
                        own[:] = first
                    tape.tighten_signed(made.domains, made._place[a], low, high)
                    if b in made._place:
                        tape.tighten_signed(made.domains, made._place[b], other, last)
                    assert not prune(made.domains)
                    found = [signed(evaluate(term, {"a": x & 7, "b": y}), 6)
                             for x in range(low, high + 1) for y in range(other, last + 1)]  # fmt: skip
                    at = made._place[term]
                    assert tape.as_signed(made.domains, at) == (min(found), max(found))


def test_bounds_of_a_minimum_and_a_maximum_hold_beside_nan() -> None:
    x = variable("x", FLOAT64)
    one = constant(FLOAT64, 1.0)
    extremes = make(Op.FP_MAX, x, one), make(Op.FP_MIN, x, one)
    for wrong in (make(Op.FP_LT, extremes[0], one), make(Op.FP_LT, one, extremes[1])):
        answer = Intervals().solve(Query((wrong,)), Budget(1, 1.0))
        assert isinstance(answer, Unsat)


@st.composite
def _sums(draw: Any, sort: Sort, depth: int) -> Term:
    """A term of float arithmetic with many zeros, ones, and signs."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        numbers = [constant(sort, value) for value in (0.0, -0.0, 1.0)]
        leaf: Term = draw(st.sampled_from([*random_terms.names_of(sort)[:2], *numbers]))
        return leaf
    op = draw(st.sampled_from([Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV, Op.FP_NEG, Op.FP_ABS, Op.FP_SQRT, Op.MATH]))
    count = 1 if op in (Op.FP_NEG, Op.FP_ABS, Op.FP_SQRT) else 2
    mode = [constant(ROUNDING, draw(st.sampled_from([Rounding.RNE, Rounding.RTP, Rounding.RTN])))]
    args = [draw(_sums(sort, depth - 1)) for _ in range(count)]
    if op is Op.MATH:
        return make(op, *args, data=draw(st.sampled_from(["copysign", "fmod", "atan2"])))
    term: Term = make(op, *(mode if op not in (Op.FP_NEG, Op.FP_ABS) else []), *args)
    return term


@st.composite
def _compared_sums(draw: Any) -> Term:
    sort = draw(st.sampled_from([FLOAT32, FLOAT64]))
    depth = draw(st.integers(1, 4))
    sides = [draw(_sums(sort, depth)) for _ in range(2)]
    op = draw(st.sampled_from([Op.EQUAL, Op.FP_EQ, Op.FP_LT, Op.FP_LE, Op.FP_SUB]))
    if op is Op.FP_SUB:
        return make(Op.FP_LT, make(op, RNE, *sides), constant(sort, 0.0))
    return make(op, *sides)


@examples(2000, suppress_health_check=list(HealthCheck))
@given(_compared_sums(), random_terms.models(), st.sampled_from([0.0, -0.0, 1.0, math.inf, math.nan, -2.5]),
       st.randoms(use_true_random=False))  # fmt: skip
def test_no_value_is_lost_where_terms_share_a_row(
    condition: Term, model: dict[str, Any], often: float, draw: Any
) -> None:
    changed = {v.data: often for v in postorder([condition]) if v.op is Op.VARIABLE and draw.random() < 0.5}
    check(condition, {**model, **changed}, draw)


@pytest.mark.parametrize(
    ("conditions", "types"),
    [
        (["x > 2.0", "x < 1.0"], {}),
        (["x * x < 0.0"], {}),
        (["x * x == 2.0"], {}),
        (["x * x == 2.0"], {"x": "float32"}),
        (["x > 3", "x + y < 2", "y > 0"], {}),
        (["sqrt(x) > 3", "x < 8.9"], {}),
        (["0.4 * (x - 5e4) + 9000.0 > x", "x > 5e4", "x < 1e12"], {}),
        (["x - x != 0", "x == x", "x < 1e300", "x > -1e300"], {}),
        (["n > 3", "n < 2"], {"n": "int"}),
        (["n * n == 3", "n > -100", "n < 100"], {"n": "int"}),
        (["b & 15 > 20"], {"b": "u32"}),
        (["hypot(x, y) < 0"], {}),
        (["x*x - (x + 0.0)*(x + 0.0) < 0"], {}),
        (["x + (-y) != x - y", "x - y == x - y"], {}),
        (["x % 360.0 < 0"], {}),
        (["(x % 360.0) - 180.0 < -180.0"], {}),
        (["x % -2.5 > 0"], {}),
        (["y == 7.0", "x % y > 7.0"], {}),
        (["2*x == 720.0", "y == 7.0", "fmod(x, y) != 3.0"], {}),
        (["fmod(x, y) < 3", "y > 10", "x >= 3", "x < 10"], {}),
        (["min(max(x, -1.0), 1.0) > 1"], {}),
        (["n >> 3 >= 2**28"], {"n": "i32"}),
        (["n >> 3 < -2**28"], {"n": "i32"}),
        (["n >> m < 0", "n >= 0", "m >= 0", "m < 32"], {"n": "i32", "m": "i32"}),
        (["n / 7 > 306783378"], {"n": "i32"}),
        (["n % 10 < -9"], {"n": "i32"}),
        (["n / m > 100", "n <= 100", "m > 0"], {"n": "i64", "m": "i64"}),
        (["((n << 16) >> 16) * ((m << 16) >> 16) < -2**30"], {"n": "i32", "m": "i32"}),
        (["sin(x) * y > 2", "abs(y) <= 1"], {}),
        (["exp(x) > 3", "x < 1"], {}),
        (["atan2(x, y) > 3.1415926535897936"], {}),
    ],
)
def test_what_has_no_model_is_refuted(conditions: list[str], types: dict[str, str]) -> None:
    answer = Intervals().solve(query_of(conditions, types), Budget(100_000, 20.0))
    assert isinstance(answer, Unsat)
    functions = {"hypot", "sin", "exp", "atan2"} & {name for one in conditions for name in one.split("(")}
    assert bool(answer.proof.assumptions) == bool(functions)


@pytest.mark.parametrize("condition", ["x * x == 2.25", "n * n == 1444", "f * 3 == 1.5", "b * 3 == 7"])
def test_models_are_found_where_boxes_get_that_small(condition: str) -> None:
    query = query_of([condition], {"n": "int", "f": "float32", "b": "u8"})
    answer = Intervals().solve(query, Budget(100_000, 20.0))
    assert isinstance(answer, Sat)
    assert query.holds(answer.model)


_W = random_terms.names_of(random_terms.VECTORS[-1])  # 64 bits
_EDGES = {
    "not": (make(Op.BV_NOT, _W[0]), {_W[0].data: 2**64 - 2048}),
    "or": (make(Op.BV_OR, _W[0], _W[1]), {_W[0].data: 2**54, _W[1].data: 1}),
    "extract": (make(Op.BV_EXTRACT, _W[0], data=(63, 0)), {_W[0].data: 2**53}),
}


@pytest.mark.parametrize("name", _EDGES)
def test_no_value_is_lost_where_doubles_have_no_room(name: str) -> None:
    term, inputs = _EDGES[name]
    value = evaluate(term, inputs)
    result = variable("result", term.sort)
    fixed = [make(Op.EQUAL, v, constant(v.sort, {**inputs, "result": value}[v.data]))
             for v in (result, *(one for one in _W if one.data in inputs))]  # fmt: skip
    answer = Intervals().solve(Query((make(Op.EQUAL, result, term), *fixed)), Budget(1000, 5.0))
    assert not isinstance(answer, Unsat)
