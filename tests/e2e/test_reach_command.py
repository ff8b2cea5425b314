"""``zeroin reach``: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import zeroin
from zeroin.cli.main import main

TEXT = """int f(double x, int n)
{
    if (x * x == 2.25) {
        if (n > 40000)
            return 1;
        if (n < 3 && n > 4)
            return 2;
    }
    return 0;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "f.c"
    path.write_text(TEXT)
    return path


def test_a_line_a_branch_and_their_tests(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    common = ["--out", str(out), "--emit", "c", "--fail-under", "100"]
    assert main(["reach", f"{source}:f", "--line", "5", *common]) == 0
    told = capsys.readouterr().out
    assert "    5 | return 1; | reached #0" in told
    assert "1 branch: 1 covered by 1 input, 0 undecided." in told
    assert main(["reach", f"{source}:f", "--branch", "1F", "--branch", "0T", *common]) == 0
    told = capsys.readouterr().out
    assert "2 branches: 2 covered by 1 input, 0 undecided." in told
    assert "n < 3" not in told
    assert sorted(path.name for path in out.iterdir()) == ["test_f_f_1F_0T.c", "test_f_f_line_5.c", "zeroin_test.h"]
    head = (out / "test_f_f_line_5.c").read_text()
    assert "zeroin reach --emit c --seed 0 --line 5" in head
    assert "--branch 1F --branch 0T" in (out / "test_f_f_1F_0T.c").read_text()


def test_what_no_input_reaches_is_proved(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.json"
    command = ["reach", f"{source}:f", "--line", "7", "--emit", "none", "--json", str(report), "--fail-under", "100"]
    assert main(command) == 0
    assert "    7 | return 2; | reached infeasible (proved by " in capsys.readouterr().out
    (target,) = json.loads(report.read_text())["targets"]
    (branch,) = target["branches"]
    assert (branch["id"], branch["verdict"], branch["line"]) == ("L7", "infeasible", 7)
    assert target["inputs"] == []


def test_inputs_that_cover_found_are_left_alone(source: Path, tmp_path: Path) -> None:
    out = ["--out", str(tmp_path / "out"), "--emit", "c", "--quiet"]
    assert main(["cover", f"{source}:f", *out]) == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "out" / ".found").iterdir()}
    assert before
    assert main(["reach", f"{source}:f", "--line", "5", *out]) == 0
    assert {path.name: path.read_bytes() for path in (tmp_path / "out" / ".found").iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "one of the arguments --line --path --branch is required"),
        (["--line", "5", "--branch", "0T"], "not allowed with argument"),
        (["--path", "0T", "--line", "5"], "not allowed with argument"),
        (["--path", ""], '--path: name the decisions, such as "0T, 3F"'),
        (["--path", ", "], '--path: name the decisions, such as "0T, 3F"'),
        (["--path", "0F 1T"], "--path: after 0F no condition follows, not 1T"),
        (["--path", "0T", "--engine", "random"], "--path: --engine random can not follow a path; leave out --engine"),
        (["--line", "0"], "--line 0: give a line number, 1 or more"),
        (["--line", "x"], "invalid int value"),
        (["--line", "2"], "--line 2: no statement of the function begins there; its conditions are on lines 3, 4, 6"),
        (["--branch", "17T"], "--branch 17T: no such branch; there are 0T, 0F, 1T, 1F, 2T, 2F, 3T, 3F (zeroin show"),
    ],
)
def test_what_can_not_be_reached_is_refused_in_a_line(source: Path, arguments: list[str], complaint: str) -> None:
    done = zeroin("reach", f"{source}:f", "--emit", "none", *arguments, cwd=source.parent)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
