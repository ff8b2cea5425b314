"""Jobs and tasks that run in worker processes: load the subject, search, choose and simplify inputs, replay them.

The *subject* is the function under test, loaded and ready to run. The *plain* function has no probes; the
*instrumented* one has. A *kernel* is a Python function compiled to machine code (:mod:`zeroin.native.kernel`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..cache import FOR_ALL, FOR_SEARCHES, lacks_kernels, note_kernels
from ..config import Options
from ..errors import NoFunctions, ZeroinError
from ..explore.guidance import priorities_of
from ..generate.domain import domain_of, hurried, narrowed, ordinary
from ..generate.proof_requests import Finish
from ..generate.resume import Resume
from ..generate.schedule import USUAL_FAULTS, generate, schedule_of
from ..generate.search import Search, SearchServices, SearchSettings, bits_of
from ..generate.stopped import Stopped
from ..generate.trace import Trace
from ..languages.registry import LANGUAGES, language_of
from ..limits import limit_memory
from ..minimize import warm_up, warm_up_combinations, warm_up_minimizer, warm_up_named
from ..named import name_and_parameters
from ..native.cells import ARITY, PATIENCE, WORDS, Phase
from ..objective.base import own_objective
from ..objective.branch import BranchObjective
from ..objective.coverage import CoverageObjective
from ..sandbox import seccomp
from ..subject.base import Run, Target, Termination, Words
from ..subject.goals import check_path, goals_of, path_of
from ..subject.growth import Outgrown
from ..subject.language import Skipped
from ..subject.search_problem import Tracer
from ..subject.subject import Subject
from ..suite.plausible import is_moderate, is_ordinary
from ..suite.reduce import reduce
from ..suite.simplify import Again, Limited, simplify, simplify_one
from .abnormal_runs import abnormal_runs
from .messages import (
    OF_TASKS,
    Behaved,
    Chosen,
    Events,
    Explained,
    Followed,
    Found,
    Grown,
    Loaded,
    Replayed,
    Sampled,
    Searched,
    Strengthen,
    Targets,
    Traced,
)
from .precondition_check import set_preconditions
from .prover_process import ANSWERS, RemoteProver, aide_of
from .task_supervisor import Work
from .without_branches import one_of, show_one

if TYPE_CHECKING:
    from .base_process import Link

MOST_WITH_OTHER_LENGTHS = 50  # runs repeated with arrays of other lengths
RUNS_TO_SIMPLIFY = 20_000  # runs that simplification may make for one target
_LESS_TO_SIMPLIFY = 5  # a run that simplification makes has this much less fuel
_OF_TIME_TO_POLISH = 0.5  # share of the time for simplification after which plausible values stay as they are
_PATIENCE = 64  # slices in vain after which a search for faults ends
RARELY = 50_000  # new objects between garbage collections: symbolic execution keeps many terms, which form no cycles


def prepare() -> None:
    """Load the code that every job needs, and compile native code that is not on disk. Called in the base process."""
    Tracer(0, 0)
    CoverageObjective(0)
    BranchObjective(0)
    if not lacks_kernels(FOR_SEARCHES):
        warm_up()


def prepare_for(*arguments: object) -> None:
    """Load the modules that a job with these arguments needs. Called in the base process, before the fork.

    Other arguments than those of the jobs in this module are ignored.
    """
    match arguments:
        case (Target() as target, Options() as options, *_):
            LANGUAGES[target.language].prepare(options)
            warm_up_named(options.minimizer)
            _warm_up_solver(options.engine)
        case (str() as where, _, Options() as options):  # the arguments of find()
            language_of(where).prepare(options)


def _warm_up_solver(engine: str) -> None:
    """Compile the code of the solver that ``explore(solver=...)`` names: a job can not write the cache.

    An engine with wrong parameters is ignored here; the job reports it.
    """
    with suppress(ZeroinError):
        name, given = name_and_parameters(engine)
        if name == "explore" and "solver" in given:
            from ..solvers.chain import solver_named

            solver_named(given["solver"])


def prepare_more(*arguments: object) -> None:
    """Load modules that few such jobs need. Called in the base process, while a job runs."""
    if arguments and isinstance(arguments[0], Target):
        LANGUAGES[arguments[0].language].prepare_more()


def compile_kernels(note_minimizer: Callable[[], object], note_searches: Callable[[], object]) -> None:
    """Compile all kernels: first the minimizer, then those of most searches, then those of :func:`compile_more`.

    Args:
        note_minimizer: called when the minimizer, which takes longest, is compiled.
        note_searches: called when the kernels of most searches are compiled.
    """
    warm_up_combinations()
    warm_up_minimizer()
    note_minimizer()
    warm_up()
    note_kernels(FOR_SEARCHES)
    note_searches()
    compile_more()


def compile_more() -> None:
    """Compile kernels that few searches need: for strings and for proofs."""
    from ..solvers.intervals import Intervals

    warm_up(strings=True)
    Intervals().ready()
    note_kernels(FOR_ALL)


def find(link: Link, where: str, function: str | None, options: Options) -> None:
    """Job: send the targets of a file or module, or of one function in it. For a package, send its modules instead.

    Args:
        link: the channel to the parent, which gets one :class:`.Targets`.
        where: a file or a module.
        function: the name of one function; None or empty: all functions that can be tested.
        options: the options of the target.

    Raises:
        ZeroinError: see :meth:`zeroin.subject.language.Language.find`.
    """
    link.phase(Phase.LOADING)
    language = language_of(where)
    parts, skipped = ([], []) if function else language.parts(where, options, link.scratch)
    if parts:
        return link.send(Targets([], skipped, parts))
    targets = language.find(where, function, options, link.scratch)
    link.send(Targets(targets, [] if function else language.skipped_functions(where, targets)))


def find_parts(link: Link, where: str, parts: Sequence[str], options: Options) -> None:
    """Job: send the targets of each of a package's modules, one message per module, in order.

    A module that can not be imported, or has no targets, is sent as skipped.
    """
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
            link.send(Targets(targets, language.skipped_functions(part, targets)))


def describe(link: Link, target: Target, options: Options) -> None:
    """Job: load the target, and send its signature and sites."""
    _load(link, target, options)


def follow(link: Link, target: Target, options: Options, values: str) -> None:
    """Job: load the target and run it once on ``values``; send the path condition of the run.

    Raises:
        OptionError: the values do not fit the parameters.
        Unreadable: the function can not be executed symbolically.
    """
    subject = _load(link, target, options)
    words = subject.words_of(values)
    Tasks(subject, options, target).begin(link, Phase.FINISHING)
    execution = subject.execute(words)
    link.phase(Phase.THINKING)
    path = subject.along(words, execution)
    link.send(Followed(subject.signature, subject.sites, path, execution.outcome))


def _load(link: Link, target: Target, options: Options) -> Subject:
    """Load and instrument the target, set its preconditions, and send :class:`.Loaded`.

    Raises:
        ZeroinError: the target can not be loaded, or no input satisfies the preconditions.
    """
    link.phase(Phase.LOADING)
    subject = LANGUAGES[target.language].load(target, options, link.scratch)
    link.phase(Phase.COMPILING)
    set_preconditions(subject, options, target.function)
    link.send(Loaded(subject.signature, subject.sites))
    return subject


def cover(link: Link, target: Target, options: Options) -> None:
    """Job: load one target, then carry out the tasks of :class:`Tasks`."""
    tasks = Tasks(_load(link, target, options), options, target)
    link.serve(tasks.works(), tasks.prepare)


class Tasks:
    """The tasks on one target. Each runs in a process of its own, where the subject is loaded and has not run yet.

    Args:
        subject: the loaded subject. It gets the path that the user named.
        options: the options of the request.
        target: the target that was loaded.

    Raises:
        OptionError: the options name a branch, line or path that the subject does not have.
    """

    def __init__(self, subject: Subject, options: Options, target: Target) -> None:
        self.subject, self.options, self.target = subject, options, target
        self.goals = goals_of(subject.sites, options)
        self.branches = [goal for goal in self.goals if not goal.is_fault]
        self.faults = [goal for goal in self.goals if goal.is_fault]
        subject.wanted = path_of(subject.sites, options)
        subject.aim = own_objective(options.objective, len(subject.sites)) if options.objective else None
        check_path(subject.wanted, subject.sites, subject.graph)
        self.signature = subject.signature

    def works(self) -> dict[str, Work]:
        """Return the kinds of tasks by name, each with the method that carries it out and the messages it may send."""
        works = {name: Work(getattr(self, name), kinds) for name, kinds in OF_TASKS.items()}
        works["search"] = replace(works["search"], aide=aide_of(self.subject, self.options), answers=ANSWERS)
        return works

    def prepare(self, task: str) -> None:
        """Load modules and code for a task in the job's process, so that later tasks share them."""
        if task == "replay":
            self.subject.prepare_replay()

    def search(self, link: Link, resume: Resume) -> None:
        """Task: search for inputs, and send each run worth keeping at once.

        At the end, send :class:`.Searched`; if the target has to be loaded again, send :class:`.Grown` instead.

        Args:
            link: the channel to the parent.
            resume: the state in which an earlier search process died.
        """
        self.begin(link, Phase.SEARCHING)
        gc.set_threshold(RARELY)
        subject, options = self.subject, self.options
        domain = domain_of(self.signature, subject.constants)
        domain = hurried(domain, subject.constants) if resume.deaths else domain
        assert link.aide is not None
        prover, traces = RemoteProver(link.aide), options.trace is not None or options.verbose
        trace = Trace(lambda events: link.send(Events(events)), lambda: search.seconds) if traces else None
        goals, budget = self.goals if options.find else self.branches, options.budget
        if resume.faults is not None:
            goals = [one for one in self.faults if resume.faults.ordinary or not one.site.is_silent]
            budget = resume.faults.budget
            domain = ordinary(domain) if resume.faults.ordinary else domain
        search = Search(
            subject, goals, narrowed(domain, subject.constants) if resume.narrow else domain, budget,
            options.seed + 1_000_003 * resume.lives,
            SearchSettings(
                options.minimizer, options.distance, options.queries,
                priorities_of(subject.sites, options.prefer, options.defer, subject.priorities),
            ),
            resume,
            SearchServices(
                lambda run: link.send(Found(run, search.evaluations, search.seconds)),
                link.memory, link.wait_for_kernels, prover.ask, prover.begin, trace,
            ),
        )  # fmt: skip
        if resume.doubts:
            with search.ledger.compiling():
                subject.prepare_replay()
        subject.avoid([run.words for run in resume.lethal])
        subject.grows = resume.faults is None
        try:
            reason = self._searched(search, link, resume)
        except Outgrown as more:
            target = self.target
            link.send(Grown(more.rooms, target.guess, target.refuted, more.words, search.evaluations, search.seconds))
            return
        finally:
            if trace is not None:
                trace.flush()
        refuted = self.target.refuted.union(bits_of(search.refuted))
        if search.refuted and subject.further_guess and search.ledger.seconds_left > 0 and subject.grows:
            rooms, guess = self.target.rooms, subject.further_guess
            link.send(Grown(rooms, guess, refuted, (), search.evaluations, search.seconds))
            return
        doubted = {outcome: why for outcome in bits_of(search.missing) if (why := subject.why_open(outcome))}
        why = "no value of the guessed types comes here; give other types with --types"
        doubted |= dict.fromkeys(refuted - set(bits_of(search.covered)), why)
        spent = search.seconds
        if search.proofs:  # confirming proofs does not count as search
            search.ask(Finish(search.ledger.seconds_left))
        link.send(Searched(reason, search.evaluations, spent, search.reached, doubted))
        self._tell_behaviour(link, [said for remark in search.remarks if (said := remark())])

    def _searched(self, search: Search, link: Link, resume: Resume) -> Stopped:
        """Run known inputs first, then search. Return why the search stopped."""
        for run in resume.lethal:
            search.offer_lethal(run)
        for words in resume.known:
            link.memory[WORDS : WORDS + len(words)] = words
            search.offer(words)
        if self.subject.assumed is not None and self.subject.assumed.start:
            search.offer(self.subject.assumed.start)
        if not self.branches:
            show_one(search)
        if resume.faults is not None:
            search.easily = len(search.proofs)  # those of branches do not show that the search is stuck
            return generate(search, USUAL_FAULTS, _PATIENCE)
        reason = generate(search, schedule_of(self.options))
        for words in [run.words for run in search.runs if run.returned][-MOST_WITH_OTHER_LENGTHS:]:
            for other in self.subject.other_lengths(words) if search.ledger.seconds_left > 0 else ():
                link.memory[WORDS : WORDS + len(other)] = other
                search.offer(other)
        return reason

    def trace(self, link: Link, words: Words, seconds: float) -> None:
        """Task: run a lethal input again, in a fork and for limited seconds; send the branches that it takes."""
        self.begin(link, Phase.FINISHING)
        link.send(Traced(words, *self.subject.covers_in_child(words, seconds)))

    def choose(self, link: Link, runs: list[Run], lethal: frozenset[Words], seconds: float, doubts: bool,
               beside: frozenset[Words] = frozenset()) -> None:  # fmt: skip
        """Task: choose the runs to keep, simplify them, and send :class:`Chosen`.

        Args:
            link: the channel to the parent.
            runs: all runs found.
            lethal: inputs that are not run again, as they end their process or are slow.
            seconds: the time limit for simplification.
            doubts: whether returned runs are confirmed by the plain function.
            beside: inputs that are not chosen for branches.
        """
        self.begin(link, Phase.THINKING)
        again = self._confirmed(partial(self._again, link, lethal), doubts)
        # A simple input that runs long is not wanted: one such run may take all the time.
        fuel = self.subject.patience and self.subject.patience // _LESS_TO_SIMPLIFY
        frugal = self._confirmed(partial(self._again, link, lethal, fuel=fuel), doubts)
        simpler = Limited(frugal, RUNS_TO_SIMPLIFY, seconds)
        finish = Limited(frugal, RUNS_TO_SIMPLIFY, _OF_TIME_TO_POLISH * seconds)
        wanted = frozenset(branch.outcome for branch in self.branches)
        defined = [run for run in runs if run.outcome is not Termination.UNDEFINED and run.words not in beside]
        chosen = [defined[n] for n in reduce(defined, wanted)] if self.branches else one_of(defined)
        if self.options.simplify:
            chosen = self._simplified(chosen, wanted, partial(simplify, again=simpler.part(2), polish=False))
        abnormal = abnormal_runs(self.signature, runs, lethal, again, simpler, finish)
        faulty = self._faulty(runs, lethal, again, simpler)
        if self.options.simplify:
            chosen = self._simplified(chosen, wanted, partial(simplify, again=finish))
        # Some branches may be taken by abnormal runs only: keep a run for each.
        needed = [run for run in chosen if not run.returned and not any(run.covered <= a.covered for a in abnormal)]
        returned = [run for run in chosen if run.returned]
        shown = {run.words for run in (*needed, *returned)}
        returned += self._exercised(returned, again)
        link.send(Chosen([*returned, *needed, *(run for run in abnormal if run.words not in shown)], faulty))
        self._tell_behaviour(link)

    def _simplified(self, chosen: list[Run], wanted: frozenset[int], simplified: Callable[..., list[Run]]) -> list[Run]:
        """Return the simplified runs, without those that are superfluous now."""
        simple = simplified(self.signature, chosen, wanted)
        return [simple[n] for n in reduce(simple, wanted)] if wanted and simple != chosen else simple

    def strengthen(self, link: Link, asked: Strengthen) -> None:
        """Task: run mutants and, if ``asked.choose``, look for inputs that kill more of them.

        Send :class:`zeroin.subject.mutants.Kills` for each such input, and :class:`.Strengthened` at the end.
        """
        from .mutant_task import strengthen_suite

        link.phase(Phase.COMPILING)
        self.subject.prepare_replay()
        self.begin(link, Phase.THINKING)
        wanted = frozenset(branch.outcome for branch in self.branches)
        again = self._confirmed(partial(self._again, link, asked.lethal), asked.doubts)
        lacking = partial(self._exercised, again=again)
        strengthen_suite(link, self.subject, self.options, wanted, again, asked, lacking)

    def _faulty(self, runs: list[Run], lethal: frozenset[Words], again: Again, simpler: Limited) -> dict[int, Run]:
        """Return, for each fault found, by branch number, a simplified run with it; a run that returns is preferred.

        A lethal run is not simplified. Nor is any, if the user does not want simplification.

        Args:
            runs: all runs found.
            lethal: inputs that must not run again.
            again: runs an input again, to get the run that is simplified.
            simpler: runs simpler inputs, until it raises :class:`zeroin.suite.simplify.NoMore`.
        """
        found = dict[int, Run]()
        for left, outcome in zip(range(len(self.faults), 0, -1), (fault.outcome for fault in self.faults), strict=True):
            having = [run for run in runs if outcome in run.covered]
            run = min(having, key=lambda run: not run.returned, default=None)
            if run is None:
                continue
            if run.words not in lethal:
                has_it = partial(_has, outcome, run.returned)
                if self.options.simplify:
                    run = simplify_one(self.signature, again(run.words), simpler.part(left), has_it)
            found[outcome] = run
        return found

    def explain(self, link: Link, faulty: dict[int, Words]) -> None:
        """Task: run inputs with faults again; send the operation and its operands for each.

        Args:
            link: the channel to the parent.
            faulty: an input for each fault, by branch number.
        """
        self.begin(link, Phase.FINISHING)
        for outcome, words in faulty.items():
            run = self._run(link, words)
            text = self.subject.circumstances(outcome >> 1) if outcome in run.covered else ""
            spoils = run.returned and self._spoils(words)
            link.send(Explained(outcome, run, text, spoils))

    def _spoils(self, words: Words) -> bool:
        """Return whether the result of a run, or what it leaves in its arguments, is spoiled by a fault.

        A NaN spoils it if no number of the input is large; an infinity if the input is ordinary.
        """
        signature = self.signature
        wrong = "nan" * is_moderate(signature, words), "inf" * is_ordinary(signature, words)
        if not any(wrong):
            return False
        replay = self.subject.observe(words)
        several = _texts([self.signature.exact_result(replay), self.signature.outputs(replay)])
        return any(text.removeprefix("-") in wrong for text in several if text)

    def _confirmed(self, again: Again, doubts: bool) -> Again:
        """Return ``again``; if there are doubts, one that marks runs as undefined unless the plain function agrees."""
        if not doubts:
            return again
        self.subject.prepare_replay()

        def run(words: Words) -> Run:
            found = again(words)
            return self.subject.confirmed(found) if found.returned else found

        return run

    def _exercised(self, chosen: list[Run], again: Again) -> list[Run]:
        """Return further runs that use parts of the subject that no chosen run uses, such as methods with no branch."""
        further = []
        for candidates in self.signature.unused([run.words for run in chosen]):
            for run in map(again, candidates):
                if run.returned and self.signature.results(self.subject.observe(run.words)):
                    further.append(run)
                    break
        return further

    def replay(self, link: Link, several: list[Words]) -> None:
        """Task: run each input on the plain function; send its behaviour, and whether the instrumented one agrees."""
        self.begin(link, Phase.FINISHING)
        self.subject.beat = link.beat  # a replay makes several runs, which may take long together
        for words in several:
            run = self._run(link, words)
            if run.outcome is Termination.UNDEFINED:
                link.send(Replayed(run, self.subject.observe(words), same=True))
                continue
            replay = self.subject.replay(words)
            hangs = replay.outcome is Termination.HUNG
            if run.outcome is Termination.HUNG and not hangs and self.subject.patience is not None:
                run = self.subject.run(words, self.options.fuel)
            if run.outcome is Termination.HUNG and not hangs and self.subject.has_waited:  # stopped too early
                run = replace(run, outcome=replay.outcome)
                link.send(Replayed(run, replay, same=True))
            elif run.outcome is Termination.HUNG:  # a hang is slow to observe: do not run it again to compare
                link.send(Replayed(run, replay, hangs))
            else:
                link.send(Replayed(run, replay, self.subject.same(self.subject.observe(words), replay)))
        self._tell_behaviour(link, shown=True)

    def sample(self, link: Link, inputs: list[Words], missed: list[int], lethal: frozenset[Words],
               seconds: float) -> None:  # fmt: skip
        """Task: run the function at further points, and send :class:`.Sampled`.

        Args:
            link: the channel to the parent.
            inputs: the inputs that the points surround.
            missed: the branches whose objectives are wanted.
            lethal: inputs that are not run.
            seconds: the time limit.
        """
        from .sampling import sample

        self.begin(link, Phase.FINISHING)
        self.subject.avoid(list(lethal))
        self.subject.beat = link.beat
        link.send(Sampled(sample(self.subject, inputs, missed, seconds, partial(self._run, link))))

    def begin(self, link: Link, phase: Phase) -> None:
        """Prepare this process for runs: forbid new processes, limit memory, handle the subject's crashes and hangs.

        The limits stay until the process ends. The parent is told the phase that begins.
        """
        seccomp.no_more_processes()
        limit_memory(2 * self.options.memory + (1 << 30))  # well above the subject's own limit
        link.memory[ARITY] = self.signature.arity
        self.subject.guard(link.memory[PATIENCE] / 1000)
        link.phase(phase)

    def _tell_behaviour(self, link: Link, remarks: Sequence[str] = (), shown: bool = False) -> None:
        """Send observations and remarks about the subject; ``shown`` if this process ran exactly the kept inputs."""
        told = [*self.subject.ignored, *self.subject.remarks(), *remarks]
        link.send(Behaved(self.subject.stateful, told, self.subject.engine, shown))

    def _run(self, link: Link, words: Words, fuel: int | None = None) -> Run:
        """Run the subject; leave the input in shared memory, where the parent finds it after a death."""
        link.memory[WORDS : WORDS + len(words)] = words
        link.beat()
        return self.subject.run(words, fuel)

    def _again(self, link: Link, lethal: frozenset[Words], words: Words, fuel: int | None = None) -> Run:
        """Run the subject again, unless the input is lethal: then return a ``KILLED`` run without branches."""
        if words in lethal:
            return Run(words, Termination.KILLED, frozenset())
        link.phase(Phase.FINISHING)
        run = self._run(link, words, fuel)
        link.phase(Phase.THINKING)
        return run


def _texts(value: object) -> Iterator[str]:
    """Yield the texts in a value in exact notation."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def _has(outcome: int, returns: bool, run: Run) -> bool:
    """Return whether a run takes a branch and, if ``returns``, also returns."""
    return outcome in run.covered and (run.returned or not returns)
