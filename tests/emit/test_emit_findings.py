"""What emitted tests have of findings: one expected failure for each exception and line, beside ordinary inputs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from suites import MakeSuite
from zeroin import Budget, Options, Suite, cover
from zeroin.emit.test_header import Batch, mark, read_mark
from zeroin.languages.c.emit.test_file import CTest
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.subject.base import Termination
from zeroin.suite.suite import Finding

SEVERAL = """
def share(a: int, b: int, kind: int) -> float:
    parts = b
    if kind == 1:
        parts = 0
    elif kind == 2:
        parts = b - b
    elif kind > 500:
        parts = 0 * b
    part = a // parts
    if part > 3:
        assert a < 50
    return part
"""
RATIO = "def ratio(a: float, b: float) -> float:\n    return a / b\n"
GAP = "def gap(a: int, b: int) -> float:\n    return 1 / (a - b)\n"
NEVER = "def never(a: int) -> float:\n    return a / 0\n"


def covered(folder: Path, text: str, function: str) -> Suite:
    path = folder / "subject.py"
    path.write_text(text)
    return cover(f"{path}:{function}", Options(budget=Budget(evaluations=20_000, seconds=20.0)))


def test_one_expected_failure_for_each_exception_and_line(tmp_path: Path) -> None:
    suite = covered(tmp_path, SEVERAL, "share")
    raising = [n for n, kept in enumerate(suite.inputs) if kept.outcome in (Termination.RAISED, Termination.ASSERTED)]
    assert len(raising) > 2  # how often it is found is no matter of how often it is tested
    text = PytestFile().text(Batch((suite,)), tmp_path)
    assert sorted(re.findall(r"xfail\(.*?raises=(\w+)", text, re.S)) == ["AssertionError", "ZeroDivisionError"]
    others = len(raising) - 2
    assert sum(map(int, re.findall(r"# (\d+) more inputs? ends? like this on the same line", text))) == others
    head = read_mark(mark(Batch((suite,)), tmp_path))
    assert head is not None
    assert head.inputs == len(suite.inputs) - others
    (tmp_path / "test_it.py").write_text(text)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "2 xfailed" in done.stdout
    assert f"{len(suite.inputs) - len(raising)} passed" in done.stdout


def test_the_plainest_input_shows_it(tmp_path: Path) -> None:
    suite = covered(tmp_path, SEVERAL, "share")
    shown = {number: len(suite.signature.show(kept.words)) for number, kept in enumerate(suite.inputs)}
    assert suite.repeats
    assert all(shown[first] <= shown[number] for number, first in suite.repeats.items())
    assert not suite.repeats.keys() & set(suite.repeats.values())


@pytest.mark.parametrize(("text", "function"), [(RATIO, "ratio"), (GAP, "gap")])
def test_an_ordinary_input_is_among_the_tests(tmp_path: Path, text: str, function: str) -> None:
    suite = covered(tmp_path, text, function)
    outcomes = [kept.outcome for kept in suite.inputs]
    assert Termination.RETURNED in outcomes
    assert Termination.RAISED in outcomes
    assert f"    assert {function}(" in PytestFile().text(Batch((suite,)), tmp_path)


def test_where_there_is_no_ordinary_input_the_finding_stands_alone(tmp_path: Path) -> None:
    suite = covered(tmp_path, NEVER, "never")
    assert [kept.outcome for kept in suite.inputs] == [Termination.RAISED]


def test_of_c_one_case_for_each_assertion(make_suite: MakeSuite, tmp_path: Path) -> None:
    text = "int share(int a, int b)\n{\n    return a / b;\n}\n"
    suite = make_suite("share.c", text, "share", [(4, 2)], crashing=[(7, 0), (10, 0)])
    ending = suite.inputs[1].replay.ending
    suite.findings.append(Finding("crash", suite.inputs[1].words, ending, 1))
    assert suite.repeats == {2: 1}
    written = CTest().text(Batch((suite,)), tmp_path)
    assert "share(7, 0)" in written
    assert "share(10, 0)" not in written
