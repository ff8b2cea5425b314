"""The strategy ``explore``, alone, on Python functions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from languages.python.modules import Modules
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.search import Search
from zeroin.generate.strategies.explore import Explore
from zeroin.languages.python.run.engine import PythonSubject
from zeroin.subject.base import Termination, branches_of

READABLE = Path(__file__).parents[1] / "subjects" / "python" / "readable.py"


@cache
def explored(function: str, runs: int = 60) -> tuple[Search, Explore]:
    subject = PythonSubject(str(READABLE), function)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**6, 60.0), 0)
    strategy = Explore(search)
    while not search.stopped and not strategy.done and search.missing and strategy.runs < runs:
        strategy.step(1)
    return search, strategy


@pytest.mark.parametrize(("function", "infeasible"), [("nested", []), ("generated", []), ("matched", ["case (a, _)"])])
def test_every_branch_of_a_function(function: str, infeasible: list[str]) -> None:
    search, strategy = explored(function, 240)
    missing = [b.site.condition for b in branches_of(search.subject.sites) if search.missing >> b.outcome & 1]
    assert missing == infeasible
    assert strategy.exploration.counts["strayed"] == 0


def test_a_path_is_flipped_at_a_time() -> None:
    _, strategy = explored("nested")
    assert strategy.runs == 4
    assert strategy.exploration.counts["flipped"] == 3


def test_a_loop_that_an_input_bounds_does_not_use_up_the_time(modules: Modules) -> None:
    """A run of an exploration gets as much fuel as one that is made to see what it covers."""
    subject = modules.load("def f(n: int) -> int:\n    while n > 0:\n        n -= 1\n    return n\n")
    words = subject.words_of("400_000")
    assert subject.execute(words).outcome is Termination.RETURNED
    assert subject.execute(words, subject.patience).outcome is Termination.HUNG
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, ()), Budget(10**6, 60.0), 0)
    strategy = Explore(search)
    strategy._follow(words, None)
    (path,) = strategy.exploration.tree.paths
    assert "only its first 4,096 decisions" in path.condition.ended


MATCHING = """def f(codes: list[int]) -> int:
    total = 0
    for code in codes:
        match code:
            case 3 | 5 | 77123:
                total += 1 if code == 5 else 100
            case 4:
                return -1
    return 1 if total == 101 else 0
"""


def test_a_pattern_of_alternatives_is_as_many_choices(modules: Modules) -> None:
    """One that matched by its first alternative, and then does not, may match by the next."""
    subject = modules.load(MATCHING)
    search = Search(subject, branches_of(subject.sites), domain_of(subject.signature, ()), Budget(10**6, 60.0), 0)
    strategy = Explore(search)
    while search.missing and strategy.runs < 80 and not strategy.done:
        strategy.step(1)
    assert not search.missing
    assert strategy.exploration.counts["strayed"] == 0
