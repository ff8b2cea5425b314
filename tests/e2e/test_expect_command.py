"""``--expect``: what runs may end with that is no finding."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import zeroin

PYTHON = """
class Overdrawn(ArithmeticError):
    pass

def inverse(n: int, names: dict[str, int]) -> float:
    if n > 5 and names["n"] == 77:
        return 1.0
    if 100 // n == 7:
        return 2.0
    return 0.0

def checks(n: int) -> int:
    assert n != 3
    if n == 7:
        raise SystemExit(4)
    return n

def calls(n: int) -> int:
    return int("x") if n == 5 else n
"""
C = """
#include <assert.h>
#include <stdlib.h>
int f(int n) {
    if (n == 3) exit(2);
    if (n == 5) abort();
    assert(n != 9);
    return n / (n ^ 11);
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain.py").write_text(PYTHON)
    (tmp_path / "plain.c").write_text(C)
    return tmp_path


def findings(done: subprocess.CompletedProcess[str]) -> list[str]:
    (target,) = json.loads(done.stdout)["targets"]
    return [finding["message"].partition(":")[2].strip() or finding["message"] for finding in target["findings"]]


@pytest.mark.parametrize(("expected", "left"), [
    ([], {"ZeroDivisionError: integer division or modulo by zero", "KeyError: 'n'"}),
    (["ZeroDivisionError"], {"KeyError: 'n'"}),
    (["ArithmeticError"], {"KeyError: 'n'"}),
    (["builtins.LookupError"], {"ZeroDivisionError: integer division or modulo by zero"}),
    (["LookupError, decimal.DivisionByZero"], {"ZeroDivisionError: integer division or modulo by zero"}),
    (["KeyError", "ZeroDivisionError"], set()),
])  # fmt: skip
def test_exceptions_that_are_expected_are_no_findings(folder: Path, expected: list[str], left: set[str]) -> None:
    options = [word for one in expected for word in ("--expect", one)]
    done = zeroin("cover", "plain.py:inverse", *options, "--json", "-", "--evals", 20_000, cwd=folder)
    assert set(findings(done)) == left
    assert done.returncode == bool(left)


def test_tests_pin_them_all_the_same(folder: Path) -> None:
    zeroin("cover", "plain.py:inverse", "--expect", "KeyError,ZeroDivisionError", "--evals", 20_000, cwd=folder)
    test = folder / "zeroin-out" / "test_zeroin_plain_inverse.py"
    text = test.read_text()
    assert "pytest.raises(KeyError" in text
    assert "--expect" in text
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", test.name]
    assert subprocess.run(command, cwd=test.parent, capture_output=True, timeout=120).returncode == 0


def test_assertions_and_exits_of_python_can_be_expected_by_their_classes(folder: Path) -> None:
    done = zeroin("cover", "plain.py:checks", "--expect", "AssertionError", "--expect", "SystemExit", "--json", "-",
                  "--evals", 20_000, "--emit", "none", cwd=folder)  # fmt: skip
    assert done.returncode == 0
    (target,) = json.loads(done.stdout)["targets"]
    assert {branch["verdict"] for branch in target["branches"]} == {"covered"}


def test_many_runs_with_expected_exceptions_do_not_go_to_native_code(folder: Path) -> None:
    done = zeroin("cover", "plain.py:calls", "--expect", "ValueError", "--evals", 300_000, "--emit", "none", cwd=folder)
    assert done.returncode == 0


@pytest.mark.parametrize(("expected", "left"), [
    ([], 4), (["exit"], 3), (["abort,assert"], 2), (["exit", "abort", "assert"], 1),
])  # fmt: skip
def test_ends_of_c_that_are_expected_are_no_findings(folder: Path, expected: list[str], left: int) -> None:
    options = [word for one in expected for word in ("--expect", one)]
    done = zeroin("cover", "plain.c:f", *options, "--json", "-", "--evals", 50_000, "--emit", "none", cwd=folder)
    assert len(findings(done)) == left


@pytest.mark.parametrize(("target", "expected", "why"), [
    ("plain.py:inverse", "ZeroDivisonError", "no exception; there is ZeroDivisionError"),
    ("plain.py:inverse", "nowhere.Error", "write it as package.module.Error"),
    ("plain.py:inverse", "inverse", "is not an exception class"),
    ("plain.py:inverse", "Overdrwan", "there is Overdrawn"),
    ("plain.c:f", "ValueError", "where only exit, abort and assert can be expected"),
])  # fmt: skip
def test_what_can_not_be_expected_is_one_line(folder: Path, target: str, expected: str, why: str) -> None:
    done = zeroin("cover", target, "--expect", expected, cwd=folder)
    assert done.returncode == 2
    assert why.removeprefix("no exception; ") in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_of_several_targets_each_takes_what_it_knows(folder: Path) -> None:
    done = zeroin("cover", "plain.py:inverse", "plain.c:f", "--expect", "Overdrawn", "--json", "-", "--emit", "none",
                  "--evals", 20_000, cwd=folder)  # fmt: skip
    python, c = json.loads(done.stdout)["targets"]
    assert not [note for note in python["notes"] if "ignored" in note]
    assert c["notes"][0] == "--expect Overdrawn is ignored: it is not exit, abort or assert"
