"""``zeroin cover --engine explore``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commands import zeroin

C = """
#include <assert.h>
static int inner(int a) { return a == 123456 ? 3 : a; }
int f(int a, double x) {
  if (a == 4711) *(volatile int *)0 = 1;
  while (a == 77) ;
  assert(x * x != 2.25 || a < 3);
  if (inner((int)(a * 3u + 1u)) == 3 && a != 3) return 1;
  return a > 5 && a < 5;
}
"""


def cover(target: str, folder: Path, *options: str) -> tuple[dict[str, Any], str]:
    done = zeroin(
        "cover", target, "--engine", "explore", "--json", "-", "--quiet", *options, "--budget", "20", cwd=folder
    )
    (report,) = json.loads(done.stdout)["targets"]
    return report, done.stderr


def test_c(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(C)
    report, _ = cover("f.c:f", tmp_path)
    assert {finding["kind"] for finding in report["findings"]} == {"crash", "hang", "assertion"}
    undecided = [branch["id"] for branch in report["branches"] if branch["verdict"] == "undecided"]
    assert undecided == ["5F", "7T"]  # there is no input that takes them
    (note,) = [note for note in report["notes"] if note.startswith("explored: ")]
    assert "left the path" not in note
    assert report["stopped"] == "there is nothing left to try"
    assert (tmp_path / "zeroin-out" / "test_f_f.c").exists()


@pytest.mark.parametrize(
    "engine",
    [
        "explore(frontier=RoundRobin(CodeLocationPrioritized[Shortest], DepthPrioritized[Random]))",
        "explore(frontier=breadth, solver=two-phase-es(mu=20))",
    ],
)
def test_frontier_and_solver_are_parameters(engine: str, tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int a, int b) { if (a > 3) if (a + b == 77) return 1; return 0; }\n")
    report, _ = cover("f.c:f", tmp_path, "--engine", engine)
    assert [branch["verdict"] for branch in report["branches"]] == ["covered"] * 4
    assert any(note.startswith("explored: ") for note in report["notes"])


def test_a_frontier_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text("int f(int a) { return a > 3; }\n")
    done = zeroin("cover", "f.c:f", "--engine", "explore(frontier=RoundRobin(Shortest, best))", cwd=tmp_path)
    assert done.returncode == 2
    assert "column 22: no frontier 'best'" in done.stderr


DYING = """
import importlib.abc, importlib.machinery, os, signal, sys
class Loader(importlib.abc.Loader):
    def __init__(self, loader): self.loader = loader
    def create_module(self, spec): return self.loader.create_module(spec)
    def exec_module(self, module):
        self.loader.exec_module(module)
        solve = module.Bitwuzla.solve
        def dying(self, query, budget):
            if "deadly" in repr(query.constraints):
                os.kill(os.getpid(), signal.SIGSEGV)
            return solve(self, query, budget)
        module.Bitwuzla.solve = dying
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "zeroin.solvers.smt":
            spec = importlib.machinery.PathFinder.find_spec(name, path)
            spec.loader = Loader(spec.loader)
            return spec
sys.meta_path.insert(0, Finder())
"""
ASKING = """int f(int x, unsigned y, unsigned deadly) {
  if (deadly * deadly * 3 + y == 1234567 && (deadly ^ y) == 99 && (deadly & 0xff) == 0x41 && y * deadly == 17) return 2;
  return y * y == 1522756 ? 3 : x == 77123;
}
"""


def test_a_solver_that_dies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked in a process of its own from then on: what does not depend on that query is still covered."""
    (tmp_path / "f.c").write_text(ASKING)
    (tmp_path / "sitecustomize.py").write_text(DYING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    report, _ = cover("f.c:f", tmp_path, "--emit", "none")
    covered = {branch["id"] for branch in report["branches"] if branch["verdict"] == "covered"}
    assert covered >= {"0T", "0F", "1F", "4T", "4F"}
    (note,) = [note for note in report["notes"] if note.startswith("explored: ")]
    assert note.endswith("solvers ran in processes of their own, after one had crashed")
    assert report["stopped"] == "every branch is covered or proved infeasible"


PYTHON = """
def f(x: float, n: int, s: str) -> int:
    if x * x == 2.25:
        return 1
    elif n // 3 == 7 and s:
        return 2
    return 0
"""


def test_python(tmp_path: Path) -> None:
    (tmp_path / "f.py").write_text(PYTHON)
    report, _ = cover("f.py:f", tmp_path)
    assert {branch["verdict"] for branch in report["branches"]} == {"covered"}
    (note,) = [note for note in report["notes"] if note.startswith("explored: ")]
    assert note == "explored: 4 runs, 3 decisions flipped, 0 that can not be flipped"


GATE = """
class Gate:
    def __init__(self, code: int):
        self.code, self.coins = code * 2, 0

    def pay(self, coins: int) -> int:
        self.coins += coins
        return self.coins

    def enter(self, code: int) -> bool:
        if self.coins == 391 and code == self.code:
            return code > 1000
        return False
"""


def test_calls_of_a_class_in_a_symbolic_order(tmp_path: Path) -> None:
    (tmp_path / "gate.py").write_text(GATE)
    report, _ = cover("gate.py:Gate", tmp_path)
    assert {branch["verdict"] for branch in report["branches"]} == {"covered"}
    assert any(note.startswith("explored: ") for note in report["notes"])


GUIDED = """
static int wanted(int a, int b, int c) {
  if (a == 391) if (b > 20) if (c == a + b) if (b % 7 == 3) if (c > 5000) return 1;
  return 0;
}
int f(int n, int a, int b, int c) {
  int odd = 0;
  for (int i = 0; i < n && i < 30; i++) if ((n ^ a) >> i & 1) odd++;
  return wanted(a, b, c) + odd;
}
"""


def test_what_the_user_prefers_is_covered_in_fewer_runs(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(GUIDED)
    runs = {}
    for option in ("--prefer", "--defer"):
        report, _ = cover("f.c:f", tmp_path, "--callees", option, "wanted")
        (note,) = [note for note in report["notes"] if note.startswith("explored: ")]
        runs[option] = int(note.split()[1].replace(",", ""))
        assert all(branch["verdict"] == "covered" for branch in report["branches"])
    assert 2 * runs["--prefer"] < runs["--defer"]


def test_guidance_that_can_not_be_followed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(GUIDED)
    for options, message in (
        (
            ["--engine", "explore", "--prefer", "other"],
            "--prefer other: no such place; functions with conditionals: f; --callees adds those that they call",
        ),
        (["--prefer", "f"], "--prefer: works with --engine explore only"),
    ):
        done = zeroin("cover", "f.c:f", *options, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, f"zeroin: {message}\n")
