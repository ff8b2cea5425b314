"""Trials: a new process runs an emitted test once in the sandbox, before the test file gets its final name."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .. import scratch
from ..process.child import Child
from .trial_order import Entry, Order

if TYPE_CHECKING:
    from .test_header import Batch

SECONDS, SHARE, LEAST = 4.0, 0.5, 1.0  # for one test: the most seconds, the share of the budget, the least seconds
START = 60.0  # seconds for imports
_SAID = 1 << 16  # the last bytes of a process's output that are read
WORKERS_SEED, OTHER_SEED = "0", "1"  # PYTHONHASHSEED: with another one, tests that depend on hashes fail
_STEERING = ("PYTEST_", "COVERAGE_", "COV_", "GCOV_PREFIX")


InputKey = tuple[int, int]  # the index of a suite in its batch, and the index of an input in its suite


@dataclass(frozen=True)
class Trial:
    """The result of running a test file. ``Trial()`` is that of a test that passes.

    Attributes:
        failed: for each input that fails, the reason.
        unpinned: for each input that passes here but not in other surroundings (such as another day), what its result
            depends on.
        whole: the reason why the whole file fails although each input passes alone; otherwise empty.
        untried: the reason why the test could not be run; otherwise empty. It says nothing about the test.
        instead: the same batch with another way to build its test, which must be written and run; otherwise None.
    """

    failed: dict[InputKey, str] = field(default_factory=dict)
    unpinned: dict[InputKey, str] = field(default_factory=dict, kw_only=True)
    whole: str = ""
    untried: str = ""
    instead: Batch | None = None


def seconds_for_test(batch: Batch) -> float:
    """Return the seconds that one test may take. The limit for a run in a search is shorter."""
    return min(SECONDS, max(LEAST, SHARE * batch.options.budget.seconds))


@dataclass(frozen=True)
class Ended:
    """How the process of a trial ended.

    Attributes:
        status: the exit status, negative for a signal; None if the process exceeded its time.
        said: the last 64 KiB of its output to stdout and stderr; empty if the output was discarded.
        diary: for each test, in the order of their runs, the reason why it fails: empty if it passes, None if it did
            not end. An empty name stands for the file as a whole.
    """

    status: int | None
    said: str
    diary: dict[str, str | None]

    @property
    def cause(self) -> str:
        """The way in which it ended, as text for the user."""
        if self.status is None:
            return "it does not end"
        if self.status < 0:
            return f"it ends with {signal.Signals(-self.status).name}"
        return f"it ends with status {self.status}"


class _Process:
    """A new process that imports modules and then waits for its only order (:mod:`zeroin.emit.trial_process`).

    Args:
        modules: the names of the modules; those that can not be imported are ignored.
        quiet: whether to discard its output.
        seed: the value of PYTHONHASHSEED.

    Raises:
        OSError: the process can not be started.
    """

    def __init__(self, modules: Sequence[str] = (), quiet: bool = True, seed: str = OTHER_SEED) -> None:
        self._said = tempfile.TemporaryFile(dir=scratch.place())  # noqa: SIM115
        try:
            output = subprocess.DEVNULL if quiet else self._said.fileno()
            self._child = Child.start("zeroin.emit.trial_process", modules, (Entry,), _environment(seed),
                                      stdout=output, stderr=output)  # fmt: skip
        except BaseException:
            self._said.close()
            raise

    def __enter__(self) -> _Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.end()
        self._said.close()

    def carry_out(self, order: Order, seconds: float) -> Ended:
        """Have the process carry out its order, and wait for its end, for at most ``seconds``. Return how it ended.

        Call this once.
        """
        assert self._child.line is not None
        with suppress(BrokenPipeError, ConnectionResetError):  # it has ended already: its status says so
            self._child.line.send(order)
        status, entries = self._child.until_end(seconds)
        self._said.seek(max(0, self._said.seek(0, os.SEEK_END) - _SAID))
        said = self._said.read().decode(errors="replace")
        return Ended(status, said, {entry.test: entry.why for entry in entries})


_ahead: list[_Process] = []  # the process that was started ahead, at most one


def prestart(*modules: str) -> None:
    """Start the process for the next :func:`run_inside` now, so that it imports these modules during the search.

    Only a call with the default ``quiet`` and ``seed`` takes this process. Nothing happens if one is waiting already,
    or if the process can not be started.
    """
    if not _ahead:
        with suppress(OSError):  # run_inside reports the error
            _ahead.append(_Process(modules))


@contextmanager
def end_prestarted() -> Iterator[None]:
    """End a process that was started ahead and not used, when the context ends."""
    try:
        yield
    finally:
        while _ahead:
            _ahead.pop().__exit__()


def run_inside(call: str, arguments: Sequence[object], *, allow: Collection[str] = (), writable: Collection[Path] = (),
               seconds: float, quiet: bool = True, seed: str = OTHER_SEED, tells: bool = False) -> Ended:  # fmt: skip
    """Call a function in the sandbox of a new process, with an empty folder as current directory.

    Args:
        call: the function, as ``module:name``. Its first argument is the process's sandbox.
        arguments: its further arguments, which are pickled; ``...`` stands for the process's diary, a
            :class:`.trial_process.Diary`.
        allow: as in :class:`zeroin.config.Options`.
        writable: folders that the process may write to.
        seconds: the time after which the process is ended.
        quiet: whether to discard the output of the process.
        seed: the value of PYTHONHASHSEED.
        tells: whether a system call that the sandbox refuses is recorded and fails; otherwise it ends the process.

    Returns:
        How the process ended. It is no error if it crashed, or was ended.

    Raises:
        ZeroinError: no temporary folder can be made.
        OSError: the process can not be started.
    """
    ready = quiet and seed == OTHER_SEED and _ahead
    with scratch.folder() as folder, _ahead.pop() if ready else _Process(quiet=quiet, seed=seed) as process:
        order = Order(call, tuple(arguments), folder, frozenset(allow), tuple(place.resolve() for place in writable),
                      tells)  # fmt: skip
        return process.carry_out(order, seconds)


def _environment(seed: str) -> dict[str, str]:
    """Return the environment for a trial: that of this process, with ``seed`` as PYTHONHASHSEED.

    It has no variables that configure pytest and coverage tools. Python writes no bytecode, and pytest loads no
    plugins.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_STEERING)}
    return {**kept, "PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # fmt: skip
