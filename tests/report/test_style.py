"""Whether there are colours, and which."""

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

from zeroin import Suite
from zeroin.report.style import Style, takes_codes
from zeroin.report.text import TextReport
from zeroin.solvers.base import Proof
from zeroin.solvers.smt import Z3

Suites = dict[str, list[Suite]]
RED, YELLOW, DIM, END = "\x1b[31m", "\x1b[33m", "\x1b[2m", "\x1b[0m"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "on_terminal", "elsewhere"),
    [
        ({}, True, False),
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": "0"}, False, False),  # whatever it says
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "0"}, False, False),
        ({"FORCE_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_who_decides(environment: dict[str, str], on_terminal: bool, elsewhere: bool) -> None:
    assert Style.of(Terminal(), environment).color == on_terminal
    assert Style.of(io.StringIO(), environment).color == elsewhere


def test_a_dumb_terminal_takes_no_codes() -> None:
    assert takes_codes(Terminal(), {})
    assert not takes_codes(Terminal(), {"TERM": "dumb"})
    assert not takes_codes(io.StringIO(), {"TERM": "xterm"})


def test_what_needs_a_look_stands_out(covered: Suites) -> None:
    suite = covered["python"][0]
    text = TextReport(Style(True)).text([suite])
    assert f"{RED}exception{END}  sign.py:4: #3 sign(" in text
    assert YELLOW not in text
    assert re.search(r"\| x > 2.5 \| T #\d   F #\d", text.replace("  |", " |"))  # covered: plain
    open_ = TextReport(Style(True)).text([dataclasses.replace(suite, inputs=[])])
    assert f"{YELLOW}T undecided (no " in open_
    proof = Proof(Z3(), "z3", 0.1)
    proved = dataclasses.replace(suite, inputs=[], proofs={branch.outcome: proof for branch in suite.branches})
    assert f"{DIM}T infeasible (proved by z3" in TextReport(Style(True)).text([proved])
    allowed = dataclasses.replace(suite, findings=[dataclasses.replace(suite.findings[0], allowed=True)])
    assert RED not in TextReport(Style(True)).text([allowed])


def test_colours_change_nothing_else(covered: Suites) -> None:
    for of_one in covered.values():
        for suite in (of_one[0], dataclasses.replace(of_one[0], inputs=[])):
            colored = TextReport(Style(True)).text([suite])
            assert colored != re.sub(r"\x1b\[\d+m", "", colored) == TextReport().text([suite])


def shown(folder: Path, **environment: str) -> str:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen([sys.executable, "-m", "zeroin", "show", "m.py:f"], cwd=folder, stdout=theirs,
                          env={**plain, "TERM": "xterm", **environment}) as process:  # fmt: skip
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            text += part
    os.close(ours)
    assert process.returncode == 0
    return text.decode()


def test_the_command_asks_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(x: float):\n    return x > 2\n")
    assert shown(tmp_path).startswith("\x1b[1mf(x: float)\x1b[0m")
    for environment in ({"TERM": "dumb"}, {"NO_COLOR": "1"}):
        assert "\x1b" not in shown(tmp_path, **environment)
