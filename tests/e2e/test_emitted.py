"""Whatever a function does, the test that is written of it passes, and what it can not say is said."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ZEROIN = str(Path(sys.executable).parent / "zeroin")

HEAD = "import builtins, signal, sys\n\n\n"
# The functions: what they do when x is greater than 3, and whether a test can say so.
BODIES = {
    "raises_local_base": ("class Stop(BaseException):\n    pass\nraise Stop('here')", True),
    "raises_made": ("raise type('Made', (ValueError,), {})('made')", True),
    "raises_group": ("raise ExceptionGroup('many', [ValueError('a'), TypeError('b')])", True),
    "asks": ("return len(input('name? '))", True),
    "patches": ("builtins.len = lambda y: 7\nreturn len('abc')", False),
    "hashes": ("return hash('zeroin')", True),
    "rings": ("signal.alarm(100)", False),
    "recurses_less": ("sys.setrecursionlimit(300)", False),
}  # fmt: skip
SOURCE = HEAD + "\n\n".join(
    "\n    ".join([f"def {name}(x: float) -> int:", "if x > 3:", *(f"    {line}" for line in body.splitlines()),
                   "return 1\n"])
    for name, (body, _) in BODIES.items()
)  # fmt: skip
PLAIN = "def {}(x: float) -> int:\n    return 1 if x > 3 else 0\n"
NAMES = ["1bad-name.py", "a:b.py"]

Done = subprocess.CompletedProcess[str]


def cover(folder: Path, *arguments: object) -> Done:
    command = [ZEROIN, "cover", *map(str, arguments), "--evals", "500", "--jobs", "2"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("emitted")
    (folder / "odd.py").write_text(SOURCE)
    for name in NAMES:
        (folder / name).write_text(PLAIN.format("f"))
    (folder / "package").mkdir()
    (folder / "package" / "__init__.py").write_text("from .package import package\n")
    (folder / "package" / "package.py").write_text(PLAIN.format("package") + PLAIN.format("test_it"))
    return folder


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    return cover(folder, "odd.py", *NAMES, "package/package.py", "--suite", "small", "--json", "-")


def targets(done: Done) -> dict[str, dict[str, Any]]:
    return {target["target"]: target for target in json.loads(done.stdout)["targets"]}


@pytest.mark.parametrize("name", BODIES)
def test_inputs_of_which_no_test_passes_are_noted(name: str, done: Done, folder: Path) -> None:
    notes = [note for note in targets(done)[f"odd.py:{name}"]["notes"] if "left out of the test" in note]
    assert len(notes) == (0 if BODIES[name][1] else 1)
    assert all(note.startswith(f"{name}(") and f"note: {note}" in done.stderr for note in notes)
    text = (folder / "zeroin-out" / "test_zeroin_odd.py").read_text()
    assert "\n    zeroin cover --emit pytest --seed 0 --evals 500 --suite small odd.py\n" in text
    assert f"{name}(0.0) == 1\n" in text
    assert (f"# - {name}(" in text.partition("# Inputs without a test:")[2]) == (len(notes) == 1)


def test_what_is_not_pinned_is_noted(done: Done, folder: Path) -> None:
    (note,) = [note for note in targets(done)["odd.py:hashes"]["notes"] if "is not compared" in note]
    assert re.fullmatch(r"hashes\(.*\) is not compared: its result depends on the order of a set, or a hash", note)
    assert f"note: {note}" in done.stderr
    assert "assert type(hashes(" in (folder / "zeroin-out" / "test_zeroin_odd.py").read_text()


@pytest.mark.parametrize("target", [*(f"{name}:f" for name in NAMES), "package/package.py:package",
                                    "package/package.py:test_it"])  # fmt: skip
def test_modules_of_any_name_are_found(target: str, done: Done) -> None:
    assert target in targets(done)
    assert targets(done)[target]["notes"] == []


def test_all_that_is_written_passes(done: Done, folder: Path) -> None:
    assert done.returncode == 1, done.stderr  # findings
    assert not [line for line in done.stderr.splitlines() if line.startswith("zeroin: ")]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    environment = {**os.environ, "PYTHONHASHSEED": "2"}
    run = subprocess.run(command, cwd=folder / "zeroin-out", capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stdout
    assert len(list((folder / "zeroin-out").glob("test_*.py"))) == 2 + len(NAMES)  # one for each source


def test_a_test_that_can_not_be_written_is_no_success(tmp_path: Path) -> None:
    """That of a function which was named; one of a whole file may lack."""
    (tmp_path / "f.c").write_text("int half(int x) { return x / 2; }\nint f(int x) { return x > 3 ? half(x) : 0; }\n")
    out = tmp_path / "zeroin-out"
    (out / "test_f_f.c").mkdir(parents=True)
    first = cover(tmp_path, "f.c:f", "--quiet")
    assert (first.returncode, first.stderr) == (0, "")
    (path,) = out.glob("test_f_f_*.c")
    path.write_text("another's")
    second = cover(tmp_path, "f.c:f", "--quiet")
    assert second.returncode == 2
    assert second.stderr.startswith("zeroin: zeroin-out/test_f_f_")
    assert second.stdout == "complete       2 of 2     f.c:f\n"
    assert cover(tmp_path, "f.c", "--quiet").returncode == 0  # of all its functions, one has no test


def test_findings_of_several_kinds_are_expected_to_fail(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "def f(n: int) -> float:\n    if n == 7:\n        return [1.0][n]\n    return 1 / n\n"
    )
    done = cover(tmp_path, "two.py:f")
    test = (tmp_path / "zeroin-out" / "test_zeroin_two_f.py").read_text()
    assert "is left out" not in done.stdout
    assert sorted(re.findall(r"strict=True, raises=(\w+)", test)) == ["IndexError", "ZeroDivisionError"]
