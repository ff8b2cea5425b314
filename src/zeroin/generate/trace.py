"""The trace of a search: what it did, when, and with which result.

The trace answers "why was this branch not decided?" (``zeroin explain``). A search records an event for each slice of
evaluations, for each query that a solver answers, for each proof that is tried, and for each decision of the schedule
to leave its usual order. The parent process writes the events to a file (:mod:`zeroin.worker.trace_file`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

KINDS = ("slice", "query", "proof", "schedule")
_BATCH, _PAUSE = 500, 0.2  # events, and seconds, after which the recorded events are handed over


@dataclass(frozen=True)
class Event:
    """One event.

    Attributes:
        kind: ``slice``, ``query``, ``proof`` or ``schedule``.
        seconds: the seconds that the search had used at the end of the event.
        data: what is known of it, by name.
    """

    kind: str
    seconds: float
    data: dict[str, bool | str | int | float | None]


class Trace:
    """Records the events of a search and hands them over in batches.

    Args:
        send: takes a batch.
        seconds: returns the seconds that the search has used.
    """

    def __init__(self, send: Callable[[list[Event]], None], seconds: Callable[[], float]) -> None:
        self._send, self._seconds = send, seconds
        self._events: list[Event] = []
        self._sent = time.monotonic()

    def note(self, kind: str, **data: bool | str | int | float | None) -> None:
        """Record an event at its end; hand over the batch if it is large or old enough.

        Args:
            kind: one of :data:`KINDS`.
            data: what is known of the event.
        """
        self._events.append(Event(kind, round(self._seconds(), 6), data))
        if len(self._events) >= _BATCH or time.monotonic() - self._sent > _PAUSE:
            self.flush()

    def flush(self) -> None:
        """Hand over what has been recorded since the last batch, if anything."""
        self._sent = time.monotonic()
        if self._events:
            self._send(self._events)
            self._events = []
