"""The state that every generation strategy works on: what is covered, by which input, and what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from ..config import Budget
from ..minimize import Domain, Door, Minimum, Stop, minimize, minimizer_named, random_state
from ..native.cells import ALLOWED, DOOR, PHASE, WORDS, Phase
from ..subject.base import Branch, Execution, Outcome, WordArray, Words
from ..subject.graph import Graph
from ..subject.question import Question

Run = tuple[Words, Outcome, frozenset[int]]


ABNORMALLY_COVERED = "every branch is covered, some of them only by runs that do not return"
# How long to look for a run that takes a branch and returns, when one that does not return is known.
_TRIES_TO_RETURN, _SECONDS_TO_RETURN = 500_000, 1.0


class Runnable(Protocol):
    """What a search needs of a subject."""

    sites: list[Any]
    graph: Graph

    @property
    def slow(self) -> bool: ...  # a run takes a microsecond or more
    @property
    def outcome_address(self) -> int: ...
    @property
    def last_end(self) -> int: ...
    def begin(self) -> None: ...
    @property
    def ran_short(self) -> bool: ...  # since install: for want of fuel
    def install(self, question: Question, share: int = 1, start: Words = ()) -> int: ...
    def tidy(self, words: Words) -> Words: ...
    def covers(self, words: Words) -> tuple[Outcome, frozenset[int]]: ...
    def execute(self, words: Words) -> Execution: ...
    def limit_time(self, seconds: float | None, door: int) -> None: ...


class Search:
    """One search for the branches of one subject.

    Args:
        subject: loaded in this process.
        branches: the goals.
        domain: where starting points come from.
        budget: evaluations and seconds.
        seed: of every random choice.
        found: called with each new (words, outcome, covered).
        memory: shared with the parent process, see :mod:`zeroin.worker.sandbox`: it holds the door and the words run.
        known: runs that an earlier process found, before it died.
        spent: evaluations and seconds that earlier processes used.

    Raises:
        OptionError: there is no such minimizer.
    """

    def __init__(self, subject: Runnable, branches: list[Branch], domain: Domain, budget: Budget, seed: int,
                 minimizer: str = "avm", distance: str = "ulp", found: Callable[[Run], None] | None = None,
                 memory: WordArray | None = None, known: list[Run] | None = None,
                 spent: tuple[int, float] = (0, 0.0)) -> None:  # fmt: skip
        pools = getattr(minimizer_named(minimizer), "pools", True)  # raises now if there is none, not when it is needed
        self.subject, self.graph, self.domain = subject, subject.graph, domain
        subject.begin()
        self.starts = domain if pools else domain.plain  # where the minimizer's starts are drawn from
        self.budget, self.seed, self.minimizer, self.distance = budget, seed, minimizer, distance
        self.goals = self._all_goals = sum({1 << b.outcome for b in branches})
        self.runs: list[Run] = []
        self.covered = self.seen = self.given_up = self.in_vain = 0
        self.evaluations, self.slices = spent[0], 0
        self._found: Callable[[Run], None] | None = None
        self._ends: set[tuple[Outcome, int] | None] = set()
        self._abnormal_since: tuple[int, float] | None = None
        self._memory = memory if memory is not None else np.zeros(WORDS + len(domain.kinds) + 1, dtype=np.int64)
        self.x = self._memory[WORDS : WORDS + len(domain.kinds)]  # where minimizers work
        self._started = time.perf_counter() - spent[1]
        self._deadline = self._started + budget.seconds
        self._closed_by_clock = False
        self._turns: dict[int, int] = {}
        self._saturated: tuple[tuple[int, int, int] | None, int] = (None, 0)
        for run in known or []:
            self._take(run)
        self._found = found

    # ---- what is left ----

    @property
    def missing(self) -> int:
        """The goals that no run which returned has covered, as a bit set."""
        return self.goals & ~self.covered

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self._started

    @property
    def stopped(self) -> str | None:
        """Why the search is over; None while it is not."""
        if not self.missing:
            return self._nothing_missing()
        if self._only_abnormal_left():
            return ABNORMALLY_COVERED
        if not self.domain.kinds and self.evaluations:
            return "it takes no input, so one run shows all"
        if self.evaluations >= self.budget.evaluations:
            return "the evaluation budget is used up"
        if self._closed_by_clock or self.seconds >= self.budget.seconds:
            return "the time budget is used up"
        return None

    def _nothing_missing(self) -> str:
        if not self._all_goals:
            return "there is no branch"
        return "every branch is covered" if not self._all_goals & ~self.covered else ABNORMALLY_COVERED

    def _only_abnormal_left(self) -> bool:
        """Whether what is missing has long been seen, but only in runs that do not return."""
        if self.goals & ~self.seen:
            return False
        since = self._abnormal_since = self._abnormal_since or (self.evaluations, self.seconds)
        return self.evaluations - since[0] >= _TRIES_TO_RETURN or self.seconds - since[1] >= _SECONDS_TO_RETURN

    @property
    def saturated(self) -> int:
        """Outcomes covered together with all their descendants, those that are given up for now, with what is only
        reachable through them, and those taken in vain; outcomes that are no goals of their own hold nothing back."""
        now = (self.covered | ~self.goals, self.given_up, self.in_vain)
        if self._saturated[0] != now:
            self._saturated = now, self.graph.saturated(*now[:2]) | self.in_vain
        return self._saturated[1]

    # ---- spending ----

    def stream(self, purpose: int) -> Any:
        """A random stream of its own for each slice."""
        return random_state([self.seed, purpose, self.slices])

    def run(self, question: Question, evaluations: int, body: Callable[[Door], None], share: int = 0,
            start: Words = ()) -> Minimum:  # fmt: skip
        """Spend up to ``evaluations`` on a question; news is taken up before this returns.

        Args:
            question: what to ask.
            evaluations: how many, at most; fewer where runs are long.
            body: makes them, through the door that it gets.
            share: the more, the more fuel a run gets; 0: a question's slices get 1, 2, 1, 4, 1, 2, 1, 8, ...
            start: words that must not end for want of it.
        """
        with self.uncounted():  # a subject may choose to compile now
            address = self.subject.install(question, share or self._next_share(question), start)
        door = Door(address, len(self.domain.kinds), question, self.subject.outcome_address, self.x,
                    self._memory[DOOR:WORDS])  # fmt: skip
        self.subject.limit_time(max(0.0, self._deadline - time.perf_counter()), door.native)
        allowed = min(evaluations, self.budget.evaluations - self.evaluations)
        door.open(allowed)
        self._memory[ALLOWED] = self.evaluations + allowed
        try:
            body(door)
        finally:
            self.subject.limit_time(None, door.native)
        result = door.result()
        self.evaluations += result.evaluations
        self.slices += 1
        self._closed_by_clock |= result.reason is Stop.TIME
        if result.reason in (Stop.NEWS, Stop.ZERO):
            self.offer(result.words)
        return result

    def _next_share(self, question: Question) -> int:
        """Each question counts for itself: strategies that take turns would otherwise always get the same share."""
        turn = self._turns[id(question)] = self._turns.get(id(question), 0) + 1
        return turn & -turn

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """For compiling: that is no search, and its silence does not alarm."""
        started, phase = time.perf_counter(), int(self._memory[PHASE])
        self._memory[PHASE] = Phase.LOADING
        try:
            yield
        finally:
            self._memory[PHASE] = phase
            taken = time.perf_counter() - started
            self._started, self._deadline = self._started + taken, self._deadline + taken

    def minimize(self, question: Question, evaluations: int, start: Any, purpose: int) -> Minimum:
        """Spend up to ``evaluations`` on a question with the chosen minimizer."""
        rng = self.stream(purpose)
        self.x[:] = start

        def body(door: Door) -> None:
            minimize(self.minimizer, door, self.domain, self.x, rng)

        return self.run(question, evaluations, body, start=tuple(int(word) for word in start))

    # ---- finding ----

    def offer(self, words: Words) -> bool:
        """Run the words; keep them if they cover something new. Whether they did."""
        words = self.subject.tidy(words)
        outcome, covered = self.subject.covers(words)
        if outcome is Outcome.REFUSED:
            return False
        end = None if outcome is Outcome.RETURNED else (outcome, self.subject.last_end)
        return self._take((words, outcome, covered), end)

    def offer_lethal(self, run: Run) -> None:
        """A run that ended its process: what only it has taken is no longer looked for."""
        if self._take(run):
            self.goals &= self.covered | ~sum(1 << o for o in run[2])

    def _take(self, run: Run, end: tuple[Outcome, int] | None = None) -> bool:
        _, outcome, covered = run
        bits = sum(1 << o for o in covered)
        new = bits & ~(self.covered if outcome is Outcome.RETURNED else self.seen)
        self.covered |= bits & self.graph.fatal
        self.seen |= bits
        only = not self._all_goals and not self.runs  # without a branch, any one run is what there is to show
        if not new and not only and (end is None or end in self._ends):
            return False
        self._ends.add(end)
        self.in_vain = 0
        if outcome is Outcome.RETURNED:
            self.covered |= bits
            self.given_up &= ~bits
        self.runs.append(run)
        if self._found is not None:
            self._found(run)
        return True

    @property
    def reached(self) -> frozenset[int]:
        """The sites that some run evaluated."""
        return frozenset(o >> 1 for o in range(2 * len(self.subject.sites)) if self.seen >> o & 1)


def bits_of(number: int) -> list[int]:
    """The positions of the bits that are set."""
    return [n for n in range(number.bit_length()) if number >> n & 1]
