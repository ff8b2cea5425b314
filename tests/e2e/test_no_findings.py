"""What is no finding: preconditions, documented exceptions, numbers that are not finite, sizes that no machine has."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as XML

import pytest

from commands import zeroin

PYTHON = '''
import math
from collections import deque

def gain(x: float, dt: float) -> float:
    """x per second."""
    assert dt > 0.0, "dt"
    if x < 0:
        return -1.0
    return x / dt

def seconds(text: str) -> int:
    """Seconds in "90s". ValueError for all else."""
    if text.endswith("s"):
        return int(text[:-1])
    raise ValueError("no unit")

def undocumented(text: str) -> int:
    if text.endswith("s"):
        return int(text[:-1])
    raise ValueError("no unit")

def wave(x: float, n: int) -> float:
    if n > 3 and x > 1.7976931348623157e308:
        return math.sin(x)
    return 0.5

def roots(x: float, n: int) -> float:
    if n > 3 or x != x + 1:
        return math.sqrt(x)
    return 0.5

class Window:
    def __init__(self, size: int) -> None:
        assert size > 0
        self.items: deque[float] = deque(maxlen=size)

    def add(self, x: float) -> float:
        self.items.append(x)
        assert x != 0.0 or len(self.items) < 3
        return max(self.items)
'''


C = """
#include <assert.h>
double gain(double x, double dt)
{
    assert(dt > 0.0);
    if (x < 0)
        return -1.0;
    assert(x != 100.0);
    return x / dt;
}
double ratio(double x, double dt)
{
    assert(dt > 0.0);
    return x < 0 ? -1.0 : x / dt;
}
"""


def cover(folder: Path, target: str, *options: object) -> tuple[int, str, dict[str, Any]]:
    """The exit code, what is printed, and the JSON's only target."""
    report = folder / "out.json"
    done = zeroin("cover", target, "--evals", "60_000", "--json", report, *options, cwd=folder)
    assert done.returncode in (0, 1), done.stderr
    (told,) = json.loads(report.read_text())["targets"]
    return done.returncode, done.stdout, told


def passes(test: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.name]
    return subprocess.run(command, cwd=test.parent, capture_output=True, timeout=120).returncode == 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text(PYTHON)
    (tmp_path / "own.c").write_text(C)
    return tmp_path


def test_a_precondition_of_python(folder: Path) -> None:
    code, out, told = cover(folder, "own.py:gain", "--junit", folder / "out.xml", "--sarif", folder / "out.sarif")
    assert code == 0
    assert told["findings"] == []
    (line,) = told["not_counted"]
    assert line.endswith('"assert dt > 0.0" (line 7), which stands at the top: a precondition')
    assert f"not counted: {line}\n" in out
    assert {branch["verdict"] for branch in told["branches"]} == {"covered"}
    assert any("fails" in kept.get("not_counted", "") for kept in told["inputs"])
    test = folder / "zeroin-out" / "test_zeroin_own_gain.py"
    assert "pytest.raises(AssertionError" in test.read_text()
    assert "xfail" not in test.read_text()
    assert passes(test)
    suite = XML.parse(folder / "out.xml").getroot()
    assert suite.get("failures") == "0"
    assert f"not counted: {line}" in (suite.findtext("testsuite/system-out") or "")
    assert json.loads((folder / "out.sarif").read_text())["runs"][0]["results"] == []


def test_a_precondition_of_c(folder: Path) -> None:
    code, out, told = cover(folder, "own.c:gain", "--junit", folder / "out.xml", "--sarif", folder / "out.sarif")
    assert code == 1
    assert [finding["message"] for finding in told["findings"]] == ["assertion failed: x != 100.0"]
    (line,) = told["not_counted"]
    assert line.endswith('"assert(dt > 0.0)" (line 5), which stands at the top: a precondition')
    assert f"not counted: {line}\n" in out
    assert "1 that fails a precondition and 1 that fails an assertion" in out
    test = (folder / "zeroin-out" / "test_own_gain.c").read_text()
    assert "Not tested: gain(" in test
    assert test.count("Run only when it is named") == 1
    assert XML.parse(folder / "out.xml").getroot().get("failures") == "1"
    assert len(json.loads((folder / "out.sarif").read_text())["runs"][0]["results"]) == 1
    code, out, told = cover(folder, "own.c:ratio", "--measure", "mutants", "--evals", 2_000_000)
    assert (code, told["findings"]) == (0, [])
    assert {branch["verdict"] for branch in told["branches"]} == {"covered"}
    assert told["stopped"] == "every branch is covered"
    (kept,) = [kept for kept in told["inputs"] if "not_counted" in kept]
    assert kept["outcome"] == "crashed"  # as scripts know it


def test_an_exception_that_is_documented(folder: Path) -> None:
    code, out, told = cover(folder, "own.py:seconds")
    assert (code, told["findings"], told["not_counted"]) == (0, [], [])
    assert "raises ValueError: invalid literal for int()" in out
    assert any(kept["result"] is not None for kept in told["inputs"])  # and a number is read, too
    assert "that raise" not in out
    test = folder / "zeroin-out" / "test_zeroin_own_seconds.py"
    assert "xfail" not in test.read_text()
    assert passes(test)
    code, out, told = cover(folder, "own.py:undocumented")
    assert (code, [finding["kind"] for finding in told["findings"]]) == (1, ["exception"])
    assert "and 1 that raises" in out


def test_numbers_that_are_not_finite(folder: Path) -> None:
    code, out, told = cover(folder, "own.py:wave", "--suite", "small")
    assert (code, told["findings"]) == (0, [])
    (line,) = told["not_counted"]
    assert "inf" in line
    assert line.endswith("raises ValueError: math domain error, which no finite input does, as far as known "
                         "(--finite leaves such inputs out)")  # fmt: skip
    assert out.count("not counted: ") == 1
    test = (folder / "zeroin-out" / "test_zeroin_own_wave.py").read_text()
    assert "inf" not in test.partition("# Inputs without a test:")[0]
    code, _, told = cover(folder, "own.py:wave", "--finite")
    assert (code, told["not_counted"]) == (0, [])
    code, _, told = cover(folder, "own.py:roots", "--suite", "small")
    (finding,) = told["findings"]
    assert code == 1
    assert told["inputs"][finding["input"]]["args"][0] not in ("inf", "-inf", "nan")


def test_sizes_that_no_machine_has(folder: Path) -> None:
    code, _, told = cover(folder, "own.py:Window")
    assert code == 1  # the assertion further down
    assert [finding["kind"] for finding in told["findings"]] == ["assertion"]
    assert any("assert size > 0" in line for line in told["not_counted"])
    assert all("no machine" in line or "a precondition" in line for line in told["not_counted"])
    assert passes(folder / "zeroin-out" / "test_zeroin_own_window.py")
