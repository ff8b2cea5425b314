"""Strings and lists get more room than zeroin gives them at first, where a branch needs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import Programs
from zeroin import Budget, Options, cover

C = """
#include <string.h>
int product(const char *s, int n) { if (n == 7 && strlen(s) == n * n) return 1; return 0; }
int times(const char *s, unsigned k) { if (k < 10) return 0; if (strlen(s) == k * 3) return 1; return 2; }
"""
PYTHON = """
def product(s: str, n: int) -> int:
    if n == 7 and len(s) == n * n:
        return 1
    return 0

def items(xs: list[int], n: int) -> int:
    if n > 5 and len(xs) == n * n + 1:
        return 1
    return 0

def raw(b: bytes, n: int) -> int:
    if n == 6 and len(b) == n * n and b[30] == n:
        return 1
    return 0

def never(s: str) -> int:
    n = len(s)
    if n * n == 50:
        return 1
    return 0
"""


@pytest.mark.parametrize("name", ["product", "times"])
def test_strings_in_c(programs: Programs, name: str) -> None:
    result = cover(f"{programs.write(C)}:{name}", Options(engine="explore", budget=Budget(100, 60.0)))
    assert result.percent == 100


@pytest.mark.parametrize("name", ["product", "items", "raw"])
def test_sequences_in_python(tmp_path: Path, name: str) -> None:
    path = tmp_path / "lengths.py"
    path.write_text(PYTHON)
    result = cover(f"{path}:{name}", Options(engine="explore", budget=Budget(100, 60.0)))
    assert result.percent == 100


def test_a_branch_that_no_length_takes_asks_for_none(tmp_path: Path) -> None:
    path = tmp_path / "lengths.py"
    path.write_text(PYTHON)
    result = cover(f"{path}:never", Options(engine="explore", budget=Budget(100, 60.0)))
    assert [one.verdict for one in result.verdicts] == ["undecided", "covered"]
    assert result.evaluations <= 3
