"""Many targets at once: how many worker processes that takes, and what is left of them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from zeroin import Budget, Options, Suite
from zeroin.subject.base import Target
from zeroin.worker.parent import cover_all, targets_of
from zeroin.worker.progress import SearchState
from zeroin.worker.worker import Worker

pytestmark = pytest.mark.usefixtures("own_worker")

COUNT = 6
EASY = "".join(f"int f{n}(double x) {{ if (x > {n}.5) return {n}; return 0; }}\n" for n in range(COUNT))
NEVER = "int {}(int x) {{ return x > 5 && x < 3; }}\n"
ENDLESS = Options(budget=Budget(10**12, 600.0), engine="minimize", jobs=2)  # a proof would end it


@pytest.fixture
def bases(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The base processes that have been started."""
    started: list[subprocess.Popen[bytes]] = []

    class Counted(subprocess.Popen[bytes]):
        def __init__(self, command: Any, **options: Any) -> None:
            super().__init__(command, **options)
            if "zeroin.worker.base_process" in command:
                started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Counted)
    return started


@pytest.fixture
def targets(tmp_path: Path) -> Callable[[str], list[Target]]:
    def find(text: str) -> list[Target]:
        (tmp_path / "many.c").write_text(text)
        with Worker() as own:
            return targets_of(str(tmp_path / "many.c"), Options(), own).targets

    return find


@pytest.mark.parametrize("jobs", [1, 2, 9])
@pytest.mark.parametrize("given", [False, True])
def test_there_is_one_base_process_a_job_whatever_the_targets(
    jobs: int, given: bool, targets: Callable[[str], list[Target]], bases: list[subprocess.Popen[bytes]]
) -> None:
    found, sandbox = targets(EASY), Worker()
    bases.clear()
    with sandbox:
        results = list(cover_all(found, Options(jobs=jobs), worker=sandbox if given else None))
        ended = [base.poll() is not None for base in bases]
    assert [suite.target.function for suite in results if isinstance(suite, Suite)] == [f"f{n}" for n in range(COUNT)]
    assert all(isinstance(suite, Suite) and suite.percent == 100.0 for suite in results)
    assert len(bases) <= jobs  # a fast job may leave nothing to do for the last ones
    assert len(bases) >= min(jobs, 2)
    assert sorted(ended) == [False] * given + [True] * (len(bases) - given)


@pytest.mark.parametrize("how", ["closed", "interrupted"])
def test_who_takes_no_more_results_leaves_no_process_behind(
    how: str, targets: Callable[[str], list[Target]], bases: list[subprocess.Popen[bytes]]
) -> None:
    found = targets("int easy(int x) { return x > 7; }\n" + "".join(NEVER.format(f"g{n}") for n in range(3)))
    searched: list[str] = []

    def watch(live: SearchState, what: str) -> None:
        if what == "loaded":
            searched.append(live.target.function)

    results = cover_all(found, ENDLESS, watch)
    assert isinstance(results, Generator)
    first = next(results)
    assert isinstance(first, Suite)
    assert first.target.function == "easy"
    if how == "closed":
        results.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            results.throw(KeyboardInterrupt)
    assert all(base.poll() is not None for base in bases)
    assert not {"g2"} & set(searched)


def test_what_has_been_begun_is_not_lost_when_it_is_stopped(targets: Callable[[str], list[Target]]) -> None:
    found = targets("".join(NEVER.format(f"g{n}") for n in range(4)))
    found_in: set[str] = set()

    def watch(live: SearchState, what: str) -> None:
        if what == "found" and live.searching_since is not None:
            found_in.add(live.target.function)

    suites = list(cover_all(found, ENDLESS, watch, lambda: len(found_in) == 2))
    assert [(s.target.function, s.stopped) for s in suites if isinstance(s, Suite)] == [
        ("g0", "interrupted"), ("g1", "interrupted")]  # fmt: skip
    assert all(isinstance(suite, Suite) and suite.inputs for suite in suites)
