"""Exploration asks again where the first answer about a missing branch is of no use."""

from __future__ import annotations

from pathlib import Path

import pytest

from programs import Programs
from zeroin import Budget, Options, Suite, cover

DEFINED = """
#include <string.h>
int f(double x, double y) {
    long long u, v;
    memcpy(&u, &x, 8); memcpy(&v, &y, 8);
    int hx = (int)(u >> 32), lx = (int)u, hy = (int)(v >> 32);
    if (((hx - 0x3ff00000) | lx) == 0) return 9;
    int m = ((hy >> 31) & 1) | ((hx >> 30) & 2);
    if (((hy & 0x7fffffff) | (int)v) == 0) switch (m) { case 0: case 1: return 4; case 2: return 5; case 3: return 6; }
    return 0;
}
"""
NEVER_DEFINED = "int f(int a) { int d = a - 2000000000; if (a < -150000000) return 1; return d; }"
AFTER_A_LOOP = """
int f(unsigned x) {
    unsigned n = 0;
    for (unsigned y = x; y; y >>= 1) n += y & 1;
    return x < 0x80000000u ? (int)n : -1;
}
"""
AFTER_A_LOOP_IN_PYTHON = """
def f(x: int) -> int:
    n = 0
    while n * 3 < x:
        n += 1
    if x > 1000:
        return -1
    return n
"""


def explored(target: str, seed: int, evaluations: int) -> Suite:
    return cover(target, Options(engine="explore", budget=Budget(evaluations, 60.0), seed=seed))


def test_a_branch_that_was_taken_with_an_overflow_is_taken_without(programs: Programs) -> None:
    """The solver's first model for a negative ``x`` is -0.0, whose upper half overflows (as in fdlibm's ``atan2``)."""
    found = explored(f"{programs.write(DEFINED)}:f", 0, 20)
    assert any("overflow" in finding.message for finding in found.findings)
    assert "undecided" not in [verdict.verdict for verdict in found.verdicts]


def test_a_branch_that_is_only_taken_with_an_overflow_ends_the_search(programs: Programs) -> None:
    found = explored(f"{programs.write(NEVER_DEFINED)}:f", 0, 1000)
    verdicts = {v.branch.id: (v.verdict, v.why) for v in found.verdicts}
    assert verdicts["0T"] == ("undecided", "only undefined behaviour takes it")
    assert found.evaluations < 10


@pytest.mark.parametrize("seed", range(3))
def test_a_branch_that_is_on_another_path_takes_one_run(programs: Programs, seed: int) -> None:
    """The loop has to run 32 times for it; flips of its decisions, one after the other, need that many runs."""
    assert explored(f"{programs.write(AFTER_A_LOOP)}:f", seed, 6).percent == 100


def test_in_python(tmp_path: Path) -> None:
    path = tmp_path / "loop.py"
    path.write_text(AFTER_A_LOOP_IN_PYTHON)
    assert explored(f"{path}:f", 0, 6).percent == 100
