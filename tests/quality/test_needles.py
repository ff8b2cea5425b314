"""Hard inputs are found within so many evaluations, for 10 seeds of 10."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from programs import Programs
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import warm_up
from zeroin.subject.base import branches_of

SOURCE = Path(__file__).parents[1] / "subjects" / "c" / "needles.c"
# Evaluations allowed.
NEEDLES = {
    "product": 200_000,
    "sine": 10_000,
    "sum": 200_000,
    "magic": 200_000,
    "triple": 200_000,
    "logarithm": 200_000,
    "rosenbrock": 200_000,
    "not_a_number": 1_000,
    "high_word": 20_000,
    "nested": 2_000_000,
    "parser": 2_000_000,
    "counting": 1_000_000,
    "named": 200_000,
    "numeral": 10_000_000,
}


@cache
def subject(function: str) -> LlvmSubject:
    warm_up("avm")
    return LlvmSubject(SOURCE, function)


def search_for(function: str, evaluations: int, seed: int) -> Search:
    loaded = subject(function)
    domain = domain_of(loaded.signature, loaded.constants)
    return Search(loaded, branches_of(loaded.sites), domain, Budget(evaluations, 60.0), seed)


@pytest.mark.parametrize("function", NEEDLES)
def test_found_by_every_seed(function: str) -> None:
    for seed in range(10):
        search = search_for(function, NEEDLES[function], seed)
        assert generate(search) == "every branch is covered", seed


@pytest.mark.parametrize("engine", ["hybrid", "minimize", "targets"])
def test_same_seed_same_runs(engine: str) -> None:
    def runs(seed: int) -> list[object]:
        search = search_for("sum", 50_000, seed)
        generate(search, schedule_named(engine))
        return list(search.runs)

    assert runs(7) == runs(7)


def test_constants_of_the_source_are_not_needed(programs: Programs) -> None:
    """The search, not the pool of constants, finds where x squared is 2 to the last bit but one."""
    loaded = programs.load("int f(double x) { double y = x * x - 2; if (y > 0 && y < 1e-15) return 1; return 0; }")
    for seed in range(10):
        domain = domain_of(loaded.signature, [])
        search = Search(loaded, branches_of(loaded.sites), domain, Budget(500_000, 60.0), seed)
        assert generate(search, schedule_named("targets")) == "every branch is covered"
