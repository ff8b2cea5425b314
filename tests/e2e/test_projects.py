"""Whole projects: folders as targets, compile databases, options of one function, one table, one share of branches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import commands
from e2e.conftest import Command

MEAN = (
    "double mean(const double *xs, int n) {\n"
    "  double s = 0;\n  for (int i = 0; i < n; i++) s += xs[i];\n  return n > 0 ? s / n : 0;\n}\n"
)
FILES = {
    "src/a.c": '#include "limit.h"\n#ifndef FAST\n#error slow\n#endif\nint clip(int x) { return x > LIMIT ? 1 : x; }\n',
    "src/bad.c": "int broken(int x { return x; }\n",
    "include/limit.h": "#define LIMIT 7\n",
    "lab/fit.py": "def scale(x: float, k: int):\n    if k > 3 and k < 2:\n        return 1\n    return x\n",
    "lab/lacks.py": "import some_module_that_nobody_has\n",
    "lab/constants.py": "PI = 3\n",
    "tests/test_fit.py": "def test(): pass\n",
    ".venv/lib/own.py": "def f(x: float): return x > 2\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (path := tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / ".git").mkdir()
    return tmp_path


def database(folder: Path, project: Path, *words: str) -> None:
    entry = {
        "directory": str(project / "build"),
        "file": "../src/a.c",
        "arguments": ["gcc", *words, "-c", "../src/a.c"],
    }
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps([entry]))


def zeroin(folder: Path, *arguments: str) -> commands.Done:
    return commands.zeroin(*arguments, "--evals", "2000", "--emit", "none", cwd=folder)


def report(path: Path) -> dict[str, Any]:
    return {one["target"]: one for one in json.loads(path.read_text())["targets"]}


def test_a_folder_is_all_its_functions_with_the_flags_of_each_file(project: Path) -> None:
    database(project / "build", project, "-I../include", "-DFAST", "-march=armv7-a", "-O2")
    done = zeroin(project, "cover", ".", "--fail-under", "90")
    assert done.returncode == 1
    (note,) = done.stderr.splitlines()
    assert note == "zeroin: flags of 1 file from build/compile_commands.json; ignored flags: -march=armv7-a"
    states = [line for line in done.stdout.splitlines() if line.startswith(("complete", "incomplete"))]
    assert states == ["incomplete     3 of 4     lab/fit.py:scale", "complete       2 of 2     src/a.c:clip"]
    assert "\nfit.py:" in done.stdout  # the undecided branch
    lines = done.stdout[done.stdout.index("skipped  ") :].splitlines()
    assert [line for line in lines if "undecided: " not in line] == [
        "skipped  .venv (a hidden folder)",
        "skipped  tests (tests; covered if they are named)",
        "skipped  lab/lacks.py (importing it raises ModuleNotFoundError: No module named 'some_module_that_"
        f"nobody_has' (line 1 of {project}/lab/lacks.py); run zeroin in the environment and the folder that "
        "the module needs)",
        "skipped  src/bad.c (does not compile: expected ')')",
        "",
        "2 functions: 1 complete, 1 incomplete, 4 skipped.",
        "6 branches: 5 covered, 1 undecided (83.3 % decided).",
        "Below --fail-under 90: 83.3 % of 6 branches are decided, 1 are not.",
    ]
    assert zeroin(project, "cover", ".", "--fail-under", "83").returncode == 0


def test_quiet_leaves_findings_and_totals(project: Path) -> None:
    (project / "lab" / "div.py").write_text("def div(k: int):\n    return 1 // k\n")
    done = zeroin(project, "cover", "lab", "-q", "-j", "2", "-o", "made")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "complete       0 of 0     lab/div.py:div, 1 finding: exception div.py:2",
        "incomplete     3 of 4     lab/fit.py:scale",
        "2 functions: 1 complete, 1 incomplete, 1 skipped, 1 finding.",
        "4 branches: 3 covered, 1 undecided (75 % decided).",
    ]


def test_a_database_may_be_named_and_be_done_without(project: Path) -> None:
    database(project / "elsewhere", project, "-I../include", "-DFAST")
    named = zeroin(project, "cover", "src/a.c:clip", "--compile-commands", "elsewhere", "--json", "r.json")
    assert named.returncode == 0, named.stderr
    assert len(report(project / "r.json")) == 1
    database(project, project, "-I../include", "-DFAST")
    assert zeroin(project, "cover", "src/a.c:clip").returncode == 0
    without = zeroin(project, "cover", "src/a.c:clip", "--compile-commands", "none")
    assert without.returncode == 2
    assert "'limit.h' file not found" in without.stderr


def test_flags_of_the_command_line_come_last(project: Path) -> None:
    database(project, project, "-I../include", "-DFAST", "-DLIMIT2=3")
    (project / "src" / "a.c").write_text("#if LIMIT2 != 4\n#error\n#endif\nint f(int x) { return x > LIMIT2; }\n")
    assert zeroin(project, "cover", "src/a.c", "--cc", "-ULIMIT2 -DLIMIT2=4").returncode == 0
    assert zeroin(project, "cover", "src/a.c").returncode == 2


def test_a_database_of_another_machine(project: Path, here: Command) -> None:
    entry = {"directory": "/home/them/p", "file": "a.c", "command": "cc a.c"}
    (project / "compile_commands.json").write_text(json.dumps([entry]))
    done = zeroin(project, "cover", ".")  # found by itself, it stops nothing
    assert done.returncode == 0
    assert done.stderr.startswith("zeroin: compile_commands.json: none of its files exists on this machine")
    assert len(done.stderr.splitlines()) == 1
    named = here("cover", "src", "--compile-commands", ".", cwd=project)
    assert named.returncode == 2
    assert "make it again on this machine" in named.stderr
    assert len(named.stderr.splitlines()) == 1


def test_what_is_said_of_one_function_leaves_the_others_alone(tmp_path: Path) -> None:
    (tmp_path / "m.c").write_text(MEAN + "double first(const double *xs) { return xs[0] > 2 ? 1 : 0; }\n")
    (tmp_path / "m.py").write_text(
        "def f(a, b):\n    return 1 if a > 3 else b\n\ndef g(a, b):\n    return 1 if b else a\n"
    )
    done = zeroin(tmp_path, "cover", "m.c", "m.py", "--array", "mean:xs=5,n", "--types", "f: a: int, b: bool",
                  "--types", "m.py:g: a: str", "--types", "g: b: int", "--json", "r.json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {name: [p["type"] for p in one["signature"]] for name, one in report(tmp_path / "r.json").items()}
    assert found["m.py:f"] == ["int", "bool"]
    assert found["m.py:g"] == ["str", "int"]
    args = [one["args"] for one in report(tmp_path / "r.json")["m.c:mean"]["inputs"]]
    assert {len(xs) for xs, _ in args} == {5}
    assert {len(xs) for (xs,) in (one["args"] for one in report(tmp_path / "r.json")["m.c:first"]["inputs"])} == {1}


def test_files_of_a_folder_are_linked_with_those_beside_them(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    for name, text in {
        "a": "int b(int);\nint a(int x) { return b(x) > 3 ? 1 : 0; }\nint own(int x) { return x; }\n",
        "b": "int c(int);\nint b(int x) { return c(x) + 1; }\n",
        "c": "int none(int);\nint c(int x) { return x * 2; }\nint d(int x) { return none(x); }\n",
    }.items():
        (tmp_path / "src" / f"{name}.c").write_text(text)
    done = zeroin(tmp_path, "cover", "src", "--find", "none", "--json", "r.json")
    assert done.returncode == 0, done.stderr
    found = report(tmp_path / "r.json")
    notes = {name: [note for note in one["notes"] if note.startswith("linked")] for name, one in found.items()}
    assert notes == {
        "src/a.c:a": ["linked with src/b.c, src/c.c, which defines functions that it calls"],
        "src/a.c:own": [],
        "src/b.c:b": ["linked with src/c.c, which defines functions that it calls"],
        "src/c.c:c": [],
    }
    assert {branch["verdict"] for branch in found["src/a.c:a"]["branches"]} == {"covered"}
    skipped = json.loads((tmp_path / "r.json").read_text())["skipped"]
    assert [(one["target"], one["why"][:10]) for one in skipped] == [("src/c.c:d", "calls none")]
    assert "add --with src/b.c" in zeroin(tmp_path, "cover", "src/a.c:a").stderr  # who names one says what is linked


def test_pytests_way_of_writing_is_understood(tmp_path: Path, here: Command) -> None:
    (tmp_path / "m.py").write_text(
        "def f(a: int):\n    return a > 3\n\nclass C:\n    def g(self, a: int):\n        return a > 4\n"
    )
    for text, said in (("m.py::f", "f(a: int)"), ("m.py::C::g", "C.g(C, a: int)")):
        done = here("show", text, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert said in done.stdout


REFUSED = [
    (["cover", "nothing"], "nothing: has no C, C++, LLVM IR or Python files\n"),
    (["cover", "only_tests"], "has no C, C++, LLVM IR or Python files; skipped: only_tests/test_a.py: tests; "
     "covered if they are named\n"),
    (["cover", "values"], "values: has no file with a function that can be tested\n"),
    (["cover", "nothing", "--exclude", "."], "--exclude '.': give the name of a file or folder"),
    (["cover", "nothing", "--exclude", ""], "--exclude '': give the name of a file or folder"),
    (["cover", "nothing:f"], "nothing: is a folder; name a file in it; a target is FILE.c:FUNCTION"),
    (["cover", "orbitt.py:f"], "orbitt.py: no such file (there is orbit.py); a target is"),
    (["cover", "orbit.py:solv"], "has no function 'solv'; there is solve\n"),
    (["cover", "orbit.py:solve", "--types", "solv: x: float"], "no target is called solv; there is solve\n"),
    (["cover", "orbit.py:solve", "--array", "f:xs=8,n"], "--array f:xs=8,n: no target is called f; there is solve\n"),
    (["cover", "orbit.py:solve", "--compile-commands", "nothing"], "nothing: has no compile_commands.json; name the"),
    (["cover", "orbit.py:solve", "--compile-commands", "x.json"], "commands x.json: no such file or folder\n"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), REFUSED, ids=lambda value: str(value)[:50])
def test_what_is_refused_gets_one_line(arguments: list[str], message: str, here: Command, tmp_path: Path) -> None:
    for name in ("nothing", "only_tests", "values"):
        (tmp_path / name).mkdir()
    (tmp_path / "nothing" / "notes.txt").write_text("none\n")
    (tmp_path / "only_tests" / "test_a.py").write_text("def test(): pass\n")
    (tmp_path / "values" / "a.py").write_text("X = 1\n")
    (tmp_path / "orbit.py").write_text("def solve(x: float):\n    return x > 2\n")
    done = here(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
