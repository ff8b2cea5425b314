"""Progress of a running search: a single line that is rewritten on a terminal, or else occasional lines."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TextIO

from ..escaping import plain
from ..subject.base import words_for
from ..worker.progress import SearchState
from .style import takes_codes


class Progress:
    """A watcher for :func:`zeroin.worker.parent.cover`, which prints progress. Several threads may call it.

    Args:
        stream: the stream to write to; None: print nothing.
        every: seconds between two lines of a target if the stream is no terminal.
    """

    def __init__(self, stream: TextIO | None = None, every: float = 2.0) -> None:
        self._stream = stream
        self._terminal = stream is not None and takes_codes(stream)
        self._every = every
        self._lock = threading.Lock()
        self._written: dict[str, float] = {}
        self._shown = 0

    def __call__(self, live: SearchState, what: str) -> None:
        if self._stream is None or live.branches is None:
            return
        now = time.monotonic()
        with self._lock:
            pause = 0.1 if self._terminal else self._every
            if now - self._written.setdefault(live.target.text, now) >= pause:
                self._written[live.target.text] = now
                self._write(plain(describe(live)))

    def _write(self, text: str) -> None:
        assert self._stream is not None
        if not self._terminal:
            print(text, file=self._stream, flush=True)
            return
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r" + text[:width].ljust(min(self._shown, width)))
        self._shown = min(len(text), width)
        self._stream.flush()

    def clear(self) -> None:
        """Erase the progress line, so that results start on an empty one."""
        if self._terminal and self._shown and self._stream is not None:
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()
            self._shown = 0


def describe(live: SearchState) -> str:
    """Return the state of a search: ``sin: 11 of 12 branches, 8.1 M evaluations/s, last 14: E == M true``."""
    done = sum(b.outcome in live.covered for b in live.branches or ())
    seconds = time.perf_counter() - (live.searching_since or live.started)
    rate = live.evaluations / max(seconds, 1e-9) / 1e6
    last = f", last {live.last}" if live.last else ""
    what = f"{len(live.branches or ())} {words_for(live.branches or ())[1]}"
    return f"{live.target.function}: {done} of {what}, {rate:.1f} M evaluations/s{last}"


def for_terminal(quiet: bool) -> Progress:
    """Return a watcher that prints to standard error; one that prints nothing if ``quiet`` is set."""
    return Progress(None if quiet else sys.stderr)
