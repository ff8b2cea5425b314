"""Emitters: a suite -> a test that can be run without zeroin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from .test_header import Batch
    from .trial import Trial


class Emitter(Protocol):
    """Writes tests.

    Attributes:
        languages: of the subjects that it can test.
    """

    languages: tuple[str, ...]

    def file_name(self, batch: Batch) -> str:
        """The name of the test's file, where no other has one of this name."""
        ...

    def text(self, batch: Batch, folder: Path) -> str:
        """The content of a test that is to stand in ``folder``: every input that can be repeated, and is not
        ``untested``, is run, and what it returns and leaves behind compared exactly. At the head, in a comment, stands
        :func:`zeroin.emit.test_header.mark`, by which the file is known as ours."""
        ...

    def formatted(self, text: str, path: Path) -> str:
        """The same as the tools of the language format it, where there is one; ``path`` is the test's."""
        return text

    def companions(self) -> dict[str, str]:
        """Files that all tests of this kind need beside them: names and contents."""
        return {}

    def prepare(self) -> None:
        """Start what a trial takes before there is something to try."""

    def tried(self, test: Path, batch: Batch) -> Trial:
        """Run the test once, where it can do no harm; an emitter that can not do that says that all is well."""
        from .trial import Trial

        return Trial()
