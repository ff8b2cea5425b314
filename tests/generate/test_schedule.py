"""Who goes when, and for how long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from zeroin.config import Options
from zeroin.errors import OptionError
from zeroin.generate import schedule as module
from zeroin.generate.schedule import (
    DEFAULT,
    FINDING,
    AfterDeaths,
    Schedule,
    Stalled,
    Then,
    Turns,
    generate,
    schedule_named,
    schedule_of,
)
from zeroin.generate.search import SLICE
from zeroin.generate.stopped import Stopped
from zeroin.generate.strategies import STRATEGIES
from zeroin.generate.strategies.base import Strategy

LOG: list[tuple[str, int]] = []


class Noted(Strategy):
    """Notes its steps; the search says what it finds, and when it has nothing left to try."""

    name = ""
    search: Any

    def __init__(self, search: Any) -> None:
        super().__init__(search)
        LOG.append((f"made {self.name}", 0))

    @classmethod
    def announce(cls, search: Any) -> None:
        LOG.append((f"soon {cls.name}", 0))

    def step(self, evaluations: int) -> None:
        LOG.append((self.name, evaluations))
        self.search.steps[self.name] = self.search.steps.get(self.name, 0) + 1
        if self.name == "p" and self.search.steps["p"] <= getattr(self.search, "proves", 0):
            self.search.proofs[self.search.steps["p"]] = None
        if self.search.finds.get((self.name, self.search.steps[self.name])):
            self.search.runs.append(None)

    @property
    def done(self) -> bool:
        return bool(self.search.steps.get(self.name, 0) >= self.search.most.get(self.name, 10**9))


class Search(SimpleNamespace):
    left: int

    @property
    def stopped(self) -> Stopped | None:
        self.left -= 1
        return Stopped.EVALUATIONS if self.left < 0 else None


class Nothing:
    def __enter__(self) -> None: ...
    def __exit__(self, *_: object) -> None: ...


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> Any:
    LOG.clear()

    def made(name: str) -> type[Strategy]:
        return type(name, (Noted,), {"name": name})

    monkeypatch.setattr(module, "strategy_named", made)
    monkeypatch.setattr(module, "strategy_class", made)
    return Search(runs=[], steps={}, finds={}, most={}, left=10**9, ledger=SimpleNamespace(compiling=Nothing),
                  subject=SimpleNamespace(slow=False), slice=SLICE, haste=1, trace=None)  # fmt: skip


def names() -> str:
    return "".join(name for name, _ in LOG if not name.startswith(("made", "soon")))


def test_each_in_turn(search: Any) -> None:
    search.left = 7
    assert generate(search, Turns(("m", "a", "b", "a"))) is Stopped.EVALUATIONS
    assert names() == "mabamab"


def test_slices_grow_while_nothing_is_found_up_to_a_limit(search: Any) -> None:
    search.left, search.finds = 150, {("a", 20): True}
    generate(search, Turns(("a",)))
    slices = [evaluations // SLICE for _, evaluations in LOG[1:]]
    assert slices[:36] == [1] * 16 + [2] * 4 + [1] * 16
    assert slices[36:] == [2] * 16 + [4] * 16 + [8] * 16 + [16] * 16 + [32] * 16 + [64] * 34


def test_the_second_follows_when_the_first_is_done_and_waits_while_it_is_not_again(search: Any) -> None:
    search.left, search.most = 5, {"a": 2}
    generate(search, Then(Turns(("a",)), Turns(("b", "c"))))
    assert names() == "aabcb"
    assert LOG.index(("made b", 0)) > LOG.index(("a", SLICE))
    search.most, search.left = {"a": 3}, 3
    running = Then(Turns(("a",)), Turns(("b",))).of(search)
    running.step()
    search.most = {"a": 3}
    running.step()
    search.most = {"a": 4}
    running.step()
    assert names()[5:] == "aba"


def test_it_is_over_when_nothing_is_left_to_try(search: Any) -> None:
    search.most = {"a": 2, "b": 1}
    assert generate(search, Then(Turns(("a",)), Turns(("b",)))) is Stopped.TRIED
    assert names() == "aab"


def test_schedules_by_name() -> None:
    assert schedule_named("hybrid") is DEFAULT
    assert str(DEFAULT) == (
        "seeds, then enumerate(bits=20), then in turn minimize, targets, chance, targets, with prove after 32 "
        "slices in vain, with explore after 64 slices in vain, with enumerate after 48 slices in vain"
    )
    assert [str(schedule_named(name)) for name in STRATEGIES] == list(STRATEGIES)
    with pytest.raises(OptionError, match="--engine magic: no such engine; choose from hybrid, seeds"):
        schedule_named("magic")


def test_a_strategy_with_parameters() -> None:
    assert str(schedule_named(" targets( fitness=both ) ")) == "targets( fitness=both )"
    assert str(schedule_named(" targets() ")) == str(schedule_named("targets( )")) == "targets"
    assert schedule_named("hybrid()") is DEFAULT
    assert Options(engine="explore()", prefer=("f",)).prefer
    assert Options(engine="targets(fitness=both)").looks_ahead
    assert Options(engine="targets(collateral=true, fitness=enhanced)").looks_ahead
    assert not Options(engine="targets(fitness=standard)").looks_ahead
    assert Options(engine="targets(fitness=enhanced, ahead=paper)").ahead_as_paper
    assert not Options(engine="targets(fitness=enhanced)").ahead_as_paper
    assert not Options(engine="targets(fitness=standard, ahead=paper)").ahead_as_paper
    assert not Options().looks_ahead


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("targets(fitness=best)", "--engine targets: fitness=best: choose from standard, enhanced, both"),
        (
            "targets(speed=1)",
            "--engine targets has no parameter 'speed'; there are fitness, ahead, normalisation, latest, collateral",
        ),
        ("chance(fitness=both)", "--engine chance has no parameter 'fitness'; it has none"),
        ("targets(fitness)", r"targets\(fitness\): give parameters as name=value, separated by commas"),
        ("targets(fitness=both, fitness=both)", "fitness is given twice"),
        ("hybrid(fitness=both)", "--engine hybrid has no parameter 'fitness'; it has none"),
    ],
)
def test_parameters_that_there_are_not(text: str, why: str) -> None:
    with pytest.raises(OptionError, match=why):
        schedule_named(text)


def stalling(search: Any) -> Schedule:
    search.covered, search.proofs, search.easily = 0, {}, 0
    return Stalled(Turns(("a",)), Turns(("p",)), 3, 256)


def test_the_second_has_a_step_now_and_then_when_the_first_is_stalled(search: Any) -> None:
    schedule, search.left = stalling(search), 4 + 8 + 1 + 32 + 1 + 2
    generate(search, schedule)
    assert names() == "aaap" + 8 * "a" + "p" + 32 * "a" + "p" + "aa"


def test_the_second_is_told_before_it_is_made(search: Any) -> None:
    search.covered, search.proofs, search.easily, search.left = 0, {}, 0, 9
    generate(search, Stalled(Turns(("a",)), Turns(("p",)), 8, 256))
    assert [name for name, _ in LOG] == ["made a", *"aa", "soon p", *6 * "a", "made p", "p"]


def test_a_slice_of_a_slow_subject_counts_as_many(search: Any) -> None:
    schedule, search.left, search.subject.slow = stalling(search), 1 + 1 + 1 + 1 + 4 + 1 + 1, True
    generate(search, schedule)
    assert names() == "ap" + "a" + "p" + 4 * "a" + "p" + "a"


def test_as_how_many_it_counts_may_be_said(search: Any) -> None:
    search.covered, search.proofs, search.easily, search.subject.slow = 0, {}, 0, True
    schedule, search.left = Stalled(Turns(("a",)), Turns(("p",)), 32, 256, slow=16), 2 + 1 + 1 + 1 + 2 + 1
    generate(search, schedule)
    assert names() == "aa" + "p" + "a" + "p" + "aa" + "p"


def test_a_slice_counts_as_many_as_runs_are_slow(search: Any) -> None:
    schedule, search.left, search.haste = stalling(search), 1 + 1 + 2 + 1 + 8 + 1, 4
    generate(search, schedule)
    assert names() == "ap" + 2 * "a" + "p" + 8 * "a" + "p"


def test_slices_are_as_long_as_the_search_says(search: Any) -> None:
    search.left, search.slice = 17, 1250
    generate(search, Turns(("a",)))
    assert [evaluations for _, evaluations in LOG[1:]] == [1250] * 16 + [2500]


def test_the_second_is_alone_when_the_first_is_done_and_the_other_way_round(search: Any) -> None:
    schedule, search.left, search.most = stalling(search), 30, {"a": 2, "p": 4}
    assert generate(search, schedule) is Stopped.TRIED
    assert names() == "aapppp"


def test_while_it_proves_the_second_goes_on(search: Any) -> None:
    schedule, search.left = stalling(search), 10
    search.proofs[0] = None
    search.proves = 3
    generate(search, schedule)
    assert names() == "pppp" + 6 * "a"


def test_while_the_first_proves_the_second_waits(search: Any) -> None:
    schedule, search.left, search.proves = Stalled(stalling(search), Turns(("e",)), 1, 4), 12, 5
    generate(search, schedule)
    assert names() == "aeaa" + 6 * "p" + "ea"


def test_where_processes_die_the_second_is_chosen(search: Any) -> None:
    schedule = AfterDeaths(Turns(("a",)), Turns(("b",)), 3)
    for search.deaths, search.left in ((2, 2), (3, 2)):
        generate(search, schedule)
    assert names() == "aabb"
    assert str(schedule) == "a"


def test_what_was_easily_proved_says_nothing(search: Any) -> None:
    schedule, search.left = stalling(search), 4
    search.proofs[0], search.easily = None, 1
    generate(search, schedule)
    assert names() == "aaap"


def test_faults_are_refuted_before_the_search_goes_on() -> None:
    assert schedule_of(Options(find=("nan",))) is FINDING
    assert "chance, targets, with refute after 2 slices in vain, with prove after 32" in str(FINDING)
    assert str(schedule_of(Options(find=("nan",), engine="targets"))) == "targets"
    assert schedule_of(Options()) is DEFAULT
