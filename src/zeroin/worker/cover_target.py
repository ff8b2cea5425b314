"""The parent's side of one target: find inputs for all its branches, even if worker processes die."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..config import FAULTS, Budget, FaultSearch, Options
from ..errors import WorkerDied, ZeroinError
from ..generate.stopped import Stopped
from ..native.cells import BEAT, PHASE, SEEDS, Phase
from ..subject.base import Branch, Run, Site, Target, Termination, Words
from ..subject.goals import goals_of
from ..subject.growth import refitted
from ..subject.mutants import Kills
from ..suite.samples import Samples
from ..suite.suite import Suite
from . import messages
from .collected import Collected, Deaths, Spent
from .findings import after_runs, not_loaded
from .journal import Journal
from .message_checks import MessageChecks
from .progress import SearchState, Watcher
from .replays import Replays
from .result import note_faults, resume_of, suite_of
from .strengthening import Strengthening
from .time_limits import GRACE, TO_SAMPLE, TaskClock, TimeLimits, before_faults, faults_share
from .worker import Died, Interrupted, Lost, Worker, mistake

if TYPE_CHECKING:
    from .trace_file import TraceFile

JOBS = "zeroin.worker.job"  # named, not imported: its many imports would slow the parent down
# Reasons to stop a search for branches after which faults are looked for.
_TO_SEEK_FAULTS = (Stopped.NO_BRANCH, Stopped.COVERED, Stopped.DECIDED, Stopped.ABNORMALLY_COVERED, Stopped.EVALUATIONS,
                   Stopped.TIME, Stopped.TRIED)  # fmt: skip
MOST_LIVES = 2000  # processes that one search may use up
MOST_LOSSES = 5  # deaths of the job process, which has loaded the target
MOST_FAILURES = 8  # exceptions of zeroin's own code in searches that have run the target
MOST_TRACED = 100  # inputs that ended a process and are run again to see their branches
MOST_DEATHS_OF_A_CHOICE = 4  # attempts of the "choose" task
_OF_REST_AFTER_A_HANG = 0.2  # most of the seconds left, to simplify after a hang


class CoverTarget:
    """The parent's side of one target. It hands out tasks, collects their results, and continues after a process died.

    Args:
        target: the target.
        options: the options of the request.
        worker: the worker that carries out the tasks.
        watch: called with the live state and the event: ``loaded``, ``found`` or ``tick``; None if nobody watches.
        stop: polled regularly; True ends the search early.
    """

    def __init__(self, target: Target, options: Options, worker: Worker, watch: Watcher | None,
                 stop: Callable[[], bool]) -> None:  # fmt: skip
        self.target, self.request, self.worker, self.watch, self.stop = target, options, worker, watch, stop
        self.options = replace(options, budget=before_faults(options.budget)) if options.seeks_faults else options
        self.faults: list[Branch] = []  # the faults that are looked for
        self.fault_search: FaultSearch | None = None  # the search for usual faults that is running
        self.live, self.task = SearchState(target), ""
        self.limits = TimeLimits(options.budget.seconds)
        worker.most_waited = self.limits.most_waited
        self.plausible: MessageChecks | None = None
        self.loaded = target  # the target, with the array lengths and types that runs need so far
        self.grown: messages.Grown | None = None
        self.found, self.spent, self.deaths = Collected(), Spent(), Deaths()
        self.goals: frozenset[int] = frozenset()  # numbers of the wanted branches
        self.replays = Replays()
        self.doubts = False  # whether the plain function failed to confirm some inputs
        self.strengthening = Strengthening()
        self.trace: TraceFile | None = None
        if options.trace is not None or options.verbose:
            from .trace_file import TraceFile

            self.trace = TraceFile(options.trace, target.text)
        self.journal = Journal(options.found, target) if options.found is not None else None
        self.earlier: tuple[int, list[Words]] = (0, [])  # the journal's number of searches, and their inputs

    def run(self) -> Suite:
        """Carry out all steps: load, search, choose, strengthen, replay, explain. Return the suite. Call this once.

        An interruption by the user ends the current step early and keeps the results so far.

        Raises:
            ZeroinError: the target can not be tested, zeroin failed before the first result, or ``stop`` returned True
                before the search began.
            KeyboardInterrupt: the user interrupted before the search began.
        """
        try:
            self._load()
            self._begin_trace()
            if self.journal is not None:
                self.earlier, self.found.notes = self.journal.open(self.live.known_signature, self.options.resume)
            self._search_unless_interrupted()
            self._unless_interrupted(self._search_for_faults)
            self.limits.search_is_over(self.spent.seconds, self.worker.waited)
            self.limits.has_hung |= any(run.outcome is Termination.HUNG for run in self.found.runs)
            for again in (False, True):
                if not again or self._search_on():
                    for step in (self._choose, self._strengthen, self._replay):
                        self._unless_interrupted(step)
            self._unless_interrupted(self._explain)
            if self.options.samples:
                self._unless_interrupted(self._sample)
            if self.limits.is_interrupted:
                self._keep_unconfirmed()
        finally:
            self.worker.dismiss()
        suite = suite_of(self)
        if self.trace is not None:
            self.trace.end(suite)
        return suite

    def _begin_trace(self) -> None:
        """Record what is searched for."""
        if self.trace is not None:
            self.trace.begin(self.live, self.options, self.target)

    def _unless_interrupted(self, step: Callable[[], None]) -> None:
        """Carry out a step; return early if the user interrupts it."""
        with contextlib.suppress(Interrupted):
            step()

    def _search_unless_interrupted(self) -> None:
        """Search; record an interruption as the reason why the search stopped."""
        self._unless_interrupted(self._search)
        self.spent.reason = Stopped.INTERRUPTED if self.limits.is_interrupted else self.spent.reason
        self._tick()

    def _load(self) -> None:
        """Load the target in a new job process.

        Raises:
            ZeroinError: the target can not be loaded, or ``stop`` returned True meanwhile.
            KeyboardInterrupt: the user interrupted the load.
        """
        try:
            died = self._take_all(self.worker.run(f"{JOBS}:cover", self.loaded, self.options))
        except Interrupted as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # Ctrl-C before the search: there is nothing to keep
                raise error.__cause__ from None
            raise ZeroinError(f"{self.target.text}: interrupted before the search began") from error
        if died is not None:
            raise not_loaded(self.target.text, died)

    def _task(self, name: str, *arguments: Any) -> Died | None:
        """Carry out a task. Return None, or how its process died.

        If the job process dies, the target is loaded again and the task starts again. A search is not restarted here:
        its caller continues it with the results so far.

        Raises:
            Interrupted: the user wants no more results.
            ZeroinError: the task failed before the first result.
        """
        if self.limits.is_over(name):
            raise Interrupted
        self.task, self.worker.patience = name, self.limits.patience(name)
        self.worker.longest_thought = self.limits.longest_thought(name, self.spent.seconds)
        seconds = arguments[0].seconds + GRACE if name == "strengthen" else math.inf  # a mutant may loop forever
        while True:
            started = time.perf_counter()
            try:
                died = self._take_all(self.worker.task(name, *arguments), seconds)
                if self.trace is not None:
                    self.trace.note("task", self.spent.seconds, task=name, took=time.perf_counter() - started,
                                    died=None if died is None else self._death(died))  # fmt: skip
                if name == "search":
                    self.spent.uncounted, self.clock.compiled = self.spent.uncounted + self.clock.compiled, 0.0
                return self._failed(died) if died is not None and died.failed else died
            except Lost as error:
                if self.limits.is_interrupted:
                    raise Interrupted from error
                died = self.worker.last_words()
                self.deaths.losses += 1
                if self.deaths.losses > MOST_LOSSES:
                    return self._mistaken(error)
            except ZeroinError as error:
                return self._mistaken(error)
            try:
                self._load()
            except ZeroinError as error:
                return self._mistaken(error)
            if name == "search":
                return died

    def _death(self, died: Died) -> str:
        """Return how a process died, with the input that it was running, as text for the trace."""
        how = "was silent" if died.silent else f"signal {died.signal}" if died.signal else f"status {died.status}"
        is_input = died.phase is Phase.SEARCHING and self.plausible is not None and self.plausible.is_input(died.words)
        shown = f" in {self.live.known_signature.show(died.words)}" if is_input else ""
        return f"{how} while {died.phase.name.lower()}{shown}"

    def _failed(self, died: Died) -> Died:
        """Handle an exception of zeroin's own code in a task.

        If the task has run the target, the target may have damaged Python itself. Then the exception counts as a death,
        which is returned. Otherwise, and after too many such exceptions, it is handled as :meth:`_mistaken` does.
        """
        self.deaths.failures += self.task == "search"
        if self.deaths.failures <= MOST_FAILURES and (self.worker.evaluations > 0 or self.worker.memory[BEAT] > 0):
            self.found.notes.append(after_runs(died.failed))
            return died
        return self._mistaken(WorkerDied(mistake(died.failed)))

    def _mistaken(self, error: ZeroinError) -> Died:
        """Note an error for the user and return a death with ``ours`` set; raise the error if there are no runs yet."""
        if not self.found.runs:
            raise error
        self.found.notes.append(str(error))
        return replace(self.worker.last_words(), ours=True)

    def _take_all(self, messages: Generator[object, None, None], seconds: float = math.inf) -> Died | None:
        """Handle all messages of a task. Return None, or how its process died.

        Args:
            messages: the messages as they arrive; None at each tick.
            seconds: the time limit, without compilation. A task that exceeds it counts as silent.

        Raises:
            Interrupted: the user wants no more results.
        """
        self.clock = TaskClock(lambda: self.worker.memory[PHASE])
        with closing(messages):  # closing the generator ends the task
            try:
                for message in messages:
                    if self.clock.tell() > seconds:
                        return replace(self.worker.last_words(), silent=True)
                    if isinstance(message, Died):
                        return message
                    if message is not None:
                        self._take(message)
                    else:
                        self._tick()
                        self._heed_interruptions()
            except KeyboardInterrupt as error:
                self.limits.interrupt()
                raise Interrupted from error
        return None

    def _heed_interruptions(self) -> None:
        """Raise :class:`Interrupted` if the user wants to stop and the task may not finish."""
        if not self.limits.is_interrupted and self.stop():
            self.limits.interrupt()
        if self.limits.is_over(self.task):
            raise Interrupted

    def _search(self) -> None:
        """Search in one process after another, and record in ``spent.reason`` why the search ended.

        Each process continues from the state in which the last one died. The search ends when a process finishes,
        zeroin's own code fails, the budget is used up, or ``MOST_LIVES`` processes were used. If a process asks for
        longer arrays or further types, the target is loaded again.

        Raises:
            Interrupted: the user wants no more results.
            ZeroinError: the search failed before the first result, or the target can not be loaded again.
        """
        lives, seeds, wary = 0, (0, 0), False
        searches, known = self.earlier
        while True:
            resume = resume_of(self, searches * MOST_LIVES + lives, seeds, known, wary)
            died = self._task("search", resume)
            if self.grown is not None:
                lives, seeds, known = lives + 1, (0, 0), self._grow(self.grown, known)
                continue
            if died is None or died.ours:
                self.spent.reason = self.spent.reason if died is None else Stopped.MISTAKE
                return
            lives += 1
            stage, number, before = self.worker.memory[SEEDS : SEEDS + 3]
            # One run earlier: its result may have been lost with the process.
            tried = number + self.worker.evaluations - before - 1
            seeds = stage, max(tried, seeds[1] + 1 if stage == seeds[0] else 0)
            searched = died.phase is Phase.SEARCHING
            seeds = (0, 0) if searched and not resume.deaths else seeds  # the next process tries another order
            self.limits.has_hung |= searched and died.silent
            self.spent.evaluations = max(self.spent.evaluations, self.worker.evaluations)
            self._tick()
            wary = wary or died.phase in (Phase.THINKING, Phase.COMPILING)
            if searched and not (died.silent and self.limits.is_late(self.spent.seconds)):
                self._note_death(died)
            spent = self.spent.seconds >= self.options.budget.seconds
            if spent or lives >= MOST_LIVES or self.spent.evaluations >= self.options.budget.evaluations:
                self.spent.reason = Stopped.TIME if died.silent and spent else Stopped.DYING
                return

    def _search_for_faults(self) -> None:
        """Spend a share of the budget on the usual faults: first with ordinary inputs, then with any.

        The target is loaded again, with probes for faults. If that is not possible, no faults are looked for, and a
        note says so. The reason why the search for branches stopped stays as it is.

        Raises:
            Interrupted: the user wants no more results.
            ZeroinError: the target can not be loaded again.
        """
        reason = self.spent.reason
        if not self.request.seeks_faults or reason not in _TO_SEEK_FAULTS or self.live.searching_since is None:
            return
        plain, sites, began = self.options, self.live.sites, time.perf_counter() - self.worker.waited
        self.options = replace(plain, checks_usual=True)
        try:
            self._load()
        except ZeroinError as error:
            self.found.notes.append(f"no faults were looked for: {error}")
            self.options = plain
            self._load()
            return
        self._renumber(sites)
        self.spent.uncounted += time.perf_counter() - self.worker.waited - began
        share, before = faults_share(self.request.budget), len(self.found.runs)
        self.spent.for_branches = self.spent.evaluations, self.spent.seconds
        self.earlier = self.earlier[0], [run.words for run in self.found.runs]
        for ordinary in (True, False) if self.faults else ():
            part = share.part(0.5)
            seconds = self.spent.seconds + min(part.seconds, part.work)
            until = Budget(self.spent.evaluations + max(1, part.evaluations // 2), seconds, part.work)
            self.fault_search, self.spent.reason = FaultSearch(until, ordinary), None
            self._tell_aim("faults")
            try:
                self._search()
            finally:
                self._tell_aim(None)
                self.fault_search, self.spent.reason = None, reason
                self.found.beside = self._not_for_branches(before)
        self._tick()

    def _tell_aim(self, aim: str | None) -> None:
        """Tell the watcher and the trace what a search looks for: ``faults``, or None for branches."""
        self.live.seeks_faults = aim is not None
        if self.trace is not None:
            self.trace.aim = aim

    def _not_for_branches(self, first: int) -> frozenset[Words]:
        """Return the inputs of the runs from an index on that return and cover no branch that earlier runs lack."""
        known, found = set[int](), set[Words]()
        for number, run in enumerate(self.found.runs):
            fresh = run.covered & self.goals - known if run.returned else frozenset[int]()
            known |= fresh
            if number >= first and run.returned and not fresh:
                found.add(run.words)
        return frozenset(found - {run.words for run in self.found.runs[:first]})

    def _renumber(self, before: Sequence[Site]) -> None:
        """Give the branches of all results the numbers that they have now that faults have numbers, too.

        Args:
            before: the sites without those of faults.
        """
        now = [site.number for site in self.live.sites if site.form not in FAULTS]
        assert len(now) == len(before)

        def moved(outcome: int) -> int:
            return 2 * now[outcome >> 1] + (outcome & 1)

        def renumbered(run: Run) -> Run:
            return replace(run, covered=frozenset(map(moved, run.covered)))

        found = self.found
        found.runs = [renumbered(run) for run in found.runs]
        found.seen = set(found.runs)
        found.proofs = {moved(outcome): proof for outcome, proof in found.proofs.items()}
        found.doubted = {moved(outcome): why for outcome, why in found.doubted.items()}
        found.reached = frozenset(now[site] for site in found.reached)
        self.deaths.lethal = {words: (renumbered(run), died) for words, (run, died) in self.deaths.lethal.items()}
        self.live.covered = {moved(outcome) for outcome in self.live.covered}

    def _search_on(self) -> bool:
        """Search again if dropped inputs leave branches uncovered. Return whether a search was made.

        The plain function did not confirm these inputs. The new search confirms each find at once.
        """
        lost = self.goals.difference(*(run.covered for run, _ in self.replays.kept))
        doubtful = [run for run in self.found.runs if run.returned and run.covered & lost]
        over = self.spent.reason in (None, Stopped.INTERRUPTED, Stopped.MISTAKE, Stopped.DYING)
        over = over or self.spent.seconds >= self.options.budget.seconds
        if (
            not doubtful
            or over
            or self.spent.seconds >= self.options.budget.seconds
            or self.live.searching_since is None
        ):
            return False
        known = [run.words for run in (*doubtful, *(run for run, _ in self.replays.undefined))]
        known = [*self.earlier[1], *self.replays.disagreements, *self.replays.long, *known]
        self.earlier = self.earlier[0], list(dict.fromkeys(known))
        self.found.runs = [run for run in self.found.runs if run not in doubtful]
        self.found.seen, self.found.chosen = set(self.found.runs), None
        self.replays.begin_anew()
        self.live.covered -= lost
        self.spent.uncounted = time.perf_counter() - self.live.searching_since - self.worker.waited - self.spent.seconds
        self.doubts, self.spent.reason = True, None
        self._search_unless_interrupted()
        return True

    def _grow(self, grown: messages.Grown, known: Sequence[Words]) -> list[Words]:
        """Load the target again with longer arrays or further types. Return all known inputs, converted to new words.

        The runs, proofs and coverage so far are forgotten. The next search runs the inputs again.

        Args:
            grown: the new array lengths and types.
            known: inputs of earlier searches.

        Raises:
            ZeroinError: the target can not be loaded again.
        """
        before, began = self.live.known_signature, time.perf_counter() - self.worker.waited
        self.loaded = replace(self.loaded, rooms=grown.rooms, guess=grown.guess, refuted=grown.refuted)
        self.grown = None
        self._load()
        after = self.live.known_signature
        refit = partial(refitted, before=before, after=after)
        shown = [grown.words] if grown.words else []
        found = [refit(words) for words in dict.fromkeys([*(run.words for run in self.found.runs), *shown, *known])]
        self.deaths.lethal = {refit(words): (replace(run, words=refit(words)), died)
                              for words, (run, died) in self.deaths.lethal.items()}  # fmt: skip
        for forgotten in (self.found.runs, self.found.seen, self.found.proofs, self.live.covered):
            forgotten.clear()
        self.spent.uncounted += time.perf_counter() - began
        if self.journal is not None:
            self.journal.begin(after, self.earlier[0] + 1, found)
        return found

    def _note_death(self, died: Died) -> None:
        """Record an input that ended a process; run it once more to learn which branches it takes.

        A known input, and any after the first hundred, is not run again.
        """
        if self._note_lethal(died) and len(self.deaths.lethal) <= MOST_TRACED:
            self._task("trace", died.words, self.limits.to_trace(died.silent))

    def _keep_unconfirmed(self) -> None:
        """Keep the inputs that there was no time to replay, and tell the user that there are some."""
        for run in self.found.runs:
            note_faults(self, run)
        if self.replays.give_up(self.found.best, self.live.known_signature):
            self.found.notes.append("not all inputs were replayed: the search was interrupted")

    def _note_lethal(self, died: Died) -> bool:
        """Record the input of a death. Return whether the input is new.

        Words in damaged memory that are no input are ignored.
        """
        if self.plausible is None or not self.plausible.is_input(died.words):
            return False
        known = self.deaths.lethal.pop(died.words, None)  # move it to the end: only the last ones are avoided
        self.deaths.lethal[died.words] = known or (Run(died.words, Termination.KILLED, frozenset()), died)
        return known is None

    def _choose(self) -> None:
        """Choose the runs to keep, and simplify them.

        Lethal inputs found on the way are avoided in the next attempt. The last attempt does not simplify.
        """
        seconds, avoided = self.limits.to_simplify(self.spent.seconds), {*self.deaths.lethal, *self.worker.slow}
        for attempt in range(MOST_DEATHS_OF_A_CHOICE):
            seconds = 0.0 if attempt == MOST_DEATHS_OF_A_CHOICE - 1 else seconds
            died = self._task("choose", self.found.runs, frozenset(avoided), seconds, self.doubts, self.found.beside)
            if died is None:
                return
            avoided.add(died.words)
            if died.silent:  # once more, but not with much time
                seconds = min(seconds, _OF_REST_AFTER_A_HANG * self.limits.left) if not attempt else 0.0
            if not died.ours and all(not died.ends_like(known) for _, known in self.deaths.lethal.values()):
                self._note_lethal(died)

    def _strengthen(self) -> None:
        """Run mutants; add or change inputs so that they kill more of them."""
        seconds = self.limits.to_strengthen(time.perf_counter() - self.live.started)
        if self.options.mutants or (self.request.strengthens and seconds > 0):
            chosen = self.found.best
            known = [run for run in self.found.runs if run.words not in self.found.beside]
            lethal, choose = frozenset(self.deaths.lethal) | self.worker.slow, self.request.strengthens
            self.found.chosen = self.strengthening.run(self._task, chosen, known, lethal, seconds, choose, self.doubts)

    def _replay(self) -> None:
        """Have child processes run the plain function with the chosen inputs, and keep the results in ``replays``.

        Before the choice, these are all inputs found. Some inputs that ended a process are added. A note for the user
        says how many inputs were left out for lack of time.
        """
        chosen = self.found.best
        traced = dict(list(self.deaths.lethal.items())[:MOST_TRACED])
        self.replays.run(self._task, chosen, traced, self.live.known_signature, self.limits)
        if self.replays.untried:
            self.found.notes.append(f"{self.replays.untried} inputs that do not return were not run again; a longer "
                                    "--budget leaves time for that")  # fmt: skip

    def _explain(self) -> None:
        """Run inputs with faults once more to learn the operands. An input that ends its process stays unexplained."""
        left = [(outcome, run.words) for outcome, run in self.found.faulty.items()]
        while left and self._task("explain", dict(left)) is not None:
            left = [one for one in left if one[0] in self.found.faulty and one[0] not in self.found.explained][1:]

    def _sample(self) -> None:
        """Run the function at further points, so that a report can draw it."""
        runs = [run for run, _ in sorted(self.replays.kept, key=lambda kept: not kept[0].returned)]
        covered, shown = set[int](), list[Words]()
        for run in runs:
            if run.covered - covered and (run.returned or not shown):
                shown.append(run.words)
            covered |= run.covered
        missed = sorted(self.goals - covered - self.found.proofs.keys())
        lethal = frozenset(self.deaths.lethal) | self.worker.slow
        if self._task("sample", shown, missed, lethal, min(TO_SAMPLE, self.limits.left)) is not None:
            self.found.samples = Samples(why="a run near its inputs ends the process, or does not return")

    def _note_spent(self, message: messages.Found | messages.Searched | messages.Grown) -> None:
        """Record the evaluations and seconds that a search reports; the seconds are limited to the time that passed."""
        past = time.perf_counter() - (self.live.searching_since or self.live.started)
        self.spent.evaluations, self.spent.seconds = max(0, message.evaluations), min(max(0.0, message.seconds), past)

    def _tick(self) -> None:
        """Update the effort and the patience of a running search, and tell the watcher."""
        if self.live.searching_since is not None and self.spent.reason is None:
            self.spent.evaluations = max(self.spent.evaluations, self.worker.evaluations)
            past = time.perf_counter() - self.live.searching_since
            searches = self.task == "search"
            self.spent.seconds = past - self.worker.waited - self.spent.uncounted - self.clock.compiled * searches
            if searches:
                self.worker.patience = self.limits.patience("search", self.spent.seconds)
        self.live.evaluations = self.spent.evaluations
        self._tell("tick")

    def _tell(self, what: str) -> None:
        """Call the watcher, if there is one, with the live state and the name of an event."""
        if self.watch is not None:
            self.watch(self.live, what)

    def _take(self, said: object) -> None:
        """Handle one message of a task; implausible parts are dropped first."""
        live = self.live
        match message := said if self.plausible is None else self.plausible.part(said):
            case messages.Loaded():
                live.signature, live.sites = message.signature, message.sites
                self.plausible = MessageChecks(message.signature, len(message.sites))
                every = goals_of(live.sites, self.options)
                self.faults = [goal for goal in every if goal.is_fault]
                live.branches = every if self.request.find else [goal for goal in every if not goal.is_fault]
                self.goals = frozenset(branch.outcome for branch in live.branches)
                live.searching_since = live.searching_since or time.perf_counter()
                self._tell("loaded")
            case messages.Found():
                self._note_spent(message)
                self._note_find(message.run)
            case messages.Events():
                if self.trace is not None:
                    self.trace.take_from_search(message.events)
            case messages.Searched():
                self._note_spent(message)
                self.spent.reason = self.spent.reason or message.reason
                self.found.reached |= message.reached
                self.found.doubted = {**self.found.doubted, **message.doubted}
            case messages.Grown():
                self._note_spent(message)
                self.grown = message
            case messages.Proved():
                self.found.proofs[message.outcome] = message.proof
            case messages.Withdrawn():
                self.found.proofs.pop(message.outcome, None)
                self.found.notes.append(message.why)
            case messages.Traced() if message.words in self.deaths.lethal:
                self._note_trace(message)
            case messages.Chosen():
                self.found.chosen, self.found.faulty = message.runs, message.faulty
            case messages.Explained() if message.outcome in self.found.faulty:
                if message.outcome in message.run.covered:
                    self.found.explained[message.outcome] = message
                    self.found.faulty[message.outcome] = message.run
                else:
                    self.found.faulty.pop(message.outcome, None)
            case messages.Strengthened() | Kills():
                self.strengthening.take(message)
            case messages.Replayed():
                self.replays.take(message)
            case messages.Sampled():
                self.found.samples = message.samples
            case messages.Behaved():
                self.found.behaved.append(message)

    def _note_find(self, run: Run) -> None:
        """Keep a run, tell the watcher, and write its input to the journal; do nothing if the run is known."""
        if run in self.found.seen:
            return
        self.found.seen.add(run)
        self.found.runs.append(run)
        self.live.note(run, self.goals)
        self.live.evaluations = self.spent.evaluations
        self.found.events.append((self.spent.seconds, len(self.goals & self.live.covered)))
        self._tell("found")
        if self.journal is not None:
            self.journal.note(run.words)

    def _note_trace(self, traced: messages.Traced) -> None:
        """Record the branches of a run that ended its process, from a repetition in a process of its own."""
        run, died = self.deaths.lethal.pop(traced.words)
        if traced.returned:  # it returns: an earlier run had damaged the process
            self.deaths.spoiled += 1
            self._note_find(Run(run.words, Termination.RETURNED, traced.covered))
        else:
            self.deaths.lethal[traced.words] = replace(run, covered=traced.covered), died
