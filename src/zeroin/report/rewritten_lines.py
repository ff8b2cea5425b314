"""Lines on a terminal that are rewritten, by rich. The module is imported when there is the first line to show."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text


class RewrittenLines:
    """A few lines at the end of a terminal's output.

    Args:
        stream: the terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        out = _Codes(stream)
        self._console = _Console(file=out, force_terminal=True, color_system=None)  # type: ignore[arg-type]
        self._live: Live | None = None

    def show(self, lines: Sequence[str]) -> None:
        """Replace the lines that are there by these. Longer ones than the terminal is wide are cut.

        Args:
            lines: the new lines, without control characters: these would reach the terminal.
        """
        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, transient=True, redirect_stdout=False,
                              redirect_stderr=False)  # fmt: skip
            self._live.start()
        self._live.update(Text("\n".join(lines), no_wrap=True, overflow="crop"), refresh=True)

    def clear(self) -> None:
        """Erase the lines, if there are any. The cursor is then where it was before the first one."""
        if self._live is not None:
            self._live.stop()
            self._live = None


class _Console(Console):
    """A terminal whose cursor stays visible: a process that is killed can not bring it back."""

    def show_cursor(self, show: bool = True) -> bool:
        return False


class _Codes(io.TextIOBase):
    """The terminal as a file for rich, whose codes to move the cursor have to reach it.

    Args:
        stream: the terminal; its ``write`` may escape control characters if it has a method ``write_codes``.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        getattr(self._stream, "write_codes", self._stream.write)(text)
        return len(text)

    def flush(self) -> None:
        self._stream.flush()
