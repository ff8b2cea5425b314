"""What calls leave behind pointers, and in changed arguments, stands in the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin.config import Budget, Options
from zeroin.report.text import TextReport
from zeroin.worker.parent import cover

C = "void f(double x, double *twice, const int *n, int *same) { *twice = 2 * x; if (*n > 3) *same = *same; }\n"
PYTHON = "def f(xs: list[int]) -> None:\n    xs.append(7)\n"


@pytest.mark.parametrize(
    ("file", "text", "left"), [("f.c", C, "leaving twice = {"), ("f.py", PYTHON, "leaving xs = [")]
)
def test_what_is_left_is_shown(tmp_path: Path, file: str, text: str, left: str) -> None:
    (tmp_path / file).write_text(text)
    suite = cover(f"{tmp_path / file}:f", Options(budget=Budget(2000)))
    lines = [line for line in TextReport().text([suite]).splitlines() if line.startswith("  #")]
    assert lines
    assert all(left in line and "same =" not in line.partition("leaving")[2] for line in lines), lines


def test_a_long_result_is_cut(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text("def f(x: int) -> str:\n    return 'ab' * 500\n")
    suite = cover(f"{tmp_path / 'f.py'}:f", Options(budget=Budget(2000)))
    (line,) = (line for line in TextReport().text([suite]).splitlines() if line.startswith("  #"))
    assert line.endswith("abab...")
    assert len(line.partition(") ")[2]) == 200
