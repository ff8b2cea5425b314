"""A search gives most runs little fuel, and misses neither what needs much nor what never returns."""

from __future__ import annotations

import numpy as np
import pytest

from programs import Programs, words_of
from zeroin.config import Budget
from zeroin.generate.domain import domain_of
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door, Stop, minimize, random_state
from zeroin.objective.coverage import CoverageObjective
from zeroin.subject.base import Termination, branches_of

TURNS = "int f(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += i & 3; return sum > 5 ? 1 : 2; }"
# The guard is behind the loop: only a run of 30,000 turns comes to it.
LATE = """
int f(int n, int k) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += i & 3;
  if (n > 30000 && n < 30010) { if (k == 777) return sum; return 2; }
  return 1;
}
"""
FOREVER = "int f(double x, int n) { while (x == 42.5) n++; for (int i = 0; i < n; i++) x += 1; return x > 1e5; }"
FULL = 1_000_000


def search_for(subject: LlvmSubject, evaluations: int, seed: int = 0) -> Search:
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 1000.0), seed)


def spend(subject: LlvmSubject, n: int, share: int) -> tuple[int, Stop]:
    """Evaluate the same words over and over: how often, and why it ended."""
    objective = CoverageObjective(len(subject.sites))
    objective.update(-1, -1, -1)
    door = Door(subject.install(objective.question, share), 1, objective.question, subject.outcome_address)
    subject.limit_time(1000.0, door.native)
    door.open(1)
    door.evaluate(words_of(subject.signature, n))  # its end may be the first of its kind, and news by that
    door.open(20_000)
    words = words_of(subject.signature, n)
    while door.cells[0] > 0:
        door.evaluate(words)
    result = door.result()
    return result.evaluations, result.reason


@pytest.mark.parametrize(("n", "share", "most"), [(2**31 - 1, 1, 2_000), (2**31 - 1, 4, 130), (900, 1, 2_300)])
def test_a_slice_ends_with_its_fuel(programs: Programs, n: int, share: int, most: int) -> None:
    subject = programs.load(TURNS)
    subject.begin()
    evaluations, reason = spend(subject, n, share)
    assert reason is Stop.BUDGET
    assert most * 0.8 < evaluations <= most
    assert subject.ran_short == (n > 1000)


def test_what_needs_little_is_not_charged(programs: Programs) -> None:
    subject = programs.load(TURNS)
    subject.begin()
    assert spend(subject, 30, 1) == (20_000, Stop.BUDGET)
    assert not subject.ran_short


def test_found_words_are_run_with_all_the_fuel(programs: Programs) -> None:
    subject = programs.load(TURNS)
    subject.begin()
    assert spend(subject, FULL // 2, 1)[1] is Stop.BUDGET
    assert subject.run(words_of(subject.signature, FULL // 2)).outcome is Termination.RETURNED
    assert subject.run(words_of(subject.signature, 2 * FULL)).outcome is Termination.HUNG
    assert subject.execute(words_of(subject.signature, FULL // 2)).outcome is Termination.RETURNED


def test_start_words_do_not_end_for_want_of_fuel(programs: Programs) -> None:
    """The minimum of a slice that starts at words found before is theirs at least."""
    subject = programs.load(LATE)
    search = search_for(subject, 1)
    words = words_of(subject.signature, 30005, 0)
    assert search.offer(words)
    target = next(
        b.outcome for b in branches_of(subject.sites) if b.site.condition == "k == 777" and b.outcome % 2 == 0
    )
    objective = CoverageObjective(len(subject.sites))
    objective.update(~(1 << target), -1, -1)
    for start, returned in ((words, True), ((), False)):
        door = Door(subject.install(objective.question, 1, start), 2, objective.question, subject.outcome_address)
        door.open(1)
        assert (door.evaluate(words) == 777.0) == returned


@pytest.mark.parametrize("engine", ["hybrid", "targets"])
def test_what_only_long_runs_reach_is_found(programs: Programs, engine: str) -> None:
    for seed in range(10):
        search = search_for(programs.load(LATE), 3_000_000, seed)
        if engine == "targets":  # it has no seeds of its own
            search.offer(words_of(search.subject.signature, 30005, 0))
        assert generate(search, schedule_named(engine)) == "every branch is covered", seed


def test_a_loop_that_never_ends_is_found(programs: Programs) -> None:
    for seed in range(10):
        search = search_for(programs.load(FOREVER), 300_000, seed)
        generate(search)
        hung = [search.subject.signature.arguments(run.words) for run in search.runs if run.outcome is Termination.HUNG]
        assert 42.5 in [arguments[0] for arguments in hung], seed


def test_the_same_seed_does_the_same(programs: Programs) -> None:
    """Fuel is counted, not timed, and one search leaves nothing of it to the next."""

    def runs() -> list[object]:
        search = search_for(programs.load(LATE), 100_000, 3)
        generate(search)
        return [search.evaluations, *search.runs]

    assert runs() == runs()


def test_a_door_closed_while_it_takes_news_stays_closed(programs: Programs) -> None:
    """The last of the slice's fuel and a new outcome in one run."""
    subject = programs.load(TURNS)
    subject.begin()
    objective = CoverageObjective(len(subject.sites))
    objective.update(-1, 0, 0)
    door = Door(subject.install(objective.question, 32), 1, objective.question, subject.outcome_address)
    subject.limit_time(1000.0, door.native)
    subject._cells["slice_fuel"].value = 100
    door.open(50)
    door.evaluate(words_of(subject.signature, 900))
    assert door.cells[0] < 0
    assert door.result().reason is Stop.NEWS
    assert door.result().evaluations == 1


def test_a_door_that_is_no_longer_used_is_left_alone(programs: Programs) -> None:
    """What is run again after a slice burns fuel, too, and the memory of the slice's door may be somebody else's."""
    subject = programs.load(TURNS)
    subject.begin()
    objective = CoverageObjective(len(subject.sites))
    door = Door(subject.install(objective.question), 1, objective.question, subject.outcome_address)
    door.open(50)
    for seconds in (1000.0, None):
        subject.limit_time(seconds, door.native)
    before = door.cells.copy()
    subject._cells["slice_fuel"].value = 100
    assert subject.run(words_of(subject.signature, 900)).outcome is Termination.RETURNED
    assert subject._cells["slice_fuel"].value < 0
    assert door.cells.tolist() == before.tolist()


def test_minimizers_end_with_the_slice(programs: Programs) -> None:
    subject = programs.load(TURNS)
    subject.begin()
    objective = CoverageObjective(len(subject.sites))
    objective.update(-1, -1, -1)
    door = Door(subject.install(objective.question, 1), 1, objective.question, subject.outcome_address)
    subject.limit_time(1000.0, door.native)
    domain = domain_of(subject.signature, subject.constants)
    results = []
    for _ in range(2):  # for want of fuel a run ends where none has before: that is news, once
        door.open(1_000_000)
        results.append(minimize("random", door, domain, np.zeros(1, dtype=np.int64), random_state([1])))
    result = next(result for result in results if result.reason is not Stop.NEWS)
    assert result.reason is Stop.BUDGET
    assert result.evaluations < 100_000
