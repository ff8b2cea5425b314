"""Ints and floats of expressions are Python's, to the last bit and to the exception."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, given, reject, settings
from python_expressions import RAISED, SORTS, conditions, in_python, models, numbers, value_of

from zeroin.term.evaluate import NoValue, evaluate, same
from zeroin.term.expression import parse, read
from zeroin.term.typed import ExpressionError

SLOW = settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))


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
