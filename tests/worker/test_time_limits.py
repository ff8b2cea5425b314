"""How long the steps on one target may take, and that hostile subjects keep to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.native.cells import Phase
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover
from zeroin.worker.progress import Watcher
from zeroin.worker.time_limits import TaskClock, TimeLimits
from zeroin.worker.worker import Worker

pytestmark = pytest.mark.usefixtures("own_worker")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def test_what_comes_after_the_search_has_a_tenth_of_the_budget_and_a_little(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    limits.search_is_over(10.0, 0.0)
    assert limits.left == 2.5
    now[0] += 2.0
    assert limits.left == 0.5
    now[0] += 2.0
    assert limits.left == 0.0


def test_what_the_search_leaves_is_for_the_rest_and_what_it_waited_is_not(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    limits.search_is_over(4.0, 1.5)
    assert limits.left == 6.0 + 2.5 - 1.5
    assert limits.to_strengthen(2.0) == 3.0
    assert limits.to_strengthen(60.0) == limits.left / 2
    assert limits.to_simplify(4.0) == 5.0
    assert limits.to_simplify(9.9) == 1.0


def test_a_run_of_a_search_has_a_part_of_the_budget(now: list[float]) -> None:
    assert [TimeLimits(budget).patience("search") for budget in (0.1, 2.0, 5.0, 60.0)] == [0.5, 0.6, 1.5, 2.5]
    assert TimeLimits(2.0).patience("search", spent=1.9) == 0.6
    assert TimeLimits(2.0).patience("search", spent=2.2) == 0.0, "the budget is spent"
    assert TimeLimits(2.0).patience("choose", spent=2.2) == 0.6


def test_a_replay_has_what_is_left_of_the_time(now: list[float]) -> None:
    limits = TimeLimits(2.0)
    limits.search_is_over(0.2, 0.0)
    assert limits.patience("replay") == limits.left / 2 == pytest.approx(1.75)
    now[0] += 3.5
    assert limits.patience("replay") == 1.2
    assert TimeLimits(60.0).patience("replay") == 2.5


def test_waiting_for_runs_and_what_comes_after_end_together(now: list[float]) -> None:
    limits = TimeLimits(2.0)
    limits.search_is_over(2.0, limits.most_waited)
    assert limits.most_waited + limits.left == pytest.approx(0.2 + 1.5)


def test_who_interrupts_waits_for_what_was_found_and_no_longer(now: list[float]) -> None:
    limits = TimeLimits(60.0)
    assert not limits.is_over("search")
    limits.interrupt()
    assert [task for task in ("search", "strengthen", "choose", "replay", "explain") if limits.is_over(task)] == [
        "search",
        "strengthen",
        "explain",
    ]
    assert limits.to_simplify(0.0) == 0.0
    limits.search_is_over(1.0, 0.0)
    assert limits.left == pytest.approx(0.8)
    now[0] += 0.5
    assert limits.is_over("choose")
    assert not limits.is_over("replay")
    now[0] += 0.5
    assert limits.is_over("replay")


def test_thinking_ends_with_the_budget(now: list[float]) -> None:
    limits = TimeLimits(10.0)
    assert limits.longest_thought("search", 4.0) == 6.0 + 2.0
    limits.search_is_over(10.0, 0.0)
    assert limits.longest_thought("choose", 10.0) == 5.0


def test_compiling_does_not_count(now: list[float]) -> None:
    phase = [Phase.FINISHING]
    clock = TaskClock(lambda: phase[0])
    now[0] += 1.0
    assert clock.tell() == 1.0
    phase[0] = Phase.COMPILING
    now[0] += 60.0
    assert clock.tell() == 1.0
    now[0] += 3.0
    assert clock.tell() == 4.0, "nothing compiles so long"
    phase[0] = Phase.THINKING
    now[0] += 0.5
    assert clock.tell() == 4.5
    assert clock.compiled == 60.0


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
    "writes into all small ints": (PYTHON, "[ctypes.memset(id(i) + 24, 9, 1) for i in range(2, 40)]"),
    "floods": (PYTHON, "[sys.stderr.write('x' * 65536) for _ in iter(int, 1)]"),
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Worker]:
    with Worker() as running:
        yield running


@pytest.mark.parametrize("what", BODIES)
def test_the_ordinary_branch_is_not_lost_and_the_rest_keeps_to_its_time(
    what: str, sandbox: Worker, tmp_path: Path
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


SLEEPS = """import time
def f(n: int) -> int:
    if n == 77123:
        return 1
    if n % 5 == 4:
        raise ValueError
    if n > 0:
        time.sleep(1000)
    return 0
"""


def test_damage_to_python_itself_is_no_mistake_of_ours(sandbox: Worker, tmp_path: Path) -> None:
    """Our own code fails in the processes where it was done."""
    body = "[ctypes.memset(id(i) + 24, 9, 1) for i in range(1, 40)]"
    (tmp_path / "subject.py").write_text(PYTHON.replace("BODY", body).replace("n > 1000", "n > 5"))
    suite = covering(tmp_path / "subject.py", sandbox, [])
    assert {"0T", "0F", "1F"} <= {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    assert suite.stopped != "the search failed"


def test_where_runs_hang_what_the_function_compares_with_is_tried_first(sandbox: Worker, tmp_path: Path) -> None:
    """There is time for some ten runs."""
    (tmp_path / "f.c").write_text(C.replace("n > 1000", "n != 77123").replace("BODY", "sleep(1000);"))
    suite = cover(f"{tmp_path}/f.c:f", Options(Budget(seconds=2.0)), sandbox)
    assert "0T" in {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    assert [finding.kind for finding in suite.findings] == ["hang"]


def test_what_does_not_return_is_replayed_once_even_if_no_time_is_left(sandbox: Worker, tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(SLEEPS)
    tasks = list[str]()
    suite = covering(tmp_path / "f.py", sandbox, tasks)
    assert {"0T", "0F", "1T", "1F", "2F"} <= {v.branch.id for v in suite.verdicts if v.verdict == "covered"}
    assert sum(finding.kind == "hang" for finding in suite.findings) == 1


@pytest.mark.parametrize("during", ["search", "choose", "strengthen", "replay"])
@pytest.mark.parametrize("sleeps", [False, True])
def test_an_interruption_keeps_what_was_found(during: str, sleeps: bool, sandbox: Worker, tmp_path: Path) -> None:
    """Each step is asked to end while a run of it sleeps, or at once."""
    (tmp_path / "f.py").write_text(SLEEPS if sleeps else SLEEPS.replace("time.sleep(1000)", "n += 1"))
    tasks = list[str]()
    found = list[str]()
    suite = covering(
        tmp_path / "f.py",
        sandbox,
        tasks,
        lambda live, what: found.append(what),
        lambda: tasks[-1:] == [during] and found.count("found") > 1,
    )
    assert len(suite.inputs) > 1
    assert tasks.count("search") >= 1
    assert suite.stopped == "interrupted" or not (sleeps and during == "search")
    if suite.stopped == "interrupted":
        assert "strengthen" not in tasks


def covering(source: Path, sandbox: Worker, tasks: list[str], watch: Watcher | None = None,
             stop: Callable[[], bool] = lambda: False) -> Suite:  # fmt: skip
    """Each task is noted."""
    task = sandbox.task

    def noted(name: str, *arguments: object, **more: float) -> object:
        tasks.append(name)
        return task(name, *arguments, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sandbox, "task", noted)
        return cover(f"{source}:f", Options(Budget(seconds=30.0, evaluations=2_000)), sandbox, watch, stop)
