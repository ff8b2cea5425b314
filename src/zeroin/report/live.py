"""Progress of running searches: on a terminal a line for each of them, which is rewritten; else occasional lines."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TextIO, TypeVar

from ..escaping import plain
from ..subject.base import words_for
from ..worker.progress import SearchState
from .style import takes_codes

if TYPE_CHECKING:
    from .rewritten_lines import RewrittenLines

Result = TypeVar("Result")

_PAUSE = 0.1  # seconds between two states of a target on a terminal
_OVER = 1.0  # seconds after which a target without news has no line on a terminal


class Progress:
    """A watcher for :func:`zeroin.worker.parent.cover`, which prints progress. Several threads may call it.

    A target's first line appears after the first pause, so short searches print none.

    Args:
        stream: the stream to write to; None: print nothing.
        every: seconds between two lines of a target if the stream is no terminal. On a terminal it is 0.1 seconds.
    """

    def __init__(self, stream: TextIO | None = None, every: float = 2.0) -> None:
        self._stream = stream
        self._terminal = stream is not None and takes_codes(stream)
        self._pause = _PAUSE if self._terminal else every
        self._lock = threading.Lock()
        self._written: dict[str, float] = {}
        self._texts: dict[str, str] = {}  # of the targets that have a line on the terminal
        self._lines: RewrittenLines | None = None
        self._hidden = False

    def __call__(self, live: SearchState, what: str) -> None:
        if self._stream is None or live.branches is None:
            return
        now = time.monotonic()
        name = live.target.text
        with self._lock:
            if now - self._written.setdefault(name, now) >= self._pause:
                self._written[name] = now
                text = plain(describe(live))
                if self._terminal:
                    self._rewrite(self._stream, name, text, now)
                else:
                    print(text, file=self._stream, flush=True)

    def _rewrite(self, stream: TextIO, name: str, text: str, now: float) -> None:
        if self._hidden:
            return
        self._texts[name] = text
        self._texts = {one: its for one, its in self._texts.items() if now - self._written[one] < _OVER}
        if self._lines is None:
            from .rewritten_lines import RewrittenLines  # rich: not needed by a short search, nor without a terminal

            self._lines = RewrittenLines(stream)
        self._lines.show(list(self._texts.values()))

    def hidden_during(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield the results. While the caller prints one, the terminal has no lines of progress.

        After the last one, or when the caller stops early, no more lines are shown.
        """
        try:
            for result in results:
                self._hide(True)
                yield result
                self._hide(False)
        finally:
            self._hide(True)

    def _hide(self, hidden: bool) -> None:
        with self._lock:
            self._hidden = hidden
            self._texts = {}
            if self._lines is not None:
                self._lines.clear()


def describe(live: SearchState) -> str:
    """Return the state of a search: ``sin: 11 of 12 branches, 8.1 M evaluations/s, last 14: E == M true``.

    The rate is the average since the search began. The last part is missing until a branch is found; while faults are
    looked for, it says so.
    """
    done = sum(b.outcome in live.covered for b in live.branches or ())
    seconds = time.perf_counter() - (live.searching_since or live.started)
    rate = live.evaluations / max(seconds, 1e-9) / 1e6
    last = ", looking for faults" if live.seeks_faults else f", last {live.last}" if live.last else ""
    what = f"{len(live.branches or ())} {words_for(live.branches or ())[1]}"
    return f"{live.target.function}: {done} of {what}, {rate:.1f} M evaluations/s{last}"


def for_terminal(quiet: bool) -> Progress:
    """Return a watcher that prints to standard error; one that prints nothing if ``quiet`` is set."""
    return Progress(None if quiet else sys.stderr)
