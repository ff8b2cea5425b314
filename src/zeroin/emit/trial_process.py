"""The main module of a process that runs an emitted test in the sandbox.

:func:`zeroin.emit.trial.run_inside` starts the process. It reports the result of each test as a line of JSON.
"""

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
    """Import the modules on the command line, wait for the order on stdin, and carry it out."""
    forking.end_with_parent()
    for name in sys.argv[1:]:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    order = sys.stdin.buffer.read()
    if order:
        _carry_out(json.loads(order))


def _carry_out(order: dict[str, Any]) -> None:
    """Close the sandbox around this process, and call the function that the order names."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for descriptor in (nothing, *order["unused"]):
        os.close(descriptor)
    scratch = Path(order["scratch"])
    sandbox = Sandbox(scratch, frozenset(order["allow"]), tuple(map(Path, order["writable"])))
    module, _, name = order["call"].partition(":")
    sandbox.close(programs=True, tells=order["tells"])  # a program that replaces this process has no handler
    tempfile.tempdir = os.environ["TMPDIR"] = made_folder(scratch / "temporary")
    os.chdir(made_folder(scratch / "here"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    getattr(importlib.import_module(module), name)(sandbox, *order["arguments"])


def made_folder(folder: Path) -> str:
    """Create a folder and return its path."""
    folder.mkdir()
    return str(folder)


def program(sandbox: Sandbox, path: str, *arguments: str) -> None:
    """Replace this process by a program."""
    os.execv(path, [path, *arguments])


class Diary:
    """Writes the result of each test to a file descriptor. A test that began and has no result ended the process."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def begins(self, name: str) -> None:
        """Write that a test begins."""
        self._write([name, None])

    def ends(self, name: str, why: str) -> None:
        """Write the result of a test: the reason why it fails, or an empty text if it passes."""
        self._write([name, why])

    def _write(self, entry: list[str | None]) -> None:
        os.write(self._descriptor, f"\n{json.dumps(entry)}\n".encode())


if __name__ == "__main__":
    main()
