"""What the installed command does with assumptions: the report, the files it writes, and what it refuses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from commands import zeroin

PYTHON = """
def clamp(x: float, lo: float, hi: float) -> float:
    if lo >= hi:
        return 1 / (lo - lo)
    return lo if x < lo else hi if x > hi else x

def scaled(x: float, by: float) -> float:
    return x / by if x > by else by
"""
C = """
double clamp(double x, double lo, double hi) {
    if (lo >= hi) __builtin_trap();
    return x < lo ? lo : x > hi ? hi : x;
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain.py").write_text(PYTHON)
    (tmp_path / "plain.c").write_text(C)
    return tmp_path


@pytest.mark.parametrize("name", ["plain.py", "plain.c"])
def test_the_report_and_the_test_say_what_is_assumed(folder: Path, name: str) -> None:
    done = zeroin("cover", f"{name}:clamp", "--assume", "lo < hi, -1e6 <= x <= 1e6", "--finite", "--json", "r.json",
                  "--budget", 5, cwd=folder)  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    said = "lo < hi, -1e6 <= x <= 1e6, all floats are finite"
    assert done.stdout.splitlines()[1] == f"assuming {said}"
    assert f"assuming {said}" in next(line for line in done.stdout.splitlines() if "lo >= hi" in line)
    (target,) = json.loads((folder / "r.json").read_text())["targets"]
    assert target["assumptions"] == ["lo < hi", "-1e6 <= x <= 1e6", "all floats are finite"]
    assert [b["verdict"] for b in target["branches"]].count("infeasible") == 1
    assert not target["findings"]
    for kept in target["inputs"]:
        x, lo, hi = kept["args"]
        assert lo < hi
        assert abs(x) <= 1e6
    (test,) = (folder / "zeroin-out").glob("test_*")
    assert f"Assuming {said}." in test.read_text().replace("\n", " ")


@pytest.mark.parametrize("name", ["plain.py", "plain.c"])
def test_without_the_assumption_there_is_a_finding(folder: Path, name: str) -> None:
    assert zeroin("cover", f"{name}:clamp", "--budget", 2, cwd=folder).returncode == 1


def test_the_command_in_the_test_makes_the_same_test(folder: Path) -> None:
    zeroin("cover", "plain.py:clamp", "--assume", "clamp: lo < hi", "--evals", 20_000, cwd=folder)
    (test,) = (folder / "zeroin-out").glob("test_*")
    before = test.read_text()
    command = before.partition("Made by:\n\n")[2].partition("\n\n")[0].replace("\\\\\n", " ").replace('\\"', '"')
    words = shlex.split(command)
    test.unlink()
    assert zeroin(*words[1:], cwd=folder).returncode == 0
    assert test.read_text() == before


def test_of_several_targets_each_takes_what_is_about_it(folder: Path) -> None:
    done = zeroin("cover", "plain.py", "--assume", "clamp: x > 0", "--assume", "lo < hi, by > 1", "--json", "-",
                  "--emit", "none", "--budget", 2, cwd=folder)  # fmt: skip
    found = {target["target"]: target for target in json.loads(done.stdout)["targets"]}
    clamp, scaled = found["plain.py:clamp"], found["plain.py:scaled"]
    assert clamp["assumptions"] == ["lo < hi", "x > 0"]
    assert scaled["assumptions"] == ["by > 1"]
    assert clamp["notes"][0] == '--assume "by > 1" is ignored: clamp has no number called by'
    assert scaled["notes"][0] == '--assume "lo < hi" is ignored: scaled has no number called lo'
    assert all(kept["args"][1] > 1 for kept in scaled["inputs"])


def test_show_says_what_is_assumed(folder: Path) -> None:
    assert "assuming lo < hi\n" in zeroin("show", "plain.c:clamp", "--assume", "lo < hi", cwd=folder).stdout


@pytest.mark.parametrize(("assumed", "why"), [
    ("lo < hi, hi < lo", '--assume "lo < hi, hi < lo": no input satisfies that (proved by '),
    ("x > 3, x < 3", '--assume "x < 3": no value of x is > 3 and < 3'),
    ("clmp: x > 3", 'no target is called clmp; there is clamp'),
    ("z > 3", "clamp has no number called z (it has: hi, lo, x)"),
    ("x >", "invalid syntax"),
])  # fmt: skip
def test_what_can_not_be_assumed_is_one_line(folder: Path, assumed: str, why: str) -> None:
    done = zeroin("cover", "plain.py:clamp", "--assume", assumed, cwd=folder)
    assert done.returncode == 2
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not done.stdout


def test_what_an_earlier_search_has_found_is_not_taken_up_if_it_violates_an_assumption(folder: Path) -> None:
    zeroin("cover", "plain.c:clamp", "--evals", 20_000, cwd=folder)
    done = zeroin("cover", "plain.c:clamp", "--resume", "--assume", "lo < hi", "--evals", 20_000, "--json", "r.json",
                  cwd=folder)  # fmt: skip
    assert done.returncode == 0
    (target,) = json.loads((folder / "r.json").read_text())["targets"]
    assert all(kept["args"][1] < kept["args"][2] for kept in target["inputs"])


FULL = {
    "sums.py": "def f(x: int, y: int, z: float) -> float:\n    return x * 3 + y if x > 100 else z + x - y\n",
    "sums.c": "double f(int x, int y, double z) { if (x > 100) return x * 3 + y; return z + x - y; }\n",
}


@pytest.mark.parametrize("name", FULL)
def test_inputs_that_notice_changes_of_the_code_are_those_that_are_assumed(folder: Path, name: str) -> None:
    (folder / name).write_text(FULL[name])
    count = {}
    for suite in ("small", "full"):
        done = zeroin("cover", f"{name}:f", "--assume", "x + y == 200, -4 <= z < 1e3", "--suite", suite, "--json", "-",
                      "--emit", "none", "--evals", 100_000, cwd=folder)  # fmt: skip
        assert done.returncode == 0, done.stderr
        (target,) = json.loads(done.stdout)["targets"]
        count[suite] = len(target["inputs"])
        for kept in target["inputs"]:
            x, y, z = kept["args"]
            assert x + y == 200
            assert -4 <= float(z) < 1e3
    assert count["full"] >= count["small"]


def test_what_a_configuration_says_of_all_may_be_of_others(folder: Path) -> None:
    (folder / "zeroin.toml").write_text(
        'assume = ["lo < hi", "scaled: by > 1"]\nfinite = true\nexpect = ["KeyError", "Strange"]\n'
        '[target."plain.py:scaled"]\nassume = "by < 9, x < 5"\nexpect = "ZeroDivisionError"\n'
    )
    done = zeroin("cover", "plain.py", "--json", "-", "--emit", "none", "--evals", 20_000, cwd=folder)
    clamp, scaled = json.loads(done.stdout)["targets"]
    assert clamp["assumptions"] == ["lo < hi", "all floats are finite"]
    assert "--expect Strange is ignored: plain has no such exception" in clamp["notes"]
    assert scaled["assumptions"] == ["by < 9", "x < 5", "by > 1", "all floats are finite"]
    assert not [note for note in scaled["notes"] if "ignored" in note]
    alone = zeroin("cover", "plain.py:scaled", "--assume", "by > 2", "--json", "-", "--emit", "none", "--evals", 20_000,
                   cwd=folder)  # fmt: skip
    (target,) = json.loads(alone.stdout)["targets"]
    assert target["assumptions"] == ["by > 2", "all floats are finite"]


def test_a_test_of_several_functions_says_what_is_assumed_of_which(folder: Path) -> None:
    zeroin("cover", "plain.py", "--assume", "lo < hi", "--assume", "scaled: by > 1", "--evals", 20_000, cwd=folder)
    test = folder / "zeroin-out" / "test_zeroin_plain.py"
    before = test.read_text()
    assert "Assuming lo < hi (of clamp).\nAssuming by > 1 (of scaled).\n" in before
    command = before.partition("Made by:\n\n")[2].partition("\n\n")[0].replace("\\\\\n", " ").replace('\\"', '"')
    test.unlink()
    assert zeroin(*shlex.split(command)[1:], cwd=folder).returncode == 0
    assert test.read_text() == before
