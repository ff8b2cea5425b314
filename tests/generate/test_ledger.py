"""Whether time counts, and whether silence alarms, are two questions."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from zeroin.config import Budget
from zeroin.generate import ledger as module
from zeroin.generate.ledger import Ledger
from zeroin.native.cells import PHASE, SHARED_CELLS, UNCOUNTED, WAITED, Phase


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    return now


def test_each_switch_is_one_thing_and_compiling_is_both(now: list[float]) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    memory[PHASE] = Phase.SEARCHING
    ledger = Ledger(Budget(100, 60.0), (30, 5.0), memory)
    assert (ledger.seconds, ledger.seconds_left, ledger.evaluations_left) == (5.0, 55.0, 70)
    seen = []
    for switch in (ledger.uncounted, ledger.thinking, ledger.compiling):
        with switch():
            now[0] += 10.0
            seen.append((Phase(memory[PHASE]), ledger.seconds))
        seen.append((Phase(memory[PHASE]), ledger.seconds))
    assert [phase for phase, _ in seen[::2]] == [Phase.SEARCHING, Phase.THINKING, Phase.COMPILING]
    assert seen[1::2] == [(Phase.SEARCHING, 5.0), (Phase.SEARCHING, 15.0), (Phase.SEARCHING, 15.0)]


def test_what_does_not_count_is_left_out_once(now: list[float]) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    ledger = Ledger(Budget(100, 60.0), (0, 5.0), memory)
    with ledger.uncounted():
        now[0] += 10.0
        with ledger.compiling():
            now[0] += 7.0
        now[0] += 1.0
    assert ledger.seconds == 5.0
    assert memory[UNCOUNTED] == 18_000  # for the parent, should this process die


def test_waiting_for_a_run_does_not_count_nor_what_was_waited_before(now: list[float]) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    memory[WAITED] = 2000
    ledger = Ledger(Budget(100, 60.0), (0, 5.0), memory)
    now[0] += 10.0
    memory[WAITED] += 3500
    assert ledger.seconds == 11.5
    with ledger.uncounted():
        now[0] += 4.0
    now[0] += 1.0
    assert (ledger.seconds, ledger.seconds_left) == (12.5, 47.5)


def test_nothing_is_left_of_a_budget_that_is_overdrawn(now: list[float]) -> None:
    ledger = Ledger(Budget(100, 60.0), (120, 0.0), np.zeros(SHARED_CELLS, dtype=np.int64))
    now[0] += 100.0
    assert (ledger.seconds_left, ledger.evaluations_left) == (0.0, -20)


def test_a_switch_goes_back_when_something_fails(now: list[float]) -> None:
    memory = np.full(SHARED_CELLS, Phase.FINISHING, dtype=np.int64)
    ledger = Ledger(Budget(), (0, 0.0), memory)

    def fail() -> None:
        with ledger.compiling():
            now[0] += 10.0
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (memory[PHASE], ledger.seconds) == (Phase.FINISHING, 0.0)


def test_limited_work_limits_each_thought() -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    ledger = Ledger(Budget(100, 60.0, work=0.25), (0, 0.0), memory)
    assert ledger.first_thought == 0.25
    assert (ledger.may_think(0.25), ledger.may_think(0.26)) == (True, False)
    unlimited = Ledger(Budget(100, 60.0), (0, 0.0), memory)
    assert unlimited.first_thought == 0.5
    assert unlimited.may_think(1e9)


def test_one_question_gets_a_part_of_the_seconds_or_more_if_it_may_do_much_work() -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    ledger = Ledger(Budget(100, 60.0), (0, 0.0), memory)
    assert ledger.thought(0.5).seconds == 12.0
    assert ledger.thought(5.0).seconds == 20.0
    assert 0.0 < ledger.thought(1000.0).seconds <= 60.0
