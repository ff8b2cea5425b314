"""``zeroin cover --engine explore``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

C = """
#include <assert.h>
static int inner(int a) { return a == 123456 ? 3 : a; }
int f(int a, double x) {
  if (a == 4711) *(volatile int *)0 = 1;
  while (a == 77) ;
  assert(x * x != 2.25 || a < 3);
  if (inner(a * 3 + 1) == 3 && a != 3) return 1;
  return a > 5 && a < 5;
}
"""


def cover(target: str, folder: Path) -> tuple[dict[str, Any], str]:
    command = [sys.executable, "-m", "zeroin", "cover", target, "--engine", "explore", "--json", "-", "--quiet"]
    done = subprocess.run(
        [*command, "--budget", "20"], cwd=folder, capture_output=True, text=True, timeout=120, check=False
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
    assert note == "explored: 4 runs, 3 decisions flipped, 0 that no input decides otherwise"
