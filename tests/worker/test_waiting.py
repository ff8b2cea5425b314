"""Runs that keep us waiting: the search for other branches is not cut short by them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroin import Budget, Options
from zeroin.subject.base import Termination
from zeroin.suite.suite import Suite
from zeroin.worker.parent import cover
from zeroin.worker.worker import Worker

pytestmark = pytest.mark.usefixtures("own_worker")

SLEEPS = "#include <unistd.h>\nint f(int x) { if (x == 77123) return 1; if (x == 4) %s; return 0; }\n"
WAITS = """
import re, threading, time

def matches(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        re.match(r"(a+)+$", "a" * 64 + "b")
    return 0

def sleeps(x: int) -> int:
    if x == 77123:
        return 1
    if x == 4:
        time.sleep(0.8)
    return 0

def turns(x: int) -> int:
    total = 0
    for i in range(200_000 if x == 4 else 3):
        total ^= i
    return total
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Worker]:
    with Worker() as running:
        yield running


def covered_in(seconds: float, target: str, sandbox: Worker, suite: str = "full") -> Suite:
    return cover(target, Options(budget=Budget(seconds=seconds), suite=suite), sandbox)


def undecided(suite: Suite) -> list[str]:
    return [f"{v.branch.site.condition} {v.branch.label}" for v in suite.verdicts if v.verdict == "undecided"]


@pytest.mark.parametrize(
    ("body", "findings"),
    [("usleep(600000)", []), ('__asm__ volatile("1: jmp 1b")', ["hang"])],
)
def test_what_a_c_function_waits_for(body: str, findings: list[str], sandbox: Worker, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(SLEEPS % body)
    suite = covered_in(10.0 if findings else 1.0, f"{tmp_path}/f.c:f", sandbox)
    assert undecided(suite) == []
    assert [finding.kind for finding in suite.findings] == findings
    assert sandbox.waited > 0
    assert not findings or sandbox.slow


@pytest.mark.parametrize(("name", "findings"), [("sleeps", []), ("matches", ["hang"]), ("turns", [])])
def test_what_a_python_function_waits_for(name: str, findings: list[str], sandbox: Worker, tmp_path: Path) -> None:
    """The last one takes more steps than a run of a search gets, and comes to its end all the same."""
    (tmp_path / "waits.py").write_text(WAITS)
    suite = covered_in(30.0 if name == "turns" else 1.0, f"{tmp_path}/waits.py:{name}", sandbox)
    assert undecided(suite) == []
    assert [finding.kind for finding in suite.findings] == findings
    assert sandbox.waited > 0 or name == "turns"
    assert not findings or sandbox.slow
    if name == "turns":
        assert suite.stopped == "every branch is covered"
        assert 0 < sum(item.replay.outcome is Termination.RETURNED for item in suite.inputs) == len(suite.inputs)


def test_what_takes_long_to_end_is_not_run_again_to_choose(sandbox: Worker, tmp_path: Path) -> None:
    """It ends by itself, when it has filled the memory."""
    text = "import time\n\ndef f(x: int) -> int:\n    if x == 4:\n        time.sleep(1.3)\n        raise MemoryError\n"
    (tmp_path / "fills.py").write_text(f"{text}    return 1 if x > 100 else 0\n")
    suite = covered_in(1.0, f"{tmp_path}/fills.py:f", sandbox, "small")
    assert undecided(suite) == []
    assert len(sandbox.slow) == 1
    assert [finding.words for finding in suite.findings] == [next(iter(sandbox.slow))]
