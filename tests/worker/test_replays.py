"""Replays, from the parent's side."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from zeroin.languages.python.front.signature import PythonSignature
from zeroin.native.cells import Phase
from zeroin.subject.base import Replay, Run, Signature, Termination, Words
from zeroin.suite.suite import Input
from zeroin.worker.findings import of_runs
from zeroin.worker.messages import Replayed
from zeroin.worker.replays import Replays
from zeroin.worker.time_limits import TimeLimits
from zeroin.worker.worker import Died

SIGNATURE: Signature = PythonSignature.__new__(PythonSignature)


def run(word: int, outcome: Termination = Termination.RETURNED) -> Run:
    return Run((word,), outcome, frozenset({word}))


def died(word: int, ours: bool = False) -> Died:
    return Died(9, 0, Phase.SEARCHING, (word,), silent=True, ours=ours)


class Tasks:
    """Carries out replays: those with ``deadly`` words end their process."""

    def __init__(self, deadly: set[int], seconds: float, now: list[float]) -> None:
        self.deadly, self.seconds, self.now = deadly, seconds, now
        self.replays = Replays()
        self.asked: list[list[int]] = []

    def __call__(self, name: str, several: list[Words]) -> Died | None:
        assert name == "replay"
        self.asked.append([words[0] for words in several])
        for (word,) in several:
            if word in self.deadly:
                self.now[0] += self.seconds
                return died(word)
            self.replays.take(Replayed(run(word), Replay(Termination.RETURNED), same=word != 13))
        return None


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    return clock


def replayed(deadly: set[int], seconds: float, now: list[float], monkeypatch: pytest.MonkeyPatch) -> Tasks:
    monkeypatch.setattr(PythonSignature, "unconfirmed", lambda self, words, outcome: Replay(outcome))
    limits = TimeLimits(1.0)
    limits.search_is_over(1.0, 0.0)
    tasks = Tasks(deadly, seconds, now)
    lethal: dict[Words, tuple[Run, Died]] = {(n,): (run(n, Termination.KILLED), died(n)) for n in deadly}
    tasks.replays.run(tasks, [run(1), run(2), run(13)], lethal, SIGNATURE, limits)
    return tasks


def test_what_returned_is_replayed_at_once_and_the_rest_alone(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = replayed({21, 22}, 0.1, now, monkeypatch)
    assert tasks.asked == [[1, 2, 13], [21], [22]]
    assert [one.words for one, _ in tasks.replays.kept] == [(1,), (2,), (21,), (22,)]
    assert tasks.replays.disagreements == [(13,)]
    assert list(tasks.replays.deadly) == [(21,), (22,)]
    assert tasks.replays.untried == 0


def test_a_run_that_used_up_its_fuel_and_returns_in_the_plain_function_is_no_disagreement() -> None:
    replays = Replays()
    replays._asked = {(1,), (2,)}
    for number, found in ((1, Termination.HUNG), (2, Termination.SEGV)):
        replays.take(Replayed(run(number, found), Replay(Termination.RETURNED), same=False))
    assert replays.long == [(1,)]
    assert replays.disagreements == [(2,)]
    assert not replays.kept


def test_where_no_time_is_left_one_is_replayed_and_the_others_are_as_they_were(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = replayed({21, 22, 23}, 2.5, now, monkeypatch)
    assert tasks.asked == [[1, 2, 13], [21]]
    assert list(tasks.replays.deadly) == [(21,), (22,), (23,)]
    assert tasks.replays.untried == 2
    assert [one.words for one, replay in tasks.replays.kept if replay.is_missing] == [(22,), (23,)]


def test_what_a_replay_has_not_come_to_is_replayed_alone(now: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = replayed({2}, 0.1, now, monkeypatch)
    assert tasks.asked == [[1, 2, 13], [2], [13]]
    assert [one.words for one, _ in tasks.replays.kept] == [(1,), (2,)]


def test_a_message_that_was_not_asked_for_is_ignored() -> None:
    replays = Replays()
    replays.take(Replayed(run(1), Replay(Termination.RETURNED), same=True))
    assert replays.kept == []


def test_who_gives_up_keeps_what_was_not_replayed(now: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = replayed(set(), 0.0, now, monkeypatch)
    assert not tasks.replays.give_up([run(1), run(13)], SIGNATURE)
    assert tasks.replays.give_up([run(1), run(5)], SIGNATURE)
    assert [(one.words, replay.is_missing) for one, replay in tasks.replays.kept] == [
        ((1,), False), ((2,), False), ((5,), True)]  # fmt: skip


def test_what_raised_in_the_search_does_not_hang_on_a_busy_machine(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PythonSignature, "unconfirmed", lambda self, words, outcome: Replay(outcome))
    limits = TimeLimits(1.0)
    limits.search_is_over(1.0, 0.0)
    tasks = Tasks({5, 6}, 0.1, now)
    chosen = [run(5, Termination.RAISED), run(6, Termination.HUNG)]
    tasks.replays.run(tasks, chosen, {}, SIGNATURE, limits)
    kept = {one.words: (replay.outcome, replay.is_missing) for one, replay in tasks.replays.kept}
    assert kept == {(5,): (Termination.RAISED, True), (6,): (Termination.KILLED, False)}
    assert list(tasks.replays.deadly) == [(6,)]
    assert tasks.replays.untried == 1


@pytest.mark.parametrize("is_missing", [False, True])
def test_an_exception_that_was_not_confirmed_is_no_finding(is_missing: bool) -> None:
    replay = replace(Replay(Termination.RAISED), is_missing=is_missing)
    assert len(list(of_runs([Input((5,), frozenset({5}), replay)], {}))) == (not is_missing)
