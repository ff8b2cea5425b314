"""The file of a trace, and its events in the log."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

from zeroin.generate.trace import Event, Trace
from zeroin.worker.trace_file import TraceFile


def test_each_event_is_a_line_that_names_its_target(tmp_path: Path) -> None:
    one, other = (TraceFile(tmp_path / "t.jsonl", f"{name}.c:f") for name in "ab")
    one.note("task", 0.25, task="search", took=1.5, died=None)
    other.take([Event("slice", 0.5, {"best": float("inf"), "branch": None}), Event("slice", 0.75, {"best": 0.0})])
    lines = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    assert lines == [
        {"target": "a.c:f", "event": "task", "seconds": 0.25, "task": "search", "took": 1.5},
        {"target": "b.c:f", "event": "slice", "seconds": 0.5, "best": "inf"},
        {"target": "b.c:f", "event": "slice", "seconds": 0.75, "best": 0.0},
    ]


def test_a_file_that_can_not_be_written_to_stops_nothing(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path, "a.c:f")
    trace.note("task", 0.0)
    trace.note("task", 0.0)
    assert trace.trouble == f"{tmp_path}: Is a directory"


def test_events_are_logged_as_text(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="zeroin")
    TraceFile(None, "a.c:f").note("begin", 0.5, file="a\x1b.c", branches=[1, 2], best=0.1234567891)
    assert caplog.messages == ["    0.500 s  f  begin  file=a\\x1b.c branches=2 best=0.123457"]


def test_events_are_handed_over_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("zeroin.generate.trace.time.monotonic", lambda: now[0])
    sent = list[list[Event]]()
    trace = Trace(sent.append, lambda: 1.5)
    for number in range(499):
        trace.note("slice", number=number)
    assert sent == []
    trace.note("slice", number=499)
    assert [len(batch) for batch in sent] == [500]
    now[0] += 0.3
    trace.note("query", answer="model")
    assert sent[1] == [Event("query", 1.5, {"answer": "model"})]
    trace.flush()
    assert len(sent) == 2


def test_events_of_a_search_can_not_pass_for_others(tmp_path: Path) -> None:
    trace = TraceFile(tmp_path / "t.jsonl", "a.c:f")
    trace.take_from_search(
        [Event("end", 0.5, {}), Event("slice", 0.5, {"target": "b.c:g", "event": "end", "best": 1.0})]
    )
    (line,) = (tmp_path / "t.jsonl").read_text().splitlines()
    assert json.loads(line) == {"target": "a.c:f", "event": "slice", "seconds": 0.5, "best": 1.0}
