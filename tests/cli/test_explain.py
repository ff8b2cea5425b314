"""What ``zeroin explain`` makes of a trace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zeroin.cli.explain import about_branch, about_search, read
from zeroin.cli.main import main
from zeroin.errors import OptionError

SITES = [("x == 3", "2"), ("x > 9", "3")]
BRANCHES = [{"id": f"{site}{side}", "line": int(line), "condition": text, "side": label, "site": site}
            for site, (text, line) in enumerate(SITES) for side, label in (("T", "true"), ("F", "false"))]  # fmt: skip


def event(kind: str, seconds: float, **data: Any) -> dict[str, Any]:
    return {"target": "a.c:f", "event": kind, "seconds": seconds, **data}


def verdict(name: str, verdict: str, **data: Any) -> dict[str, Any]:
    return {"id": name, "verdict": verdict, "why": "", "by": "", "input": None, **data}


def slice_of(seconds: float, strategy: str, best: float, **data: Any) -> dict[str, Any]:
    return event("slice", seconds, strategy=strategy, best=best, evaluations=100, took=0.01, reason="budget", **data)


EVENTS = [
    event("begin", 0.0, file="a.c", branches=BRANCHES, engine="hybrid", seed=0, budget=2.0, evaluations=1000),
    slice_of(0.1, "seeds", 0.0, news="0F 1F"),
    slice_of(0.2, "targets", 4.0, branch="1T"),
    slice_of(0.3, "targets", 2.5, branch="1T"),
    slice_of(0.4, "minimize", 0.0, news="0T"),
    event("proof", 0.5, strategy="prove", branch="1T", effort="solvers", took=0.25, answer="unknown"),
    event("query", 0.6, strategy="explore", branch="1T", conditions=2, took=0.5, answer="unknown: no time"),
    event("task", 0.6, task="search", took=0.7),
    event("end", 0.6, stopped="the time budget is used up", evaluations=400, reached=[0, 1], notes=[], verdicts=[
        verdict("0T", "covered", input="f(3)"), verdict("0F", "covered", input="f(0)"),
        verdict("1T", "undecided", why="no input found in 400 evaluations"), verdict("1F", "infeasible", by="z3")]),
]  # fmt: skip


def written(folder: Path, events: list[dict[str, Any]], end: str = "") -> Path:
    path = folder / "t.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in events) + end)
    return path


def test_a_search_is_told_by_strategy_solver_and_task(tmp_path: Path) -> None:
    (story,) = read(written(tmp_path, EVENTS))
    text = "\n".join(about_search(story))
    assert text.startswith("a.c:f: 2 covered, 1 infeasible, 1 undecided.  Stopped because the time budget is used up.")
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}
    assert rows["targets"] == ["targets", "2", "200", "0.02"]
    assert rows["seeds"][-2:] == ["0F", "1F"]
    assert rows["search"][:3] == ["search", "1", "0.70"]
    assert "prove, without an answer" in text
    assert "  1T    line 3: x > 9 true" in text


@pytest.mark.parametrize(
    ("branch", "said"),
    [
        ("0T", ["line 2: x == 3 true", "covered by f(3)", "found at 0.400 s by minimize"]),
        ("1F", ["infeasible: proved by z3"]),
        ("1T", ["undecided: no input found in 400 evaluations",
                "2 slices searched for it, 200 evaluations, 50 % of all",
                "nearest: R = 2.5 at 0.300 s, by targets", "proof at 0.500 s (solvers, 0.250 s): unknown",
                "query at 0.600 s (0.500 s): unknown: no time", "the solvers ran out of time",
                "the budget is used up (2 s)"]),
        ("0F", ["covered by f(0)", "found at 0.100 s by seeds"]),
    ],
)  # fmt: skip
def test_the_story_of_a_branch(branch: str, said: list[str], tmp_path: Path) -> None:
    (story,) = read(written(tmp_path, EVENTS))
    text = "\n".join(about_branch(story, branch))
    assert [part for part in said if part not in text] == []


def test_a_condition_that_no_run_came_to_is_the_first_thing_to_know(tmp_path: Path) -> None:
    end = {**EVENTS[-1], "reached": [0]}
    (story,) = read(written(tmp_path, [*EVENTS[:-1], end]))
    lines = about_branch(story, "1T")
    assert lines[lines.index("What may help:") + 1].startswith("  no run reached its condition")


def test_a_trace_of_a_command_that_was_killed_can_be_read(tmp_path: Path) -> None:
    (story,) = read(written(tmp_path, EVENTS[:4], '{"target": "a.c:f", "eve'))
    assert "Stopped because the command ended before the search did." in about_search(story)[0]
    assert "undecided: the command ended before the search did" in about_branch(story, "1T")


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "the file is empty; make a trace with cover --trace"), ("[1, 2]\n", ":1: is not an event of a trace"),
     ("{}\n{}\n", ":1: is not an event of a trace"), (None, "can not be read")],
)  # fmt: skip
def test_what_is_no_trace_is_refused(content: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    if content is not None:
        path.write_text(content)
    with pytest.raises(OptionError, match=message):
        read(path)


def test_an_event_without_its_fields_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, [EVENTS[0], event("slice", 0.5)])
    assert main(["explain", str(path)]) == 2
    said = capsys.readouterr().err
    assert "this version of zeroin can not read an event of the trace" in said
    assert len(said.splitlines()) == 1
