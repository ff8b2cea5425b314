"""What runs an emitted test: a process of its own, where code under test can do no more harm than in a worker. It is
started by :func:`zeroin.emit.trial.run_inside`, and tells what comes of each test in lines of JSON."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

from ..sandbox import forking
from ..sandbox.landlock import Sandbox


def main() -> None:
    """Import the modules that are named, wait for the order, and carry it out."""
    forking.end_with_parent()
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    order = sys.stdin.buffer.read()
    if order:
        _carry_out(json.loads(order))


def _carry_out(order: dict[str, Any]) -> None:
    """Shut this process in and call what is to be called."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for descriptor in (nothing, *order["unused"]):
        os.close(descriptor)
    scratch = Path(order["scratch"])
    fence = Sandbox(scratch, frozenset(order["allow"]), tuple(map(Path, order["writable"])))
    module, _, name = order["call"].partition(":")
    fence.close(programs=True, tells=order["tells"])  # a program's handlers would be its own
    tempfile.tempdir = os.environ["TMPDIR"] = made_folder(scratch / "temporary")
    os.chdir(made_folder(scratch / "here"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    getattr(importlib.import_module(module), name)(fence, *order["arguments"])


def made_folder(folder: Path) -> str:
    folder.mkdir()
    return str(folder)


def program(fence: Sandbox, path: str, *arguments: str) -> None:
    """Become a program."""
    os.execv(path, [path, *arguments])


class Diary:
    """Tells what becomes of each test; one that has begun and not ended has ended the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def begins(self, name: str) -> None:
        self._write([name, None])

    def ends(self, name: str, why: str) -> None:
        """``why`` it does not pass; empty if it does."""
        self._write([name, why])

    def _write(self, entry: list[str | None]) -> None:
        os.write(self._descriptor, f"\n{json.dumps(entry)}\n".encode())


if __name__ == "__main__":
    main()
