"""Mutants may end the worker's process: they count as noticed, and all else goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from zeroin import Budget, Options, Suite, Worker, cover
from zeroin.measure.mutation_score import Score
from zeroin.report.json import as_json

DEADLY = """
import ctypes, os
def f(x: int, y: int) -> int:
    if x > 2**70:
        os.kill(os.getpid(), 9)
    if y > 2**80:
        ctypes.string_at(0)
    return x * 3 + y
"""
IN_C = """
#include <unistd.h>
int f(int x, int y)
{
    if (x > 2000000000 && y > x) { char *p = 0; _exit(*p); }
    return x * 3 + y;
}
"""


def covered(text: str, file: Path, **options: object) -> Suite:
    file.write_text(text)
    with Worker() as sandbox:
        return cover(f"{file}:f", Options(budget=Budget(2000, 5.0), mutants=True, **options), worker=sandbox)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "name"), [(DEADLY, "deadly.py"), (IN_C, "deadly.c")])
def test_a_mutant_that_ends_the_process_is_noticed(text: str, name: str, tmp_path: Path) -> None:
    suite = covered(text, tmp_path / name, allow=("processes",))
    assert suite.mutants is not None
    noticed = {mutant.change for mutant in suite.mutants.all if mutant.number in suite.mutants.killed}
    assert {"> -> <=", "* -> /", "+ -> -"} <= noticed
    assert not suite.disagreements


def test_a_small_suite_is_measured_and_not_changed(tmp_path: Path) -> None:
    text = "def f(x: float, n: int) -> float:\n    return x * 2.5 + n if x > 3 else x / 7\n"
    small = covered(text, tmp_path / "one.py", suite="small")
    full = covered(text, tmp_path / "one.py")
    plain = Options(budget=Budget(2000, 5.0), suite="small")
    alone = cover(f"{tmp_path / 'one.py'}:f", plain)
    assert [one.words for one in small.inputs] == [one.words for one in alone.inputs]
    assert alone.mutants is None
    scores = [Score.of(suite).killed for suite in (small, full)]
    assert scores[0][0] < scores[1][0] == scores[1][1]
    assert scores[0][1] == scores[1][1]
    assert full.percent == 100.0
    (target,) = as_json([small])["targets"]
    assert (target["mutants"]["noticed"], target["mutants"]["total"]) == scores[0]
    assert len(target["mutants"]["left"]) == scores[0][1] - scores[0][0]
    assert "mutants" not in as_json([alone])["targets"][0]
    values = [value for one in full.inputs for value in full.signature.arguments(one.words)]
    assert not {0, 1, -1} & set(values)


def test_every_method_of_a_class_is_still_called(tmp_path: Path) -> None:
    text = "class Box:\n    def __init__(self, size: int) -> None:\n        self.size = size\n"
    text += "    def grow(self) -> int:\n        if self.size > 3:\n            return 1\n        return 0\n"
    text += "    def name(self) -> str:\n        return 'box'\n"
    (tmp_path / "box.py").write_text(text)
    suite = cover(f"{tmp_path / 'box.py'}:Box", Options(budget=Budget(20_000, 5.0)))
    shown = [suite.signature.show(one.words) for one in suite.inputs]
    assert any("box.name()" in one for one in shown)
    assert suite.percent == 100.0


def test_a_strategy_alone_is_shown_as_it_is() -> None:
    assert Options().strengthens
    for other in (Options(suite="small"), Options(engine="minimize"), Options(line=3), Options(find=("nan",)),
                  Options(boundary=True), Options(branches=("0T",)), Options(simplify=False)):  # fmt: skip
        assert not other.strengthens
