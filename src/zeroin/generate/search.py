"""The state that every generation strategy works on: what is covered, by which input, and what is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..config import Budget
from ..minimize import Domain, Door, Minimum, Stop, minimize, minimizer_named, random_state
from ..native.cells import ALLOWED, DOOR, SEEDS, WORDS
from ..native.kernel import loading_inside
from ..subject.base import Branch, Run, Termination, WordArray, Words
from ..subject.search_problem import SearchProblem
from ..subject.subject import Subject
from .domain import without
from .ledger import Ledger
from .proof_requests import Prepare
from .stopped import Stopped

if TYPE_CHECKING:
    from ..objective.guard import Guard
    from ..solvers.base import Proof
    from .proof_requests import Conclusion, ProofRequest

# How long to look for a run that takes a branch and returns, when one that does not return is known: evaluations, and
# those of a slow subject.
_TRIES_TO_RETURN, _SLOW_TRIES = 500_000, 20_000
_SLICES_AFTER_REFUTING = 8  # a guess of types, before others are tried
_TICK = 0.06  # seconds by which a clock may be early
SLICE = 20_000  # evaluations
_FEW, _LONG = 1_000, 2.0  # evaluations of a slice that need be no fewer, and seconds that more of them may take
_SLOWER = 16  # a slice with functions that are called first, which no native code does, gets so much less
_SEEN = 0.1  # seconds of runs, before which nobody knows how slow they are


class Search:
    """One search for the branches of one subject.

    Args:
        subject: loaded in this process.
        branches: the goals.
        domain: where starting points come from.
        budget: evaluations and seconds.
        seed: of every random choice.
        found: called with each new run.
        memory: shared with the parent process, see :mod:`zeroin.worker.worker`: it holds the door and the words run.
        known: runs that an earlier process found, before it died.
        spent: evaluations and seconds that earlier processes used.
        wait: called before the minimizer is first used; it may take as long as it likes, to let another process compile
            that.
        seeds: where the strategy of that name goes on, after a process that died: pass and number.

    Raises:
        OptionError: there is no such minimizer.
    """

    def __init__(self, subject: Subject, branches: list[Branch], domain: Domain, budget: Budget, seed: int,
                 minimizer: str = "avm", distance: str = "ulp", found: Callable[[Run], None] | None = None,
                 memory: WordArray | None = None, known: list[Run] | None = None,
                 spent: tuple[int, float] = (0, 0.0), wait: Callable[[], None] | None = None,
                 seeds: tuple[int, int] = (0, 0)) -> None:  # fmt: skip
        pools = getattr(minimizer_named(minimizer), "pools", True)  # raises now if there is none, not when it is needed
        self.subject, self.graph, self.domain = subject, subject.graph, domain
        self._tags = list(subject.signature.tags)
        self._alone = without(domain, self._tags)
        subject.begin()
        self.starts = domain if pools else domain.plain  # where the minimizer's starts are drawn from
        self.seed, self.minimizer, self.distance, self._wait = seed, minimizer, distance, wait
        self.goals = self._all_goals = bits_in({b.outcome for b in branches})
        self._faults = bits_in({b.outcome for b in branches if b.is_fault})
        self.runs: list[Run] = []
        self.covered = self.seen = self.given_up = self.in_vain = self._taken = self._proved = 0
        self.slices = self._made = 0
        self._took = 0.0
        self.proofs: dict[int, Proof] = {}  # that no input takes an outcome
        self.easily = 0  # of them were had for the asking, and say nothing of whether the search is stuck
        self.prover: Callable[[ProofRequest], Conclusion] | None = None  # made when it is asked, if there is none
        self.begin_to_read: Callable[[Prepare], None] = lambda request: None  # has a prover elsewhere begin
        self.refuted = 0  # outcomes that are impossible for the types that are guessed
        self._refuted_at = 0  # slices before the first of these
        self.remarks: list[Callable[[], str]] = []  # what strategies have to say at the end
        self.counted = -1  # outcomes that new runs may cover, where a strategy ignores what is covered by the way
        self.priorities: Mapping[int, int] = {}  # of sites, where the user has said which
        self.queries = False  # whether to keep what solvers were asked
        self.deaths = 0  # inputs that have ended a process that searched
        self.doubts = False  # whether finds are confirmed at once, as some were not in the end
        self.wary = False  # a solver has ended the process of an earlier search
        self.seeds_from = seeds
        self._found: Callable[[Run], None] | None = None
        self._ends: set[tuple[Termination, int]] = set()
        self._abnormal_since = -1  # evaluations
        self._memory = memory if memory is not None else np.zeros(WORDS + len(domain.kinds) + 1, dtype=np.int64)
        self.x = self._memory[WORDS : WORDS + len(domain.kinds)]  # where minimizers work
        self.ledger = Ledger(budget, spent, self._memory)
        self._closed_by_clock = False
        self._guard = self._guard_of(subject)
        self._saturated: tuple[tuple[int, int, int] | None, int] = (None, 0)
        for run in known or []:
            self._keep(run)
        self._found = found

    def _guard_of(self, subject: Subject) -> Guard | None:
        """What stands before runs of inputs that are not as is assumed; None where ranges say all of that."""
        assumed = subject.assumed
        if assumed is None or not assumed.conditions:
            return None
        from ..objective.guard import Guard

        terms = [condition.term for condition in assumed.conditions]
        with self.ledger.compiling():
            return Guard(terms, assumed.leaves, len(self.domain.kinds), subject.outcome_address)

    @property
    def turns_inputs_away(self) -> bool:
        """Whether some inputs that are as is assumed may not be run."""
        return self._guard is not None and not self._guard.exact

    # ---- what is left ----

    @property
    def missing(self) -> int:
        """The goals, as a bit set, that no run which returned has covered, and nobody has proved infeasible, be it
        for guessed types only. Of an operation that goes wrong the run need not return."""
        return self.goals & ~self.covered & ~self._proved & ~self.refuted & ~(self.seen & self._faults)

    @property
    def evaluations(self) -> int:
        return self.ledger.evaluations

    @property
    def seconds(self) -> float:
        return self.ledger.seconds

    @property
    def stopped(self) -> Stopped | None:
        """Why the search is over; None while it is not."""
        if not self.missing:
            return self._nothing_missing()
        if self._only_abnormal_left():
            return Stopped.ABNORMALLY_COVERED
        if not self.domain.kinds and self.evaluations:
            return Stopped.NO_INPUT
        if self.refuted and self.subject.further_guess and self.slices - self._refuted_at >= _SLICES_AFTER_REFUTING:
            return Stopped.TRIED
        if self.ledger.evaluations_left <= 0:
            return Stopped.EVALUATIONS
        if self._closed_by_clock or self.ledger.seconds_left <= 0:
            return Stopped.TIME
        return None

    def _nothing_missing(self) -> Stopped:
        if not self._all_goals:
            return Stopped.NO_BRANCH
        if self.refuted:
            return Stopped.TRIED
        if self._all_goals & ~self.covered & ~self._proved:
            return Stopped.ABNORMALLY_COVERED
        return Stopped.DECIDED if self.proofs else Stopped.COVERED

    def _only_abnormal_left(self) -> bool:
        """Whether what is missing has long been seen, but only in runs that do not return."""
        if self.goals & ~self.seen & ~self._proved & ~self.refuted:
            return False
        if self._abnormal_since < 0:
            self._abnormal_since = self.evaluations
        return self.evaluations - self._abnormal_since >= (_SLOW_TRIES if self.subject.slow else _TRIES_TO_RETURN)

    @property
    def saturated(self) -> int:
        """Outcomes covered together with all their descendants, those that are given up for now, with what is only
        reachable through them, and those taken in vain; outcomes that are no goals of their own hold nothing back."""
        now = (self.covered | ~self.goals, self.given_up | self._proved | self.refuted, self.in_vain)
        if self._saturated[0] != now:
            self._saturated = now, self.graph.saturated(*now[:2]) | self.in_vain
        return self._saturated[1]

    # ---- spending ----

    def stream(self, purpose: int) -> Any:
        """A random stream of its own for each slice."""
        return random_state([self.seed, purpose, self.slices])

    @property
    def slice(self) -> int:
        """Evaluations of a slice; fewer where runs are slow, in large steps of the processor's time: it is to tell slow
        subjects from others, and not to make each search another one."""
        evaluations = SLICE
        if self._took < _SEEN:  # what goes before and after the runs of a slice weighs too much
            return evaluations
        while evaluations > _FEW and evaluations * self._took > _LONG * self._made:
            evaluations //= 4
        return evaluations

    @property
    def haste(self) -> int:
        """How many times as long as others runs take at least, so far."""
        return SLICE // self.slice

    def run(self, question: SearchProblem, evaluations: int, body: Callable[[Door], None], share: int = 0,
            start: Words = ()) -> Minimum:  # fmt: skip
        """Spend up to ``evaluations`` on a question; news is taken up before this returns.

        Args:
            question: what to ask.
            evaluations: how many, at most.
            body: makes them, through the door that it gets.
            share: the more, the more fuel a run gets; 0: a question's slices get 1, 2, 1, 4, 1, 2, 1, 8, ...
            start: words that must not end for want of it.
        """
        with self.ledger.compiling():  # a subject may choose to compile now
            address = self.subject.install(question, share or self._next_share(question), start)
        address = address if self._guard is None else self._guard.before(address)
        door = Door(address, len(self.domain.kinds), question, self.subject.outcome_address, self.x,
                    self._memory[DOOR:WORDS])  # fmt: skip
        self.subject.limit_time(self.ledger.seconds_left, door.native)
        allowed = min(evaluations, self.ledger.evaluations_left)
        door.open(allowed)
        self._memory[ALLOWED] = self.evaluations + allowed
        started = time.process_time()
        try:
            with loading_inside(partial(self._pause, door)):
                body(door)
        finally:
            self.subject.limit_time(None, door.native)
        result = door.result()
        self.ledger.evaluations += result.evaluations
        self._made += result.evaluations
        self._took += time.process_time() - started
        self.slices += 1
        # Some time is left if we waited for a run meanwhile: no clock knows of that.
        self._closed_by_clock |= result.reason is Stop.TIME and self.ledger.seconds_left < _TICK
        if result.reason in (Stop.NEWS, Stop.ZERO):
            self.offer(result.words)
        return result

    @contextmanager
    def _pause(self, door: Door) -> Iterator[None]:
        """Compiling in the midst of a slice: the clock that closes the door stands still."""
        self.subject.limit_time(None, door.native)
        started = time.process_time()
        with self.ledger.compiling():
            yield
        self._took -= time.process_time() - started
        self.subject.limit_time(self.ledger.seconds_left, door.native)

    def note_seeds(self, stage: int, number: int) -> None:
        """Where the strategy is now, for the case that this process dies."""
        self._memory[SEEDS : SEEDS + 3] = stage, number, self.evaluations

    def _next_share(self, question: SearchProblem) -> int:
        """Each question counts for itself: strategies that take turns would otherwise always get the same share."""
        question.slices += 1
        return question.slices & -question.slices

    def minimize(self, question: SearchProblem, evaluations: int, start: Any, purpose: int) -> Minimum:
        """Spend up to ``evaluations`` on a question with the chosen minimizer."""
        if self._wait is not None:
            with self.ledger.compiling():
                self._wait()
            self._wait = None
        rng, domain = self.stream(purpose), self.domain
        self.x[:] = start
        if self._tags and question.slices & 2:  # slices go in pairs: of two, the second one gets the more fuel
            domain, self.x[self._tags] = self._alone, 0
        elif self._tags and not self.subject.slow:
            evaluations = max(1, evaluations // _SLOWER)

        def body(door: Door) -> None:
            minimize(self.minimizer, door, domain, self.x, rng)

        return self.run(question, evaluations, body, start=tuple(int(word) for word in start))

    # ---- finding ----

    def offer(self, words: Words) -> bool:
        """Run the words; keep them if they cover something new, or end in a new way. Whether they did."""
        run = self.subject.run(self.subject.tidy(words))
        if self.doubts and run.returned and self._is_new(run):
            run = self.subject.confirmed(run)
        new_end = (run.end > 0 or not run.returned) and (run.outcome, run.end) not in self._ends
        if run.outcome in (Termination.BEYOND, Termination.REFUSED):  # what it takes would be news again and again
            self._taken |= bits_in(run.covered)
            self.seen |= bits_in(run.covered) & self.counted
            return False
        if not (self._is_new(run) or new_end):
            return False
        self._keep(run)
        return True

    def offer_lethal(self, run: Run) -> None:
        """A run that ended its process: what only it has taken is no longer looked for."""
        if self._is_new(run):
            self._keep(run)
        elif all(run.words != known.words for known in self.runs):
            return
        self.goals &= self.covered | ~bits_in(run.covered)

    def _is_new(self, run: Run) -> bool:
        """Whether it takes what none has taken, or what none that returned has, and returns. Without a branch, a run is
        what there is to show, the first one, and the first one that has a result."""
        if not self._all_goals and (not self.runs or (run.returned and not run.end)):
            return all(known.end or not known.returned for known in self.runs)
        return bool(bits_in(run.covered) & self.counted & ~(self.covered if run.returned else self.seen))

    def ask(self, request: ProofRequest) -> Conclusion:
        """What the prover says. To prepare is no search: it may compile."""
        with self.ledger.compiling() if isinstance(request, Prepare) else self.ledger.thinking():
            if self.prover is None:
                from .prover import BranchProver

                self.prover = BranchProver(self.subject).ask
            return self.prover(request)

    def prove(self, outcome: int, proof: Proof) -> None:
        """No input takes an outcome, says a proof; if it rests on types that are guessed, it says that these are
        wrong."""
        if self.subject.guesses:
            self._refuted_at = self._refuted_at if self.refuted else self.slices
            self.refuted |= 1 << outcome
            return
        self.proofs[outcome] = proof
        self._proved = bits_in(self.proofs)

    def _keep(self, run: Run) -> None:
        taken = bits_in(run.covered)
        bits = taken & self.counted
        self._taken |= taken
        self.seen |= bits
        # What an undefined run takes refutes nothing. What was proved is wrong else; who reads the suite is told.
        self.refuted &= ~bits
        if bits & self._proved and run.outcome is not Termination.UNDEFINED:
            self.proofs = {outcome: proof for outcome, proof in self.proofs.items() if not bits >> outcome & 1}
            self._proved = bits_in(self.proofs)
        self.in_vain = 0
        if run.returned:
            self.covered |= bits
            self.given_up &= ~bits
        elif run.outcome is not Termination.UNDEFINED:
            self.covered |= bits & self.graph.fatal
        if run.end > 0 or not run.returned:
            self._ends.add((run.outcome, run.end))
        self.runs.append(run)
        if self._found is not None:
            self._found(run)

    @property
    def reached(self) -> frozenset[int]:
        """The sites that some run evaluated."""
        return frozenset(o >> 1 for o in range(2 * len(self.subject.sites)) if self._taken >> o & 1)


def bits_in(positions: Iterable[int]) -> int:
    """The number with the bits at these positions set."""
    set_ = bytearray()
    for n in positions:
        if n >> 3 >= len(set_):
            set_.extend(bytes((n >> 3) + 1 - len(set_)))
        set_[n >> 3] |= 1 << (n & 7)
    return int.from_bytes(set_, "little")


def bits_of(number: int) -> list[int]:
    """The positions of the bits that are set."""
    return [n for n in range(number.bit_length()) if number >> n & 1]
