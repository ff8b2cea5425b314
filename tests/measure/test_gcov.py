"""Coverage by gcov: the numbers of small functions, counted by hand."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zeroin.emit.test_header import Batch
from zeroin.errors import CompileError, MissingDependency, TargetError
from zeroin.languages.c.emit.test_file import CTest, target_of
from zeroin.languages.c.measure import gcov
from zeroin.languages.c.measure.gcov import Gcov, GcovReport
from zeroin.languages.c.replay import CReplay
from zeroin.subject.base import Termination
from zeroin.suite.suite import Suite

MakeSuite = Callable[..., Suite]

GCC = shutil.which("gcc") is not None and shutil.which("gcov") is not None


def measured(suite: Suite, **options: Any) -> GcovReport | None:
    """The report; without gcc, None, and the error has said in one line what is missing."""
    if GCC:
        return Gcov(**options).measure(suite)
    with pytest.raises(MissingDependency, match=r"'(gcc|gcov)', which is not on PATH: install gcc$"):
        Gcov(**options).measure(suite)
    return None


SOURCE = """\
#include <math.h>
static double scaled(double x, int n)
{
    if (x < 0 && n > 3)
        return sqrt(-x);
    switch (n) {
    case 1: return x;
    case 7: return sqrt(x);
    }
    return 0;
}
int other(int x) { if (x) return 1; return 2; } int beside(int x) { if (x > 9) return 1; return x > 3 ? 4 : 5; }
int main(void) { return scaled(1, other(2)); }
"""


def test_counts_of_the_function_alone(make_suite: MakeSuite) -> None:
    suite = make_suite("s.c", SOURCE, "scaled", [[1.0, 1], [-1.0, 0], [2.0, 9]])
    # Lines: head, if, return, switch, two cases, return. Not taken: "n > 3 holds" of 4, "case 7" of 3. No call made.
    expected = GcovReport(lines=(5, 7), conditions=(7, 7), branches=(5, 7), calls=(0, 2))
    assert measured(suite) in (None, expected)
    everything = make_suite("s.c", SOURCE, "scaled", [[1.0, 1], [-1.0, 4], [-1.0, 0], [2.0, 7]])
    assert measured(everything) in (None, GcovReport((7, 7), (7, 7), (7, 7), (2, 2)))


def test_two_functions_on_one_line(make_suite: MakeSuite) -> None:
    assert measured(make_suite("s.c", SOURCE, "other", [[1]])) in (None, GcovReport((1, 1), (2, 2), (1, 2), (0, 0)))
    assert measured(make_suite("s.c", SOURCE, "beside", [[10]])) in (None, GcovReport((1, 1), (2, 4), (1, 4), (0, 0)))


def test_without_inputs_nothing_is_covered(make_suite: MakeSuite) -> None:
    suite = make_suite("s.c", SOURCE, "scaled", [])
    assert measured(suite) in (None, GcovReport((0, 7), (0, 7), (0, 7), (0, 2)))


CXX = """\
namespace ns {
template <class T> T size(T x) { return x > 0 ? x : -x; }
static double f(double x, int &n)
{
    auto half = [&](double y) {
        if (y > 8) return 1.0;
        return y / 2;
    };
    if (n > 3)
        return half(x);
    return -half(-x);
}
double use(double x) { int n = 3; return size(x) + size(2) + f(x, n); }
}
"""


def test_cxx_template_instances_and_lambdas(make_suite: MakeSuite) -> None:
    flags = ["-std=c++17"]
    size = measured(make_suite("f.cpp", CXX, "size<double>", [[2.0]], cc=flags))
    assert size in (None, GcovReport((1, 1), (2, 2), (1, 2), (0, 0)))
    report = measured(make_suite("f.cpp", CXX, "f", [[2.0, [4]]], cc=flags))
    assert report is None or (report.branches, report.conditions, report.calls) == ((1, 2), (2, 2), (1, 2))
    assert report is None or report.lines == (3, 4)


def test_a_wrong_expectation_is_counted_and_the_rest_still_runs(make_suite: MakeSuite) -> None:
    suite = make_suite("s.c", SOURCE, "other", [[1], [0]])
    inputs = [dataclasses.replace(suite.inputs[0], replay=CReplay(Termination.RETURNED, 99)), suite.inputs[1]]
    report = measured(dataclasses.replace(suite, inputs=inputs))
    assert report in (None, GcovReport((1, 1), (2, 2), (2, 2), (0, 0), failed=1))


def test_cases_that_crash_or_hang_spoil_no_others(make_suite: MakeSuite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gcov, "_CASE_SECONDS", 0.5)
    source = "int f(int x)\n{\n if (x == 1) for (;;) {}\n if (x == 2) __builtin_trap();\n return x;\n}\n"
    suite = make_suite("f.c", source, "f", [[0]], crashing=[[1], [2]])
    claimed = [dataclasses.replace(kept, replay=CReplay(Termination.RETURNED, 0)) for kept in suite.inputs]
    report = measured(dataclasses.replace(suite, inputs=claimed))
    assert report is None or (report.branches, report.failed) == ((2, 4), 2)
    assert measured(suite) == (report and dataclasses.replace(report, failed=0))


def test_flags_other_files_and_folder(make_suite: MakeSuite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "limit.h").write_text("#define LIMIT 4\n")
    (tmp_path / "twice.c").write_text(
        "#include <limit.h>\ndouble twice(x) double x; { return x > LIMIT ? x : 2 * x; }\n"
    )
    monkeypatch.chdir(tmp_path)
    source = "#include <limit.h>\ndouble twice();\ndouble f(double x)\n{\n return x < LIMIT ? twice(x) : x;\n}\n"
    suite = make_suite("f.c", source, "f", [[1.0], [9.0]], cc=["-Iinclude", "-std=gnu89"], others=[Path("twice.c")])
    named = dataclasses.replace(suite, target=dataclasses.replace(target_of(suite), cc=("clang", *target_of(suite).cc)))
    for one in (suite, named):
        report = measured(one, workdir=tmp_path / "kept", flags=["-DUNUSED=1"])
        assert report in (None, GcovReport((2, 2), (2, 2), (2, 2), (1, 1)))
    assert not GCC or (tmp_path / "kept" / CTest().file_name(Batch((suite,)))).exists()


def test_errors_say_what_to_do(make_suite: MakeSuite) -> None:
    suite = make_suite("s.c", SOURCE, "other", [[1]])
    with pytest.raises(MissingDependency, match="'no-such-gcc', which is not on PATH: install gcc") as caught:
        Gcov(cc="no-such-gcc").measure(suite)
    assert "\n" not in str(caught.value)
    with pytest.raises(MissingDependency, match="install gcc"):
        Gcov(gcov="no-such-gcov").measure(suite)
    suite.target.path.write_text("int other(int x) { return y; }\n")
    if GCC:
        with pytest.raises(CompileError, match="gcc does not compile its test") as refused:
            Gcov().measure(suite)
        assert "'y' undeclared" in refused.value.output
    ir = dataclasses.replace(suite, target=dataclasses.replace(suite.target, path=Path("f.ll")))
    with pytest.raises(TargetError, match="give the source of this IR"):
        Gcov().measure(ir)
