"""The common state of all generation strategies: the covered branches, their inputs, and what is left to cover."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..config import Budget
from ..minimize import Domain, Door, Minimum, Stop, minimize, minimizer_named, random_state
from ..native.cells import ALLOWED, DOOR, SEEDS, WORDS
from ..native.kernel import loading_inside
from ..subject.base import Branch, Run, Termination, WordArray, Words
from ..subject.search_problem import SearchProblem
from ..subject.subject import Subject
from .domain import opened, without
from .ledger import Ledger
from .proof_requests import Prepare, Refute
from .resume import Resume
from .stopped import Stopped

if TYPE_CHECKING:
    from ..minimize.base import Random
    from ..objective.guard import Guard
    from ..solvers.base import Proof
    from .proof_requests import Conclusion, ProofRequest
    from .trace import Trace

# When all missing branches are covered, but only by runs that do not return, the search goes on for so many
# evaluations (the second number: of a slow subject), because it may still find runs that return.
_TRIES_TO_RETURN, _SLOW_TRIES = 500_000, 20_000
_SLICES_AFTER_REFUTING = 8  # slices after a proof refuted guessed types, before other types are tried
_TICK = 0.06  # seconds by which the clock may close a door too early
SLICE = 20_000  # the evaluations of a slice
_FEW, _LONG = 1_000, 2.0  # the fewest evaluations of a slice; the seconds that a longer slice may take
_MOST_CLOSEST = 4  # inputs kept for each branch that was aimed at
_LATE = 12  # slices without the words that are tried late
_SLOWER = 16  # the factor by which a slice is shorter if it calls setters, which native code can not run
_SEEN = 0.1  # seconds of runs after which the speed of the subject is known


@dataclass(frozen=True)
class SearchSettings:
    """How to search.

    Attributes:
        minimizer: the name of the minimizer, also with parameters.
        distance: the table of branch distances (:mod:`zeroin.distance`).
        queries: whether proofs keep the queries that solvers answered.
        priorities: the priorities of sites that the user gave, by the site's number. The default is 0; higher ones come
            first.
    """

    minimizer: str = "avm"
    distance: str = "ulp"
    queries: bool = False
    priorities: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class SearchServices:
    """What a search uses of the process that it runs in.

    Attributes:
        found: called with each new run, but not with those of an earlier process. None: nothing is called.
        memory: memory that is shared with the parent process (:mod:`zeroin.native.cells`). It contains the door and the
            words of the current run. None: memory of this process.
        wait: called before the first use of the minimizer. It may block while another process compiles the minimizer.
            None: there is nothing to wait for.
        prove: answers requests for proofs. None: a prover in this process does.
        begin_to_read: tells a prover in another process to prepare.
        trace: records events for ``zeroin explain``. None: no trace.
    """

    found: Callable[[Run], None] | None = None
    memory: WordArray | None = None
    wait: Callable[[], None] | None = None
    prove: Callable[[ProofRequest], Conclusion] | None = None
    begin_to_read: Callable[[Prepare], None] = lambda request: None
    trace: Trace | None = None


_DEFAULTS, _ANEW, _ALONE = SearchSettings(), Resume(), SearchServices()


class Search:
    """One search for the branches of one subject.

    All strategies work on one search, and keep their results in it. Sets of branches are bit sets: bit ``n`` stands for
    branch ``n``.

    Args:
        subject: the subject, loaded in this process.
        branches: the branches to cover.
        domain: the ranges of the words and the values worth trying.
        budget: the evaluations and seconds that the search may use.
        seed: the seed of all random choices.
        settings: how to search.
        resume: the state in which an earlier process left the search.
        services: what the search uses of its process.

    Attributes:
        closest: for branches that were aimed at, the inputs with the smallest distances: pairs of distance and input.
        starts: the domain from which starts of the minimizer are drawn.
        goals: the branches to cover. A branch is removed if only a run that killed its process took it.
        runs: the runs worth keeping, in order, also those of earlier processes.
        covered: the branches that a run took and returned. A branch after which no run returns only needs to be taken.
        seen: the branches that any run took.
        given_up: the branches that are given up for now (Fu & Su 2016, appendix B.3).
        in_vain: the branches on which a minimum of zero brought no news.
        slices: the number of slices so far, in this process.
        found_at: the number of slices when the last run was kept, or the last branch was proved infeasible.
        proofs: for each infeasible branch, the proof.
        easily: the number of proofs by the strategy ``refute``. They cost little, so they do not show that the search
            is stuck.
        begin_to_read: tells a prover in another process to prepare.
        refuted: the branches that are infeasible for the guessed types.
        remarks: functions that return a strategy's remark for the report, or an empty text.
        counted: the branches that new runs may cover; -1: all. A strategy may exclude branches that are covered by
            chance.
        settings: how to search.
        deaths: the number of inputs that killed a searching process.
        doubts: whether each find is confirmed at once, because some could not be confirmed in the end.
        wary: whether solvers run in their own processes, because one killed an earlier process.
        seeds_from: where the strategy ``seeds`` continues: its stage and its number.
        trace: records events for ``zeroin explain``. None: no trace.
        strategy: the name of the strategy that has its turn; empty before the first turn.
        goal: the branch that the strategy aims at; -1: several.
        x: the words that minimizers work on, in the shared memory.
        ledger: what the search has spent.

    Raises:
        OptionError: there is no such minimizer.
    """

    def __init__(self, subject: Subject, branches: list[Branch], domain: Domain, budget: Budget, seed: int,
                 settings: SearchSettings = _DEFAULTS, resume: Resume = _ANEW,
                 services: SearchServices = _ALONE) -> None:  # fmt: skip
        # An unknown minimizer is an error now rather than at its first use.
        self._pools = getattr(minimizer_named(settings.minimizer), "pools", True)
        self.subject, self.graph, self._whole = subject, subject.graph, domain
        self._late, self._tags = list(subject.signature.late), list(subject.signature.tags)
        self._use(without(domain, self._late))
        subject.begin()
        self.seed, self.settings, self._wait = seed, settings, services.wait
        self.goals = self._all_goals = bits_in({b.outcome for b in branches})
        self._faults = bits_in({b.outcome for b in branches if b.is_fault})
        self.runs: list[Run] = []
        self.covered = self.seen = self.given_up = self.in_vain = self._taken = self._proved = 0
        self.slices = self.found_at = self._made = 0
        self._took = 0.0
        self.proofs: dict[int, Proof] = {}
        self.closest: dict[int, list[tuple[float, Words]]] = {}
        self.easily = 0
        self.begin_to_read, self._answer = services.begin_to_read, services.prove
        self.refuted = 0
        self._refuted_at = 0  # slices before the first of ``refuted``
        self.remarks: list[Callable[[], str]] = []
        self.counted = -1
        self.deaths, self.doubts, self.wary = resume.deaths, resume.doubts, resume.wary
        self.trace = services.trace
        self.strategy = ""
        self.goal = -1
        self._branches = branches
        self.seeds_from = resume.seeds
        self._found: Callable[[Run], None] | None = None
        self._ends: set[tuple[Termination, int]] = set()
        self._abnormal_since = -1  # evaluations when only abnormal runs covered what was missing; -1: not yet
        own = WORDS + len(domain.kinds) + 1
        self._memory = services.memory if services.memory is not None else np.zeros(own, dtype=np.int64)
        self.x = self._memory[WORDS : WORDS + len(domain.kinds)]
        self.ledger = Ledger(budget, (resume.evaluations, resume.seconds), self._memory)
        self._closed_by_clock = False
        self._guard = self._guard_of(subject)
        self._saturated: tuple[tuple[int, int, int] | None, int] = (None, 0)
        for run in resume.runs:
            self._keep(run)
        self._found = services.found
        for outcome, proof in resume.proofs:
            self.prove(outcome, proof)

    def _use(self, domain: Domain) -> None:
        """Use a domain from now on."""
        self.domain, self._alone = domain, without(domain, self._tags)
        self.starts = domain if self._pools else domain.plain

    def _guard_of(self, subject: Subject) -> Guard | None:
        """Return a guard that checks preconditions before runs, or None if the ranges of the words express them all."""
        assumed = subject.assumed
        if assumed is None or not assumed.conditions:
            return None
        from ..objective.guard import Guard

        terms = [condition.term for condition in assumed.conditions]
        with self.ledger.compiling():
            return Guard(terms, assumed.leaves, len(self.domain.kinds), subject.outcome_address)

    @property
    def turns_inputs_away(self) -> bool:
        """Whether the guard may refuse inputs that satisfy the preconditions."""
        return self._guard is not None and not self._guard.exact

    # ---- what is left to cover ----

    @property
    def missing(self) -> int:
        """The branches that are still to cover, as a bit set.

        These are the goals that are neither covered by a run that returned nor proved infeasible, not even for guessed
        types. For a fault, a run that does not return counts as well.
        """
        return self.goals & ~self.covered & ~self._proved & ~self.refuted & ~(self.seen & self._faults)

    @property
    def evaluations(self) -> int:
        """The number of evaluations so far."""
        return self.ledger.evaluations

    @property
    def seconds(self) -> float:
        """The seconds spent so far."""
        return self.ledger.seconds

    @property
    def stopped(self) -> Stopped | None:
        """The reason why the search is over; None while it is not."""
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
        """Return the reason why the search is over when no branch is missing."""
        if not self._all_goals:
            return Stopped.NO_BRANCH
        if self.refuted:
            return Stopped.TRIED
        if self._all_goals & ~self.covered & ~self._proved:
            return Stopped.ABNORMALLY_COVERED
        return Stopped.DECIDED if self.proofs else Stopped.COVERED

    def _only_abnormal_left(self) -> bool:
        """Return whether only runs that do not return cover what is missing, and have done so for long."""
        if self.goals & ~self.seen & ~self._proved & ~self.refuted:
            return False
        if self._abnormal_since < 0:
            self._abnormal_since = self.evaluations
        return self.evaluations - self._abnormal_since >= (_SLOW_TRIES if self.subject.slow else _TRIES_TO_RETURN)

    @property
    def saturated(self) -> int:
        """The branches at which the objective does not aim, as a bit set.

        These are the branches that are covered with all their descendants, and the ones taken in vain. Branches that
        are given up or infeasible count as covered, with those reachable only through them; so do branches that are not
        goals.
        """
        now = (self.covered | ~self.goals, self.given_up | self._proved | self.refuted, self.in_vain)
        if self._saturated[0] != now:
            self._saturated = now, self.graph.saturated(*now[:2]) | self.in_vain
        return self._saturated[1]

    # ---- spending evaluations ----

    def stream(self, purpose: int) -> Random:
        """Return a random stream that depends on the seed, the purpose and the number of slices so far.

        Streams for the same purpose in the same slice are equal.
        """
        return random_state([self.seed, purpose, self.slices])

    @property
    def slice(self) -> int:
        """The number of evaluations of a slice: 20,000, or a quarter, 16th or 64th of that if runs are slow.

        The steps are large, so that noise in the measured time seldom changes the search.
        """
        evaluations = SLICE
        if self._took < _SEEN:  # too early: the overhead of a slice would count too much
            return evaluations
        while evaluations > _FEW and evaluations * self._took > _LONG * self._made:
            evaluations //= 4
        return evaluations

    @property
    def haste(self) -> int:
        """The factor by which slices are shorter, because the subject is slow; at least 1."""
        return SLICE // self.slice

    def run(self, question: SearchProblem, evaluations: int, body: Callable[[Door], None], share: int = 0,
            start: Words = ()) -> Minimum:  # fmt: skip
        """Run a slice: up to ``evaluations`` of a search problem. A run that is news is kept before this returns.

        Args:
            question: the search problem.
            evaluations: the largest number of evaluations. The budget may allow fewer.
            body: makes the evaluations, through the door that it gets.
            share: the larger, the more fuel each run gets. 0: the slices of a search problem get 1, 2, 1, 4, 1, 2, 1,
                8, ...
            start: the start input. Its run gets enough fuel to finish. Empty: there is none.

        Returns:
            The best or the last words, and the reason why the slice ended.
        """
        with self.ledger.compiling():  # the subject may compile here
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
        if self._late and self.slices == _LATE:
            self._use(opened(self.domain, self._whole, self._late))
        # If the search waited for a run, the clock closed the door while there was time left.
        self._closed_by_clock |= result.reason is Stop.TIME and self.ledger.seconds_left < _TICK
        before = self.covered
        if result.reason in (Stop.NEWS, Stop.ZERO):
            self.offer(result.words)
        if self.trace is not None:
            self.trace.note("slice", strategy=self.strategy, branch=self.name(self.goal), best=result.value,
                            evaluations=result.evaluations, took=time.process_time() - started,
                            reason=result.reason.name.lower(), news=self.names(self.covered & ~before))  # fmt: skip
        return result

    def name(self, branch: int) -> str | None:
        """Return the name of a branch, as the report has it; None if it is no goal."""
        return next((known.id for known in self._branches if known.outcome == branch), None)

    def names(self, branches: int) -> str | None:
        """Return the names of the branches in a bit set, separated by blanks; None if there is none."""
        return " ".join(filter(None, map(self.name, bits_of(branches)))) or None

    @contextmanager
    def _pause(self, door: Door) -> Iterator[None]:
        """Stop the clock of a door while native code is compiled during a slice."""
        self.subject.limit_time(None, door.native)
        started = time.process_time()
        with self.ledger.compiling():
            yield
        self._took -= time.process_time() - started
        self.subject.limit_time(self.ledger.seconds_left, door.native)

    def note_seeds(self, stage: int, number: int) -> None:
        """Store the position of the strategy ``seeds`` in shared memory, in case that this process dies."""
        self._memory[SEEDS : SEEDS + 3] = stage, number, self.evaluations

    def _next_share(self, question: SearchProblem) -> int:
        """Return the next share of a search problem.

        Each has a sequence of its own, because strategies that take turns would otherwise always get the same share.
        """
        question.slices += 1
        return question.slices & -question.slices

    def minimize(self, question: SearchProblem, evaluations: int, start: WordArray | Words, purpose: int) -> Minimum:
        """Run a slice with the minimizer of this search; return the same as :meth:`run`.

        Args:
            question: the search problem.
            evaluations: the largest number of evaluations. For inputs with calls of setters, it may be reduced.
            start: the first start, as an array of words. It is not changed.
            purpose: a number that gives each strategy its own random stream.
        """
        if self._wait is not None:
            with self.ledger.compiling():
                self._wait()
            self._wait = None
        rng, domain = self.stream(purpose), self.domain
        self.x[:] = start
        if self._tags and question.slices & 2:  # in pairs, as every second slice gets more fuel
            domain, self.x[self._tags] = self._alone, 0
        elif self._tags and self.subject.leaves_native:
            evaluations = max(1, evaluations // _SLOWER)

        def body(door: Door) -> None:
            minimize(self.settings.minimizer, door, domain, self.x, rng)

        return self.run(question, evaluations, body, start=tuple(int(word) for word in start))

    def note_closest(self, target: int, found: Minimum) -> None:
        """Keep the result of a slice that aimed at a branch, if it is among the closest inputs so far."""
        if found.evaluations:
            several = {words: value for value, words in self.closest.get(target, ())} | {found.words: found.value}
            self.closest[target] = sorted((value, words) for words, value in several.items())[:_MOST_CLOSEST]

    # ---- runs and proofs ----

    def offer(self, words: Words) -> bool:
        """Run an input; keep the run if it covers something new or ends in a new way. Return whether it was kept.

        The run does not count as an evaluation. It is not kept if the input violates a precondition, or if the run
        leaves an array of unknown length.
        """
        run = self.subject.run(self.subject.tidy(words))
        if self.doubts and run.returned and self._is_new(run):
            run = self.subject.confirmed(run)
        new_end = (run.end > 0 or not run.returned) and (run.outcome, run.end) not in self._ends
        if run.outcome in (Termination.BEYOND, Termination.REFUSED):  # else its branches would be news again and again
            self._taken |= bits_in(run.covered)
            self.seen |= bits_in(run.covered) & self.counted
            return False
        if not (self._is_new(run) or new_end):
            return False
        self._keep(run)
        return True

    def offer_lethal(self, run: Run) -> None:
        """Add a run that killed its process. Branches that only such runs took are no longer goals.

        A run that takes no new branch is ignored, unless its input is that of a known run.
        """
        if self._is_new(run):
            self._keep(run)
        elif all(run.words != known.words for known in self.runs):
            return
        self.goals &= self.covered | ~bits_in(run.covered)

    def _is_new(self, run: Run) -> bool:
        """Return whether a run takes a new branch, or is the first to take it and return.

        Without branches, the first run is new, and so is the first run that returns a result.
        """
        if not self._all_goals and (not self.runs or (run.returned and not run.end)):
            return all(known.end or not known.returned for known in self.runs)
        return bool(bits_in(run.covered) & self.counted & ~(self.covered if run.returned else self.seen))

    def ask(self, request: ProofRequest) -> Conclusion:
        """Return the prover's answer to a request. Preparation does not count as search, as it may compile."""
        started = time.monotonic()
        with self.ledger.compiling() if isinstance(request, Prepare) else self.ledger.thinking():
            if self._answer is None:
                from .prover import BranchProver

                self._answer = BranchProver(self.subject).ask
            conclusion = self._answer(request)
        if self.trace is not None and isinstance(request, Refute):
            proof = conclusion.proof
            self.trace.note("proof", strategy=self.strategy, branch=self.name(request.outcome),
                            effort=request.effort.name.lower(), took=time.monotonic() - started,
                            answer=conclusion.answer, by=proof.solver if proof else None)  # fmt: skip
        return conclusion

    def prove(self, outcome: int, proof: Proof) -> None:
        """Record a proof that no input takes a branch.

        If the types of parameters were guessed, the proof only refutes the guess.
        """
        if self.subject.guesses:
            self._refuted_at = self._refuted_at if self.refuted else self.slices
            self.refuted |= 1 << outcome
            return
        self.proofs[outcome] = proof
        self._proved, self.found_at = bits_in(self.proofs), self.slices

    def _keep(self, run: Run) -> None:
        """Add a run and what it covers. It revokes proofs of its branches, unless its behaviour is undefined."""
        taken = bits_in(run.covered)
        bits = taken & self.counted
        self._taken |= taken
        self.seen |= bits
        # A run with undefined behaviour refutes nothing. Any other run that takes a branch refutes its proof, and the
        # suite reports that.
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
        self.found_at = self.slices
        if self._found is not None:
            self._found(run)

    @property
    def reached(self) -> frozenset[int]:
        """The sites that some run evaluated."""
        return frozenset(o >> 1 for o in range(2 * len(self.subject.sites)) if self._taken >> o & 1)


def bits_in(positions: Iterable[int]) -> int:
    """Return the number with the bits at these positions set. Repetitions do not matter."""
    set_ = bytearray()
    for n in positions:
        if n >> 3 >= len(set_):
            set_.extend(bytes((n >> 3) + 1 - len(set_)))
        set_[n >> 3] |= 1 << (n & 7)
    return int.from_bytes(set_, "little")


def bits_of(number: int) -> list[int]:
    """Return the positions of the bits that are set, in ascending order. The number must not be negative."""
    return [n for n in range(number.bit_length()) if number >> n & 1]
