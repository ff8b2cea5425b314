"""Interval constraint propagation: nothing that a term may be is ever lost, and what is refuted has no model."""

from __future__ import annotations

import math
import random
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
from zeroin.term.core.evaluate import NoValue, evaluate
from zeroin.term.core.nodes import Op, Term, constant, make, variable
from zeroin.term.core.sorts import BOOL, ROUNDING, Sort
from zeroin.term.core.traversal import postorder


def is_in(made: Tape, at: int, value: Any) -> bool:
    """Whether a value is in the domain of a part."""
    domains = made.domains
    if isinstance(value, float) and math.isnan(value):
        return bool(domains.nan[at])
    return bool(float(domains.low[at]) <= value <= float(domains.high[at]))


def narrow_around(made: Tape, model: dict[str, Any], draw: random.Random) -> None:
    """A random box that the model is in."""
    for v, at in zip(made._variables, made.boxes.inputs, strict=True):
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
