"""Standard streams that are always open, accept any text, and survive write errors.

Control characters, which a terminal would obey, are printed as Python's escape sequences. The colours of reports pass.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections.abc import Iterator
from typing import TextIO

# Control characters, except line ends and the colours of zeroin.report.style; changes of the text direction.
_OBEYED = re.compile("\x1b(?!\\[(?:[012]|31|33)m)|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f"
                     "\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # fmt: skip


def _escaped(found: re.Match[str]) -> str:
    from ..escaping import plain  # rarely needed

    return plain(found[0])


class Stream(io.TextIOBase):
    """A text stream whose write errors are kept instead of raised.

    The stream may lead to a full disk, a closed pipe, or a terminal with a small character set.

    Args:
        stream: the stream to write to. After an error, its file descriptor leads to the null device.

    Attributes:
        error: the write error; None without one. After an error, output is discarded.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def write(self, text: str) -> int:
        """Write text, with control characters escaped; return the length of the given text in characters.

        Characters that the stream's encoding lacks become escapes. The stream is flushed if the text has a line end.
        """
        self.write_codes(_OBEYED.sub(_escaped, text))
        return len(text)

    def write_codes(self, text: str) -> None:
        """Write text with control codes that the terminal obeys.

        It must contain no text of the code under test, unless escaped.
        """
        known = self._stream.encoding or "utf-8"
        with self._noting():
            self._stream.write(text.encode(known, "backslashreplace").decode(known))
            if "\n" in text:
                self._stream.flush()

    def flush(self) -> None:
        """Flush the stream; keep an error."""
        with self._noting():
            self._stream.flush()

    def isatty(self) -> bool:
        """Return whether the stream is a terminal."""
        return self._stream.isatty()

    @contextlib.contextmanager
    def _noting(self) -> Iterator[None]:
        """Keep an OSError of the block in :attr:`error`, and discard all output from then on."""
        try:
            yield
        except OSError as error:
            self.error = error
            # Python writes the rest of the buffer when it ends: send that to the null device.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


@contextlib.contextmanager
def standard_streams() -> Iterator[Stream]:
    """Replace ``sys.stdout`` and ``sys.stderr`` by a :class:`Stream` each within the context; yield that of stdout.

    At the end the old ones are restored, without a flush. Standard descriptors that are closed are opened on the null
    device, and stay so. ``sys.stdout`` must not be None; ``sys.stderr`` may be.
    """
    _open_all()
    out = Stream(sys.stdout)
    errors = Stream(sys.stderr or open(os.devnull, "w"))  # noqa: SIM115
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        yield out


def _open_all() -> None:
    """Open closed standard descriptors on the null device, so that no other file gets their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
