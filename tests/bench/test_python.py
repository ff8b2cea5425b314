"""The benchmark of Python functions: its oracles, its measuring, its page. No tool is run."""

from __future__ import annotations

import ast
import importlib.util
import math
import sys
from functools import partial
from pathlib import Path

import pytest
from bench.python.campaign import Mode, Row
from bench.python.measure import Measured, line_range, measure
from bench.python.run import main
from bench.python.subjects import ENTRIES, FUNCTIONS, Entry
from bench.python.table import Results, render, summary
from bench.python.tools.drivers import inside

pytest.importorskip("coverage")

MODULES = sorted({entry.module for entry in ENTRIES})

# ---- the oracles ----


def test_every_function_has_an_entry() -> None:
    there = {
        f"{path.stem}.{node.name}"
        for path in FUNCTIONS.glob("[a-z]*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    assert {entry.name for entry in ENTRIES} == there
    assert len(ENTRIES) == len(there) >= 40


@pytest.fixture(scope="module", params=MODULES)
def witnessed(request: pytest.FixtureRequest) -> tuple[list[Entry], Measured]:
    """A module's entries, and what all their witnesses take."""
    entries = [entry for entry in ENTRIES if entry.module == request.param]
    calls = [call for entry in entries for call in entry.witnesses]
    return entries, measure(entries[0].source, None, calls)


def test_witnesses_take_all_branches_but_the_infeasible(witnessed: tuple[list[Entry], Measured]) -> None:
    entries, measured = witnessed
    assert measured.hung == measured.crashed == measured.skipped == 0
    for entry in entries:
        lines = line_range(entry.source, entry.function)
        branches = {arc for arc in measured.branches if arc[0] in lines}
        assert len(branches) == entry.branches, entry.name
        assert branches - measured.covered == entry.infeasible.keys(), entry.name


def test_tracer_of_the_drivers_counts_as_coverage_does(witnessed: tuple[list[Entry], Measured]) -> None:
    entries, measured = witnessed
    spec = importlib.util.spec_from_file_location(f"bench_subject_{entries[0].module}", entries[0].source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, spec.name, module)
        spec.loader.exec_module(module)
        names = {**vars(module), "nan": math.nan, "inf": math.inf}
        for entry in entries:
            lines = line_range(entry.source, entry.function)
            branches = [list(arc) for arc in measured.branches if arc[0] in lines]
            tracer = inside.Tracer(names[entry.function], str(entry.source), branches)
            for call in entry.witnesses:
                tracer.run(partial(eval, call, names))
            assert tracer.covered == {arc for arc in measured.covered if arc[0] in lines}, entry.name


# ---- measuring ----

SUBJECT = """
import os, time

def subject(x: int) -> int:
    if x == 1:
        while True:
            pass
    if x == 2:
        os.abort()
    if x == 3:
        raise ValueError
    return 0
"""


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    path = tmp_path / "subject_of_measure.py"
    path.write_text(SUBJECT)
    return path


def test_measure_survives_what_hangs_and_crashes(subject: Path) -> None:
    measured = measure(subject, "subject", ["subject(1)", "subject(2)", "subject(3)", "subject(0)"], limit=0.2)
    assert (measured.passed, measured.failed, measured.hung, measured.crashed) == (1, 1, 1, 1)
    assert measured.branches - measured.covered == {(8, 9)}


def test_measure_runs_pytest_files(subject: Path, tmp_path: Path) -> None:
    tests = tmp_path / "test_it.py"
    tests.write_text(
        "import subject_of_measure as s\n"
        "def test_good(): assert s.subject(0) == 0\n"
        "def test_bad(): assert s.subject(3) == 0\n"
        "def test_hangs(): s.subject(1)\n"
    )
    measured = measure(subject, "subject", tests=tests, limit=0.2)
    assert (measured.passed, measured.failed, measured.hung) == (1, 2, 1)
    assert measured.covered


def test_expressions_evaluate_to_the_value() -> None:
    value = [1.5, -0.0, math.inf, math.nan, None, "a'\ud800", True, 2**70]
    text = inside.expression(value)
    assert repr(eval(text, {"nan": math.nan, "inf": math.inf})) == repr(value)


# ---- the page ----


def _row(tool: str, seed: int, covered: set[tuple[int, int]], note: str = "") -> Row:
    mode = Mode("only", frozenset(covered), len(covered), 0, 0, 2.0, note)
    return Row(tool, f"{tool} 1", "m.f", seed, 10.0, "", (mode,))


def _results(*rows: Row) -> Results:
    entry = Entry("m", "f", 5, {(9, 10): "never"}, ())
    return Results([entry], rows, 0, {"zeroin": "zeroin", "one": "One", "two": "Two"}, "a machine")


def test_page() -> None:
    a, b, c, d = {(1, 2)}, {(1, 3)}, {(2, 3)}, {(2, 4)}
    results = _results(
        _row("zeroin", 0, a | b | c | d), _row("zeroin", 1, a), _row("one", 0, a | b), _row("two", 0, c, "killed")
    )
    page = render(results)
    assert "| m.f | 5 | 4 | 1 | 2 | 1 |" in page
    assert "- two only, m.f, seed 0: killed" in page
    lines = summary(results)
    assert any(line.startswith("| zeroin | 1 | 2 | 1 | 2.5 | 0 | 0.5 |") for line in lines)
    assert any(line.startswith("| union of one, two, all seeds | | | 3 |") for line in lines)


def test_unknown_tool_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tools", "nonsense"]) == 2
    assert "crosshair" in capsys.readouterr().err
