"""What a request stands for, and the work on it: one target, or several, in as many sandboxes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any, TypeVar

from ..config import Options
from ..errors import TargetError, WorkerDied, ZeroinError
from ..generate.schedule import schedule_named
from ..subject.base import Target
from ..subject.language import Language, Skipped
from ..subject.languages import LANGUAGES, language_of
from ..suite.suite import Suite
from .covering import JOBS, Covering
from .findings import cause_of, not_loaded
from .live import Watcher
from .messages import Followed, Loaded, Targets
from .sandbox import LONGEST_THOUGHT, PATIENCE, Died, Sandbox

Answer = TypeVar("Answer")
_COLON = re.compile(r"(?<!:):(?!:[^:])")  # one that is not half of a ::


def parse_target(text: str) -> tuple[str, str | None]:
    """``file.c:function``, ``package.module:function``, or a file or module alone: where it is, and the function, whose
    name may have ``::`` in it.

    Raises:
        TargetError: the text names no file, and no module either.
    """
    parts = [(text[: colon.start()], text[colon.end() :]) for colon in _COLON.finditer(text) if colon.start()]
    files = [part for part in parts if Path(part[0]).is_file()]
    others = [part for part in parts if "/" not in part[1]]
    where, function = files[0] if files else others[-1] if others else (text, None)
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


def targets_of(text: str, options: Options, sandbox: Sandbox) -> Targets:
    """The targets that one command line argument stands for, and what it skips.

    Raises:
        TargetError, CompileError, MissingDependency: see :mod:`zeroin.errors`.
    """
    where, function = parse_target(text)
    language = language_of(where)
    named = language.named(where, function, options)
    _be_patient(sandbox, language)
    if named is not None:
        return Targets(named)
    found = _ask(sandbox, Targets, where, "find", where, function, options)
    return _of_package(where, found, options, sandbox) if found.parts else found


def _of_package(where: str, found: Targets, options: Options, sandbox: Sandbox) -> Targets:
    """The targets of a package's modules; one that can not be imported is skipped, whatever it does to its process.

    Raises:
        TargetError: there is none.
    """
    targets, skipped, parts = list[Target](), list(found.skipped), list(found.parts)
    while parts:
        for message in sandbox.run(f"{JOBS}:find_parts", where, parts, options):
            if isinstance(message, Died) and parts:
                skipped.append(Skipped.because(parts[0], not_loaded(parts[0], message)))
            if isinstance(message, Targets):
                targets += message.targets
                skipped += message.skipped
            if isinstance(message, Died | Targets):
                parts = parts[1:]
    if not targets:
        there = "".join(f"; {one.text}: {one.why}" for one in skipped[:1])
        raise TargetError(f"{where}: no module of it defines a function that can be tested{there}")
    return Targets(targets, skipped)


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
    _be_patient(sandbox, LANGUAGES[target.language])
    return _ask(sandbox, Loaded, target.text, "describe", target, options)


def follow(target: Target, values: str, options: Options, sandbox: Sandbox) -> Followed:
    """Signature and sites of a target, and the path condition of one run of it.

    Args:
        values: the arguments, as :func:`zeroin.subject.subject.Subject.words_of` takes them.

    Raises:
        ZeroinError: the values are no arguments, or the target can not be tested or read; the message says why.
    """
    _be_patient(sandbox, LANGUAGES[target.language])
    return _ask(sandbox, Followed, target.text, "follow", target, options, values)


def _be_patient(sandbox: Sandbox, language: Language) -> None:
    sandbox.patience = language.patience or PATIENCE
    sandbox.longest_load = language.longest_load or LONGEST_THOUGHT


def _one_target(target: Target | str, options: Options, sandbox: Sandbox) -> Target:
    """The target that a text names."""
    if isinstance(target, Target):
        return target
    named = targets_of(target, options, sandbox).targets
    if len(named) > 1:
        raise TargetError(f"{target}: has {len(named)} functions; name one of them, as {named[0].text}")
    return named[0]


def _ask(sandbox: Sandbox, kind: type[Answer], what: str, job: str, *arguments: Any) -> Answer:
    """The one answer of a short job."""
    answer: Answer | None = None
    loaded = False
    for message in sandbox.run(f"{JOBS}:{job}", *arguments):
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
    _be_patient(sandbox, LANGUAGES[target.language])
    return Covering(target, options, sandbox, watch, stop).run()


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
