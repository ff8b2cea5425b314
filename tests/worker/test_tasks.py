"""A job that waits for tasks: each finds what was loaded as it was, whatever those before it did to their process."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zeroin import scratch
from zeroin.errors import TargetError, WorkerDied
from zeroin.native.cells import Phase
from zeroin.worker.worker import Died, Lost, Worker


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Worker]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]))
        with Worker(0.7, (object,)) as running:
            running.start()
            yield running


@pytest.fixture
def waiting(own: Worker) -> Iterator[Worker]:
    assert said(own.run("jobs:wait_for_tasks")) == []
    yield own
    own.dismiss()


def said(messages: Iterable[Any]) -> list[Any]:
    return [message for message in messages if message is not None]


def test_a_task_changes_nothing_for_the_next(waiting: Worker) -> None:
    assert said(waiting.task("count")) == [[1, 2]]
    assert said(waiting.task("count")) == [[1, 2, 3]]  # the second number was added in the job's own process


def test_what_was_loaded_outlives_a_death(waiting: Worker) -> None:
    died = Died(signal.SIGSEGV, 0, Phase.SEARCHING, (5, -6))
    assert said(waiting.task("die", 5, -6)) == [died]
    assert said(waiting.task("count")) == [[1, 2]]
    assert said(waiting.task("die", 5, -6)) == [died]
    assert waiting.last_words() == Died(signal.SIGKILL, 0, Phase.SEARCHING, (5, -6))


@pytest.mark.parametrize(
    ("task", "before", "status"), [("end", ["before"], 0), ("leave", [], 7)], ids=["status 0", "status 7"]
)
def test_only_a_last_message_says_that_it_is_done(waiting: Worker, task: str, before: list[str], status: int) -> None:
    assert said(waiting.task(task)) == [*before, Died(0, status, Phase.LOADING, ())]


def test_a_silent_task_is_ended(waiting: Worker) -> None:
    assert said(waiting.task("be_silent")) == [Died(signal.SIGKILL, 0, Phase.SEARCHING, (), silent=True)]
    assert said(waiting.task("answer", 1)) == [("number", 0)]


@pytest.mark.parametrize("task", ["scribble", "close"])
def test_who_can_not_be_heard_any_more_is_ended(waiting: Worker, task: str) -> None:
    assert said(waiting.task(task)) == [Died(signal.SIGKILL, 0, Phase.LOADING, (), cut=True)]
    assert said(waiting.task("answer", 2)) == [("number", 0), ("number", 1)]


def test_whatever_stands_in_the_memory_is_survived(waiting: Worker) -> None:
    assert said(waiting.task("damage")) == [Died(signal.SIGKILL, 0, Phase.SEARCHING, ())]
    assert said(waiting.task("answer", 1)) == [("number", 0)]


def test_our_errors_come_through(waiting: Worker) -> None:
    with pytest.raises(TargetError, match="there is no such thing"):
        said(waiting.task("refuse"))
    assert said(waiting.task("answer", 1)) == [("number", 0)]


def test_a_task_that_is_left_early_is_ended(waiting: Worker) -> None:
    tasks = waiting.task("be_silent")
    next(tasks)
    tasks.close()
    assert said(waiting.task("answer", 1)) == [("number", 0)]


def test_what_a_task_started_ends_with_it(waiting: Worker) -> None:
    before = processes()
    assert before
    assert said(waiting.task("multiply")) == ["multiplied"]
    for _ in range(500):
        if processes() <= before:
            break
        time.sleep(0.01)
    assert processes() <= before


def processes() -> set[int]:
    """This process's own sandboxes, not those of tests beside it, by the command that started them; no zombies."""
    found, own = set(), str(scratch.home()).encode()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
                if b"zeroin.worker.base_process" in command and own in command:
                    found.add(int(entry.name))
            except OSError:  # it has ended
                continue
    return found


def test_without_the_job_there_is_an_error_and_then_a_new_one(waiting: Worker) -> None:
    with pytest.raises(Lost):
        said(waiting.task("kill_job"))
    with pytest.raises(Lost):
        said(waiting.task("answer", 1))
    assert said(waiting.run("jobs:wait_for_tasks")) == []
    assert said(waiting.task("answer", 1)) == [("number", 0)]


def test_another_job_sends_it_away(waiting: Worker) -> None:
    assert said(waiting.run("jobs:answer", 2)) == [("number", 0), ("number", 1)]
    with pytest.raises(Lost, match="no job"):
        said(waiting.task("answer", 1))


def test_an_aide_tells_the_parent_before_the_task_goes_on(waiting: Worker) -> None:
    messages = said(waiting.task("ask", "a", "b"))
    for number, question in enumerate(["a", "b"], 1):
        assert messages.index(("told", question, 1)) < messages.index(f"{question} {number}")
    assert said(waiting.task("ask", "c")) == [("told", "c", 1), "c 1"], "each task has one of its own"


def test_an_aide_that_dies_is_replaced(waiting: Worker) -> None:
    """An aide's message may overtake what the task sent before its request, but never what the task says of it."""
    messages = said(waiting.task("ask", "a", "die", "b"))
    assert [one for one in messages if isinstance(one, tuple)] == [("told", "a", 1), ("told", "b", 1)]
    assert [one for one in messages if not isinstance(one, tuple)] == ["a 1", ["AideEnded"], "b 1"]
    for question in "ab":
        assert messages.index(("told", question, 1)) < messages.index(f"{question} 1")


def test_what_only_an_aide_may_say_ends_a_task(waiting: Worker) -> None:
    assert said(waiting.task("tell_of_aide")) == [Died(signal.SIGKILL, 0, Phase.LOADING, (), cut=True)]


def test_what_an_aide_may_not_say_is_dropped(waiting: Worker) -> None:
    messages = said(waiting.task("ask", "lie", "a"))
    assert messages
    assert ["not accepted"] not in messages


def test_a_mistake_of_ours_in_an_aide_is_told(waiting: Worker) -> None:
    with pytest.raises(WorkerDied, match="RuntimeError: a mistake of ours"):
        said(waiting.task("ask", "fail"))


def test_nonsense_ends_an_aide_and_is_not_read_for_ever(waiting: Worker) -> None:
    assert said(waiting.task("ask_nonsense")) == [["AideEnded"]]


def test_an_aide_is_not_replaced_for_ever(waiting: Worker) -> None:
    assert said(waiting.task("ask_for_ever")) == ["20 deaths"]


def test_no_aide_outlives_its_task(waiting: Worker) -> None:
    before = processes()
    assert len(said(waiting.task("ask", "a"))) == 2
    for _ in range(500):
        if processes() <= before:
            break
        time.sleep(0.01)
    assert processes() <= before


def test_the_folder_of_a_job_goes_with_it(own: Worker) -> None:
    assert said(own.run("jobs:wait_for_tasks")) == []
    assert own._scratch is not None
    folder = Path(own._scratch)
    assert folder.is_dir()
    own.dismiss()
    assert not folder.exists()
