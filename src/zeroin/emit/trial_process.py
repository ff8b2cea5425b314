"""The main module of a process that runs an emitted test in the sandbox.

:func:`zeroin.emit.trial.run_inside` starts the process. It sends the result of each test as a message.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import tempfile
from pathlib import Path

from ..process.child import end_of_command_line
from ..process.message_stream import MessageStream
from ..sandbox import forking
from ..sandbox.landlock import Sandbox
from .trial_order import Entry, Order


def main() -> None:
    """Import the modules on the command line, wait for the order, and carry it out.

    Modules that can not be imported are ignored. Without an order, the process ends when the parent closes the channel.
    """
    forking.end_with_parent()
    line, modules = end_of_command_line()
    for name in modules:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    with contextlib.suppress(EOFError):  # the process was not needed
        _carry_out(line.receive(), line)


def _carry_out(order: Order, line: MessageStream) -> None:
    """Close the sandbox around this process, and call the function that the order names.

    It also changes the current directory and the folder for temporary files, and forbids core dumps. If the function
    takes no diary, the channel is closed.
    """
    if ... not in order.arguments:
        os.close(line.descriptor)
    sandbox = Sandbox(order.scratch, order.allow, order.writable)
    module, _, name = order.call.partition(":")
    sandbox.close(programs=True, tells=order.tells)  # a program that replaces this process has no handler
    tempfile.tempdir = os.environ["TMPDIR"] = made_folder(order.scratch / "temporary")
    os.chdir(made_folder(order.scratch / "here"))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    diary = Diary(line)
    arguments = [diary if argument is ... else argument for argument in order.arguments]
    getattr(importlib.import_module(module), name)(sandbox, *arguments)


def made_folder(folder: Path) -> str:
    """Create a folder and return its path.

    Raises:
        FileExistsError: it exists already.
    """
    folder.mkdir()
    return str(folder)


def program(sandbox: Sandbox, path: str, *arguments: str) -> None:
    """Replace this process by a program."""
    os.execv(path, [path, *arguments])


class Diary:
    """Sends the result of each test. A test that began and has no result ended the process."""

    def __init__(self, line: MessageStream) -> None:
        self._line = line

    def begins(self, name: str) -> None:
        """Send that a test begins."""
        self._line.send(Entry(name, None))

    def ends(self, name: str, why: str) -> None:
        """Send the result of a test: the reason why it fails, or an empty text if it passes."""
        self._line.send(Entry(name, why))


if __name__ == "__main__":
    main()
