"""Trials: an emitted test is run once, by a fresh process, before anybody is told that it was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .. import scratch
from ..sandbox import forking

if TYPE_CHECKING:
    from .test_header import Batch

SECONDS, SHARE, LEAST = 4.0, 0.5, 1.0  # for one test: at most, of the budget, and at least
START = 60.0  # seconds for what has to be imported
_SAID = 1 << 16  # bytes of what a process said that are looked at
WORKERS_SEED, OTHER_SEED = "0", "1"  # what depends on the order of a set, or on hash(str), must not pass with another
_STEERING = ("PYTEST_", "COVERAGE_", "COV_", "GCOV_PREFIX")


InputKey = tuple[int, int]  # of an input: the number of its suite, and its own


@dataclass(frozen=True)
class Trial:
    """What came of running a test.

    Attributes:
        failed: the inputs that do not pass, and why.
        unpinned: those that pass here, but not in other surroundings, and on what their results depend.
        whole: why the file as a whole does not pass, although each input does alone.
        untried: why it could not be run here; that says nothing about the test.
        instead: the same batch, whose test says another way to build it: that is to be written and tried.
    """

    failed: dict[InputKey, str] = field(default_factory=dict)
    unpinned: dict[InputKey, str] = field(default_factory=dict, kw_only=True)
    whole: str = ""
    untried: str = ""
    instead: Batch | None = None


def seconds_for_test(batch: Batch) -> float:
    """Seconds that one test may take. A run of a search is ended earlier."""
    return min(SECONDS, max(LEAST, SHARE * batch.options.budget.seconds))


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        status: its exit status, negative for a signal; None when it had to be ended.
        said: the end of what it wrote to stdout and stderr.
        diary: of tests, in their order: why each does not pass; None where it did not come to an end.
    """

    status: int | None
    said: str
    diary: dict[str, str | None]

    @property
    def cause(self) -> str:
        """How, for a person."""
        if self.status is None:
            return "it does not come to an end"
        if self.status < 0:
            return f"it ends with {signal.Signals(-self.status).name}"
        return f"it ends with status {self.status}"


class _Fresh:
    """A fresh process that imports what it may need, and waits for its one order (:mod:`zeroin.emit.trial_process`)."""

    def __init__(self, modules: Sequence[str] = (), quiet: bool = True, seed: str = OTHER_SEED) -> None:
        with ExitStack() as made:
            place = scratch.place()
            self._notes = made.enter_context(tempfile.TemporaryFile(dir=place))
            self._said = made.enter_context(tempfile.TemporaryFile(dir=place))
            output = subprocess.DEVNULL if quiet else self._said.fileno()
            command = [sys.executable, "-P", "-m", "zeroin.emit.trial_process", *modules]
            self._process = made.enter_context(
                subprocess.Popen(command, env=_environment(seed), stdin=subprocess.PIPE, stdout=output, stderr=output,
                                 pass_fds=[self._notes.fileno()], start_new_session=True)
            )  # fmt: skip
            self._lives = True
            made.callback(self._end)
            self._made = made.pop_all()

    def __enter__(self) -> _Fresh:
        return self

    def __exit__(self, *_: object) -> None:
        self._made.close()

    def _end(self) -> None:
        if not self._lives:  # its number may be that of another process by now
            return
        self._lives = False
        if self._process.returncode is None:
            forking.end(self._process.pid)
            self._process.wait()
        forking.end_group(self._process.pid)

    def carry_out(self, call: str, arguments: Sequence[object], seconds: float, **more: object) -> Ended:
        """As :func:`run_inside` says."""
        notes = self._notes.fileno()
        order = {"call": call, "arguments": [notes if argument is ... else argument for argument in arguments],
                 "unused": [] if ... in arguments else [notes], **more}  # fmt: skip
        status: int | None = None
        with suppress(subprocess.TimeoutExpired):
            self._process.communicate(json.dumps(order).encode(), timeout=seconds)
            status = self._process.returncode
        self._end()
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - _SAID))
        self._notes.seek(0)
        return Ended(status, self._said.read().decode(errors="replace"), dict(_entries(self._notes.read())))


_ahead: list[_Fresh] = []  # at most one


def start_ahead(*modules: str) -> None:
    """Start the process of the next :func:`run_inside` now, so that it imports these modules while others work."""
    if not _ahead:
        with suppress(OSError):  # who has need of it will say so
            _ahead.append(_Fresh(modules))


@contextmanager
def ended_ahead() -> Iterator[None]:
    """In the end there is no process that was started ahead and that nobody had need of."""
    try:
        yield
    finally:
        while _ahead:
            _ahead.pop().__exit__()


def run_inside(call: str, arguments: Sequence[object], *, allow: Collection[str] = (), writable: Collection[Path] = (),
               seconds: float, quiet: bool = True, seed: str = OTHER_SEED, tells: bool = False) -> Ended:  # fmt: skip
    """Have a fresh process call ``module:function`` inside the sandbox, in an empty folder.

    Args:
        arguments: for the function, after the fence: what JSON can write; ``...`` stands for the diary's descriptor.
        allow: as in :class:`zeroin.config.Options`.
        writable: folders that may be written to.
        seconds: after which it is ended.
        quiet: nobody wants to know what it says.
        seed: of Python's hashes.
        tells: a system call that the sandbox refuses is reported by name; else the process ends.
    """
    ready = quiet and seed == OTHER_SEED and _ahead
    with scratch.folder() as folder, _ahead.pop() if ready else _Fresh(quiet=quiet, seed=seed) as fresh:
        return fresh.carry_out(call, arguments, seconds, scratch=str(folder), allow=list(allow), tells=tells,
                               writable=[str(place.resolve()) for place in writable])  # fmt: skip


def _entries(diary: bytes) -> Iterator[tuple[str, str | None]]:
    """What stands in it, beside anything that what is tested has written there."""
    for line in diary.splitlines():
        with suppress(ValueError):
            match json.loads(line):
                case [str(name), str() | None as why]:
                    yield name, why


def _environment(seed: str) -> dict[str, str]:
    """This process's, without what would steer tools."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_STEERING)}
    return {**kept, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # fmt: skip
