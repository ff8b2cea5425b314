"""The parent process: resolve the targets of a request, and cover one target or several in parallel workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from ..config import Options, SandboxOptions
from ..errors import MissingSymbol, NoFunctions, TargetError, WorkerDied, ZeroinError
from ..generate.schedule import schedule_named
from ..languages.registry import LANGUAGES
from ..limits import LONGEST_SILENCE
from ..subject.base import Target
from ..subject.language import Language, Skipped
from ..subject.source_folder import sources_of
from ..suite.suite import Suite
from .cover_target import JOBS, CoverTarget
from .findings import cause_of, not_loaded
from .locations import Location, parse_target
from .messages import Followed, Loaded, Targets
from .progress import Watcher
from .worker import LONGEST_THOUGHT, Died, Worker

Answer = TypeVar("Answer")


def targets_of(text: str | Location, options: Options, worker: Worker,
               of_file: Callable[[Path], Options] | None = None) -> Targets:  # fmt: skip
    """Resolve one command line argument to targets.

    Args:
        text: a target in the notation of :func:`.parse_target`, or the result of that function.
        options: the options for all files.
        worker: the worker in which modules are imported and files compiled. Its time limits are set.
        of_file: returns the options for a file or module, in place of ``options``. None: ``options`` are for all.

    Returns:
        The targets, at least one, and the functions or files skipped. A named function of C need not exist; that is an
        error when the target is loaded.

    Raises:
        NoFunctions: there is no function that can be tested.
        TargetError, CompileError, MissingDependency, WorkerDied: see :mod:`zeroin.errors`.
    """
    location = parse_target(text) if isinstance(text, str) else text
    where, function = location
    if location.is_folder:
        return _of_folder(Path(where), options, worker, of_file or (lambda file: options))
    options = of_file(Path(where)) if of_file else options
    named = location.language.named(where, function, options)
    _be_patient(worker, location.language, options)
    if named is not None:
        return Targets(named)
    found = _ask(worker, Targets, where, "find", where, function, options)
    return _of_package(where, found, options, worker) if found.parts else found


def _of_folder(folder: Path, options: Options, worker: Worker, of_file: Callable[[Path], Options]) -> Targets:
    """Return the targets of all source files below a folder; skip files that fail to compile or import.

    Raises:
        TargetError: no file has a target.
    """
    suffixes = frozenset[str]().union(*(language.suffixes for language in LANGUAGES.values()))
    out = options.found.parent if options.found else None
    files, skipped = sources_of(folder, suffixes, options.exclude, out)
    targets = list[Target]()
    for file in files:
        try:
            found = targets_of(str(file), of_file(file), worker)
        except NoFunctions as error:
            skipped += error.skipped
        except ZeroinError as error:
            one = Skipped.because(str(file), error)
            skipped.append(Skipped(one.text, one.why.removeprefix(f"{file.resolve()}: ")))
        else:
            targets += found.targets
            skipped += found.skipped
    if not targets:
        what = "no file with a function that can be tested" if files else "no C, C++, LLVM IR or Python files"
        there = "; ".join(f"{one.text}: {one.why}" for one in skipped[:3])
        raise TargetError(f"{folder}: has {what}" + f"; skipped: {there}" * bool(there))
    return Targets(targets, skipped)


def _of_package(where: str, found: Targets, options: Options, worker: Worker) -> Targets:
    """Return the targets of a package's modules; skip modules that fail to import, even if the import ends the process.

    Raises:
        TargetError: no module has a target.
    """
    targets, skipped, parts = list[Target](), list(found.skipped), list(found.parts)
    while parts:
        for message in worker.run(f"{JOBS}:find_parts", where, parts, options):
            if isinstance(message, Died) and parts:
                skipped.append(Skipped.because(parts[0], not_loaded(parts[0], message)))
            if isinstance(message, Targets):
                targets += message.targets
                skipped += message.skipped
            if isinstance(message, Died | Targets):
                parts = parts[1:]
    if not targets:
        there = "".join(f"; {one.text}: {one.why}" for one in skipped[:1])
        raise TargetError(f"{where}: none of its modules defines a function that can be tested{there}")
    return Targets(targets, skipped)


def show(target: Target | str, options: Options | None = None, worker: Worker | None = None) -> Loaded:
    """Return the signature and sites of one target without a search. The arguments are those of :func:`cover`.

    In Python, the module is imported, and calls of the function may try guessed types.

    Raises:
        ZeroinError: the target can not be tested; the message says why.
    """
    options = options or Options()
    if worker is None:
        with Worker() as own:
            return show(target, options, own)
    target = _one_target(target, options, worker)
    _be_patient(worker, LANGUAGES[target.language], options)
    return _ask(worker, Loaded, target.text, "describe", target, options)


def follow(target: Target, values: str, options: Options, worker: Worker) -> Followed:
    """Run a target once; return its signature, its sites, the path condition of the run, and how the run ended.

    Args:
        target: the function to run.
        values: the arguments in the notation of :meth:`zeroin.subject.subject.Subject.words_of`.
        options: the options of the request.
        worker: the worker to use.

    Raises:
        ZeroinError: the values do not fit the parameters, or the target can not be tested or executed symbolically; the
            message says why.
    """
    _be_patient(worker, LANGUAGES[target.language], options)
    return _ask(worker, Followed, target.text, "follow", target, options, values)


def _be_patient(worker: Worker, language: Language, options: SandboxOptions) -> None:
    """Set the worker's time limits for loading and for silence to the defaults of a language."""
    worker.patience, worker.longest_thought = LONGEST_SILENCE, LONGEST_THOUGHT
    worker.longest_load = LONGEST_THOUGHT if language.compiles else options.load_timeout


def _one_target(target: Target | str, options: Options, worker: Worker) -> Target:
    """Return the only target that a text names.

    Raises:
        TargetError: the text names several targets.
        ZeroinError: see :func:`targets_of`.
    """
    if isinstance(target, Target):
        return target
    named = targets_of(target, options, worker).targets
    if len(named) > 1:
        raise TargetError(f"{target}: has {len(named)} functions; name one of them, such as {named[0].text}")
    return named[0]


def _ask(worker: Worker, kind: type[Answer], what: str, job: str, *arguments: object) -> Answer:
    """Run a short job and return its last message of the expected type.

    Args:
        worker: the worker.
        kind: the type of the answer.
        what: the target's text, for error messages.
        job: the name of a job in :mod:`zeroin.worker.job`.
        arguments: the job's arguments.

    Raises:
        WorkerDied: the process died, or ended without an answer.
        ZeroinError: the job raised it.
    """
    answer: Answer | None = None
    loaded = False
    for message in worker.run(f"{JOBS}:{job}", *arguments):
        loaded = loaded or isinstance(message, Loaded)
        if isinstance(message, Died) and loaded:
            raise WorkerDied(f"{what}: the run does not return" if message.silent else
                             f"{what}: the run ends its process ({cause_of(message)})")  # fmt: skip
        if isinstance(message, Died):
            raise not_loaded(what, message)
        if isinstance(message, kind):
            answer = message
    if answer is None:
        raise WorkerDied(f"{what}: the worker process ended without an answer")
    return answer


def cover(target: Target | str, options: Options | None = None, worker: Worker | None = None,
          watch: Watcher | None = None, stop: Callable[[], bool] = lambda: False) -> Suite:  # fmt: skip
    """Find inputs for the branches of one target.

    After Ctrl-C, or once ``stop`` returns True, the suite has the results so far.

    Args:
        target: the target, or its text on the command line (``orbit.py:solve_kepler``).
        options: see :class:`zeroin.config.Options`; None: the defaults.
        worker: the worker to use; if None, a worker is started, and ended at the end.
        watch: called with the live state and the event: ``loaded``, ``found`` or ``tick``; None if nobody watches.
        stop: polled regularly; True ends the search early.

    Raises:
        ZeroinError: the target can not be tested, or ``stop`` returned True before the search began; the message says
            why.
        KeyboardInterrupt: Ctrl-C was pressed before the search began.
    """
    options = options or Options()
    schedule_named(options.engine)  # an invalid engine is reported before anything is started
    if worker is None:
        with Worker() as own:
            return cover(target, options, own, watch, stop)
    return _covered(_one_target(target, options, worker), options, worker, watch, stop)


def _covered(target: Target, options: Options, worker: Worker, watch: Watcher | None,
             stop: Callable[[], bool]) -> Suite:  # fmt: skip
    """Cover a target; add source files of its folder that define missing symbols, if ``options.link`` allows that.

    The suite's options and target are then those with the added files, and a note names the files.

    Raises:
        MissingSymbol: a symbol is defined in no such file, or files may not be added.
        ZeroinError: see :func:`cover`.
    """
    language, added = LANGUAGES[target.language], list[str]()
    _be_patient(worker, language, options)
    while True:
        try:
            suite = CoverTarget(target, options, worker, watch, stop).run()
        except MissingSymbol as error:
            others = (*options.others, Path(error.file))
            if not (options.link and error.file) or len(set(others)) < len(others):
                raise
            added.append(error.file)
            options = replace(options, others=others)
            target = language.with_options(target, options)
        else:
            note = [f"linked with {', '.join(added)}, which defines functions that it calls"] * bool(added)
            return replace(suite, notes=[*suite.notes, *note])


class _Abandoned(Exception):
    """Raised in threads of :func:`cover_all` when the caller no longer reads the results."""


def cover_all(targets: Sequence[Target], options: Options, watch: Watcher | None = None,
              stop: Callable[[], bool] = lambda: False, worker: Worker | None = None,
              of: Mapping[Target, Options] | None = None) -> Iterator[Suite | tuple[Target, ZeroinError]]:  # fmt: skip
    """Cover several targets in parallel, ``options.jobs`` at a time; yield the results in order.

    If the caller stops reading the results, the running searches are abandoned.

    Args:
        targets: the targets.
        options: the options for all targets.
        watch: see :func:`cover`. With several jobs, several threads call it at the same time.
        stop: polled regularly; once it returns True, running searches end early and no further ones start. With several
            jobs, several threads call it.
        worker: a worker to use first, which is not ended; further workers are started as needed, and ended at the end.
        of: options of single targets, in place of ``options``.

    Yields:
        The suite of each target, or the target and its error. Targets that were not started are left out.
    """
    idle: SimpleQueue[Worker] = SimpleQueue()
    abandoned = Event()

    def asked() -> bool:
        if abandoned.is_set():
            raise _Abandoned
        return stop()

    def one(target: Target) -> Suite | tuple[Target, ZeroinError] | None:
        own = idle.get()
        try:
            if target is not targets[0] and asked():
                return None
            return _covered(target, (of or {}).get(target, options), own, watch, asked)
        except ZeroinError as error:
            return target, error
        finally:
            idle.put(own)

    count = max(1, min(options.jobs, len(targets)))
    with ExitStack() as owned:
        for _ in range(count):
            idle.put(worker or owned.enter_context(Worker()))
            worker = None
        if count == 1:
            yield from filter(None, map(one, targets))
            return
        with ThreadPoolExecutor(count) as pool:
            try:
                yield from filter(None, pool.map(one, targets))
            finally:
                abandoned.set()
