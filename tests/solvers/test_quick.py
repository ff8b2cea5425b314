"""The quick refuter: what it refutes never holds, and it stops asking when the questions were large."""

from __future__ import annotations

import pytest

from float_terms import less, number
from zeroin.solvers import quick
from zeroin.solvers.quick import QuickRefuter
from zeroin.term.core.build import FALSE, TRUE, conjunction
from zeroin.term.core.nodes import Term, variable
from zeroin.term.core.sorts import FLOAT64
from zeroin.term.core.traversal import postorder

X = variable("x", FLOAT64)
NEVER = conjunction([less(X, number(1.0)), less(number(2.0), X)])
AT_TIMES = conjunction([less(X, number(2.0)), less(number(1.0), X)])


@pytest.mark.parametrize(("condition", "refuted"), [(NEVER, True), (AT_TIMES, False), (FALSE, True), (TRUE, False)])
def test_what_is_refuted(condition: Term, refuted: bool) -> None:
    assert QuickRefuter().refutes(condition) is refuted


def test_all_questions_together_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A nest of loops that nobody can follow asks thousands of them, and reading has to end."""
    monkeypatch.setattr(quick, "_MOST_TERMS", 3 * len(postorder([NEVER])))
    refuter, other = QuickRefuter(), QuickRefuter()
    assert [refuter.refutes(NEVER) for _ in range(5)] == [True, True, True, False, False]
    assert refuter.refutes(FALSE)
    assert other.refutes(NEVER)
