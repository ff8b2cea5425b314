"""What is answered about an expression is what Python says of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject

from sampling import examples
from term.python_expressions import SORTS, conditions, in_python
from zeroin.config import Budget
from zeroin.solvers import solve
from zeroin.solvers.base import Query, Sat, Unknown, Unsat
from zeroin.solvers.decorators import Rewriting
from zeroin.solvers.smt import Z3, Bitwuzla
from zeroin.term.expression.parser import parse
from zeroin.term.expression.typed import ExpressionError


@examples(30, suppress_health_check=list(HealthCheck))
@given(conditions(leaves=3))
def test_a_model_makes_python_say_true(text: str) -> None:
    try:
        query = Query((parse(text, SORTS),))
    except ExpressionError:
        reject()
    answer = solve(query, Budget(3000, 2.0), solver="mathematical-execution")
    if isinstance(answer, Sat):
        assert in_python(text, dict.fromkeys(SORTS, 0) | answer.model) is True, (text, answer)


ASKED: list[tuple[str, Any, type]] = [
    ("x // 3.0 == 2 and x > 9", Bitwuzla, Unsat),
    ("x // 3.0 == 2 and x > 8", Bitwuzla, Sat),
    ("x % 3.0 == 2.5 and -1 < x < 0", Bitwuzla, Sat),
    ("floor(x) == 7 and x >= 8", Bitwuzla, Unsat),
    ("n == x", Bitwuzla, Unknown),  # an Int, which it does not know
    ("n == x and x != x", Z3, Unsat),
    ("n == x and n == 2**53 + 1", Z3, Unsat),
    ("n == x and n == 2**53 + 2", Z3, Sat),
    ("2**n + 1 == 2**n", Z3, Unsat),
    ("n / m == 0.3 and n == 3", Z3, Sat),
    ("1 / x == x / 0", Z3, Unsat),
    ("sqrt(x) != sqrt(x) and x < 0", Z3, Unsat),
    ("x < 10**400 and not x <= 10**309 and x == x", Z3, Unsat),
]


@pytest.mark.parametrize(("text", "solver", "expected"), ASKED, ids=[text for text, _, _ in ASKED])
def test_proofs(text: str, solver: Any, expected: type) -> None:
    answer = Rewriting(solver()).solve(Query((parse(text, SORTS),)), Budget(seconds=60.0))
    assert isinstance(answer, expected), answer
    if isinstance(answer, Sat):
        assert in_python(text, answer.model) is True


def test_a_search_keeps_to_ints_that_it_can_hold() -> None:
    """Beyond 64 bits it says nothing; an int and a float are equal only if Python says so."""
    for text in ("n == x and n % 2 == 1 and x > 2**53", "2**n > 2**70 and 2**n < 2**69", "n*n == -1"):
        answer = solve([parse(text, SORTS)], Budget(20_000, 5.0), solver="mathematical-execution")
        assert isinstance(answer, Unknown), (text, answer)
    answer = solve(
        [parse("n == x and x > 40.5 and n < 42", SORTS)], Budget(20_000, 5.0), solver="mathematical-execution"
    )
    assert isinstance(answer, Sat)
    assert answer.model == {"n": 41, "x": 41.0}
