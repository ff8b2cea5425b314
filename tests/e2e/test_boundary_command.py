"""``zeroin boundary``: what it prints, writes and refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from commands import zeroin
from zeroin.cli.main import main
from zeroin.emit.test_header import read_mark

C = """int f(double x, int n)
{
    if (x * 2.0 < 3.0)
        return n > 40000;
    return x * x == 3.0;
}
int none(int a) { return a; }
"""
PYTHON = """
def f(x: float, n: int, name: str = "a"):
    if x * 2 < 3 and n < 2.5:
        return 1
    return name == "b"
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "f.c"
    path.write_text(C)
    return path


def test_a_line_for_each_comparison_and_a_test(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, report = tmp_path / "out", tmp_path / "report.json"
    command = ["boundary", f"{source}:f", "--out", str(out), "--fail-under", "100", "--json", str(report)]
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("    3 | x * 2.0 < 3.0 | = #")
    assert lines[3].startswith("    4 | n > 40000     | = #")
    assert lines[4].startswith("    5 | x * x == 3.0  | = infeasible (proved by ")
    (summary,) = [line for line in lines if line.startswith("9 boundaries: 8 covered by")]
    assert "1 proved infeasible, 0 undecided" in summary
    (target,) = json.loads(report.read_text())["targets"]
    names = [f"{number}{sign}" for number in range(3) for sign in "=+-"]
    assert [branch["id"] for branch in target["branches"]] == names
    assert [branch["outcome"] for branch in target["branches"]] == ["equal", "above", "below"] * 3
    inputs = {name: kept["args"] for kept in target["inputs"] for name in kept["branches"]}
    assert inputs.keys() == {*names} - {"2="}
    assert [inputs[name][0] for name in ("0=", "0+", "0-")] == [1.5, 1.5000000000000002, 1.4999999999999998]
    assert [inputs[name][1] for name in ("1=", "1+", "1-")] == [40000, 40001, 39999]
    assert [inputs[name][0] ** 2 for name in ("2+", "2-")] == [3.0000000000000004, 2.9999999999999996]
    (test,) = [path for path in out.iterdir() if path.suffix == ".c"]
    assert test.name == "test_f_f_boundary.c"
    assert "zeroin boundary --emit c --seed 0" in test.read_text()
    mark = read_mark(test.read_text())
    assert mark is not None
    assert mark.covered == 8
    assert "Covers 8 of 9 boundaries with" in test.read_text()


def test_what_cover_found_is_left_alone(source: Path, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "out"), "--emit", "c", "--quiet"]
    assert main(["cover", f"{source}:f", *out]) == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out" / ".found").iterdir()}
    assert before
    assert main(["boundary", f"{source}:f", *out]) == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out" / ".found").iterdir()} == before
    assert len([path for path in (tmp_path / "out").iterdir() if path.suffix == ".c"]) == 2


def test_the_test_of_a_python_function_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "g.py"
    path.write_text(PYTHON)
    out = tmp_path / "out"
    assert main(["boundary", f"{path}:f", "--out", str(out), "--budget", "5"]) == 0
    told = capsys.readouterr().out
    assert "    3 | x * 2 < 3 | = #" in told
    assert "    3 | n < 2.5   | = " in told
    assert 'name == "b"' not in told  # texts have no neighbours
    test = out / "test_zeroin_g_f_boundary.py"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(test)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "zeroin boundary" in test.read_text()


def test_a_function_without_comparisons_is_done(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boundary", f"{source}:none", "--emit", "none", "--fail-under", "100"]) == 0
    assert "No comparisons: there are no boundaries." in capsys.readouterr().out


def test_what_is_not_decided_is_less_than_asked(source: Path) -> None:
    command = [
        "boundary",
        f"{source}:f",
        "--emit",
        "none",
        "--engine",
        "random",
        "--evals",
        "100",
        "--fail-under",
        "90",
    ]
    assert main(command) == 1


def test_an_option_of_another_command_is_refused(source: Path) -> None:
    done = zeroin("boundary", f"{source}:f", "--line", "3", cwd=source.parent)
    assert done.returncode == 2
    assert "unrecognized arguments: --line 3" in done.stderr
