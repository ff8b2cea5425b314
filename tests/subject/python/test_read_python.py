"""Path conditions of Python functions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from zeroin.generate.domain import domain_of
from zeroin.model.path import PathCondition
from zeroin.subject.python.engine import PythonSubject

READABLE = Path(__file__).parents[2] / "subjects" / "python" / "readable.py"
FUNCTIONS = ["nested", "arithmetic", "raising", "powers", "loops", "calls", "values", "texts", "matched", "objects",
             "numbers", "generated", "tables"]  # fmt: skip


def along(subject: PythonSubject, values: str) -> PathCondition:
    words = subject.words_of(values)
    return subject.along(words, subject.execute(words))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_path_condition_holds_for_its_own_input_and_for_those_that_take_the_path(function: str) -> None:
    subject, rng = PythonSubject(str(READABLE), function), random.Random(1)
    domain = domain_of(subject.signature, subject.constants)
    alike = 0
    for _ in range(60):
        words = subject.tidy(tuple(rng.choice([*pool, rng.randint(low, high)])
                                   for pool, (low, high) in zip(domain.pools, domain.ranges, strict=True)))  # fmt: skip
        execution = subject.execute(words)
        path, shown = subject.along(words, execution), subject.signature.show(words)
        assert not path.ended, shown
        assert path.holds(path.inputs), shown
        assert [(s.site, s.holds) for s in path.steps] == [(d.site, d.holds) for d in execution.decisions], shown
        assert subject.words_with(path.inputs) == words
        other = subject.tidy(tuple(
            rng.choice([word, word, min(max(word + rng.randint(-2, 2), low), high)])
            for word, (low, high) in zip(words, domain.ranges, strict=True)))  # fmt: skip
        again = subject.execute(other)
        same = [(d.site, d.holds) for d in again.decisions] == [(d.site, d.holds) for d in execution.decisions]
        holds, both = path.holds(subject.model.inputs(other)), f"{shown} and {subject.signature.show(other)}"
        assert same or not holds, both
        assert holds or not same or not path.is_exact or any(a.place >= 0 for a in path.asides), both
        alike += same
    assert alike
