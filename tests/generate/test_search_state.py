"""What a search remembers of its runs and slices, on a subject whose runs are a table and a clock that stands still."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from zeroin.config import Budget
from zeroin.generate import ledger
from zeroin.generate import search as module
from zeroin.generate.resume import Resume
from zeroin.generate.search import Search, SearchServices, SearchSettings
from zeroin.generate.stopped import Stopped
from zeroin.minimize import Domain, Door, Stop
from zeroin.native.cells import ALLOWED, CLOSED, LEFT, PHASE, SHARED_CELLS, WAITED, Phase
from zeroin.native.kernel import Kernel, kernel
from zeroin.objective.coverage import CoverageObjective
from zeroin.solvers.base import Answer, CompleteSolver, Proof, Query, Unknown
from zeroin.subject.base import Run, Termination, Words
from zeroin.subject.graph import Graph
from zeroin.words import Kind

T0, F0, T1, F1 = range(4)
INT = Domain((Kind.I32,), ((-100, 100),), ((),))
NO_INPUT = Domain((), (), ())


class CompleteProver(CompleteSolver):
    """One whose proofs are as good as any."""

    name = "prover"

    def solve(self, query: Query, budget: Budget) -> Answer:
        return Unknown("nobody asks")


class Table:
    """Two conditions, the second one after the first is true; ``runs`` says how runs end, what they take and where."""

    slow = ran_short = False
    outcome_address = 0
    assumed = None
    guesses = further_guess = ""
    signature = SimpleNamespace(tags=(), late=())

    def __init__(self, fatal: int = 0) -> None:
        self.sites: list[Any] = [None, None]
        self.graph = Graph(2, {T0: [1]}, [0], fatal)
        self.runs: dict[int, tuple[Termination, set[int], int]] = {}
        self.installed: list[tuple[Any, int, Words]] = []
        self.limits: list[tuple[float | None, int]] = []

    def begin(self) -> None:
        self.runs.clear()

    def install(self, question: Any, share: int = 1, start: Words = ()) -> int:
        self.installed.append((question, share, start))
        return 8

    def tidy(self, words: Words) -> Words:
        return (min(words[0], 50),)

    def run(self, words: Words) -> Run:
        outcome, covered, end = self.runs[words[0]]
        return Run(words, outcome, frozenset(covered), end)

    def limit_time(self, seconds: float | None, door: int) -> None:
        self.limits.append((seconds, door))


class Clock:
    now = 1000.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(ledger, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    return clock


def search_for(
    *goals: int, domain: Domain = INT, fatal: int = 0, budget: Budget | None = None, **options: Any
) -> tuple[Search, Table]:
    subject = Table(fatal)
    branches: Any = [SimpleNamespace(outcome=goal, is_fault=False) for goal in goals]
    return Search(subject, branches, domain, budget or Budget(10_000_000, 100.0), 0, **options), subject  # type: ignore[arg-type]


def spending(evaluations: int, reason: Stop = Stop.OPEN, words: Words = (0,)) -> Callable[[Door], None]:
    """The body of a slice that ends so."""

    def body(door: Door) -> None:
        door.cells[LEFT] -= evaluations
        door.cells[CLOSED] = reason
        door._last[:], door._best[:] = words if reason is Stop.NEWS else (-1,), words

    return body


# ---- runs ----


def test_a_run_is_kept_if_it_ends_or_covers_as_none_before() -> None:
    told: list[Run] = []
    search, subject = search_for(T0, F0, T1, F1, services=SearchServices(told.append))
    subject.runs = {
        0: (Termination.RETURNED, {F0}, 0),
        1: (Termination.RETURNED, {F0}, 0),
        2: (Termination.ABORT, {T0, T1}, 7),
        3: (Termination.ABORT, {T0, T1}, 7),
        4: (Termination.ABORT, {T0, T1}, 8),
        5: (Termination.SEGV, {T0, T1}, 8),
        6: (Termination.REFUSED, set(), 0),
        7: (Termination.RETURNED, {T0, T1}, 0),
        8: (Termination.ABORT, {T0, T1, F1}, 7),
    }
    assert [n for n in range(9) if search.offer((n,))] == [0, 2, 4, 5, 7, 8]
    assert [run.words for run in search.runs] == [(0,), (2,), (4,), (5,), (7,), (8,)]
    assert told == search.runs
    assert search.covered == 0b0111
    assert search.seen == 0b1111
    assert search.missing == 0b1000
    assert search.reached == {0, 1}


def test_words_are_made_tidy_before_they_run() -> None:
    search, subject = search_for(T0, F0)
    subject.runs = {50: (Termination.RETURNED, {T0}, 0)}
    assert search.offer((77,))
    assert search.runs == [Run((50,), Termination.RETURNED, frozenset({T0}))]
    assert search.reached == {0}


def test_what_ends_a_run_by_its_nature_is_covered_by_that() -> None:
    search, subject = search_for(T0, F0, fatal=1 << F0)
    subject.runs = {0: (Termination.ASSERTED, {F0}, 0), 1: (Termination.ASSERTED, {T0}, 0)}
    assert search.offer((0,))
    assert search.covered == 1 << F0
    assert search.offer((1,))
    assert search.covered == 1 << F0


def test_one_run_shows_what_has_no_branch() -> None:
    search, subject = search_for()
    subject.runs = {n: (Termination.RETURNED, set(), 0) for n in range(2)}
    assert search.offer((0,))
    assert not search.offer((1,))


def test_news_ends_what_was_taken_in_vain_and_a_run_that_returns_what_was_given_up() -> None:
    search, subject = search_for(T0, F0, T1, F1)
    subject.runs = {
        0: (Termination.RETURNED, {F0}, 0),
        1: (Termination.ABORT, {T0, T1}, 0),
        2: (Termination.RETURNED, {T0, T1}, 0),
    }
    search.given_up, search.in_vain = 0b1100, 0b0001
    search.offer((0,))
    assert (search.given_up, search.in_vain) == (0b1100, 0)
    search.in_vain = 0b0001
    search.offer((1,))
    assert (search.given_up, search.in_vain) == (0b1100, 0)
    search.offer((2,))
    assert search.given_up == 0b1000


def test_a_lethal_run_is_told_once_and_ends_the_search_for_what_only_it_takes() -> None:
    search, subject = search_for(T0, F0, T1, F1)
    subject.runs = {0: (Termination.RETURNED, {T0, F1}, 0)}
    search.offer((0,))
    lethal = Run((1,), Termination.KILLED, frozenset({T0, T1}))
    search.offer_lethal(lethal)
    assert search.goals == 0b1011
    search.offer_lethal(lethal)
    assert len(search.runs) == 2
    search.offer_lethal(Run((2,), Termination.KILLED, frozenset({F0})))
    assert search.goals == 0b1001
    assert search.missing == 0
    assert search.stopped is Stopped.ABNORMALLY_COVERED


def test_what_an_earlier_process_found_is_kept() -> None:
    """Two that end alike, where the numbers of ends start anew, too; and what a lethal run takes is not looked for."""
    known = [Run((n,), Termination.ABORT, frozenset({F0}), 7) for n in (0, 1)]
    lethal = Run((2,), Termination.KILLED, frozenset({T0, T1}))
    search, _ = search_for(T0, F0, T1, F1, resume=Resume((*known, lethal)))
    assert search.runs == [*known, lethal]
    search.offer_lethal(lethal)
    assert search.runs == [*known, lethal]
    assert search.goals == 1 << F0 | 1 << F1


# ---- what is saturated ----


def test_saturated_is_of_what_is_known_now() -> None:
    search, subject = search_for(T0, F0, T1)
    subject.runs = {0: (Termination.RETURNED, {T0, F1}, 0), 1: (Termination.RETURNED, {T0, T1}, 0)}
    assert search.saturated == 1 << F1  # no goal, and nothing comes after it
    search.offer((0,))
    assert search.saturated == 1 << F1
    search.given_up = 1 << T1
    assert search.saturated == 1 << T0 | 1 << T1 | 1 << F1
    search.given_up, search.in_vain = 0, 1 << F0
    assert search.saturated == 1 << F0 | 1 << F1
    search.in_vain = 0
    search.offer((1,))
    assert search.saturated == 1 << T0 | 1 << T1 | 1 << F1


# ---- slices ----


def test_a_slice_counts_and_takes_up_its_news(clock: Clock) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    search, subject = search_for(
        T0,
        F0,
        budget=Budget(1000, 100.0),
        resume=Resume(evaluations=200, seconds=10.0),
        services=SearchServices(memory=memory),
    )
    subject.runs = {3: (Termination.RETURNED, {T0}, 0), 4: (Termination.RETURNED, {F0}, 0)}
    question = CoverageObjective(2).question
    clock.now += 20.0
    found = search.run(question, 500, spending(100, Stop.NEWS, (3,)))
    assert (found.reason, found.evaluations, found.words) == (Stop.NEWS, 100, (3,))
    assert (search.evaluations, search.slices, memory[ALLOWED]) == (300, 1, 700)
    assert search.missing == 1 << F0
    assert [seconds for seconds, _ in subject.limits] == [70.0, None]
    assert len({door for _, door in subject.limits}) == 1
    clock.now += 500.0
    search.run(question, 5000, spending(50, Stop.ZERO, (4,)))
    assert subject.limits[2][0] == 0.0
    assert (search.evaluations, memory[ALLOWED], search.missing) == (350, 1000, 0)
    search.run(question, 100, spending(100, words=(5,)))  # a table without such a run: it must not be offered
    assert (search.evaluations, search.slices) == (450, 3)


def test_the_limit_of_time_ends_with_a_slice_that_fails() -> None:
    search, subject = search_for(T0, F0)

    def body(door: Door) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(CoverageObjective(2).question, 10, body)
    assert [seconds is None for seconds, _ in subject.limits] == [False, True]


def test_a_kernel_that_is_compiled_in_a_slice_costs_no_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the clock close the door meanwhile."""

    def compiled(self: Kernel, forms: Any) -> Callable[[], int]:
        assert search._memory[PHASE] == Phase.COMPILING
        assert subject.limits[-1][0] is None
        clock.now += 30.0
        return lambda: 3

    @kernel
    def three() -> int:
        raise NotImplementedError

    def body(door: Door) -> None:
        clock.now += 1.0
        assert three() == three() == 3
        spending(5)(door)

    monkeypatch.setattr(Kernel, "_entry", compiled)
    search, subject = search_for(T0)
    assert search.run(CoverageObjective(2).question, 10, body).evaluations == 5
    assert search.seconds == 1.0
    assert [seconds for seconds, _ in subject.limits] == [100.0, None, 99.0, None]
    assert len({door for _, door in subject.limits}) == 1


def test_a_kernel_that_a_solver_needs_is_compiled_at_no_cost(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine's first run that takes longer than a solver may be silent."""

    def compiled(self: Kernel, forms: Any) -> Callable[[], int]:
        assert search._memory[PHASE] == Phase.COMPILING
        clock.now += 30.0
        return lambda: 4

    @kernel
    def four() -> int:
        raise NotImplementedError

    monkeypatch.setattr(Kernel, "_entry", compiled)
    search, _ = search_for(T0)
    with search.ledger.thinking():
        assert search._memory[PHASE] == Phase.THINKING
        clock.now += 1.0
        assert four() == four() == 4
        assert search._memory[PHASE] == Phase.THINKING
    assert search.seconds == 1.0


def test_the_process_that_compiles_minimizers_is_waited_for_once(clock: Clock) -> None:
    waits = []

    def wait() -> None:
        waits.append(search._memory[PHASE])
        clock.now += 30.0

    search, _ = search_for(
        T0, budget=Budget(10, 50.0), settings=SearchSettings("random"), services=SearchServices(wait=wait)
    )
    question = CoverageObjective(2).question
    for _ in range(2):
        search.minimize(question, 0, (0,), 0)
    assert waits == [Phase.COMPILING]
    assert search.seconds == 0.0


def test_shares_of_fuel_grow_for_each_question_by_itself() -> None:
    search, subject = search_for(T0, F0)
    one, two = CoverageObjective(2).question, CoverageObjective(2).question
    for _ in range(8):
        for question in (one, two):
            search.run(question, 10, spending(1))
    search.run(one, 10, spending(1), share=32, start=(9,))
    shares = [1, 2, 1, 4, 1, 2, 1, 8]
    assert [share for question, share, _ in subject.installed if question is two] == shares
    assert [share for question, share, _ in subject.installed if question is one] == [*shares, 32]
    assert subject.installed[-1][2] == (9,)


def test_each_slice_and_purpose_draws_for_itself() -> None:
    search, _ = search_for(T0, F0)
    drawn = [int(search.stream(purpose)[0]) for purpose in (1, 1, 2)]
    search.run(CoverageObjective(2).question, 10, spending(1))
    later = int(search.stream(1)[0])
    assert drawn[0] == drawn[1]
    assert len({*drawn, later}) == 3


@pytest.mark.parametrize("error", [None, KeyError])
def test_time_to_compile_does_not_count_and_is_no_silence(clock: Clock, error: type[Exception] | None) -> None:
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    memory[PHASE] = Phase.SEARCHING
    search, subject = search_for(T0, F0, budget=Budget(1000, 100.0), services=SearchServices(memory=memory))
    clock.now += 1.0
    try:
        with search.ledger.compiling():
            assert memory[PHASE] == Phase.COMPILING
            clock.now += 300.0
            if error is not None:
                raise error
    except KeyError:
        assert error is KeyError
    assert memory[PHASE] == Phase.SEARCHING
    assert search.seconds == 1.0
    search.run(CoverageObjective(2).question, 10, spending(1))
    assert subject.limits[0][0] == 99.0


# ---- when it is over ----


def test_a_search_without_input_ends_after_one_run() -> None:
    search, _ = search_for(T0, F0, domain=NO_INPUT)
    assert search.stopped is None
    search.ledger.evaluations = 1
    assert search.stopped is Stopped.NO_INPUT


def test_the_budgets_end_the_search_when_they_are_used_up_and_not_before(clock: Clock) -> None:
    search, _ = search_for(T0, F0, budget=Budget(1000, 100.0))
    assert search.seconds == 0.0
    search.ledger.evaluations = 999
    assert search.stopped is None
    search.ledger.evaluations = 1000
    assert search.stopped is Stopped.EVALUATIONS
    search.ledger.evaluations = 0
    clock.now += 99.0
    assert search.stopped is None
    clock.now += 1.0
    assert search.stopped is Stopped.TIME


def test_a_slice_that_the_clock_ended_ends_the_search_unless_we_waited_for_a_run(clock: Clock) -> None:
    """A clock may be early by one tick of 50 ms; of waiting it does not know."""
    memory = np.zeros(SHARED_CELLS, dtype=np.int64)
    search, _ = search_for(T0, F0, budget=Budget(1000, 10.0), services=SearchServices(memory=memory))
    question = CoverageObjective(2).question
    search.run(question, 10, spending(1))
    assert search.stopped is None
    clock.now += 9.95
    memory[WAITED] = 1000
    search.run(question, 10, spending(1, Stop.TIME))
    assert search.stopped is None
    clock.now += 1.0
    search.run(question, 10, spending(1, Stop.TIME))
    search.run(question, 10, spending(1))
    assert search.stopped is Stopped.TIME


def test_there_is_no_branch_or_all_are_covered() -> None:
    assert search_for()[0].stopped is Stopped.NO_BRANCH
    search, subject = search_for(T0)
    subject.runs = {0: (Termination.RETURNED, {T0}, 0)}
    search.offer((0,))
    assert search.stopped is Stopped.COVERED


@pytest.mark.parametrize("slow", [False, True])
def test_what_only_ends_abnormally_is_looked_for_a_while(slow: bool) -> None:
    search, subject = search_for(T0, F0, T1, F1)
    subject.slow = slow
    subject.runs = {
        0: (Termination.RETURNED, {F0}, 0), 1: (Termination.ABORT, {T0}, 0), 2: (Termination.ABORT, {T0, T1}, 0),
        3: (Termination.ABORT, {T0, F1}, 0),
    }  # fmt: skip

    def spend(share: float) -> None:
        search.ledger.evaluations += int(share * (module._SLOW_TRIES if slow else module._TRIES_TO_RETURN))

    spend(2.0)
    for n in range(3):
        search.offer((n,))
    spend(2.0)
    assert search.stopped is None  # F1 has not been seen
    search.offer((3,))
    assert search.stopped is None
    spend(0.75)
    assert search.stopped is None
    spend(0.25)
    assert search.stopped is Stopped.ABNORMALLY_COVERED


PROOF = Proof(CompleteProver(), "by cases", 0.5)


def test_what_is_proved_infeasible_is_not_looked_for(clock: Clock) -> None:
    search, subject = search_for(T0, F0)
    subject.runs[1] = (Termination.RETURNED, {F0}, 0)
    search.offer((1,))
    assert search.stopped is None
    search.prove(T0, PROOF)
    assert search.proofs == {T0: PROOF}
    assert search.missing == 0
    assert search.stopped is Stopped.DECIDED
    assert search.saturated >> T0 & 1


def test_an_input_that_takes_what_was_proved_throws_the_proof_away(clock: Clock) -> None:
    search, subject = search_for(T0, F0)
    search.prove(T0, PROOF)
    search.prove(F0, PROOF)
    subject.runs[1] = (Termination.RETURNED, {T0}, 0)
    search.offer((1,))
    assert set(search.proofs) == {F0}
    assert search.covered == 1 << T0


@pytest.mark.parametrize(
    ("evaluations", "seconds", "slice_"),
    [
        (0, 0.0, 20_000),
        (10_000, 0.999, 20_000),
        (10_000, 1.001, 5_000),
        (10_000, 4.001, 1_250),
        (10, 1.0, 312),
        (10, 0.099, 20_000),
    ],
)
def test_slices_end_by_time_where_runs_are_slow(
    monkeypatch: pytest.MonkeyPatch, evaluations: int, seconds: float, slice_: int
) -> None:
    clock = Clock()
    monkeypatch.setattr(module, "time", SimpleNamespace(process_time=lambda: clock.now))
    search, _ = search_for(T0, F0)

    def body(door: Door) -> None:
        spending(evaluations)(door)
        clock.now += seconds

    search.run(CoverageObjective(2).question, 20_000, body)
    assert search.slice == slice_
    assert search.haste == 20_000 // slice_
