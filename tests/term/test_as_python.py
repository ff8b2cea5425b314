"""Ints and floats of expressions are Python's, to the last bit and to the exception."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import z3
from hypothesis import HealthCheck, event, given, reject
from hypothesis import strategies as st

from sampling import examples
from term.python_expressions import RAISED, SORTS, conditions, in_python, models, numbers, value_of
from zeroin.objective.condition import Condition
from zeroin.term.core.build import equal
from zeroin.term.core.evaluate import NoValue, evaluate, same
from zeroin.term.core.nodes import Term, constant, variable
from zeroin.term.core.traversal import variables
from zeroin.term.expression.parser import parse, read
from zeroin.term.expression.typed import ExpressionError
from zeroin.term.llvm.compile import TABLES, Unlowerable
from zeroin.term.smt.writer import translate

SLOW = examples(400, suppress_health_check=list(HealthCheck))


def ours(text: str, model: dict[str, Any]) -> Any:
    """The value, or ``RAISED``."""
    try:
        found = read(text, SORTS)
        return RAISED if evaluate(found.fails, model) else value_of(found.value, model)
    except (NoValue, ExpressionError):  # a power of a million bits; a constant that Python can not compute, either
        reject()


@SLOW
@given(numbers(), models())
def test_numbers(text: str, model: dict[str, Any]) -> None:
    expected = in_python(text, model)
    found = ours(text, model)
    assert type(found) is type(expected), (text, found, expected)
    assert found is expected or same(found, expected), (text, found, expected)


@SLOW
@given(conditions(), models())
def test_conditions(text: str, model: dict[str, Any]) -> None:
    expected = in_python(text, model)
    try:
        assert evaluate(parse(text, SORTS), model) is (expected is True), (text, expected)
        assert evaluate(parse(f"not ({text})", SORTS), model) is (expected is False), (text, expected)
    except (NoValue, ExpressionError):
        reject()


# ---- natively ----

_Objective = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
HUGE = 1.7976931348623157e308


@pytest.mark.parametrize("table", TABLES)
@examples(20, suppress_health_check=list(HealthCheck))
@given(st.lists(conditions(), min_size=3, max_size=6), st.lists(models(huge=False), min_size=8, max_size=8))
def test_a_distance_of_0_is_true_in_python(table: str, texts: list[str], given_models: list[dict[str, Any]]) -> None:
    """Natively an int of more than 64 bits, or a quotient of large ones, is declined, by the largest distance; what is
    not declined is 0 exactly where Python says True."""
    try:
        terms = [parse(text, SORTS) for text in texts]
        condition = Condition(terms, table, order=[variable(name, sort) for name, sort in SORTS.items()])
    except (ExpressionError, Unlowerable):
        reject()
    for model in given_models:
        held = condition.model(condition.words(model))  # ints of 62 bits
        words = (ctypes.c_int64 * len(SORTS))(*condition.words(held))
        for text, address in zip(texts, condition.parts, strict=True):
            distance, expected = _Objective(address)(ctypes.addressof(words)), in_python(text, held) is True
            assert 0 <= distance <= HUGE
            assert (distance == 0) == expected or (distance == HUGE and expected), (text, held, distance)
            if distance == HUGE and expected:
                event("declined")


# ---- as text ----


@examples(150, suppress_health_check=list(HealthCheck))
@given(conditions(plain=True, leaves=3), models())
def test_the_text_has_python_as_its_model(text: str, model: dict[str, Any]) -> None:
    """With the variables fixed, z3 finds the text true exactly where Python does."""
    expected = in_python(text, model) is True
    try:
        term = parse(text, SORTS)
        assert answer([*fixed([term], model), term], abstract=False) == ("sat" if expected else "unsat")
    except ExpressionError:
        reject()


@examples(150, suppress_health_check=list(HealthCheck))
@given(conditions(leaves=3), models())
def test_what_is_abstracted_refutes_nothing_that_is_true(text: str, model: dict[str, Any]) -> None:
    """Powers and functions that have no text are any function: then "unsat" is a proof still."""
    try:
        term = parse(text, SORTS)
    except ExpressionError:
        reject()
    if in_python(text, model) is True:
        assert answer([*fixed([term], model), term], abstract=True) != "unsat"


def fixed(terms: list[Term], model: dict[str, Any]) -> list[Term]:
    return [equal(v, constant(v.sort, model[v.data])) for v in variables(terms)]


def answer(terms: list[Term], abstract: bool) -> str:
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("timeout", 20_000)
    solver.add(z3.parse_smt2_string(translate(terms, abstract=abstract).body, ctx=context))
    return str(solver.check())
