"""The main job: find inputs for every branch of a target, in a worker process that may die."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

from ..config import Options
from ..errors import TargetError, WorkerDied, ZeroinError
from ..generate.schedule import schedule_named
from ..generate.stopped import Stopped
from ..native.cells import Phase
from ..subject.base import Branch, Outcome, Replay, Run, Signature, Site, Target, Words, branches_of
from ..subject.languages import LANGUAGES, language_of
from ..suite.suite import Finding, Input, Resume, Suite
from .messages import Finished, Found, Loaded, Searched, Targets
from .sandbox import PATIENCE, Died, Sandbox

MOST_LIVES = 20
_JOBS = "zeroin.worker.job"  # not imported here: it needs much that the parent does not
Answer = TypeVar("Answer")


@dataclass
class Live:
    """What is known while a search runs, for those who watch it.

    Attributes:
        target: which one.
        branches: how many there are, or None while the subject is being compiled.
        covered: outcomes taken so far by runs that returned.
        last: seconds and branch of the last find.
    """

    target: Target
    signature: Signature | None = None
    sites: list[Site] = field(default_factory=list)
    branches: list[Branch] | None = None
    covered: set[int] = field(default_factory=set)
    evaluations: int = 0
    started: float = field(default_factory=time.perf_counter)
    searching_since: float | None = None
    last: str = ""


Watcher = Callable[[Live, str], None]


def parse_target(text: str) -> tuple[str, str | None]:
    """``file.c:function``, ``package.module:function``, or a file or module alone: where it is, and the function.

    Raises:
        TargetError: the text names no file, and no module either.
    """
    head, separator, tail = text.rpartition(":")
    where, function = (head, tail) if separator and head and "/" not in tail else (text, None)
    if function == "":
        raise TargetError(f"{text}: a function's name is missing after the colon")
    if not Path(where).exists() and function is not None and Path(text).exists():
        where, function = text, None
    if language_of(where).is_module(where):
        return where, function
    path = Path(where)
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "no such file"
        raise TargetError(f"{path}: {what}; a target is FILE.c:FUNCTION, FILE.py:FUNCTION or PACKAGE.MODULE:FUNCTION, "
                          "or a file or module alone for all its functions")  # fmt: skip
    if path.stat().st_size == 0:
        raise TargetError(f"{path}: the file is empty")
    return where, function


def targets_of(text: str, options: Options, sandbox: Sandbox) -> list[Target]:
    """The targets that one command line argument stands for.

    Raises:
        TargetError, CompileError, MissingDependency: see :mod:`zeroin.errors`.
    """
    where, function = parse_target(text)
    named = language_of(where).named(where, function, options)
    return named if named is not None else _ask(sandbox, Targets, where, "find", where, function, options).targets


def show(target: Target | str, options: Options | None = None, sandbox: Sandbox | None = None) -> Loaded:
    """Signature and sites of one target; nothing of it is run. The arguments are :func:`cover`'s.

    Raises:
        ZeroinError: the target can not be tested; the message says why.
    """
    options = options or Options()
    if sandbox is None:
        with Sandbox() as own:
            return show(target, options, own)
    target = _one_target(target, options, sandbox)
    return _ask(sandbox, Loaded, target.text, "describe", target, options)


def _one_target(target: Target | str, options: Options, sandbox: Sandbox) -> Target:
    """The target that a text names."""
    if isinstance(target, Target):
        return target
    named = targets_of(target, options, sandbox)
    if len(named) > 1:
        raise TargetError(f"{target}: has {len(named)} functions; name one of them, as {named[0].text}")
    return named[0]


def _ask(sandbox: Sandbox, kind: type[Answer], what: str, job: str, *arguments: Any) -> Answer:
    """The one answer of a short job."""
    answer: Answer | None = None
    for message in sandbox.run(f"{_JOBS}:{job}", *arguments):
        if isinstance(message, Died):
            raise WorkerDied(f"{what}: the worker process died while loading it ({_cause(message)})")
        if isinstance(message, kind):
            answer = message
    if answer is None:
        raise WorkerDied(f"{what}: the worker process ended without an answer")
    return answer


def cover(target: Target | str, options: Options | None = None, sandbox: Sandbox | None = None,
          watch: Watcher | None = None, stop: Callable[[], bool] = lambda: False) -> Suite:  # fmt: skip
    """Find inputs for the branches of one target.

    Args:
        target: what to test; or how the command line would name it (``orbit.py:solve_kepler``).
        options: see :class:`zeroin.config.Options`.
        sandbox: a worker to use; one is started (and ended) otherwise.
        watch: called with the live state and what just happened: ``loaded``, ``found``, ``tick``.
        stop: asked now and then; True ends the search early.

    Raises:
        ZeroinError: the target can not be tested; the message says why.
    """
    options = options or Options()
    schedule_named(options.engine)  # complains now
    if sandbox is None:
        with Sandbox() as own:
            return cover(target, options, own, watch, stop)
    target = _one_target(target, options, sandbox)
    sandbox.patience = LANGUAGES[target.language].patience or PATIENCE
    return _Cover(target, options, sandbox, watch, stop).run()


class _Cover:
    """The parent's side of one target: it collects what the worker sends, and starts it again when it dies."""

    def __init__(self, target: Target, options: Options, sandbox: Sandbox, watch: Watcher | None,
                 stop: Callable[[], bool]) -> None:  # fmt: skip
        self.target, self.options, self.sandbox, self.watch, self.stop = target, options, sandbox, watch, stop
        self.live = Live(target)
        self.runs: list[Run] = []
        self.kills: list[tuple[Words, Died]] = []
        self.events: list[tuple[float, int]] = []
        self.evaluations, self.seconds = 0, 0.0
        self.reason: Stopped | None = None
        self.reached: frozenset[int] = frozenset()
        self.result: Finished | None = None

    def run(self) -> Suite:
        lives, interrupted = 0, False
        while self.result is None:
            final = lives >= MOST_LIVES or interrupted or bool(self.reason)
            lethal = tuple(dict.fromkeys(words for words, _ in self.kills))
            resume = Resume(tuple(self.runs), self.evaluations, self.seconds, lives, final, lethal)
            died = self._life(resume)
            lives += 1
            if died is None:
                break
            if died == "interrupted":
                if interrupted:
                    break
                interrupted, self.reason = True, Stopped.INTERRUPTED
            elif isinstance(died, Died) and not self._survive(died, final):
                break
        return self._suite()

    def _life(self, resume: Resume) -> Died | str | None:
        """One worker process: None when it finished."""
        arguments = (self.target, self.options, resume)
        try:
            for message in self.sandbox.run(f"{_JOBS}:cover", *arguments):
                if isinstance(message, Died):
                    return message
                if message is None:
                    self._tick()
                    if not resume.final and self.stop():
                        return self._interrupt()
                else:
                    self._take(message)
        except KeyboardInterrupt:
            return self._interrupt()
        return None

    def _interrupt(self) -> str:
        self._tick()
        self.sandbox.close()
        return "interrupted"

    def _tick(self) -> None:
        if self.live.searching_since is not None and not self.reason:
            self.evaluations = max(self.evaluations, self.sandbox.evaluations)
            self.seconds = time.perf_counter() - self.live.searching_since
        self.live.evaluations = self.evaluations
        self._tell("tick")

    def _tell(self, what: str) -> None:
        if self.watch is not None:
            self.watch(self.live, what)

    def _take(self, message: object) -> None:
        live = self.live
        match message:
            case Loaded():
                live.signature, live.sites = message.signature, message.sites
                live.branches = branches_of(live.sites)
                live.searching_since = live.searching_since or time.perf_counter()
                self._tell("loaded")
            case Found():
                self.evaluations, self.seconds = message.evaluations, message.seconds
                if message.run not in self.runs:
                    self.runs.append(message.run)
                    self._note_find(message.run)
            case Searched():
                self.evaluations, self.seconds = message.evaluations, message.seconds
                self.reason, self.reached = self.reason or message.reason, message.reached
            case Finished():
                self.result = message

    def _note_find(self, run: Run) -> None:
        live = self.live
        new = [b for b in live.branches or () if b.outcome in run.covered and b.outcome not in live.covered]
        if run.returned:
            live.covered |= run.covered
        self.events.append((self.seconds, sum(b.outcome in live.covered for b in live.branches or ())))
        live.evaluations = self.evaluations
        if new and live.signature is not None:
            live.last = f"{new[-1].site.line}: {new[-1].site.condition} {new[-1].label}"
        self._tell("found")

    def _survive(self, died: Died, final: bool) -> bool:
        """Note what a dead process was doing; whether it is worth starting another one."""
        if died.phase == Phase.LOADING:
            raise WorkerDied(f"{self.target.text}: the worker process died while loading it ({_cause(died)})")
        self.evaluations = max(self.evaluations, self.sandbox.evaluations)
        if died.phase == Phase.THINKING:  # that was not the subject
            return not final
        self.kills.append((died.words, died))
        if died.phase == Phase.FINISHING:
            self.runs = [run for run in self.runs if run.words != died.words]
        return not (final and len(self.kills) > 2 * MOST_LIVES)

    def _suite(self) -> Suite:
        live = self.live
        if live.signature is None:
            if self.reason is Stopped.INTERRUPTED:
                raise ZeroinError(f"{self.target.text}: interrupted before the search began")
            raise WorkerDied(f"{self.target.text}: the worker process ended without an answer")
        result = self.result or Finished(self._unconfirmed(), [], False, [], "native")
        inputs = [Input(run.words, run.covered, replay) for run, replay in result.kept]
        findings = _findings(inputs)
        for words, died in dict(self.kills).items():
            outcome = Outcome.HUNG if died.silent else Outcome.KILLED
            message = "did not return, and had to be killed" if died.silent else f"{outcome.message} ({_cause(died)})"
            number = next((n for n, kept in enumerate(inputs) if kept.words == words), None)
            findings.append(Finding(outcome.finding, words, message, number))
        notes = list(result.remarks)
        notes += [f"{live.signature.show(words)} was dropped: the plain function and the instrumented one differ"
                 for words in result.disagreements]  # fmt: skip
        if self.result is None:
            notes.append("the inputs could not be replayed: the worker process was ended first")
        return Suite(
            self.target, live.signature, live.sites, live.branches or [], inputs, findings, self.options.seed,
            self.evaluations, self.seconds, self.reason or Stopped.INTERRUPTED, len(result.disagreements), notes,
            result.stateful,
            self.reached or frozenset(o >> 1 for run in self.runs for o in run.covered), self.events,
            time.perf_counter() - live.started, result.engine, str(schedule_named(self.options.engine)),
        )  # fmt: skip

    def _unconfirmed(self) -> list[tuple[Run, Replay]]:
        signature = self.live.signature
        assert signature is not None
        return [(run, signature.unconfirmed(run.words, run.outcome)) for run in self.runs]


def _findings(inputs: Sequence[Input]) -> list[Finding]:
    """One finding for each abnormal run that is unlike the others: by how it ended and the last decision it took."""
    found: dict[tuple[Outcome, str, frozenset[int]], Finding] = {}
    for number, kept in enumerate(inputs):
        if kept.outcome not in (Outcome.RETURNED, Outcome.KILLED):
            message = kept.replay.ending
            key = (kept.outcome, message, kept.covered)
            found.setdefault(key, Finding(kept.outcome.finding, kept.words, message, number))
    return list(found.values())


def _cause(died: Died) -> str:
    import signal

    if died.signal:
        try:
            return signal.Signals(died.signal).name
        except ValueError:  # a real-time signal has no name
            return f"signal {died.signal}"
    return f"exit status {died.status}"


class _Abandoned(Exception):
    """Nobody waits for the result any more."""


def cover_all(targets: Sequence[Target], options: Options, watch: Watcher | None = None,
              stop: Callable[[], bool] = lambda: False,
              sandbox: Sandbox | None = None) -> Iterator[Suite | tuple[Target, ZeroinError]]:  # fmt: skip
    """Cover the targets, ``options.jobs`` at a time, in as many sandboxes, of which ``sandbox`` is one; yields a suite,
    or the error, for each in order. Once ``stop`` says so, what has been begun ends early, and no more is."""
    idle: SimpleQueue[Sandbox] = SimpleQueue()
    abandoned = Event()

    def asked() -> bool:
        if abandoned.is_set():
            raise _Abandoned
        return stop()

    def one(target: Target) -> Suite | tuple[Target, ZeroinError] | None:
        own = idle.get()
        try:
            return None if target is not targets[0] and asked() else cover(target, options, own, watch, asked)
        except ZeroinError as error:
            return target, error
        finally:
            idle.put(own)

    count = max(1, min(options.jobs, len(targets)))
    with ExitStack() as owned:
        for _ in range(count):
            idle.put(sandbox or owned.enter_context(Sandbox()))
            sandbox = None
        if count == 1:
            yield from filter(None, map(one, targets))
            return
        with ThreadPoolExecutor(count) as pool:
            try:
                yield from filter(None, pool.map(one, targets))
            finally:
                abandoned.set()
