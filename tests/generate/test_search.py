"""What a search keeps, when it stops, and that the same seed does the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from programs import Programs, run_alone, words_of
from zeroin.config import Budget
from zeroin.generate import search as module
from zeroin.generate.domain import domain_of
from zeroin.generate.resume import Resume
from zeroin.generate.schedule import generate, schedule_named
from zeroin.generate.search import Search, SearchServices, SearchSettings, bits_of
from zeroin.generate.stopped import Stopped
from zeroin.generate.strategies.coverme import CoverMe
from zeroin.generate.strategies.havoc import Havoc
from zeroin.generate.strategies.seeds import Seeds
from zeroin.generate.strategies.targets import Targets
from zeroin.languages.c.run.engine import LlvmSubject
from zeroin.minimize import Door, Minimum, Stop
from zeroin.native.cells import ALLOWED, DOOR, SHARED_CELLS, WORDS
from zeroin.objective.branch import BranchObjective
from zeroin.subject.base import Run, Termination, branches_of

ENGINES = ["hybrid", "minimize", "targets"]
EASY = "int f(int a, double x) { if (a > 3) { if (x == 0.5) return 1; return 2; } return x < -1e100 ? 3 : 4; }"
IMPOSSIBLE = "int f(int a, double x) { if (a > 3 && a < 3) return 1; return x < 0 ? 2 : 3; }"
HARD = """
int f(double x, double y, int n)
{
    if (x * x == y + 2 && x > 3) return 1;
    if ((n ^ 0x5a5a5a5a) == 1234567) return 2;
    if (n > 100 && (unsigned)n * n * n == 3375000) return 3;
    return x / y > 1e10 ? 4 : 5;
}
"""


def search_for(subject: LlvmSubject, evaluations: int = 1_000_000, seed: int = 0, **options: Any) -> Search:
    domain = domain_of(subject.signature, subject.constants)
    return Search(subject, branches_of(subject.sites), domain, Budget(evaluations, 1000.0), seed, **options)


# ---- finding ----


@pytest.mark.parametrize("minimizer", ["avm", "avm-paper", "basinhopping"])
@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_covers_what_is_easy(programs: Programs, engine: str, minimizer: str) -> None:
    search = search_for(programs.load(EASY), 200_000, settings=SearchSettings(minimizer))
    assert generate(search, schedule_named(engine)) == "every branch is covered"
    assert search.covered == 0b111111
    assert search.missing == 0
    assert set().union(*(run.covered for run in search.runs)) == set(range(6))


@pytest.mark.parametrize("distance", ["ulp", "korel", "squared"])
def test_every_distance_covers_what_is_easy(programs: Programs, distance: str) -> None:
    search = search_for(programs.load(EASY), 500_000, settings=SearchSettings(distance=distance))
    assert generate(search, schedule_named("targets")) == "every branch is covered"


def test_found_runs_are_true_and_each_adds_something(programs: Programs) -> None:
    subject = programs.load(HARD)
    told: list[Run] = []
    search = search_for(subject, 100_000, services=SearchServices(told.append))
    generate(search)
    assert told == search.runs
    seen: set[int] = set()
    for run in search.runs:
        assert subject.run(run.words) == run
        assert run.covered - seen
        seen |= run.covered
    assert search.covered == sum(1 << o for o in seen)
    assert search.reached == {o >> 1 for o in seen}


def test_offers(programs: Programs) -> None:
    subject = programs.load(EASY)
    search = search_for(subject)
    assert search.offer(words_of(subject.signature, 0, 0.0))
    assert not search.offer(words_of(subject.signature, 1, 5.0))
    assert search.offer(words_of(subject.signature, 9, 5.0))
    assert [sorted(run.covered) for run in search.runs] == [[1, 5], [0, 3]]
    assert bits_of(search.covered) == [0, 1, 3, 5]
    assert bits_of(search.missing) == [2, 4]


def test_known_runs_are_not_told_again_and_count(programs: Programs) -> None:
    subject = programs.load(EASY)
    known = [subject.run((9, 0))]
    told: list[Run] = []
    search = search_for(subject, 5000, resume=Resume(tuple(known), 4000, 1.5), services=SearchServices(told.append))
    assert (search.runs, told, search.evaluations) == (known, [], 4000)
    assert search.seconds >= 1.5
    generate(search, schedule_named("minimize"))
    assert search.evaluations <= 5000
    assert known[0] not in told


# ---- stopping ----


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("evaluations", [1, 2, 777, 20_001, 60_000])
def test_the_evaluation_budget_is_kept_exactly(programs: Programs, engine: str, evaluations: int) -> None:
    search = search_for(programs.load(IMPOSSIBLE), evaluations)
    assert generate(search, schedule_named(engine)) == "the evaluation budget is used up"
    assert search.evaluations == evaluations


def test_the_time_budget(programs: Programs) -> None:
    subject = programs.load(IMPOSSIBLE)
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(10**12, 0.3), 0)
    assert generate(search, schedule_named("minimize")) == "the time budget is used up"
    assert 0.3 <= search.seconds < 3.0


def test_no_branch_no_search(programs: Programs) -> None:
    search = search_for(programs.load("int f(int x) { return x + 1; }"))
    assert generate(search) == "there is no branch"
    assert search.evaluations == 0


def test_nothing_impossible_holds_back_the_rest(programs: Programs) -> None:
    for engine in ENGINES:
        search = search_for(programs.load(IMPOSSIBLE), 100_000)
        generate(search, schedule_named(engine))
        assert bits_of(search.missing) == [2]


def test_a_branch_given_up_is_tried_again(programs: Programs) -> None:
    """The heuristic of appendix B.3, on its example, must not become a verdict."""
    text = "int f(double x) { if (x <= 1) x++; double y = x * x; if (y == -1) return 1; return 0; }"
    search = search_for(programs.load(text), 10**7)
    step = CoverMe(search).step
    given_up = []
    for _ in range(12):
        step(20_000)
        given_up.append(search.given_up)
    assert search.missing == 1 << 2
    assert given_up[-6:] == [1 << 2] * 6
    assert CoverMe(search).search.stopped is None


def test_targets_take_turns(programs: Programs, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "int f(int a) { if (a > 3 && a < 3) return 1; if (a > 7 && a < 7) return 2; return 0; }"
    subject = programs.load(text)
    search = search_for(subject, 10**7)
    aimed: list[int] = []
    aim = BranchObjective.aim

    def spy(objective: BranchObjective, levels: Mapping[int, int], covered: int, seen: int) -> None:
        aimed.append(next(o for o, level in levels.items() if level == 0))
        aim(objective, levels, covered, seen)

    monkeypatch.setattr(BranchObjective, "aim", spy)
    targets = Targets(search)
    for words in ((0,), (5,), (9,)):
        search.offer(words)
    missing = bits_of(search.missing)
    for _ in range(3 * len(missing)):
        targets.step(100)
    assert sorted(aimed) == sorted(missing * 3)
    assert sorted(aimed[: len(missing)]) == missing


def test_without_collateral_coverage_each_branch_has_its_own_search(programs: Programs) -> None:
    text = "int f(int a) { int r = 0; if (a > 0) r++; if (a > 0) r++; if (a > 0) r++; return r; }"
    searches = [search_for(programs.load(text), 10**6) for _ in range(2)]
    for search, engine in zip(searches, ("targets", "targets(collateral=false)"), strict=True):
        assert generate(search, schedule_named(engine)) is Stopped.COVERED
    assert [len(search.runs) for search in searches] == [2, 6]


def test_the_last_time_a_run_turned_away_may_be_the_distance(programs: Programs) -> None:
    """The paper's: the loop asks for 5 first, then for 1000, and only the last time counts."""
    text = "int f(int a) { int r = 0; for (int i = 0; i < 2; i++) if (a == (i ? 1000 : 5)) r = i; return r; }"
    values = {}
    for latest in ("false", "true"):
        search = search_for(programs.load(text), 10**6)
        targets = Targets(search, normalisation="ratio", latest=latest)
        site = max(site.number for site in search.subject.sites)
        question = targets._asked[0](2 * site, -1, -1)
        door = Door(search.subject.install(question), 1, question)
        door.open(10)
        values[latest] = door.evaluate((6,))
    assert values["false"] < values["true"]


ENDLESS = """int f(int a, int b) {
  if (b == 3) b++;
  if (a > 10) { for (;;) { if (a == 7777) a++; } }
  return b == 4;
}"""


@pytest.mark.parametrize("engine", ["targets", "targets(collateral=false)"])
def test_branches_that_only_endless_runs_take_are_seen(programs: Programs, engine: str) -> None:
    search = search_for(programs.load(ENDLESS), 10**7)
    assert generate(search, schedule_named(engine)) is Stopped.ABNORMALLY_COVERED
    assert not search.goals & ~search.seen
    assert search.counted == -1


def test_conditions_that_runs_have_evaluated_are_reached_whatever_counts(programs: Programs) -> None:
    search = search_for(programs.load("int f(int a) { if (a > 0) a = -a; if (a > 0) return 1; return 0; }"), 100_000)
    generate(search, schedule_named("targets(collateral=false)"))
    assert search.missing == 1 << 2
    search = search_for(programs.load("int f(int a) { if (a > 0) a = -a; if (a > 0) return 1; return 0; }"), 100_000)
    search.counted = 0b01
    search._keep(search.subject.run((1,)))
    assert search.seen == 0b01
    assert search.reached == {0, 1}


def test_chance_evaluates_less_in_the_time_of_a_step(programs: Programs) -> None:
    search = search_for(programs.load(IMPOSSIBLE))
    search.covered = search.seen = -1  # no news ends the step
    Havoc(search).step(3000)
    assert search.evaluations == 1000


def test_the_parent_can_follow(programs: Programs) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    subject = programs.load(IMPOSSIBLE)
    search = search_for(subject, 50_000, services=SearchServices(memory=memory))
    generate(search, schedule_named("minimize"))
    assert memory[ALLOWED] - abs(memory[DOOR]) == 50_000
    assert any(memory[WORDS : WORDS + 2])


# ---- runs that do not return ----

ABNORMAL = """
    import sys
    from pathlib import Path
    from zeroin.config import Budget
    from zeroin.generate.schedule import generate, schedule_named
    from zeroin.generate.domain import domain_of
    from zeroin.generate.search import Search
    from zeroin.subject.base import branches_of
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    subject.guard()
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(2_000_000, 100.0), 0)
    print(generate(search, schedule_named(sys.argv[2])))
    print(*sorted({run.outcome.name for run in search.runs}), search.covered, search.seen)
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_branch_that_only_crashes_is_seen_but_not_covered(programs: Programs, engine: str) -> None:
    text = "#include <stdlib.h>\nint f(int a) { if (a == 77) abort(); if (a > 1000) return 1; return 0; }"
    out = run_alone(ABNORMAL, str(programs.write(text)), engine).splitlines()
    assert out == [Stopped.ABNORMALLY_COVERED, f"ABORT RETURNED {0b1110} {0b1111}"]


def test_a_crash_does_not_hide_the_way_behind_it(programs: Programs) -> None:
    """Most runs that reach the inner conditions crash; one in a thousand returns."""
    text = """
    #include <stdlib.h>
    int f(int a, int b) { if (a > 50) { if (b > 3) b = 3; if (a % 1000 != 7) abort(); return b; } return 0; }
    """
    out = run_alone(ABNORMAL, str(programs.write(text)), "hybrid").splitlines()
    assert out == [Stopped.ABNORMALLY_COVERED, f"ABORT RETURNED {0b101111} {0b111111}"]


def test_lethal_runs_are_no_longer_looked_for(programs: Programs) -> None:
    subject = programs.load(IMPOSSIBLE)
    search = search_for(subject)
    search.offer_lethal(Run(words_of(subject.signature, 3, 0.5), Termination.KILLED, frozenset({0, 2})))
    assert bits_of(search.missing) == [1, 3, 4, 5]
    assert generate(search) == Stopped.ABNORMALLY_COVERED
    assert bits_of(search.covered) == [0, 1, 3, 4, 5]
    assert search.evaluations < 1_000_000


# ---- determinism ----


def history(subject: LlvmSubject, engine: str, minimizer: str, seed: int) -> tuple[Any, ...]:
    search = search_for(subject, 60_000, seed, settings=SearchSettings(minimizer))
    events: list[Any] = []
    search._found = lambda run: events.append((run, search.evaluations))
    return generate(search, schedule_named(engine)), events, search.evaluations


@pytest.mark.parametrize(("engine", "minimizer"), [*((e, "avm") for e in ENGINES), ("minimize", "avm-paper"),
                                                   ("targets", "random")])  # fmt: skip
def test_the_same_seed_does_the_same(programs: Programs, engine: str, minimizer: str) -> None:
    subject = programs.load(HARD)
    first = history(subject, engine, minimizer, 3)
    assert history(subject, engine, minimizer, 3) == first
    other = history(subject, engine, minimizer, 4)
    assert other[1] != first[1] or engine == "hybrid"


def test_the_same_in_another_process(programs: Programs) -> None:
    script = """
    import sys
    from pathlib import Path
    from zeroin.config import Budget
    from zeroin.generate.schedule import generate, schedule_named
    from zeroin.generate.domain import domain_of
    from zeroin.generate.search import Search
    from zeroin.subject.base import branches_of
    from zeroin.languages.c.run.engine import LlvmSubject
    subject = LlvmSubject(Path(sys.argv[1]), "f")
    domain = domain_of(subject.signature, subject.constants)
    search = Search(subject, branches_of(subject.sites), domain, Budget(60_000, 1000.0), 3)
    print(generate(search, schedule_named("minimize")), [run.words for run in search.runs])
    """
    path = str(programs.write(HARD))
    assert run_alone(script, path) == run_alone(script, path)


@pytest.mark.parametrize(
    ("minimizer", "pools"), [("avm", True), ("basinhopping", False), ("basinhopping(pools=true)", True)]
)
@pytest.mark.parametrize("strategy", [CoverMe, Targets])
def test_the_papers_minimizers_start_at_no_constant_of_the_subject(
    programs: Programs, strategy: type, minimizer: str, pools: bool
) -> None:
    """The first start of a slice is drawn by the strategy, not by the minimizer."""
    subject = programs.load("int f(double x, double y) { return x * y == 1234.5 && x > 77.25; }")
    search = search_for(subject, settings=SearchSettings(minimizer))
    starts: list[int] = []

    def minimize(question: object, evaluations: int, start: Any, purpose: int) -> Minimum:
        starts.extend(start.tolist())
        search.slices += 1
        return Minimum((0, 0), 1.0, 1, Stop.BUDGET)

    search.minimize = minimize  # type: ignore[method-assign]
    for _ in range(60):
        strategy(search).step(1)
    known = set(search.domain.pools[0])
    assert bool(known & set(starts)) == pools


def test_fewer_values_worth_trying_are_tried_where_runs_are_slow(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "int f(double x, double y, double z) { return (x == 0.1 && x > 1) + (y == 0.2) + (z == 0.3); }"

    def tried() -> int:
        search = search_for(programs.load(text))
        Seeds(search).step(1)
        assert search.missing  # so all were tried
        return search.evaluations

    usual = tried()
    monkeypatch.setattr(module, "time", SimpleNamespace(process_time=map((100.0).__pow__, count()).__next__))
    assert 256 < tried() < usual / 8
