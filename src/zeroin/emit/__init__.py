"""Emitters: they write suites as test files that run without zeroin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from .test_header import Batch
    from .trial import Trial


class Emitter(Protocol):
    """Writes test files of one kind, such as pytest files.

    Attributes:
        languages: the languages of the subjects that it can test.
    """

    languages: tuple[str, ...]

    def file_name(self, batch: Batch) -> str:
        """Return the name of the batch's test file; an emitter may return ``batch.name`` if that is set."""
        ...

    def text(self, batch: Batch, folder: Path) -> str:
        """Return the content of a test file that will be in ``folder``.

        The test runs every input that can be repeated and is not ``untested``. It compares exactly what each run
        returns and what it changes. A comment at the start contains :func:`zeroin.emit.test_header.mark`, by which
        zeroin recognises its own files.
        """
        ...

    def formatted(self, text: str, path: Path) -> str:
        """Return the text as the language's formatter lays it out; unchanged if there is none, or if it fails.

        Args:
            text: the content of the test file.
            path: the path of the test file.
        """
        return text

    def companions(self) -> dict[str, str]:
        """Return the files that all tests of this kind need in their folder, as contents by name."""
        return {}

    def prepare(self) -> None:
        """Start to prepare trials, such as the process of the first one, while the search still runs."""

    def tried(self, test: Path, batch: Batch) -> Trial:
        """Run the test file once in the sandbox and return the result.

        An emitter without trials returns the result of a test that passes.
        """
        from .trial import Trial

        return Trial()
