"""Trials: an emitted test is run once, by a fresh process, before anybody is told that it was written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from .. import forking, scratch

SECONDS = 4.0  # for one test; no run of a search may take that long
START = 60.0  # seconds for what has to be imported
_SAID = 1 << 16  # bytes of what a process said that are looked at
# Another than the workers have: what depends on the order of a set, or on hash(str), must not pass.
_HASH_SEED = "1"
_STEERING = ("PYTEST_", "COVERAGE_", "COV_", "GCOV_PREFIX")


@dataclass(frozen=True)
class Trial:
    """What came of running a test.

    Attributes:
        failed: numbers of the inputs that do not pass, and why.
        whole: why the file as a whole does not pass, although each input does alone.
        untried: why it could not be run here; that says nothing about the test.
    """

    failed: dict[int, str] = field(default_factory=dict)
    whole: str = ""
    untried: str = ""


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


def run_inside(call: str, arguments: Sequence[object], *, allow: Collection[str] = (), writable: Collection[Path] = (),
               seconds: float, diary: bool = False, quiet: bool = True) -> Ended:  # fmt: skip
    """Have a fresh process call ``module:function`` behind a fence (:mod:`zeroin.subject.fence`), in an empty folder.

    Args:
        arguments: for the function, after the fence: what JSON can write; ``...`` stands for the diary's descriptor.
        allow: as in :class:`zeroin.config.Options`.
        writable: folders that may be written to.
        seconds: after which it is ended.
        diary: whether it keeps one.
        quiet: nobody wants to know what it says.
    """
    with scratch.folder() as folder, tempfile.TemporaryFile() as notes, tempfile.TemporaryFile() as said:
        given = [notes.fileno() if argument is ... else argument for argument in arguments]
        order = {"call": call, "arguments": given, "scratch": str(folder), "allow": list(allow),
                 "writable": [str(place.resolve()) for place in writable], "parent": os.getpid()}  # fmt: skip
        output = subprocess.DEVNULL if quiet else said.fileno()
        process = subprocess.Popen([sys.executable, "-P", "-m", "zeroin.emit.inside", json.dumps(order)], cwd=folder,
                                   env=_environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                   pass_fds=[notes.fileno()] if diary else [], start_new_session=True)  # fmt: skip
        status: int | None
        try:
            status = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            if process.returncode is None:
                forking.end(process.pid)
                process.wait()
            forking.end_group(process.pid)
        said.seek(max(0, said.seek(0, os.SEEK_END) - _SAID))
        notes.seek(0)
        return Ended(status, said.read().decode(errors="replace"), dict(_entries(notes.read())))


def _entries(diary: bytes) -> Iterator[tuple[str, str | None]]:
    """What stands in it, beside anything that what is tested has written there."""
    for line in diary.splitlines():
        with suppress(ValueError):
            match json.loads(line):
                case [str(name), str() | None as why]:
                    yield name, why


def _environment() -> dict[str, str]:
    """This process's, without what would steer tools."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_STEERING)}
    return {**kept, "PYTHONHASHSEED": _HASH_SEED, "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # fmt: skip
