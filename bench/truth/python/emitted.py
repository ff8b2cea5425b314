"""The tests that zeroin writes: each has to assert something, and to pass in fresh processes with two hash seeds."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from zeroin import Suite, ZeroinError
from zeroin.emit.files import deliver
from zeroin.emit.test_header import Batch
from zeroin.languages.python.emit.test_file import PytestFile

from ..verdicts import Checked

_HASH_SEEDS = "1", "2"
_SECONDS = 300.0  # for pytest
_FAILED = re.compile(r"^(?:FAILED|ERROR) \S+?(?:::(\w+))?(?:\[.*?\])?(?: - (.*))?$", re.M)


def check_tests(suites: Sequence[Suite], checked: Sequence[Checked], folder: Path) -> None:
    """Write the tests of the suites, which are of one module, and note what is wrong with them in ``checked``.

    The programs do the same in every run, so an input that is left out because its test does not pass is one, too.
    """
    try:
        written = deliver(PytestFile(), Batch(tuple(suites), whole=True), folder / "tests")
    except ZeroinError as error:
        checked[0].fails(str(error))
        return
    for suite, one in zip(suites, checked, strict=True):
        for why in [why for refused, why in written.refused if refused.target == suite.target]:
            one.fails(f"no test is written: {why}")
        for note in [note for note in suite.notes if "is left out of the test" in note]:
            one.fails(note)
    judge(written.path, checked)


def judge(path: Path, checked: Sequence[Checked]) -> None:
    """Look at the tests in a file, and run them."""
    text = path.read_text()
    tests = {node.name: node for node in ast.parse(text).body
             if isinstance(node, ast.FunctionDef) and node.name.startswith("test")}  # fmt: skip
    owner = {name: _owner(node, checked) for name, node in tests.items()}
    for name, node in tests.items():
        owner[name].tests += 1
        if not _asserts(node):
            owner[name].asserts_nothing(f"{name} asserts nothing: {ast.unparse(node)}")
    for seed in _HASH_SEEDS if tests else ():
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE", str(path)]
        ended = subprocess.run(command, cwd=path.parent, env={**os.environ, "PYTHONHASHSEED": seed}, timeout=_SECONDS,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # fmt: skip
        if ended.returncode == 0:
            continue
        failed = _FAILED.findall(ended.stdout)
        for name, why in failed:
            shown = ast.unparse(tests[name]) if name in tests else path.name
            owner.get(name, checked[0]).fails(f"{name or path.name} fails with PYTHONHASHSEED={seed}: {why}; {shown}")
        if not failed:
            checked[0].fails(f"pytest ends with {ended.returncode} with PYTHONHASHSEED={seed}: {ended.stdout[-500:]}")


def _owner(test: ast.FunctionDef, checked: Sequence[Checked]) -> Checked:
    """The program that a test is of."""
    names = {node.id if isinstance(node, ast.Name) else node.attr for node in ast.walk(test)
             if isinstance(node, ast.Name | ast.Attribute)}  # fmt: skip
    return next((one for one in checked if one.program.function in names), checked[0])


def _asserts(test: ast.FunctionDef) -> bool:
    """Whether something is compared, or an exception expected, be it by a mark that has to come true."""
    marks = [ast.unparse(mark) for mark in test.decorator_list]
    if any("xfail" in mark and "strict=True" in mark and "raises=" in mark for mark in marks):
        return True
    return any(isinstance(node, ast.Assert) or (isinstance(node, ast.Attribute) and node.attr == "raises")
               or (isinstance(node, ast.Name) and node.id == "raises") for node in ast.walk(test))  # fmt: skip
