"""``--objective`` and ``--minimizer`` with objects of the user."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from commands import zeroin

PROGRAM = "int f(double x, int n) { int r = 0; if (x == 2.25) r = 1; if (n == 1234567) r = 2; return r; }\n"
PYTHON = """
def f(x: float, n: int) -> int:
    r = 0
    if x == 2.25:
        r = 1
    if n == 12:
        r = 2
    return r
"""
OBJECTIVES = """
from zeroin import Objective
from zeroin.distance import EQ, ulp
class Both(Objective):
    r0 = 0.0
    @staticmethod
    def pen(data, r, site, op, a, b):
        return r + ulp(EQ, a, b)
class Negative(Objective):
    @staticmethod
    def pen(data, r, site, op, a, b):
        return -1.0
class Nan(Objective):
    @staticmethod
    def pen(data, r, site, op, a, b):
        return float("nan")
class Raising(Objective):
    @staticmethod
    def pen(data, r, site, op, a, b):
        if a != b:
            raise ValueError("different")
        return 1.0
class Dividing(Objective):
    @staticmethod
    def pen(data, r, site, op, a, b):
        return 1.0 / (site - site)
class Broken(Objective):
    @staticmethod
    def pen(data, r, site, op, a, b):
        return r + unknown
class Empty(Objective):
    pass
nothing = 3
"""
MINIMIZERS = """
from zeroin.minimize.base import evaluate, is_open, random_between
from zeroin.native.kernel import kernel
@kernel
def DRAWING(door, domain, x, rng):
    while is_open(door):
        for i in range(len(x)):
            x[i] = random_between(rng, domain.low[i], domain.high[i])
        evaluate(door, x)
def CLIMBING(door, domain, x, rng):
    here = [int(word) for word in x]
    best, moved = door.evaluate(here), True
    while moved and best not in (0.0, float("inf")):
        moved = False
        for i, (low, high) in enumerate(domain.ranges):
            for way in (1, -1):
                step = way
                while True:
                    there = list(here)
                    there[i] = min(max(there[i] + step, low), high)
                    value = door.evaluate(there)
                    if value < best:
                        here, best, moved, step = there, value, True, 2 * step
                    elif step == way:
                        break
                    else:
                        step = way
def RAISING(door, domain, x, rng):
    raise ValueError("no luck")
def ENDLESS(door, domain, x, rng):
    while True:
        pass
def IDLE(door, domain, x, rng):
    pass
def OUTSIDE(door, domain, x, rng):
    x[:] = (1 << 63) - 1
    while door.evaluate(x) < float("inf"):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"f.c": PROGRAM, "f.py": PYTHON, "mine.py": OBJECTIVES, "own.py": MINIMIZERS}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def covered(folder: Path, target: str, *options: str) -> tuple[list[str], CompletedProcess[str]]:
    """The verdicts of the goals, and the command."""
    done = zeroin("cover", target, *options, "--json", "out.json", "--evals", "200000", "--budget", "60", cwd=folder)
    if done.returncode == 2:
        return [], done
    (report,) = json.loads((folder / "out.json").read_text())["targets"]
    return [branch["verdict"] for branch in report["branches"]], done


@pytest.mark.parametrize("target", ["f.c:f", "f.py:f"])
def test_an_input_for_which_an_objective_is_zero_is_found_and_tested(target: str, folder: Path) -> None:
    verdicts, done = covered(folder, target, "--objective", "mine.py:Both", "--suite", "small")
    assert verdicts == ["covered"]
    assert "Both == 0" in done.stdout
    number = "1234567" if target == "f.c:f" else "12"
    assert f"f(2.25, {number}) = 2" in done.stdout
    (test,) = [path for path in (folder / "zeroin-out").iterdir() if path.name.lower().startswith("test_")]
    assert "both" in test.name.lower()
    text = test.read_text()
    assert f"f(2.25, {number})" in text
    assert "zeroin cover " in text
    assert "--objective mine.py:Both" in text


@pytest.mark.parametrize(
    ("objective", "message"),
    [
        ("mine.py:Gone", "mine.py has no Gone; it has "),
        ("mine.py:nothing", "give a subclass of zeroin.Objective, not 3"),
        ("mine.py:Empty", "Empty does not define pen(data, r, site, op, a, b)"),
        ("mine.py:Broken", "it can not be compiled: NameError: name 'unknown' is not defined"),
        ("gone.py:X", "gone.py: no such file"),
        ("gone.module:X", "gone.module: importing it raised ModuleNotFoundError"),
    ],
)
def test_an_objective_that_is_none_is_refused(objective: str, message: str, folder: Path) -> None:
    _, done = covered(folder, "f.c:f", "--objective", objective)
    assert done.returncode == 2
    assert message in done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("objective", "note"),
    [
        ("Negative", "is -1, but it must not be negative"),
        ("Nan", "the objective had no finite value for any input"),
        ("Raising", "its pen raises an exception"),
        ("Dividing", "its pen raises an exception"),
    ],
)
def test_wrong_values_of_an_objective_are_noted(objective: str, note: str, folder: Path) -> None:
    verdicts, done = covered(folder, "f.c:f", "--objective", f"mine.py:{objective}")
    assert verdicts == ["undecided"]
    assert note in done.stdout


@pytest.mark.parametrize(("minimizer", "count"), [("DRAWING", 2), ("CLIMBING", 4), ("IDLE", 2), ("OUTSIDE", 2)])
def test_a_minimizer_of_the_user(minimizer: str, count: int, folder: Path) -> None:
    options = ("--engine", "minimize", "--minimizer", f"own.py:{minimizer}", "--budget", "2")
    verdicts, done = covered(folder, "f.c:f", *(options if minimizer == "IDLE" else options[:-2]))
    assert done.returncode == 0
    assert verdicts.count("covered") >= count


def test_objects_of_a_module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker starts before the test, so it is told where the module is."""
    package = folder / "package"
    package.mkdir()
    (package / "zeroin_own_objects.py").write_text(MINIMIZERS + OBJECTIVES)
    monkeypatch.setenv("PYTHONPATH", str(package))
    command = [sys.executable, "-m", "zeroin", "cover", "f.c:f", "--objective", "zeroin_own_objects:Both",
               "--minimizer", "zeroin_own_objects:CLIMBING", "--emit", "none"]  # fmt: skip
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert "1 branch: 1 covered" in done.stdout


def test_what_was_found_before_a_minimizer_raises_is_kept(folder: Path) -> None:
    verdicts, done = covered(folder, "f.c:f", "--minimizer", "own.py:RAISING", "--seed", "3")
    assert verdicts.count("covered") >= 2
    assert "it raised ValueError: no luck (own.py:" in done.stdout or verdicts == ["covered"] * 4


def test_a_minimizer_that_never_returns_ends_with_the_budget(folder: Path) -> None:
    options = ("--engine", "minimize", "--minimizer", "own.py:ENDLESS", "--budget", "1")
    done = zeroin("cover", "f.c:f", *options, cwd=folder)
    assert done.returncode == 0
    assert "the time budget is used up" in done.stdout


@pytest.mark.parametrize(("option", "own"), [("--objective", "mine.py:Both"), ("--minimizer", "own.py:DRAWING")])
@pytest.mark.parametrize("target", ["f.c:f", "f.py:f"])
def test_code_of_the_user_is_imported_in_the_sandbox(option: str, own: str, target: str, folder: Path) -> None:
    file, written = folder / own.partition(":")[0], folder / "written"
    file.write_text(f"open({str(written)!r}, 'w').close()\n" + file.read_text())
    _, done = covered(folder, target, option, own)
    assert done.returncode == 2
    assert f"{file}: importing it raised" in done.stderr
    assert "Traceback" not in done.stderr
    assert not written.exists()
