"""Progress: what a terminal shows while searches run, and what a pipe gets."""

from __future__ import annotations

import dataclasses
import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

import zeroin
from zeroin import Suite
from zeroin.cli.streams import Stream
from zeroin.report import live
from zeroin.report.live import Progress, for_terminal
from zeroin.worker.progress import SearchState

Suites = dict[str, list[Suite]]
WIDTH = 60
DONE = "2 of 2 branches, 0.0 M evaluations/s"


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(text: str) -> list[str]:
    """The lines that a terminal shows of an output; other control codes than those of the progress are an error."""
    lines, row, column = [""], 0, 0
    for part in re.findall(r"\x1b\[\d*[A-Z]|[\r\n]|[^\x1b\r\n]+|\x1b", text):
        if part == "\r":
            column = 0
        elif part == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif part == "\x1b[2K":
            lines[row] = ""
        elif part == "\x1b[1A":
            row -= 1
        else:
            assert part.isprintable(), part
            lines[row] = lines[row][:column].ljust(column) + part + lines[row][column + len(part) :]
            column += len(part)
    return "\n".join(lines).rstrip("\n").split("\n")


class Clock:
    """A clock that a test sets."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    perf_counter = monotonic


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(live, "time", made)
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setenv("TERM", "xterm")
    return made


@pytest.fixture
def states(covered: Suites) -> list[SearchState]:
    """Two searches that have covered everything."""
    (suite, *_), made = covered["python"], []
    for name in ("first", "second"):
        target = dataclasses.replace(suite.target, text=name, function=name)
        all_ = {branch.outcome for branch in suite.branches}
        made.append(SearchState(target, branches=suite.branches, covered=all_, started=0.0))
    return made


def test_each_running_search_has_a_line_on_a_terminal(clock: Clock, states: list[SearchState]) -> None:
    terminal = Terminal()
    progress = Progress(Stream(terminal))  # type: ignore[arg-type]
    for clock.now in (0.0, 0.2, 0.4):
        for state in states:
            progress(state, "tick")
    assert shown(terminal.getvalue()) == [f"first: {DONE}", f"second: {DONE}"]
    clock.now = 2.0
    progress(states[1], "tick")  # the other one is silent for more than a second
    assert shown(terminal.getvalue()) == [f"second: {DONE}"]


def test_a_line_is_cut_at_the_edge_and_obeys_nobody(clock: Clock, states: list[SearchState]) -> None:
    terminal = Terminal()
    progress = Progress(Stream(terminal))  # type: ignore[arg-type]
    states[0].last = f"14: x > '\x1b[8m\n[red]' {'y' * WIDTH}"
    for clock.now in (0.0, 0.2, 0.4):
        progress(states[0], "tick")
    assert shown(terminal.getvalue()) == [f"first: {DONE}, last 14: x > '\\x1b[8m\\n[red]'"[:WIDTH]]


def test_results_are_printed_where_the_lines_were(clock: Clock, states: list[SearchState]) -> None:
    terminal = Terminal()
    progress = Progress(Stream(terminal))  # type: ignore[arg-type]

    def searched(number: int) -> int:
        for _ in range(3):
            clock.now += 0.2
            for state in states:
                progress(state, "tick")
        return number

    for number in progress.hidden_during(map(searched, range(3))):
        print(f"result {number}", file=terminal)
        searched(number)  # by another thread, while results are printed
        print("more of it", file=terminal)
    assert terminal.getvalue().count(f"first: {DONE}") > 3
    assert shown(terminal.getvalue()) == [line for n in range(3) for line in (f"result {n}", "more of it")]


def test_a_pipe_gets_a_line_now_and_then(clock: Clock, states: list[SearchState]) -> None:
    for stream, takes in ((io.StringIO(), False), (Terminal(), True)):
        progress = Progress(stream, every=2.0)
        for clock.now in (0.0, 1.0, 2.0, 3.0, 4.5):
            progress(states[0], "tick")
        assert (stream.getvalue() == 2 * f"first: {DONE}\n") is not takes


def test_nothing_is_shown_before_a_target_is_loaded_or_if_nobody_looks(clock: Clock, states: list[SearchState]) -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    states[0].branches = None
    for clock.now in (0.0, 1.0):
        progress(states[0], "tick")
        for_terminal(quiet=True)(states[1], "tick")
    assert terminal.getvalue() == ""
    assert list(progress.hidden_during([1, 2])) == [1, 2]
    assert terminal.getvalue() == ""


def test_the_command_leaves_nothing_of_it(tmp_path: Path) -> None:
    never = "int {}(int n) {{ if (erfc(n) > 3) return 1; return 0; }}\n"  # nobody proves that
    (tmp_path / "two.c").write_text("double erfc(double);\n" + never.format("f") + never.format("g"))
    command = [sys.executable, "-m", "zeroin", "cover", "two.c", "--jobs", "2", "--budget", "2", "--emit", "none"]
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "120", "LINES": "50"}
    with subprocess.Popen(command, cwd=tmp_path, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        text = ""
        while part := _read(ours):
            text += part
    os.close(ours)
    assert process.returncode == 0
    for name in ("f", "g"):
        assert f"{name}: 1 of 2 branches, " in text
    screen = shown(text)
    assert [line for line in screen if "1 of 2 branches, " in line] == []
    told = [line.split()[-1] for line in screen if line.startswith(("complete ", "incomplete "))]
    assert told == ["two.c:f", "two.c:g"]


def _read(descriptor: int) -> str:
    try:
        return os.read(descriptor, 65536).decode()
    except OSError:  # the other end is closed
        return ""


def test_a_search_for_faults_is_told(covered: Suites) -> None:
    (suite,) = covered["python"]
    state = SearchState(suite.target, suite.signature, suite.sites, suite.branches, {0, 1}, last="2: x > 2.5 true")
    assert live.describe(state).endswith("evaluations/s, last 2: x > 2.5 true")
    state.seeks_faults = True
    assert live.describe(state).endswith("evaluations/s, looking for faults")


def test_the_watcher_sees_the_search_for_faults(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text("def f(n: int) -> int:\n    if n > 3:\n        return 1\n    return 1 // n\n")
    seen = list[bool]()
    zeroin.cover(f"{tmp_path}/f.py:f", zeroin.Options(zeroin.Budget(20_000, 5.0)),
                 watch=lambda state, what: seen.append(state.seeks_faults))  # fmt: skip
    assert (seen[0], seen[-1]) == (False, False)
    assert True in seen
