"""Tests of functions before which others are called, that set a variable of the module."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from zeroin import Budget, Options, cover
from zeroin.emit.files import write
from zeroin.emit.test_header import Batch
from zeroin.emit.trial import Trial
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.languages.python.measure.coverage import measure
from zeroin.suite.suite import Suite

TEXT = """
DEBUG, LIMIT, ITEMS = False, 3, [1]


class Box:
    def __init__(self, n: int) -> None:
        self.n = -n if DEBUG else n


def set_debug(on: bool) -> None:
    global DEBUG
    DEBUG = on


def set_limit(low: int, *, twice: bool) -> None:
    global LIMIT
    LIMIT = 2 * low if twice else low


def set_items(*items: int) -> None:
    global ITEMS
    ITEMS = [*items]


def f(x: int) -> int:
    if DEBUG:
        return x + 1
    return x


def opened(box: Box) -> int:
    if DEBUG and box.n > 2:
        return box.n
    return 0


def limited(x: float) -> float:
    if LIMIT == 77:
        raise ValueError("limit")
    return x / (LIMIT - 8) if LIMIT > 7 else x


def added(x: int) -> list[int]:
    ITEMS.append(x)
    if len(ITEMS) == 4:
        return ITEMS
    return []


def test(low: int) -> bool:
    return low < LIMIT and LIMIT == 10
"""


@pytest.fixture(scope="module")
def suites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Suite]:
    path = tmp_path_factory.mktemp("setters") / "switched.py"
    path.write_text(TEXT)
    names = ("f", "opened", "limited", "added", "test")
    return {name: cover(f"{path}:{name}", Options(budget=Budget(30_000, 30.0))) for name in names}


def pytest_run(*tests: str, folder: Path) -> str:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *tests]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["f", "opened", "limited", "added", "test"])
def test_what_is_written_passes_in_every_order(name: str, suites: dict[str, Suite], tmp_path: Path) -> None:
    suite = suites[name]
    assert {verdict.verdict for verdict in suite.verdicts} == {"covered"}
    path = write(PytestFile(), suite, tmp_path)
    assert "Inputs without a test" not in path.read_text()
    assert PytestFile().tried(path, Batch((suite,))) == Trial()
    listed = [line for line in pytest_run("--collect-only", path.name, folder=tmp_path).splitlines() if "::" in line]
    assert len(listed) == len(suite.inputs) - len(suite.repeats)
    pytest_run(*listed[::-1], folder=tmp_path)
    report = measure(suite, path)
    assert report.failed == 0
    assert report.branches[0] == report.branches[1]


def test_a_setter_comes_before_the_call(suites: dict[str, Suite]) -> None:
    text = PytestFile().text(Batch((suites["f"],)), Path("."))
    assert "    set_debug(True)\n    assert f(2) == 3\n" in text
    assert "def test_f_debug_false():\n    # line 26: DEBUG -> false\n    assert f(2) == 2\n" in text
    assert "global f, set_debug\n" in text


def test_objects_are_made_before_a_setter_is_called(suites: dict[str, Suite]) -> None:
    text = PytestFile().text(Batch((suites["opened"],)), Path("."))
    assert "    box = Box(3)\n    set_debug(True)\n    assert opened(box) == 3\n" in text


def test_arguments_of_setters_stand_in_tables(suites: dict[str, Suite]) -> None:
    text = PytestFile().text(Batch((suites["test"],)), Path("."))
    assert "(low, low_, twice, expected):\n    set_limit(low_, twice=twice)\n" in text
    text = PytestFile().text(Batch((suites["limited"],)), Path("."))
    assert 'set_limit(77, twice=False)\n    with pytest.raises(ValueError, match=r"^limit$"):\n        limited(' in text


def test_items_of_a_setter_stand_where_it_is_called(suites: dict[str, Suite]) -> None:
    text = PytestFile().text(Batch((suites["added"],)), Path("."))
    assert re.search(r"    set_items\(-?\d+, -?\d+, -?\d+\)\n    assert added\(", text)
