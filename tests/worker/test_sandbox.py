"""Jobs that die in every way; what the parent learns, and that the next job runs as if nothing had happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zeroin.errors import TargetError, WorkerDied
from zeroin.native.cells import Phase
from zeroin.worker.worker import Died, Worker


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Worker]:
    folder = str(Path(__file__).parent)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = folder if before is None else f"{folder}{os.pathsep}{before}"
    try:
        with Worker(0.7, (object,)) as running:
            yield running
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def messages(sandbox: Worker, job: str, *arguments: Any) -> list[Any]:
    return [m for m in sandbox.run(f"jobs:{job}", *arguments) if m is not None]


def test_messages_arrive_in_order(sandbox: Worker) -> None:
    assert messages(sandbox, "answer", 3) == [("number", 0), ("number", 1), ("number", 2)]


def test_a_killed_job_tells_signal_phase_and_words(sandbox: Worker) -> None:
    before, died = messages(sandbox, "be_killed")
    assert before == "before"
    assert died == Died(signal.SIGKILL, 0, Phase.LOADING, (11, 22))
    assert messages(sandbox, "answer", 1) == [("number", 0)]


def test_an_exit_status_is_told(sandbox: Worker) -> None:
    assert messages(sandbox, "leave") == [Died(0, 7, Phase.LOADING, ())]


def test_our_errors_come_through(sandbox: Worker) -> None:
    with pytest.raises(TargetError, match="there is no such thing"):
        messages(sandbox, "refuse")
    assert messages(sandbox, "answer", 1) == [("number", 0)]


def test_mistakes_are_reported_with_their_traceback(sandbox: Worker) -> None:
    with pytest.raises(WorkerDied, match="RuntimeError: a mistake of ours"):
        messages(sandbox, "fail")
    assert messages(sandbox, "answer", 1) == [("number", 0)]


def test_a_silent_search_is_ended(sandbox: Worker) -> None:
    assert messages(sandbox, "be_silent") == [Died(signal.SIGKILL, 0, Phase.SEARCHING, (), silent=True)]
    assert messages(sandbox, "answer", 1) == [("number", 0)]


def test_a_long_compilation_is_not(sandbox: Worker) -> None:
    assert messages(sandbox, "compile_long", Phase.THINKING) == ["done"]


def test_even_thinking_has_an_end(sandbox: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "longest_thought", 0.8)
    died = Died(signal.SIGKILL, 0, Phase.THINKING, (), silent=True)
    assert messages(sandbox, "compile_long", Phase.THINKING) == [died]


def test_what_was_compiled_before_is_no_thought(sandbox: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "longest_thought", 0.8)
    assert messages(sandbox, "compile_then_think") == ["done"]


def test_loading_has_an_end(sandbox: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "longest_load", 0.5)
    died = Died(signal.SIGKILL, 0, Phase.LOADING, (), silent=True)
    assert messages(sandbox, "compile_long", Phase.THINKING) == [died]


def test_much_can_be_sent(sandbox: Worker) -> None:
    assert sum(map(len, messages(sandbox, "send_much"))) == 20_000_000


def test_the_job_has_no_terminal(sandbox: Worker, capfd: pytest.CaptureFixture[str]) -> None:
    assert messages(sandbox, "print_noise") == [("done", b"")]
    assert capfd.readouterr() == ("", "")


def test_a_job_that_is_left_early_does_not_answer_the_next(sandbox: Worker) -> None:
    for message in sandbox.run("jobs:answer", 100):
        if message is not None:
            break
    assert messages(sandbox, "answer", 1) == [("number", 0)]


def test_without_the_base_process_there_is_an_error_and_then_a_new_one(sandbox: Worker) -> None:
    with pytest.raises(WorkerDied, match="ended unexpectedly"):
        messages(sandbox, "kill_base")
    assert messages(sandbox, "answer", 1) == [("number", 0)]


ENDLESS = """
from zeroin.worker.worker import Worker
for message in Worker(1000.0, (object,)).run("jobs:loop_forever"):
    if message is not None:
        print(*message, flush=True)
"""


@pytest.mark.parametrize("killed", [0, 2])
def test_nothing_goes_on_when_the_parent_or_the_base_process_is_killed(killed: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-c", ENDLESS]
    parent = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert parent.stdout is not None
    child, base = map(int, parent.stdout.readline().split())
    os.kill([parent.pid, child, base][killed], signal.SIGKILL)
    _, errors = parent.communicate(timeout=60)
    for _ in range(500):
        if not _runs(child) and not _runs(base):
            break
        time.sleep(0.02)
    assert not _runs(child)
    assert not _runs(base)
    assert "BrokenPipe" not in errors


def _runs(process: int) -> bool:
    """Whether a process is there, and not only as a zombie that nobody has waited for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
