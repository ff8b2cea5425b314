"""Coverage by coverage.py of emitted pytest files: the numbers of small functions, counted by hand."""

from __future__ import annotations

import dataclasses
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from zeroin.emit.files import write
from zeroin.errors import MissingDependency, TargetError, ZeroinError
from zeroin.generate.stopped import Stopped
from zeroin.languages.c.front.layout import Scalar
from zeroin.languages.c.front.parameters import CParameter, CSignature
from zeroin.languages.python.emit.test_file import PytestFile
from zeroin.languages.python.language import PythonTarget
from zeroin.languages.python.measure.coverage import CoverageReport, measure
from zeroin.languages.python.replay import PythonReplay
from zeroin.languages.python.values.snapshots import snapshot
from zeroin.subject.base import Termination
from zeroin.suite.suite import Input, Suite
from zeroin.words import Kind

SOURCE = """\
def other(x):
    if x:
        return 1


class Shape:
    @staticmethod
    def area(x):
        '''The area.'''
        if x < 0:
            raise ValueError("no")
        for _ in range(2):
            if x > 10:
                return (
                    10
                )

        def inner():
            return x
        return inner()


def area(x):
    return x


if True:
    def chosen(x): return x if x else 0
else:
    def chosen(x):
        return 2
"""


def make(folder: Path, function: str, runs: list[tuple[Any, Any]], source: str = SOURCE) -> tuple[Suite, Path]:
    """The suite of some arguments and results (an exception for one that raises), and its emitted test."""
    path = folder / "code[1]" / "shapes_of_test.py"
    path.parent.mkdir()
    path.write_text(source)
    inputs = []
    for argument, result in runs:
        replay = PythonReplay(Termination.RETURNED, arguments=(snapshot(argument),), value=snapshot(result))
        if isinstance(result, Exception):
            raised = f"builtins:{type(result).__name__}"
            replay = dataclasses.replace(replay, value=None, raised=raised, message=str(result))
        inputs.append(Input((), frozenset(), replay))
    signature = CSignature(function, (CParameter("x", "", Scalar(Kind.F64)),), "")
    target = PythonTarget(f"shapes.py:{function}", path, function)
    suite = Suite(target=target, signature=signature, sites=[], branches=[], inputs=inputs, findings=[],
                  seed=0, evaluations=1, seconds=0.1, stopped=Stopped.COVERED)  # fmt: skip
    tests = folder / "tests"
    tests.mkdir()
    return suite, write(PytestFile(), suite, tests)


def test_counts_of_the_body_alone(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "Shape.area", [(1.0, 1.0), (-1.0, ValueError("no"))])
    # Statements: if, raise, for, if, return 10, def inner, its return, return. Branches: two each of if, for, if.
    assert measure(suite, test) == CoverageReport((7, 8), (5, 6), ["line 13 -> line 14"], 0)


def test_everything(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "Shape.area", [(1.0, 1.0), (-1.0, ValueError("no")), (11.0, 10)])
    assert measure(suite, test) == CoverageReport((8, 8), (6, 6), [], 0)


def test_branch_to_the_exit(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "other", [(1, 1)])
    assert measure(suite, test) == CoverageReport((2, 2), (1, 2), ["line 2 -> exit"], 0)


def test_failing_tests_are_counted(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "other", [(1, 1), (0, 1)])
    assert measure(suite, test) == CoverageReport((2, 2), (2, 2), [], 1)


def test_no_tests(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "other", [])
    assert measure(suite, test) == CoverageReport((0, 2), (0, 2), ["line 2 -> line 3", "line 2 -> exit"], 0)


def test_test_that_can_not_be_imported(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "other", [(1, 1)])
    test.write_text("import nothing_of_this_name\n")
    assert measure(suite, test) == CoverageReport((0, 2), (0, 2), ["line 2 -> line 3", "line 2 -> exit"], 1)


def test_the_users_settings_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite, test = make(tmp_path, "area", [(1, 1)])
    (test.parent / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n")
    (test.parent / ".coveragerc").write_text("[run]\nomit = *\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--no-such-option-either")
    monkeypatch.setenv("COVERAGE_PROCESS_START", str(test.parent / ".coveragerc"))
    assert measure(suite, test) == CoverageReport((1, 1), (0, 0), [], 0)
    assert sorted(p.name for p in test.parent.iterdir()) == [".coveragerc", "pytest.ini", test.name]


def test_what_an_import_may_not_do_fails_there(tmp_path: Path) -> None:
    opens = """import socket

try:
    socket.socket(socket.AF_INET6).bind(("::1", 0))
except OSError:
    pass


def area(x):
    return x
"""
    suite, test = make(tmp_path, "area", [(1, 1)], opens)
    assert measure(suite, test) == CoverageReport((1, 1), (0, 0), [], 0)


def test_stdlib(tmp_path: Path) -> None:
    import colorsys

    suite, test = make(tmp_path, "area", [(1, 1)])
    target = dataclasses.replace(suite.target, path=Path(colorsys.__file__), function="rgb_to_hls")
    test.write_text("from colorsys import rgb_to_hls\n\n\ndef test():\n    rgb_to_hls(0.0, 0.0, 0.0)\n")
    report = measure(dataclasses.replace(suite, target=target), test)
    assert 0 < report.statements[0] < report.statements[1]
    assert 0 < report.branches[0] < report.branches[1]
    assert report.failed == 0


def test_the_last_of_several_counts(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "chosen", [])
    assert measure(suite, test).statements == (0, 1)


def test_gone(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "missing", [])
    with pytest.raises(TargetError, match=r"shapes_of_test.py has no function 'missing'"):
        measure(suite, test)
    suite.target.path.write_text("def (")
    with pytest.raises(TargetError, match="can not be read"):
        measure(suite, test)


def test_pytest_that_does_not_run_the_tests(tmp_path: Path) -> None:
    suite, test = make(tmp_path, "other", [(1, 1)])
    with pytest.raises(ZeroinError, match="did not run the tests"):
        measure(suite, test.with_name("test_gone.py"))
    test.write_text("import time\n\ndef test_slow():\n    time.sleep(60)\n")
    with pytest.raises(ZeroinError, match="did not end within 2 seconds"):
        measure(suite, test, seconds=2)


@pytest.mark.parametrize("package", ["coverage", "pytest"])
def test_missing_dependency(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    suite, test = make(tmp_path, "other", [])
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else find(name))
    with pytest.raises(MissingDependency, match=rf"{package}, .*pip install 'zeroin\[measure\]'$"):
        measure(suite, test)
