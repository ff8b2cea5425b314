"""What every strategy owes, alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from languages.python.modules import Modules
from programs import Programs
from zeroin.config import Budget, Options
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.generate.stopped import Stopped
from zeroin.generate.strategies import STRATEGIES, strategy_class, strategy_named
from zeroin.generate.strategies.base import Strategy
from zeroin.subject.base import branches_of
from zeroin.subject.subject import Subject

EASY = {
    "c": "int f(int a, double x) { if (a > 10) return 1; if (x < 0.5) return 2; return 3; }",
    "python": """
        def f(a: int, x: float) -> int:
            if a > 10:
                return 1
            return 2 if x < 0.5 else 3
        """,
}
IMPOSSIBLE = {
    "c": "int f(int a) { if (a > 10 && a < 5) return 1; return 2; }",
    "python": """
        def f(a: int) -> int:
            return 1 if a > 10 and a < 5 else 2
        """,
}
# The same with few inputs, for who needs that.
EASY_WITH_FEW = {
    "c": "int f(signed char a, _Bool b) { if (a > 10) return 1; if (b) return 2; return 3; }",
    "python": """
        from typing import Literal
        def f(a: Literal[1, 5, 11], b: bool) -> int:
            if a > 10:
                return 1
            return 2 if b else 3
        """,
}
IMPOSSIBLE_WITH_FEW = {
    "c": "int f(signed char a, short b) { if (a > 10 && a < 5) return 1; return b; }",
    "python": """
        from typing import Literal
        def f(a: Literal[1, 5, 11], b: bool) -> int:
            return 1 if a > 10 and a < 5 else 2
        """,
}


ENGINES = [*STRATEGIES, "product(factors=logarithmic)", "targets(normalisation=exponential)",
           "targets(fitness=enhanced)", "targets(fitness=both)",
           "targets(fitness=both, normalisation=ratio, collateral=false)"]  # fmt: skip


class Searches:
    """Searches of functions in one language."""

    def __init__(self, language: str, programs: Programs, modules: Modules) -> None:
        self._language = language
        self._load: Callable[..., Subject] = programs.load if language == "c" else modules.load

    def of(self, name: str, texts: Mapping[str, str], evaluations: int, seed: int = 0) -> Search:
        if name == "enumerate":
            texts = EASY_WITH_FEW if texts is EASY else IMPOSSIBLE_WITH_FEW
        subject = self._load(texts[self._language], ahead=Options(engine=name).looks_ahead)
        domain = domain_of(subject.signature, subject.constants)
        return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 60.0), seed)


@pytest.fixture(params=["c", "python"])
def searches(
    request: pytest.FixtureRequest, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Searches:
    monkeypatch.syspath_prepend(str(tmp_path))
    return Searches(request.param, programs, Modules(tmp_path))


@pytest.mark.parametrize("name", ENGINES)
def test_it_covers_what_is_easy(searches: Searches, name: str) -> None:
    search = searches.of(name, EASY, 500_000)
    assert generate(search, schedule_named(name)) is Stopped.COVERED
    assert search.covered == 0b1111


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize("evaluations", [1, 777, 60_000])
def test_it_spends_what_it_may_and_no_more_or_is_done(searches: Searches, name: str, evaluations: int) -> None:
    search = searches.of(name, IMPOSSIBLE, evaluations)
    reason = generate(search, schedule_named(name))
    over = (Stopped.TRIED, Stopped.DECIDED)
    assert search.evaluations == evaluations if reason is Stopped.EVALUATIONS else reason in over
    assert 0 <= search.evaluations <= evaluations
    assert search.evaluations or name == "enumerate"  # which does nothing by halves
    assert search.missing or search.proofs


@pytest.mark.parametrize("name", ENGINES)
def test_the_same_seed_does_the_same(searches: Searches, name: str) -> None:
    def runs() -> list[object]:
        search = searches.of(name, EASY, 50_000, 7)
        return [generate(search, schedule_named(name)), search.evaluations, *search.runs]

    assert runs() == runs()


@pytest.mark.parametrize("name", ENGINES)
def test_one_step_spends_about_what_it_is_given(searches: Searches, name: str) -> None:
    """But for seeds, which are as many as they are."""
    assert issubclass(strategy_class(name.partition("(")[0]), Strategy)
    search = searches.of(name, IMPOSSIBLE, 10**9)
    strategy = strategy_named(name)(search)
    assert search.evaluations == 0
    assert not strategy.done
    for _ in range(3):  # the first runs bring news
        before = search.evaluations
        strategy.step(10_000)
    spent = search.evaluations - before
    assert name == "seeds" or strategy.done or search.proofs or 0 < spent <= 10_000
