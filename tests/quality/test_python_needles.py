"""Hard inputs of Python functions are found within so many evaluations, for 10 seeds of 10."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.minimize import warm_up
from zeroin.subject.base import branches_of

SOURCE = str(Path(__file__).parents[1] / "subjects" / "python" / "needles.py")
# Evaluations allowed.
NEEDLES = {
    "product": 100_000,
    "sine": 100_000,
    "linear": 100_000,
    "greeting": 300_000,
    "counted": 200_000,
    "ascending": 100_000,
    "clock": 1_000_000,
    "member": 100_000,
    "digits": 2_000,
    "tabulated": 100,
    "checksummed": 100_000,
    "peaks": 1_000,
    "numerals": 1_500_000,
}


def search_for(function: str, evaluations: int, seed: int) -> Search:
    warm_up("avm")
    subject = PythonSubject(SOURCE, function)
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 60.0), seed)


@pytest.mark.parametrize("function", NEEDLES)
def test_found_by_every_seed(function: str) -> None:
    for seed in range(10):
        search = search_for(function, NEEDLES[function], seed)
        assert generate(search) == "every branch is covered", seed


def test_same_seed_same_runs() -> None:
    """Also across the switch to native code."""

    def runs(seed: int) -> list[object]:
        search = search_for("hopeless", 300_000, seed)
        generate(search, schedule_named("targets"))  # no proof ends it
        assert search.subject.slow is False  # native by now
        return [search.evaluations, *search.runs]

    assert runs(3) == runs(3)
