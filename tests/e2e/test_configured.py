"""A configuration in use: options of one target, allowed findings, and what is said of what is out of date."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import commands
from e2e.conftest import Command

SOURCE = "def f(a, b):\n    return 1 if a > 3 else b\n\ndef g(a: int):\n    return 1 // a\n"


def zeroin(folder: Path, *arguments: str) -> commands.Done:
    return commands.zeroin(*arguments, cwd=folder)


def test_a_table_of_a_target_says_its_options(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "zeroin.toml").write_text(
        'evals = 1000\nemit = "none"\njson = "r.json"\n[target."m.py:f"]\nseed = 5\ntypes = "a: int, b: bool"\n'
        '[target."m.py:gg"]\nseed = 6\n[target."other.py:f"]\nseed = 7\n'
    )
    done = zeroin(tmp_path, "cover", "m.py")
    assert done.returncode == 1
    assert done.stderr == 'zeroin: the configuration\'s target "m.py:gg" matches no target\n'
    f, g = json.loads((tmp_path / "r.json").read_text())["targets"]
    assert (f["seed"], [p["type"] for p in f["signature"]]) == (5, ["int", "bool"])
    assert g["seed"] == 0
    (tmp_path / "m.py").write_text(f"{SOURCE}\ndef h(): pass\n")
    assert zeroin(tmp_path, "cover", "m.py:h", "m.py:g").stderr == ""  # what is named is all that is asked for
    zeroin(tmp_path, "cover", "m.py:f", "--seed", "9")
    (f,) = json.loads((tmp_path / "r.json").read_text())["targets"]
    assert (f["seed"], [p["type"] for p in f["signature"]]) == (9, ["int", "bool"])


def test_allowed_findings_are_told_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.zeroin]\nevals = 1000\nemit = "none"\ntypes = "f: a: int, b: int"\n'
        'allow-findings = ["m.py:g: ZeroDivisionError", "m.py:f: crash", "other.py:h: hang"]\n'
    )
    done = zeroin(tmp_path, "cover", "m.py", "--json", "r.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert "exception (allowed)  m.py:5: g(0) raises ZeroDivisionError" in done.stdout
    assert "2 functions: 2 complete, 0 incomplete, 1 finding (1 allowed)." in done.stdout
    assert done.stdout.splitlines()[-1] == (
        'note: allow-findings: "m.py:f: crash" matches no finding any more; take it out of the configuration'
    )
    _, g = json.loads((tmp_path / "r.json").read_text())["targets"]
    assert [one["allowed"] for one in g["findings"]] == [True]
    assert zeroin(tmp_path, "cover", "m.py:g", "--no-config", "--emit", "none").returncode == 1


def test_what_the_configuration_says_of_functions_elsewhere_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "zeroin.toml").write_text('array = "mean:xs=8,n"\ntypes = ["h: x: float"]\n')
    done = zeroin(tmp_path, "show", "m.py:g")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_mistake_is_exit_code_2(tmp_path: Path, here: Command) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "zeroin.toml").write_text("budget = 3\nbugdet = = 3\n")
    done = here("cover", "m.py", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "zeroin: zeroin.toml:2: is not TOML: Invalid value, column 10; fix it, or use --no-config\n"
    (tmp_path / "zeroin.toml").write_text("budget = -3\n")
    assert here("cover", "m.py", cwd=tmp_path).stderr == (
        "zeroin: --budget -3: give a positive number of seconds (zeroin.toml says budget)\n"
    )


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ('prefer = "f"', [], "--prefer: works with --engine explore only (zeroin.toml says prefer)"),
        ('prefer = "f"\nengine = "explore"', ["--engine", "random"],
         "--prefer: works with --engine explore only (zeroin.toml says prefer)"),
        ('[target."m.py:f"]\nallow = "fire"', [],
         "--allow fire: choose from files, network, processes (zeroin.toml says allow)"),
        ('allow = "fire"', ["--allow", "water"], "--allow water: choose from files, network, processes"),
        ('emit = "ada"', [], "--emit ada: no such kind; choose from c, pytest, googletest, unity, cmocka, "
     "json, junit, sarif, smt2, none "
     "(zeroin.toml says emit)"),
    ],
)  # fmt: skip
def test_contradictions_name_the_configuration(
    text: str, arguments: list[str], message: str, tmp_path: Path, here: Command
) -> None:
    (tmp_path / "m.py").write_text(SOURCE)
    (tmp_path / "zeroin.toml").write_text(text)
    done = here("cover", "m.py:f", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, f"zeroin: {message}\n")
