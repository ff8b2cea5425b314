"""Measure the coverage that an emitted pytest file reaches with coverage.py, an independent judge."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .... import scratch
from ....emit.files import write
from ....emit.trial import run_inside
from ....errors import MissingDependency, TargetError, ZeroinError
from ....measure import Judge, Share, of
from ....sandbox.landlock import Sandbox
from ....suite.suite import COVERED, Suite
from ..emit.test_file import PytestFile

_SECONDS = 300.0
_TESTS_RAN = (0, 1, 2, 5)  # pytest's status: passed, failed, not importable, no tests


@dataclass(frozen=True)
class CoverageReport:
    """The coverage of the body of the function under test, or of the methods of the class. Pairs are (covered, total).

    Attributes:
        statements: the executed statements. Nested functions are included, the ``def`` line is not.
        branches: the jumps between lines that were made. coverage.py sees no branches inside an expression.
        missing: the jumps that were not made, in the order of their lines, as ``line 12 -> line 15`` or
            ``line 12 -> exit``.
        failed: the number of tests that did not pass; 1 if the file could not be imported.
        ours: the branches that the suite covers, as zeroin counts them.
    """

    statements: Share
    branches: Share
    missing: list[str]
    failed: int
    ours: Share = (0, 0)

    def __str__(self) -> str:
        failed = f"; {self.failed} tests fail" if self.failed else ""
        missing = f" (not {', '.join(self.missing)})" if self.missing else ""
        return (f"coverage.py: statements {of(self.statements)}, branches {of(self.branches)}{missing}{failed}; "
                f"zeroin: {of(self.ours)}")  # fmt: skip


class CoveragePy(Judge):
    """Runs coverage.py on a suite's pytest file."""

    languages = ("python",)

    def measure(self, suite: Suite) -> CoverageReport:
        with scratch.folder() as folder:
            return measure(suite, write(PytestFile(), suite, folder))


def measure(suite: Suite, test_path: Path, seconds: float = _SECONDS) -> CoverageReport:
    """Run the emitted test under coverage.py in another process, and count the coverage of the suite's function.

    Args:
        suite: the suite that the file tests.
        test_path: the file that :class:`zeroin.languages.python.emit.test_file.PytestFile` wrote.
        seconds: the time limit of the run, in seconds.

    Raises:
        MissingDependency: coverage.py or pytest is not installed.
        TargetError: the target's file can not be read, or has no such function (any more).
        ZeroinError: pytest did not run the tests, or not in time.
    """
    for package in ("coverage", "pytest"):
        if importlib.util.find_spec(package) is None:
            raise MissingDependency(f"measuring needs {package}, which is not installed: pip install 'zeroin[measure]'")
    path = suite.target.path.resolve()
    lines = _body(path, suite.target.function)
    with scratch.folder() as folder:
        _run(test_path.resolve(), path, folder, seconds, suite.options.allow)
        files = json.loads((folder / "coverage.json").read_text(encoding="utf-8"))["files"]
        failed = _failed(folder / "tests.xml")
    ours = suite.count(COVERED), len(suite.branches)
    return _report(next(iter(files.values())), lines, failed, ours)


def _run(test: Path, path: Path, folder: Path, seconds: float, allow: Collection[str]) -> None:
    """Run the test in another process, which writes ``coverage.json`` and ``tests.xml`` into the folder.

    Args:
        test: the test file.
        path: the file under test.
        folder: where the results are written.
        seconds: the time limit, in seconds.
        allow: what the sandbox permits, as in :class:`zeroin.config.Options`.

    Raises:
        ZeroinError: pytest did not run the tests, or not in time.
    """
    ended = run_inside(f"{__name__}:count", [str(test), str(path), str(folder)], allow=allow, tells=True,
                       writable=[folder], seconds=seconds, quiet=False)  # fmt: skip
    if ended.status is None:
        raise ZeroinError(f"{test}: pytest did not end within {seconds:g} seconds")
    if ended.status not in _TESTS_RAN or not Path(folder, "coverage.json").exists():
        last = ended.said.strip().splitlines()[-1:]
        raise ZeroinError(f"{test}: pytest did not run the tests: {''.join(last) or f'status {ended.status}'}")


def count(sandbox: Sandbox, test: str, path: str, folder: str) -> None:
    """Run the test under coverage.py in this process, and end the process with pytest's status.

    The report includes the file at ``path`` even if nothing imports it.

    Args:
        sandbox: the sandbox of this process; unused, but :func:`zeroin.emit.trial.run_inside` passes it.
        test: the test file.
        path: the file of the function under test.
        folder: the folder where ``coverage.json`` and ``tests.xml`` are written.

    Raises:
        SystemExit: always, at the end.
    """
    import coverage
    import pytest

    pattern = re.sub(r"[\[\]*]", "?", path)  # coverage.py reads a path as a pattern
    judge = coverage.Coverage(data_file=None, branch=True, config_file=False, include=[pattern], messages=False)
    judge.start()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "-o", "addopts=", "-o", "junit_family=xunit2",
                          f"--junitxml={folder}/tests.xml", f"--basetemp={folder}/tests", test])  # fmt: skip
    judge.stop()
    judge.json_report(morfs=[path], outfile=f"{folder}/coverage.json")
    sys.exit(status)


def _failed(results: Path) -> int:
    """Return the number of failures and errors in a file of test results in JUnit's XML format."""
    suites = ElementTree.parse(results).iter("testsuite")
    return sum(int(suite.get("failures", 0)) + int(suite.get("errors", 0)) for suite in suites)


def _report(counts: dict[str, Any], lines: Collection[int], failed: int, ours: Share) -> CoverageReport:
    """Return the coverage of some lines.

    Args:
        counts: coverage.py's report of the file.
        lines: the numbers of the lines that count.
        failed, ours: see :class:`CoverageReport`.
    """
    done, undone = (sum(n in lines for n in counts[f"{what}_lines"]) for what in ("executed", "missing"))
    taken, missing = (
        [(start, end) for start, end in counts.get(f"{what}_branches", []) if start in lines]
        for what in ("executed", "missing")
    )
    shown = [
        f"line {start} -> {f'line {end}' if end > 0 else 'exit'}" for start, end in sorted(missing, key=_jump_order)
    ]
    return CoverageReport((done, done + undone), (len(taken), len(taken) + len(missing)), shown, failed, ours)


def _jump_order(jump: tuple[int, int]) -> tuple[int, bool, int]:
    """Return a key that sorts jumps by line, with the exit, whose number is negative, last."""
    return jump[0], jump[1] < 0, jump[1]


def _body(path: Path, function: str) -> Collection[int]:
    """Return the numbers, from 1, of the lines of a function's body, or of the bodies of a class's methods.

    Inherited methods and those of nested classes are not included.

    If several functions have one name, the last counts, as in Python.

    Raises:
        TargetError: the file can not be read, or has no such function.
    """
    try:
        scopes: list[ast.AST] = [ast.parse(path.read_bytes())]
    except (OSError, SyntaxError) as error:
        raise TargetError(f"{path}: can not be read: {error}") from error
    for name in function.split("."):
        scopes = [node for scope in scopes for node in _definitions(scope) if node.name == name]
    if not scopes or not isinstance(scopes[-1], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        raise TargetError(f"{path} has no function {function!r}")
    if isinstance(scopes[-1], ast.ClassDef):
        methods = {node.name: node for node in _definitions(scopes[-1]) if not isinstance(node, ast.ClassDef)}
        return {line for method in methods.values() for line in _lines(method)}
    return _lines(scopes[-1])


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> range:
    """Return the numbers of the lines of a function's body, without those of its header."""
    return range(function.body[0].lineno, (function.end_lineno or function.lineno) + 1)


def _definitions(scope: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the functions and classes that a scope itself defines, also inside statements such as ``if``."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node
        else:
            yield from _definitions(node)
