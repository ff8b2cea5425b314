"""``FILE:LINE`` stands for the function at that line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from zeroin.cli.main import main
from zeroin.errors import TargetError
from zeroin.languages.c.front.compile import compile_all
from zeroin.languages.c.front.symbols import function_at as c_function_at
from zeroin.languages.python.front.lines import function_at

PYTHON = """\
import functools

@functools.cache
def f(x):
    def inner():
        return 1
    return inner()

class C:
    size = 3

    def m(self, x):
        return x

if True:
    def g(x): return x
try:
    pass
except OSError:
    def h(x): return x
"""
C = """\
#include <math.h>

int f(int x)
{
    if (x > 3)
        return 1;
    return 0;
}
static inline double g(double x) { return sqrt(x); }

double h(double x)
{
    return g(x);
}
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [(3, "f"), (4, "f"), (6, "f"), (7, "f"), (9, "C"), (10, "C"), (12, "C.m"), (13, "C.m"), (16, "g"), (20, "h")],
)
def test_lines_of_python(line: int, name: str) -> None:
    assert function_at(PYTHON, line, "m.py") == name


@pytest.mark.parametrize(("line", "near"), [(1, "f, in lines 3 to 7"), (18, "g, in lines 16 to 16"), (99, "h, in")])
def test_a_line_of_no_python_function(line: int, near: str) -> None:
    with pytest.raises(
        TargetError, match=re.escape(f"m.py: line {line} is in no function that can be tested; the nearest is {near}")
    ):
        function_at(PYTHON, line, "m.py")


@pytest.mark.parametrize(("line", "name"), [(3, "f"), (5, "f"), (8, "f"), (9, "g"), (11, "h"), (13, "h"), (14, "h")])
def test_lines_of_c(line: int, name: str, tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(C)
    assert c_function_at(path, compile_all([path], ()), line) == name


def test_a_line_of_no_c_function(tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(C)
    with pytest.raises(TargetError, match="line 1 is in no function that can be tested; the nearest is f, in lines 3"):
        c_function_at(path, compile_all([path], ()), 1)


@pytest.mark.parametrize(("file", "line", "function"), [("m.py", 7, "f"), ("f.c", 6, "f")])
def test_the_command_covers_it(file: str, line: int, function: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(PYTHON if file == "m.py" else C)
    report = tmp_path / "r.json"
    assert main(["cover", f"{tmp_path / file}:{line}", "--evals", "500", "--emit", "none", "--json", str(report)]) == 0
    (target,) = json.loads(report.read_text())["targets"]
    assert target["target"] == f"{tmp_path / file}:{function}"
    assert main(["cover", f"{tmp_path / file}:1", "--emit", "none"]) == 2
