"""The command's standard streams: all of them are open, they take any text, and what they can not take loses nothing
else. What a terminal would obey is written as an escape sequence of Python's, but for the colours of reports."""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from typing import TextIO

# Control characters, but for the ends of lines and the colours of :mod:`zeroin.report.style`; changes of direction.
_OBEYED = re.compile("\x1b(?!\\[(?:[012]|31|33)m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f"
                     "\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # fmt: skip


def _escaped(found: re.Match[str]) -> str:
    from ..escaping import plain  # most output has none

    return plain(found[0])


class Stream(io.TextIOBase):
    """A text stream that may be a full disk, a pipe that nobody reads, or a terminal that knows few characters.

    Attributes:
        error: why something could not be written; from then on nothing is.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        known = self._stream.encoding or "utf-8"
        with self._noting():
            shown = _OBEYED.sub(_escaped, text)
            self._stream.write(shown.encode(known, "backslashreplace").decode(known))
            if "\n" in text:
                self._stream.flush()
        return len(text)

    def flush(self) -> None:
        with self._noting():
            self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.error = error
            # What is still in the buffer, and is written once more when Python ends, goes nowhere.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


@contextlib.contextmanager
def standard_streams() -> Iterator[Stream]:
    """``sys.stdout`` and ``sys.stderr`` as such streams; the first one."""
    _open_all()
    out = Stream(sys.stdout)
    errors = Stream(sys.stderr or open(os.devnull, "w"))  # noqa: SIM115
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        yield out


def _open_all() -> None:
    """No file or socket of ours may get the number of a standard stream that is closed: children take it for that."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
