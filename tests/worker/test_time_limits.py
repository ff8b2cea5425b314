"""How long the steps on one target may take, and that hostile subjects keep to it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.native.cells import Phase
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover
from zeroin.worker.sandbox import Sandbox
from zeroin.worker.time_limits import TimeLimits


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def test_what_comes_after_the_search_has_a_tenth_of_the_budget_and_two_seconds(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    limits.search_is_over(10.0, 0.0)
    assert limits.left == 3.0
    now[0] += 2.0
    assert limits.left == 1.0
    now[0] += 2.0
    assert limits.left == 0.0


def test_what_the_search_leaves_is_for_the_rest_and_what_it_waited_is_not(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    limits.search_is_over(4.0, 1.5)
    assert limits.left == 6.0 + 3.0 - 1.5
    assert limits.to_strengthen(2.0) == 3.0
    assert limits.to_strengthen(60.0) == limits.left / 2
    assert limits.to_simplify(4.0) == 5.0
    assert limits.to_simplify(9.9) == 0.5


def test_thinking_ends_with_the_budget(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    assert limits.longest_thought("search", 4.0) == 6.0 + 3.0
    limits.search_is_over(10.0, 0.0)
    assert limits.longest_thought("choose", 10.0) == 5.0


def test_compiling_does_not_count(now: list[float]) -> None:
    phase = [Phase.FINISHING]
    clock = TimeLimits.clock(lambda: phase[0])
    now[0] += 1.0
    assert clock() == 1.0
    phase[0] = Phase.COMPILING
    now[0] += 60.0
    assert clock() == 1.0
    now[0] += 3.0
    assert clock() == 4.0, "nothing compiles so long"
    phase[0] = Phase.THINKING
    now[0] += 0.5
    assert clock() == 4.5


# ---- subjects ----

C = """#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int f(int n) { if (n == 77123) return 1; if (n > 1000) { BODY } return 0; }
"""
PYTHON = """import builtins, ctypes, os, sys, time
def f(n: int) -> int:
    if n == 77123:
        return 1
    if n > 1000:
        BODY
    return 0
"""
BODIES = {
    "exits": (C, "_exit(3);"),
    "aborts": (C, "abort();"),
    "kills itself": (C, "kill(getpid(), SIGKILL);"),
    "closes its files": (C, "for (int i = 0; i < 256; i++) close(i);"),
    "leaves": (PYTHON, "os._exit(3)"),
    "closes descriptors": (PYTHON, "os.closerange(0, 256)"),
    "patches builtins": (PYTHON, "builtins.len = lambda x: 7; builtins.isinstance = lambda a, b: True"),
    "writes into an int": (PYTHON, "ctypes.memset(id(7) + 24, 0x55, 4)"),
    "floods": (PYTHON, "[sys.stderr.write('x' * 65536) for _ in iter(int, 1)]"),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as running:
        yield running


@pytest.mark.parametrize("what", BODIES)
def test_the_ordinary_branch_is_not_lost_and_the_rest_keeps_to_its_time(
    what: str, sandbox: Sandbox, tmp_path: Path
) -> None:
    text, body = BODIES[what]
    source = tmp_path / ("f.c" if text is C else "subject.py")
    source.write_text(text.replace("BODY", body))
    tasks = list[str]()
    suite = covering(source, sandbox, tasks)
    covered = {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    assert {"0T", "0F", "1F"} <= covered, what
    if any(finding.kind == "hang" for finding in suite.findings):  # each attempt would wait for a run again
        assert tasks.count("strengthen") <= 3
        assert tasks.count("choose") <= 3


def covering(source: Path, sandbox: Sandbox, tasks: list[str]) -> Suite:
    """Each task is noted."""
    task = sandbox.task

    def noted(name: str, *arguments: object, **more: float) -> object:
        tasks.append(name)
        return task(name, *arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "task", noted)
        return cover(f"{source}:f", Options(Budget(seconds=30.0, evaluations=2_000)), sandbox)
