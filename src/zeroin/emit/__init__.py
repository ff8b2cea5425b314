"""Emitters: a suite -> a test that can be run without zeroin."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from .. import files
from ..registry import late

if TYPE_CHECKING:
    from pathlib import Path

    from ..suite.suite import Suite


class Emitter(Protocol):
    """Writes tests.

    Attributes:
        languages: of the subjects that it can test.
    """

    languages: tuple[str, ...]

    def file_name(self, suite: Suite) -> str:
        """The name of the test's file."""
        ...

    def text(self, suite: Suite, folder: Path) -> str:
        """The content of a test that is to stand in ``folder``: every input that can be repeated is run, and what it
        returns and leaves behind compared exactly."""
        ...


# The first that is for a language is what users get unless they say otherwise.
EMITTERS: dict[str, Callable[[], Emitter]] = {
    "c": late("zeroin.emit.c:CTest"),
    "pytest": late("zeroin.emit.pytest:PytestFile"),
}


def write(emitter: Emitter, suite: Suite, folder: Path) -> Path:
    """Write the test into a folder; its path.

    Raises:
        OutputError: it can not be written there.
    """
    path = folder / emitter.file_name(suite)
    files.write(path, emitter.text(suite, folder))
    return path
