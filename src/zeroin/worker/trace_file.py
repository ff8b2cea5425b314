"""The file of a trace (``--trace``): one event a line, as JSON. With ``-v`` the events are logged as well."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..config import SearchOptions
from ..escaping import plain
from ..generate.trace import KINDS, Event
from ..subject.base import Target
from ..suite.suite import Suite
from .progress import SearchState

LOG = logging.getLogger("zeroin")


class TraceFile:
    """Writes the events of one target.

    Several targets may share a file: each line names its target.

    Args:
        path: the file; None: events are only logged.
        target: the target's name.

    Attributes:
        trouble: why writing failed; empty if it did not. Nothing is written after a failure.
        aim: what the search looks for, ``faults``, which its events then have as ``aim``; None: branches.
    """

    def __init__(self, path: Path | None, target: str) -> None:
        self._path, self._target = path, target
        self.trouble = ""
        self.aim: str | None = None

    def note(self, kind: str, seconds: float, **data: Any) -> None:
        """Write one event.

        Args:
            kind: the kind of the event.
            seconds: the time of the search, in seconds.
            data: what is known of it, by name. Entries that are None are left out.
        """
        self.take([Event(kind, seconds, data)])

    def take(self, events: Iterable[Event]) -> None:
        """Append events to the file, and log them if the level of the log is ``INFO``. Errors go to ``trouble``."""
        several = list(events)
        if LOG.isEnabledFor(logging.INFO):
            for event in several:
                LOG.info("%s", plain(_text(self._target, event)))
        if self._path is None or self.trouble:
            return
        try:
            with open(self._path, "a") as file:
                file.write("".join(_line(self._target, event) for event in several))
        except OSError as error:
            self.trouble = f"{self._path}: {error.strerror}"

    def take_from_search(self, events: Iterable[Event]) -> None:
        """Write the events of a search, which the code under test may have forged.

        Events of unknown kinds, and data that would replace the target, kind or time of an event, are left out.
        """
        own = ("target", "event", "seconds", "aim")
        known = [event for event in events if event.kind in KINDS]
        data = [{name: value for name, value in event.data.items() if name not in own} for event in known]
        data = [{**its, "aim": self.aim} for its in data] if self.aim else data
        self.take(Event(event.kind, event.seconds, its) for event, its in zip(known, data, strict=True))

    def begin(self, live: SearchState, options: SearchOptions, target: Target) -> None:
        """Record the target, its branches, and the limits of the search."""
        branches = [{"id": one.id, "line": one.site.line, "condition": one.site.condition, "side": one.label,
                     "site": one.site.number} for one in live.branches or []]  # fmt: skip
        self.note("begin", 0.0, file=str(target.path), branches=branches, engine=options.engine, seed=options.seed,
                  budget=options.budget.seconds, evaluations=options.budget.evaluations)  # fmt: skip

    def end(self, suite: Suite) -> None:
        """Record the verdicts, and why the search stopped."""
        verdicts = [{"id": v.branch.id, "verdict": v.verdict, "why": v.why, "by": v.proof.solver if v.proof else "",
                     "input": None if v.input is None else suite.signature.show(suite.inputs[v.input].words)}
                    for v in suite.verdicts]  # fmt: skip
        self.note("end", suite.seconds, verdicts=verdicts, stopped=str(suite.stopped), evaluations=suite.evaluations,
                   reached=sorted(suite.reached), notes=suite.notes)  # fmt: skip


def _line(target: str, event: Event) -> str:
    """Return an event as a line of JSON. Data that are None are left out."""
    data = {name: _finite(value) for name, value in event.data.items() if value is not None}
    return json.dumps({"target": target, "event": event.kind, "seconds": round(event.seconds, 6), **data}) + "\n"


def _text(target: str, event: Event) -> str:
    """Return one line for the log. Of a list only the length is shown; data that are None are left out."""
    data = {name: value for name, value in event.data.items() if value is not None}
    said = " ".join(f"{name}={_short(value)}" for name, value in data.items())
    return f"{event.seconds:9.3f} s  {target.rpartition(':')[2]}  {event.kind}  {said}"


def _short(value: object) -> str:
    """Return a value as text for the log: the length of a list, six digits of a float."""
    return f"{len(value)}" if isinstance(value, list) else f"{value:.6g}" if isinstance(value, float) else str(value)


def _finite(value: object) -> object:
    """Return an infinity or a NaN as text, since JSON has none; return any other value unchanged."""
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
