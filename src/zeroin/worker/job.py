"""What runs in the worker's processes: load the subject, search, choose and simplify the inputs, replay them."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..cache import FOR_ALL, FOR_SEARCHES, lacks_kernels, note_kernels
from ..config import Options
from ..errors import NoFunctions, ZeroinError
from ..explore.guidance import priorities_of
from ..generate.domain import domain_of, hurried, narrowed
from ..generate.proof_requests import Finish
from ..generate.schedule import generate, schedule_of
from ..generate.search import Search, bits_of
from ..generate.stopped import Stopped
from ..languages.registry import LANGUAGES, language_of
from ..limits import limit_memory
from ..minimize import warm_up, warm_up_combinations, warm_up_minimizer, warm_up_named
from ..native.cells import ARITY, PATIENCE, WORDS, Phase
from ..objective.branch import BranchObjective
from ..objective.coverage import CoverageObjective
from ..sandbox import seccomp
from ..subject.base import Run, Target, Termination, Words
from ..subject.goals import check_path, goals_of, path_of
from ..subject.growth import Outgrown
from ..subject.language import Skipped
from ..subject.search_problem import Tracer
from ..subject.subject import Subject
from ..suite.reduce import reduce
from ..suite.simplify import Again, limited, simplify, simplify_one
from ..suite.suite import Resume
from .abnormal_runs import abnormal_runs
from .messages import (
    OF_TASKS,
    Behaved,
    Chosen,
    Explained,
    Followed,
    Found,
    Grown,
    Loaded,
    Replayed,
    Searched,
    Strengthen,
    Targets,
    Traced,
)
from .precondition_check import assume
from .prover_process import ANSWERS, RemoteProver, aide_of
from .task_supervisor import Work
from .without_branches import one_of, show_one

if TYPE_CHECKING:
    from .base_process import Link

MOST_WITH_OTHER_LENGTHS = 50  # runs of a search that are made again with arrays of other lengths
RUNS_TO_SIMPLIFY = 20_000  # for one target
RARELY = 50_000  # objects; terms, of which an exploration keeps very many, make no cycles


def prepare() -> None:
    """Load, or compile, the native code that every job needs; load what most need."""
    Tracer(0, 0)
    CoverageObjective(0)
    BranchObjective(0)
    if not lacks_kernels(FOR_SEARCHES):
        warm_up()


def prepare_for(*arguments: Any) -> None:
    """Load what a job with these arguments needs."""
    match arguments:
        case (Target() as target, Options() as options, *_):
            LANGUAGES[target.language].prepare(options)
            warm_up_named(options.minimizer)
        case (str() as where, _, Options() as options):  # of :func:`find`
            language_of(where).prepare(options)


def prepare_more(*arguments: Any) -> None:
    """Load what few of such jobs need, while one of them runs."""
    if arguments and isinstance(arguments[0], Target):
        LANGUAGES[arguments[0].language].prepare_more()


def compile_kernels(note_minimizer: Callable[[], object], note_searches: Callable[[], object]) -> None:
    """Compile the minimizer, which takes longest, and call ``note_minimizer``; then what else most searches need,
    unless one has compiled it meanwhile, and call ``note_searches``; then what :func:`compile_more` does."""
    warm_up_combinations()
    warm_up_minimizer()
    note_minimizer()
    warm_up()
    note_kernels(FOR_SEARCHES)
    note_searches()
    compile_more()


def compile_more() -> None:
    """Compile what few searches need: for strings, and for proofs."""
    from ..solvers.intervals import Intervals

    warm_up(strings=True)
    Intervals().ready()
    note_kernels(FOR_ALL)


def find(link: Link, where: str, function: str | None, options: Options) -> None:
    """Job: the targets that a file or module, or one function of it, stands for; of a package, its modules."""
    link.phase(Phase.LOADING)
    language = language_of(where)
    parts, skipped = ([], []) if function else language.parts(where, options, link.scratch)
    if parts:
        return link.send(Targets([], skipped, parts))
    targets = language.find(where, function, options, link.scratch)
    link.send(Targets(targets, [] if function else language.passed_over(where, targets)))


def find_parts(link: Link, where: str, parts: Sequence[str], options: Options) -> None:
    """Job: for each of the modules of a package, in order, the targets that it stands for."""
    link.phase(Phase.LOADING)
    language = language_of(where)
    for part in parts:
        try:
            targets = language.find(part, None, options, link.scratch)
        except NoFunctions as error:
            link.send(Targets([], error.skipped))
        except ZeroinError as error:
            link.send(Targets([], [Skipped.because(part, error)]))
        else:
            link.send(Targets(targets, language.passed_over(part, targets)))


def describe(link: Link, target: Target, options: Options) -> None:
    """Job: say what would be tested."""
    _load(link, target, options)


def follow(link: Link, target: Target, options: Options, values: str) -> None:
    """Job: run the target once and say what takes the same path."""
    subject = _load(link, target, options)
    words = subject.words_of(values)
    Tasks(subject, options, target).begin(link, Phase.FINISHING)
    execution = subject.execute(words)
    link.phase(Phase.THINKING)
    path = subject.along(words, execution)
    link.send(Followed(subject.signature, subject.sites, path, execution.outcome))


def _load(link: Link, target: Target, options: Options) -> Subject:
    link.phase(Phase.LOADING)
    subject = LANGUAGES[target.language].load(target, options, link.scratch)
    link.phase(Phase.COMPILING)
    assume(subject, options, target.function)
    link.send(Loaded(subject.signature, subject.sites))
    return subject


def cover(link: Link, target: Target, options: Options) -> None:
    """Job: load one target, then carry out the tasks of :class:`Tasks`."""
    tasks = Tasks(_load(link, target, options), options, target)
    link.serve(tasks.works(), tasks.prepare)


class Tasks:
    """The tasks on one target, each in a process where the subject has been loaded and has not run."""

    def __init__(self, subject: Subject, options: Options, target: Target) -> None:
        self.subject, self.options, self.target = subject, options, target
        self.goals = goals_of(subject.sites, options)
        self.branches = [goal for goal in self.goals if not goal.is_fault]
        self.faults = [goal for goal in self.goals if goal.is_fault]
        subject.wanted = path_of(subject.sites, options)
        check_path(subject.wanted, subject.sites, subject.graph)
        self.signature = subject.signature

    def works(self) -> dict[str, Work]:
        """The tasks by name, each with what it may say."""
        works = {name: Work(getattr(self, name), kinds) for name, kinds in OF_TASKS.items()}
        works["search"] = replace(works["search"], aide=aide_of(self.subject, self.options), answers=ANSWERS)
        return works

    def prepare(self, task: str) -> None:
        """Load what a task needs, and later ones like it."""
        if task == "replay":
            self.subject.prepare_replay()

    def search(self, link: Link, resume: Resume) -> None:
        """Find inputs, told as they are found; go on where a process that died had come to."""
        self.begin(link, Phase.SEARCHING)
        gc.set_threshold(RARELY)
        subject, options = self.subject, self.options
        domain = domain_of(self.signature, subject.constants)
        domain = hurried(domain, subject.constants) if resume.deaths else domain
        search = Search(
            subject, self.goals, narrowed(domain, subject.constants) if resume.narrow else domain, options.budget,
            options.seed + 1_000_003 * resume.lives, options.minimizer, options.distance,
            lambda run: link.send(Found(run, search.evaluations, search.seconds)),
            link.memory, list(resume.runs), (resume.evaluations, resume.seconds), link.wait_for_kernels, resume.seeds,
        )  # fmt: skip
        search.priorities = priorities_of(subject.sites, options.prefer, options.defer, subject.priorities)
        search.doubts = resume.doubts
        search.deaths, search.wary, search.queries = resume.deaths, resume.wary, options.queries
        for outcome, proof in resume.proofs:
            search.prove(outcome, proof)
        assert link.aide is not None
        prover = RemoteProver(link.aide)
        search.prover, search.begin_to_read = prover.ask, prover.begin
        if resume.doubts:
            with search.ledger.compiling():
                subject.prepare_replay()
        subject.avoid([run.words for run in resume.lethal])
        subject.grows = True
        try:
            reason = self._searched(search, link, resume)
        except Outgrown as more:
            target = self.target
            link.send(Grown(more.rooms, target.guess, target.refuted, more.words, search.evaluations, search.seconds))
            return
        refuted = self.target.refuted.union(bits_of(search.refuted))
        if search.refuted and subject.further_guess and search.ledger.seconds_left > 0:
            rooms, guess = self.target.rooms, subject.further_guess
            link.send(Grown(rooms, guess, refuted, (), search.evaluations, search.seconds))
            return
        doubted = {outcome: why for outcome in bits_of(search.missing) if (why := subject.why_open(outcome))}
        why = "no guessed type comes here; --types says others"
        doubted |= dict.fromkeys(refuted - set(bits_of(search.covered)), why)
        spent = search.seconds
        if search.proofs:  # that is no search
            search.ask(Finish(search.ledger.seconds_left))
        link.send(Searched(reason, search.evaluations, spent, search.reached, doubted))
        self._tell_behaviour(link, [said for remark in search.remarks if (said := remark())])

    def _searched(self, search: Search, link: Link, resume: Resume) -> Stopped:
        """Begin with what is known, and search; why it is over."""
        for run in resume.lethal:
            search.offer_lethal(run)
        for words in resume.known:
            link.memory[WORDS : WORDS + len(words)] = words
            search.offer(words)
        if self.subject.assumed is not None and self.subject.assumed.start:
            search.offer(self.subject.assumed.start)
        if not self.branches:
            show_one(search)
        reason = generate(search, schedule_of(self.options))
        for words in [run.words for run in search.runs if run.returned][-MOST_WITH_OTHER_LENGTHS:]:
            for other in self.subject.other_lengths(words) if search.ledger.seconds_left > 0 else ():
                link.memory[WORDS : WORDS + len(other)] = other
                search.offer(other)
        return reason

    def trace(self, link: Link, words: Words, seconds: float) -> None:
        """What a run takes, in so many seconds, that ends its process or lasts longer."""
        self.begin(link, Phase.FINISHING)
        link.send(Traced(words, *self.subject.covers_in_child(words, seconds)))

    def choose(self, link: Link, runs: list[Run], lethal: frozenset[Words], seconds: float, doubts: bool) -> None:
        """The runs to keep, after so many seconds of making them simpler. What is lethal, or slow, is not run again; if
        there are ``doubts``, what returns is confirmed."""
        self.begin(link, Phase.THINKING)
        again = self._confirmed(partial(self._again, link, lethal), doubts)
        simpler = limited(again, RUNS_TO_SIMPLIFY, seconds)
        wanted = frozenset(branch.outcome for branch in self.branches)
        defined = [run for run in runs if run.outcome is not Termination.UNDEFINED]
        chosen = [defined[n] for n in reduce(defined, wanted)] if self.branches else one_of(defined)
        if self.options.simplify:
            simple = simplify(self.signature, chosen, wanted, simpler)
            chosen = [simple[n] for n in reduce(simple, wanted)] if wanted and simple != chosen else simple
        abnormal = abnormal_runs(self.signature, runs, lethal, again, simpler)
        # Of what only such runs take nothing must be lost.
        needed = [run for run in chosen if not run.returned and not any(run.covered <= a.covered for a in abnormal)]
        returned = [run for run in chosen if run.returned]
        shown = {run.words for run in (*needed, *returned)}
        returned += self._exercised(returned, again)
        faulty = self._faulty(runs, lethal, again, simpler)
        link.send(Chosen([*returned, *needed, *(run for run in abnormal if run.words not in shown)], faulty))
        self._tell_behaviour(link)

    def strengthen(self, link: Link, asked: Strengthen) -> None:
        """Find inputs that notice mutants."""
        from .mutant_task import strengthen_suite

        link.phase(Phase.COMPILING)
        self.subject.prepare_replay()
        self.begin(link, Phase.THINKING)
        wanted = frozenset(branch.outcome for branch in self.branches)
        again = self._confirmed(partial(self._again, link, asked.lethal), asked.doubts)
        lacking = partial(self._exercised, again=again)
        strengthen_suite(link, self.subject, self.options, wanted, again, asked, lacking)

    def _faulty(self, runs: list[Run], lethal: frozenset[Words], again: Again, simpler: Again) -> dict[int, Run]:
        """For each fault that was found the simplest run that has it, which returns if one does."""
        found = dict[int, Run]()
        for outcome in (fault.outcome for fault in self.faults):
            having = [run for run in runs if outcome in run.covered]
            run = min(having, key=lambda run: not run.returned, default=None)
            if run is None:
                continue
            if run.words not in lethal:
                has_it = partial(_has, outcome, run.returned)
                run = simplify_one(self.signature, again(run.words), simpler, has_it) if self.options.simplify else run
            found[outcome] = run
        return found

    def explain(self, link: Link, faulty: dict[int, Words]) -> None:
        """How the operations with these faults come to them."""
        self.begin(link, Phase.FINISHING)
        for outcome, words in faulty.items():
            run = self._run(link, words)
            text = self.subject.circumstances(outcome >> 1) if outcome in run.covered else ""
            link.send(Explained(outcome, run, text))

    def _confirmed(self, again: Again, doubts: bool) -> Again:
        """The same, which also looks whether the plain function agrees, if there are doubts."""
        if not doubts:
            return again
        self.subject.prepare_replay()

        def run(words: Words) -> Run:
            found = again(words)
            return self.subject.confirmed(found) if found.returned else found

        return run

    def _exercised(self, chosen: list[Run], again: Again) -> list[Run]:
        """Runs that do what no chosen one does, a method without a branch, say."""
        further = []
        for candidates in self.signature.unused([run.words for run in chosen]):
            for run in map(again, candidates):
                if run.returned and self.signature.results(self.subject.observe(run.words)):
                    further.append(run)
                    break
        return further

    def replay(self, link: Link, several: list[Words]) -> None:
        """What the plain function does with these words, and whether the instrumented one does the same."""
        self.begin(link, Phase.FINISHING)
        self.subject.beat = link.beat  # several runs of one input that takes its time are no silence
        for words in several:
            run = self._run(link, words)
            if run.outcome is Termination.UNDEFINED:
                link.send(Replayed(run, self.subject.observe(words), same=True))
                continue
            replay = self.subject.replay(words)
            hangs = replay.outcome is Termination.HUNG
            if run.outcome is Termination.HUNG and not hangs and self.subject.patience is not None:
                run = self.subject.run(words, self.options.fuel)
            if run.outcome is Termination.HUNG and not hangs and self.subject.has_waited:  # the clock was too early
                run = replace(run, outcome=replay.outcome)
                link.send(Replayed(run, replay, same=True))
            elif run.outcome is Termination.HUNG:  # it takes long to see that once
                link.send(Replayed(run, replay, hangs))
            else:
                link.send(Replayed(run, replay, self.subject.same(self.subject.observe(words), replay)))
        self._tell_behaviour(link, shown=True)

    def begin(self, link: Link, phase: Phase) -> None:
        """Prepare this process for runs."""
        seccomp.no_more_processes()
        limit_memory(2 * self.options.memory + (1 << 30))  # well above what the subject may allocate by itself
        link.memory[ARITY] = self.signature.arity
        self.subject.guard(link.memory[PATIENCE] / 1000)
        link.phase(phase)

    def _tell_behaviour(self, link: Link, remarks: Sequence[str] = (), shown: bool = False) -> None:
        told = [*self.subject.ignored, *self.subject.remarks(), *remarks]
        link.send(Behaved(self.subject.stateful, told, self.subject.engine, shown))

    def _run(self, link: Link, words: Words) -> Run:
        link.memory[WORDS : WORDS + len(words)] = words
        link.beat()
        return self.subject.run(words)

    def _again(self, link: Link, lethal: frozenset[Words], words: Words) -> Run:
        """One run, unless it is known to end its process: then one that is of no use."""
        if words in lethal:
            return Run(words, Termination.KILLED, frozenset())
        link.phase(Phase.FINISHING)
        run = self._run(link, words)
        link.phase(Phase.THINKING)
        return run


def _has(outcome: int, returns: bool, run: Run) -> bool:
    return outcome in run.covered and (run.returned or not returns)
