"""bench/packages, bench/explore and bench/reading.speed: what they count, and what their pages say."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from bench.explore.run import Cell, Line
from bench.explore.run import table as comparison
from bench.packages.exploring import ENGINES, Asked, Explored, explore, together
from bench.packages.fetch import musl
from bench.packages.functions import Function, source_lines
from bench.packages.run import Row, render

from zeroin import LlvmSubject
from zeroin.languages.c.options import LlvmOptions

CONDITIONS = """#include <math.h>
int f(double x, int n) {
    if (sin(x) == 0.5 && n > 7) return 1;
    if (n * n == 2) return 2;
    return 0;
}
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_every_question_and_its_answer_is_counted(engine: str, tmp_path: Path) -> None:
    path = tmp_path / "f.c"
    path.write_text(CONDITIONS)
    found = explore(LlvmSubject(path, "f", LlvmOptions()), engine, 60.0)  # it ends when there is nothing left to ask
    for asked in found.solvers.values():
        assert asked.asked == asked.solved + asked.refuted + asked.timed_out + asked.failed > 0
        assert asked.failed >= 0
    if engine == "zeroin":
        assert next(iter(found.solvers)) == "propagation"
    else:  # where the first phase's model holds, there is nothing to correct
        asked = found.solvers.pop(ENGINES[engine])
        assert not found.solvers
        assert (asked.asked, asked.solved) == ((3, 0) if engine == "Z3, random" else (1, 1))
        assert found.passed_operators["BV_MUL"] <= found.operators["BV_MUL"]
        assert sum(found.passed_sorts.values()) > 0
    assert found.covered == (2 if engine == "Z3, random" else found.total - 1)  # no int's square is 2
    assert found.operators["BV_MUL"]
    assert found.sorts["(_ BitVec 32)"]


def test_sums_of_answers() -> None:
    one, other = {"a": Asked(3, 1, 1, 0, 2.0)}, {"a": Asked(2, 0, 0, 2, 1.0), "b": Asked(1, 1)}
    assert together([one, other]) == {"a": Asked(5, 1, 1, 2, 3.0), "b": Asked(1, 1)}
    assert Asked(5, 1, 1, 2).failed == 1


def test_lines_of_source_without_comments(tmp_path: Path) -> None:
    path = tmp_path / "f.py"
    path.write_text('"""Text.\n\nMore."""\n\n\ndef f(x):  # one\n    """Two\n    lines."""\n    return """a\nb"""\n')
    assert source_lines(path) == 3


def test_the_page_of_the_libraries(tmp_path: Path) -> None:
    found = {engine: Explored(n, 10, 5, 1.0, {name or "propagation": Asked(4, 1, 0, 1, 0.5)})
             for n, (engine, name) in enumerate(ENGINES.items(), 3)}  # fmt: skip
    source = tmp_path / "f.c"
    source.write_text("/* a\ncomment */\nint f(void)\n{\n    return 1; // one\n}\n\n")
    made = Function("l", "f", lambda: pytest.fail("nothing is loaded"), (source,))
    for one in found.values():
        one.operators["LT"], one.passed_operators["LT"] = 3, 2
    rows = [Row(made, 5, "", found), Row(made, 0), Row(made, refused="a struct")]
    page = render(rows, argparse.Namespace(seconds=2.0, jobs=1, every=1))
    assert "| l | 4 | 3 | 1 | 1 | 1 | 10 |" in page
    assert "| l | 3 (30.0 %) | 1.0 | 0 | 4 (40.0 %) | 1.0 | 0 | 5 (50.0 %) | 1.0 | 0 | 6 (60.0 %) | 1.0 | 0 |" in page
    assert "| LT | 75 % | 50 % | 50 % |" in page
    assert "| l | Z3, random | 4 | 1 | 1 | 1 | 2 | 0.5 |" in page


def test_musl_is_read_with_the_files_that_it_needs() -> None:
    folder, flags = musl()
    assert (folder / "pow.c").is_file()
    assert all(Path(flag[2:]).is_dir() for flag in flags if flag.startswith("-I"))
    own = LlvmSubject(folder / "logb.c", "logb", LlvmOptions(cc=flags))
    assert len(own.sites) == 2


def test_the_comparison_adds_up_by_kind() -> None:
    lines = [Line("a", "f", {"x": Cell(3, 4, 1.0), "y": Cell(4, 4, 1.0)}),
             Line("a", "g", {"x": Cell(2, 2, 1.0), "y": Cell(0, 0, 1.0, "it could not be run")}),
             Line("b", "h", {"x": Cell(1, 5, 1.0), "y": Cell(5, 5, 1.0)})]  # fmt: skip
    assert list(comparison(lines, ("x", "y"), False))[2:] == [
        "| a | 2 | 6 | 5 | 4 | 1 | 1 |", "| b | 1 | 5 | 1 | 5 | 0 | 1 |", "| **all** | 3 | 11 | 6 | 9 | 1 | 2 |",
    ]  # fmt: skip
