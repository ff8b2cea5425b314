"""The bench of native code: when searches are made a second time, and what counts."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench.python import engines, packages
from bench.python.engines import Pair, Searches, page
from bench.python.subjects import ENTRIES


def suite(covered: int, last: float, engine: str = "native") -> Any:
    events = [(last, covered)] if covered else []
    return SimpleNamespace(count=lambda verdict: covered, events=events, engine=engine)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, int, Any]]:
    """What searches find, and after how many evaluations; then also the options that they got."""
    listed: list[Any] = []
    made = iter(range(99))

    def search(self: Searches, target: str, options: Any) -> tuple[Any, int]:
        number = next(made)
        given, last, _ = listed[number]
        listed[number] = given, last, options
        return given, last

    monkeypatch.setattr(Searches, "search", search)
    return listed


def test_only_where_the_interpreter_was_left_is_there_a_second_search(found: list[Any]) -> None:
    found += [
        (suite(4, 0.5), 99_000, None),
        (suite(6, 3.0), 150_000, None),
        (suite(5, 1.0, "interpreted"), 80_000, None),
    ]
    same, apart = Searches(10.0, ExitStack()).pairs(2, "m.f", "m.py:f", "")
    assert same == Pair("m.f", 0, (4, 4), (0.5, 0.5), False)
    assert apart == Pair("m.f", 1, (6, 5), (3.0, 10.0), True)
    assert [(options.seed, options.native) for _, _, options in found] == [(0, True), (1, True), (1, False)]


def test_what_numba_can_not_compile_is_searched_once(found: list[Any]) -> None:
    reason = "interpreted, because Numba can not compile it (line 3: str is called)"
    found += [(suite(2, 0.25, reason), 400_000, None)]
    pairs = Searches(10.0, ExitStack()).pairs(3, "m.f", "m.py:f", "")
    assert pairs == [Pair("m.f", seed, (2, 2), (0.25, 0.25), False) for seed in range(3)]


def test_the_page_adds_up() -> None:
    pairs = [Pair("a", 0, (4, 4), (1.0, 1.0), False), Pair("b", 0, (6, 4), (2.0, 10.0), True),
             Pair("a", 1, (4, 4), (1.0, 1.0), False), Pair("b", 1, (6, 6), (2.0, 6.0), True)]  # fmt: skip
    text = page(pairs, 2, 10.0)
    assert "**1** of 10 in the median seed, 0 to 2." in text
    assert "**3.0 with, 9.0 without**, 3.0 times as long." in text
    assert "In the 2 searches of 1 functions" in text
    assert "2.0 s a seed with, 8.0 without; 4.0 times as long in the median." in text
    assert "| `b` | 2 | 2 | 2.00 | 8.00 |" in text
    assert "`a`" not in text


def test_all_functions_of_ours_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "GROUPS", ())
    listed = list(engines.functions())
    assert len(listed) == len(ENTRIES)
    assert all(Path(target.rpartition(":")[0]).is_file() for _, target, _ in listed)
